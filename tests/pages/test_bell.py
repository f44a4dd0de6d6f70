"""The bell in the bar, and the page behind it."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from claims.mine import notices
from claims.models import Notice
from portal.models import Person
from tasks_board.models import Event, Team
from tests.pages.scenes import NOW, Scene, client_of, make_person
from tests.pages.test_templates import SPRITE


def tell(scene: Scene, person: Person, number: int = 1, **values: object) -> Notice:
    values.setdefault("kind", "admitted")
    values.setdefault("data", {"by": scene.mei.pk})
    values.setdefault("task", scene.tasks[0])
    return Notice.objects.create(person=person, event=scene.event, at=NOW, key=f"k{number}", **values)


def bell(person: Person | None) -> str:
    html = client_of(person).get("/tasks/").content.decode()
    found = re.search(r'aria-label="Notices: (\d+) new"', html)
    return found[1] if found else ""


def test_it_counts_what_is_new_to_its_reader_alone(scene: Scene) -> None:
    for number in range(3):
        tell(scene, scene.bob, number)
    assert (bell(scene.bob), bell(scene.alice), bell(None)) == ("3", "0", "")
    for number in range(3, 120):
        tell(scene, scene.bob, number)
    assert "99+" in client_of(scene.bob).get("/tasks/").content.decode()


def test_it_costs_one_question_a_page_and_none_for_a_part(scene: Scene) -> None:
    client = client_of(scene.bob)
    asked = []
    for headers in ({}, {"HX-Request": "true", "HX-Target": "board"}):
        with CaptureQueriesContext(connection) as captured:
            client.get("/events/pir/tasks/", headers=headers)
        asked.append(sum("claims_notice" in query["sql"] for query in captured))
    assert asked == [1, 0]


def test_the_page_says_what_happened_and_where(scene: Scene) -> None:
    tell(scene, scene.bob, data={"by": scene.mei.pk, "note": "<b>Welcome</b>"})
    html = client_of(scene.bob).get("/me/notices/").content.decode()
    assert "mei let you in: No.1 单测问题修复 is yours" in html
    assert f"/events/pir/tasks/{scene.tasks[0].pk}/" in html
    assert "&lt;b&gt;Welcome&lt;/b&gt;" in html


def test_one_or_all_are_marked_as_seen_without_scripts(scene: Scene) -> None:
    first, _second, _third = (tell(scene, scene.bob, number) for number in range(3))
    client = client_of(scene.bob)
    assert client.post(f"/me/notices/{first.pk}/seen")["Location"] == "/me/notices/"
    assert bell(scene.bob) == "2"
    client.post("/me/notices/seen")
    assert bell(scene.bob) == "0"
    assert "Mark all as seen" not in client.get("/me/notices/").content.decode()


def test_nobody_marks_another_ones(scene: Scene) -> None:
    notice = tell(scene, scene.bob)
    assert client_of(scene.alice).post(f"/me/notices/{notice.pk}/seen").status_code == 404
    client_of(scene.alice).post("/me/notices/seen")
    assert bell(scene.bob) == "1"


def test_every_kind_has_words_an_icon_and_an_address(scene: Scene) -> None:
    for number, kind in enumerate(notices._WORDS):
        tell(scene, scene.bob, number, kind=kind)
    lines = notices.list_notices(scene.bob)
    assert len(lines) == len(notices._WORDS)
    for line in lines:
        assert f'id="o-{line.icon}"' in SPRITE
        assert "%(" not in line.text
    for url in {line.url for line in lines}:
        assert client_of(scene.olga).get(url).status_code == 200


def test_the_rules_form_sets_quiet_and_the_branches(scene: Scene) -> None:
    client = client_of(scene.olga)
    html = client.get("/events/pir/organize/").content.decode()
    assert "Quiet: answer comments with a reaction" in html
    form = {"who_may_claim": "open", "reminder_days": 3, "grace_days": 2, "renewals": 1}
    client.post(
        "/events/pir/organize/rules", {**form, "quiet": "on", "branches": "develop, release/3.0，develop"}
    )
    rules = Event.objects.get(slug="pir").rule_set
    assert (rules.quiet, rules.branches) == (True, ("develop", "release/3.0"))
    assert 'value="develop, release/3.0"' in client.get("/events/pir/organize/").content.decode()
    answer = client.post("/events/pir/organize/rules", {**form, "branches": "a..b"}, follow=True)
    assert "This is no name of a branch: a..b" in answer.content.decode()
    client.post("/events/pir/organize/rules", {**form, "branches": ""})
    rules = Event.objects.get(slug="pir").rule_set
    assert (rules.quiet, rules.branches) == (False, ())


def made(scene: Scene, kind: str, number: int) -> Notice:
    """A notice of the kind to olga, about what such notices are about."""
    if kind == "desk":
        return tell(scene, scene.olga, number, kind=kind, task=None, data={})
    if kind in ("invited", "joined"):
        team = Team.objects.create(event=scene.event, name=f"Oars {number}", created_at=NOW)
        return tell(scene, scene.olga, number, kind=kind, task=None, data={"team": team.pk})
    return tell(scene, scene.olga, number, kind=kind)


@pytest.mark.parametrize("kind", notices.KINDS)
def test_opening_what_a_notice_leads_to_is_seeing_it(scene: Scene, kind: str) -> None:
    notice = made(scene, kind, 1)
    page = notices.list_notices(scene.olga)[0].url
    elsewhere = tell(scene, scene.olga, 2, task=scene.tasks[1])
    others = tell(scene, scene.bob, 3)
    client = client_of(scene.olga)
    client.head(page)
    client.get(page, headers={"Sec-Purpose": "prefetch"})
    notice.refresh_from_db()
    assert notice.seen_at is None
    assert 'aria-label="Notices: 1 new"' in client.get(page).content.decode()
    for each in (notice, elsewhere, others):
        each.refresh_from_db()
    assert notice.seen_at is not None
    assert (elsewhere.seen_at, others.seen_at) == (None, None)


def test_what_was_seen_is_not_written_again(scene: Scene) -> None:
    for number in range(5):
        tell(scene, scene.olga, number)
    client, page = client_of(scene.olga), f"/events/pir/tasks/{scene.tasks[0].pk}/"
    written = []
    for _visit in range(2):
        with CaptureQueriesContext(connection) as captured:
            client.get(page)
        written.append([q["sql"] for q in captured if q["sql"].startswith("UPDATE")])
    assert [len(found) for found in written] == [1, 0]


def test_a_second_account_sees_for_the_first(scene: Scene) -> None:
    other = make_person("bob-at-work", 77)
    Person.objects.filter(pk=other.pk).update(canonical=scene.bob)
    notice = tell(scene, scene.bob)
    client_of(Person.objects.get(pk=other.pk)).get(f"/events/pir/tasks/{scene.tasks[0].pk}/")
    notice.refresh_from_db()
    assert notice.seen_at is not None
