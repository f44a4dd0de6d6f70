"""/repos/{owner}/{repo}/issues: https://docs.github.com/rest/issues/issues"""

from tests.github_stand_in.errors import Refusal, invalid
from tests.github_stand_in.rest.context import Context, RestRoutes
from tests.github_stand_in.rest.paging import page_response
from tests.github_stand_in.shapes.issues import issue_json
from tests.github_stand_in.shapes.repositories import label_json
from tests.github_stand_in.state.records import Issue, User
from tests.github_stand_in.verbs import issues as verbs
from tests.github_stand_in.verbs.permissions import may_triage, require_close, require_edit
from tests.github_stand_in.web.messages import Response, json_response

routes = RestRoutes()
_SORT_KEYS = {"created": "created_at", "updated": "updated_at"}


def in_order(context: Context, items: list[Issue]) -> list[Issue]:
    """By `sort` and `direction`; newest first unless told otherwise."""
    query = context.request.query
    sort = query.get("sort", "created")
    descending = query.get("direction", "desc") == "desc"
    if sort == "comments":
        count = {issue.id: context.world.store.count_comments(issue) for issue in items}
        return sorted(items, key=lambda issue: (count[issue.id], issue.number), reverse=descending)
    field = _SORT_KEYS.get(sort, "created_at")
    return sorted(items, key=lambda issue: (getattr(issue, field), issue.number), reverse=descending)


def in_state(context: Context, items: list[Issue]) -> list[Issue]:
    state = context.request.query.get("state", "open")
    if state not in ("open", "closed", "all"):
        raise invalid("Issue", "state", "invalid")
    return [issue for issue in items if state in ("all", issue.state)]


def _matches(context: Context, issue: Issue) -> bool:
    query, store = context.request.query, context.world.store
    if issue.updated_at < query.get("since", ""):
        return False
    wanted = {name.lower() for name in query.get("labels", "").split(",") if name}
    if wanted - {name.lower() for name in issue.labels}:
        return False
    creator = query.get("creator")
    return creator is None or store.user(issue.author_id).login.lower() == creator.lower()


@routes.on("GET", "/repos/{owner}/{repo}/issues")
def list_issues(context: Context, owner: str, repo: str) -> Response:
    items = in_state(context, context.world.store.list_issues(context.repository(owner, repo)))
    chosen = [issue for issue in items if _matches(context, issue)]
    return page_response(context, in_order(context, chosen), issue_json)


@routes.on("POST", "/repos/{owner}/{repo}/issues")
def create_issue(context: Context, owner: str, repo: str) -> Response:
    actor, repository = context.require_actor(), context.repository(owner, repo)
    trusted = may_triage(context.world, repository, actor)
    issue = verbs.create_issue(
        context.world,
        repository,
        author=actor,
        title=context.text("title") or "",
        body=context.text("body") or "",
        labels=(context.texts("labels") or []) if trusted else [],
        assignees=_people(context, context.texts("assignees") or []) if trusted else [],
    )
    shape = issue_json(context.view, issue, full=True)
    return json_response(shape, 201, {"Location": str(shape["url"])})


@routes.on("GET", "/repos/{owner}/{repo}/issues/{number}")
def get_issue(context: Context, owner: str, repo: str, number: str) -> Response:
    issue = context.issue(owner, repo, number)
    verbs.note_read(context.world, issue)
    return json_response(issue_json(context.view, issue, full=True))


@routes.on("PATCH", "/repos/{owner}/{repo}/issues/{number}")
def update_issue(context: Context, owner: str, repo: str, number: str) -> Response:
    actor, issue = context.require_actor(), context.issue(owner, repo, number)
    title, body = context.text("title"), context.text("body")
    state = context.request.json.get("state")
    if title is not None or body is not None:
        require_edit(context.world, issue, actor)
    if state is not None:
        require_close(context.world, issue, actor)
    if body is not None:
        verbs.check_body("Issue", body)
        verbs.apply_hidden_edit(context.world, issue)
    verbs.edit_issue(context.world, issue, actor=actor, title=title, body=body)
    if state is not None:
        _change_state(context, issue, actor, str(state))
    if may_triage(context.world, context.world.store.repository_of(issue), actor):
        _change_labels_and_people(context, issue, actor)
    return json_response(issue_json(context.view, issue, full=True))


