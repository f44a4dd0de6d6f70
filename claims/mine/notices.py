"""The bell as pages show it: how many notices are new, and what each says in words."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils.dateparse import parse_datetime
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from claims.free_tasks import free_near
from claims.models import Claim, Notice
from portal.models import Person
from rewards import rules
from rewards.models import Pool
from tasks_board.models import Event, Task, Team, TeamMember

MOST_SHOWN = 200
MOST_COUNTED = 100  # a bell says 99+
_LOST_HERE = "superseded"
_INVITED = "invited"
_DESK = "desk"
_OF_A_TITLE = "title_"  # how their kinds begin

_WORDS: Mapping[str, tuple[str, "str | Promise"]] = {
    "admitted": ("check", gettext_lazy("%(by)s let you in: %(task)s is yours")),
    "declined": ("x", gettext_lazy("%(by)s declined your claim on %(task)s")),
    "waiting": ("hourglass", gettext_lazy("%(by)s said yes: you stand in line for %(task)s")),
    "released": ("sign-out", gettext_lazy("%(by)s released your claim on %(task)s")),
    "rejected": ("x", gettext_lazy("%(by)s did not accept the work on %(task)s; the claim goes on")),
    "deferred": ("pause", gettext_lazy("%(by)s put %(task)s aside")),
    "blocked": ("blocked", gettext_lazy("%(by)s noted that %(task)s is held up")),
    "follows_facts": ("undo", gettext_lazy("%(by)s left %(task)s to what GitHub says again")),
    "undone": ("undo", gettext_lazy("%(by)s took a decision on %(task)s back")),
    "extended": ("history", gettext_lazy("%(by)s gave you more time for %(task)s")),
    "expired": ("stopwatch", gettext_lazy("The time for %(task)s ran out, so the claim has ended")),
    "reminded": ("clock", gettext_lazy("The time for %(task)s ends soon")),
    "promoted": ("person-add", gettext_lazy("A place became free: %(task)s is yours now")),
    "entered": (
        "person-add",
        gettext_lazy("The table names you for %(task)s; by the rules a mentor has to let you in first"),
    ),
    "in_line": (
        "hourglass",
        gettext_lazy("The table names you for %(task)s; all places are taken, so you wait in line"),
    ),
    "task_deferred": ("pause", gettext_lazy("%(task)s is put aside; while it is, your time stands still")),
    "task_blocked": ("blocked", gettext_lazy("%(task)s is held up; while it is, your time stands still")),
    "task_resumed": ("history", gettext_lazy("%(task)s goes on, and your time begins anew")),
    "mate_claimed": ("person", gettext_lazy("%(by)s claimed %(task)s for your team")),
    "mate_requested": ("person-add", gettext_lazy("%(by)s asked for %(task)s for your team")),
    "mate_waiting": ("hourglass", gettext_lazy("%(by)s put your team in line for %(task)s")),
    "mate_renewed": ("history", gettext_lazy("%(by)s began the time of %(task)s anew")),
    "mate_released": ("sign-out", gettext_lazy("%(by)s gave %(task)s back for your team")),
    "completed": ("check-circle-fill", gettext_lazy("%(task)s is done and counted for you")),
    "partly_completed": ("tasklist", gettext_lazy("A part of %(task)s is done and counted for you")),
    "revoked": ("undo", gettext_lazy("%(task)s no longer counts as done by you")),
    "removed": (
        "x",
        gettext_lazy("%(task)s was taken out of the list of tasks, so it asks nothing of you any more"),
    ),
    "superseded": (
        "history",
        gettext_lazy(
            "%(by)s’s work on %(task)s was merged first, so your claim has ended. Thank you for yours"
        ),
    ),
    "restored": ("undo", gettext_lazy("Your claim on %(task)s is open again")),
    "proposal_merged": (
        "git-merge",
        gettext_lazy("Your proposal %(about)s for %(task)s is merged; the code comes next"),
    ),
    "closed": ("git-pull-request-closed", gettext_lazy("%(about)s for %(task)s was closed without merging")),
    "reverted": ("undo", gettext_lazy("%(about)s for %(task)s was reverted")),
    "merged_elsewhere": (
        "git-merge",
        gettext_lazy(
            "%(about)s is merged, but onto another branch; a mentor decides whether %(task)s is done"
        ),
    ),
    "named_only": (
        "git-merge",
        gettext_lazy("%(about)s is merged; a mentor decides whether it is for %(task)s"),
    ),
    "approved": ("check", gettext_lazy("%(by)s approved %(about)s for %(task)s")),
    "changes_requested": ("file-diff", gettext_lazy("%(by)s asked for changes in %(about)s for %(task)s")),
    "title_unread": (
        "question",
        gettext_lazy("The title of %(about)s names no task that is there. Begin it with %(title)s"),
    ),
    "title_shared": (
        "question",
        gettext_lazy(
            "Several tasks carry the number in the title of %(about)s, so a mentor has to say which one it is for"
        ),
    ),
    "title_of_several": (
        "question",
        gettext_lazy(
            "Several events go by the name in the title of %(about)s, so a mentor has to say which one it is for"
        ),
    ),
    "invited": ("people", gettext_lazy("%(by)s invites you into the team %(team)s")),
    "joined": ("people", gettext_lazy("%(by)s has joined your team %(team)s")),
    "desk": ("inbox", gettext_lazy("Something new waits at the mentor’s desk")),
}
KINDS = tuple(_WORDS)


def describe_kind(kind: str) -> str:
    """What a notice of that kind says, of some task and pull request."""
    return str(_WORDS[kind][1]) % {
        "by": _("Somebody"),
        "task": "No.1",
        "about": "owner/name#1",
        "title": "【…】",
        "team": "…",
    }


@dataclass(frozen=True, slots=True)
class NoticeLine:
    """One notice in words, with what stands beside it."""

    notice: Notice
    icon: str
    text: str
    url: str
    until: datetime | None = None
    team: str | None = None  # the name of the one that it is about
    amounts: Sequence[tuple[Pool, Decimal]] = ()
    free: Sequence[Task] = ()
    invitation: Team | None = None  # into which its reader may still be in, or say no to

    @property
    def about(self) -> str | None:
        """The pull request that it is about, as owner/name#number."""
        return self.notice.data.get("about") or None

    @property
    def is_new(self) -> bool:
        """Whether its reader has not seen it."""
        return self.notice.seen_at is None


