"""Rules of reading comments that the cases leave open or meet only once."""

import pytest

from claims.grammar.comments import read_comment
from claims.grammar.ids import TaskIds
from claims.grammar.model import CommentReading, IntentKind
from tests.claims.grammar.reading import (
    DOTTED,
    LETTERS,
    ODD,
    PLAIN,
    claimed,
    handed_in,
    read,
    released,
    tasks,
)


class TestHeads:
    @pytest.mark.parametrize(
        "comment",
        [
            "【报名】5",
            "[报名】：5",
            "【 报名 】 5",
            "**报名：** 5",
            "报名5",
            "報名：5",
            "/claim5",
            "【报名：5】",
            "【报名 5】",
            "@fern-9 @oak-12 【报名】 5",
            "1. 【报名】5",
            "claim 5 please",
            "claim 5, thanks a lot",
            "报名 5 @fern-9 谢谢老师",
            "报名\n\n5",
        ],
    )
    def test_it_claims(self, comment: str) -> None:
        assert claimed(comment) == ("5",)

    @pytest.mark.parametrize(
        "comment",
        [
            "报名，5",
            "报名 5 请老师登记",
            "报名 5 谢谢，还来得及吗？",
            "claim 5 please now",
            "claim 5 thanks, 2 of us",
            "claims 5",
            "/claimed 5",
            "@fern-9，【报名】5",
            "【报名：5 谢谢】",
            "[报名](https://example.org) 5",
            "其他意向 5",
            "【报名表】5",
        ],
    )
    def test_it_claims_nothing(self, comment: str) -> None:
        assert read(comment).intents == ()

    @pytest.mark.parametrize(
        "comment", ["取消【报名】：5", "放弃 【认领】5", "unclaim 5", "/release 5", "释放：5"]
    )
    def test_it_releases(self, comment: str) -> None:
        assert released(comment) == ("5",)
        assert claimed(comment) == ()


class TestIds:
    @pytest.mark.parametrize(
        ("listed", "want"),
        [
            ("题1-题3", "1 2 3"),
            ("第1题到第3题", "1 2 3"),
            ("【3】-【5】", "3 4 5"),
            ("①、②", "1 2"),
            ("007", "7"),
            ("5 6 #7", "5 6 7"),
            ("5 6 7 卡", "5"),
            ("5、18:30 前", "5"),
            ("3、5 → 6", "3"),
            ("5+6", "5"),
            ("3-5天能交", ""),
            ("3/7/2026", ""),
            ("2026-11-03", ""),
            ("5:30", ""),
            ("5 %", ""),
            ("1.5", ""),
        ],
    )
    def test_plain_numbers(self, listed: str, want: str) -> None:
        assert claimed(f"【报名】：{listed}") == tuple(want.split())

    @pytest.mark.parametrize(
        ("listed", "want"),
        [
            ("A-3-A-6", "A-3 A-4 A-5 A-6"),
            ("A-[3-5]、B-2", "A-3 A-4 A-5 B-02"),
            ("A 3 和 b4", "A-3 B-04"),
            ("a 3 point fix", ""),
            ("A-3D", ""),
            ("A-3-bit", ""),
            ("D3", ""),
        ],
    )
    def test_letter_ids(self, listed: str, want: str) -> None:
        assert claimed(f"【报名】：{listed}", LETTERS) == tuple(want.split())

    def test_ids_in_words_and_with_dashes(self) -> None:
        assert claimed("【报名】：1-1~1-3、赛题五", ODD) == ("1-1", "1-2", "1-3", "赛题五")
        assert claimed("【报名】：赛题五十", ODD) == ()

    def test_dotted_ids(self) -> None:
        assert claimed("【报名】：1.2-1.4、2.1", DOTTED) == ("1.2", "1.3", "1.4", "2.1")
        assert read("【报名】：1.9", DOTTED).unknown == ("1.9",)

    def test_an_uncountable_range_is_given_back_as_written(self) -> None:
        assert read("【报名】：1 ～ 5000").unknown == ("1~5000",)
        assert read(f"【报名】：{'9' * 5000}").unknown == ("9" * 5000,)

    def test_ids_keep_the_style_of_the_event(self) -> None:
        ids = TaskIds.of(["a1", "a2"])

        assert claimed("【报名】：A-1", ids) == ("a1",)
        assert read("【报名】：D-03", ids).unknown == ("d3",)

    def test_a_careless_compact_list_is_one_id(self) -> None:
        ids = TaskIds.from_compact(["9-1", "1-99999999", "", "1"])

        assert ids.known(ids.odd_id("9-1")) == ["9-1"]


class TestDeniedIds:
    @pytest.mark.parametrize("words", ["不做了", "都放弃了", "已经取消报名了", "dropped", "，都不要了"])
    def test_words_behind_the_list_take_it_back(self, words: str) -> None:
        assert claimed(f"【报名】：5、7 {words}") == ()

    def test_a_list_that_is_taken_back_takes_its_last_number_along(self) -> None:
        assert claimed("【报名】：5 7 不做了") == ()

    def test_an_id_behind_the_words_makes_them_mean_another(self) -> None:
        assert claimed("【报名】：5（放弃 6）") == ("5",)
        assert claimed("【报名】：5，【取消报名】：6") == ("5",)


class TestLines:
    def test_a_list_goes_on_while_lines_hold_ids_only(self) -> None:
        assert claimed("【报名】：5\n6（草稿）\n- 7\n8 谢谢\n9") == ("5", "6", "7")

    def test_an_empty_line_ends_it_unless_a_separator_stood_before(self) -> None:
        assert claimed("【报名】：5\n\n6") == ("5",)
        assert claimed("【报名】：5、\n\n6") == ("5", "6")

    def test_a_struck_head_strikes_what_it_lists(self) -> None:
        assert released("~~【报名】~~：6") == ("6",)


