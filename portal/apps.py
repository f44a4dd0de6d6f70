"""The kernel as a Django app."""

from django.apps import AppConfig


class PortalConfig(AppConfig):
    """The portal kernel: people, accounts, what came from GitHub, what goes to GitHub."""

    name = "portal"

    def ready(self) -> None:
        """Register the system checks, and make our Celery app the one that wake-ups go through."""
        from portal import celery, checks  # noqa: F401
