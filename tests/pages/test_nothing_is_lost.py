"""What somebody typed and we could not take stands in the form again, with what is wrong with it beside its field."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import pytest
from django.db.transaction import Atomic
from django.test import Client

from claims.models import CoAuthor, PullRequest
from claims.operations import standings
from portal.common import clock
from portal.locks import LockBusy
from tasks_board.models import Phase, Team
from tests.github_stand_in.driver import Driver
from tests.pages import forms, scenes
from tests.pages.forms import Field, Form, Read
from tests.pages.scenes import NOW, Scene, client_of
from tests.permissions.world import make_world


@pytest.fixture(autouse=True)
def github(driver: Driver) -> None:
    """Whom nobody has met is looked for at the stand-in, which knows nobody."""


@pytest.fixture
def organizer(scene: Scene) -> Client:
    return client_of(scene.olga)


def refused(
    client: Client, address: str, form: Mapping[str, object], stood_on: str = ""
) -> tuple[Read, Form]:
    """The page that comes for a form that is refused, and the form on it."""
    where = f"/events/pir/{address}"
    headers = {"Referer": f"http://testserver/events/pir/{stood_on}"} if stood_on else {}
    response = client.post(where, form, headers=headers)
    assert response.status_code == 409
    page = forms.read(response.content.decode())
    return page, page.form(where)


def test_rules(scene: Scene, organizer: Client) -> None:
    rules = {"who_may_claim": "open", "reminder_days": "3", "grace_days": "2", "renewals": "1"}
    form = {**rules, "branches": "develop, release/*", "places_per_task": "many"}
    page, again = refused(organizer, "organize/rules", form)
    assert again.named("branches").value == "develop, release/*"
    assert again.named("places_per_task").value == "many"
    assert page.complaint(again) == ("places_per_task", "Enter a whole number.")
    scene.event.refresh_from_db()
    assert scene.event.rules == {}


def test_the_event(scene: Scene, organizer: Client) -> None:
    form = {
        "name": "第三期",
        "time_zone": "UTC",
        "language": "en",
        "accent": "kelp",
        "opens_at": "2026-05-02T10:00",
        "closes_at": "2026-05-01T10:00",
    }
    page, again = refused(organizer, "organize/event/change", dict(form))
    assert {name: again.named(name).value for name in form} == form
    assert page.complaint(again) == ("closes_at", "An event has to close after it opens.")


def test_phases(scene: Scene, organizer: Client) -> None:
    page, again = refused(
        organizer, "organize/event/phases", {"name": "评审", "starts_at": "some day", "claims_open": "on"}
    )
    assert again.named("name").value == "评审"
    assert again.named("claims_open").is_on
    assert page.complaint(again) == ("starts_at", "Enter a valid date/time.")
    phase = Phase.objects.create(event=scene.event, name="报名", position=0)
    page, again = refused(
        organizer, f"organize/event/phases/{phase.pk}", {"name": "报名与选题", "ends_at": "soon"}
    )
    assert again.named("name").value == "报名与选题"
    page, again = refused(organizer, "organize/event/phases", {"name": "报名"})
    assert page.complaint(again) == ("name", "There is a phase of that name already.")


def test_the_next_event(scene: Scene, organizer: Client) -> None:
    scenes.make_event("second")
    for slug in ("second", "No Address"):
        page, again = refused(organizer, "organize/event/clone", {"name": "第二期", "slug": slug})
        assert again.named("name").value == "第二期"
        assert page.complaint(again)[0] == "slug"


def test_roles_and_marks(scene: Scene, organizer: Client) -> None:
    form: dict[str, object] = {"logins": "alice bob", "role": "mentor", "tasks": "404"}
    page, again = refused(organizer, "organize/people/roles", form)
    assert again.named("logins").value == "alice bob"
    assert page.complaint(again) == ("tasks", "There is no task No.404 in this event.")
    form = {"logins": "alice", "kind": "no such mark", "note": "why"}
    page, again = refused(organizer, "organize/people/marks", form)
    assert again.named("note").value == "why"
    assert page.complaint(again)[0] == "kind"


def test_who_is_left_stays_in_the_form(scene: Scene, organizer: Client) -> None:
    form: dict[str, object] = {
        "logins": "bob nobody-here olga nobody-there",
        "kind": "invited",
        "note": "why",
    }
    page, again = refused(organizer, "organize/people/marks", form)
    assert again.named("logins").value.split() == ["nobody-here", "olga", "nobody-there"]
    assert again.named("note").value == "why"
    name, said = page.complaint(again)
    assert name == "logins"
    assert "nobody-there" in said


def test_a_team_s_name_and_whom_it_invites(scene: Scene) -> None:
    scenes.make_people(scene)
    name = scene.event.teams.order_by("pk").first()
    assert name is not None
    page, again = refused(client_of(scene.alice), "teams/new", {"name": name.name})
    assert again.named("name").value == name.name
    assert page.complaint(again)[0] == "name"
    team = Team.objects.get(captain=scene.olga)
    page, again = refused(client_of(scene.olga), f"teams/{team.pk}/invite", {"login": "nobody-here"})
    assert again.named("login").value == "nobody-here"
    assert page.complaint(again)[0] == "login"


@pytest.fixture
def merged(scene: Scene) -> PullRequest:
    """Bob's pull request for the first task is merged, and alice is named beside him."""
    scenes.make_claim(scene.tasks[0], scene.bob, "claimed")
    made = scenes.make_pull_request(scene.tasks[0], scene.bob, 50, "merged")
    CoAuthor.objects.create(pull_request=made, person=scene.alice, proposed_at=NOW)
    standings.recompute_task(task=scene.tasks[0], now=NOW)
    return made


