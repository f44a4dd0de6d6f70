"""Looking up whom the form of a team names as a member and nobody here has met yet."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from claims.models import IssueComment
from claims.operations import team_forms
from portal.github import types
from portal.github.gateway import Gateway
from tasks_board.models import Team


@dataclass(frozen=True, slots=True)
class MembersPlan:
    """The team, the comment that names its members, and their logins."""

    team: Team
    comment: IssueComment
    logins: Sequence[str]


class MeetMembers:
    """Fetch the accounts of these logins, and invite whom GitHub knows."""

    def plan(self, payload: dict[str, Any], now: datetime) -> MembersPlan | None:
        """None where the comment or the team has gone meanwhile."""
        comment = IssueComment.objects.select_related("author").filter(pk=payload["comment"]).first()
        team = Team.objects.filter(pk=payload["team"]).first()
        if team is None or comment is None or comment.deleted_at is not None:
            return None
        return MembersPlan(team, comment, payload["logins"])

    def perform(self, plan: MembersPlan, gateway: Gateway) -> list[types.Account]:
        """A look-up for each."""
        found = [gateway.find_account(login) for login in plan.logins]
        return [account for account in found if account is not None]

    def record(self, plan: MembersPlan, outcome: list[types.Account], now: datetime) -> None:
        """Invite them; again is the same as once."""
        team_forms.invite_met(team=plan.team, accounts=outcome, author=plan.comment.author, now=now)
