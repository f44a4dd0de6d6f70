"""/repos/{owner}/{repo}/pulls: https://docs.github.com/rest/pulls/pulls"""

from tests.github_stand_in.errors import Refusal, invalid
from tests.github_stand_in.rest.context import Context, RestRoutes
from tests.github_stand_in.rest.issues import in_order, in_state
from tests.github_stand_in.rest.paging import page_response
from tests.github_stand_in.shapes.pulls import full_pull, review_json, simple_pull
from tests.github_stand_in.shapes.repositories import commit_json
from tests.github_stand_in.state.records import Issue
from tests.github_stand_in.state.store import pull_of
from tests.github_stand_in.verbs import issues as issue_verbs
from tests.github_stand_in.verbs import pulls as verbs
from tests.github_stand_in.verbs.permissions import require_close, require_edit, require_write
from tests.github_stand_in.web.messages import Response, json_response, no_content

routes = RestRoutes()


def _matches(context: Context, issue: Issue) -> bool:
    query = context.request.query
    pull = pull_of(issue)
    head = f"{context.world.store.user(issue.author_id).login}:{pull.head_ref}"
    return query.get("base", pull.base) == pull.base and query.get("head", head).lower() == head.lower()


@routes.on("GET", "/repos/{owner}/{repo}/pulls")
def list_pulls(context: Context, owner: str, repo: str) -> Response:
    query = context.request.query
    if query.get("sort", "created") != "created":
        query = context.request.query = {"direction": "asc", **query}
    items = [
        issue for issue in context.world.store.list_issues(context.repository(owner, repo)) if issue.pull
    ]
    chosen = [issue for issue in in_state(context, items) if _matches(context, issue)]
    return page_response(context, in_order(context, chosen), simple_pull)


@routes.on("POST", "/repos/{owner}/{repo}/pulls")
def create(context: Context, owner: str, repo: str) -> Response:
    actor, repository = context.require_actor(), context.repository(owner, repo)
    if not context.text("head"):
        raise invalid("PullRequest", "head", "missing_field")
    issue = verbs.open_pull_request(
        context.world,
        repository,
        author=actor,
        title=context.text("title") or "",
        body=context.text("body") or "",
        draft=context.request.json.get("draft") is True,
        base=context.text("base") or None,
        head=(context.text("head") or "").rpartition(":")[2],
    )
    return json_response(full_pull(context.view, issue), 201)


@routes.on("GET", "/repos/{owner}/{repo}/pulls/{number}")
def get(context: Context, owner: str, repo: str, number: str) -> Response:
    return json_response(full_pull(context.view, context.pull(owner, repo, number)))


@routes.on("PATCH", "/repos/{owner}/{repo}/pulls/{number}")
def update(context: Context, owner: str, repo: str, number: str) -> Response:
    actor, issue = context.require_actor(), context.pull(owner, repo, number)
    title, body, state = context.text("title"), context.text("body"), context.text("state")
    if title is not None or body is not None:
        require_edit(context.world, issue, actor)
    if state:
        require_close(context.world, issue, actor)
    issue_verbs.edit_issue(context.world, issue, actor=actor, title=title, body=body)
    if state == "closed":
        issue_verbs.close(context.world, issue, actor=actor)
    elif state == "open":
        issue_verbs.reopen(context.world, issue, actor=actor)
    return json_response(full_pull(context.view, issue))


@routes.on("GET", "/repos/{owner}/{repo}/pulls/{number}/reviews")
def reviews(context: Context, owner: str, repo: str, number: str) -> Response:
    issue = context.pull(owner, repo, number)
    return page_response(
        context, pull_of(issue).reviews, lambda view, review: review_json(view, issue, review)
    )


@routes.on("POST", "/repos/{owner}/{repo}/pulls/{number}/reviews")
def create_review(context: Context, owner: str, repo: str, number: str) -> Response:
    actor, issue = context.require_actor(), context.pull(owner, repo, number)
    state, body = context.text("event") or "comment", context.text("body") or ""
    review = verbs.review(context.world, issue, author=actor, state=state, body=body)
    return json_response(review_json(context.view, issue, review))


@routes.on("GET", "/repos/{owner}/{repo}/pulls/{number}/commits")
def commits(context: Context, owner: str, repo: str, number: str) -> Response:
    issue = context.pull(owner, repo, number)
    repository = context.world.store.repository_of(issue)
    return page_response(
        context, pull_of(issue).commits, lambda view, commit: commit_json(view, repository, commit)
    )


@routes.on("GET", "/repos/{owner}/{repo}/pulls/{number}/merge")
def is_merged(context: Context, owner: str, repo: str, number: str) -> Response:
    merged = pull_of(context.pull(owner, repo, number)).merged_at is not None
    return no_content() if merged else json_response(Refusal(404, "Not Found").to_json(), 404)


@routes.on("PUT", "/repos/{owner}/{repo}/pulls/{number}/merge")
def merge(context: Context, owner: str, repo: str, number: str) -> Response:
    actor, issue = context.require_actor(), context.pull(owner, repo, number)
    require_write(context.world, context.world.store.repository_of(issue), actor)
    method = context.text("merge_method") or "merge"
    sha = verbs.merge(context.world, issue, actor=actor, method=method)
    return json_response({"sha": sha, "merged": True, "message": "Pull Request successfully merged"})
