"""Pull requests: open, push, draft, review, merge, revert."""

from tests.github_stand_in.errors import Refusal, invalid
from tests.github_stand_in.hooks import events
from tests.github_stand_in.state.records import Commit, Edit, Issue, Pull, Repository, Review, User
from tests.github_stand_in.state.store import closing_numbers, pull_of
from tests.github_stand_in.state.world import World
from tests.github_stand_in.verbs import issues

REVIEW_STATES = {"approve": "APPROVED", "request_changes": "CHANGES_REQUESTED", "comment": "COMMENTED"}
_REVIEW_STATE_NAMES = {**REVIEW_STATES, **{state.lower(): state for state in REVIEW_STATES.values()}}


def new_commit(world: World, author: User, message: str, *parents: str) -> Commit:
    return Commit(world.store.next_sha(), author.id, message, world.clock.stamp(), list(parents))


def open_pull_request(
    world: World,
    repository: Repository,
    *,
    author: User,
    title: str,
    body: str = "",
    draft: bool = False,
    base: str | None = None,
    head: str | None = None,
    number: int | None = None,
) -> Issue:
    issue = issues.build_issue(world, repository, author=author, title=title, body=body, number=number)
    base_sha = repository.commits[-1].sha if repository.commits else world.store.next_sha()
    commit = new_commit(world, author, title, base_sha)
    issue.pull = Pull(
        world.store.next_id("pull"),
        base or repository.default_branch,
        head or f"patch-{issue.number}",
        commit.sha,
        base_sha,
        draft=draft,
        merge_commit_sha=world.store.next_sha(),
        commits=[commit],
    )
    world.store.add_issue(issue)
    events.about_issue(world, "opened", issue, author)
    return issue


def push(world: World, issue: Issue, *, author: User, message: str = "Update") -> Commit:
    pull = pull_of(issue)
    before = pull.head_sha
    commit = new_commit(world, author, message, before)
    pull.commits.append(commit)
    pull.head_sha = commit.sha
    issues.touch(world, issue)
    events.about_issue(world, "synchronize", issue, author, before=before, after=commit.sha)
    return commit


def set_draft(world: World, issue: Issue, *, actor: User, draft: bool) -> None:
    pull = pull_of(issue)
    if pull.draft == draft:
        return
    pull.draft = draft
    issues.touch(world, issue)
    events.about_issue(world, "converted_to_draft" if draft else "ready_for_review", issue, actor)


def request_review(world: World, issue: Issue, *, reviewer: User) -> None:
    """Ask somebody for a review, or for another one. Of this the stand-in sends no webhook; lists and objects say it."""
    pull = pull_of(issue)
    if reviewer.id not in pull.requested_reviewers:
        pull.requested_reviewers.append(reviewer.id)
        issues.touch(world, issue)


def review(
    world: World,
    issue: Issue,
    *,
    author: User,
    state: str,
    body: str = "",
    association: str | None = None,
) -> Review:
    pull = pull_of(issue)
    name = _REVIEW_STATE_NAMES.get(state.lower())
    if name is None:
        raise Refusal(422, f"Unknown review event: {state}")
    if author.id == issue.author_id and name != "COMMENTED":
        verb = "approve" if name == "APPROVED" else "request changes on"
        raise Refusal(
            422, "Unprocessable Entity", errors=[{"message": f"Can not {verb} your own pull request"}]
        )
    issues.check_body("PullRequestReview", body)
    issues.touch(world, issue)
    now = issue.updated_at
    made = Review(world.store.next_id("review"), author.id, name, body, pull.head_sha, now, now, association)
    pull.reviews.append(made)
    pull.requested_reviewers = [asked for asked in pull.requested_reviewers if asked != author.id]
    events.about_review(world, "submitted", issue, made, author)
    return made


