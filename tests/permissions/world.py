"""Three events with something of everything in each, and everybody who may ask for it."""

from dataclasses import dataclass, field
from datetime import timedelta
from functools import cached_property
from typing import Any

from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import NoReverseMatch, URLResolver, get_resolver, reverse

from claims.models import Claim, Decision, ImportDraft, IssueComment, Notice, PullRequest, TableConflict
from portal.common import clock
from portal.models import Person, User
from tasks_board.models import (
    Event,
    EventMark,
    EventRole,
    IssueRevision,
    Phase,
    Registration,
    Task,
    TaskEdit,
    TaskHelper,
    Team,
    TeamMember,
    TrackingIssue,
)
from tests.pages.scenes import (
    BACKEND,
    NOW,
    make_claim,
    make_event,
    make_person,
    make_pull_request,
    make_task,
)
from tests.permissions.forms import FORMS as FORMS
from tests.permissions.forms import NAMES as NAMES

HUGE = 2**63


_PK, _PULL_REQUEST = 987654321, 987654322
BEFORE = NOW - timedelta(days=1)  # what was so already


@dataclass
class Place:
    """An event and one of each kind of thing in it."""

    event: Event
    task: Task
    claim: Claim
    issue: TrackingIssue
    comment: IssueComment
    conflict: TableConflict
    cell: TaskEdit  # changed on both sides
    revision: IssueRevision
    pull_request: PullRequest  # for the task, by somebody without a claim
    draft: ImportDraft  # of an event, by somebody else
    notice_pk: int  # of a notice that the claimant has seen
    decision: Decision  # about the claim, by a mentor of the event, made just now
    team: Team  # led by the claimant, with one member more
    mark: EventMark
    role: EventRole
    team_name: Team
    person_name: Person

    @property
    def phase(self) -> Phase:
        return self.event.phases.get()

    def id_of(self, name: str) -> int:
        return int(getattr(self, name).pk)


@dataclass
class World:
    """Where we ask (`here`), what else there is, and who asks."""

    here: Place
    elsewhere: Place
    hidden: Place
    people: dict[str, list[Person | User | None]]
    clients: dict[str, list[Client]] = field(default_factory=dict)

    def clients_of(self, column: str) -> list[Client]:
        """A client for each person whom the column stands for."""
        if column not in self.clients:
            self.clients[column] = [sign_in(somebody) for somebody in self.people[column]]
        return self.clients[column]

    @cached_property
    def olga(self) -> Person:
        [person] = self.people["organizer"]
        assert isinstance(person, Person)
        return person


def sign_in(somebody: Person | User | None, *, enforce_csrf_checks: bool = False) -> Client:
    """A browser of theirs; Django's test client looks at the forms' tokens only if asked to."""
    client = Client(enforce_csrf_checks=enforce_csrf_checks)
    client.cookies["regatta_language"] = "en"
    if somebody is not None:
        user = somebody if isinstance(somebody, User) else User.objects.get(person=somebody)
        client.force_login(user, backend=BACKEND)
    return client


def address(route: str, place: Place, *, pk: int | None = None, pull_request: int | None = None) -> str:
    """The address of a route in that event, with an id of that event unless another one is given, fit or not."""
    known: dict[str, Any] = {
        "slug": place.event.slug,
        "login": "alice",
        "pull_request": _PULL_REQUEST,
        "notice": place.notice_pk,
    }
    if route in NAMES:
        known["pk"] = _PK
        pk = place.id_of(NAMES[route]) if pk is None else pk
    pull_request = place.pull_request.pk if pull_request is None else pull_request
    made = _reverse(route, known)
    return made.replace(str(_PULL_REQUEST), str(pull_request)).replace(str(_PK), str(pk))


def _reverse(route: str, known: dict[str, Any]) -> str:
    for names in (
        (),
        ("slug",),
        ("pk",),
        ("slug", "pk"),
        ("slug", "pk", "pull_request"),
        ("login",),
        ("notice",),
    ):
        try:
            return reverse(route, kwargs={name: known[name] for name in names if name in known})
        except NoReverseMatch:
            continue
    raise LookupError(f"{route}: what its address is made of is not known here")


