"""A row of every table that the admin shows, and what to send to its pages."""

from datetime import timedelta
from typing import Any

from django.contrib import admin
from django.contrib.auth.models import Group
from django.urls import reverse

from portal import inbox, outbox
from portal.models import Delivery, OutboxMessage, Person, User
from tests.pages.scenes import NOW
from tests.permissions import table
from tests.permissions.table import Row
from tests.permissions.world import World
from tests.rewards.scenes import complete, pay, points

EVERY = "model"  # stands in the routes of docs/permissions.md for each of the admin's tables
_PASSWORD = "a-long-enough-one"
_FORMS: dict[str, dict[str, Any]] = {
    "auth_group_add": {"name": "new"},
    "auth_group_change": {"name": "renamed"},
    "portal_user_add": {
        "username": "new",
        "usable_password": "true",
        "password1": _PASSWORD,
        "password2": _PASSWORD,
    },
    "portal_user_change": {"username": "renamed", "is_active": "on"},
    "auth_user_password_change": {
        "usable_password": "true",
        "password1": _PASSWORD,
        "password2": _PASSWORD,
    },
}


def fill(world: World) -> None:
    """Something in every table."""
    inbox.receive(delivery_id="d-1", event="issues", payload={}, now=NOW)
    Delivery.objects.update(next_attempt_at=NOW + timedelta(days=1))
    outbox.enqueue("send", key="k", now=NOW)
    OutboxMessage.objects.update(refused_at=NOW)
    Group.objects.create(name="helpers")
    pay(world.here.event, points(), "1")
    complete(world.here.task, Person.objects.get(login="alice"))


def models() -> dict[str, Any]:
    """The admin's tables by the name that its routes have."""
    return {f"{model._meta.app_label}_{model._meta.model_name}": model for model in admin.site._registry}


def expand(row: Row) -> list[str]:
    """The routes that a row of the table stands for: of each of the admin's tables, unless it has a row of its own."""
    if f"admin:{EVERY}_" not in row.route:
        return [row.route]
    own = {other.route for other in table.rows(row.section) if other.method == row.method}
    every = [row.route.replace(EVERY, name) for name in models()]
    return [route for route in every if route not in own]


def address(route: str) -> str:
    """The address of a page of the admin, about a row that is there."""
    if route.startswith("/"):
        return "/admin/nonsense/"
    if route == "admin:app_list":
        return reverse(route, args=["rewards"])
    if route == "admin:view_on_site":
        return reverse(route, args=[1, 1])
    if route == "admin:auth_user_password_change":
        return reverse(route, args=[_pk(User)])
    for name, model in models().items():
        if route in {f"admin:{name}_{page}" for page in ("change", "delete", "history")}:
            return reverse(route, args=[_pk(model)])
    return reverse(route)


def _pk(model: Any) -> Any:
    rows = model.objects.filter(username="bob") if model is User else model.objects.all()
    return rows.order_by("pk").values_list("pk", flat=True)[0]


def form(route: str) -> dict[str, Any]:
    """What a person would send."""
    if route.endswith("_delete"):
        return {"post": "yes"}
    if route.endswith("_changelist"):
        name = route.removeprefix("admin:").removesuffix("_changelist")
        action = "requeue" if name in ("portal_delivery", "portal_outboxmessage") else "delete_selected"
        return {"action": action, "_selected_action": [_pk(models()[name])], "post": "yes"}
    if route == "admin:login":
        return {"username": "bob", "password": "wrong"}
    return _FORMS.get(route.removeprefix("admin:"), {})
