"""Meeting people under their logins: whom nobody here knows yet is looked up at GitHub, outside any transaction."""

from collections.abc import Iterable
from datetime import datetime

from django.utils.translation import gettext as _

from portal.accounts import people
from portal.common.errors import DomainError
from portal.github import connect
from portal.github.errors import GitHubUnavailable
from portal.models import Person

MOST_AT_ONCE = 50


def meet(logins: Iterable[str], *, now: datetime) -> None:
    """Remember the accounts of these logins that nobody here is known by, so that operations find them.

    Whom GitHub does not know stays unknown. Raises DomainError (too_many_unknown, github_unavailable), GitHubRefused.
    """
    wanted = {plain.lower(): plain for login in logins if (plain := people.plain_login(login))}
    known = people.find_by_logins(wanted)
    unknown = [login for key, login in wanted.items() if key not in known or not known[key].is_resolved]
    if len(unknown) > MOST_AT_ONCE:
        raise DomainError(
            "too_many_unknown",
            _("%(count)d of them have never been here. Name at most %(most)d such people at once.")
            % {"count": len(unknown), "most": MOST_AT_ONCE},
        )
    for login in unknown:
        _look_up(login, now)


def meet_one(login: str, *, now: datetime) -> Person:
    """The same for one, who has to be there. Raises the same, and what `people.need_account` raises."""
    meet([login], now=now)
    return people.need_account(login)


def _look_up(login: str, now: datetime) -> None:
    try:
        account = connect.connect().find_account(login)
    except GitHubUnavailable as error:
        raise DomainError(
            "github_unavailable",
            _(
                "“%(login)s” has never been here, and GitHub does not answer at the moment. Nothing was done: try again in a few minutes."
            )
            % {"login": login[:80]},
        ) from error
    if account is not None:
        people.remember(account, seen_at=now)