def routes(resolver: URLResolver | None = None, namespace: str = "", path: str = "/") -> list[str]:
    """Every route of the project by its name; one without a name as its path."""
    found: list[str] = []
    for pattern in (resolver or get_resolver()).url_patterns:
        here = path + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            inner = f"{namespace}{pattern.namespace}:" if pattern.namespace else namespace
            found += routes(pattern, inner, here)
        else:
            found.append(namespace + pattern.name if pattern.name else here)
    return found


def form_of(route: str, place: Place) -> dict[str, str] | None:
    """What the form of a route sends, with the ids of things in that event."""
    form = FORMS.get(route)
    if form is None:
        return None
    if route == "set_event_status" and place.event.status == "closed":
        form = {"status": "archived"}
    elif route == "set_event_status" and place.event.status == "archived":
        form = {"status": "closed"}
    claim, task = str(place.claim.pk), str(place.task.pk)
    return {name: value.replace("<claim>", claim).replace("<task>", task) for name, value in form.items()}


def make_place(slug: str, claimant: Person, *, status: str, number: int) -> Place:
    event = make_event(slug, status=status, repositories=["PaddlePaddle/Paddle"])
    body = f"| 序号 | 任务 | 认领人 |\n| - | - | - |\n| {number} | 静音 | @{claimant.login} |"
    issue = TrackingIssue.objects.create(
        event=event,
        repository="PaddlePaddle/Paddle",
        number=number,
        body=body,
        agreed_body=body,
        read_at=NOW,
        lacks_column=True,
        alarm="another_writer",
    )
    task = make_task(event, 1, "dtype 动静统一", tracking_issue=issue)
    ticked = make_task(event, 2, "老任务", tracking_issue=issue, state="done")
    claim = make_claim(task, claimant, "claimed")
    old = make_person(f"old-{slug}", 1000 + number)
    Claim.objects.create(
        task=ticked, person=old, standing="done", standing_at=NOW, created_at=NOW, basis="statement"
    )
    revision = IssueRevision.objects.create(tracking_issue=issue, sha256=slug.ljust(64, "0"), at=NOW)
    comment = IssueComment.objects.create(
        tracking_issue=issue,
        github_id=number,
        author=old,
        body="第十三题?\n\n| 序号 | 任务 |\n| - | - |\n| 13 | 第十三题 |",
        reading={"by_issue_author": True},
        written_at=NOW,
        updated_at=NOW,
        needs_help=True,
    )
    conflict = TableConflict.objects.create(
        claim=claim, ours="claimed", theirs="withdrawn", revision=revision, raised_at=NOW
    )
    cell = TaskEdit.objects.create(
        task=task, field="title", base="旧", value="新", theirs="静音", made_at=NOW, conflict_at=NOW
    )
    Phase.objects.create(event=event, name="First phase", claims_open=True)
    stray = make_pull_request(task, make_person(f"dan-{slug}", 2000 + number), number)
    owner = User.objects.create(username=f"drafts-{slug}")
    draft = ImportDraft.objects.create(owner=owner, repository="harbor/lantern", body="| |", created_at=NOW)
    notice = Notice.objects.create(
        person=claimant, event=event, task=task, kind="admitted", at=NOW, seen_at=NOW, key=f"of:{slug}"
    )
    decision = Decision.objects.create(
        claim=claim,
        kind="extended",
        at=NOW,
        until=NOW,
        decided_by=old,
        source="web",
        key=f"given:{claim.pk}",
        recorded_at=clock.now(),
    )
    return Place(
        event,
        task,
        claim,
        issue,
        comment,
        conflict,
        cell,
        revision,
        stray,
        draft,
        notice.pk,
        decision,
        *make_people(event, ticked, claimant),
    )