class TestSubmits:
    @pytest.mark.parametrize(
        ("comment", "want"),
        [
            ("【提交】46\n【PR】#5000\n好了\n#6000", ["PaddlePaddle/Paddle#5000"]),
            ("【提交】46\n依赖 #5000\n#6000", ["PaddlePaddle/Paddle#6000"]),
            ("【提交】46 参考 #4000，#5000", []),
            ("【提交】46 依赖别的，见 #5000", ["PaddlePaddle/Paddle#5000"]),
            ("【提交】46\n~~#5000~~ #6000", ["PaddlePaddle/Paddle#6000"]),
            ("【提交】46 [#50](https://github.com/a/b/pull/9)", ["a/b#9"]),
            ("【提交：46】#5000 #5000", ["PaddlePaddle/Paddle#5000"]),
            ("【提交】#46\n【报名】5\n#7000", []),
        ],
    )
    def test_its_pull_requests(self, comment: str, want: list[str]) -> None:
        assert handed_in(comment) == want
        assert tasks(read(comment), IntentKind.SUBMIT) == ("46",)


class TestTeamForm:
    def test_fields_may_stand_on_one_line(self) -> None:
        reading = read("【队名】：青柠队【序号】：3、4【状态】：报名")

        assert reading.team == "青柠队"
        assert tasks(reading, IntentKind.CLAIM) == ("3", "4")

    def test_a_struck_number_is_given_up(self) -> None:
        assert released("【队名】：青柠队\n【序号】：~~3~~ 4\n【状态】：报名") == ("3",)

    def test_a_form_without_state_gets_a_hint(self) -> None:
        assert read("【队名】：青柠队\n【序号】：3").hint

    def test_nobody_is_no_team(self) -> None:
        assert read("【队名】：无\n【序号】：3\n【状态】：报名").team is None


class TestPeople:
    @pytest.mark.parametrize(
        ("line", "want"),
        [
            ("队友：@a-b、c_d、123、@456", ("a-b", "c_d", "123", "456")),
            ("成员: [elm-2](https://github.com/elm-2)", ("elm-2",)),
            ("github id: MOSS07, elm-2", ("elm-2",)),
            ("队友：elm-2，队长 GitHub ID：fern-9", ("elm-2", "fern-9")),
            ("队员：12 人 elm-2 and none", ("elm-2",)),
            ("队友：someone@example.org", ()),
            ("队友 elm-2", ()),
            (f"队友：{'a' * 40}", ()),
        ],
    )
    def test_members(self, line: str, want: tuple[str, ...]) -> None:
        assert read(line).members == want

    @pytest.mark.parametrize(
        ("line", "want"),
        [
            ("是否接受调剂？是", True),
            ("是否接受调剂: no", False),
            ("是否接受调剂（是/否）：是", True),
            ("接受调剂：", None),
            ("是否接受调剂：是 / 否", None),
            ("接受调剂\n不接受调剂", None),
            ("~~接受调剂~~", None),
        ],
    )
    def test_flexible(self, line: str, want: bool | None) -> None:
        assert read(line).flexible is want


class TestUnread:
    @pytest.mark.parametrize(
        "comment",
        [
            "<!-- 【报名】5",
            "~~~\n【报名】5\n~~~",
            "On Monday\nfern-9 wrote:\n【报名】5",
            "fern-9 写道：\n【报名】5",
            "From: fern-9\n【报名】5",
            "``x`【报名】5``",
            "赛题【5】已删除\n【报名】6",
        ],
    )
    def test_it_reads_nothing(self, comment: str) -> None:
        assert read(comment) == CommentReading()

    def test_code_that_never_closes_is_text(self) -> None:
        assert claimed("`\n\n【报名】5`") == ("5",)

    def test_an_example_before_the_claim_is_no_claim(self) -> None:
        assert claimed("【报名】：9 `【报名】8`") == ("9",)

    def test_bots_say_nothing_even_by_editing(self) -> None:
        reading = read_comment(
            "ok",
            author="helper",
            author_type="Bot",
            repository="PaddlePaddle/Paddle",
            task_ids=PLAIN,
            edited_from="【报名】5",
        )

        assert reading == CommentReading()


class TestHints:
    @pytest.mark.parametrize(
        "comment",
        ["5\n6", "- 5\n- 6", "I'd like 5", "取消 5 吧", "任务编号 | x\n--- | ---\n5 | a", "报名\n5 不做了"],
    )
    def test_an_attempt_gets_a_hint(self, comment: str) -> None:
        assert read(comment).hint

    @pytest.mark.parametrize(
        "comment",
        [
            "99",
            "mistake 5",
            "take 5 minutes",
            "我想做 fp-16",
            "我想做 community#5",
            "我想做 https://example.org/5",
            "我想做 3-5 天",
            "认领 `5`",
            "| 编号 | x |\n| 5 | a |",
            "~~【报名】：99~~",
            "【报名】：~~99~~",
            "【取消报名】：~~5~~",
        ],
    )
    def test_talk_gets_none(self, comment: str) -> None:
        assert not read(comment).hint

    def test_ids_in_words_are_attempts_too(self) -> None:
        assert read("赛题五 我来", ODD).hint
        assert read("我来 A3", LETTERS).hint


class TestEdits:
    def test_what_is_submitted_now_is_not_released(self) -> None:
        reading = read("【提交】：4", edited_from="【报名】：3、4")

        assert tasks(reading, IntentKind.RELEASE) == ("3",)

    def test_a_release_names_each_task_once(self) -> None:
        reading = read("【取消报名】：4", edited_from="【报名】：3、4")

        assert sorted(tasks(reading, IntentKind.RELEASE)) == ["3", "4"]
