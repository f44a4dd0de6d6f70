"""Writing, editing, closing and labelling of issues, and of pull requests where they are the same."""

from collections.abc import Iterable

from tests.github_stand_in.errors import Refusal, invalid
from tests.github_stand_in.hooks import events
from tests.github_stand_in.shapes.repositories import label_json
from tests.github_stand_in.shapes.users import simple_user
from tests.github_stand_in.state.records import Edit, Issue, Repository, User
from tests.github_stand_in.state.store import record_edit
from tests.github_stand_in.state.world import World

BODY_LIMIT = 65_536
TITLE_LIMIT = 256
REASONS = ("completed", "not_planned", "duplicate")


def check_body(resource: str, body: str) -> None:
    if len(body) > BODY_LIMIT:
        raise invalid(resource, "body", "custom", f"body is too long (maximum is {BODY_LIMIT} characters)")


def check_title(resource: str, title: str) -> None:
    if not title.strip():
        raise invalid(resource, "title", "missing_field")
    if len(title) > TITLE_LIMIT:
        raise invalid(resource, "title", "custom", f"title is too long (maximum is {TITLE_LIMIT} characters)")


def new_number(world: World, repository: Repository, wanted: int | None) -> int:
    number = repository.last_number + 1 if wanted is None else wanted
    if number < 1 or world.store.find_issue(repository, number):
        raise invalid("Issue", "number", "already_exists")
    repository.last_number = max(repository.last_number, number)
    return number


def build_issue(
    world: World, repository: Repository, *, author: User, title: str, body: str, number: int | None
) -> Issue:
    check_title("Issue", title)
    check_body("Issue", body)
    now = world.clock.stamp()
    return Issue(
        world.store.next_id("issue"),
        repository.id,
        new_number(world, repository, number),
        title,
        author.id,
        now,
        now,
        [Edit(now, author.id, body)],
    )


def create_issue(
    world: World,
    repository: Repository,
    *,
    author: User,
    title: str,
    body: str = "",
    labels: Iterable[str] = (),
    assignees: Iterable[User] = (),
    number: int | None = None,
) -> Issue:
    issue = build_issue(world, repository, author=author, title=title, body=body, number=number)
    issue.labels = [world.store.label(repository, name).name for name in labels]
    issue.assignees = [user.id for user in assignees][:10]
    world.store.add_issue(issue)
    events.about_issue(world, "opened", issue, author)
    return issue


def touch(world: World, issue: Issue) -> None:
    issue.updated_at = world.clock.stamp()


def edit_issue(
    world: World, issue: Issue, *, actor: User, title: str | None = None, body: str | None = None
) -> None:
    """Change title and body; what stays the same is no edit and tells nobody."""
    changes: dict[str, dict[str, str]] = {}
    resource = "PullRequest" if issue.pull else "Issue"
    if title is not None and title != issue.title:
        check_title(resource, title)
        changes["title"] = {"from": issue.title}
    if body is not None and body != issue.body:
        check_body(resource, body)
        changes["body"] = {"from": issue.body}
    if not changes:
        return
    touch(world, issue)
    if "title" in changes and title is not None:
        issue.title = title
    if "body" in changes and body is not None:
        record_edit(issue, editor=actor, body=body, at=issue.updated_at)
    events.about_issue(world, "edited", issue, actor, changes=changes)


def close(world: World, issue: Issue, *, actor: User, reason: str | None = None) -> None:
    if issue.state == "closed":
        return
    issue.state = "closed"
    issue.state_reason = None if issue.pull else reason or "completed"
    touch(world, issue)
    issue.closed_at, issue.closed_by_id = issue.updated_at, actor.id
    events.about_issue(world, "closed", issue, actor)


def reopen(world: World, issue: Issue, *, actor: User) -> None:
    if issue.pull is not None and issue.pull.merged_at:
        raise invalid(
            "PullRequest", "state", "invalid", "state cannot be changed. The pull request is merged."
        )
    if issue.state == "open":
        return
    issue.state, issue.closed_at, issue.closed_by_id = "open", None, None
    issue.state_reason = None if issue.pull else "reopened"
    touch(world, issue)
    events.about_issue(world, "reopened", issue, actor)


def set_labels(world: World, issue: Issue, *, actor: User, names: Iterable[str]) -> None:
    repository = world.store.repository_of(issue)
    wanted = list(dict.fromkeys(world.store.label(repository, name).name for name in names))
    before, issue.labels = issue.labels, wanted
    _announce_labels(world, issue, actor, "labeled", [n for n in wanted if n not in before])
    _announce_labels(world, issue, actor, "unlabeled", [n for n in before if n not in wanted])


def _announce_labels(world: World, issue: Issue, actor: User, action: str, names: list[str]) -> None:
    repository, view = world.store.repository_of(issue), events.webhook_view(world)
    for name in names:
        touch(world, issue)
        label = label_json(view, repository, world.store.label(repository, name))
        events.about_issue(world, action, issue, actor, label=label)


def set_assignees(world: World, issue: Issue, *, actor: User, people: Iterable[User]) -> None:
    """At most ten, and only people with a tie to the repository or a comment here; others drop out silently."""
    wanted = [user for user in people if is_assignable(world, issue, user)][:10]
    before, issue.assignees = issue.assignees, [user.id for user in wanted]
    view = events.webhook_view(world)
    added = [user for user in wanted if user.id not in before]
    removed = [world.store.user(user_id) for user_id in before if user_id not in issue.assignees]
    for action, changed in (("assigned", added), ("unassigned", removed)):
        for user in changed:
            touch(world, issue)
            events.about_issue(world, action, issue, actor, assignee=simple_user(view, user))


def is_assignable(world: World, issue: Issue, user: User) -> bool:
    repository = world.store.repository_of(issue)
    commenters = {comment.author_id for comment in world.store.list_comments(issue)}
    tied = world.store.association(repository, user.id) in ("OWNER", "MEMBER", "COLLABORATOR")
    return tied or user.id in commenters or user.id == issue.author_id


def set_locked(world: World, issue: Issue, *, actor: User, locked: bool) -> None:
    issue.locked = locked
    touch(world, issue)
    events.about_issue(world, "locked" if locked else "unlocked", issue, actor)


def apply_hidden_edit(world: World, issue: Issue) -> None:
    """The edit a test has placed between somebody's reading and this writing, if it has been read since."""
    hidden = world.hidden_edits.get(issue.id)
    if hidden is None or not hidden.read:
        return
    del world.hidden_edits[issue.id]
    body = hidden.body
    if hidden.replace is not None:
        if hidden.replace[0] not in issue.body:
            raise Refusal(422, "the hidden edit's text is not in the body")
        body = issue.body.replace(*hidden.replace, 1)
    edit_issue(world, issue, actor=world.store.user(hidden.editor_id), body=body)


def note_read(world: World, issue: Issue) -> None:
    hidden = world.hidden_edits.get(issue.id)
    if hidden is not None:
        hidden.read = True
