"""What a REST handler works with: the request, who asks, and how to find things or refuse."""

from collections.abc import Callable
from dataclasses import dataclass

from tests.github_stand_in.errors import DOCS, Refusal, not_found, requires_authentication
from tests.github_stand_in.shapes.view import View
from tests.github_stand_in.state.records import Comment, Issue, Repository, User
from tests.github_stand_in.state.world import World
from tests.github_stand_in.web.messages import Request, Response, json_response
from tests.github_stand_in.web.routing import Routes

API_PREFIX = "/api/v3"


_MOVED = {301: "Moved Permanently", 307: "Temporary Redirect"}


def _moved(location: str, status: int) -> Response:
    body = {"message": _MOVED[status], "url": location, "documentation_url": DOCS}
    return json_response(body, status, {"Location": location})


class Moved(Exception):
    """What was asked for has another address now; GitHub answers with the one by numbers."""

    def __init__(self, response: Response) -> None:
        super().__init__()
        self.response = response


@dataclass
class Context:
    world: World
    request: Request
    path: str
    api: str
    actor: User | None
    omit_last: bool = False

    @property
    def view(self) -> View:
        return View(self.world.store, self.api, self.request.origin, self.actor)

    def require_actor(self) -> User:
        if self.actor is None:
            raise requires_authentication()
        return self.actor

    def user(self, login: str) -> User:
        user = self.world.store.find_user(login)
        if user is None:
            raise not_found()
        return user

    def repository(self, owner: str, repo: str) -> Repository:
        full_name = f"{owner}/{repo}"
        repository = self.world.store.find_repository(full_name)
        if repository is None:
            self._follow_move(full_name)
            raise not_found()
        if self.world.store.permission(repository, self.actor) == "none":
            raise not_found()
        return repository

    def _follow_move(self, full_name: str) -> None:
        moved = self.world.store.find_moved_repository(full_name)
        if moved is not None:
            rest = self.path.removeprefix(f"/repos/{full_name}")
            location = f"{self.api}/repositories/{moved.id}{rest}"
            raise Moved(_moved(location, 301 if self.request.method == "GET" else 307))

    def issue(self, owner: str, repo: str, number: str) -> Issue:
        repository = self.repository(owner, repo)
        issue = self.world.store.find_issue(repository, int(number))
        if issue is None:
            self._follow_transfer(repository, int(number))
            raise not_found()
        return issue

    def _follow_transfer(self, repository: Repository, number: int) -> None:
        """Only the issue itself moves on; GitHub answers 404 for what stands below it, as for its comments."""
        moved = self.world.store.find_transferred_issue(repository, number)
        if moved is None or not self.path.endswith(f"/issues/{number}"):
            return
        if self.world.store.permission(self.world.store.repository_of(moved), self.actor) != "none":
            raise Moved(_moved(f"{self.api}/repositories/{moved.repository_id}/issues/{moved.number}", 301))

    def pull(self, owner: str, repo: str, number: str) -> Issue:
        issue = self.issue(owner, repo, number)
        if issue.pull is None:
            raise not_found()
        return issue

    def comment(self, owner: str, repo: str, comment_id: str) -> Comment:
        repository = self.repository(owner, repo)
        comment = self.world.store.data.comments.get(int(comment_id))
        if comment is None or comment.repository_id != repository.id:
            raise not_found()
        return comment

    def text(self, name: str) -> str | None:
        """A text of the JSON body; null counts as empty, absent as None."""
        if name not in self.request.json:
            return None
        value = self.request.json[name]
        if value is not None and not isinstance(value, str):
            raise Refusal(422, f"Invalid request.\n\nFor 'properties/{name}', {value!r} is not a string.")
        return value or ""

    def texts(self, name: str) -> list[str] | None:
        """A list of names, or the whole body as a list; labels may also come as objects."""
        whole = self.request.json_value
        value = whole if isinstance(whole, list) else self.request.json.get(name)
        if value is None:
            return None
        if not isinstance(value, list):
            raise Refusal(422, f"Invalid request.\n\nFor 'properties/{name}', {value!r} is not an array.")
        return [str(item["name"]) if isinstance(item, dict) else str(item) for item in value]


Handler = Callable[..., Response]
RestRoutes = Routes[Handler]
