"""An issue or a pull request: text, comments, reviews, and the forms for whoever acts."""

from dataclasses import dataclass

from tests.github_stand_in.pages.html import NOTHING, Html, fill, join, moment
from tests.github_stand_in.pages.layout import Page, badge, issue_path, person
from tests.github_stand_in.pages.markup import render
from tests.github_stand_in.state.records import Comment, Issue, Review, User
from tests.github_stand_in.state.store import pull_of
from tests.github_stand_in.verbs.permissions import may_close, may_edit, may_write
from tests.github_stand_in.web.messages import Response, redirect

_SHOWN = 200
_PAGE = """<p class="meta"><a href="/{repository}">{repository}</a></p>
<h1>{title} <span class="number">#{number}</span></h1>
<p class="state">{badge} {author} opened this on {created}{detail}</p>
<div class="labels">{labels}</div>
{texts}
{forms}"""

_TEXT = """<article class="text" id="{anchor}">
<header>{author} {role} <a class="meta" href="#{anchor}">{at}</a>{edited}</header>
<div class="markdown">{body}</div>{tools}</article>"""

_EDIT = """<details class="tools"><summary>Edit</summary>
<form method="post" action="{path}">
<input type="hidden" name="do" value="{verb}"><input type="hidden" name="id" value="{id}">
<label for="edit-{anchor}">Text</label>
<textarea id="edit-{anchor}" name="body" rows="12">
{body}</textarea>
<p><button class="go">Save</button> {extra}</p>
</form></details>"""

_FORM = """<form class="box" method="post" action="{path}">{inner}</form>"""
_COMMENT = """<label for="comment">Comment as {login}</label>
<textarea id="comment" name="body" rows="5"></textarea>
<p><button class="go" name="do" value="comment">Comment</button></p>"""
_RETITLE = """<label for="title">Title</label><input id="title" name="title" value="{title}" maxlength="256">
<p><button name="do" value="retitle">Change the title</button></p>"""
_REVIEW = """<label for="review">Review as {login}</label><textarea id="review" name="body" rows="3"></textarea>
<p><button name="do" value="approve">Approve</button>
<button name="do" value="request_changes">Request changes</button>
<button name="do" value="review_comment">Review without a verdict</button></p>"""


@dataclass(frozen=True)
class Discussion:
    page: Page
    issue: Issue
    actor: User | None

    @property
    def path(self) -> str:
        return issue_path(self.page.world, self.issue)

    @property
    def repository(self) -> str:
        store = self.page.world.store
        return store.full_name(store.repository_of(self.issue))


def show(page: Page, issue: Issue) -> Response:
    talk = Discussion(page, issue, page.actor)
    if page.request.path != talk.path:
        return redirect(talk.path, status=302)
    content = fill(
        _PAGE,
        repository=talk.repository,
        title=issue.title,
        number=issue.number,
        badge=badge(issue),
        author=person(page.world, issue.author_id),
        created=moment(issue.created_at),
        detail=_detail(talk),
        labels=join(fill('<span class="label">{name}</span> ', name=name) for name in issue.labels),
        texts=join(_texts(talk)),
        forms=_forms(talk)
        if talk.actor
        else Html('<p class="empty">Choose somebody to act as, to write here.</p>'),
    )
    return page.render(f"{issue.title} #{issue.number}", content)


def _role(association: str) -> Html:
    if association == "NONE":
        return NOTHING
    return fill('<span class="role">{name}</span>', name=association.capitalize().replace("_", " "))


def _detail(talk: Discussion) -> Html:
    pull = talk.issue.pull
    if pull is None:
        return NOTHING
    branches = fill(", <code>{head}</code> into <code>{base}</code>", head=pull.head_ref, base=pull.base)
    if not pull.merged_at:
        return branches
    merger = person(talk.page.world, pull.merged_by_id)
    return join([branches, fill("; {who} merged it on {at}", who=merger, at=moment(pull.merged_at))])


def _texts(talk: Discussion) -> list[Html]:
    """The text and what followed it, in the order in which it was said."""
    comments: list[Comment | Review] = [*talk.page.world.store.list_comments(talk.issue)]
    reviews = talk.issue.pull.reviews if talk.issue.pull else []
    later = sorted([*comments, *reviews], key=lambda item: (_said_at(item), item.id))
    latest = later[-_SHOWN:]
    shown = [_comment(talk, item) if isinstance(item, Comment) else _review(talk, item) for item in latest]
    if len(later) > _SHOWN:
        shown.insert(0, fill('<p class="empty">{n} earlier ones are not shown.</p>', n=len(later) - _SHOWN))
    return [_text(talk, talk.issue, f"issue-{talk.issue.id}", "edit"), *shown]


