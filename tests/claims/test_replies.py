"""The one answer to a comment: what was understood, what was not and why; inert whatever a stranger wrote."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claims import replies
from claims.policy import Ruling, Verdict
from claims.replies import Circumstance, Line

ABOUT = Circumstance(
    author="moss07",
    board_url="https://regatta.example/events/pir/tasks/",
    title_prefix="PIR No.",
    example="4",
)


def refused() -> Ruling:
    return Ruling((Verdict("task_is_claimable", False, {"state": "done"}),), needs_mentor=False)


def test_it_answers_in_the_language_of_the_comment() -> None:
    lines = [Line("3", "claimed")]
    assert "is yours: claimed" in replies.compose(comment="/claim 3", lines=lines, about=ABOUT)
    assert "is yours: claimed" not in replies.compose(comment="【报名】：3", lines=lines, about=ABOUT)


def test_each_number_has_its_own_line_and_reason() -> None:
    lines = [Line("3", "claimed"), Line("5", "refused", refused()), Line("99", "unknown")]
    answer = replies.compose(comment="/claim 3, 5, 99", lines=lines, about=ABOUT)
    assert "- `3` is yours: claimed." in answer
    assert "- `5` is not claimed." in answer
    assert "Done" in answer
    assert "- `99` is not a task of this event." in answer
    assert "`【PIR No.3】…`" in answer


def test_the_hint_shows_a_form_that_works() -> None:
    answer = replies.compose(comment="I want task four", lines=[], about=ABOUT)
    assert "`/claim 4`" in answer
    assert "`/release 4`" in answer


@pytest.mark.parametrize(
    "code",
    ["claimed", "already", "requested", "released", "finished", "nothing", "unknown", "ambiguous", "linked"],
)
def test_every_outcome_has_its_words(code: str) -> None:
    assert "`7`" in replies.compose(comment="x", lines=[Line("7", code)], about=ABOUT)


@given(st.text(max_size=300))
def test_an_echo_is_one_short_inert_code_span(text: str) -> None:
    echoed = replies.echo(text)
    assert re.fullmatch(r"`[^`\n\r]+`", echoed)
    assert len(echoed) <= replies.ECHO_LIMIT + 2


@given(st.text(max_size=60))
def test_the_only_live_mention_is_the_authors(number: str) -> None:
    answer = replies.compose(comment="x", lines=[Line(number, "unknown")], about=ABOUT)
    live = re.sub(r"`[^`]*`", "", answer)
    assert re.findall(r"@\S+", live) == ["@moss07,"]
    assert not re.search(r"#\d", live)
