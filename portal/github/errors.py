"""How a call to GitHub can fail: for now, or for good."""

from typing import Any

from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from portal.common.errors import DomainError


class GitHubError(DomainError):
    """A call to GitHub that gave no answer of use."""


class GitHubUnavailable(GitHubError):
    """Try again later: no connection, a time-out, a 5xx or a rate limit. `retry_after` in seconds, where GitHub said so."""

    def __init__(self, *, retry_after: float | None = None, **extra: Any) -> None:
        super().__init__(
            "github_unavailable",
            _("GitHub does not answer at the moment. Nothing is lost: try again in a few minutes."),
            **extra,
        )
        self.retry_after = retry_after


class GitHubRefused(GitHubError):
    """GitHub said no for good: not found, gone, forbidden, or not valid. `status` is the HTTP status, `answer` its words."""

    def __init__(self, *, status: int, what: str = "", answer: str = "") -> None:
        super().__init__("github_refused", _refusal(status, what), status=status, what=what)
        self.status = status
        self.answer = answer


class TokenMissing(GitHubError):
    """No token is configured, and this needs one."""

    def __init__(self) -> None:
        super().__init__(
            "github_token_missing",
            _("No GitHub token is configured. Set GITHUB_TOKEN (or GITHUB_TOKEN_FILE) and start again."),
        )


def _refusal(status: int, what: str) -> Any:
    reasons = {
        401: _("GitHub does not accept the token. Check GITHUB_TOKEN."),
        403: format_lazy(
            _("The token may not do this with {what}. Give it access, or use another one."), what=what
        ),
        404: format_lazy(
            _("GitHub does not know {what}, or the token may not see it. Check the spelling."), what=what
        ),
        410: format_lazy(_("{what} was deleted at GitHub."), what=what),
        422: format_lazy(_("GitHub found the text for {what} not valid."), what=what),
    }
    return reasons.get(
        status, format_lazy(_("GitHub refused {what} (status {status})."), what=what, status=status)
    )
