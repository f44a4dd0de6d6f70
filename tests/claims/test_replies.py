"""The one answer to a comment: what was understood, what was not and why; inert whatever a stranger wrote."""

import re
from collections.abc import Sequence
from dataclasses import replace

import pytest
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from claims import replies
from claims.echoes import ECHO_LIMIT, echo
from claims.grammar.ids import TaskIds
from claims.grammar.model import Attempt
from claims.policy import Ruling, Verdict
from claims.replies import Circumstance, Line, Part
from claims.since import AS_SAID, Since
from tests.claims.grammar.reading import read

ABOUT = Circumstance(
    author="moss07",
    board_url="https://regatta.example/events/pir/tasks/",
    title_prefix="PIR No.",
    example="4",
)


OUTCOMES = [
    *[
        "claimed",
        "already",
        "requested",
        "waiting",
        "released",
        "finished",
        "nothing",
        "unknown",
        "ambiguous",
    ],
    *["alternative", "looked_for", "linked", "not_found", "unlinked", "refused", "closed_unmerged"],
]


ENDS = ["partly_done", "deferred", "blocked", "declined", "taken_back", "released", "expired", "superseded"]


def compose(
    *, comment: str, lines: Sequence[Line], about: Circumstance, attempt: Attempt | None = None
) -> str:
    """The answer where one event has something to say."""
    return replies.compose(comment=comment, parts=[Part(about, lines, attempt)])


def refused() -> Ruling:
    return Ruling((Verdict("task_is_claimable", False, {"state": "done"}),), needs_mentor=False)


def test_it_answers_in_the_language_of_the_comment() -> None:
    lines = [Line("3", "claimed")]
    assert "is yours: claimed" in compose(comment="/claim 3", lines=lines, about=ABOUT)
    assert "is yours: claimed" not in compose(comment="【报名】：3", lines=lines, about=ABOUT)


def test_each_number_has_its_own_line_and_reason() -> None:
    lines = [Line("3", "claimed"), Line("5", "refused", refused()), Line("99", "unknown")]
    answer = compose(comment="/claim 3, 5, 99", lines=lines, about=ABOUT)
    assert "- `3` is yours: claimed." in answer
    assert "- `5` is not claimed." in answer
    assert "Done" in answer
    assert "- `99` is not a task of this event." in answer
    assert "`【PIR No.3】…`" in answer


@pytest.mark.parametrize(
    ("comment", "why"),
    [
        ("【报名】：四", "No number of a task could be read"),
        ("/claim", "No number of a task could be read"),
        ("【提交】#58244", "No number of a task could be read behind `【提交】`"),
        ("claim 4 for me", "More words stand beside the number"),
        ("I want 4", "More words stand beside the number"),
        ("claim\n4 please", "More words stand beside the number"),
        ("【序号】4【状态】报名/提交", "one state behind `【状态】`"),
        ("4", "Numbers alone"),
        ("| 编号 | x |\n|---|---|\n| 4 | a |", "A table in a comment"),
    ],
)
def test_the_hint_says_why_and_shows_a_form_that_works(comment: str, why: str) -> None:
    with translation.override("en"):
        attempt = read(comment, TaskIds.of(["4"])).attempt
        assert attempt
        answer = compose(comment="x", lines=[], about=ABOUT, attempt=attempt)
    assert why in answer


@pytest.mark.parametrize("number", ["4", "A-3", "1.4", "1-1", "赛题五", "API-3", "T1", "前端 3"])
@pytest.mark.parametrize("comment", ["I want {}", "我想做 {}", "【提交】", "【序号】【状态】"])
def test_every_form_that_an_answer_shows_reads_right(comment: str, number: str) -> None:
    ids = TaskIds.of([number])
    attempt = read(comment.format(number), ids).attempt or Attempt.WORDS
    about = replace(ABOUT, example=number)
    answer = compose(comment=comment, lines=[], about=about, attempt=attempt)
    forms = [form for form in re.findall(r"`([^`]+)`", answer) if number in form]
    assert forms
    for form in forms:
        assert [intent.tasks for intent in read(form, ids).intents] == [(number,)]


@pytest.mark.parametrize(
    "comment", ["/claim", "【报名】", "【提交】", "【序号】【状态】", "3", "报名 3 可以吗", "claim 3 x"]
)
@pytest.mark.parametrize("code", ["", *OUTCOMES])
def test_no_bot_claims_from_our_words(comment: str, code: str) -> None:
    ids = TaskIds.from_compact(["1-9"])
    lines = [Line("3", code, refused())] if code else []
    answer = compose(
        comment=comment, lines=lines, about=replace(ABOUT, example="3"), attempt=read(comment, ids).attempt
    )
    assert read(answer, ids).intents == ()
    assert read(answer, ids).unknown == ()
    assert "【" not in re.sub(r"`[^`]*`", "", answer)


@pytest.mark.parametrize("code", OUTCOMES)
def test_every_outcome_has_its_words(code: str) -> None:
    assert "`7`" in compose(comment="x", lines=[Line("7", code, refused())], about=ABOUT)


@given(st.text(max_size=300))
def test_an_echo_is_one_short_inert_code_span(text: str) -> None:
    echoed = echo(text)
    assert re.fullmatch(r"`[^`\n\r]+`", echoed)
    assert len(echoed) <= ECHO_LIMIT + 2


@given(st.text(max_size=60))
def test_the_only_live_mention_is_the_authors(number: str) -> None:
    answer = compose(comment="x", lines=[Line(number, "unknown")], about=ABOUT)
    live = re.sub(r"`[^`]*`", "", answer)
    assert re.findall(r"@\S+", live) == ["@moss07,"]
    assert not re.search(r"#\d", live)


def test_what_two_events_say_stands_under_their_names() -> None:
    parts = [
        Part(ABOUT, [Line("3", "waiting")], since=[Since("3", "yours")], event="First"),
        Part(ABOUT, [Line("5", "requested")], since=[Since("5", "declined", note="no\n#3")], event="Second"),
    ]
    said, _mark, news = replies.compose(comment="x", parts=parts).partition(replies.NEWS)
    assert said.count("@moss07") == 1
    assert re.sub(r"\s+", " ", news).strip() == (
        "In `First`: - `3` is yours now. In `Second`: - `5` was declined by a mentor. Reason: `no #3`"
    )
    assert said.index("`First`") < said.index("`3`") < said.index("`Second`") < said.index("`5`")


@pytest.mark.parametrize("code", [*set(AS_SAID.values()), *ENDS, "reminded"])
def test_everything_that_became_of_a_claim_has_its_words_and_nobody_claims_by_them(code: str) -> None:
    told = Since("3", code, why="`o/n#5` is open", until="2030-01-01 09:00 (UTC)", free=[("4", "/claim 4")])
    answer = replies.compose(comment="/claim 3", parts=[Part(ABOUT, [Line("3", "claimed")], since=[told])])
    assert "`3`" in answer.partition(replies.NEWS)[2]
    assert read(answer, TaskIds.from_compact(["1-9"])).intents == ()
    assert not re.search(r"#\d", re.sub(r"`[^`]*`", "", answer))
