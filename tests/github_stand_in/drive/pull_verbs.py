"""What people do with pull requests, by name and in plain JSON."""

from tests.github_stand_in.drive.stage import Stage, verb
from tests.github_stand_in.errors import Refusal
from tests.github_stand_in.shapes.pulls import full_pull, review_json
from tests.github_stand_in.shapes.repositories import commit_json
from tests.github_stand_in.shapes.view import JSON
from tests.github_stand_in.state.records import Issue, Review
from tests.github_stand_in.verbs import pulls


@verb
def open_pull_request(
    stage: Stage,
    repository: str,
    title: str,
    author: str,
    body: str = "",
    draft: bool = False,
    base: str | None = None,
    head: str | None = None,
    number: int | None = None,
) -> JSON:
    issue = pulls.open_pull_request(
        stage.world,
        stage.repository(repository),
        author=stage.user(author),
        title=title,
        body=body,
        draft=draft,
        base=base,
        head=head,
        number=number,
    )
    return stage.shape(issue)


@verb
def get_pull_request(stage: Stage, repository: str, number: int) -> JSON:
    return full_pull(stage.view, stage.pull(repository, number))


@verb
def push(stage: Stage, repository: str, number: int, author: str, message: str = "Update") -> JSON:
    issue = stage.pull(repository, number)
    commit = pulls.push(stage.world, issue, author=stage.user(author), message=message)
    return commit_json(stage.view, stage.world.store.repository_of(issue), commit)


@verb
def land_commit(stage: Stage, repository: str, author: str, message: str) -> JSON:
    found = stage.repository(repository)
    commit = pulls.land_commit(stage.world, found, author=stage.user(author), message=message)
    return commit_json(stage.view, found, commit)


@verb
def set_draft(stage: Stage, repository: str, number: int, by: str, draft: bool) -> JSON:
    issue = stage.pull(repository, number)
    pulls.set_draft(stage.world, issue, actor=stage.user(by), draft=draft)
    return stage.shape(issue)


@verb
def request_review(stage: Stage, repository: str, number: int, reviewer: str) -> JSON:
    issue = stage.pull(repository, number)
    pulls.request_review(stage.world, issue, reviewer=stage.user(reviewer))
    return stage.shape(issue)


@verb
def review(
    stage: Stage,
    repository: str,
    number: int,
    author: str,
    state: str,
    association: str | None = None,
    body: str = "",
) -> JSON:
    issue = stage.pull(repository, number)
    made = pulls.review(
        stage.world, issue, author=stage.user(author), state=state, body=body, association=association
    )
    return review_json(stage.view, issue, made)


def _review(stage: Stage, issue: Issue, review_id: int) -> Review:
    found = stage.world.store.find_review(issue, review_id)
    if found is None:
        raise Refusal(422, f"no review {review_id}")
    return found


@verb
def edit_review(stage: Stage, repository: str, number: int, review_id: int, editor: str, body: str) -> JSON:
    issue = stage.pull(repository, number)
    found = _review(stage, issue, review_id)
    pulls.edit_review(stage.world, issue, found, actor=stage.user(editor), body=body)
    return review_json(stage.view, issue, found)


@verb
def dismiss_review(stage: Stage, repository: str, number: int, review_id: int, by: str) -> JSON:
    issue = stage.pull(repository, number)
    found = _review(stage, issue, review_id)
    pulls.dismiss_review(stage.world, issue, found, actor=stage.user(by))
    return review_json(stage.view, issue, found)


@verb
def merge(stage: Stage, repository: str, number: int, by: str) -> JSON:
    issue = stage.pull(repository, number)
    pulls.merge(stage.world, issue, actor=stage.user(by))
    return stage.shape(issue)


@verb
def revert(stage: Stage, repository: str, number: int, by: str) -> JSON:
    return stage.shape(pulls.revert(stage.world, stage.pull(repository, number), actor=stage.user(by)))
