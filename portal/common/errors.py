"""Errors that people may see: a stable code, a translated sentence that says what to do, and details for logs."""

from typing import Any

from django.utils.functional import Promise


class DomainError(Exception):
    """Something a person asked for is refused.

    `code` is stable and ends up in the API and the audit; `message` is a translated sentence for people;
    `extra` are values for logs and tests, never secrets; `field` among them names the field of a form that it is about.
    """

    def __init__(self, code: str, message: "str | Promise", **extra: Any) -> None:
        super().__init__(code)
        self.code = code
        self.message = message
        self.extra = extra

    def __str__(self) -> str:
        return str(self.message)


class NotAllowed(DomainError):
    """The person is known but has no right to this."""


class NotFound(DomainError):
    """What was asked for does not exist, or is not for this person's eyes."""


class Elsewhere(DomainError):
    """What was asked for is gone on with at another address of ours.

    `is_lost`: it is not there any more, which is always said; otherwise a form alone is told that nothing was done.
    """

    def __init__(self, code: str, message: "str | Promise", *, address: str, is_lost: bool = False) -> None:
        super().__init__(code, message)
        self.address = address
        self.is_lost = is_lost
