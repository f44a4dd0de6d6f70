"""The stage: everything a driving verb can reach, and the list of verbs."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tests.github_stand_in.api import Api
from tests.github_stand_in.drive.faults import Faults
from tests.github_stand_in.errors import Refusal
from tests.github_stand_in.hooks.queue import HookQueue
from tests.github_stand_in.shapes.issues import issue_json
from tests.github_stand_in.shapes.pulls import full_pull
from tests.github_stand_in.shapes.view import JSON, View
from tests.github_stand_in.state.records import Comment, Issue, Repository, User
from tests.github_stand_in.state.world import World

Verb = Callable[..., Any]
VERBS: dict[str, Verb] = {}


@dataclass
class Stage:
    """Everything a verb can reach."""

    world: World
    hooks: HookQueue
    api: Api
    faults: Faults
    requests: list[JSON] = field(default_factory=list)

    @property
    def view(self) -> View:
        return View(self.world.store, self.world.public_url, self.world.public_url)

    def user(self, login: str) -> User:
        found = self.world.store.find_user(login)
        if found is None:
            raise Refusal(422, f"no user {login!r}")
        return found

    def repository(self, full_name: str) -> Repository:
        found = self.world.store.find_repository(full_name)
        if found is None:
            raise Refusal(422, f"no repository {full_name!r}")
        return found

    def issue(self, repository: str, number: int) -> Issue:
        found = self.world.store.find_issue(self.repository(repository), number)
        if found is None:
            raise Refusal(422, f"no {repository}#{number}")
        return found

    def pull(self, repository: str, number: int) -> Issue:
        found = self.issue(repository, number)
        if found.pull is None:
            raise Refusal(422, f"{repository}#{number} is no pull request")
        return found

    def comment(self, comment_id: int) -> Comment:
        found = self.world.store.data.comments.get(comment_id)
        if found is None:
            raise Refusal(422, f"no comment {comment_id}")
        return found

    def shape(self, issue: Issue) -> JSON:
        if issue.pull is not None:
            return full_pull(self.view, issue)
        return issue_json(self.view, issue, full=True)


def verb(function: Verb) -> Verb:
    VERBS[function.__name__] = function
    return function
