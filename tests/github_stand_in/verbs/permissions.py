"""Who may do what: https://docs.github.com/organizations/managing-user-access/repository-roles"""

from tests.github_stand_in.errors import forbidden, not_found
from tests.github_stand_in.state.records import Comment, Issue, Repository, User
from tests.github_stand_in.state.store import COLLABORATORS, WRITERS
from tests.github_stand_in.state.world import World


def may_write(world: World, repository: Repository, user: User | None) -> bool:
    return world.store.permission(repository, user) in WRITERS


def may_triage(world: World, repository: Repository, user: User | None) -> bool:
    return world.store.permission(repository, user) in COLLABORATORS


def may_edit(world: World, item: Issue | Comment, user: User | None) -> bool:
    author = user is not None and user.id == item.author_id
    return author or may_write(world, world.store.repository_of(item), user)


def may_close(world: World, issue: Issue, user: User | None) -> bool:
    author = user is not None and user.id == issue.author_id
    return author or may_triage(world, world.store.repository_of(issue), user)


def require_edit(world: World, item: Issue | Comment, user: User) -> None:
    if not may_edit(world, item, user):
        raise forbidden()


def require_close(world: World, issue: Issue, user: User) -> None:
    if not may_close(world, issue, user):
        raise forbidden()


def require_write(world: World, repository: Repository, user: User | None) -> None:
    """Without write access GitHub answers as if the address did not exist."""
    if not may_write(world, repository, user):
        raise not_found()
