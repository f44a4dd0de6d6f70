"""What people do, by name and in plain JSON: accounts, repositories, issues, comments."""

from tests.github_stand_in.drive.stage import Stage, verb
from tests.github_stand_in.shapes.issues import comment_json, issue_json
from tests.github_stand_in.shapes.repositories import full_repository
from tests.github_stand_in.shapes.users import full_user
from tests.github_stand_in.shapes.view import JSON
from tests.github_stand_in.verbs import comments, issues, people, transfers


@verb
def create_user(
    stage: Stage, login: str, id: int | None = None, type: str = "User", name: str | None = None
) -> JSON:
    user = people.create_user(stage.world, login=login, user_id=id, kind=type, name=name)
    return full_user(stage.view, user)


@verb
def rename_user(stage: Stage, login: str, new_login: str) -> JSON:
    user = stage.user(login)
    people.rename_user(stage.world, user, new_login)
    return full_user(stage.view, user)


@verb
def delete_user(stage: Stage, login: str) -> None:
    people.delete_user(stage.world, stage.user(login))


@verb
def create_repository(
    stage: Stage,
    full_name: str,
    owners: list[str] | None = None,
    default_branch: str = "develop",
    description: str | None = None,
    private: bool = False,
) -> JSON:
    repository = people.create_repository(
        stage.world,
        full_name=full_name,
        default_branch=default_branch,
        description=description,
        private=private,
    )
    for login in owners or []:
        owner = stage.world.store.find_user(login) or people.create_user(stage.world, login=login)
        people.set_permission(stage.world, repository, owner, "admin")
    return full_repository(stage.view, repository)


@verb
def rename_repository(stage: Stage, full_name: str, new_name: str, by: str) -> JSON:
    repository = stage.repository(full_name)
    people.rename_repository(stage.world, repository, new_name, actor=stage.user(by))
    return full_repository(stage.view, repository)


@verb
def set_token(stage: Stage, token: str, login: str) -> None:
    stage.world.store.tokens[token] = stage.user(login).id


@verb
def set_permission(stage: Stage, repository: str, login: str, permission: str) -> None:
    people.set_permission(stage.world, stage.repository(repository), stage.user(login), permission)


@verb
def set_association(stage: Stage, repository: str, login: str, association: str | None) -> None:
    people.set_association(stage.world, stage.repository(repository), stage.user(login), association)


@verb
def create_issue(
    stage: Stage,
    repository: str,
    title: str,
    body: str,
    author: str,
    number: int | None = None,
    labels: list[str] | None = None,
) -> JSON:
    issue = issues.create_issue(
        stage.world,
        stage.repository(repository),
        author=stage.user(author),
        title=title,
        body=body,
        labels=labels or (),
        number=number,
    )
    return stage.shape(issue)


@verb
def get_issue(stage: Stage, repository: str, number: int) -> JSON:
    return issue_json(stage.view, stage.issue(repository, number), full=True)


@verb
def issue_history(stage: Stage, repository: str, number: int) -> list[JSON]:
    store = stage.world.store
    return [
        {"at": edit.at, "editor": store.user(edit.editor_id).login, "body": edit.body}
        for edit in stage.issue(repository, number).edits
    ]


@verb
def edit_issue(
    stage: Stage, repository: str, number: int, editor: str, body: str | None = None, title: str | None = None
) -> JSON:
    issue = stage.issue(repository, number)
    issues.edit_issue(stage.world, issue, actor=stage.user(editor), title=title, body=body)
    return stage.shape(issue)


@verb
def close(stage: Stage, repository: str, number: int, by: str, reason: str | None = None) -> JSON:
    issue = stage.issue(repository, number)
    issues.close(stage.world, issue, actor=stage.user(by), reason=reason)
    return stage.shape(issue)


@verb
def reopen(stage: Stage, repository: str, number: int, by: str) -> JSON:
    issue = stage.issue(repository, number)
    issues.reopen(stage.world, issue, actor=stage.user(by))
    return stage.shape(issue)


@verb
def retitle(stage: Stage, repository: str, number: int, by: str, title: str) -> JSON:
    issue = stage.issue(repository, number)
    issues.edit_issue(stage.world, issue, actor=stage.user(by), title=title)
    return stage.shape(issue)


@verb
def set_labels(stage: Stage, repository: str, number: int, by: str, labels: list[str]) -> JSON:
    issue = stage.issue(repository, number)
    issues.set_labels(stage.world, issue, actor=stage.user(by), names=labels)
    return stage.shape(issue)


@verb
def set_assignees(stage: Stage, repository: str, number: int, by: str, logins: list[str]) -> JSON:
    issue = stage.issue(repository, number)
    chosen = [stage.user(login) for login in logins]
    issues.set_assignees(stage.world, issue, actor=stage.user(by), people=chosen)
    return stage.shape(issue)


@verb
def set_locked(stage: Stage, repository: str, number: int, by: str, locked: bool) -> JSON:
    issue = stage.issue(repository, number)
    issues.set_locked(stage.world, issue, actor=stage.user(by), locked=locked)
    return stage.shape(issue)


@verb
def transfer_issue(stage: Stage, repository: str, number: int, to: str, by: str) -> JSON:
    issue, target = stage.issue(repository, number), stage.repository(to)
    return stage.shape(transfers.transfer_issue(stage.world, issue, target=target, actor=stage.user(by)))


@verb
def comment(stage: Stage, repository: str, number: int, author: str, body: str) -> JSON:
    issue = stage.issue(repository, number)
    made = comments.create_comment(stage.world, issue, author=stage.user(author), body=body)
    return comment_json(stage.view, made)


@verb
def edit_comment(stage: Stage, comment_id: int, editor: str, body: str) -> JSON:
    found = stage.comment(comment_id)
    comments.edit_comment(stage.world, found, actor=stage.user(editor), body=body)
    return comment_json(stage.view, found)


@verb
def delete_comment(stage: Stage, comment_id: int, by: str) -> None:
    comments.delete_comment(stage.world, stage.comment(comment_id), actor=stage.user(by))


@verb
def list_comments(stage: Stage, repository: str, number: int) -> list[JSON]:
    found = stage.world.store.list_comments(stage.issue(repository, number))
    return [comment_json(stage.view, item) for item in found]
