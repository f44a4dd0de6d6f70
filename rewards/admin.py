"""Rewards in the admin: to look at only. Everything is written by operations."""

from typing import TYPE_CHECKING, Any

from django.contrib import admin

from portal.common.read_only import ReadOnly
from rewards.models import Account, Completion, EventReward, LedgerEntry, Pool, Transaction

if TYPE_CHECKING:  # generic to the type checker only
    ModelAdmin = admin.ModelAdmin[Any]
    EntryInline = admin.TabularInline[LedgerEntry, Transaction]
else:
    ModelAdmin, EntryInline = admin.ModelAdmin, admin.TabularInline


class ReadOnlyAdmin(ReadOnly, ModelAdmin):
    """Shows rows and lets nobody change them."""

    list_select_related = True
    show_full_result_count = False


class EntriesInline(ReadOnly, EntryInline):
    """The lines of a transaction."""

    model = LedgerEntry
    extra = 0
    can_delete = False


@admin.register(Pool)
class PoolAdmin(ReadOnlyAdmin):
    list_display = ("name", "unit", "currency", "scale", "budget_steps")


@admin.register(EventReward)
class EventRewardAdmin(ReadOnlyAdmin):
    list_display = ("event", "pool", "per", "amount_steps", "partly_percent", "started_at", "ended_at")
    list_filter = ("pool",)


@admin.register(Completion)
class CompletionAdmin(ReadOnlyAdmin):
    list_display = ("task", "person", "team", "degree", "completed_at", "sequence", "revoked_at")
    list_filter = ("degree", "task__event")
    search_fields = ("task__number", "task__title", "person__login", "team__name")


@admin.register(Account)
class AccountAdmin(ReadOnlyAdmin):
    list_display = ("__str__", "pool", "person", "team")
    search_fields = ("person__login", "team__name")


@admin.register(Transaction)
class TransactionAdmin(ReadOnlyAdmin):
    list_display = ("key", "kind", "completion", "at", "created_at", "memo")
    list_filter = ("kind",)
    search_fields = ("key", "completion__person__login")
    inlines = (EntriesInline,)


@admin.register(LedgerEntry)
class LedgerEntryAdmin(ReadOnlyAdmin):
    list_display = ("transaction", "account", "pool", "amount_steps")
    list_filter = ("pool",)
