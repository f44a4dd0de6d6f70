"""/repos/{owner}/{repo}, labels, collaborators, commits"""

from tests.github_stand_in.errors import Refusal, forbidden, not_found
from tests.github_stand_in.rest.context import Context, RestRoutes
from tests.github_stand_in.rest.paging import page_response
from tests.github_stand_in.shapes.repositories import commit_json, full_repository, label_json
from tests.github_stand_in.shapes.users import collaborator_permission
from tests.github_stand_in.state.records import Commit, Repository
from tests.github_stand_in.verbs.permissions import may_write, require_write
from tests.github_stand_in.web.messages import Response, json_response

routes = RestRoutes()


@routes.on("GET", "/repos/{owner}/{repo}")
def repository(context: Context, owner: str, repo: str) -> Response:
    return json_response(full_repository(context.view, context.repository(owner, repo)))


@routes.on("GET", "/repos/{owner}/{repo}/labels")
def labels(context: Context, owner: str, repo: str) -> Response:
    found = context.repository(owner, repo)
    return page_response(context, found.labels, lambda view, label: label_json(view, found, label))


@routes.on("POST", "/repos/{owner}/{repo}/labels")
def create_label(context: Context, owner: str, repo: str) -> Response:
    found = context.repository(owner, repo)
    require_write(context.world, found, context.require_actor())
    label = context.world.store.label(found, context.text("name") or "")
    label.color = context.text("color") or label.color
    label.description = context.text("description") or label.description
    context.world.revision += 1
    return json_response(label_json(context.view, found, label), 201)


@routes.on("GET", "/repos/{owner}/{repo}/collaborators/{login}/permission")
def permission(context: Context, owner: str, repo: str, login: str) -> Response:
    found = context.repository(owner, repo)
    if not may_write(context.world, found, context.require_actor()):
        raise forbidden("Must have push access to view collaborator permission.")
    return json_response(collaborator_permission(context.view, found, context.user(login)))


@routes.on("GET", "/repos/{owner}/{repo}/commits")
def commits(context: Context, owner: str, repo: str) -> Response:
    found = context.repository(owner, repo)
    if not found.commits:
        raise Refusal(409, "Git Repository is empty.")
    author, since = context.request.query.get("author"), context.request.query.get("since", "")
    wanted = context.world.store.find_user(author) if author else None
    chosen = [
        commit
        for commit in _back_from(found, context.request.query.get("sha") or found.default_branch)
        if commit.at >= since and (author is None or (wanted is not None and wanted.id == commit.author_id))
    ]
    return page_response(context, chosen, lambda view, commit: commit_json(view, found, commit))


def _back_from(repository: Repository, start: str) -> list[Commit]:
    """The commits of a branch or before a commit, newest first."""
    line = repository.commits[::-1]
    if start == repository.default_branch:
        return line
    for branch in (line, repository.side_commits[::-1]):
        places = [place for place, commit in enumerate(branch) if commit.sha == start]
        if places:
            return branch[places[0] :]
    raise Refusal(404, f"No commit found for SHA: {start}")


@routes.on("GET", "/repos/{owner}/{repo}/commits/{sha}")
def commit(context: Context, owner: str, repo: str, sha: str) -> Response:
    found = context.repository(owner, repo)
    pulls = [issue.pull for issue in context.world.store.list_issues(found) if issue.pull]
    known = [*found.commits, *found.side_commits, *(commit for pull in pulls for commit in pull.commits)]
    for candidate in known:
        if candidate.sha == sha:
            return json_response(commit_json(context.view, found, candidate))
    raise not_found()
