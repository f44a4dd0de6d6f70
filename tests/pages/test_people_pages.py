"""What organizers settle about people: marks, roles, names, and the registration list whose contacts nobody else sees."""

import io

import openpyxl
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test.utils import CaptureQueriesContext

from claims.models import Claim
from portal.models import AuditEntry, Person
from tasks_board.models import EventMark, EventRole, Registration, TaskHelper, Team, TeamMember
from tests.github_stand_in.driver import Driver
from tests.pages.scenes import NOW, Scene, client_of, make_person

PEOPLE = "/events/pir/organize/people/"
NAMES = "/events/pir/organize/names/"
LIST = "/events/pir/organize/registrations/"
SECRET = "13800138000"
CSV = f"队名,GitHub ID,队员,联系方式\n青柠队,alice,@bob nobody,{SECRET}\n,mei,,mei@example.org\n,MEI,,\n,not a login!,,\n"


def post(scene: Scene, path: str, form: dict[str, object]) -> str:
    response = client_of(scene.olga).post(path, form, follow=True)
    assert response.status_code in (200, 409)
    return response.content.decode()


class TestMarks:
    def test_many_are_marked_at_once_and_lifted_one_by_one(self, driver: Driver, scene: Scene) -> None:
        page = post(
            scene,
            f"{PEOPLE}marks",
            {"logins": "@alice, BOB\nhttps://github.com/mei nobody", "kind": "banned", "note": "spam"},
        )
        assert "Done for 3 people" in page
        assert "GitHub knows no account “nobody”." in page
        assert set(EventMark.objects.values_list("person__login", "note")) == {
            ("alice", "spam"),
            ("bob", "spam"),
            ("mei", "spam"),
        }
        mark = EventMark.objects.get(person=scene.bob)
        refused = client_of(scene.bob).post(f"/events/pir/tasks/{scene.tasks[0].pk}/claim", follow=True)
        assert not Claim.objects.filter(task=scene.tasks[0]).exists()
        assert "spam" not in refused.content.decode()
        post(scene, f"{PEOPLE}marks/{mark.pk}/lift", {})
        client_of(scene.bob).post(f"/events/pir/tasks/{scene.tasks[0].pk}/claim")
        assert Claim.objects.filter(task=scene.tasks[0], person=scene.bob).exists()

    def test_none_is_left_out_unsaid(self, scene: Scene) -> None:
        logins = " ".join(["bob", *(f"racer-{number}" for number in range(500))])
        page = post(scene, f"{PEOPLE}marks", {"logins": logins, "kind": "banned"})
        assert "Name at most 500 at once." in page
        assert not EventMark.objects.exists()

    def test_who_waits_in_line_moves_up_when_a_ban_is_lifted(self, scene: Scene) -> None:
        scene.event.rules = {"places_per_task": 1}
        scene.event.save()
        where = f"/events/pir/tasks/{scene.tasks[0].pk}"
        client_of(scene.alice).post(f"{where}/claim")
        client_of(scene.bob).post(f"{where}/claim")
        post(scene, f"{PEOPLE}marks", {"logins": "bob", "kind": "banned"})
        client_of(scene.alice).post(f"{where}/release")
        held = Claim.objects.get(task=scene.tasks[0], person=scene.bob)
        assert held.standing == "waiting"
        post(scene, f"{PEOPLE}marks/{EventMark.objects.get().pk}/lift", {})
        held.refresh_from_db()
        assert held.standing == "claimed"

    def test_nobody_marks_themselves(self, scene: Scene) -> None:
        page = post(scene, f"{PEOPLE}marks", {"logins": "olga", "kind": "invited"})
        assert "Nobody marks themselves." in page
        assert not EventMark.objects.exists()


