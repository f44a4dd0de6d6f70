"""The board as its page reads it: every row with who claims it and how far they are, in a fixed number of queries."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db.models import Q

from claims import policy, pull_requests
from claims.circumstances import Asker, OnTask, list_missing
from claims.models import Claim
from claims.pull_requests import SeenPullRequest
from portal.models import Person
from tasks_board.chains import CODE, Chain
from tasks_board.models import Event, Task, TaskHelper, TeamMember
from tasks_board.operations.teams import team_of

# Standings that pull requests do not show by themselves.
_BESIDE = frozenset({"claimed", "requested", "waiting", "partly_done", "deferred", "blocked", *Claim.GONE})


@dataclass(frozen=True, slots=True)
class BoardClaim:
    """One line of a row: who, how far, with which pull requests. `standing` is empty for a pull request without a claim."""

    name: str
    kind: str  # person, team
    standing: str
    pull_requests: tuple[SeenPullRequest, ...]
    is_mine: bool = False
    claim: Claim | None = field(default=None, compare=False)  # two lines that say the same are the same
    place: int | None = None  # in the waiting line, from 1

    @property
    def claim_pk(self) -> int | None:
        """The id of the claim, if the line is of one."""
        return self.claim.pk if self.claim else None

    @property
    def shows_standing(self) -> bool:
        """Whether the line needs the standing as a word: its pull requests say most of it by themselves."""
        if not self.pull_requests:
            return True
        return self.standing in _BESIDE or any(pr.state == "named" for pr in self.pull_requests)

    @property
    def is_gone(self) -> bool:
        """Whether the claimant is no longer on it."""
        return self.standing in Claim.GONE


@dataclass(frozen=True, slots=True)
class BoardRow:
    """One task as a row."""

    pk: int
    number: str
    number_is_ours: bool
    sort_key: str
    title: str
    state: str
    difficulty: str
    star_steps: int | None
    changed_at: datetime | None
    direction_id: int | None
    area_ids: frozenset[int]
    mentors: tuple[str, ...]
    claims: tuple[BoardClaim, ...]
    may_claim: bool
    asks_mentor: bool
    ruling: policy.Ruling = field(compare=False)
    chain: Chain = (CODE,)
    team_ruling: policy.Ruling | None = field(default=None, compare=False)  # for the reader's team

    @property
    def has_legs(self) -> bool:
        """Whether more than code is asked for."""
        return self.chain != (CODE,)

    @property
    def is_mine(self) -> bool:
        """Whether the reader has a claim on it that is not gone."""
        return any(claim.is_mine and not claim.is_gone for claim in self.claims)

    @property
    def team_may_claim(self) -> bool:
        """Whether the reader may take it for their team."""
        return self.team_ruling is not None and self.team_ruling.allowed

    @property
    def is_free(self) -> bool:
        """Whether nobody is on it and it may be claimed."""
        return self.state == Task.State.OPEN


@dataclass(slots=True)
class _Loaded:
    """Everything about some tasks, by the id of the task."""

    mentors: dict[int, list[str]] = field(default_factory=lambda: defaultdict(list))
    areas: dict[int, set[int]] = field(default_factory=lambda: defaultdict(set))
    claims: dict[int, list[Claim]] = field(default_factory=lambda: defaultdict(list))
    seen: Mapping[int, Sequence[SeenPullRequest]] = field(default_factory=dict)
    members: Mapping[int, frozenset[int]] = field(default_factory=dict)
    missing: Mapping[int, tuple[str, ...]] = field(default_factory=dict)


def list_rows(event: Event, *, viewer: Person | None, now: datetime) -> list[BoardRow]:
    """All rows of the event's board in their order. The number of queries does not grow with the rows."""
    tasks = list(
        Task.objects.filter(event=event, is_removed=False)
        .defer("description", "url")
        .order_by("position", "sort_key", "pk")
    )
    return _rows(event, tasks, Q(task__event=event), viewer=viewer, now=now)


def list_rows_of(
    event: Event, tasks: Sequence[Task], *, viewer: Person | None, now: datetime
) -> list[BoardRow]:
    """The rows of some of the event's tasks, in the order given. The number of queries does not grow with them."""
    return _rows(event, tasks, Q(task__in=tasks), viewer=viewer, now=now)


def get_row(task: Task, *, viewer: Person | None, now: datetime) -> BoardRow:
    """One row, as it stands on the board."""
    [row] = list_rows_of(task.event, [task], viewer=viewer, now=now)
    return row


@dataclass(frozen=True, slots=True)
class Columns:
    """Which columns a board has; an empty one disappears."""

    has_difficulty: bool
    has_mentors: bool
    has_legs: bool = False


def find_columns(event: Event) -> Columns:
    """The columns of the event's board, for one row alone. Three queries."""
    tasks = Task.objects.filter(event=event, is_removed=False)
    named = TaskHelper.objects.filter(task__in=tasks, role=TaskHelper.Role.MENTOR)
    return Columns(
        has_difficulty=tasks.filter(~Q(difficulty="") | Q(star_steps__gt=0)).exists(),
        has_mentors=named.exists(),
        has_legs=tasks.filter(_asks_for_more_than_code(event)).exists(),
    )


def _asks_for_more_than_code(event: Event) -> Q:
    rules = event.rule_set
    asked = Q(proposal_required=True) | ~Q(chain=[])
    if any(step.kind == "docs" for step in rules.chain) or len(rules.chain) > 1:
        return asked | ~Q(pk=None)
    return asked | Q(proposal_required=None) if rules.proposal_required else asked


