"""Refusals, in GitHub's words."""

from typing import Any

DOCS = "https://docs.github.com/rest"


class Refusal(Exception):
    def __init__(self, status: int, message: str, *, errors: list[dict[str, Any]] | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.errors = errors

    def to_json(self) -> dict[str, Any]:
        body: dict[str, Any] = {"message": self.message}
        if self.errors is not None:
            body["errors"] = self.errors
        return {**body, "documentation_url": DOCS, "status": str(self.status)}


def not_found() -> Refusal:
    return Refusal(404, "Not Found")


def forbidden(message: str = "Must have admin rights to Repository.") -> Refusal:
    return Refusal(403, message)


def requires_authentication() -> Refusal:
    return Refusal(401, "Requires authentication")


def invalid(resource: str, field: str, code: str, message: str | None = None) -> Refusal:
    error: dict[str, Any] = {"resource": resource, "code": code, "field": field}
    if message is not None:
        error["message"] = message
    return Refusal(422, "Validation Failed", errors=[error])