def notices_of(person: Person) -> QuerySet[Notice]:
    """Everything the person was told, under whichever of their accounts."""
    whole = person.whole_id
    accounts = Person.objects.filter(Q(pk=whole) | Q(canonical=whole))
    return Notice.objects.filter(person__in=accounts.values("pk"))


def invitations_of(person: Person) -> QuerySet[TeamMember]:
    """The teams that would like to have the person, and have had no answer."""
    theirs = Q(person=person) | Q(person__canonical=person)
    return TeamMember.objects.filter(theirs, accepted_at=None, left_at=None)


def count_unseen(person: Person) -> int:
    """How many notices are new, up to as many as a bell can say. One query."""
    return notices_of(person).filter(seen_at=None)[:MOST_COUNTED].count()


def unseen_at(
    person: Person, page: str, *, event: Event | None = None, task: Task | None = None
) -> QuerySet[Notice]:
    """What is new to the person and leads to that page: `me`, or an event's `desk`, `task` or `teams`, as `_page` says."""
    new = notices_of(person).filter(seen_at=None)
    if page == "me":
        return new.filter(kind__startswith=_OF_A_TITLE)
    new = new.filter(event=event).exclude(kind__startswith=_OF_A_TITLE)
    if page == "desk":
        return new.filter(kind=_DESK)
    new = new.exclude(kind=_DESK)
    return new.filter(task=task) if task is not None else new.filter(task=None, data__has_key="team")


