"""Issues that move to another repository:
https://docs.github.com/issues/tracking-your-work-with-issues/administering-issues/transferring-an-issue-to-another-repository
"""

from dataclasses import replace

from tests.github_stand_in.errors import Refusal
from tests.github_stand_in.hooks import events
from tests.github_stand_in.state.records import Issue, Repository, User
from tests.github_stand_in.state.world import World
from tests.github_stand_in.verbs.issues import new_number


def _check(world: World, issue: Issue, target: Repository) -> None:
    source = world.store.repository_of(issue)
    if issue.pull is not None:
        raise Refusal(422, "Pull requests cannot be transferred")
    if target.id == source.id or target.owner_id != source.owner_id:
        raise Refusal(422, "An issue moves to another repository of the same owner")
    if source.private and not target.private:
        raise Refusal(422, "An issue of a private repository cannot move to a public one")


def transfer_issue(world: World, issue: Issue, *, target: Repository, actor: User) -> Issue:
    """A new issue, with a new id and number, takes text, people and comments along; labels only if known there."""
    _check(world, issue, target)
    store, source = world.store, world.store.repository_of(issue)
    old = events.transfer_parts(world, issue, "old")
    known = {label.name.lower() for label in target.labels}
    moved = replace(
        issue,
        id=store.next_id("issue"),
        repository_id=target.id,
        number=new_number(world, target, None),
        labels=[name for name in issue.labels if name.lower() in known],
        updated_at=world.clock.stamp(),
    )
    store.move_issue(issue, moved)
    if issue.id in world.hidden_edits:
        world.hidden_edits[moved.id] = world.hidden_edits.pop(issue.id)
    new = events.transfer_parts(world, moved, "new")
    events.issue_transferred(world, source, actor, issue=old["old_issue"], changes=new)
    if moved.state == "open":
        events.about_issue(world, "opened", moved, actor, changes=old)
    return moved