class TestMentors:
    @pytest.mark.parametrize(
        ("share", "said"),
        [("120", "from 0 to 100"), ("half", "from 0 to 100"), ("33.333", "from 0 to 100")],
    )
    def test_a_share_that_is_none(
        self, scene: Scene, organizer: Client, merged: PullRequest, share: str, said: str
    ) -> None:
        field = f"share-{scene.alice.pk}"
        address = f"tasks/{scene.tasks[0].pk}/pull-requests/{merged.pk}/credit"
        page, again = refused(organizer, address, {field: share, "whole_to": ""})
        assert again.named(field).value == share
        name, complaint = page.complaint(again)
        assert name == field
        assert said in complaint
        assert CoAuthor.objects.get().is_credited is None

    def test_what_they_write_on_a_task(self, scene: Scene, organizer: Client, merged: PullRequest) -> None:
        task = f"tasks/{scene.tasks[0].pk}"
        for address, form, field in (
            ("pull-requests", {"address": "not one"}, "address"),
            ("chain", {"chain": "a → b"}, "chain"),
        ):
            page, again = refused(organizer, f"{task}/{address}", dict(form))
            assert again.named(field).value == form[field]
            assert page.complaint(again)[0] == field

    def test_the_reason_of_a_decision(self, scene: Scene, organizer: Client) -> None:
        own = scenes.make_claim(scene.tasks[0], scene.olga, "requested")
        other = scenes.make_claim(scene.tasks[0], scene.bob, "requested", due_at=clock.now())
        stay = f"/events/pir/desk/?item=claim-{other.pk}"
        page, again = refused(
            organizer, f"desk/claims/{other.pk}/extension", {"days": "900", "until": "", "stay": stay}
        )
        assert again.named("days").value == "900"
        assert page.complaint(again)[0] == "days"
        form: dict[str, object] = {"kind": "declined", "chosen": [f"claim-{own.pk}"], "note": "看过了"}
        page, again = refused(organizer, "desk/claims/", form, stood_on="desk/")
        assert again.named("note").value == "看过了"
        assert again.named("kind").value == "declined"

    def test_several_without_a_decision_about_them(self, scene: Scene, organizer: Client) -> None:
        claims = [scenes.make_claim(scene.tasks[place], scene.bob, "requested") for place in (0, 1)]
        form: dict[str, object] = {
            "chosen": [f"claim-{claims[1].pk}"],
            "note": "看过了",
            "kind": "",
            "days": "9",
        }
        page, again = refused(organizer, "desk/claims/", form, stood_on="desk/")
        assert {name: again.sent()[name] for name in form} == {
            **form,
            "note": ["看过了"],
            "kind": [""],
            "days": ["9"],
        }
        assert page.complaint(again)[0] == "kind"

    def test_the_desk_alone_comes_back_to_htmx(self, scene: Scene, organizer: Client) -> None:
        claim = scenes.make_claim(scene.tasks[0], scene.bob, "requested", due_at=clock.now())
        response = organizer.post(
            f"/events/pir/desk/claims/{claim.pk}/extension",
            {"days": "900", "stay": f"/events/pir/desk/?item=claim-{claim.pk}"},
            headers={"HX-Request": "true", "HX-Target": "desk"},
        )
        assert (response.status_code, response["X-Regatta-Partial"]) == (409, "desk")
        html = response.content.decode()
        assert html.lstrip().startswith('<div id="desk"')
        assert 'hx-swap-oob="true"' in html
        assert (
            forms.read(html).form(f"/events/pir/desk/claims/{claim.pk}/extension").named("days").value
            == "900"
        )


