"""Finds the handler of an event and the effect of a kind through the routes module that settings name."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

from django.conf import settings
from django.utils.module_loading import import_string


def find_handler(event: str) -> Callable[..., None] | None:
    """What handles this GitHub event, or None if nothing here cares about it."""
    target = _routes().EVENTS.get(event)
    handler: Callable[..., None] | None = _resolve(target)
    return handler


def get_effect(kind: str) -> Any:
    """What carries out outbox messages of this kind. Raises LookupError for a kind that is not routed."""
    effects = _routes().EFFECTS
    if kind not in effects:
        raise LookupError(f"No effect is routed for outbox messages of kind {kind!r}.")
    effect = _resolve(effects[kind])
    return effect() if isinstance(effect, type) else effect


def list_reading() -> list[str]:
    """The kinds of messages that only read, which no hold on writing concerns."""
    return list(getattr(_routes(), "READING", ()))


def list_unresolved() -> list[tuple[str, str]]:
    """Routes whose target cannot be imported: name and reason."""
    unresolved = []
    for name, target in [*_routes().EVENTS.items(), *_routes().EFFECTS.items()]:
        try:
            _resolve(target)
        except Exception as error:  # whatever a broken module raises, it is to be named here
            unresolved.append((name, str(error)))
    return unresolved


def _routes() -> Any:
    return import_module(settings.GITHUB_ROUTES)


def _resolve(target: Any) -> Any:
    return import_string(target) if isinstance(target, str) else target
