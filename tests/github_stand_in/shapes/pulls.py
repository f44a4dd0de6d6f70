"""Pull requests and reviews: https://docs.github.com/rest/pulls/pulls"""

from tests.github_stand_in.shapes.issues import shared_json
from tests.github_stand_in.shapes.repositories import repository_json
from tests.github_stand_in.shapes.users import simple_user
from tests.github_stand_in.shapes.view import JSON, View, node_id
from tests.github_stand_in.state.records import Issue, Pull, Review
from tests.github_stand_in.state.store import pull_of


def _addresses(view: View, issue: Issue, pull: Pull) -> dict[str, str]:
    api, repository_api = view.pull_api(issue), view.repository_api(view.store.repository_of(issue))
    return {
        "html": view.issue_web(issue),
        "issue": view.issue_api(issue),
        "comments": f"{view.issue_api(issue)}/comments",
        "review_comments": f"{api}/comments",
        "review_comment": f"{repository_api}/pulls/comments{{/number}}",
        "commits": f"{api}/commits",
        "statuses": f"{repository_api}/statuses/{pull.head_sha}",
    }


def simple_pull(view: View, issue: Issue) -> JSON:
    """A pull request as lists show it."""
    pull = pull_of(issue)
    api, web = view.pull_api(issue), view.issue_web(issue)
    addresses = _addresses(view, issue, pull)
    reviewers = [simple_user(view, view.store.user(user_id)) for user_id in pull.requested_reviewers]
    return {
        "url": api,
        "id": pull.id,
        "node_id": node_id("PullRequest", pull.id),
        **{f"{name}_url": url for name, url in addresses.items()},
        "diff_url": f"{web}.diff",
        "patch_url": f"{web}.patch",
        **shared_json(view, issue),
        "merged_at": pull.merged_at,
        "merge_commit_sha": pull.merge_commit_sha,
        "requested_reviewers": reviewers,
        "requested_teams": [],
        "draft": pull.draft,
        "head": _branch(view, issue, pull.head_ref, pull.head_sha, of_author=True),
        "base": _branch(view, issue, pull.base, pull.base_sha, of_author=False),
        "_links": {name: {"href": url} for name, url in {"self": api, **addresses}.items()},
        "auto_merge": None,
    }


def full_pull(view: View, issue: Issue) -> JSON:
    pull = pull_of(issue)
    merged = pull.merged_at is not None
    merger = pull.merged_by_id
    return {
        **simple_pull(view, issue),
        "merged": merged,
        "mergeable": None if merged else issue.state == "open",
        "rebaseable": None if merged else issue.state == "open",
        "mergeable_state": "unknown" if merged else ("draft" if pull.draft else "clean"),
        "merged_by": simple_user(view, view.store.user(merger)) if merger else None,
        "comments": view.store.count_comments(issue),
        "review_comments": 0,
        "maintainer_can_modify": False,
        "commits": len(pull.commits),
        "additions": 10 * len(pull.commits),
        "deletions": len(pull.commits),
        "changed_files": len(pull.commits),
    }


def _branch(view: View, issue: Issue, ref: str, sha: str, *, of_author: bool) -> JSON:
    repository = view.store.repository_of(issue)
    user = view.store.user(issue.author_id if of_author else repository.owner_id)
    return {
        "label": f"{user.login}:{ref}",
        "ref": ref,
        "sha": sha,
        "user": simple_user(view, user),
        "repo": repository_json(view, repository),
    }


def review_json(view: View, issue: Issue, review: Review) -> JSON:
    web = f"{view.issue_web(issue)}#pullrequestreview-{review.id}"
    api = view.pull_api(issue)
    association = view.store.association(view.store.repository_of(issue), review.author_id)
    shape: JSON = {
        "id": review.id,
        "node_id": node_id("PullRequestReview", review.id),
        "user": simple_user(view, view.store.user(review.author_id)),
        "body": review.body,
        "state": review.state,
        "html_url": web,
        "pull_request_url": api,
        "author_association": review.association or association,
        "_links": {"html": {"href": web}, "pull_request": {"href": api}},
        "submitted_at": review.submitted_at,
        "commit_id": review.commit_id,
    }
    return shape
