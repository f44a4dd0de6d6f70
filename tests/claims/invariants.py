"""What has to hold after any sequence of what people, texts and GitHub do."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import datetime

from claims.models import Claim, Notice, PullRequest
from claims.operations.checking import check_standings
from portal.models import Person
from rewards import guards, ledger
from rewards.models import Completion, Pool
from tasks_board.models import EventMark, TeamMember
from tests.rewards.scenes import balance

_ENTITLED = ("accepted", "partial")


def faults(*, pool: Pool, now: datetime) -> Iterator[str]:
    """What does not hold, in words."""
    yield from (f"ledger: {problem}" for problem in guards.problems())
    yield from (f"standing: {difference}" for difference in check_standings(now=now, fix=False))
    yield from _faults_of_claims()
    yield from _faults_of_money(pool)
    yield from _faults_of_notices()


def _faults_of_claims() -> Iterator[str]:
    seats: dict[int, set[int]] = defaultdict(set)
    for seat in TeamMember.objects.seated().select_related("person"):
        seats[seat.team_id].add(seat.person.canonical_id or seat.person_id)
    in_teams = Counter(person for people in seats.values() for person in people)
    yield from (f"in two teams: {person}" for person, times in in_teams.items() if times > 1)
    claims = list(Claim.objects.select_related("person", "team", "task"))
    on: Counter[tuple[int, int]] = Counter()
    for claim in claims:
        if claim.standing in Claim.GONE:
            continue
        whose = {claim.person.canonical_id or claim.person.pk} if claim.person else seats[claim.team_id or 0]
        on.update((claim.task_id, person) for person in whose)
    yield from (f"twice on a task: {key}" for key, times in on.items() if times > 1)
    credited = {(c.task_id, c.person_id, c.team_id): c for c in Completion.objects.active()}
    for claim in claims:
        completion = credited.pop((claim.task_id, claim.person_id, claim.team_id), None)
        if completion is not None and not claim.shown:
            yield f"credited and not shown: {claim.claimant} on {claim.task.number}"
        if completion is not None and claim.standing not in ("done", "partly_done"):
            yield f"credited and {claim.standing}: {claim.claimant}"
    yield from (f"credited without a claim: {key}" for key in credited)


def _faults_of_money(pool: Pool) -> Iterator[str]:
    unpaid = set(EventMark.objects.filter(kind="unpaid", lifted_at=None).values_list("person_id", flat=True))
    owed: Counter[int] = Counter()
    for completion in Completion.objects.active().filter(person__isnull=False):
        owed[completion.person_id or 0] += 1
    for person in Person.objects.all():
        held = balance(ledger.account_of(pool=pool, person=person))
        whole = person.canonical_id or person.pk
        if (held > 0) is not (owed[person.pk] > 0 and whole not in unpaid):
            yield f"{person} holds {held} for {owed[person.pk]} completions"


def _faults_of_notices() -> Iterator[str]:
    for notice in Notice.objects.exclude(kind="desk"):
        if notice.data.get("by") == notice.person_id:
            yield f"told of their own act: {notice.person} {notice.kind}"


def entitled(completion: Completion) -> bool:
    """Whether a word of somebody entitled, or a merge, stands behind it."""
    claim = Claim.objects.get(task=completion.task_id, person=completion.person_id, team=completion.team_id)
    if claim.basis == "fact":
        return PullRequest.objects.filter(state="merged").exists()
    return claim.decisions.filter(kind__in=_ENTITLED).exists()