def _change_state(context: Context, issue: Issue, actor: User, state: str) -> None:
    reason = context.request.json.get("state_reason")
    if state == "closed":
        if reason is not None and reason not in verbs.REASONS:
            raise Refusal(422, f"Invalid state_reason: {reason}")
        verbs.close(context.world, issue, actor=actor, reason=reason)
    elif state == "open":
        verbs.reopen(context.world, issue, actor=actor)
    else:
        raise Refusal(422, f"Invalid state: {state}")


def _change_labels_and_people(context: Context, issue: Issue, actor: User) -> None:
    names, logins = context.texts("labels"), context.texts("assignees")
    if names is not None:
        verbs.set_labels(context.world, issue, actor=actor, names=names)
    if logins is not None:
        verbs.set_assignees(context.world, issue, actor=actor, people=_people(context, logins))


def _people(context: Context, logins: list[str]) -> list[User]:
    found = [context.world.store.find_user(login) for login in logins]
    return [user for user in found if user is not None]


@routes.on("POST", "/repos/{owner}/{repo}/issues/{number}/assignees")
def add_assignees(context: Context, owner: str, repo: str, number: str) -> Response:
    return _change_assignees(context, context.issue(owner, repo, number), add=True, status=201)


@routes.on("DELETE", "/repos/{owner}/{repo}/issues/{number}/assignees")
def remove_assignees(context: Context, owner: str, repo: str, number: str) -> Response:
    return _change_assignees(context, context.issue(owner, repo, number), add=False, status=200)


def _change_assignees(context: Context, issue: Issue, *, add: bool, status: int) -> Response:
    """Without triage access the request changes nothing and says so to nobody, like GitHub's."""
    actor, store = context.require_actor(), context.world.store
    named = _people(context, context.texts("assignees") or [])
    now = [store.user(user_id) for user_id in issue.assignees]
    if may_triage(context.world, store.repository_of(issue), actor):
        wanted = [*now, *(u for u in named if u not in now)] if add else [u for u in now if u not in named]
        verbs.set_assignees(context.world, issue, actor=actor, people=wanted)
    return json_response(issue_json(context.view, issue, full=True), status)


@routes.on("GET", "/repos/{owner}/{repo}/issues/{number}/labels")
def issue_labels(context: Context, owner: str, repo: str, number: str) -> Response:
    return _labels_response(context, context.issue(owner, repo, number))


@routes.on("POST", "/repos/{owner}/{repo}/issues/{number}/labels")
def add_labels(context: Context, owner: str, repo: str, number: str) -> Response:
    issue = context.issue(owner, repo, number)
    names = [*issue.labels, *(context.texts("labels") or [])]
    return _set_labels(context, issue, names)


@routes.on("PUT", "/repos/{owner}/{repo}/issues/{number}/labels")
def replace_labels(context: Context, owner: str, repo: str, number: str) -> Response:
    return _set_labels(context, context.issue(owner, repo, number), context.texts("labels") or [])


@routes.on("DELETE", "/repos/{owner}/{repo}/issues/{number}/labels/{name}")
def remove_label(context: Context, owner: str, repo: str, number: str, name: str) -> Response:
    issue = context.issue(owner, repo, number)
    if name.lower() not in (label.lower() for label in issue.labels):
        raise Refusal(404, "Label does not exist")
    return _set_labels(context, issue, [label for label in issue.labels if label.lower() != name.lower()])


def _set_labels(context: Context, issue: Issue, names: list[str]) -> Response:
    actor = context.require_actor()
    require_close(context.world, issue, actor)
    verbs.set_labels(context.world, issue, actor=actor, names=names)
    return _labels_response(context, issue)


def _labels_response(context: Context, issue: Issue) -> Response:
    store = context.world.store
    repository = store.repository_of(issue)
    labels = [store.label(repository, name) for name in issue.labels]
    return json_response([label_json(context.view, repository, label) for label in labels])
