"""The door of the API: token, rate limit, route, ETag."""

import hashlib
import uuid

from tests.github_stand_in.errors import Refusal, not_found
from tests.github_stand_in.graphql.endpoint import answer
from tests.github_stand_in.rest import comments, issues, pulls, repositories, users
from tests.github_stand_in.rest.context import API_PREFIX, Context, Handler, Moved
from tests.github_stand_in.rest.limits import Limits, Window, exceeded
from tests.github_stand_in.state.records import User
from tests.github_stand_in.state.world import World
from tests.github_stand_in.web.messages import Request, Response, json_response, refusal_response

_ROUTES = (comments.routes, issues.routes, pulls.routes, repositories.routes, users.routes)
_ROOTS = ("/user", "/users", "/repos", "/repositories", "/rate_limit", "/graphql")
_GRAPHQL = ("/graphql", "/api/graphql")


def is_api_path(path: str) -> bool:
    inner = path.removeprefix(API_PREFIX)
    return (
        inner != path
        or path == "/api/graphql"
        or any(inner == r or inner.startswith(f"{r}/") for r in _ROOTS)
    )


class Api:
    def __init__(self, world: World) -> None:
        self.world = world
        self.limits = Limits()
        self.omit_last = False

    def handle(self, request: Request) -> Response:
        path = request.path.removeprefix(API_PREFIX).rstrip("/")
        resource = "graphql" if request.path in _GRAPHQL or path == "/graphql" else "core"
        try:
            actor, who = self._authenticate(request)
        except Refusal as refusal:
            return _finish(refusal_response(refusal), None, resource)
        window = self.limits.window(who, resource)
        if path == "/rate_limit":
            return _finish(json_response(self.limits.overview(who)), window, "core")
        if window.remaining == 0:
            name = f"user ID {actor.id}" if actor else "127.0.0.1"
            return _finish(exceeded(name, resource), window, resource)
        window.used += 1
        response = self._respond(request, path, resource, actor)
        if response.status == 200 and request.method == "GET":
            response = _conditional(request, response, window)
        return _finish(response, window, resource)

    def _authenticate(self, request: Request) -> tuple[User | None, str]:
        """The user of the token and the key of their rate limit."""
        scheme, _, token = request.header("authorization").partition(" ")
        if not scheme:
            return None, ""
        user_id = self.world.store.tokens.get(token.strip())
        user = self.world.store.data.users.get(user_id or 0)
        if scheme.lower() not in ("token", "bearer") or user is None or user.deleted:
            raise Refusal(401, "Bad credentials")
        return user, str(user.id)

    def _respond(self, request: Request, path: str, resource: str, actor: User | None) -> Response:
        api = request.origin + (API_PREFIX if request.path.startswith(API_PREFIX) else "")
        context = Context(self.world, request, path, api, actor, self.omit_last)
        try:
            if resource == "graphql":
                return answer(context)
            handler, parts = self._route(request.method, path)
            context.path = self._named(path)
            return handler(context, **parts)
        except Refusal as refusal:
            return refusal_response(refusal)
        except Moved as moved:
            return moved.response

    def _route(self, method: str, path: str) -> tuple[Handler, dict[str, str]]:
        named = self._named(path)
        for routes in _ROUTES:
            found = routes.find(method, named)
            if found:
                return found
        raise not_found()

    def _named(self, path: str) -> str:
        """/repositories/ID/... as /repos/OWNER/NAME/..."""
        parts = path.split("/", 3)
        if parts[1:2] != ["repositories"] or len(parts) < 3 or not parts[2].isdecimal():
            return path
        repository = self.world.store.data.repositories.get(int(parts[2]))
        if repository is None:
            return path
        return "/".join(["/repos", self.world.store.full_name(repository), *parts[3:]])


def _conditional(request: Request, response: Response, window: Window) -> Response:
    """A repeated reading that finds nothing new is free: 304, not counted."""
    digest = hashlib.sha256(response.body + response.headers.get("Link", "").encode()).hexdigest()
    response.headers["ETag"] = f'W/"{digest}"'
    response.headers["Cache-Control"] = "private, max-age=60, s-maxage=60"
    known = {tag.strip().removeprefix("W/") for tag in request.header("if-none-match").split(",")}
    if f'"{digest}"' not in known:
        return response
    window.used -= 1
    kept = {name: value for name, value in response.headers.items() if name != "Content-Type"}
    return Response(304, b"", kept)


def _finish(response: Response, window: Window | None, resource: str) -> Response:
    limits = window.headers(resource) if window else {}
    common = {
        "X-GitHub-Media-Type": "github.v3; format=json",
        "X-GitHub-Request-Id": uuid.uuid4().hex.upper(),
        "X-GitHub-Stand-In": "1",
        "X-Content-Type-Options": "nosniff",
    }
    response.headers = {**common, **limits, **response.headers}
    return response
