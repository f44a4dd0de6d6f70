"""Pull requests named in a text (cases/README.md section 1), and what is struck (section 2)."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks_board.documents import cli_json, references, text
from tests.tasks_board.documents.bodies import REPOSITORY


@pytest.mark.parametrize(
    ("written", "found"),
    [
        ("#5", ["PaddlePaddle/Paddle#5"]),
        ("＃5", ["PaddlePaddle/Paddle#5"]),
        ("PR#5、PR #6", ["PaddlePaddle/Paddle#5", "PaddlePaddle/Paddle#6"]),
        (
            "46#5 No.7#6 Paddle3D#7",
            ["PaddlePaddle/Paddle#5", "PaddlePaddle/Paddle#6", "PaddlePaddle/Paddle3D#7"],
        ),
        ("docs#5 a-b/c.d#6", ["PaddlePaddle/docs#5", "a-b/c.d#6"]),
        ("a/b/c#5 &#39; #6a", []),
        ("[#1](https://github.com/a/b/pull/2)", ["a/b#2"]),
        ("[a/b#1](https://github.com/a/b/issues/1)", []),
        ("[x [y]](https://github.com/a/b/pull/2/files)", ["a/b#2"]),
        ("<a href='https://github.com/a/b/pull/2'>#1</a>", ["a/b#2"]),
        ("http://github.com/a/b/pull/2#discussion_r1", ["a/b#2"]),
        ("https://github.com/a/b/tree/c https://example.org/a/b/pull/1", []),
        ("#5 PaddlePaddle/paddle#5 #5", ["PaddlePaddle/Paddle#5"]),
        ("~~#5~~ #6", ["PaddlePaddle/Paddle#6"]),
        ("～～#5～～", ["PaddlePaddle/Paddle#5"]),
        ("#12345678901", []),
        ("无", []),
    ],
)
def test_it_finds_pull_requests(written: str, found: list[str]) -> None:
    named = references.find_references(written, repository=REPOSITORY)
    assert [str(ref) for ref in references.unique(ref.ref for ref in named if not ref.struck)] == found


@pytest.mark.parametrize(
    ("written", "struck"),
    [
        ("~~a~~ b ~~c", ["~~a~~"]),
        ("26~30 3 ~ 5、7 ~ 9", []),
        ("~a~ ~b c~ ~d ~", ["~a~", "~b c~"]),
        ("~~a~~~~b~~", ["~~a~~", "~~b~~"]),
        ("~~a\n\nb~~", []),
        ("~a\n\nb~", []),
        ("~a\n\nb~ ~c~", ["~c~"]),
        ("~~~~ a ~~b ~c~ d~~ ~e~", ["~~ a ~~", "~c~", "~e~"]),
        ("～a～", []),
        ("~a ~~b~~ c~", ["~a ~~b~~ c~"]),
        ("-~12~到79—~~8~~ - ~23~", ["~12~到79—~~8~~ - ~23~"]),
        ("3~~~7、9~~~12", []),
        ("a~~ b\n~~c~~", ["~~c~~"]),
        ("a~~ b\n- ~~c~~", ["~~c~~"]),
        ("~~a\n~~ b", ["~~a\n~~"]),
    ],
)
def test_it_finds_what_is_struck(written: str, struck: list[str]) -> None:
    found = [strike.span.of(written) for strike in text.strikes(written)]
    assert found == struck


@given(st.text(alphabet="~a -\n1", max_size=40))
def test_strikes_never_overlap(written: str) -> None:
    spans = [strike.span for strike in text.strikes(written)]
    assert all(before.end <= behind.start for before, behind in pairwise(spans))


def test_marks_of_a_strike_inside_another_are_taken_off_too() -> None:
    assert text.without_strike_marks("~5 ~~6~~ 7~、~~8 ~9~ 10~~") == "5 6 7、8 9 10"


def test_spans_lead_back_to_the_original() -> None:
    original = "①\u200b＠ａ ﷽ #5"
    folded = text.fold(original)
    place = folded.text.index("a")
    assert folded.span(place, place + 1).of(original) == "ａ"
    assert folded.span(place, place).of(original) == ""
    assert folded.span(0, len(folded.text)).of(original) == original


@pytest.mark.parametrize("written", ["", "a/b", "a/b#", "a#1", "/b#1", "a/b#x", "a/b#12345678901"])
def test_only_whole_references_are_taken(written: str) -> None:
    assert references.from_text(written) is None


@pytest.mark.parametrize(
    "asked",
    [
        {"action": "dance", "state": "done"},
        {"action": "set_task", "state": "great"},
        {"action": "set_claimant", "state": "done", "pull_requests": ["#5"]},
    ],
)
def test_an_edit_that_makes_no_sense_is_an_error(asked: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"\S"):
        cli_json.edit_from_json(asked)
