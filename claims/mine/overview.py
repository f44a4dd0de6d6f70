"""A contributor's own page: every claim with its next step, whose turn it is, the time that is left, and why it stands so.

Everything in a fixed number of queries, however many claims and events there are.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.db.models import Q
from django.utils.translation import gettext as _

from claims import evidence, pull_requests, time_left, words
from claims.evidence import Evidence
from claims.free_tasks import free_near
from claims.mine import next_steps
from claims.mine.checks import CheckedPullRequest, check_others, check_own
from claims.mine.next_steps import ENDED, FINISHED, NextStep
from claims.mine.notices import invitations_of
from claims.models import Claim, PullRequest
from claims.near_misses import NearMiss, Why
from claims.pull_requests import SeenPullRequest
from claims.queries import find_claims_of
from claims.time_left import TimeLeft
from claims.unread_titles import watch_titles
from portal.models import Person
from tasks_board import rights
from tasks_board.models import Event, Task, TeamMember
from tasks_board.queries import list_visible_events
from tasks_board.title_starts import title_start

MOST_CLAIMS, MOST_MISSES = 200, 30


@dataclass(frozen=True, slots=True)
class MyClaim:
    """One claim as its claimant sees it."""

    claim: Claim
    group: str
    why: str
    doubts: Sequence[str]
    step: NextStep
    time: TimeLeft | None
    pull_requests: Sequence[CheckedPullRequest]
    winner: str = ""  # who was merged first, where the claim was overtaken
    free: Sequence[Task] = ()  # what is still free in the same direction then

    @property
    def may_release(self) -> bool:
        """Whether there is something to give back."""
        return self.group not in (FINISHED, ENDED)


@dataclass(frozen=True, slots=True)
class MissedPullRequest:
    """A pull request that seems to mean a task and is tied to none: why, and with which title it would be understood."""

    pull_request: PullRequest
    event: Event
    why: str
    title: str
    is_too_early: bool = False  # opened before the event began to count


@dataclass(slots=True)
class _Loaded:
    entries: Mapping[int, Sequence[Evidence]]
    seen: Mapping[int, Sequence[SeenPullRequest]]
    free: Mapping[int, Sequence[Task]] = field(default_factory=dict)


def list_mine(person: Person, *, now: datetime, current_only: bool = False) -> dict[str, list[MyClaim]]:
    """The person's claims, a team's included, by group and the most pressing first."""
    found = find_claims_of(person, viewer=person)
    if current_only:
        gone = [standing for standing in Claim.GONE if standing != "closed_unmerged"]
        found = found.exclude(standing__in=[*gone, "done"])
    keys = {claim.pk: claim.task_id for claim in found[:MOST_CLAIMS]}
    tasks = list(
        Task.objects.filter(pk__in=keys.values()).select_related("event", "direction").order_by("pk")
    )
    loaded = _Loaded(
        evidence.gather(tasks, rights.deciders_of(tasks)),
        pull_requests.list_by_task(Q(task__in=tasks)),
    )
    own = [e for task in tasks for e in loaded.entries[task.pk] if e.claim.pk in keys]
    lost = [entry.claim.task for entry in own if entry.claim.standing == "superseded"]
    if not current_only:
        loaded.free = free_near(lost)
    groups: dict[str, list[MyClaim]] = {group: [] for group in next_steps.GROUPS}
    for entry in own:
        mine = _describe(entry, loaded, now)
        groups[mine.group].append(mine)
    for group, claims in groups.items():
        groups[group] = sorted(claims, key=_urgency)
    return groups


def _urgency(mine: MyClaim) -> tuple[float, float]:
    """What ends first comes first; the rest by the latest change."""
    due = mine.time.due_at.timestamp() if mine.time else float("inf")
    return due, -mine.claim.standing_at.timestamp()


def _describe(entry: Evidence, loaded: _Loaded, now: datetime) -> MyClaim:
    claim = entry.claim
    seen = loaded.seen.get(claim.task_id, ())
    others = loaded.entries[claim.task_id]
    facts = {fact.address.lower(): fact for fact in entry.pull_requests}
    own = [pr for pr in seen if pr.address.lower() in facts]
    checked = [check_own(pr, facts[pr.address.lower()], claim) for pr in own]
    checked += [check_others(pr) for pr in _named_by_texts(seen, own, others)]
    is_lost = claim.standing == "superseded"
    return MyClaim(
        claim=claim,
        group=next_steps.group_of(claim),
        why=words.why(claim),
        doubts=[words.doubt(doubt) for doubt in claim.doubts],
        step=next_steps.next_step(claim, own, place=_place(claim, others)),
        time=time_left.time_left(entry, now),
        pull_requests=checked,
        winner=_winner(others) if is_lost else "",
        free=loaded.free.get(claim.task_id, ()) if is_lost else (),
    )


def _named_by_texts(
    seen: Iterable[SeenPullRequest], own: Sequence[SeenPullRequest], others: Iterable[Evidence]
) -> list[SeenPullRequest]:
    """Those that a comment or the table names for the task, by people who have no claim on it."""
    of_claims = {fact.address.lower() for other in others for fact in other.pull_requests}
    named = [pr for pr in seen if pr.reason in ("comment", "table") and not pr.is_revert]
    return [pr for pr in named if pr not in own and pr.address.lower() not in of_claims]


def _place(claim: Claim, others: Iterable[Evidence]) -> int | None:
    if claim.standing != Claim.Standing.WAITING:
        return None
    line = sorted((o.claim.standing_at, o.claim.pk) for o in others if o.claim.standing == "waiting")
    return line.index((claim.standing_at, claim.pk)) + 1


def _winner(others: Iterable[Evidence]) -> str:
    done = [(o.claim.standing_at, o.claim.pk, o.claim) for o in others if o.claim.standing == "done"]
    return str(min(done)[2].claimant) if done else ""


def list_invitations(person: Person) -> list[TeamMember]:
    """The teams that would like to have the person, and have had no answer."""
    return list(
        invitations_of(person).select_related("team__event", "team__captain").order_by("-invited_at", "-pk")
    )


def list_missed(person: Person) -> list[MissedPullRequest]:
    """Their latest pull requests in watched repositories that look like work on a task and are tied to none."""
    authored = Q(author=person) | Q(author__canonical=person)
    loose = PullRequest.objects.filter(authored, links=None).order_by("-opened_at", "-pk")[:MOST_MISSES]
    running = list_visible_events(viewer=person).filter(status=Event.Status.RUNNING)
    watches = sorted(
        watch_titles(running.order_by("pk"), of=person), key=lambda watch: not watch.holds(person)
    )
    found = []
    for pull_request in loose.select_related("author"):
        misses = (
            (watch.event, miss)
            for watch in watches
            if _is_watched(watch.event, pull_request) and (miss := watch.near_miss(pull_request)) is not None
        )
        if (first := next(misses, None)) is not None:
            found.append(_missed(pull_request, *first))
    return found


def _missed(pull_request: PullRequest, event: Event, miss: NearMiss) -> MissedPullRequest:
    since = event.pull_requests_since
    is_too_early = since is not None and pull_request.opened_at < since
    why, is_mended = _advice(miss)
    prefix = event.title_prefix or str(event.title_aliases[0])
    title = title_start(prefix, miss.number or "…") if is_mended else ""
    return MissedPullRequest(pull_request, event, why, title, is_too_early)


def _advice(miss: NearMiss) -> tuple[str, bool]:
    """What is amiss with a title, and whether another title mends it."""
    if miss.why is Why.UNKNOWN_NUMBER:
        return _("The event has no task %(number)s. Begin the title with") % {"number": miss.said}, True
    if miss.why is Why.SHARED_NUMBER:
        words = _("Several tasks carry the number %(number)s, so the title names none; a mentor says which.")
        return words % {"number": miss.said}, False
    if miss.why is Why.SHARED_NAME:
        return _("Several events go by this name. It is for the one where you claim the task."), False
    return _("Its title looks as if it meant a task. Begin it with"), True


def _is_watched(event: Event, pull_request: PullRequest) -> bool:
    watched = {name.lower() for name in (*event.repositories, *event.proposal_repositories)}
    return pull_request.repository.lower() in watched
