"""The admin of the kernel: what came in, what waits to go out, who did what, to look at; requeueing is all it does.

Accounts and groups alone are changed here, by superusers: who could change either could become one.
"""

from typing import Any

from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount, SocialApp, SocialToken
from django.contrib import admin, messages
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.models import Group
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from portal import inbox, outbox
from portal.common import clock
from portal.common.read_only import ReadOnly
from portal.models import AuditEntry, Delivery, LoginHistory, OutboxMessage, Person, User


class ReadOnlyAdmin(ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    """Rows to look at. What they stand for is changed by operations, never by hand."""

    show_full_result_count = False

    def has_requeue_permission(self, request: HttpRequest) -> bool:
        """Who may set an action of ours going: those who could change the rows."""
        return bool(request.user.has_perm(f"portal.change_{self.opts.model_name}"))

    def say_requeued(self, request: HttpRequest, count: int) -> None:
        sentence = ngettext("%(count)d is tried again.", "%(count)d are tried again.", count) % {
            "count": count
        }
        self.message_user(request, sentence, messages.SUCCESS)


@admin.register(Delivery)
class DeliveryAdmin(ReadOnlyAdmin):
    list_display = ("received_at", "event", "delivery_id", "processed_at", "attempts", "next_attempt_at")
    list_filter = (("processed_at", admin.EmptyFieldListFilter), "event")
    search_fields = ("delivery_id",)
    ordering = ("-received_at",)
    actions = ("requeue",)

    @admin.action(description=_("Process again now (unprocessed ones)"), permissions=["requeue"])
    def requeue(self, request: HttpRequest, rows: "QuerySet[Delivery]") -> None:
        keys = list(rows.filter(processed_at=None).values_list("pk", flat=True))
        for pk in keys:
            inbox.requeue(pk, now=clock.now())
        self.say_requeued(request, len(keys))


@admin.register(OutboxMessage)
class OutboxMessageAdmin(ReadOnlyAdmin):
    list_display = ("kind", "key", "version", "due_at", "attempts", "refused_at", "last_error")
    list_filter = (("refused_at", admin.EmptyFieldListFilter), "kind")
    search_fields = ("key",)
    ordering = ("due_at",)
    actions = ("requeue",)

    @admin.action(description=_("Send again now"), permissions=["requeue"])
    def requeue(self, request: HttpRequest, rows: "QuerySet[OutboxMessage]") -> None:
        keys = list(rows.values_list("pk", flat=True))
        for pk in keys:
            outbox.requeue(pk, now=clock.now())
        self.say_requeued(request, len(keys))


@admin.register(AuditEntry)
class AuditEntryAdmin(ReadOnlyAdmin):
    list_display = ("at", "action", "actor", "event_id", "target_type", "target_id")
    list_filter = ("action",)
    list_select_related = ("actor",)
    search_fields = ("actor__login",)
    ordering = ("-at",)


class LoginHistoryInline(ReadOnly, admin.TabularInline):  # type: ignore[type-arg]
    model = LoginHistory
    extra = 0
    can_delete = False


@admin.register(Person)
class PersonAdmin(ReadOnlyAdmin):
    list_display = ("login", "github_id", "is_bot", "canonical", "created_at")
    list_filter = ("is_bot", ("github_id", admin.EmptyFieldListFilter))
    list_select_related = ("canonical",)
    search_fields = ("login", "logins__login", "=github_id")
    ordering = ("login",)
    inlines = (LoginHistoryInline,)


class ForSuperusers:
    """Rows that superusers change; others may look, if they have that right."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return is_superuser(request)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return is_superuser(request)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return is_superuser(request)


def is_superuser(request: HttpRequest) -> bool:
    """Whether the account that asks is open and may do everything."""
    return bool(request.user.is_active and request.user.is_superuser)


@admin.register(User)
class AccountAdmin(ForSuperusers, UserAdmin):  # type: ignore[type-arg]
    """Who may enter the admin. Names and mail addresses are not kept, so they are not shown."""

    list_display = ("username", "person", "is_staff", "is_active", "last_login")
    list_select_related = ("person",)
    search_fields = ("username", "person__login")
    readonly_fields = ("person", "last_login", "date_joined")
    fieldsets = (
        (None, {"fields": ("username", "password", "person")}),
        (_("Rights"), {"fields": ("is_active", "is_staff", "is_superuser", "groups", "user_permissions")}),
        (_("Times"), {"fields": ("last_login", "date_joined")}),
    )


admin.site.unregister(Group)


@admin.register(Group)
class RightsGroupAdmin(ForSuperusers, GroupAdmin):
    """Rights in the admin that several accounts share."""


# allauth's tables stay empty (see `portal.accounts.adapters`); a row in one of them could only break the sign-in.
admin.site.unregister([EmailAddress, SocialAccount, SocialApp, SocialToken])
