"""People: found by GitHub id, created on first sight, renamed when GitHub says so."""

from collections.abc import Iterable
from datetime import datetime

from django.db import transaction
from django.db.models.functions import Lower
from django.utils.translation import gettext as _

from portal.common.errors import DomainError
from portal.github.types import Account
from portal.models import LoginHistory, Person


@transaction.atomic
def remember(account: Account, *, seen_at: datetime) -> Person:
    """The person with this GitHub account: created on first sight, renamed if `seen_at` is news.

    An unresolved person of the same name stays what it is: a name in a text proves nothing about an account.
    """
    person, created = Person.objects.get_or_create(
        github_id=account.id,
        defaults={"login": account.login, "login_seen_at": seen_at, "is_bot": account.is_bot},
    )
    is_news = person.login_seen_at is None or seen_at >= person.login_seen_at
    if created or (is_news and person.login != account.login):
        _note_login(person, account.login, seen_at)
    if not created and is_news:
        person.login, person.login_seen_at = account.login, seen_at
        person.save(update_fields=["login", "login_seen_at"])
    return person


@transaction.atomic
def remember_portal(account: Account, *, seen_at: datetime) -> Person:
    """Note that we write as this account, so that its comments and edits are known as ours."""
    person = remember(account, seen_at=seen_at)
    if not person.is_portal:
        person.is_portal = True
        person.save(update_fields=["is_portal"])
    return person


def _note_login(person: Person, login: str, seen_at: datetime) -> None:
    row, created = LoginHistory.objects.get_or_create(
        person=person,
        login__iexact=login,
        defaults={"login": login, "first_seen_at": seen_at, "last_seen_at": seen_at},
    )
    if not created and row.last_seen_at < seen_at:
        row.last_seen_at = seen_at
        row.save(update_fields=["last_seen_at"])


@transaction.atomic
def remember_name(name: str) -> Person:
    """The unresolved person of this name (any case), created on first sight."""
    found = (
        Person.objects.filter(github_id=None).alias(lower=Lower("login")).filter(lower=name.lower()).first()
    )
    return found or Person.objects.create(login=name)


def find_by_logins(logins: Iterable[str]) -> dict[str, Person]:
    """People by login, keys in lower case; a known account before an unresolved name, the latest seen first."""
    wanted = {login.lower() for login in logins}
    people = Person.objects.alias(lower=Lower("login")).filter(lower__in=wanted)
    ordered = sorted(
        people, key=lambda p: (p.is_resolved, p.login_seen_at.timestamp() if p.login_seen_at else 0.0, p.pk)
    )
    return {person.login.lower(): person for person in ordered}


def need_account(login: str) -> Person:
    """The person whose account carries this login now, whole and in any case; of several accounts the one that counts.

    Whom nobody has met yet is met by `portal.accounts.lookup` before.
    Raises DomainError: no_such_person, only_a_name, not_a_person.
    """
    wanted = plain_login(login)
    found = find_by_logins([wanted]).get(wanted.lower()) if wanted else None
    if found is not None and found.canonical is not None:
        found = found.canonical
    if found is None:
        raise DomainError(
            "no_such_person",
            _("GitHub knows no account “%(login)s”. Check the spelling.") % {"login": wanted[:80]},
        )
    if not found.is_resolved:
        raise DomainError(
            "only_a_name",
            _(
                "“%(login)s” is only a name from a table; GitHub knows no account of that name. Check the spelling."
            )
            % {"login": wanted[:80]},
        )
    if found.is_bot or found.is_portal:
        raise DomainError("not_a_person", _("“%(login)s” is a program.") % {"login": wanted[:80]})
    return found


def plain_login(text: str) -> str:
    """A login as people type or paste it, without the @ or the address of the profile before it."""
    return text.strip().rstrip("/").rpartition("/")[2].removeprefix("@").strip()
