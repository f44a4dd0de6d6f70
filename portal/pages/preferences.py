"""The reader's own choices: the theme. (The language is Django's `set_language`.)"""

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from portal.common import web
from portal.pages.context import THEME_COOKIE, THEMES


@login_not_required
@require_POST
def set_theme(request: HttpRequest) -> HttpResponse:
    theme = request.POST.get("theme")
    if theme not in THEMES:
        return HttpResponseBadRequest(_("There is no such theme."))
    response = redirect(web.next_url(request, reverse("home")))
    a_year = 365 * 24 * 3600
    response.set_cookie(
        THEME_COOKIE, theme, max_age=a_year, samesite="Lax", secure=request.is_secure(), httponly=True
    )
    return response
