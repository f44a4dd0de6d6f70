"""Comments and reactions: https://docs.github.com/rest/issues/comments"""

from tests.github_stand_in.errors import Refusal
from tests.github_stand_in.rest.context import Context, RestRoutes
from tests.github_stand_in.rest.paging import page_response
from tests.github_stand_in.shapes.issues import REACTIONS, comment_json, reaction_json
from tests.github_stand_in.state.records import Comment, Issue
from tests.github_stand_in.verbs import comments as verbs
from tests.github_stand_in.verbs.permissions import require_edit
from tests.github_stand_in.web.messages import Response, json_response, no_content

routes = RestRoutes()


@routes.on("GET", "/repos/{owner}/{repo}/issues/{number}/comments")
def of_issue(context: Context, owner: str, repo: str, number: str) -> Response:
    since = context.request.query.get("since", "")
    comments = context.world.store.list_comments(context.issue(owner, repo, number))
    return page_response(context, [c for c in comments if c.updated_at >= since], comment_json)


@routes.on("POST", "/repos/{owner}/{repo}/issues/{number}/comments")
def create(context: Context, owner: str, repo: str, number: str) -> Response:
    actor, issue = context.require_actor(), context.issue(owner, repo, number)
    comment = verbs.create_comment(context.world, issue, author=actor, body=context.text("body") or "")
    shape = comment_json(context.view, comment)
    return json_response(shape, 201, {"Location": str(shape["url"])})


@routes.on("GET", "/repos/{owner}/{repo}/issues/comments")
def of_repository(context: Context, owner: str, repo: str) -> Response:
    """Oldest first; sorted only when `sort` is given, as GitHub ignores `direction` otherwise."""
    repository, query = context.repository(owner, repo), context.request.query
    comments = [
        comment
        for comment in context.world.store.data.comments.values()
        if comment.repository_id == repository.id and comment.updated_at >= query.get("since", "")
    ]
    field = {"created": "created_at", "updated": "updated_at"}.get(query.get("sort", ""))
    if field is not None:
        descending = query.get("direction", "desc") == "desc"
        comments.sort(key=lambda comment: (getattr(comment, field), comment.id), reverse=descending)
    return page_response(context, comments, comment_json)


@routes.on("GET", "/repos/{owner}/{repo}/issues/comments/{id}")
def get(context: Context, owner: str, repo: str, id: str) -> Response:
    return json_response(comment_json(context.view, context.comment(owner, repo, id)))


@routes.on("PATCH", "/repos/{owner}/{repo}/issues/comments/{id}")
def update(context: Context, owner: str, repo: str, id: str) -> Response:
    actor, comment = context.require_actor(), context.comment(owner, repo, id)
    require_edit(context.world, comment, actor)
    verbs.edit_comment(context.world, comment, actor=actor, body=context.text("body") or "")
    return json_response(comment_json(context.view, comment))


@routes.on("DELETE", "/repos/{owner}/{repo}/issues/comments/{id}")
def delete(context: Context, owner: str, repo: str, id: str) -> Response:
    actor, comment = context.require_actor(), context.comment(owner, repo, id)
    require_edit(context.world, comment, actor)
    verbs.delete_comment(context.world, comment, actor=actor)
    return no_content()


@routes.on("GET", "/repos/{owner}/{repo}/issues/comments/{id}/reactions")
def reactions(context: Context, owner: str, repo: str, id: str) -> Response:
    return page_response(context, context.comment(owner, repo, id).reactions, reaction_json)


@routes.on("POST", "/repos/{owner}/{repo}/issues/comments/{id}/reactions")
def react(context: Context, owner: str, repo: str, id: str) -> Response:
    return _react(context, context.comment(owner, repo, id))


@routes.on("DELETE", "/repos/{owner}/{repo}/issues/comments/{id}/reactions/{reaction}")
def take_back(context: Context, owner: str, repo: str, id: str, reaction: str) -> Response:
    actor, comment = context.require_actor(), context.comment(owner, repo, id)
    verbs.take_reaction_back(context.world, comment, actor=actor, reaction_id=reaction)
    return no_content()


@routes.on("POST", "/repos/{owner}/{repo}/issues/{number}/reactions")
def react_to_issue(context: Context, owner: str, repo: str, number: str) -> Response:
    return _react(context, context.issue(owner, repo, number))


def _react(context: Context, item: Issue | Comment) -> Response:
    content = context.text("content") or ""
    if content not in REACTIONS:
        raise Refusal(
            422, "Validation Failed", errors=[{"resource": "Reaction", "field": "content", "code": "invalid"}]
        )
    reaction, is_new = verbs.react(context.world, item, actor=context.require_actor(), content=content)
    return json_response(reaction_json(context.view, reaction), 201 if is_new else 200)
