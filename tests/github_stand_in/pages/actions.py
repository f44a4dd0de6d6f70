"""What the forms do. The same rules hold as in the API."""

from collections.abc import Callable

from tests.github_stand_in.errors import Refusal, forbidden
from tests.github_stand_in.pages.layout import ACTOR_COOKIE, Page, issue_path
from tests.github_stand_in.state.records import Comment, Issue, User
from tests.github_stand_in.verbs import comments, issues, pulls
from tests.github_stand_in.verbs.permissions import may_write, require_close, require_edit
from tests.github_stand_in.web.messages import Response, redirect


def act_as(page: Page) -> Response:
    user = page.world.store.find_user(page.request.form.get("login", ""))
    back = page.request.form.get("back", "/")
    safe = back if back.startswith("/") and not back.startswith(("//", "/\\")) else "/"
    cookie = f"{ACTOR_COOKIE}={user.id if user else ''}; Path=/; HttpOnly; SameSite=Lax"
    return redirect(safe, cookie=cookie)


def on_repository(page: Page, owner: str, repo: str) -> Response:
    actor, found, form = page.require_actor(), page.repository(owner, repo), page.request.form
    title, body = form.get("title", ""), form.get("body", "")
    if form.get("do") == "new_issue":
        made = issues.create_issue(page.world, found, author=actor, title=title, body=body)
    elif form.get("do") == "new_pull":
        made = pulls.open_pull_request(
            page.world,
            found,
            author=actor,
            title=title,
            body=body,
            base=form.get("base"),
            draft=form.get("draft") == "yes",
        )
    else:
        raise Refusal(422, "No such action")
    return redirect(issue_path(page.world, made))


def on_issue(page: Page, issue: Issue) -> Response:
    action = _ACTIONS.get(page.request.form.get("do", ""))
    if action is None:
        raise Refusal(422, "No such action")
    where = action(page, issue, page.require_actor())
    return redirect(issue_path(page.world, where or issue))


def _body(page: Page) -> str:
    return page.request.form.get("body", "")


def _comment(page: Page, issue: Issue, actor: User) -> None:
    comments.create_comment(page.world, issue, author=actor, body=_body(page))


def _found_comment(page: Page, issue: Issue, actor: User) -> Comment:
    text = page.request.form.get("id", "")
    found = page.world.store.data.comments.get(int(text)) if text.isdecimal() else None
    if found is None or page.world.store.issue_of(found) is not issue:
        raise Refusal(404, "No such comment")
    require_edit(page.world, found, actor)
    return found


def _edit_comment(page: Page, issue: Issue, actor: User) -> None:
    comments.edit_comment(page.world, _found_comment(page, issue, actor), actor=actor, body=_body(page))


def _delete_comment(page: Page, issue: Issue, actor: User) -> None:
    comments.delete_comment(page.world, _found_comment(page, issue, actor), actor=actor)


def _edit(page: Page, issue: Issue, actor: User) -> None:
    require_edit(page.world, issue, actor)
    issues.edit_issue(page.world, issue, actor=actor, body=_body(page))


def _retitle(page: Page, issue: Issue, actor: User) -> None:
    require_edit(page.world, issue, actor)
    issues.edit_issue(page.world, issue, actor=actor, title=page.request.form.get("title", ""))


def _close(page: Page, issue: Issue, actor: User) -> None:
    require_close(page.world, issue, actor)
    not_planned = page.request.form.get("do") == "close_not_planned"
    issues.close(page.world, issue, actor=actor, reason="not_planned" if not_planned else None)


def _reopen(page: Page, issue: Issue, actor: User) -> None:
    require_close(page.world, issue, actor)
    issues.reopen(page.world, issue, actor=actor)


def _review(page: Page, issue: Issue, actor: User) -> None:
    state = page.request.form["do"].removeprefix("review_")
    pulls.review(page.world, issue, author=actor, state=state, body=_body(page))


def _require_writer(page: Page, issue: Issue, actor: User) -> None:
    if not may_write(page.world, page.world.store.repository_of(issue), actor):
        raise forbidden()


def _merge(page: Page, issue: Issue, actor: User) -> None:
    _require_writer(page, issue, actor)
    pulls.merge(page.world, issue, actor=actor)


def _revert(page: Page, issue: Issue, actor: User) -> Issue:
    _require_writer(page, issue, actor)
    return pulls.revert(page.world, issue, actor=actor)


def _draft(page: Page, issue: Issue, actor: User) -> None:
    require_edit(page.world, issue, actor)
    pulls.set_draft(page.world, issue, actor=actor, draft=page.request.form["do"] == "draft")


def _push(page: Page, issue: Issue, actor: User) -> None:
    require_edit(page.world, issue, actor)
    pulls.push(page.world, issue, author=actor)


_ACTIONS: dict[str, Callable[[Page, Issue, User], Issue | None]] = {
    "comment": _comment,
    "edit_comment": _edit_comment,
    "delete_comment": _delete_comment,
    "edit": _edit,
    "retitle": _retitle,
    "close": _close,
    "close_not_planned": _close,
    "reopen": _reopen,
    "approve": _review,
    "request_changes": _review,
    "review_comment": _review,
    "merge": _merge,
    "revert": _revert,
    "draft": _draft,
    "ready": _draft,
    "push": _push,
}
