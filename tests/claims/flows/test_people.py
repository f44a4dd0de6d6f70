"""One person stays one person: names typed into tables, renamed accounts, second accounts."""

from claims import github_reading
from claims.models import Claim
from portal.github.connect import connect
from portal.models import Person
from tests.claims.flows.scene import MENTOR, NEWCOMER, ORGANIZER, OTHER, REPOSITORY, Scene

ROW_6 = "| 动转静 train step 整图训练 PIR 适配 | AST 动转静 + API | @SigureMo |"


def poll(scene: Scene) -> None:
    github_reading.poll_tracking_issue(tracking_issue=scene.issue, gateway=connect(), now=scene.now())


class TestNamesInTables:
    def test_a_name_typed_in_before_its_account_was_ever_seen_is_credited_when_it_works(
        self, scene: Scene
    ) -> None:
        assert not Person.objects.filter(login=OTHER).exists()
        scene.edit_body(ORGANIZER, ROW_6, f"{ROW_6} @{OTHER} |")
        scene.settle()
        poll(scene)
        number = scene.open_pull_request(OTHER, "【PIR No.6】x")
        scene.merge(number)
        scene.settle()
        (claim,) = Claim.objects.filter(task__number="6")
        assert claim.standing == "done"
        assert scene.completions() == {("6", OTHER)}

    def test_a_claim_of_somebody_the_table_names_already_is_theirs_already(self, scene: Scene) -> None:
        scene.edit_body(ORGANIZER, ROW_6, f"{ROW_6} @{OTHER} |")
        scene.settle()
        poll(scene)
        scene.comment(OTHER, "/claim 6")
        scene.settle()
        assert "yours already" in scene.answers()[0]
        assert Claim.objects.filter(task__number="6").count() == 1


class TestRenames:
    def test_a_renamed_claimant_is_still_one_claimant_for_the_table(self, scene: Scene) -> None:
        scene.write_table()
        scene.comment(NEWCOMER, "/claim 6")
        scene.settle()
        scene.driver.rename_user(NEWCOMER, "chen-2")
        number = scene.open_pull_request("chen-2", "【PIR No.6】x")
        scene.settle()
        row = next(row for row in scene.rows() if "train step" in row)
        assert row.endswith(f"| @{NEWCOMER} {REPOSITORY}#{number} |")
        scene.edit_body(ORGANIZER, "PIR 适配 | AST", "PIR 适配✅ | AST")
        scene.settle()
        (claim,) = Claim.objects.filter(task__number="6")
        assert (claim.standing, str(claim.person)) == ("done", "chen-2")

    def test_a_second_account_in_the_table_is_not_written_beside_itself(self, scene: Scene) -> None:
        first = Person.objects.create(github_id=777, login="zrr-main")
        Person.objects.filter(login="zrr1999").update(canonical=first)
        scene.write_table()
        number = scene.open_pull_request("zrr1999", "【PIR No.5】x")
        scene.settle()
        row = next(row for row in scene.rows() if "SOT 动态" in row)
        assert "zrr-main" not in row
        assert f"@zrr1999 {REPOSITORY}#{number}" in row


class TestOwnClaims:
    def test_a_team_mate_does_not_decide_whichever_account_sits_in_the_team(self, scene: Scene) -> None:
        from claims.belonging import is_own
        from tasks_board.models import Team

        scene.comment(MENTOR, "hello")
        scene.settle()
        mentor = scene.person(MENTOR)
        second = Person.objects.create(github_id=778, login="mateo-too", canonical=mentor)
        team = Team.objects.create(event=scene.event, name="Two", created_at=scene.now())
        team.members.create(person=second, invited_at=scene.now(), accepted_at=scene.now())
        claim = Claim.objects.create(
            task=scene.task(6), team=team, standing_at=scene.now(), created_at=scene.now()
        )
        assert is_own(claim, mentor)
