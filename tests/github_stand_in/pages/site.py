"""The web site: which page answers what."""

import re
from collections.abc import Callable
from pathlib import Path

from tests.github_stand_in.errors import Refusal, forbidden, not_found
from tests.github_stand_in.pages import actions, discussion, overview
from tests.github_stand_in.pages.avatars import avatar_png
from tests.github_stand_in.pages.html import fill
from tests.github_stand_in.pages.layout import Page
from tests.github_stand_in.pages.oauth import OAuth
from tests.github_stand_in.state.world import World
from tests.github_stand_in.web.messages import Request, Response, redirect
from tests.github_stand_in.web.routing import Routes

_STYLES = (Path(__file__).parent / "stand_in.css").read_bytes()
_OAUTH_TOKEN = "/login/oauth/access_token"
_AVATAR = re.compile(r"/avatars/u/(\d{1,18})")
Handler = Callable[..., Response]
routes: Routes[Handler] = Routes()

routes.on("GET", "/")(overview.home)
routes.on("POST", "/_as")(actions.act_as)


@routes.on("GET", "/{owner}/{repo}/issues/{number}")
@routes.on("GET", "/{owner}/{repo}/pull/{number}")
def show_issue(page: Page, owner: str, repo: str, number: str) -> Response:
    moved = page.transferred(owner, repo, number)
    if moved is not None:
        name = page.world.store.full_name(page.world.store.repository_of(moved))
        return redirect(f"/{name}/issues/{moved.number}", status=301)
    return discussion.show(page, page.issue(owner, repo, number))


@routes.on("POST", "/{owner}/{repo}/issues/{number}")
@routes.on("POST", "/{owner}/{repo}/pull/{number}")
def change_issue(page: Page, owner: str, repo: str, number: str) -> Response:
    return actions.on_issue(page, page.issue(owner, repo, number))


@routes.on("GET", "/{owner}/{repo}/issues")
def list_issues(page: Page, owner: str, repo: str) -> Response:
    return overview.repository(page, owner, repo, tab="issues")


@routes.on("GET", "/{owner}/{repo}/pulls")
def list_pulls(page: Page, owner: str, repo: str) -> Response:
    return overview.repository(page, owner, repo, tab="pulls")


routes.on("GET", "/{owner}/{repo}/commit/{sha}")(overview.commit)
routes.on("GET", "/{owner}/{repo}")(overview.repository)
routes.on("POST", "/{owner}/{repo}")(actions.on_repository)
routes.on("GET", "/{login}")(overview.profile)


class Site:
    def __init__(self, world: World) -> None:
        self.world = world
        self.oauth = OAuth()

    def handle(self, request: Request) -> Response:
        if request.path == "/_stand-in.css":
            return Response(200, _STYLES, {"Content-Type": "text/css; charset=utf-8"})
        avatar = _AVATAR.fullmatch(request.path.replace("/favicon.ico", "/avatars/u/8"))
        if avatar:
            return Response(200, avatar_png(int(avatar[1])), {"Content-Type": "image/png"})
        page = Page(self.world, request)
        try:
            return self._page(page, request)
        except Refusal as refusal:
            reasons = [str(error.get("message", "")) for error in refusal.errors or []]
            text = " ".join([refusal.message, *reasons])
            content = fill(
                '<h1>{status}</h1><p>{text}</p><p><a href="/">Home</a></p>', status=refusal.status, text=text
            )
            return page.render(refusal.message, content, status=refusal.status)

    def _page(self, page: Page, request: Request) -> Response:
        if (request.method, request.path) == ("POST", _OAUTH_TOKEN):
            return self.oauth.exchange(page)
        origin = request.header("origin")
        if request.method == "POST" and origin not in ("", request.origin):
            raise forbidden("This form came from another site.")
        if request.path == "/login/oauth/authorize":
            return self.oauth.decide(page) if request.method == "POST" else self.oauth.ask(page)
        found = routes.find(request.method, request.path.rstrip("/") or "/")
        if found is None:
            raise not_found()
        handler, parts = found
        return handler(page, **parts)
