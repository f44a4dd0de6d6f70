"""Registration lists from outside: read, compared with what is known, taken in, and turned into invitations and teams.

A line is a person or a team; members that a line names besides become lines of their own. What identifies a line is its
login, else its name with its team. How to reach people is for organizers alone: it is stored, and nowhere written out.
"""

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from portal import audit, locks
from portal.accounts import people
from portal.common.sheets import Sheet
from portal.models import Person
from tasks_board import rights
from tasks_board.models import Event, Registration, Team
from tasks_board.operations import list_effects

COLUMNS: Mapping[str, Sequence[str]] = {
    "login": (
        "github",
        "github id",
        "github login",
        "github account",
        "github 账号",
        "github 用户名",
        "账号",
        "用户名",
        "队长",
        "队长 github",
        "captain",
    ),
    "name": ("姓名", "昵称", "full name", "participant", "参赛者", "选手", "报名人"),
    "team": ("队名", "队伍", "队伍名称", "团队", "团队名称", "team name"),
    "members": ("队员", "成员", "队友", "队员 github", "team members", "member"),
    "contact": ("联系方式", "contacts"),
    "email": ("e-mail", "mail", "邮箱", "电子邮箱", "邮件"),
    "phone": ("电话", "手机", "手机号", "telephone", "mobile"),
    "wechat": ("微信", "微信号", "qq"),
}
_CONTACTS = ("contact", "email", "phone", "wechat")
_LOGIN = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,38})(?:_[A-Za-z0-9]{1,20})?")
LONGEST_NAME, LONGEST_TEAM, LONGEST_CONTACT = 200, 120, 500


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of a list that can be taken in."""

    line: int
    name: str
    login: str
    team: str
    contact: str

    @property
    def key(self) -> str:
        """What identifies it: the login, else the name with its team, in lower case."""
        if self.login:
            return self.login.lower()
        key = f"{self.name}\n{self.team}".lower()
        return key if len(key) <= LONGEST_NAME else hashlib.sha256(key.encode()).hexdigest()

    def to_json(self) -> list[Any]:
        """Plain JSON."""
        return [self.line, self.name, self.login, self.team, self.contact]


@dataclass(frozen=True, slots=True)
class Refused:
    """A line that is not taken in, and why."""

    line: int
    text: str
    reason: str


@dataclass(frozen=True, slots=True)
class ReadList:
    """What a file says."""

    entries: Sequence[Entry]
    refused: Sequence[Refused]
    unknown: Sequence[str] = ()  # headers of columns that are not read


def read_list(sheet: Sheet) -> ReadList:
    """The lines of a sheet with the columns above, each person once; what cannot be taken in with its reason."""
    entries: dict[str, Entry] = {}
    refused: list[Refused] = []
    for row in sheet.rows:
        for entry in _entries_of(row.line, row.cells):
            reason = _why_refused(entry)
            first = entries.get(entry.key)
            if not reason and first is not None:
                reason = _("The same as line %(line)s.") % {"line": first.line}
            if reason:
                refused.append(Refused(entry.line, entry.login or entry.name or entry.team, reason))
            else:
                entries[entry.key] = entry
    return ReadList(list(entries.values()), refused, sheet.unknown)


def _entries_of(line: int, cells: Mapping[str, str]) -> Iterable[Entry]:
    login = people.plain_login(cells.get("login", ""))
    name, team = _flat(cells.get("name", "")), _flat(cells.get("team", ""))
    contact = "\n".join(filter(None, (cells.get(column, "") for column in _CONTACTS)))
    others = [people.plain_login(part) for part in re.split(r"[\s,;、，；/|]+", cells.get("members", ""))]
    others = [other for other in others if other and other.lower() != login.lower()]
    if login or name or not others:
        yield Entry(line, name or login or team, login, team, contact)
        contact = ""
    for other in dict.fromkeys(others):
        yield Entry(line, other, other, team, contact)
        contact = ""


def _flat(text: str) -> str:
    return " ".join(text.split())


def _why_refused(entry: Entry) -> str:
    if not entry.name:
        return _("It names nobody.")
    if entry.login and not _LOGIN.fullmatch(entry.login):
        return _("This is no GitHub login.")
    if len(entry.name) > LONGEST_NAME or len(entry.team) > LONGEST_TEAM:
        return _("The name is too long.")
    if len(entry.contact) > LONGEST_CONTACT:
        return _("The contact is too long.")
    return ""


@dataclass(frozen=True, slots=True)
class Planned:
    """What becomes of a line: new, changed, back, same; the person whose account it names, and the team."""

    entry: Entry
    change: str
    person: Person | None
    team: Team | None

    @property
    def is_new_team(self) -> bool:
        """Whether its team would have to be made."""
        return bool(self.entry.team) and self.team is None


@dataclass(frozen=True, slots=True)
class Plan:
    """What taking a list in would do."""

    lines: Sequence[Planned]
    gone: Sequence[Registration]

    def count(self, change: str) -> int:
        """How many lines of this change."""
        return sum(line.change == change for line in self.lines)

    @property
    def matched(self) -> int:
        """How many lines name somebody whose account is known."""
        return sum(line.person is not None for line in self.lines)

    @property
    def new_teams(self) -> Sequence[str]:
        """The teams that would have to be made."""
        return list({p.entry.team.lower(): p.entry.team for p in self.lines if p.is_new_team}.values())

    @property
    def fingerprint(self) -> str:
        """The same for plans that do the same."""
        lines = [
            f"{p.entry.key}:{p.change}:{p.person and p.person.pk}:{p.team and p.team.pk}" for p in self.lines
        ]
        gone = [f"-{registration.pk}" for registration in self.gone]
        return hashlib.sha256("\0".join([*lines, *gone]).encode()).hexdigest()[:32]


def plan(event: Event, entries: Sequence[Entry]) -> Plan:
    """Compare a list with what is known. Writes nothing. Four queries."""
    known = {row.key: row for row in event.registrations.all()}
    accounts = list_effects.accounts_of(entry.login for entry in entries)
    teams = list_effects.teams_of(event)
    lines = [
        Planned(
            entry,
            _change(entry, known.get(entry.key)),
            accounts.get(entry.login.lower()),
            teams.get(entry.team.lower()),
        )
        for entry in entries
    ]
    keys = {entry.key for entry in entries}
    gone = [row for row in known.values() if row.key not in keys and row.withdrawn_at is None]
    return Plan(lines, sorted(gone, key=lambda row: row.pk))


def _change(entry: Entry, row: Registration | None) -> str:
    if row is None:
        return "new"
    if row.withdrawn_at is not None:
        return "back"
    same = (row.name, row.login, row.team_name, row.contact) == (
        entry.name,
        entry.login,
        entry.team,
        entry.contact,
    )
    return "same" if same else "changed"


@transaction.atomic
def take_in(
    *,
    event: Event,
    entries: Sequence[Entry],
    effects: list_effects.Effects,
    acting_user: Person,
    now: datetime,
) -> list_effects.Settled:
    """Take a list in: lines are added or brought up to date by their key, those that are gone are withdrawn. Raises NotAllowed."""
    rights.check_may_organize(event, acting_user)
    locks.lock_rows(Event.objects.filter(pk=event.pk).only("pk"))
    wanted = plan(event, entries)
    known = {row.key: row for row in event.registrations.all()}
    for line in wanted.lines:
        if line.change != "same":
            _store(event, known.get(line.entry.key), line, acting_user, now)
    event.registrations.filter(pk__in=[row.pk for row in wanted.gone]).update(withdrawn_at=now)
    counts = {change: wanted.count(change) for change in ("new", "changed", "back", "same")}
    audit.record(
        "tasks_board.registrations_imported",
        actor=acting_user,
        target=event,
        now=now,
        event_id=event.pk,
        data={**counts, "gone": len(wanted.gone)},
    )
    return list_effects.settle(event=event, effects=effects, acting_user=acting_user, now=now)


def _store(event: Event, row: Registration | None, line: Planned, acting_user: Person, now: datetime) -> None:
    entry = line.entry
    row = row or Registration(event=event, key=entry.key)
    if row.team_name.lower() != entry.team.lower():
        row.team = None
    row.name, row.login, row.team_name, row.contact = entry.name, entry.login, entry.team, entry.contact
    row.person = line.person
    row.imported_by, row.imported_at, row.withdrawn_at = acting_user, now, None
    row.save()


@transaction.atomic
def show_contacts(*, event: Event, acting_user: Person, now: datetime) -> Sequence[Registration]:
    """The list with how to reach people, for an organizer; that they looked is noted. Raises NotAllowed."""
    rights.check_may_organize(event, acting_user)
    rows = list_lines(event)
    audit.record(
        "tasks_board.contacts_seen",
        actor=acting_user,
        target=event,
        now=now,
        event_id=event.pk,
        data={"lines": len(rows)},
    )
    return rows


def list_lines(event: Event) -> list[Registration]:
    """The lines of the list, those withdrawn last."""
    rows = event.registrations.select_related("person", "team__canonical")
    return sorted(rows, key=lambda row: (row.withdrawn_at is not None, row.team_name.lower(), row.pk))
