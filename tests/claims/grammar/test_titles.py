"""Rules of reading titles that the cases leave open or meet only once."""

import pytest

from claims.grammar.model import TitleReading
from tests.claims.grammar.reading import title


@pytest.mark.parametrize(
    ("written", "event", "tasks"),
    [
        ("【Hackathon 第七期 No.5】x", "seventh", "5"),
        ("【Hackathon 7th】【RFC】No.5 x", "seventh", "5"),
        ("【Hackathon 7th No.5】【No.6】x", "seventh", "5 6"),
        ("【Hackathon 7th No.5】【6】x", "seventh", "5"),
        ("【Hackathon 7th No.5】(#6)", "seventh", "5"),
        ("Hackathon 7th No.5 6 x", "seventh", "5"),
        ("Hackathon 7th No.5 & No.6 x", "seventh", "5 6"),
        ("Hackathon 7th No.5（部分）、6", "seventh", "5 6"),
        ("【Hackathon 7th No.5+6】x", "seventh", "5 6"),
        ("【Hackathon 7th No：5】x", "seventh", "5"),
        ("【Hackathon 7th No.5】和【Hackathon 7th No.8】", "seventh", "5 8"),
        ("【Hackaton 7th No.5】x", "seventh", "5"),
        ("【Hackatonn 7th No.5】x", None, ""),
        ("【Hackathon 9】x", None, ""),
        ("【PaddlePaddle Hackathon】3、x", "any", "3"),
        ("[Typing][tests] [A-3][A-4] x", "typing", "A-3 A-4"),
        ("[Typing] A-3 x", "typing", "A-3"),
        ("[CMake opt] No.3 x", "cmake", "3"),
        ("[CMake opt] (#12)", "cmake", ""),
        ("[CMake opt] 3、x", "cmake", "3"),
        ("【Camp No.5】x", "early", "5"),
        ("【Camp No.5、20】x", None, ""),
        ("【Camp No.99】x", None, ""),
        ("基于【CUDA Kernel No.5】、【CUDA Kernel No.6】补充【Hackathon 7th No.8】", "seventh", "8"),
        ("see [docs] [CUDA Kernel No.5]", "kernel", ""),
    ],
)
def test_it_reads_event_and_tasks(written: str, event: str | None, tasks: str) -> None:
    reading = title(written)

    assert (reading.event, reading.tasks) == (event, tuple(tasks.split()))


@pytest.mark.parametrize(
    ("written", "revert"),
    [
        ("[Revert] Revert “【CUDA Kernel No.5】x”", True),
        ('Revert "[Revert]【CUDA Kernel No.5】x"', False),
        ("Revert (#12) 【CUDA Kernel No.5】x", True),
        ("Revert the 【CUDA Kernel No.5】x", False),
        ("reverted: 【CUDA Kernel No.5】x", False),
    ],
)
def test_it_counts_reverts(written: str, revert: bool) -> None:
    assert title(written).revert is revert


@pytest.mark.parametrize("end", ["-part", "- Part", "-part.", '-part"', "-part (#12)", "—PART"])
def test_partial_closes_the_title(end: str) -> None:
    assert title(f"【CUDA Kernel No.5】x {end}").partial


@pytest.mark.parametrize("end", ["-parts", "-part 2", "part"])
def test_other_endings_are_not_partial(end: str) -> None:
    assert not title(f"【CUDA Kernel No.5】x {end}").partial


def test_only_the_event_s_repositories_are_looked_at() -> None:
    assert title("【CUDA Kernel No.5】", repository="moss07/sandbox") == TitleReading()
    assert title("【CUDA Kernel No.5】", repository="paddlepaddle/paddle").tasks == ("5",)
