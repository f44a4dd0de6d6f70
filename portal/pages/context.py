"""What the chrome of every page needs."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from claims.mine import notices
from portal.common import web

THEME_COOKIE = "regatta_theme"
THEMES = ("light", "dark", "auto")


def chrome(request: HttpRequest) -> dict[str, Any]:
    """The reader's theme, the person who is signed in, and how many notices are new to them."""
    me = web.viewer(request) if hasattr(request, "user") else None
    theme = request.COOKIES.get(THEME_COOKIE, "auto")
    return {
        "theme": theme if theme in THEMES else "auto",
        "me": me,
        # Asked for by the bar alone: a part of a page costs no query.
        "unseen": SimpleLazyObject(lambda: notices.count_unseen(me) if me else 0),
        "github_web_url": settings.GITHUB_WEB_URL,
    }
