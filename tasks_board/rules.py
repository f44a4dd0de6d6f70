"""The rules of an event as one frozen set of values; presets of it are the kinds of event.

Event kinds (happy open source, hackathon, contest) differ in these values and nowhere else. Stored as JSON in
`Event.rules`, where only what differs from the preset is kept.
"""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields, replace
from enum import StrEnum
from typing import Any, Self

from tasks_board.chains import Chain, chain_from_json


class Preset(StrEnum):
    """The kind of an event: a starting point for its rules."""

    HAPPY_OPEN_SOURCE = "happy_open_source"
    HACKATHON = "hackathon"
    CONTEST = "contest"


class WhoMayClaim(StrEnum):
    """Whose claims count: anyone's at once, after a mentor said yes, or those of people invited by an organizer."""

    OPEN = "open"
    MENTOR_APPROVES = "mentor_approves"
    INVITATION = "invitation"


@dataclass(frozen=True, slots=True)
class EventRules:
    """What holds in an event. None means no limit.

    A task of one place is exclusive. The cap counts what is in a person's hands, not what waits for a review.
    Time limits are in days: past the last one a reminder and the days of grace have to pass as well.
    """

    who_may_claim: WhoMayClaim = WhoMayClaim.OPEN
    first_merged_wins: bool = True
    places_per_task: int | None = None
    waiting_list: bool = True  # whoever finds no place waits in line; without it they are refused
    open_claims_per_person: int | None = None
    people_per_team: int | None = None
    proposal_required: bool = False
    days_to_pull_request: int | None = None
    days_of_silence: int | None = None  # while it is the claimant's turn
    reminder_days: int = 3  # before the end
    grace_days: int = 2  # after it
    renewals: int = 1  # how often claimants may begin the time anew by themselves
    quiet: bool = False  # answer comments with a reaction instead of words
    branches: tuple[str, ...] = ()  # base branches on which a merge counts, `release/*` too; none named: any
    chain: Chain = ()  # what has to be merged; none named: code, after a proposal where one is required
    landed_labels: tuple[str, ...] = ("merged", "landed")  # by which bots say that a closed one was landed

    @classmethod
    def from_json(cls, preset: Preset, stored: Mapping[str, Any]) -> Self:
        """The preset's rules with what is stored laid over; keys that are no rules are left alone."""
        names = {field.name for field in fields(cls)}
        known = {key: value for key, value in stored.items() if key in names}
        if "who_may_claim" in known:
            known["who_may_claim"] = WhoMayClaim(known["who_may_claim"])
        if "chain" in known:
            known["chain"] = chain_from_json(known["chain"])
        known |= {name: tuple(_names(known[name])) for name in _LISTS if name in known}
        return replace(cls(**_PRESETS[preset]), **known)

    def list_problems(self) -> list[str]:
        """The names of the rules whose values make no sense."""
        at_least = dict.fromkeys(_LIMITS, 1) | dict.fromkeys(_COUNTS, 0)
        values = asdict(self)
        return [
            *(name for name in _FLAGS if not isinstance(values[name], bool)),
            *(name for name in _LISTS if not _are_names(values[name])),
            *(
                name
                for name, least in at_least.items()
                if not _is_number(values[name], least, name in _LIMITS)
            ),
        ]

    def counts_on(self, branch: str) -> bool:
        """Whether a merge onto this base branch counts."""
        return not self.branches or any(fits_branch(branch, pattern) for pattern in self.branches)

    def to_json(self) -> dict[str, Any]:
        """Plain JSON of all rules."""
        return {
            key: list(value) if isinstance(value, tuple) else value for key, value in asdict(self).items()
        }


def fits_branch(branch: str, pattern: str) -> bool:
    """Whether a branch is the one named, or begins as `release/*` says: a star at the end alone stands for anything."""
    if pattern.endswith("*"):
        return branch.startswith(pattern[:-1])
    return branch == pattern


def _names(value: object) -> Iterable[str]:
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise TypeError("a list of names is no single word")
    return value


_LISTS = ("branches", "landed_labels")
_FLAGS = ("first_merged_wins", "waiting_list", "proposal_required", "quiet")
# None is no limit; of the counts each has to be given.
_LIMITS = (
    "places_per_task",
    "open_claims_per_person",
    "people_per_team",
    "days_to_pull_request",
    "days_of_silence",
)
_COUNTS = ("reminder_days", "grace_days", "renewals")
LARGEST = 10_000
LONGEST_NAME = 250


def _are_names(values: Any) -> bool:
    return all(isinstance(value, str) and 0 < len(value.strip()) <= LONGEST_NAME for value in values)


def _is_number(value: object, least: int, may_be_none: bool) -> bool:
    if value is None:
        return may_be_none
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= LARGEST


_PRESETS: Mapping[Preset, dict[str, Any]] = {
    Preset.HAPPY_OPEN_SOURCE: {},
    Preset.HACKATHON: {"proposal_required": True},
    Preset.CONTEST: {"first_merged_wins": False, "who_may_claim": WhoMayClaim.MENTOR_APPROVES},
}