def _rows(
    event: Event, tasks: Sequence[Task], which: Q, *, viewer: Person | None, now: datetime
) -> list[BoardRow]:
    loaded = _load(event, which)
    asker = Asker(event, viewer, now)
    team = team_of(event, viewer) if viewer is not None and loaded.members else None
    as_team = Asker(event, viewer, now, team=team) if team else None
    rows = []
    for task in tasks:
        lines = _lines(task, loaded, viewer)
        own = [line.claim for line in lines if line.is_mine and line.claim is not None]
        here = OnTask.of(loaded.claims[task.pk], missing=loaded.missing.get(task.pk, ()), own=own)
        ruling = policy.judge(asker.rules, asker.on(task, here))
        chain = task.steps_under(asker.rules)
        for_team = _judge_team(as_team, task, loaded) if as_team else None
        rows.append(_row(task, loaded, lines, ruling, chain=chain, team_ruling=for_team))
    return rows


def _judge_team(asker: Asker, task: Task, loaded: _Loaded) -> policy.Ruling:
    claims = loaded.claims[task.pk]
    here = OnTask.of(claims, missing=loaded.missing.get(task.pk, ()), own=filter(asker.stands_for, claims))
    return policy.judge(asker.rules, asker.on(task, here))


def _row(
    task: Task,
    loaded: _Loaded,
    lines: tuple[BoardClaim, ...],
    ruling: policy.Ruling,
    *,
    chain: Chain,
    team_ruling: policy.Ruling | None,
) -> BoardRow:
    return BoardRow(
        pk=task.pk,
        number=task.number,
        number_is_ours=task.number_is_ours,
        sort_key=task.sort_key,
        title=task.title,
        state=task.state,
        difficulty=task.difficulty,
        star_steps=task.star_steps,
        changed_at=task.state_at,
        direction_id=task.direction_id,
        area_ids=frozenset(loaded.areas[task.pk]),
        mentors=tuple(loaded.mentors[task.pk]),
        claims=lines,
        may_claim=ruling.allowed,
        asks_mentor=ruling.needs_mentor,
        ruling=ruling,
        chain=chain,
        team_ruling=team_ruling,
    )


def _load(event: Event, which: Q) -> _Loaded:
    found = _Loaded()
    helpers = TaskHelper.objects.filter(which, role=TaskHelper.Role.MENTOR).order_by(
        "task_id", "position", "pk"
    )
    for task_id, login in helpers.values_list("task_id", "person__login"):
        found.mentors[task_id].append(login)
    tags: Any = Task.also_in.through._default_manager
    for task_id, direction_id in tags.filter(which).values_list("task_id", "direction_id"):
        found.areas[task_id].add(direction_id)
    claims = (
        Claim.objects.filter(which, shown=True).select_related("person", "team").order_by("created_at", "pk")
    )
    for claim in claims:
        found.claims[claim.task_id].append(claim)
    found.seen = pull_requests.list_by_task(which)
    found.members = team_members(event)
    found.missing = list_missing(Q(event=event))
    return found


def team_members(event: Event) -> dict[int, frozenset[int]]:
    """The people of each team of the event, by team."""
    members: dict[int, set[int]] = defaultdict(set)
    seats = TeamMember.objects.seated().filter(team__event=event)
    for team_id, person_id in seats.values_list("team_id", "person_id"):
        members[team_id].add(person_id)
    return {team_id: frozenset(people) for team_id, people in members.items()}


def _lines(task: Task, loaded: _Loaded, viewer: Person | None) -> tuple[BoardClaim, ...]:
    seen = left = list(loaded.seen.get(task.pk, ()))
    lines, waiting = [], 0
    for claim in _in_order(loaded.claims[task.pk]):
        people = _people(claim, loaded)
        theirs = [pr for pr in seen if pr.counts_for & people]
        left = [pr for pr in left if pr not in theirs]
        named = pull_requests.named_only(claim.table_pull_requests, theirs)
        waiting += claim.standing == Claim.Standing.WAITING
        lines.append(
            BoardClaim(
                name=str(claim.claimant),
                kind="team" if claim.team_id else "person",
                standing=claim.standing,
                pull_requests=(*theirs, *named),
                is_mine=viewer is not None and viewer.pk in people,
                claim=claim,
                place=waiting if claim.standing == Claim.Standing.WAITING else None,
            )
        )
    return (*lines, *_without_claim(left))


def _people(claim: Claim, loaded: _Loaded) -> frozenset[int]:
    if claim.person is not None:
        return frozenset({claim.person.pk, claim.person.whole_id})
    return loaded.members.get(claim.team_id or 0, frozenset())


def _in_order(claims: Iterable[Claim]) -> list[Claim]:
    order = {"requested": 1, "waiting": 2} | dict.fromkeys(Claim.GONE, 3)
    return sorted(claims, key=lambda claim: (order.get(claim.standing, 0), _since(claim), claim.pk))


def _since(claim: Claim) -> datetime:
    """In line by the time of asking, everybody else by the time of their claim."""
    return claim.standing_at if claim.standing == Claim.Standing.WAITING else claim.created_at


def _without_claim(seen: Iterable[SeenPullRequest]) -> list[BoardClaim]:
    by_author: dict[str, list[SeenPullRequest]] = defaultdict(list)
    for pr in seen:
        by_author[pr.author].append(pr)
    return [BoardClaim(author, "person", "", tuple(prs)) for author, prs in by_author.items()]
