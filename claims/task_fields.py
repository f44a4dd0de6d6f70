"""The fields of a task that organizers change, each as a text that comes back the same: in forms, lists and files."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal, InvalidOperation
from zoneinfo import ZoneInfo

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from portal.common import sheets
from portal.common.dates import is_within_reach
from portal.common.errors import DomainError
from tasks_board import chains
from tasks_board.documents import fields as rows
from tasks_board.models import Event, Task
from tasks_board.numbers import star_steps
from tasks_board.operations.edits import stars_of_task, value_of_task
from tasks_board.rules import LARGEST

# Our fields that a table may carry, as its documents call them.
IN_TABLE: Mapping[str, str] = {
    "title": "title",
    "url": "url",
    "directions": "direction",
    "difficulty": "difficulty",
    "description": "description",
    "proposal": "requires_rfc",
}
LONGEST_TITLE, LONGEST_TEXT = 2_000, 20_000


@dataclass(frozen=True, slots=True)
class TaskField:
    """A field: its key, which heads its column in files, how forms call it, and other headers that people write."""

    key: str
    label: "str | Promise"
    headers: tuple[str, ...]
    hint: "str | Promise" = ""


TASK_FIELDS: Sequence[TaskField] = (
    TaskField("number", gettext_lazy("Number"), ("No.", "序号", "编号", "任务编号", "题号")),
    TaskField("section", gettext_lazy("Direction"), ("direction", "方向", "分组", "赛道")),
    TaskField("title", gettext_lazy("Title"), ("任务标题", "任务名称", "标题", "题目", "任务")),
    TaskField("url", gettext_lazy("Link"), ("link", "issue", "链接", "地址")),
    TaskField("description", gettext_lazy("Description"), ("任务描述", "描述", "备注")),
    TaskField(
        "directions", gettext_lazy("Further directions"), ("labels", "tags", "涉及方向", "任务方向", "标签")
    ),
    TaskField("difficulty", gettext_lazy("Difficulty"), ("难度",)),
    TaskField("stars", gettext_lazy("Stars"), ("星级", "星数")),
    TaskField(
        "proposal",
        gettext_lazy("Proposal comes first"),
        ("rfc", "proposal required", "是否需要提交 RFC", "需要设计文档"),
        gettext_lazy("yes, no, or empty: as the event says"),
    ),
    TaskField("places", gettext_lazy("Places"), ("名额", "人数"), gettext_lazy("empty: as the event says")),
    TaskField(
        "claims_open",
        gettext_lazy("Claiming begins"),
        ("opens", "开放认领", "认领开始"),
        gettext_lazy("like 2026-04-01 09:00; empty: with the event"),
    ),
    TaskField(
        "claims_close",
        gettext_lazy("Claiming ends"),
        ("closes", "截止认领", "认领截止"),
        gettext_lazy("like 2026-04-23 24:00, inclusive; empty: with the event"),
    ),
    TaskField(
        "requires", gettext_lazy("Waits for"), ("depends on", "前置任务"), gettext_lazy("numbers of tasks")
    ),
    TaskField(
        "chain",
        gettext_lazy("Steps"),
        ("steps", "步骤"),
        gettext_lazy("like proposal owner/name > code owner/name; empty: as the event says"),
    ),
)
BY_KEY: Mapping[str, TaskField] = {field.key: field for field in TASK_FIELDS}


@dataclass(frozen=True)
class TaskTexts:
    """Tasks of an event as texts. The tasks need their directions and tags at hand; `requires` by key of the task."""

    event: Event
    tasks: Mapping[int, Task]
    requires: Mapping[int, Sequence[int]]

    @classmethod
    def of(cls, event: Event, tasks: Sequence[Task]) -> "TaskTexts":
        """All tasks of the event. One query."""
        edges: dict[int, list[int]] = {}
        through = Task.requires.through._default_manager.filter(from_task__event=event)
        for source, target in through.order_by("to_task__sort_key", "to_task").values_list(
            "from_task", "to_task"
        ):
            edges.setdefault(source, []).append(target)
        return cls(event, {task.pk: task for task in tasks}, edges)

    def of_task(self, task: Task) -> dict[str, str]:
        """Every field of one task."""
        return {field.key: self.show(task, field.key) for field in TASK_FIELDS}

    def show(self, task: Task, key: str) -> str:
        """One field of a task, as `read` takes it."""
        zone = self.event.time_zone
        match key:
            case "number":
                return task.number
            case "section":
                return task.direction.name if task.direction else ""
            case "stars":
                return stars_of_task(task)
            case "places":
                return "" if task.places is None else str(task.places)
            case "claims_open":
                return show_time(task.claims_open_at, zone)
            case "claims_close":
                return show_time(task.claims_close_at, zone, is_end=True)
            case "requires":
                return ", ".join(self.name_of(pk) for pk in self.requires.get(task.pk, ()))
            case "chain":
                return chains.write_chain(chains.chain_from_json(task.chain))
            case _:
                return value_of_task(task, IN_TABLE[key])

    def read(self, key: str, text: str) -> str:
        """What somebody typed, in the form of `show`. Raises DomainError with a sentence that says what is wrong."""
        text = sheets.as_cell(text)
        if key == "requires":
            return ", ".join(self.name_of(pk) for pk in self.read_requires(text))
        reader = _READERS.get(key)
        return reader(text, self.event) if reader else rows.normalise_value(IN_TABLE[key], text)

    def name_of(self, pk: int) -> str:
        """How lists name a task: by its number, by #key where several have that number."""
        task = self.tasks.get(pk)
        if task is None or self._counts[task.number] > 1 or re.search(r"[\s,，、;；#]", task.number):
            return f"#{pk}"
        return task.number

    def read_requires(self, text: str) -> list[int]:
        """The tasks that a list of numbers names, in their order. Raises DomainError (unknown_task)."""
        by_name = {self.name_of(pk): pk for pk in self.tasks} | {f"#{pk}": pk for pk in self.tasks}
        named = [name for name in re.split(r"[\s,，、;；]+", text) if name]
        unknown = [name for name in named if name not in by_name]
        if unknown:
            raise DomainError(
                "unknown_task",
                _("No single task of this event has the number “%(number)s”.") % {"number": unknown[0][:80]},
            )
        found = {by_name[name] for name in named}
        return sorted(found, key=lambda pk: (self.tasks[pk].sort_key, pk))

    @property
    def _counts(self) -> Counter[str]:
        if "_counted" not in self.__dict__:
            self.__dict__["_counted"] = Counter(task.number for task in self.tasks.values())
        counted: Counter[str] = self.__dict__["_counted"]
        return counted


