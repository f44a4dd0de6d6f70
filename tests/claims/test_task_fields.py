"""Fields of tasks as texts that come back the same."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claims.task_fields import TaskTexts, read_steps, read_time, show_time
from portal.common.errors import DomainError
from tasks_board import chains
from tasks_board.models import Event, Task

MINUTES = st.datetimes(datetime(2000, 1, 1), datetime(2100, 1, 1)).map(  # noqa: DTZ001 (UTC is added)
    lambda at: at.replace(second=0, microsecond=0, tzinfo=UTC)
)
STEPS = st.lists(
    st.tuples(st.sampled_from(["proposal", "code"]), st.sampled_from(["", "a/b", "PaddlePaddle/Paddle"])),
    max_size=4,
)


def texts(*tasks: Task) -> TaskTexts:
    event = Event(time_zone="Asia/Shanghai", kind="hackathon", repositories=["A/b"])
    return TaskTexts(event, {task.pk: task for task in tasks}, {})


@given(at=MINUTES, is_end=st.booleans(), zone=st.sampled_from(["Asia/Shanghai", "UTC"]))
def test_times(at: datetime, is_end: bool, zone: str) -> None:
    assert read_time(show_time(at, zone, is_end=is_end), zone, is_end=is_end) == at


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("2026-04-23 24:00", "2026-04-23T16:00:00+00:00"),
        ("2026/4/23", "2026-04-23T16:00:00+00:00"),
        ("2026年4月23日", "2026-04-23T16:00:00+00:00"),
        ("2026-04-23T08:30", "2026-04-23T00:30:00+00:00"),
        ("2026-04-23 08:30:59", "2026-04-23T00:30:00+00:00"),
    ],
)
def test_ends_are_inclusive(text: str, wanted: str) -> None:
    at = read_time(text, "Asia/Shanghai", is_end=True)
    assert at is not None
    assert at.astimezone(UTC).isoformat() == wanted


@pytest.mark.parametrize(
    "text",
    [
        "soon",
        "2026-02-30",
        "2026-04-23 24:30",
        "2026-04-23 25:00",
        "9999-12-31 24:00",
        "9999-12-31",
        "0001-01-01",
    ],
)
def test_what_is_no_time(text: str) -> None:
    with pytest.raises(DomainError):
        read_time(text, "Asia/Shanghai")


@given(steps=STEPS)
def test_chains(steps: list[tuple[str, str]]) -> None:
    chain = tuple(chains.Step(kind, repository) for kind, repository in dict.fromkeys(steps))
    assert read_steps(chains.write_chain(chain)) == chain


@pytest.mark.parametrize(
    "text", ["dance", "code x", "proposal a/b/c", "code a/b c/d", " > ".join(["code"] * 11)]
)
def test_what_is_no_chain(text: str) -> None:
    with pytest.raises(DomainError):
        read_steps(text)


@pytest.mark.parametrize(
    ("key", "text", "wanted"),
    [
        ("stars", "2.50", "2.5"),
        ("stars", "0", "0"),
        ("proposal", "是", "yes"),
        ("proposal", "FALSE", "no"),
        ("places", "03", "3"),
        ("title", "  a\n b ", "a b"),
        ("directions", "框架, 文档", "框架、文档"),
        ("chain", "RFC a/b -> 代码", "proposal a/b → code"),
        ("requires", "A-3、#1", "1, A-3"),
    ],
)
def test_what_people_write(key: str, text: str, wanted: str) -> None:
    tasks = [Task(pk=1, number="1", sort_key="1"), Task(pk=2, number="A-3", sort_key="a-3")]
    assert texts(*tasks).read(key, text) == wanted
    assert texts(*tasks).read(key, wanted) == wanted


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("stars", "-1"),
        ("stars", "1e99"),
        ("stars", "Infinity"),
        ("stars", "0.0001"),
        ("places", "0"),
        ("places", "１２"),
        ("places", "9" * 30),
        ("url", "javascript:alert(1)"),
        ("url", "https://a.org/ b"),
        ("number", "x" * 41),
        ("requires", "7"),
        ("proposal", "maybe"),
    ],
)
def test_what_is_refused(key: str, text: str) -> None:
    with pytest.raises(DomainError):
        texts(Task(pk=1, number="1", sort_key="1")).read(key, text)
