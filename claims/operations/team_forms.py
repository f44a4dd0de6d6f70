"""What the form of four fields means for teams: its author claims for their team, which is made if there is none of that name.

The author leads a team that is made so, and the logins that the form names are invited; nobody is a member without
accepting. Nothing of it happens where teams make no sense, or where no claim of the form is granted.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from claims.models import IssueComment
from claims.operations import teaming
from claims.replies import Line
from portal import outbox
from portal.accounts import people
from portal.common.errors import DomainError
from portal.github.types import Account
from portal.models import Person
from tasks_board.models import Event, Team
from tasks_board.operations import teams
from tasks_board.queries import has_teams

KIND = "meet_members"
LOOK_UPS = 10  # people looked up for one form
_LOGIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{0,38}")
_UNMET = ("no_such_person", "only_a_name")
_WHY_NOT_INVITED = {
    "team_is_full": "team_full",
    "no_such_person": "team_unknown_login",
    "only_a_name": "team_unknown_login",
    "not_a_person": "team_unknown_login",
}


@dataclass(frozen=True, slots=True)
class Named:
    """What came of the team that a form names: for whom the claims are, and what to tell its author."""

    team: Team | None
    lines: tuple[Line, ...] = ()
    is_new: bool = False


def find_team(event: Event, author: Person, name: str, *, own: Team | None, now: datetime) -> Named:
    """The author's own team, if that is whom the form names; a new one, if they have none and nobody has the name.

    A form that names another claims for its author alone, and says why.
    """
    if own is not None:
        if name.lower() in {own.name.lower(), *(alias.name.lower() for alias in own.aliases.all())}:
            return Named(own)
        return Named(None, (Line(name, "team_is_another"),))
    if not has_teams(event):
        return Named(None)
    try:
        made = teams.create_team(event=event, name=name, captain=author, now=now)
    except DomainError as refusal:
        if refusal.code != "name_taken":
            raise
        return Named(None, (Line(name, _why_not(event, author, name)),))
    return Named(made, (Line(made.name, "team_created"),), is_new=True)


def invite_named(team: Team, logins: Sequence[str], comment: IssueComment, now: datetime) -> list[Line]:
    """Invite the logins that a form names, each once whatever became of it: only the captain's form does.

    Whom nobody has met is looked up at GitHub after this transaction.
    """
    author = comment.author
    if team.captain_id != author.whole_id:
        return []
    lines: list[Line] = []
    unmet: list[str] = []
    for login in logins:
        try:
            person = people.need_account(login)
            if team.members.filter(person=person).exists():
                continue
            teaming.invite_to_team(team=team, login=login, acting_user=author, now=now)
        except DomainError as refusal:
            if refusal.code not in _WHY_NOT_INVITED:
                raise
            if refusal.code in _UNMET and _LOGIN.fullmatch(login) and len(unmet) < LOOK_UPS:
                unmet.append(login)
                lines.append(Line(login, "team_looked_up"))
            else:
                lines.append(Line(login, _WHY_NOT_INVITED[refusal.code]))
        else:
            lines.append(Line(login, "team_invited"))
    if unmet:
        payload = {"comment": comment.pk, "team": team.pk, "logins": unmet}
        outbox.enqueue(KIND, key=f"members:{comment.pk}", payload=payload, now=now)
    return lines


@transaction.atomic
def invite_met(*, team: Team, accounts: Sequence[Account], author: Person, now: datetime) -> None:
    """Invite whom a form named and GitHub knows, as far as there is room, if its author still leads the team. Raises LockBusy."""
    for account in accounts:
        person = people.remember(account, seen_at=now)
        team.refresh_from_db(fields=["captain"])
        if team.captain_id != author.whole_id or team.members.filter(person=person).exists():
            continue
        try:
            teaming.invite_to_team(team=team, login=account.login, acting_user=author, now=now)
        except DomainError as refusal:
            if refusal.code not in _WHY_NOT_INVITED:
                raise


def _why_not(event: Event, author: Person, name: str) -> str:
    whole = author.whole_id
    invited = event.teams.filter(name__iexact=name, members__person=whole, members__left_at=None)
    return "team_invites_you" if invited.exists() else "team_is_others"