def latest_of(person: Person) -> QuerySet[Notice]:
    """The same with what they are about, the latest first."""
    related = notices_of(person).select_related("event", "task__direction", "task__event", "claim__team")
    return related.order_by("-at", "-pk")


def list_notices(person: Person) -> list[NoticeLine]:
    """What the person was told, the latest first."""
    return describe(latest_of(person)[:MOST_SHOWN], person)


def describe(notices: Iterable[Notice], reader: Person) -> list[NoticeLine]:
    """Notices of the reader, as `latest_of` loads them, in words; in a fixed number of queries."""
    found = list(notices)
    known = _Known.of(found, reader)
    return [_line(notice, known) for notice in found]


@dataclass(frozen=True, slots=True)
class _Known:
    people: Mapping[int, Person]
    claims: Mapping[int, Claim]
    teams: Mapping[int, Team]
    pools: Mapping[int, Pool]
    free: Mapping[int, Sequence[Task]]
    inviting: frozenset[int]  # teams that wait for the reader's answer

    @classmethod
    def of(cls, notices: Iterable[Notice], reader: Person) -> "_Known":
        notices = list(notices)
        by_claim = {notice.data.get("by_claim") for notice in notices} - {None}
        pools = {pool for notice in notices for pool, _steps in notice.data.get("amounts", ())}
        lost = [n.task for n in notices if n.kind == _LOST_HERE and n.task is not None]
        return cls(
            Person.objects.in_bulk({n.data.get("by") for n in notices} - {None}),
            Claim.objects.select_related("person", "team").in_bulk(by_claim),
            Team.objects.in_bulk({n.data.get("team") for n in notices} - {None}),
            Pool.objects.in_bulk(pools),
            free_near(lost),
            frozenset(
                invitations_of(reader).values_list("team", flat=True)
                if any(n.kind == _INVITED for n in notices)
                else ()
            ),
        )


def _line(notice: Notice, known: _Known) -> NoticeLine:
    icon, sentence = _WORDS.get(notice.kind, ("info", notice.kind))
    text = str(sentence) % {
        "by": _by(notice, known),
        "task": _task(notice),
        "about": notice.data.get("about", ""),
        "title": notice.data.get("title", ""),
        "team": known.teams.get(notice.data.get("team", 0), ""),
    }
    amounts = [
        (known.pools[pool], rules.from_steps(steps, scale=known.pools[pool].scale))
        for pool, steps in notice.data.get("amounts", ())
        if pool in known.pools
    ]
    is_lost = notice.kind == _LOST_HERE
    team = known.teams.get(notice.data.get("team", 0))
    is_open = notice.kind == _INVITED and team is not None and team.pk in known.inviting
    return NoticeLine(
        notice=notice,
        icon=icon,
        text=text,
        url=_url(notice),
        until=parse_datetime(str(notice.data.get("until", ""))),
        team=str(team) if team is not None else None,
        amounts=amounts,
        free=known.free.get(notice.task_id or 0, ()) if is_lost else (),
        invitation=team if is_open else None,
    )


def _by(notice: Notice, known: _Known) -> str:
    claim = known.claims.get(notice.data.get("by_claim", 0))
    if claim is not None:
        return str(claim.claimant)
    person = known.people.get(notice.data.get("by", 0))
    return person.login if person else _("Somebody")


def _task(notice: Notice) -> str:
    task = notice.task
    return _("No.%(number)s %(title)s") % {"number": task.number, "title": task.title} if task else ""


def _page(notice: Notice) -> str:
    """The name of the page to which it leads."""
    if notice.kind == _DESK:
        return "desk"
    if notice.kind.startswith(_OF_A_TITLE):
        return "me"
    if notice.task_id is not None:
        return "task"
    return "teams" if "team" in notice.data else "event"


def _url(notice: Notice) -> str:
    page = _page(notice)
    if page == "me":
        return reverse(page)
    of_task = [notice.task_id] if page == "task" else []
    return reverse(page, args=[notice.event.slug, *of_task])
