"""What we tell people to begin a title with is what we read, and what the bots of such events read too."""

import pytest

from claims.grammar.model import TitlePrefix
from claims.grammar.titles import read_title
from tasks_board.titles import begin_title
from tests.claims.grammar.reading import LETTERS


@pytest.mark.parametrize(
    ("prefix", "start"),
    [
        ("Hackathon 7th No.", "【Hackathon 7th No.A-5】"),
        ("[Typing]", "[Typing][A-5]"),
        ("【快乐开源】", "【快乐开源】【A-5】"),
        ("CINN)", "【CINN)A-5】"),
    ],
)
def test_a_title_that_begins_as_told_names_its_task(prefix: str, start: str) -> None:
    assert begin_title(prefix, "A-5") == start
    event = TitlePrefix("event", prefix, frozenset({"PaddlePaddle/Paddle"}), LETTERS)
    reading = read_title(f"{start} what it does", repository="PaddlePaddle/Paddle", events=[event])
    assert (reading.event, reading.tasks) == ("event", ("A-5",))
