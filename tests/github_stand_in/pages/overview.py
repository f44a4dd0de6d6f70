"""The first page, a repository, a person, a commit."""

from tests.github_stand_in.errors import not_found
from tests.github_stand_in.pages.html import NOTHING, Html, fill, join, moment
from tests.github_stand_in.pages.layout import Page, issue_list, person
from tests.github_stand_in.state.records import Repository
from tests.github_stand_in.web.messages import Response, redirect

_HOME = """<h1>Stand-in for GitHub</h1>
<p>These repositories and people are invented. Choose somebody to act as, open an issue or a pull request,
and the portal hears of it through a signed webhook, as it would from GitHub.</p>
<section><h2>Repositories</h2>{repositories}</section>
<section><h2>People</h2>{people}</section>"""

_REPOSITORY = """<h1><a href="/{owner}">{owner}</a> / {name}</h1>
<p class="meta">{description}</p>
<nav class="tabs" aria-label="Repository">{tabs}</nav>
{items}
{forms}"""

_NEW_ISSUE = """<details class="box"><summary>New issue</summary>
<form method="post" action="{path}">
<input type="hidden" name="do" value="new_issue">
<label for="issue-title">Title</label><input id="issue-title" name="title" required maxlength="256">
<label for="issue-body">Text</label><textarea id="issue-body" name="body" rows="8"></textarea>
<p><button class="go">Open the issue</button></p>
</form></details>"""

_NEW_PULL = """<details class="box"><summary>New pull request</summary>
<form method="post" action="{path}">
<input type="hidden" name="do" value="new_pull">
<label for="pull-title">Title</label><input id="pull-title" name="title" required maxlength="256">
<label for="pull-body">Text</label><textarea id="pull-body" name="body" rows="5"></textarea>
<label for="pull-base">Into branch</label><input id="pull-base" name="base" value="{base}" required>
<p><label class="check"><input type="checkbox" name="draft" value="yes"> as a draft</label></p>
<p><button class="go">Open the pull request</button></p>
</form></details>"""


def home(page: Page) -> Response:
    store = page.world.store
    rows = [_repository_row(page, repository) for repository in store.data.repositories.values()]
    living = [user for user in store.data.users.values() if not user.deleted]
    people = [fill("<li>{person}</li>", person=person(page.world, user.id)) for user in living]
    content = fill(
        _HOME,
        repositories=fill('<ul class="list">{rows}</ul>', rows=join(rows))
        if rows
        else Html("<p>None yet.</p>"),
        people=fill('<ul class="people">{people}</ul>', people=join(people))
        if people
        else Html("<p>None yet.</p>"),
    )
    return page.render("Home", content)


def _repository_row(page: Page, repository: Repository) -> Html:
    name = page.world.store.full_name(repository)
    items = page.world.store.list_issues(repository)
    open_items = [issue for issue in items if issue.state == "open"]
    pulls = sum(1 for issue in open_items if issue.pull)
    return fill(
        '<li><a class="title" href="/{name}">{name}</a><span class="meta">{issues} open issues, '
        "{pulls} open pull requests</span></li>",
        name=name,
        issues=len(open_items) - pulls,
        pulls=pulls,
    )


def repository(page: Page, owner: str, repo: str, *, tab: str = "") -> Response:
    found = page.repository(owner, repo)
    store = page.world.store
    name = store.full_name(found)
    items = [i for i in store.list_issues(found) if not tab or (i.pull is not None) == (tab == "pulls")]
    forms = NOTHING
    if page.actor is not None:
        path = f"/{name}"
        forms = join([fill(_NEW_ISSUE, path=path), fill(_NEW_PULL, path=path, base=found.default_branch)])
    content = fill(
        _REPOSITORY,
        owner=name.partition("/")[0],
        name=found.name,
        description=found.description or "",
        tabs=_tabs(name, tab),
        items=issue_list(page.world, items),
        forms=forms,
    )
    return page.render(name, content)


def _tabs(name: str, current: str) -> Html:
    tabs = (("", "Everything"), ("issues", "Issues"), ("pulls", "Pull requests"))
    links = [
        fill(
            '<a href="/{path}"{here}>{text}</a>',
            path=f"{name}/{tab}".rstrip("/"),
            here=Html(' aria-current="page"') if tab == current else NOTHING,
            text=text,
        )
        for tab, text in tabs
    ]
    return join(links)


def profile(page: Page, login: str) -> Response:
    user = page.world.store.find_user(login)
    if user is None:
        raise not_found()
    if user.login != login:
        return redirect(f"/{user.login}", status=301)
    store = page.world.store
    owned = [r for r in store.data.repositories.values() if r.owner_id == user.id]
    written = [issue for issue in store.data.issues if issue.author_id == user.id]
    rows = join(_repository_row(page, repository) for repository in owned)
    content = fill(
        '<h1><img class="face" src="/avatars/u/{id}" alt="" width="64" height="64"> {login}</h1>'
        '<p class="meta">{name} · {kind} · id {id}</p>{owned}'
        "<section><h2>Issues and pull requests</h2>{written}</section>",
        id=user.id,
        login=user.login,
        name=user.name or user.login,
        kind=user.type,
        owned=fill('<section><h2>Repositories</h2><ul class="list">{rows}</ul></section>', rows=rows)
        if owned
        else NOTHING,
        written=issue_list(page.world, written, with_repository=True),
    )
    return page.render(user.login, content)


def commit(page: Page, owner: str, repo: str, sha: str) -> Response:
    found = page.repository(owner, repo)
    pulls = [issue.pull for issue in page.world.store.list_issues(found) if issue.pull]
    known = [*found.commits, *(commit for pull in pulls for commit in pull.commits)]
    for candidate in known:
        if candidate.sha.startswith(sha) and len(sha) >= 7:
            content = fill(
                "<h1>Commit {short}</h1><pre>{message}</pre><p>{author}, {at}</p>",
                short=candidate.sha[:10],
                message=candidate.message,
                author=person(page.world, candidate.author_id),
                at=moment(candidate.at),
            )
            return page.render(f"Commit {candidate.sha[:10]}", content)
    raise not_found()
