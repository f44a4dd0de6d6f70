"""Payloads: https://docs.github.com/webhooks/webhook-events-and-payloads"""

from tests.github_stand_in.shapes.issues import comment_json, issue_json
from tests.github_stand_in.shapes.pulls import full_pull, review_json, simple_pull
from tests.github_stand_in.shapes.repositories import repository_json
from tests.github_stand_in.shapes.users import organization, simple_user
from tests.github_stand_in.shapes.view import JSON, View
from tests.github_stand_in.state.records import Comment, Issue, Repository, Review, User
from tests.github_stand_in.state.world import Event, World

_ON_BOTH = "assigned closed edited labeled locked opened reopened unassigned unlabeled unlocked"
# Every webhook that the stand-in can send; the tests check each one against GitHub's schema of it.
SENT: dict[str, tuple[str, ...]] = {
    "issue_comment": ("created", "deleted", "edited"),
    "issues": (*_ON_BOTH.split(), "transferred"),
    "ping": ("",),
    "pull_request": (*_ON_BOTH.split(), "converted_to_draft", "ready_for_review", "synchronize"),
    "pull_request_review": ("dismissed", "edited", "submitted"),
    "repository": ("renamed",),
}


def webhook_view(world: World) -> View:
    return View(world.store, world.public_url, world.public_url)


def about_issue(world: World, action: str, issue: Issue, sender: User, **extra: object) -> None:
    """`issues`, or `pull_request` when the issue is one."""
    view = webhook_view(world)
    if issue.pull is not None:
        subject: JSON = {"number": issue.number, "pull_request": full_pull(view, issue)}
        _emit(world, "pull_request", action, issue, sender, {**subject, **extra})
    else:
        _emit(world, "issues", action, issue, sender, {"issue": issue_json(view, issue), **extra})


def about_comment(world: World, action: str, comment: Comment, sender: User, **extra: object) -> None:
    view = webhook_view(world)
    issue = world.store.issue_of(comment)
    subject = {"issue": issue_json(view, issue), "comment": comment_json(view, comment)}
    _emit(world, "issue_comment", action, issue, sender, {**subject, **extra})


def about_review(
    world: World, action: str, issue: Issue, review: Review, sender: User, **extra: object
) -> None:
    view = webhook_view(world)
    shape = review_json(view, issue, review) | {
        "state": review.state.lower(),
    }
    subject = {"review": shape, "pull_request": simple_pull(view, issue)}
    _emit(world, "pull_request_review", action, issue, sender, {**subject, **extra})


def ping(world: World, repository: Repository, sender: User, hook: JSON) -> None:
    payload = {"zen": "Keep it logically awesome.", "hook_id": hook["id"], "hook": hook}
    world.emit(Event("ping", "", payload | _surroundings(world, repository, sender)))


def repository_renamed(world: World, repository: Repository, sender: User, *, before: str) -> None:
    changes = {"repository": {"name": {"from": before}}}
    _emit_in(world, "repository", "renamed", repository, sender, {"changes": changes})


def issue_transferred(world: World, source: Repository, sender: User, *, issue: JSON, changes: JSON) -> None:
    _emit_in(world, "issues", "transferred", source, sender, {"changes": changes, "issue": issue})


def transfer_parts(world: World, issue: Issue, prefix: str) -> JSON:
    """How the `changes` of a transfer show an issue with its repository; `prefix` is "old" or "new"."""
    view = webhook_view(world)
    repository = repository_json(view, world.store.repository_of(issue))
    return {f"{prefix}_issue": issue_json(view, issue), f"{prefix}_repository": repository}


def _emit(world: World, name: str, action: str, issue: Issue, sender: User, subject: JSON) -> None:
    _emit_in(world, name, action, world.store.repository_of(issue), sender, subject)


def _emit_in(
    world: World, name: str, action: str, repository: Repository, sender: User, subject: JSON
) -> None:
    if action not in SENT[name]:
        raise LookupError(f"{name}.{action} is not among the webhooks that are checked")
    payload = {"action": action, **subject, **_surroundings(world, repository, sender)}
    world.emit(Event(name, action, payload))


def _surroundings(world: World, repository: Repository, sender: User) -> JSON:
    view = webhook_view(world)
    around: JSON = {"repository": repository_json(view, repository)}
    owner = world.store.user(repository.owner_id)
    if owner.type == "Organization":
        around["organization"] = organization(view, owner)
    return {**around, "sender": simple_user(view, sender)}
