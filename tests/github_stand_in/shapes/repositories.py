"""Repositories, labels, commits: https://docs.github.com/rest/repos/repos"""

from urllib.parse import quote

from tests.github_stand_in.shapes.users import role_flags, simple_user
from tests.github_stand_in.shapes.view import JSON, View, node_id
from tests.github_stand_in.state.records import Commit, Label, Repository

_ADDRESSES = {
    "archive_url": "/{archive_format}{/ref}",
    "assignees_url": "/assignees{/user}",
    "blobs_url": "/git/blobs{/sha}",
    "branches_url": "/branches{/branch}",
    "collaborators_url": "/collaborators{/collaborator}",
    "comments_url": "/comments{/number}",
    "commits_url": "/commits{/sha}",
    "compare_url": "/compare/{base}...{head}",
    "contents_url": "/contents/{+path}",
    "contributors_url": "/contributors",
    "deployments_url": "/deployments",
    "downloads_url": "/downloads",
    "events_url": "/events",
    "forks_url": "/forks",
    "git_commits_url": "/git/commits{/sha}",
    "git_refs_url": "/git/refs{/sha}",
    "git_tags_url": "/git/tags{/sha}",
    "hooks_url": "/hooks",
    "issue_comment_url": "/issues/comments{/number}",
    "issue_events_url": "/issues/events{/number}",
    "issues_url": "/issues{/number}",
    "keys_url": "/keys{/key_id}",
    "labels_url": "/labels{/name}",
    "languages_url": "/languages",
    "merges_url": "/merges",
    "milestones_url": "/milestones{/number}",
    "notifications_url": "/notifications{?since,all,participating}",
    "pulls_url": "/pulls{/number}",
    "releases_url": "/releases{/id}",
    "stargazers_url": "/stargazers",
    "statuses_url": "/statuses/{sha}",
    "subscribers_url": "/subscribers",
    "subscription_url": "/subscription",
    "tags_url": "/tags",
    "teams_url": "/teams",
    "trees_url": "/git/trees{/sha}",
}
_UNSIGNED: JSON = {
    "verified": False,
    "reason": "unsigned",
    "signature": None,
    "payload": None,
    "verified_at": None,
}
_FIXED: JSON = {
    "fork": False,
    "homepage": None,
    "size": 1024,
    "stargazers_count": 0,
    "watchers_count": 0,
    "language": None,
    "has_issues": True,
    "has_projects": True,
    "has_downloads": True,
    "has_wiki": True,
    "has_pages": False,
    "has_discussions": False,
    "forks_count": 0,
    "mirror_url": None,
    "archived": False,
    "disabled": False,
    "license": None,
    "allow_forking": True,
    "is_template": False,
    "web_commit_signoff_required": False,
    "topics": [],
    "custom_properties": {},
    "forks": 0,
    "watchers": 0,
}


def repository_json(view: View, repository: Repository) -> JSON:
    if repository.id not in view.repositories:
        view.repositories[repository.id] = _repository_json(view, repository)
    return view.repositories[repository.id]


def _repository_json(view: View, repository: Repository) -> JSON:
    owner = view.store.user(repository.owner_id)
    api, web = view.repository_api(repository), view.repository_web(repository)
    open_count = sum(1 for issue in view.store.list_issues(repository) if issue.state == "open")
    return {
        "id": repository.id,
        "node_id": node_id("Repository", repository.id),
        "name": repository.name,
        "full_name": view.store.full_name(repository),
        "private": repository.private,
        "owner": simple_user(view, owner),
        "html_url": web,
        "description": repository.description,
        "url": api,
        **{name: api + path for name, path in _ADDRESSES.items()},
        **_FIXED,
        "created_at": repository.created_at,
        "updated_at": repository.updated_at,
        "pushed_at": repository.pushed_at,
        "git_url": f"git:{web.partition(':')[2]}.git",
        "ssh_url": f"git@stand-in.invalid:{view.store.full_name(repository)}.git",
        "clone_url": f"{web}.git",
        "svn_url": web,
        "open_issues_count": open_count,
        "open_issues": open_count,
        "visibility": "private" if repository.private else "public",
        "default_branch": repository.default_branch,
    }


def full_repository(view: View, repository: Repository) -> JSON:
    shape = dict(repository_json(view, repository))
    if view.viewer is not None:
        shape["permissions"] = role_flags(view.store.permission(repository, view.viewer))
    return {**shape, "network_count": 0, "subscribers_count": 0}


def label_json(view: View, repository: Repository, label: Label) -> JSON:
    return {
        "id": label.id,
        "node_id": node_id("Label", label.id),
        "url": f"{view.repository_api(repository)}/labels/{quote(label.name)}",
        "name": label.name,
        "color": label.color,
        "default": False,
        "description": label.description,
    }


def commit_json(view: View, repository: Repository, commit: Commit) -> JSON:
    author = view.store.user(commit.author_id)
    api, web = view.repository_api(repository), view.repository_web(repository)
    signature = {
        "name": author.name or author.login,
        "email": f"{author.id}+{author.login}@users.noreply.example",
        "date": commit.at,
    }
    return {
        "sha": commit.sha,
        "node_id": node_id("Commit", commit.sha),
        "url": f"{api}/commits/{commit.sha}",
        "html_url": f"{web}/commit/{commit.sha}",
        "comments_url": f"{api}/commits/{commit.sha}/comments",
        "commit": {
            "url": f"{api}/git/commits/{commit.sha}",
            "author": signature,
            "committer": signature,
            "message": commit.message,
            "tree": {"sha": commit.sha, "url": f"{api}/git/trees/{commit.sha}"},
            "comment_count": 0,
            "verification": dict(_UNSIGNED),
        },
        "author": simple_user(view, author),
        "committer": simple_user(view, author),
        "parents": [
            {"sha": sha, "url": f"{api}/commits/{sha}", "html_url": f"{web}/commit/{sha}"}
            for sha in commit.parents
        ],
    }
