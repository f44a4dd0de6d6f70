"""What a shape needs: the store, the addresses as this client sees them, node ids."""

import base64
import binascii
from dataclasses import dataclass, field
from typing import Any

from tests.github_stand_in.state.records import Issue, Repository, User
from tests.github_stand_in.state.store import Store

JSON = dict[str, Any]


@dataclass(frozen=True)
class View:
    store: Store
    api: str
    web: str
    viewer: User | None = None
    repositories: dict[int, JSON] = field(default_factory=dict)  # a page of pull requests shows one 200 times

    def repository_api(self, repository: Repository) -> str:
        return f"{self.api}/repos/{self.store.full_name(repository)}"

    def repository_web(self, repository: Repository) -> str:
        return f"{self.web}/{self.store.full_name(repository)}"

    def issue_api(self, issue: Issue) -> str:
        return f"{self.repository_api(self.store.repository_of(issue))}/issues/{issue.number}"

    def pull_api(self, issue: Issue) -> str:
        return f"{self.repository_api(self.store.repository_of(issue))}/pulls/{issue.number}"

    def issue_web(self, issue: Issue) -> str:
        kind = "pull" if issue.pull else "issues"
        return f"{self.repository_web(self.store.repository_of(issue))}/{kind}/{issue.number}"


def node_id(kind: str, record_id: int | str) -> str:
    return base64.b64encode(f"0{len(kind)}:{kind}{record_id}".encode()).decode()


def read_node_id(text: str) -> tuple[str, int] | None:
    """Type and database id of a node id, or None when it is none of ours."""
    try:
        length, _, rest = base64.b64decode(text, validate=True).decode().partition(":")
        return rest[: int(length)], int(rest[int(length) :])
    except (binascii.Error, UnicodeDecodeError, ValueError):
        return None