class TestRoles:
    def test_granted_and_taken_back_with_a_trace(self, scene: Scene) -> None:
        post(scene, f"{PEOPLE}roles", {"logins": "bob", "role": "judge"})
        granted = EventRole.objects.get(person=scene.bob)
        assert granted.role == "judge"
        page = post(scene, f"{PEOPLE}roles/{granted.pk}/revoke", {})
        assert "bob has this role no longer." in page
        assert "taken back" in page
        actions = set(AuditEntry.objects.values_list("action", "actor__login"))
        assert {("tasks_board.role_granted", "olga"), ("tasks_board.role_revoked", "olga")} <= actions

    def test_single_tasks(self, scene: Scene) -> None:
        page = post(scene, f"{PEOPLE}roles", {"logins": "bob", "role": "mentor", "tasks": "1, 99"})
        assert "There is no task No.99" in page
        post(scene, f"{PEOPLE}roles", {"logins": "bob", "role": "mentor", "tasks": "1 3"})
        assert TaskHelper.objects.filter(person=scene.bob, granted_at__isnull=False).count() == 2
        page = post(scene, f"{PEOPLE}roles", {"logins": "bob", "role": "judge", "tasks": "1"})
        assert "Only mentors and assistants" in page
        post(scene, f"{PEOPLE}roles/tasks/revoke", {"person": scene.bob.pk, "role": "mentor"})
        assert not TaskHelper.objects.filter(person=scene.bob).exists()
        post(scene, f"{PEOPLE}roles/tasks/revoke", {"person": scene.mei.pk, "role": "mentor"})
        kept = TaskHelper.objects.get(person=scene.mei)  # the table names her
        assert kept.granted_at is None

    def test_an_event_keeps_one_organizer(self, scene: Scene) -> None:
        own = EventRole.objects.get(person=scene.olga)
        assert "keeps at least one organizer" in post(scene, f"{PEOPLE}roles/{own.pk}/revoke", {})
        post(scene, f"{PEOPLE}roles", {"logins": "bob", "role": "organizer"})
        client_of(scene.olga).post(f"{PEOPLE}roles/{own.pk}/revoke")
        assert not EventRole.objects.filter(person=scene.olga).exists()

    def test_a_name_holds_no_right(self, scene: Scene) -> None:
        Person.objects.create(login="老王")
        page = post(scene, f"{PEOPLE}roles", {"logins": "老王", "role": "organizer"})
        assert "is only a name from a table" in page


class TestNames:
    def test_the_page_links_teams_and_people(self, scene: Scene) -> None:
        old, other = (
            Team.objects.create(event=scene.event, name=name, created_at=NOW)
            for name in ("Old Boat", "Oid Boat")
        )
        bare = Person.objects.create(login="老王")
        for task, claimant in ((scene.tasks[0], {"team": old}), (scene.tasks[3], {"person": bare})):
            Claim.objects.create(task=task, standing_at=NOW, created_at=NOW, **claimant)
        page = client_of(scene.olga).get(NAMES).content.decode()
        assert "Old Boat" in page
        assert "老王" in page
        post(scene, f"{NAMES}teams/{old.pk}", {"logins": "alice bob"})
        assert [seat.person.login for seat in old.members.seated().order_by("pk")] == ["alice", "bob"]
        post(scene, f"{NAMES}teams/{other.pk}", {"team": old.pk})
        other.refresh_from_db()
        assert other.canonical == old
        assert "Nobody links a name to themselves" in post(
            scene, f"{NAMES}people/{bare.pk}", {"login": "olga"}
        )
        post(scene, f"{NAMES}people/{bare.pk}", {"login": "mei"})
        assert Claim.objects.filter(task=scene.tasks[3], person=scene.mei).exists()
        page = client_of(scene.olga).get(NAMES).content.decode()
        assert "Every name in the tables is linked" in page


def preview(scene: Scene, text: str = CSV, **form: object) -> str:
    """The page that shows what would happen; and the list as it carries it."""
    file = SimpleUploadedFile("list.csv", text.encode())
    return post(scene, f"{LIST}preview", {"file": file, **form})


def sealed(page: str) -> str:
    return page.split('name="list" value="')[1].split('"')[0]


def take_in(scene: Scene, text: str = CSV, **form: object) -> str:
    return post(scene, f"{LIST}confirm", {"list": sealed(preview(scene, text)), **form})