def _said_at(item: Comment | Review) -> str:
    return item.created_at if isinstance(item, Comment) else item.submitted_at


def _comment(talk: Discussion, comment: Comment) -> Html:
    return _text(talk, comment, f"issuecomment-{comment.id}", "edit_comment")


def _text(talk: Discussion, item: Issue | Comment, anchor: str, verb: str) -> Html:
    world = talk.page.world
    edited = NOTHING
    if len(item.edits) > 1:
        last = item.edits[-1]
        edited = fill(
            ' <span class="meta">edited by {who}, {at}</span>',
            who=person(world, last.editor_id),
            at=moment(last.at),
        )
    return fill(
        _TEXT,
        anchor=anchor,
        author=person(world, item.author_id),
        role=_role(world.store.association(world.store.repository_of(item), item.author_id)),
        at=moment(item.created_at),
        edited=edited,
        body=render(item.body, talk.repository) if item.body else Html('<p class="empty">No text.</p>'),
        tools=_editor(talk, item, anchor, verb) if may_edit(world, item, talk.actor) else NOTHING,
    )


def _editor(talk: Discussion, item: Issue | Comment, anchor: str, verb: str) -> Html:
    delete = Html('<button name="do" value="delete_comment">Delete</button>')
    extra = delete if isinstance(item, Comment) else NOTHING
    return fill(_EDIT, path=talk.path, verb=verb, id=item.id, anchor=anchor, body=item.body, extra=extra)


def _review(talk: Discussion, review: Review) -> Html:
    world = talk.page.world
    role = review.association or world.store.association(
        world.store.repository_of(talk.issue), review.author_id
    )
    verdict = review.state.lower().replace("_", " ")
    return fill(
        '<article class="text review" id="pullrequestreview-{id}"><header>{author} '
        "{role} <strong>{verdict}</strong> {at}</header>{body}</article>",
        id=review.id,
        author=person(world, review.author_id),
        role=_role(role),
        verdict=verdict,
        at=moment(review.submitted_at),
        body=fill('<div class="markdown">{b}</div>', b=render(review.body, talk.repository))
        if review.body
        else NOTHING,
    )


def _forms(talk: Discussion) -> Html:
    login = talk.actor.login if talk.actor else ""
    forms = [fill(_COMMENT, login=login)]
    if talk.issue.pull is not None and talk.issue.state == "open":
        forms.append(fill(_REVIEW, login=login))
    buttons = _buttons(talk)
    if buttons:
        forms.append(fill("<p>{buttons}</p>", buttons=join(buttons, " ")))
    if may_edit(talk.page.world, talk.issue, talk.actor):
        forms.append(fill(_RETITLE, title=talk.issue.title))
    return join(fill(_FORM, path=talk.path, inner=inner) for inner in forms)


def _buttons(talk: Discussion) -> list[Html]:
    world, issue = talk.page.world, talk.issue
    writer = may_write(world, world.store.repository_of(issue), talk.actor)
    verbs: list[tuple[str, str]] = []
    if issue.pull is not None:
        verbs += _pull_verbs(issue, writer=writer, author=may_edit(world, issue, talk.actor))
    if may_close(world, issue, talk.actor) and not (issue.pull and issue.pull.merged_at):
        verbs += [("close", "Close")] if issue.state == "open" else [("reopen", "Reopen")]
        if issue.pull is None and issue.state == "open":
            verbs.append(("close_not_planned", "Close as not planned"))
    return [
        fill('<button name="do" value="{verb}">{text}</button>', verb=verb, text=text) for verb, text in verbs
    ]


def _pull_verbs(issue: Issue, *, writer: bool, author: bool) -> list[tuple[str, str]]:
    pull = pull_of(issue)
    verbs: list[tuple[str, str]] = []
    if pull.merged_at:
        return [("revert", "Revert")] if writer else []
    if issue.state == "open" and author:
        verbs += [("push", "Push a commit")]
        verbs += [("ready", "Ready for review")] if pull.draft else [("draft", "Convert to draft")]
    if issue.state == "open" and writer and not pull.draft:
        verbs.append(("merge", "Merge"))
    return verbs
