"""Accounts and repositories."""

import re

from tests.github_stand_in.errors import Refusal, invalid
from tests.github_stand_in.hooks import events
from tests.github_stand_in.state.records import Repository, User
from tests.github_stand_in.state.world import World

_LOGIN = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9_-]{0,98}[A-Za-z0-9_])?(?:\[bot\])?")
_NAME = re.compile(r"[A-Za-z0-9._-]{1,100}")
ROLES = ("admin", "maintain", "write", "triage", "read", "none")
ASSOCIATIONS = (
    "OWNER",
    "MEMBER",
    "COLLABORATOR",
    "CONTRIBUTOR",
    "FIRST_TIMER",
    "FIRST_TIME_CONTRIBUTOR",
    "NONE",
)


def create_user(
    world: World, *, login: str, user_id: int | None = None, kind: str = "User", name: str | None = None
) -> User:
    _check_login(world, login)
    if user_id is not None and user_id in world.store.data.users:
        raise invalid("User", "id", "already_exists")
    now = world.clock.stamp()
    email = f"{login.lower()}@mail.example"
    user = User(user_id or _free_id(world), login, kind, now, now, name=name, email=email)
    world.store.add_user(user)
    world.revision += 1
    return user


def _free_id(world: World) -> int:
    while (user_id := world.store.next_id("user")) in world.store.data.users:
        pass
    return user_id


def _check_login(world: World, login: str) -> None:
    if not _LOGIN.fullmatch(login):
        raise invalid("User", "login", "invalid")
    if world.store.find_user(login):
        raise invalid("User", "login", "already_exists")


def rename_user(world: World, user: User, login: str) -> None:
    if login.lower() != user.login.lower():
        _check_login(world, login)
    world.store.rename_user(user, login)
    user.updated_at = world.clock.stamp()
    world.revision += 1


def delete_user(world: World, user: User) -> None:
    """The account goes; what it wrote stays and shows GitHub's ghost."""
    world.store.forget_login(user)
    user.deleted = True
    world.revision += 1


def create_repository(
    world: World,
    *,
    full_name: str,
    default_branch: str = "develop",
    description: str | None = None,
    private: bool = False,
) -> Repository:
    """The owner must exist or is made, as an organization."""
    login, _, name = full_name.partition("/")
    if not _NAME.fullmatch(name) or world.store.find_repository(full_name):
        raise invalid("Repository", "name", "already_exists" if _NAME.fullmatch(name) else "invalid")
    owner = world.store.find_user(login) or create_user(world, login=login, kind="Organization")
    now = world.clock.stamp()
    repository = Repository(
        world.store.next_id("repository"),
        owner.id,
        name,
        now,
        now,
        now,
        default_branch=default_branch,
        description=description,
        private=private,
    )
    world.store.add_repository(repository)
    world.revision += 1
    return repository


def rename_repository(world: World, repository: Repository, name: str, *, actor: User) -> None:
    before, (owner, _, _) = repository.name, world.store.full_name(repository).partition("/")
    taken = world.store.find_repository(f"{owner}/{name}")
    if not _NAME.fullmatch(name) or taken not in (None, repository) or name == before:
        raise invalid("Repository", "name", "invalid" if not _NAME.fullmatch(name) else "already_exists")
    world.store.rename_repository(repository, name)
    repository.updated_at = world.clock.stamp()
    events.repository_renamed(world, repository, actor, before=before)


def set_permission(world: World, repository: Repository, user: User, role: str) -> None:
    if role not in ROLES:
        raise Refusal(422, f"permission must be one of {', '.join(ROLES)}")
    repository.permissions[user.id] = role
    world.revision += 1


def set_association(world: World, repository: Repository, user: User, association: str | None) -> None:
    if association is None:
        repository.associations.pop(user.id, None)
    elif association in ASSOCIATIONS:
        repository.associations[user.id] = association
    else:
        raise Refusal(422, f"association must be one of {', '.join(ASSOCIATIONS)}")
    world.revision += 1
