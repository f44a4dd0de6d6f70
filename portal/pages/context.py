"""What the chrome of every page needs."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest

from portal.common import web

THEME_COOKIE = "regatta_theme"
THEMES = ("light", "dark", "auto")


def chrome(request: HttpRequest) -> dict[str, Any]:
    """The reader's theme, and the person who is signed in."""
    theme = request.COOKIES.get(THEME_COOKIE, "auto")
    return {
        "theme": theme if theme in THEMES else "auto",
        "me": web.viewer(request) if hasattr(request, "user") else None,
        "github_web_url": settings.GITHUB_WEB_URL,
    }
