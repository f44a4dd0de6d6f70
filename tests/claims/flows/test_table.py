"""The table in the issue: written cell by cell once an organizer wants it; people's edits come in and are never lost."""

from claims.models import Claim, Decision, Statement
from tests.claims.flows.scene import MENTOR, NEWCOMER, NUMBER, ORGANIZER, OTHER, REPOSITORY, Scene

ROW_6 = "| 动转静 train step 整图训练 PIR 适配 | AST 动转静 + API | @SigureMo |"


class TestWriting:
    def test_nothing_is_written_before_an_organizer_wants_it(self, scene: Scene) -> None:
        before = scene.body()
        scene.comment(NEWCOMER, "/claim 6")
        scene.settle()
        assert scene.body() == before

    def test_a_claim_changes_its_row_and_nothing_else(self, scene: Scene) -> None:
        before = scene.body()
        scene.write_table()
        scene.comment(NEWCOMER, "/claim 6")
        scene.settle()
        assert scene.body() == before.replace(ROW_6, f"{ROW_6} @{NEWCOMER} |")

    def test_the_story_of_a_row(self, scene: Scene) -> None:
        scene.write_table()
        scene.comment(NEWCOMER, "/claim 6")
        number = scene.open_pull_request(NEWCOMER, "【PIR No.6】x")
        scene.settle()
        # A pull request of their own says by itself that the work is under way: no mark is needed.
        wanted = f"PIR 适配 | AST 动转静 + API | @SigureMo | @{NEWCOMER} {REPOSITORY}#{number} |"
        assert wanted in scene.body()
        scene.merge(number)
        scene.settle()
        assert "| 动转静 train step 整图训练 PIR 适配✅ |" in scene.body()
        revert = int(scene.driver.revert(REPOSITORY, number, MENTOR)["number"])
        scene.merge(revert)
        scene.settle()
        assert "PIR 适配✅" not in scene.body()

    def test_our_own_write_is_no_news(self, scene: Scene) -> None:
        scene.write_table()
        scene.comment(NEWCOMER, "/claim 6")
        scene.settle()
        assert not Statement.objects.filter(claim__person__login=NEWCOMER).exists()

    def test_an_edit_between_our_read_and_our_write_is_merged_back(self, scene: Scene) -> None:
        scene.write_table()
        scene.comment(NEWCOMER, "/claim 6")
        body = scene.body()
        edited = body.replace("SOT 动态 shape 支持", "SOT 动态 shape 支持（新）")
        scene.driver.inject_edit_between(REPOSITORY, NUMBER, ORGANIZER, edited)
        scene.settle()
        assert "SOT 动态 shape 支持（新）" in scene.body()
        assert f"@{NEWCOMER}" in scene.body()
        assert scene.task(5).title == "SOT 动态 shape 支持（新）"


class TestEditsByPeople:
    def test_an_organizers_tick_is_a_decision(self, scene: Scene) -> None:
        scene.edit_body(ORGANIZER, "dtype 动静统一🚧", "dtype 动静统一✅")
        scene.settle()
        assert scene.claim(4, "zrr1999").standing == "done"
        assert Decision.objects.get(kind="accepted").decided_by == scene.person(ORGANIZER)
        assert scene.completions() == {("4", "zrr1999")}

    def test_anybody_elses_tick_shows_and_asks_but_never_awards(self, scene: Scene) -> None:
        scene.edit_body(OTHER, "dtype 动静统一🚧", "dtype 动静统一✅")
        scene.settle()
        claim = scene.claim(4, "zrr1999")
        assert (claim.standing, claim.basis) == ("done", "statement")
        assert [doubt["code"] for doubt in claim.doubts] == ["table_says"]
        assert scene.completions() == set()

    def test_a_name_typed_in_is_a_claim_by_statement(self, scene: Scene) -> None:
        scene.edit_body(OTHER, ROW_6, f"{ROW_6} @{NEWCOMER} |")
        scene.settle()
        claim = Claim.objects.get(task__number="6")
        assert (str(claim.person), claim.basis) == (NEWCOMER, "statement")

    def test_other_rows_and_their_people_stay_as_they_were(self, scene: Scene) -> None:
        before = {c.pk: c.standing for c in Claim.objects.all()}
        scene.edit_body(OTHER, "## 背景", "## 缘起")
        scene.settle()
        assert {c.pk: c.standing for c in Claim.objects.all()} == before
        assert scene.issue.body == scene.body()

    def test_a_struck_row_is_removed_and_comes_back(self, scene: Scene) -> None:
        line = next(row for row in scene.rows() if "SOT 动态" in row)
        scene.edit_body(ORGANIZER, line + "\n", "")
        scene.settle()
        assert scene.task(5).state == "removed"
        scene.edit_body(ORGANIZER, "| dtype 动静统一", line + "\n| dtype 动静统一")
        scene.settle()
        assert scene.task(5).state == "claimed"