def edit_review(world: World, issue: Issue, found: Review, *, actor: User, body: str) -> None:
    changes = {"body": {"from": found.body}}
    if not found.edits:
        found.edits.append(Edit(found.submitted_at, found.author_id, found.body))
    found.body = body
    found.updated_at = world.clock.stamp()
    found.edits.append(Edit(found.updated_at, actor.id, body))
    events.about_review(world, "edited", issue, found, actor, changes=changes)


def dismiss_review(world: World, issue: Issue, found: Review, *, actor: User) -> None:
    found.state = "DISMISSED"
    issues.touch(world, issue)
    found.updated_at = issue.updated_at
    events.about_review(world, "dismissed", issue, found, actor)


def merge(world: World, issue: Issue, *, actor: User, method: str = "squash") -> str:
    """Merge, close the issues its text fixes, and answer the merge commit's SHA."""
    pull = pull_of(issue)
    if issue.state != "open" or pull.draft:
        raise Refusal(405, "Pull Request is still a draft" if pull.draft else "Pull Request is not mergeable")
    repository = world.store.repository_of(issue)
    author = world.store.user(issue.author_id)
    commit = new_commit(world, author, _merge_message(world, issue, method), *_parents(repository))
    branch = repository.commits if pull.base == repository.default_branch else repository.side_commits
    branch.append(commit)
    issues.touch(world, issue)
    now = repository.pushed_at = issue.updated_at
    pull.merged_at, pull.merged_by_id, pull.merge_commit_sha = now, actor.id, commit.sha
    issue.state, issue.closed_at, issue.closed_by_id = "closed", now, actor.id
    events.about_issue(world, "closed", issue, actor)
    if pull.base == repository.default_branch:
        _close_fixed_issues(world, repository, issue, actor)
    return commit.sha


def _parents(repository: Repository) -> list[str]:
    return [repository.commits[-1].sha] if repository.commits else []


def _merge_message(world: World, issue: Issue, method: str) -> str:
    if method == "merge":
        return f"Merge pull request #{issue.number}\n\n{issue.title}"
    trailers = _co_authors(world, issue) if method == "squash" else []
    return "\n".join([f"{issue.title} (#{issue.number})", *([""] if trailers else []), *trailers])


def _co_authors(world: World, issue: Issue) -> list[str]:
    """Trailers for whoever else wrote commits, and those that the commits carry: GitHub puts both under a squash."""
    lines: dict[str, None] = {}
    for commit in pull_of(issue).commits:
        if commit.author_id != issue.author_id:
            user = world.store.user(commit.author_id)
            lines[f"Co-authored-by: {user.login} <{user.id}+{user.login}@users.noreply.github.com>"] = None
        carried = [line for line in commit.message.splitlines() if line.lower().startswith("co-authored-by:")]
        lines |= dict.fromkeys(carried)
    return list(lines)


def _close_fixed_issues(world: World, repository: Repository, issue: Issue, actor: User) -> None:
    for number in closing_numbers(issue.body):
        fixed = world.store.find_issue(repository, number)
        if fixed is not None and fixed.pull is None:
            issues.close(world, fixed, actor=actor)


def revert(world: World, issue: Issue, *, actor: User) -> Issue:
    """What GitHub's "Revert" button does: a new pull request that undoes a merged one."""
    pull = pull_of(issue)
    if pull.merged_at is None:
        raise invalid("PullRequest", "merged", "invalid", "Only merged pull requests can be reverted")
    repository = world.store.repository_of(issue)
    return open_pull_request(
        world,
        repository,
        author=actor,
        title=f'Revert "{issue.title}"'[: issues.TITLE_LIMIT],
        body=f"Reverts {world.store.full_name(repository)}#{issue.number}",
        base=pull.base,
        head=f"revert-{issue.number}-{pull.head_ref}",
    )


def land_commit(world: World, repository: Repository, *, author: User, message: str) -> Commit:
    """A commit on the default branch without a merge, as merge bots make it."""
    commit = new_commit(world, author, message, *_parents(repository))
    repository.commits.append(commit)
    repository.pushed_at = commit.at
    world.revision += 1
    return commit
