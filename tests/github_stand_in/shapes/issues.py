"""Issues and comments: https://docs.github.com/rest/issues/issues"""

from tests.github_stand_in.shapes.repositories import label_json
from tests.github_stand_in.shapes.users import simple_user
from tests.github_stand_in.shapes.view import JSON, View, node_id
from tests.github_stand_in.state.records import Comment, Issue, Reaction

REACTIONS = ("+1", "-1", "laugh", "hooray", "confused", "heart", "rocket", "eyes")


def reaction_json(view: View, reaction: Reaction) -> JSON:
    return {
        "id": reaction.id,
        "node_id": node_id("Reaction", reaction.id),
        "user": simple_user(view, view.store.user(reaction.user_id)),
        "content": reaction.content,
        "created_at": reaction.created_at,
    }


def reaction_rollup(url: str, reactions: list[Reaction]) -> JSON:
    counts = {name: sum(1 for r in reactions if r.content == name) for name in REACTIONS}
    return {"url": f"{url}/reactions", "total_count": len(reactions), **counts}


def labels_json(view: View, issue: Issue) -> list[JSON]:
    repository = view.store.repository_of(issue)
    return [label_json(view, repository, view.store.label(repository, name)) for name in issue.labels]


def shared_json(view: View, issue: Issue) -> JSON:
    """What an issue and a pull request say alike."""
    assignees = [simple_user(view, view.store.user(user_id)) for user_id in issue.assignees]
    return {
        "number": issue.number,
        "state": issue.state,
        "title": issue.title,
        "body": issue.body or None,
        "locked": issue.locked,
        "active_lock_reason": None,
        "created_at": issue.created_at,
        "updated_at": issue.updated_at,
        "closed_at": issue.closed_at,
        "user": simple_user(view, view.store.user(issue.author_id)),
        "labels": labels_json(view, issue),
        "assignee": assignees[0] if assignees else None,
        "assignees": assignees,
        "milestone": None,
        "author_association": view.store.association(view.store.repository_of(issue), issue.author_id),
    }


def issue_json(view: View, issue: Issue, *, full: bool = False) -> JSON:
    """An issue, or a pull request seen as an issue; `full` adds what only a single GET has."""
    api = view.issue_api(issue)
    shape: JSON = {
        "id": issue.id,
        "node_id": node_id(
            "PullRequest" if issue.pull else "Issue", issue.pull.id if issue.pull else issue.id
        ),
        "url": api,
        "repository_url": view.repository_api(view.store.repository_of(issue)),
        "labels_url": f"{api}/labels{{/name}}",
        "comments_url": f"{api}/comments",
        "events_url": f"{api}/events",
        "timeline_url": f"{api}/timeline",
        "html_url": view.issue_web(issue),
        "state_reason": issue.state_reason,
        **shared_json(view, issue),
        "comments": view.store.count_comments(issue),
        "reactions": reaction_rollup(api, issue.reactions),
        "performed_via_github_app": None,
    }
    if issue.pull is not None:
        shape |= {"draft": issue.pull.draft, "pull_request": _pull_links(view, issue)}
    if full:
        closer = issue.closed_by_id
        shape["closed_by"] = simple_user(view, view.store.user(closer)) if closer else None
    return shape


def _pull_links(view: View, issue: Issue) -> JSON:
    web = view.issue_web(issue)
    return {
        "url": view.pull_api(issue),
        "html_url": web,
        "diff_url": f"{web}.diff",
        "patch_url": f"{web}.patch",
        "merged_at": issue.pull.merged_at if issue.pull else None,
    }


def comment_json(view: View, comment: Comment) -> JSON:
    issue = view.store.issue_of(comment)
    repository = view.store.repository_of(comment)
    api = f"{view.repository_api(repository)}/issues/comments/{comment.id}"
    return {
        "id": comment.id,
        "node_id": node_id("IssueComment", comment.id),
        "url": api,
        "html_url": f"{view.issue_web(issue)}#issuecomment-{comment.id}",
        "issue_url": view.issue_api(issue),
        "user": simple_user(view, view.store.user(comment.author_id)),
        "created_at": comment.created_at,
        "updated_at": comment.updated_at,
        "body": comment.body,
        "author_association": view.store.association(repository, comment.author_id),
        "reactions": reaction_rollup(api, comment.reactions),
        "performed_via_github_app": None,
    }
