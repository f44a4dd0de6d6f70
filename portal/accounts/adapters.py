"""How we use allauth: only its OAuth conversation with GitHub. Whom it leads to is ours (`sign_in`).

Its own table of social accounts stays empty: it would keep a copy of the whole profile, mail address included.
"""

from typing import Any, NoReturn

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.functional import Promise
from django.utils.translation import gettext as _

from portal.accounts import sign_in
from portal.common import clock
from portal.common.errors import NotAllowed
from portal.github import payloads


class NoLocalSignup(DefaultAccountAdapter):  # type: ignore[misc]
    """Nobody signs up here with a password."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return False

    def respond_user_inactive(self, request: HttpRequest, user: object) -> HttpResponse:
        messages.error(request, _("This account is closed. Write to an organizer if that is a mistake."))
        return redirect("sign_in")


class GitHubSignIn(DefaultSocialAccountAdapter):  # type: ignore[misc]
    """GitHub says who somebody is; the account is found or made by GitHub's numeric id."""

    def pre_social_login(self, request: HttpRequest, sociallogin: Any) -> None:
        profile = sociallogin.account.extra_data
        try:
            sociallogin.user = sign_in.account_for(payloads.account(profile), now=clock.now())
        except (NotAllowed, payloads.PayloadInvalid) as error:
            _back_to_sign_in(request, error.message)
        sociallogin.state["process"] = "login"  # never allauth's "connect", which would store the profile

    def on_authentication_error(
        self,
        request: HttpRequest,
        provider: Any,
        error: str | None = None,
        exception: Exception | None = None,
        extra_context: dict[str, Any] | None = None,
    ) -> None:
        if error == "cancelled":
            _back_to_sign_in(request, _("You did not allow the sign-in at GitHub."))
        _back_to_sign_in(request, _("Signing in with GitHub did not work. Try again."))


def _back_to_sign_in(request: HttpRequest, sentence: "str | Promise") -> NoReturn:
    messages.error(request, str(sentence))
    raise ImmediateHttpResponse(redirect("sign_in"))
