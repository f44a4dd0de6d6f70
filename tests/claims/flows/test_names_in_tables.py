"""A name that comes into a table is what a comment of that person would be: one test for each rule that says no."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from claims.desk.loading import load_rows
from claims.desk.queue import list_items
from claims.models import Claim, Decision, Notice
from claims.operations import deciding
from tasks_board import rights
from tasks_board.models import Event, EventMark, EventRole, Task
from tests.claims.flows.scene import MENTOR, NEWCOMER, NUMBER, ORGANIZER, OTHER, REPOSITORY, Scene
from tests.claims.flows.test_ways_in import WORK, claimed, nothing_gained
from tests.demo import people


def admit(scene: Scene, claim: Claim) -> None:
    deciding.decide(
        claim=claim,
        kind=Decision.Kind.ADMITTED,
        acting_user=scene.person(ORGANIZER),
        key=f"admit {claim.pk}",
        now=scene.now(),
        despite_rules=True,
    )


def rules(scene: Scene, **values: Any) -> None:
    event = scene.event
    event.rules = values
    event.save()


def marked(scene: Scene, kind: str) -> None:
    scene.comment(NEWCOMER, "hello")
    scene.settle()
    EventMark.objects.create(
        event=scene.event,
        person=scene.person(NEWCOMER),
        kind=kind,
        set_by=scene.person(ORGANIZER),
        set_at=scene.now(),
    )


def by_invitation(scene: Scene) -> None:
    rules(scene, who_may_claim="invitation")


def if_a_mentor_approves(scene: Scene) -> None:
    rules(scene, who_may_claim="mentor_approves")


def not_banned(scene: Scene) -> None:
    marked(scene, "banned")


def not_after_the_end(scene: Scene) -> None:
    Event.objects.update(closes_at=scene.now() - timedelta(days=1))


def not_in_a_closed_event(scene: Scene) -> None:
    Event.objects.update(status="closed")


def within_the_cap(scene: Scene) -> None:
    rules(scene, open_claims_per_person=1)
    claimed(scene, 5)


def into_a_free_place(scene: Scene) -> None:
    rules(scene, places_per_task=1, waiting_list=False)
    claimed(scene, 6, OTHER)


def after_what_comes_first(scene: Scene) -> None:
    scene.task(6).requires.add(scene.task(5))


REFUSED = [
    by_invitation,
    if_a_mentor_approves,
    not_banned,
    not_after_the_end,
    not_in_a_closed_event,
    within_the_cap,
    into_a_free_place,
    after_what_comes_first,
]


def with_names(row: str, *names: str) -> str:
    """The row with these people beside whoever stands there."""
    told = " ".join(f"@{name}" for name in names)
    return f"{row[:-1]} {told} |" if row.count("|") > 4 else f"{row} {told} |"


def write_in(scene: Scene, editor: str, *names: str) -> None:
    """Write people into the row of task 6; everybody is known here."""
    scene.comment(NEWCOMER, "hello")
    scene.settle()
    row = next(row for row in scene.rows() if "动转静 train step" in row)
    scene.edit_body(editor, row, with_names(row, *names))
    scene.settle()


def finish(scene: Scene, login: str, title: str = WORK) -> None:
    scene.merge(scene.open_pull_request(login, title))
    scene.settle()


@pytest.mark.parametrize("editor", [NEWCOMER, "tariq-tests"])
@pytest.mark.parametrize("arrange", REFUSED)
def test_whoever_the_rules_refuse_asks_the_mentor(
    scene: Scene, arrange: Callable[[Scene], None], editor: str
) -> None:
    scene.write_table()
    arrange(scene)
    write_in(scene, editor, NEWCOMER)
    claim = scene.claim(6, NEWCOMER)
    assert (claim.standing, claim.reason["code"], claim.shown) == ("requested", "entered", True)
    finish(scene, NEWCOMER)
    nothing_gained(scene)
    assert f"@{NEWCOMER}" in scene.body()
    assert scene.claim(6, NEWCOMER).standing == "requested"
    if arrange is into_a_free_place:
        assert scene.claim(6, OTHER).standing == "claimed"


def test_a_mentor_who_lets_them_in_has_the_last_word(scene: Scene) -> None:
    by_invitation(scene)
    write_in(scene, NEWCOMER, NEWCOMER)
    admit(scene, scene.claim(6, NEWCOMER))
    finish(scene, NEWCOMER)
    assert scene.completions() == {("6", NEWCOMER)}


@pytest.mark.parametrize("editor", [ORGANIZER, MENTOR])
def test_what_an_organizer_or_mentor_writes_of_somebody_else_is_their_word(scene: Scene, editor: str) -> None:
    by_invitation(scene)
    scene.comment(editor, "hello")
    scene.settle()
    EventRole.objects.get_or_create(
        event=scene.event,
        person=scene.person(editor),
        role="mentor",
        defaults={"granted_at": scene.now()},
    )
    write_in(scene, editor, NEWCOMER)
    assert scene.claim(6, NEWCOMER).standing == "claimed"
    finish(scene, NEWCOMER)
    assert scene.completions() == {("6", NEWCOMER)}


def test_an_organizer_comes_in_by_the_rules_of_all(scene: Scene) -> None:
    if_a_mentor_approves(scene)
    write_in(scene, ORGANIZER, ORGANIZER)
    assert scene.claim(6, ORGANIZER).standing == "requested"


@pytest.mark.parametrize("editor", [NEWCOMER, "tariq-tests"])
def test_where_a_comment_would_be_a_claim_the_name_is_one(scene: Scene, editor: str) -> None:
    rules(scene, places_per_task=1, open_claims_per_person=1)
    write_in(scene, editor, NEWCOMER)
    assert scene.claim(6, NEWCOMER).standing == "claimed"
    finish(scene, NEWCOMER)
    assert scene.completions() == {("6", NEWCOMER)}


def test_whoever_is_invited_comes_in(scene: Scene) -> None:
    by_invitation(scene)
    marked(scene, "invited")
    write_in(scene, NEWCOMER, NEWCOMER)
    assert scene.claim(6, NEWCOMER).standing == "claimed"


def test_where_all_places_are_taken_they_wait_in_line(scene: Scene) -> None:
    rules(scene, places_per_task=1)
    claimed(scene, 6, OTHER)
    write_in(scene, NEWCOMER, NEWCOMER)
    assert scene.claim(6, NEWCOMER).standing == "waiting"
    scene.comment(OTHER, "/release 6")
    scene.settle()
    assert scene.claim(6, NEWCOMER).standing == "claimed"


def test_one_edit_takes_no_more_than_there_is(scene: Scene) -> None:
    rules(scene, open_claims_per_person=1, waiting_list=False)
    Task.objects.filter(number="6").update(places=1)
    body, third = scene.body(), people.OTHERS[1].login
    for row in scene.rows():
        if "SOT 动态 shape" in row:
            body = body.replace(row, with_names(row, NEWCOMER))
        if "动转静 train step" in row:
            body = body.replace(row, with_names(row, NEWCOMER, OTHER, third))
    scene.driver.edit_issue(REPOSITORY, NUMBER, "tariq-tests", body)
    scene.settle()
    assert scene.claim(5, NEWCOMER).standing == "claimed"
    stands = {login: scene.claim(6, login).standing for login in (NEWCOMER, OTHER, third)}
    assert stands == {NEWCOMER: "requested", OTHER: "claimed", third: "requested"}


def test_what_stood_in_the_first_text_is_the_organizers_to_confirm(scene: Scene) -> None:
    by_invitation(scene)
    assert {claim.standing for claim in Claim.objects.all()} >= {"claimed"}
    assert not Claim.objects.filter(standing="requested").exists()


def test_a_name_that_a_stranger_takes_out_and_puts_back_is_no_new_one(scene: Scene) -> None:
    by_invitation(scene)
    before = {claim.pk: claim.standing for claim in Claim.objects.all()}
    row = next(row for row in scene.rows() if "@zrr1999" in row)
    scene.edit_body("tariq-tests", row, row.replace("@zrr1999", ""))
    scene.settle()
    scene.edit_body("tariq-tests", row.replace("@zrr1999", ""), row)
    scene.settle()
    assert {claim.pk: claim.standing for claim in Claim.objects.all()} == before


def test_it_is_told_and_waits_at_the_desk(scene: Scene) -> None:
    by_invitation(scene)
    write_in(scene, NEWCOMER, NEWCOMER)
    told = Notice.objects.values_list("person__login", "kind")
    assert set(told) >= {(NEWCOMER, "entered"), (ORGANIZER, "desk")}
    organizer = scene.person(ORGANIZER)
    rows = load_rows(scene.event, viewer=organizer, rights=rights.rights_in(scene.event, organizer))
    items = list_items(rows, viewer=organizer, silent_days=14, reminder_days=3, now=scene.now())
    assert ("approve", "entered", NEWCOMER) in {(item.category, item.code, item.name) for item in items}
