"""A story's pieces as things that happen: at the stand-in, as steps of `load_scenario`, or in the portal, as a mentor's word."""

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from tests.demo import people
from tests.scenarios import cast
from tests.scenarios.campaigns import COMMUNITY, Campaign
from tests.scenarios.pieces import DAY, Piece, draw

_CLAIMS = ("【报名】：{}", "【报名】: {}", "【报名】：{}", "/claim {}")
_RELEASES = ("【取消报名】：{}", "/release {}")
_TOGETHER = 1.5 * DAY  # who takes two tasks within this time takes them in one comment


@dataclass
class Pull:
    """A pull request of the story; its number comes when all are known, in the order of their opening."""

    repository: str
    title: str
    author: str
    opened: timedelta
    number: int = 0


@dataclass
class Happening:
    """Something at a time after the opening; `pull` is the pull request it happens to, `undoes` the one it reverts."""

    at: timedelta
    do: str
    values: dict[str, Any] = field(default_factory=dict)
    pull: Pull | None = None
    undoes: Pull | None = None

    def step(self, opened_at: datetime) -> dict[str, Any]:
        """As a step of the stand-in's scenarios."""
        step = {"do": self.do, "at": stamp(opened_at + self.at), **self.values}
        if self.pull is not None:
            step |= {"repository": self.pull.repository, "number": self.pull.number}
        if self.undoes is not None:
            step["body"] = f"Reverts {self.undoes.repository}#{self.undoes.number}"
        return step


def stamp(moment: datetime) -> str:
    """As GitHub writes times."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


@dataclass(frozen=True)
class Verdict:
    """What a mentor says in the portal about somebody's claim."""

    at: timedelta
    number: int
    login: str
    kind: str
    note: str = ""


@dataclass(frozen=True)
class Story:
    """All that happens in an event, in order."""

    happenings: tuple[Happening, ...]
    verdicts: tuple[Verdict, ...]


def tell(campaign: Campaign, titles: Mapping[int, str], mentors: Mapping[int, str], *, seed: int) -> Story:
    """The whole story of an event: titles and first mentors by task number."""
    dice = random.Random(seed)
    return _Teller(campaign, titles, mentors, dice).tell(draw(campaign, dice))


class _Teller:
    def __init__(
        self,
        campaign: Campaign,
        titles: Mapping[int, str],
        mentors: Mapping[int, str],
        dice: random.Random,
    ) -> None:
        self.campaign, self.titles, self.mentors, self.dice = campaign, titles, mentors, dice
        self.happenings: list[Happening] = []
        self.verdicts: list[Verdict] = []
        self.pulls: list[Pull] = []

    def tell(self, pieces: list[Piece]) -> Story:
        self._claims(pieces)
        for piece in pieces:
            self._work(piece)
        self._talk(max(at for piece in pieces for _stage, at in piece.stages))
        _number(self.pulls, self.campaign.pulls)
        return Story(
            tuple(sorted(self.happenings, key=lambda h: h.at)),
            tuple(sorted(self.verdicts, key=lambda v: v.at)),
        )

    def _claims(self, pieces: Iterable[Piece]) -> None:
        """One comment for each claim, or for several that somebody makes within a day or so."""
        by_login: dict[str, list[Piece]] = {}
        for piece in sorted(pieces, key=lambda p: p.stages[0][1]):
            if piece.stages[0][0] == "claim":
                by_login.setdefault(piece.login, []).append(piece)
        for login, claimed in by_login.items():
            while claimed:
                at = claimed[0].stages[0][1]
                together = [piece for piece in claimed if piece.stages[0][1] - at <= _TOGETHER]
                claimed = claimed[len(together) :]
                numbers = sorted({piece.number for piece in together})
                text = self.dice.choice(_CLAIMS).format("、".join(map(str, numbers)))
                self._say(at, login, text)
                if self.campaign.asks_mentor:
                    self.verdicts += [
                        Verdict(at + self.dice.uniform(0.3, 2) * DAY, number, login, "admitted")
                        for number in numbers
                        if self.dice.random() < 0.85
                    ]

    def _work(self, piece: Piece) -> None:
        proposal = code = None
        for stage, at in piece.stages[1:]:
            if stage == "release":
                self._say(at, piece.login, self.dice.choice(_RELEASES).format(piece.number))
            elif stage == "accept":
                self.verdicts.append(Verdict(at, piece.number, piece.login, "accepted", "通过答辩"))
            elif stage == "proposal":
                proposal = self._open(piece, COMMUNITY, at, " 设计文档")
            elif stage == "code":
                code = self._open(piece, piece.part.repository, at)
            elif stage in ("agree", "refuse"):
                assert proposal is not None
                self._end(piece, proposal, at, merge=stage == "agree")
            else:
                assert code is not None
                self._about_code(piece, code, stage, at)

    def _about_code(self, piece: Piece, code: Pull, stage: str, at: timedelta) -> None:
        if stage == "object":
            self._review(piece, code, at, "request_changes", "差一个反向的单测，精度阈值也请说明。")
        elif stage == "approve":
            self._review(piece, code, at, "approve")
        elif stage == "revert":
            self._revert(piece, code, at)
        else:
            self._end(piece, code, at, merge=stage == "merge")

    def _open(self, piece: Piece, repository: str, at: timedelta, suffix: str = "") -> Pull:
        title = f"【{self.campaign.prefix}{piece.number}】{self.titles[piece.number]}{suffix}"
        return self._open_pull(Pull(repository, title, piece.login, at))

    def _open_pull(self, pull: Pull, undoes: Pull | None = None) -> Pull:
        self.pulls.append(pull)
        values = {"title": pull.title, "author": pull.author}
        self.happenings.append(Happening(pull.opened, "open_pull_request", values, pull, undoes))
        return pull

    def _revert(self, piece: Piece, code: Pull, at: timedelta) -> None:
        """As GitHub's button does it."""
        by = self._mentor(piece)
        undo = self._open_pull(Pull(code.repository, f'Revert "{code.title}"', by, at), undoes=code)
        self._add(at + timedelta(hours=1), "merge", undo, by=by)

    def _end(self, piece: Piece, pull: Pull, at: timedelta, *, merge: bool) -> None:
        self._add(at, "merge" if merge else "close", pull, by=self._mentor(piece))

    def _review(self, piece: Piece, pull: Pull, at: timedelta, state: str, body: str = "") -> None:
        self._add(at, "review", pull, author=self._mentor(piece), state=state, body=body)

    def _mentor(self, piece: Piece) -> str:
        return self.mentors.get(piece.number, people.MENTOR.login)

    def _talk(self, until: timedelta) -> None:
        for text in (*cast.SMALL_TALK, *cast.PUZZLES):
            number = self.dice.choice(list(self.titles))
            self._say(until * self.dice.random(), self.dice.choice(cast.CROWD), text.format(number))

    def _say(self, at: timedelta, login: str, text: str) -> None:
        where = {"repository": self.campaign.repository, "number": self.campaign.number}
        self.happenings.append(Happening(at, "comment", {**where, "author": login, "body": text}))

    def _add(self, at: timedelta, do: str, pull: Pull, **values: Any) -> None:
        self.happenings.append(Happening(at, do, values, pull))


def _number(pulls: Iterable[Pull], first: Mapping[str, int]) -> None:
    """Give each pull request its number, higher the later it was opened; a few numbers are other people's."""
    free = dict(first)
    for pull in sorted(pulls, key=lambda p: p.opened):
        pull.number = free[pull.repository]
        free[pull.repository] += 3 + pull.number % 4