def make_people(event: Event, task: Task, captain: Person) -> tuple[Team, EventMark, EventRole, Team, Person]:
    """A team, a mark, a role, and names that nobody has linked."""
    team = Team.objects.create(event=event, name="Oars", captain=captain, created_at=NOW)
    member, _created = Person.objects.get_or_create(
        pk=910002101, defaults={"login": "bea", "github_id": 910002101}
    )
    for person in (captain, member):
        TeamMember.objects.create(team=team, person=person, invited_at=BEFORE, accepted_at=BEFORE)
    judge, _created = Person.objects.get_or_create(
        pk=910002102, defaults={"login": "jo", "github_id": 910002102}
    )
    mark = EventMark.objects.create(event=event, person=member, kind="unpaid", set_at=NOW)
    role = EventRole.objects.create(event=event, person=judge, role="judge", granted_at=NOW)
    TaskHelper.objects.create(task=task, person=judge, role="mentor", granted_at=NOW)
    name = Team.objects.create(event=event, name="Old Boat", created_at=NOW)
    bare = Person.objects.create(login=f"老王-{event.slug}")
    for claimant in ({"team": name}, {"person": bare}):
        Claim.objects.create(task=task, standing_at=NOW, created_at=NOW, **claimant)
    Registration.objects.create(event=event, name="Bo", login="bob", key="bob", contact="x", imported_at=NOW)
    return team, mark, role, name, bare


def give(event: Event, login: str, github_id: int, role: str) -> Person:
    person = make_person(login, github_id)
    EventRole.objects.create(event=event, person=person, role=role, granted_at=NOW)
    return person


def make_world(status: str = "running") -> World:
    alice = make_person("alice", 1)
    here = make_place("here", alice, status=status, number=701)
    elsewhere = make_place("elsewhere", make_person("zoe", 2), status="running", number=702)
    hidden = make_place("hidden", make_person("ghost", 3), status="draft", number=703)
    make_person("regatta-bot", 9)
    Person.objects.filter(login="regatta-bot").update(is_portal=True)
    second = Task.objects.get(event=here.event, number="2")
    bob, named, helper = make_person("bob", 10), make_person("nell", 11), make_person("hal", 12)
    mei, noa = make_person("mei", 13), make_person("noa", 14)
    for task, person, role, granted in (
        (here.task, mei, "mentor", NOW),
        (second, noa, "mentor", NOW),
        (here.task, named, "mentor", None),
        (here.task, helper, "assistant", NOW),
    ):
        TaskHelper.objects.create(task=task, person=person, role=role, granted_at=granted)
    for place in (elsewhere, hidden):  # an organizer of the others, so that only the event stands between
        give(place.event, f"otto-{place.event.slug}", 3000 + place.event.pk, "organizer")
    otto = Person.objects.get(login="otto-elsewhere")
    EventRole.objects.create(event=hidden.event, person=otto, role="organizer", granted_at=NOW)
    judge = give(here.event, "judy", 15, "judge")
    emma = give(here.event, "emma", 16, "mentor")
    Decision.objects.filter(pk=here.decision.pk).update(decided_by=emma)
    people: dict[str, list[Person | User | None]] = {
        "stranger": [None],
        "contributor": [bob, named, helper],
        "claimant": [alice],
        "mentor of the task": [mei],
        "mentor of another task": [noa],
        "mentor of the event": [emma],
        "judge, assistant": [judge, give(here.event, "axel", 17, "assistant")],
        "organizer": [give(here.event, "olga", 18, "organizer")],
        "organizer elsewhere": [otto],
        "admin account": [User.objects.create(username="root", is_staff=True, is_superuser=True)],
        "staff": [User.objects.create(username="idle", is_staff=True)],
        "staff who may look": [looker()],
    }
    people["superuser"] = people["admin account"]
    return World(here, elsewhere, hidden, people)


def looker() -> User:
    """May look at everything in the admin, and would like to change accounts and groups too."""
    user = User.objects.create(username="looker", is_staff=True)
    rights = Permission.objects.filter(codename__startswith="view_")
    tempting = Permission.objects.filter(
        codename__in=["change_user", "change_group", "add_user", "delete_user"]
    )
    user.user_permissions.set(rights | tempting)
    return user
