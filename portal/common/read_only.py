"""Rows in the admin that are there to be looked at."""

from typing import Any

from django.http import HttpRequest


class ReadOnly:
    """Nobody adds, changes or deletes them by hand: what they stand for is changed by operations."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
