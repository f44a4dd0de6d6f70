"""May this claimant take this task? The verdict of every rule, for the button, the API, the comment and a dry run.

Pure: the caller collects the circumstances; nothing here reads the clock or the database.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from tasks_board.rules import EventRules, WhoMayClaim

_UNCLAIMABLE = frozenset({"done", "deferred", "blocked", "removed", "excluded"})
ALREADY = frozenset(
    {
        "requested",
        "waiting",
        "claimed",
        "rfc_submitted",
        "rfc_merged",
        "pr_open",
        "approved",
        "partly_done",
        "done",
    }
)


# What no mentor overrules; and what says something about the claimant, at whatever time they are let in.
FINAL = frozenset({"claimant_is_a_person", "claimant_is_not_banned"})
_ABOUT_CLAIMANT = FINAL | {
    "not_claimed_by_you",
    "claimant_is_invited",
    "open_claims_within_cap",
    "team_within_size",
}


@dataclass(frozen=True, slots=True)
class Circumstances:
    """All that the rules look at. `own_standing` is None if the claimant never had a claim on this task.

    `task_state` is `excluded` where people alone look after the task. `open_claims`: what is in the claimant's hands on other tasks. `was_declined`: a mentor's last word about this claimant
    on this task is no. `places`: how many have room on the task (None: any number), of which `taken` are in use, while
    `in_line` people wait. `missing`: the numbers of the tasks that have to be done first and are not.
    `team_size`: how many they are, if a team claims; `marks`: what is noted about the people who claim.
    """

    event_status: str
    has_opened: bool
    has_closed: bool
    task_state: str
    own_standing: str | None
    open_claims: int
    was_declined: bool = False
    is_bot: bool = False
    task_has_opened: bool = True
    task_has_closed: bool = False
    places: int | None = None
    taken: int = 0
    in_line: int = 0
    missing: tuple[str, ...] = ()
    marks: frozenset[str] = frozenset()
    team_size: int | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What one rule says; `values` fill the sentence."""

    rule: str
    passed: bool
    values: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Ruling:
    """The verdict of every rule, and what a claim would be: claimed at once, asked for, or put in line.

    `is_full`: all places are taken, so that whoever a mentor lets in would wait too.
    """

    verdicts: tuple[Verdict, ...]
    needs_mentor: bool
    must_wait: bool = False
    is_full: bool = False

    @property
    def allowed(self) -> bool:
        """Whether every rule passed."""
        return all(verdict.passed for verdict in self.verdicts)

    @property
    def failed(self) -> tuple[Verdict, ...]:
        """The rules that said no."""
        return tuple(verdict for verdict in self.verdicts if not verdict.passed)

    @property
    def is_final(self) -> bool:
        """Whether a rule says no that no mentor overrules."""
        return any(verdict.rule in FINAL for verdict in self.failed)

    @property
    def allows_claimant(self) -> bool:
        """Whether all rules about the claimant passed, whatever those about time and task say."""
        return all(verdict.rule not in _ABOUT_CLAIMANT for verdict in self.failed)


def judge(rules: EventRules, circumstances: Circumstances) -> Ruling:
    """The verdict of every rule on a claim."""
    c = circumstances
    verdicts = [*_about_time(c), *_about_task(rules, c), *_about_claimant(rules, c)]
    asks = rules.who_may_claim is WhoMayClaim.MENTOR_APPROVES or c.was_declined
    return Ruling(tuple(verdicts), needs_mentor=asks, must_wait=not asks and _is_full(c), is_full=_is_full(c))


def _about_time(c: Circumstances) -> Iterator[Verdict]:
    yield Verdict("event_is_running", c.event_status == "running", {"status": c.event_status})
    yield Verdict("event_has_opened", c.has_opened)
    yield Verdict("event_has_not_closed", not c.has_closed)
    if not c.task_has_opened:
        yield Verdict("task_has_opened", passed=False)
    if c.task_has_closed:
        yield Verdict("task_has_not_closed", passed=False)


def _about_task(rules: EventRules, c: Circumstances) -> Iterator[Verdict]:
    is_claimable = c.task_state not in _UNCLAIMABLE or _has_room_after_the_first(rules, c)
    yield Verdict("task_is_claimable", is_claimable, {"state": c.task_state})
    if c.places is not None:
        values = {"taken": c.taken, "places": c.places, "in_line": c.in_line, "line": rules.waiting_list}
        yield Verdict("place_is_free", rules.waiting_list or not _is_full(c), values)
    if c.missing:
        yield Verdict("required_tasks_are_done", passed=False, values={"numbers": c.missing})


def _about_claimant(rules: EventRules, c: Circumstances) -> Iterator[Verdict]:
    yield Verdict("not_claimed_by_you", c.own_standing not in ALREADY, {"standing": c.own_standing})
    yield Verdict("claimant_is_a_person", not c.is_bot)
    if "banned" in c.marks:
        yield Verdict("claimant_is_not_banned", passed=False)
    if rules.who_may_claim is WhoMayClaim.INVITATION:
        yield Verdict("claimant_is_invited", "invited" in c.marks)
    cap = rules.open_claims_per_person
    if cap is not None:
        yield Verdict("open_claims_within_cap", c.open_claims < cap, {"open": c.open_claims, "cap": cap})
    limit = rules.people_per_team
    if limit is not None and c.team_size is not None:
        yield Verdict("team_within_size", c.team_size <= limit, {"size": c.team_size, "limit": limit})
    if "unpaid" in c.marks:
        yield Verdict("takes_part_unpaid", passed=True)


def _has_room_after_the_first(rules: EventRules, c: Circumstances) -> bool:
    """A claimant is done, and by the rules that takes nothing from the others: the rule of places says whether there is room."""
    return c.task_state == "done" and not rules.first_merged_wins and c.taken > 0


def _is_full(c: Circumstances) -> bool:
    """Whether the next one waits: all places are taken, or others stand in line for what becomes free."""
    return c.places is not None and c.taken + c.in_line >= c.places
