"""System checks: what is wired by name resolves, and what belongs to the demo stays there.

Run by every management command; those marked `deploy` by `manage.py check --deploy`.
"""

from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register
from django.urls import NoReverseMatch, reverse
from django.utils.module_loading import import_string

from portal import celery
from portal.github import routing

LOOPBACK = {"127.0.0.1", "localhost", "[::1]", "testserver"}
SHORTEST_SECRET = 16


@register
def routes_resolve(app_configs: Sequence[Any] | None, **kwargs: Any) -> list[CheckMessage]:
    """Every GitHub event and effect leads to something that exists."""
    return [
        Warning(f"The GitHub route {name!r} leads nowhere: {reason}", id="portal.W001")
        for name, reason in routing.list_unresolved()
    ]


@register
def beat_names_resolve(app_configs: Sequence[Any] | None, **kwargs: Any) -> list[CheckMessage]:
    """Every periodic job exists."""
    found: list[CheckMessage] = []
    for entry in celery.app.conf.beat_schedule.values():
        try:
            import_string(entry["task"])
        except Exception as error:
            found.append(
                Warning(f"The periodic job {entry['task']!r} does not exist: {error}", id="portal.W002")
            )
    return found


@register(Tags.security)
def demo_is_local(app_configs: Sequence[Any] | None, **kwargs: Any) -> list[CheckMessage]:
    """Where anybody may sign in as anybody, only this machine may come in."""
    strangers = sorted(set(settings.ALLOWED_HOSTS) - LOOPBACK)
    if not settings.DEMO_SIGN_IN or not strangers:
        return []
    return [
        Error(f"DEMO_SIGN_IN is on, but hosts beyond loopback are allowed: {strangers}", id="portal.E001")
    ]


@register(Tags.security, deploy=True)
def no_demo_in_production(app_configs: Sequence[Any] | None, **kwargs: Any) -> list[CheckMessage]:
    """Outside the demo's own settings nothing signs anybody in without GitHub."""
    if settings.SETTINGS_MODULE == "portal.settings.demo":
        return []
    found: list[CheckMessage] = []
    if settings.DEMO_SIGN_IN:
        found.append(Error("DEMO_SIGN_IN is on outside the demo.", id="portal.E002"))
    try:
        found.append(Error(f"The demo sign-in answers at {reverse('demo_sign_in')}.", id="portal.E003"))
    except NoReverseMatch:
        pass
    return found


@register(Tags.security, deploy=True)
def github_is_configured(app_configs: Sequence[Any] | None, **kwargs: Any) -> list[CheckMessage]:
    """Without a token nothing is read or written; without a good secret anybody could send webhooks."""
    found: list[CheckMessage] = []
    if not settings.GITHUB_TOKEN:
        found.append(
            Warning("GITHUB_TOKEN is empty: nothing can be read from or written to GitHub.", id="portal.W003")
        )
    if len(settings.GITHUB_WEBHOOK_SECRET) < SHORTEST_SECRET:
        hint = "Make one with: openssl rand -hex 32"
        found.append(Warning("GITHUB_WEBHOOK_SECRET is missing or short.", hint=hint, id="portal.W004"))
    if not settings.GITHUB_API_URL.startswith("https://"):
        found.append(Warning("GITHUB_API_URL does not use https.", id="portal.W005"))
    return found