class TestRegistrations:
    def test_it_is_looked_at_first(self, scene: Scene) -> None:
        page = preview(scene)
        assert not Registration.objects.exists()
        assert "The same as line 3." in page
        assert "This is no GitHub login." in page
        assert "new team" in page
        assert SECRET not in page

    def test_confirmed_it_invites_and_makes_teams(self, scene: Scene) -> None:
        page = take_in(scene, invitations="1", teams="1")
        assert "3 lines have an account; 3 people invited to the event, 1 teams made" in page
        assert set(Registration.objects.values_list("key", flat=True)) == {"alice", "bob", "nobody", "mei"}
        team = Team.objects.get()
        assert (team.name, team.captain) == ("青柠队", None)
        assert set(team.members.values_list("person__login", "accepted_at")) == {
            ("alice", None),
            ("bob", None),
        }
        client_of(scene.bob).post(f"/events/pir/teams/{team.pk}/answer", {"answer": "accept"})
        team.refresh_from_db()
        assert team.captain == scene.bob

    def test_again_it_brings_up_to_date_and_withdraws(self, scene: Scene) -> None:
        take_in(scene, teams="1")
        team = Team.objects.get()
        client_of(scene.bob).post(f"/events/pir/teams/{team.pk}/answer", {"answer": "decline"})
        make_person("Nobody", 77)
        page = preview(scene, f"login,team,phone\nNOBODY,青柠队,{SECRET}\nbob,青柠队,1\n")
        assert "Not in this list any more" in page
        post(scene, f"{LIST}confirm", {"list": sealed(page), "teams": "1"})
        gone = Registration.objects.exclude(withdrawn_at=None).values_list("key", flat=True)
        assert set(gone) == {"alice", "mei"}
        assert Registration.objects.get(key="bob").contact == "1"
        seats = TeamMember.objects.filter(team=team, left_at=None).values_list("person__login", flat=True)
        assert set(seats) == {"alice", "Nobody"}  # who declined is not asked again
        take_in(scene)
        assert not Registration.objects.exclude(withdrawn_at=None).exists()

    def test_who_signs_in_later_is_found_later(self, scene: Scene) -> None:
        take_in(scene)
        make_person("nobody", 77)
        post(scene, f"{LIST}settle", {"invitations": "1"})
        assert EventMark.objects.filter(person__login="nobody", kind="invited").exists()

    def test_what_changed_since_is_looked_at_again(self, scene: Scene) -> None:
        page = preview(scene)
        make_person("nobody", 77)
        again = post(scene, f"{LIST}confirm", {"list": sealed(page)})
        assert "Something has changed since you looked." in again
        assert not Registration.objects.exists()
        post(scene, f"{LIST}confirm", {"list": sealed(again)})
        assert Registration.objects.count() == 4

    def test_a_preview_counts_for_who_made_it_in_its_event(self, scene: Scene) -> None:
        list_of_olga = sealed(preview(scene))
        EventRole.objects.create(event=scene.event, person=scene.bob, role="organizer", granted_at=NOW)
        answer = client_of(scene.bob).post(f"{LIST}confirm", {"list": list_of_olga}, follow=True)
        assert "This preview is too old." in answer.content.decode()
        assert not Registration.objects.exists()

    def test_a_name_of_the_tables_is_linked_first(self, scene: Scene) -> None:
        name = Team.objects.create(event=scene.event, name="青柠队", created_at=NOW)
        page = take_in(scene, teams="1")
        assert "These names stand in the tables; link them first: 青柠队" in page
        assert not name.members.exists()

    def test_xlsx(self, scene: Scene) -> None:
        book = openpyxl.Workbook()
        for cells in (["GitHub", "姓名", "邮箱"], ["alice", "爱丽丝", "a@example.org"]):
            book.active.append(cells)  # type: ignore[union-attr]
        file = io.BytesIO()
        book.save(file)
        upload = SimpleUploadedFile("list.xlsx", file.getvalue())
        page = post(scene, f"{LIST}preview", {"file": upload})
        post(scene, f"{LIST}confirm", {"list": sealed(page)})
        row = Registration.objects.get()
        assert (row.name, row.person, row.contact) == ("爱丽丝", scene.alice, "a@example.org")

    @pytest.mark.parametrize("form", [{}, {"text": "nothing,known\n1,2"}, {"text": "login\n"}])
    def test_what_is_no_list_is_refused_in_words(self, scene: Scene, form: dict[str, object]) -> None:
        page = post(scene, f"{LIST}preview", form)
        assert 'role="alert"' in page

    def test_contacts_are_shown_to_organizers_who_ask_and_that_is_noted(self, scene: Scene) -> None:
        take_in(scene)
        assert SECRET not in client_of(scene.olga).get(LIST).content.decode()
        response = client_of(scene.olga).post(f"{LIST}contacts")
        assert SECRET in response.content.decode()
        assert "no-store" in response["Cache-Control"]
        assert AuditEntry.objects.get(action="tasks_board.contacts_seen").actor == scene.olga

    def test_contacts_leak_nowhere(self, scene: Scene, caplog: pytest.LogCaptureFixture) -> None:
        take_in(scene, invitations="1", teams="1")
        pages = [
            "/",
            "/events/pir/",
            "/events/pir/teams/",
            "/events/pir/tasks/",
            f"/events/pir/tasks/{scene.tasks[1].pk}/",
            "/events/pir/leaderboard/",
            "/events/pir/leaderboard.csv",
            "/events/pir/desk/",
            "/events/pir/organize/",
            PEOPLE,
            NAMES,
            LIST,
            "/people/alice/",
            "/tasks/?q=alice",
            "/api/v1/events/",
            "/api/v1/events/pir/",
            "/api/v1/events/pir/tasks/",
            "/api/v1/events/pir/leaderboard/",
            "/api/v1/people/",
            "/api/v1/people/alice/",
            "/api/v1/people/alice/claims/",
        ]
        for reader in (scene.olga, scene.alice, None):
            for page in pages:
                text = client_of(reader).get(page, follow=True).getvalue().decode()
                assert SECRET not in text, page
                assert "mei@example.org" not in text, page
        assert SECRET not in caplog.text
        assert not [entry for entry in AuditEntry.objects.all() if SECRET in str(entry.data)]


