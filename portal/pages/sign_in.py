"""Signing in with GitHub, and, in the demo alone, as one of its invented people."""

from django.conf import settings
from django.contrib import auth, messages
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from portal.accounts import sign_in as accounts
from portal.common import web
from portal.pages import cast


@login_not_required
@never_cache
@require_safe
def sign_in(request: HttpRequest) -> HttpResponse:
    wanted = web.next_url(request, reverse("home"))
    if request.user.is_authenticated:
        return redirect(wanted)
    people = cast.list_cast() if settings.DEMO_SIGN_IN else []
    return render(request, "portal/sign_in.html", {"next": wanted, "cast": people})


@login_not_required
@web.page
@require_POST
def demo_sign_in(request: HttpRequest) -> HttpResponse:
    accounts.demo_sign_in(request, web.posted(request, "login", longest=100))
    return redirect(web.next_url(request, reverse("home")))


@login_not_required
@require_POST
def sign_out(request: HttpRequest) -> HttpResponse:
    auth.logout(request)
    messages.success(request, _("You are signed out."))
    return redirect("home")