class TestOrganizers:
    def test_a_list_that_is_none(self, scene: Scene, organizer: Client) -> None:
        text = "no headers here"
        page, again = refused(organizer, "organize/registrations/preview", {"text": text, "teams": "1"})
        assert again.named("text").value == text
        assert again.named("teams").is_on
        assert not again.named("invitations").is_on
        assert page.complaint(again)[0] == "text"

    def test_names(self, scene: Scene, organizer: Client) -> None:
        scenes.make_people(scene)
        team = scene.event.teams.filter(captain=None).first()
        assert team is not None
        page, again = refused(organizer, f"organize/names/teams/{team.pk}", {"logins": "bob nobody-here"})
        again = [form for form in page.forms if form.action == again.action][-1]
        assert again.named("logins").value == "bob nobody-here"
        assert page.complaint(again)[0] == "logins"

    def test_an_issue(self, scene: Scene, organizer: Client) -> None:
        for response in (
            organizer.post("/events/pir/organize/issues/add", {"issue": "not an address"}),
            organizer.get("/events/pir/organize/issues/", {"issue": "not an address"}),
        ):
            page = forms.read(response.content.decode())
            again = page.form("/events/pir/organize/issues/")
            assert again.named("issue").value == "not an address"
            assert page.complaint(again)[0] == "issue"

    def test_many_tasks(self, scene: Scene, organizer: Client) -> None:
        tasks = [str(task.pk) for task in scene.tasks[:2]]
        form: dict[str, object] = {"field": "places", "value": "3", "action": "change", "strict": "1"}
        page, again = refused(organizer, "organize/tasks/change", form)
        assert (again.named("field").value, again.named("value").value) == ("places", "3")
        assert again.named("strict").is_on
        assert page.complaint(again)[0] == "field"
        page, again = refused(organizer, "organize/tasks/change", {**form, "value": "many", "task": tasks})
        assert again.sent()["task"] == tasks
        assert (again.named("field").value, again.named("value").value) == ("places", "many")
        assert page.complaint(again)[0] == "value"
        done = organizer.post(again.action, {**again.sent(), "value": "3", "action": "change"})
        assert done.status_code == 302
        scene.tasks[0].refresh_from_db()
        assert scene.tasks[0].places == 3

    def test_new_tasks(self, scene: Scene, organizer: Client) -> None:
        lines = "标题\t名额\n丙\tmany"
        response = organizer.post("/events/pir/organize/tasks/add", {"lines": lines})
        page = forms.read(response.content.decode())
        again = page.forms[-1]
        assert again.named("lines").value == lines
        assert not again.named("strict").is_on
        assert page.complaint(again)[0] == "lines"

    def test_a_new_event(self, scene: Scene, organizer: Client) -> None:
        response = organizer.post("/events/new/", {"issue": "not an address", "repository": "a/b"})
        page = forms.read(response.content.decode())
        again = page.form("/events/new/")
        assert (again.named("issue").value, again.named("repository").value) == ("not an address", "a/b")
        assert page.complaint(again)[0] == "issue"


# ---------------------------------------------------------------- every form that there is, refused by a busy row


@contextmanager
def everything_busy(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Somebody else holds whatever one would lock."""

    def enter(_self: Atomic) -> None:
        raise LockBusy

    with monkeypatch.context() as patch:
        patch.setattr(Atomic, "__enter__", enter)
        yield


def filled(field: Field) -> str:
    """Something that its reader might fill in, other than what stands there."""
    by_kind = {
        "number": "4",
        "date": "2026-05-01",
        "datetime-local": "2026-05-01T10:00",
        "checkbox": field.value,
    }
    if field.kind == "select":
        return field.options[-1]
    return by_kind.get(field.kind, f"kept {field.name}")


PAGES = (
    "/events/new/",
    "/events/{slug}/tasks/{task}/",
    "/events/{slug}/desk/",
    "/events/{slug}/teams/",
    "/events/{slug}/organize/",
    "/events/{slug}/organize/event/",
    "/events/{slug}/organize/issues/",
    "/events/{slug}/organize/names/",
    "/events/{slug}/organize/people/",
    "/events/{slug}/organize/registrations/",
    "/events/{slug}/organize/tasks/",
    "/events/{slug}/organize/tasks/add",
    "/events/{slug}/organize/tasks/{task}/",
    "/events/{slug}/organize/writing/",
)


@pytest.mark.parametrize("address", PAGES)
def test_no_form_of_a_page_loses_what_was_typed(
    db: None, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = make_world("running")
    here, [client] = world.here, world.clients_of("organizer")
    page = address.format(slug=here.event.slug, task=here.task.pk)
    shown = forms.read(client.get(page).content.decode())
    for form in shown.forms:
        typed = [field for field in form.fields if field.is_typed]
        if form.method != "post" or not typed:
            continue
        for field in typed:
            field.value, field.is_on = filled(field), True
        with everything_busy(monkeypatch):
            response = client.post(
                form.action, form.pressed(), headers={"Referer": f"http://testserver{page}"}
            )
        assert response.status_code == 409, form.action
        found = forms.read(response.content.decode())
        names = {field.name for field in typed}
        again = [each for each in found.forms if each.action == form.action and names <= set(each.sent())]
        kept = {name: values for name, values in form.sent().items() if name in names}
        assert kept in [{name: each.sent()[name] for name in names} for each in again], form.action
