"""Signing in: a GitHub account leads to its person, and the person to a sign-in account."""

from datetime import datetime

from django.conf import settings
from django.contrib import auth
from django.db import transaction
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from portal import audit
from portal.accounts import people
from portal.common.errors import NotAllowed, NotFound
from portal.github.types import Account
from portal.models import Person, User


@transaction.atomic
def account_for(account: Account, *, now: datetime) -> User:
    """The sign-in account of the person with this GitHub account, created on the first visit.

    Nothing but id and login is kept. Raises NotAllowed (`bots_may_not_sign_in`) for a bot.
    """
    if account.is_bot:
        raise NotAllowed("bots_may_not_sign_in", _("Bots may not sign in. Use the account of a person."))
    person = people.remember(account, seen_at=now)
    user = User.objects.select_for_update(of=("self",)).filter(person=person).first()
    if user is None:
        user = User(person=person, username=_free_username(person))
        user.set_unusable_password()
        user.save()
        audit.record("portal.account_created", actor=person, target=user, now=now)
    elif user.username != person.login:
        user.username = _free_username(person)
        user.save(update_fields=["username"])
    return user


def _free_username(person: Person) -> str:
    """The login; with the id where an older account still carries it, since GitHub hands logins out again."""
    is_taken = User.objects.filter(username__iexact=person.login).exclude(person=person).exists()
    return f"{person.login}-{person.github_id}" if is_taken else person.login


def demo_sign_in(request: HttpRequest, login: str) -> User:
    """Sign in as one of the demo's invented people.

    Raises NotFound if this is no demo, or nobody of this login may be signed in as; staff never may.
    """
    people_only = User.objects.filter(is_active=True, is_staff=False, is_superuser=False)
    user = (
        people_only.filter(person__login__iexact=login).order_by("pk").first()
        if settings.DEMO_SIGN_IN
        else None
    )
    if user is None:
        raise NotFound("no_such_demo_person", _("There is nobody of this name to sign in as."))
    auth.login(request, user, backend="django.contrib.auth.backends.ModelBackend")
    return user