def test_it_asks_as_often_for_many_as_for_few(scene: Scene) -> None:
    def queries(path: str) -> int:
        client = client_of(scene.olga)
        with CaptureQueriesContext(connection) as captured:
            assert client.get(path).status_code == 200
        return len(captured)

    def more(start: int, count: int) -> None:
        for n in range(start, start + count):
            someone = make_person(f"some-{n}", 600 + n)
            EventRole.objects.create(
                event=scene.event, person=someone, role="judge", granted_by=scene.olga, granted_at=NOW
            )
            EventMark.objects.create(
                event=scene.event, person=someone, kind="unpaid", set_by=scene.olga, set_at=NOW
            )
            TaskHelper.objects.create(task=scene.tasks[0], person=someone, role="mentor", granted_at=NOW)
            AuditEntry.objects.create(
                action="tasks_board.role_granted",
                actor=scene.olga,
                event_id=scene.event.pk,
                target_type="x",
                target_id=1,
                data={"person": someone.pk, "role": "judge"},
                at=NOW,
            )
            bare = Person.objects.create(login=f"bare-{n}")
            name = Team.objects.create(event=scene.event, name=f"Boat {n}", created_at=NOW)
            for claimant in ({"team": name}, {"person": bare}):
                Claim.objects.create(task=scene.tasks[0], standing_at=NOW, created_at=NOW, **claimant)
            Registration.objects.create(
                event=scene.event, name=f"{n}", key=f"{n}", person=someone, imported_at=NOW
            )

    more(0, 2)
    few = [queries(page) for page in (PEOPLE, NAMES, LIST)]
    more(2, 20)
    assert [queries(page) for page in (PEOPLE, NAMES, LIST)] == few
