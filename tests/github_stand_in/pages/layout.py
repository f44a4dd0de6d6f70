"""The frame of every page, and what a page works with."""

from dataclasses import dataclass

from tests.github_stand_in.errors import Refusal, not_found
from tests.github_stand_in.pages.html import NOTHING, Html, fill, join, moment
from tests.github_stand_in.state.records import Issue, Repository, User
from tests.github_stand_in.state.world import World
from tests.github_stand_in.web.messages import Request, Response

ACTOR_COOKIE = "stand_in_actor"
_POLICY = "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'"

_FRAME = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title} · stand-in for GitHub</title>
<link rel="stylesheet" href="/_stand-in.css">
</head>
<body>
<header class="bar">
<a class="brand" href="/">stand-in for GitHub</a>
<span class="note">Not GitHub: an invented world for trying things out.</span>
{switch}
</header>
<main>
{notice}
{content}
</main>
</body>
</html>
"""
_SWITCH = """<form class="switch" method="post" action="/_as">
<input type="hidden" name="back" value="{back}">
<label for="actor">Act as</label>
<select id="actor" name="login">{options}</select>
<button>Switch</button>
</form>"""


@dataclass
class Page:
    world: World
    request: Request

    @property
    def actor(self) -> User | None:
        text = self.request.cookies.get(ACTOR_COOKIE, "")
        user = self.world.store.data.users.get(int(text)) if text.isdecimal() else None
        return None if user is None or user.deleted else user

    def require_actor(self) -> User:
        if self.actor is None:
            raise Refusal(403, "Choose somebody to act as first.")
        return self.actor

    def repository(self, owner: str, repo: str) -> Repository:
        full_name = f"{owner}/{repo}"
        store = self.world.store
        found = store.find_repository(full_name) or store.find_moved_repository(full_name)
        if found is None:
            raise not_found()
        return found

    def issue(self, owner: str, repo: str, number: str) -> Issue:
        found = self.world.store.find_issue(self.repository(owner, repo), int(number))
        if found is None:
            raise not_found()
        return found

    def transferred(self, owner: str, repo: str, number: str) -> Issue | None:
        """The issue that had this number before it moved to another repository."""
        return self.world.store.find_transferred_issue(self.repository(owner, repo), int(number))

    def render(self, title: str, content: Html, *, notice: str = "", status: int = 200) -> Response:
        shown = fill('<p class="notice" role="status">{notice}</p>', notice=notice) if notice else NOTHING
        body = fill(_FRAME, title=title, switch=self._switch(), notice=shown, content=content)
        return html_response(body, status)

    def _switch(self) -> Html:
        actor = self.actor
        options = [fill('<option value="">nobody</option>')]
        for user in sorted(living(self.world), key=lambda user: user.login.lower()):
            chosen = Html(" selected") if user is actor else NOTHING
            options.append(fill("<option{chosen}>{login}</option>", chosen=chosen, login=user.login))
        back = self.request.path if self.request.method == "GET" else "/"
        return fill(_SWITCH, back=back, options=join(options))


def living(world: World) -> list[User]:
    """Everybody who can act."""
    return [u for u in world.store.data.users.values() if not u.deleted and u.type != "Organization"]


def html_response(body: Html, status: int = 200, *, policy: str = _POLICY) -> Response:
    headers = {
        "Content-Type": "text/html; charset=utf-8",
        "Content-Security-Policy": policy,
        "X-Content-Type-Options": "nosniff",
        "Cache-Control": "no-store",
    }
    return Response(status, body.encode(), headers)


def person(world: World, user_id: int | None) -> Html:
    user = world.store.user(user_id)
    return fill(
        '<a class="person" href="/{login}"><img src="/avatars/u/{id}" alt="" width="20" height="20">{login}</a>',
        login=user.login,
        id=user.id,
    )


def state_of(issue: Issue) -> str:
    if issue.pull is None:
        return "not planned" if issue.state_reason == "not_planned" else issue.state
    if issue.pull.merged_at:
        return "merged"
    return "draft" if issue.pull.draft and issue.state == "open" else issue.state


def badge(issue: Issue) -> Html:
    state = state_of(issue)
    return fill('<span class="badge {kind}">{state}</span>', kind=state.replace(" ", "-"), state=state)


def issue_path(world: World, issue: Issue) -> str:
    kind = "pull" if issue.pull else "issues"
    return f"/{world.store.full_name(world.store.repository_of(issue))}/{kind}/{issue.number}"


def issue_row(world: World, issue: Issue, *, with_repository: bool = False) -> Html:
    name = world.store.full_name(world.store.repository_of(issue)) if with_repository else ""
    return fill(
        '<li>{badge} <a class="title" href="{path}">{title}</a>'
        '<span class="meta">{name}#{number} by {author}, {updated}</span></li>',
        badge=badge(issue),
        path=issue_path(world, issue),
        title=issue.title,
        name=name,
        number=issue.number,
        author=person(world, issue.author_id),
        updated=moment(issue.updated_at),
    )


def issue_list(world: World, issues: list[Issue], *, with_repository: bool = False) -> Html:
    if not issues:
        return Html('<p class="empty">Nothing here yet.</p>')
    newest = sorted(issues, key=lambda issue: (issue.updated_at, issue.number), reverse=True)
    rows = [issue_row(world, issue, with_repository=with_repository) for issue in newest[:200]]
    return fill('<ul class="list">{rows}</ul>', rows=join(rows))
