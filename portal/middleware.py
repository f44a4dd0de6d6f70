"""What every request passes first."""

from collections.abc import Callable

from django.conf import settings
from django.contrib.auth.middleware import LoginRequiredMiddleware
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import resolve_url
from django.utils.http import url_has_allowed_host_and_scheme

NUL = "%00"


class WithoutNul:
    """No address leads anywhere with a NUL character, and a query is read without: PostgreSQL's texts hold none."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if "\x00" in request.path_info:
            raise Http404
        query = request.META.get("QUERY_STRING", "")
        if NUL in query or "\x00" in query:
            request.META["QUERY_STRING"] = query.replace(NUL, "").replace("\x00", "")
        return self.get_response(request)


class SignInFirst(LoginRequiredMiddleware):
    """Who has to sign in comes back to the page they were on: a form's own address cannot be opened."""

    def handle_no_permission(
        self, request: HttpRequest, view_func: Callable[..., HttpResponseBase]
    ) -> HttpResponseRedirect:
        if request.method in ("GET", "HEAD"):
            return super().handle_no_permission(request, view_func)
        page = request.headers.get("Referer", "")
        is_ours = url_has_allowed_host_and_scheme(
            page, allowed_hosts={request.get_host()}, require_https=request.is_secure()
        )
        return redirect_to_login(
            page if is_ours else resolve_url(settings.LOGIN_REDIRECT_URL),
            resolve_url(self.get_login_url(view_func)),
            self.get_redirect_field_name(view_func),
        )
