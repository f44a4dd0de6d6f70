"""Users: https://docs.github.com/rest/users/users"""

from tests.github_stand_in.shapes.view import JSON, View, node_id
from tests.github_stand_in.state.records import Repository, User

_ROLE_FLAGS = {
    "admin": ("admin", "maintain", "push", "triage", "pull"),
    "maintain": ("maintain", "push", "triage", "pull"),
    "write": ("push", "triage", "pull"),
    "triage": ("triage", "pull"),
    "read": ("pull",),
    "none": (),
}
_LEGACY_PERMISSION = {"maintain": "write", "triage": "read"}


def simple_user(view: View, user: User) -> JSON:
    api = f"{view.api}/users/{user.login}"
    return {
        "login": user.login,
        "id": user.id,
        "node_id": node_id("Organization" if user.type == "Organization" else user.type, user.id),
        "avatar_url": f"{view.web}/avatars/u/{user.id}?v=4",
        "gravatar_id": "",
        "url": api,
        "html_url": f"{view.web}/{user.login}",
        "followers_url": f"{api}/followers",
        "following_url": f"{api}/following{{/other_user}}",
        "gists_url": f"{api}/gists{{/gist_id}}",
        "starred_url": f"{api}/starred{{/owner}}{{/repo}}",
        "subscriptions_url": f"{api}/subscriptions",
        "organizations_url": f"{api}/orgs",
        "repos_url": f"{api}/repos",
        "events_url": f"{api}/events{{/privacy}}",
        "received_events_url": f"{api}/received_events",
        "type": user.type,
        "site_admin": False,
    }


def full_user(view: View, user: User) -> JSON:
    owned = sum(1 for r in view.store.data.repositories.values() if r.owner_id == user.id)
    return {
        **simple_user(view, user),
        "name": user.name,
        "company": None,
        "blog": "",
        "location": None,
        "email": None,
        "hireable": None,
        "bio": None,
        "twitter_username": None,
        "public_repos": owned,
        "public_gists": 0,
        "followers": 0,
        "following": 0,
        "created_at": user.created_at,
        "updated_at": user.updated_at,
    }


def private_user(view: View, user: User) -> JSON:
    return {
        **full_user(view, user),
        "private_gists": 0,
        "total_private_repos": 0,
        "owned_private_repos": 0,
        "disk_usage": 0,
        "collaborators": 0,
        "two_factor_authentication": True,
        "plan": {"name": "free", "space": 976562499, "collaborators": 0, "private_repos": 10000},
    }


def organization(view: View, user: User) -> JSON:
    api = f"{view.api}/orgs/{user.login}"
    return {
        "login": user.login,
        "id": user.id,
        "node_id": node_id("Organization", user.id),
        "url": api,
        "repos_url": f"{api}/repos",
        "events_url": f"{api}/events",
        "hooks_url": f"{api}/hooks",
        "issues_url": f"{api}/issues",
        "members_url": f"{api}/members{{/member}}",
        "public_members_url": f"{api}/public_members{{/member}}",
        "avatar_url": f"{view.web}/avatars/u/{user.id}?v=4",
        "description": None,
    }


def role_flags(permission: str) -> dict[str, bool]:
    granted = _ROLE_FLAGS[permission]
    return {flag: flag in granted for flag in ("admin", "maintain", "push", "triage", "pull")}


def collaborator_permission(view: View, repository: Repository, user: User) -> JSON:
    role = view.store.permission(repository, user)
    return {
        "permission": _LEGACY_PERMISSION.get(role, role),
        "role_name": role,
        "user": {**simple_user(view, user), "permissions": role_flags(role), "role_name": role},
    }