def show_time(at: datetime | None, zone: str, *, is_end: bool = False) -> str:
    """A time in the event's zone; an end at midnight is 24:00 of the day that ends."""
    if at is None:
        return ""
    local = at.astimezone(ZoneInfo(zone))
    if is_end and (local.hour, local.minute) == (0, 0):
        return f"{local - timedelta(days=1):%Y-%m-%d} 24:00"
    return f"{local:%Y-%m-%d %H:%M}"


_TIME = re.compile(
    r"(?P<year>\d{4})[-/.年](?P<month>\d{1,2})[-/.月](?P<day>\d{1,2})日?"
    r"(?:[T\s]*(?P<hour>\d{1,2})[:：时](?P<minute>\d{2})?(?:[:：]\d{2})?分?)?"
)


def read_time(text: str, zone: str, *, is_end: bool = False) -> datetime | None:
    """A time as `show_time` gives it; a day alone is its beginning, or its end. Raises DomainError (bad_time)."""
    if not text.strip():
        return None
    match = _TIME.fullmatch(text.strip())
    problem = DomainError(
        "bad_time", _("“%(text)s” is no time. Write it like 2026-04-23 24:00.") % {"text": text[:40]}
    )
    if match is None:
        raise problem
    hour = int(match["hour"]) if match["hour"] else (24 if is_end else 0)
    minute = int(match["minute"] or 0)
    if hour > 24 or minute > 59 or (hour == 24 and minute):
        raise problem
    try:
        day = datetime(int(match["year"]), int(match["month"]), int(match["day"]), tzinfo=ZoneInfo(zone))
    except ValueError as error:
        raise problem from error
    if not is_within_reach(day):
        raise problem
    return (day + timedelta(days=hour // 24)).replace(hour=hour % 24, minute=minute)


# ------------------------------------------------------------------------------------------------ readers


def _number(text: str, event: Event) -> str:
    if "\n" in text or len(text) > 40:
        raise DomainError("bad_number", _("A number has at most 40 characters."))
    return " ".join(text.split())


def _title(text: str, event: Event) -> str:
    title = rows.normalise_value("title", text)
    if not title or len(title) > LONGEST_TITLE:
        raise DomainError("bad_title", _("A task needs a title, of at most 2,000 characters."))
    return title


def _url(text: str, event: Event) -> str:
    if text and (not rows.is_url(text) or len(text) > LONGEST_TITLE) and not re.fullmatch(r"#[^\s()]+", text):
        raise DomainError(
            "bad_url",
            _("“%(text)s” is no address. It begins with https:// and has no blanks.") % {"text": text[:80]},
        )
    return text


def _description(text: str, event: Event) -> str:
    if len(text) > LONGEST_TEXT:
        raise DomainError("too_long", _("A description has at most 20,000 characters."))
    return text


def _short(text: str, event: Event) -> str:
    words = " ".join(text.split())
    if len(words) > 120:
        raise DomainError("too_long", _("This has at most 120 characters."))
    return words


def _section(text: str, event: Event) -> str:
    words = " ".join(text.split())
    if len(words) > 200:
        raise DomainError("too_long", _("A direction has at most 200 characters."))
    return words


def _stars(text: str, event: Event) -> str:
    if not text:
        return ""
    try:
        number = Decimal(text)
        steps = (
            star_steps(text) if number.is_finite() and number >= 0 and abs(number.adjusted()) < 10 else None
        )
    except InvalidOperation:
        steps = None
    if steps is None:
        raise DomainError("bad_stars", _("Stars are a number like 2 or 0.025."))
    return stars_of_task(Task(star_steps=steps))


_YES = {"yes", "y", "true", "1", "是", "需要", "✓", "✅"}
_NO = {"no", "n", "false", "0", "否", "不需要", "✗", "❌"}


def _yes_no(text: str, event: Event) -> str:
    word = text.casefold()
    if word and word not in _YES | _NO:
        raise DomainError("bad_yes_no", _("Write yes, no, or nothing."))
    return "" if not word else "yes" if word in _YES else "no"


def _places(text: str, event: Event) -> str:
    if text and not (text.isascii() and text.isdigit() and 1 <= int(text[:12]) <= LARGEST):
        raise DomainError(
            "bad_places", _("Write a number of places, at least 1; empty is as the event says.")
        )
    return str(int(text)) if text else ""


def _opens(text: str, event: Event) -> str:
    return show_time(read_time(text, event.time_zone), event.time_zone)


def _closes(text: str, event: Event) -> str:
    return show_time(read_time(text, event.time_zone, is_end=True), event.time_zone, is_end=True)


def read_steps(text: str) -> chains.Chain:
    """The steps of a chain as somebody typed them. Raises DomainError (bad_chain)."""
    try:
        return chains.read_chain(text)
    except ValueError as error:
        raise DomainError(
            "bad_chain",
            _(
                "Write the steps in their order, as: proposal → code → docs owner/name. At most six, none twice."
            ),
        ) from error


def check_watched(chain: Iterable[chains.Step], event: Event) -> None:
    """Raises DomainError (step_not_watched) for a step in a repository that the event does not look at."""
    watched = {name.lower() for name in (*event.repositories, *event.proposal_repositories)}
    for step in chain:
        if step.repository and step.repository.lower() not in watched:
            raise DomainError(
                "step_not_watched",
                _(
                    "The event does not watch %(repository)s, so nothing would be seen that is merged there. "
                    "Add it to the event’s repositories first, on the organizers’ page “Event”."
                )
                % {"repository": step.repository},
                repository=step.repository,
            )


def _chain(text: str, event: Event) -> str:
    chain = read_steps(text)
    check_watched(chain, event)
    return chains.write_chain(chain)


_READERS: Mapping[str, Callable[[str, Event], str]] = {
    "number": _number,
    "title": _title,
    "url": _url,
    "description": _description,
    "difficulty": _short,
    "section": _section,
    "stars": _stars,
    "proposal": _yes_no,
    "places": _places,
    "claims_open": _opens,
    "claims_close": _closes,
    "chain": _chain,
}
