"""What a completion earns, and amounts between people's decimals and the ledger's whole steps. Pure: no Django.

A pool's `scale` is the number of smallest steps in one unit. Nothing is rounded here: an amount that is no whole
number of steps is refused, and a rule that could ever yield one is refused when it is made.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

STAR_STEPS = 1000  # a task's stars are stored in thousandths
MOST_STEPS = 2**63 - 1  # what the database's integers hold
MOST_STEPS_PER_RULE = 10**12  # times the most stars that a task can have, the database still holds it
WHOLE_PERCENT = 100
SCALES = (1, 10, 100, 1_000, 10_000, 100_000, 1_000_000)  # what a pool's unit may be divided into


WHOLE = 10_000  # share points of a completion that is one claimant's alone


class Per(StrEnum):
    """What an amount is multiplied by: each task counts once, or as many times as it has stars."""

    TASK = "task"
    STAR = "star"


class Degree(StrEnum):
    """How far a task was completed."""

    DONE = "done"
    PARTLY = "partly"


class NotWholeSteps(ValueError):
    """The amount is no whole number of the pool's smallest steps, or more than the ledger can hold."""


@dataclass(frozen=True, slots=True)
class RewardRule:
    """How much a completion earns: `amount_steps` per task or per star, and what part of it for a task done in part."""

    per: Per
    amount_steps: int
    partly_percent: int = 0

    def __post_init__(self) -> None:
        """Refuse a rule by which some task would earn a broken step.

        Raises NotWholeSteps.
        """
        if not 0 <= self.amount_steps <= MOST_STEPS_PER_RULE or not 0 <= self.partly_percent <= WHOLE_PERCENT:
            raise NotWholeSteps("An amount is at least 0 and not astronomic, and a part at most 100 percent.")
        smallest = STAR_STEPS if self.per is Per.STAR else 1
        if self.amount_steps % smallest:
            raise NotWholeSteps("A thousandth of a star would earn a broken step.")
        if self.amount_steps // smallest * self.partly_percent % WHOLE_PERCENT:
            raise NotWholeSteps("A task done in part would earn a broken step.")


@dataclass(frozen=True, slots=True)
class Split:
    """How a reward is shared: everybody's points of the whole, the author's first, and the claimant's place among them."""

    points: tuple[int, ...] = (WHOLE,)
    place: int = 0

    @property
    def share(self) -> int:
        """The claimant's own points."""
        return self.points[self.place]


ALONE = Split()


def apportion(steps: int, points: Sequence[int]) -> list[int]:
    """Steps shared by points, exactly: what is left over goes to the largest remainders, of equal ones the first."""
    whole = sum(points)
    shares, remainders = [], []
    for point in points:
        share, remainder = divmod(steps * point, whole)
        shares.append(share)
        remainders.append(remainder)
    order = sorted(range(len(points)), key=lambda place: (-remainders[place], place))
    for place in order[: steps - sum(shares)]:
        shares[place] += 1
    return shares


def award_steps(rule: RewardRule, *, star_steps: int | None, degree: Degree, split: Split = ALONE) -> int:
    """The steps that a completion earns by `rule`, for a task of so many thousandths of a star (None: none named)."""
    return apportion(_steps_of_all(rule, star_steps, degree), split.points)[split.place]


def _steps_of_all(rule: RewardRule, star_steps: int | None, degree: Degree) -> int:
    whole = rule.amount_steps
    if rule.per is Per.STAR:
        whole = rule.amount_steps // STAR_STEPS * (star_steps or 0)
    if degree is Degree.PARTLY:
        return whole * rule.partly_percent // WHOLE_PERCENT  # without a rest: see RewardRule
    return whole


def to_steps(amount: Decimal, *, scale: int) -> int:
    """The whole steps of `amount` units; `scale` is a power of ten.

    Raises NotWholeSteps for what is no whole number of steps, no number at all, or more than the ledger can hold.
    """
    sign, digits, exponent = amount.as_tuple()
    if not isinstance(exponent, int):
        raise NotWholeSteps(f"{amount} is no amount.")
    number = int("".join(map(str, digits)))
    if number == 0:
        return 0
    shift = exponent + _places(scale)
    if shift < -len(digits) or amount.adjusted() > len(
        str(MOST_STEPS)
    ):  # before any power of ten is made of it
        raise NotWholeSteps(f"{amount} is no amount that the ledger can hold.")
    power: int = 10 ** abs(shift)
    steps, rest = (number * power, 0) if shift >= 0 else divmod(number, power)
    if rest or steps > MOST_STEPS:
        raise NotWholeSteps(f"{amount} is no whole number of steps of 1/{scale}.")
    return -steps if sign else steps


def from_steps(steps: int, *, scale: int) -> Decimal:
    """The amount in units, exact and without needless zeros: 25 steps of 1/1000 are 0.025."""
    places = _places(scale)
    while places and steps % 10 == 0:
        steps, places = steps // 10, places - 1
    digits = tuple(int(digit) for digit in str(abs(steps)))
    return Decimal((int(steps < 0), digits, -places))


def _places(scale: int) -> int:
    places = len(str(scale)) - 1
    if scale != 10**places:
        raise ValueError(f"A scale is a power of ten, not {scale}.")
    return places
