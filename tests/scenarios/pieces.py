"""Who takes which task, how far they get with it, and when: drawn from a seed, so a story can be told again."""

import random
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import cycle

from tests.scenarios import cast
from tests.scenarios.campaigns import Campaign, Part, Phase

DAY = timedelta(days=1)
END = 0.97  # the share of the time until closing in which everything happens

# What happens to a piece of work after it was claimed. "proposal", "agree": the proposal is opened, and merged.
_PROPOSAL = ("proposal", "agree")
_FATES = {
    "claimed": (),
    "released": ("release",),
    "rfc_open": ("proposal",),
    "rfc_closed": ("proposal", "refuse"),
    "pr_open": ("code",),
    "changes": ("code", "object"),
    "approved": ("code", "approve"),
    "closed": ("code", "object", "close"),
    "reverted": ("code", "approve", "merge", "revert"),
    "done": ("code", "approve", "merge"),
    "done_slowly": ("code", "object", "approve", "merge"),
    "judged": ("accept",),
}
_DAYS = {  # from one stage to the next
    "release": (3, 15),
    "proposal": (2, 11),
    "agree": (3, 14),
    "refuse": (4, 12),
    "code": (4, 18),
    "object": (2, 10),
    "approve": (3, 16),
    "merge": (0.5, 11),
    "close": (3, 10),
    "revert": (0.5, 3),
    "accept": (30, 50),
}
# For those who do not finish: with a proposal merged, without one so far, and where none is asked for.
_AFTER_PROPOSAL = ("reverted", "changes", "approved", "pr_open", "closed", "changes")
_BEFORE_PROPOSAL = ("rfc_open", "claimed", "rfc_open", "rfc_closed", "claimed")
_WITHOUT_PROPOSAL = ("approved", "pr_open", "claimed", "changes")
_RIVALS = ("claimed", "released", "claimed", "rfc_open", "claimed", "rfc_closed")


@dataclass
class Piece:
    """Somebody's work on one task: its stages, each at a time after the opening."""

    number: int
    login: str
    part: Part
    stages: list[tuple[str, timedelta]] = field(default_factory=list)

    def at(self, stage: str) -> timedelta | None:
        return next((at for name, at in self.stages if name == stage), None)


def draw(campaign: Campaign, dice: random.Random) -> list[Piece]:
    """Every piece of the event's whole story, in no order."""
    return _Draw(campaign, dice).all()


class _Draw:
    def __init__(self, campaign: Campaign, dice: random.Random) -> None:
        self.campaign, self.dice = campaign, dice
        self.days = campaign.days[Phase.CLOSING] * END
        self.crowd = dice.sample((*cast.CROWD, *cast.DEMO), len(cast.CROWD) + len(cast.DEMO))
        self.next = 0
        self.after_proposal = cycle(_AFTER_PROPOSAL)
        self.before_proposal = cycle(_BEFORE_PROPOSAL)
        self.without_proposal = cycle(_WITHOUT_PROPOSAL)

    def all(self) -> list[Piece]:
        pieces = [piece for part in self.campaign.parts for piece in self._part(part)]
        open_to_rivals = [piece for piece in pieces if not piece.part.judged]
        rivals = self.dice.sample(open_to_rivals, min(self.campaign.rivals, len(open_to_rivals)))
        return pieces + [self._rival(piece, place) for place, piece in enumerate(rivals)]

    def _part(self, part: Part) -> list[Piece]:
        numbers = list(range(part.first, part.last + 1))
        named = [number for number in self.campaign.claimed_in_table or {} if number in numbers]
        others = self.dice.sample([n for n in numbers if n not in named], part.claimed - len(named))
        return [
            self._piece(part, number, self._fate(part, place)) for place, number in enumerate(named + others)
        ]

    def _fate(self, part: Part, place: int) -> tuple[str, ...]:
        """The first ones finish, the next have their proposal merged, the rest stay behind."""
        asks = part.proposed is not None
        if place < part.done:
            fate = "judged" if part.judged else self.dice.choice(("done", "done_slowly"))
        elif part.judged:
            fate = "claimed"
        elif part.proposed is None:
            fate = next(self.without_proposal)
        elif place < part.proposed:
            fate = next(self.after_proposal)
        else:
            return _FATES[next(self.before_proposal)]
        return (*_PROPOSAL, *_FATES[fate]) if asks else _FATES[fate]

    def _piece(self, part: Part, number: int, stages: tuple[str, ...]) -> Piece:
        named = (self.campaign.claimed_in_table or {}).get(number)
        begin = self.dice.betavariate(0.85, 1.4) * self.campaign.claim_days
        piece = Piece(number, named or self._somebody(), part)
        self._date(piece, ("named" if named else "claim", *stages), begin, self.days)
        return piece

    def _rival(self, other: Piece, place: int) -> Piece:
        """Somebody who takes the same task later, and before it is done."""
        fates = _RIVALS if other.part.proposed is not None else ("claimed", "released", "pr_open", "closed")
        begin = other.stages[0][1] / DAY
        done = other.at("merge")
        latest = min(done / DAY if done else self.days, self.campaign.claim_days)
        piece = Piece(other.number, self._somebody(but=other.login), other.part)
        at = begin + (latest - begin) * self.dice.uniform(0.1, 0.5)
        self._date(piece, ("claim", *_FATES[fates[place % len(fates)]]), at, self.days)
        return piece

    def _date(self, piece: Piece, stages: tuple[str, ...], begin: float, limit: float) -> None:
        """Give each stage its time; what would end too late is done a little faster."""
        gaps = [self.dice.uniform(*_DAYS[stage]) for stage in stages[1:]]
        haste = min(1.0, (limit - begin) / sum(gaps)) if gaps else 1.0
        at = begin
        piece.stages = [(stages[0], at * DAY)]
        for stage, gap in zip(stages[1:], gaps, strict=True):
            at += gap * haste
            piece.stages.append((stage, at * DAY))

    def _somebody(self, but: str = "") -> str:
        """In turn, so that everybody has something to do; some have more."""
        if self.dice.random() < 0.3:
            login = self.dice.choice(self.crowd[:12])
        else:
            login = self.crowd[self.next % len(self.crowd)]
            self.next += 1
        return login if login != but else self._somebody(but)
