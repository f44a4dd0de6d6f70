"""Comments and reactions."""

from tests.github_stand_in.errors import Refusal, forbidden, invalid
from tests.github_stand_in.hooks import events
from tests.github_stand_in.state.records import Comment, Edit, Issue, Reaction, User
from tests.github_stand_in.state.store import record_edit
from tests.github_stand_in.state.world import World
from tests.github_stand_in.verbs.issues import check_body, touch
from tests.github_stand_in.verbs.permissions import may_write


def _check(body: str) -> None:
    if not body.strip():
        raise invalid("IssueComment", "body", "custom", "body cannot be blank")
    check_body("IssueComment", body)


def create_comment(world: World, issue: Issue, *, author: User, body: str) -> Comment:
    _check(body)
    if issue.locked and not may_write(world, world.store.repository_of(issue), author):
        raise forbidden("Unable to create comment because issue is locked.")
    touch(world, issue)
    now = issue.updated_at
    comment = Comment(
        world.store.next_id("comment"),
        issue.repository_id,
        issue.number,
        author.id,
        now,
        now,
        [Edit(now, author.id, body)],
    )
    world.store.add_comment(comment)
    events.about_comment(world, "created", comment, author)
    return comment


def edit_comment(world: World, comment: Comment, *, actor: User, body: str) -> None:
    _check(body)
    if body == comment.body:
        return
    before = comment.body
    comment.updated_at = world.clock.stamp()
    record_edit(comment, editor=actor, body=body, at=comment.updated_at)
    events.about_comment(world, "edited", comment, actor, changes={"body": {"from": before}})


def delete_comment(world: World, comment: Comment, *, actor: User) -> None:
    touch(world, world.store.issue_of(comment))
    world.store.remove_comment(comment)
    events.about_comment(world, "deleted", comment, actor)


def react(world: World, item: Issue | Comment, *, actor: User, content: str) -> tuple[Reaction, bool]:
    """The reaction, and whether it is new."""
    for reaction in item.reactions:
        if (reaction.user_id, reaction.content) == (actor.id, content):
            return reaction, False
    reaction = Reaction(world.store.next_id("reaction"), actor.id, content, world.clock.stamp())
    item.reactions.append(reaction)
    world.revision += 1
    return reaction, True


def take_reaction_back(world: World, comment: Comment, *, actor: User, reaction_id: str) -> None:
    for reaction in comment.reactions:
        if str(reaction.id) == reaction_id:
            if reaction.user_id != actor.id:
                raise forbidden("Must have admin rights to Repository.")
            comment.reactions.remove(reaction)
            world.revision += 1
            return
    raise Refusal(404, "Not Found")
