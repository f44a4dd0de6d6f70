"""What comes next for a claim, in words: whose turn it is, and with which title a pull request is found."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from claims.deadlines import PUT_ASIDE
from claims.models import Claim
from claims.pull_requests import SeenPullRequest
from tasks_board.models import Event, Task
from tasks_board.title_starts import title_start

# In the order in which they matter to the claimant.
NOW, OTHERS, LINE, FINISHED, ENDED = "now", "others", "line", "finished", "ended"
GROUPS = (NOW, OTHERS, LINE, FINISHED, ENDED)
_NOTHING_TO_REVIEW = frozenset({"claimed", "rfc_merged", "closed_unmerged"})
_OVER = (Event.Status.CLOSED, Event.Status.ARCHIVED)


@dataclass(frozen=True, slots=True)
class NextStep:
    """A sentence; `title` is how the title of a pull request has to begin, where one is to be opened."""

    text: str
    title: str = ""


def group_of(claim: Claim) -> str:
    """Where the claim stands for its claimant: needs them now, waits for others, in line, finished, ended."""
    standing, is_over = claim.standing, claim.task.event.status in _OVER
    if standing == "done":
        return FINISHED
    if standing in ("requested", "waiting") and not claim.task.is_removed:
        return ENDED if is_over else LINE
    if standing in Claim.GONE and standing != "closed_unmerged":
        return ENDED
    if claim.task.state in PUT_ASIDE:
        return ENDED if is_over else OTHERS
    if standing == "partly_done":
        return FINISHED if is_over else NOW
    is_theirs = claim.turn == Claim.Turn.CLAIMANT or (not claim.turn and standing in _NOTHING_TO_REVIEW)
    if is_theirs:
        return ENDED if is_over else NOW
    return OTHERS


def title_of(task: Task) -> str:
    """How the title of a pull request for the task begins; empty where the event goes by no titles."""
    prefix = task.event.title_prefix
    return title_start(prefix, task.number) if prefix and task.number else ""


def needs_proposal(task: Task) -> bool:
    """Whether a proposal comes first."""
    asked = task.proposal_required
    return task.event.rule_set.proposal_required if asked is None else asked


def next_step(claim: Claim, seen: Sequence[SeenPullRequest], *, place: int | None = None) -> NextStep:
    """What the claimant has to do, or whom they wait for. `seen`: their pull requests; `place`: theirs in the line."""
    group = group_of(claim)
    if group == ENDED:
        return NextStep(_ended(claim))
    if group == FINISHED:
        return NextStep(_("Done. Nothing is left to do."))
    if group == LINE:
        return NextStep(_in_line(claim, place))
    if group == OTHERS:
        return NextStep(_of_others(claim))
    return _of_claimant(claim, seen)


def _of_claimant(claim: Claim, seen: Sequence[SeenPullRequest]) -> NextStep:
    title = title_of(claim.task)
    open_ones = [pr for pr in seen if pr.state in ("open", "draft")]
    if any(pr.review == "changes_requested" for pr in open_ones):
        return NextStep(_("Answer the review: changes are asked for"))
    if open_ones and all(pr.state == "draft" for pr in open_ones):
        return NextStep(_("Mark your draft as ready for review"))
    if open_ones:
        return NextStep(_("Answer the review"))
    if claim.standing == "rfc_merged":
        return _opened(title, _("Your proposal is merged: the code comes next, in a pull request"))
    if claim.standing == "closed_unmerged":
        return _opened(title, _("Open another pull request, or release the task"))
    if claim.standing == "partly_done":
        return _opened(title, _("One part is done: open a pull request with the part that is left"))
    if needs_proposal(claim.task):
        return _opened(title, _("Open the proposal, as a pull request"))
    return _opened(title, _("Open a pull request"))


def _opened(title: str, text: str) -> NextStep:
    if title:
        return NextStep(_("%(step)s. Begin its title with") % {"step": text}, title)
    return NextStep(_("%(step)s, and name it in a comment of the issue") % {"step": text})


def _of_others(claim: Claim) -> str:
    if claim.task.is_removed:
        return _("The task was taken out of the list. It asks nothing of you; you can release it")
    code = claim.reason.get("code")
    if code in ("merged_elsewhere", "named_only"):
        return _("It is merged; a mentor decides whether it counts")
    state = claim.task.state if claim.task.state in PUT_ASIDE else claim.standing
    words = {
        "approved": _("Approved; a maintainer merges it"),
        "rfc_submitted": _("Reviewers have your proposal; answer what they ask"),
        "pr_open": _("Reviewers have it; answer what they ask"),
        "deferred": _("A mentor has put it aside; ask them when it goes on"),
        "blocked": _("It is held up; a mentor says when it goes on"),
    }
    return words.get(state, _("A mentor will decide"))


def _in_line(claim: Claim, place: int | None) -> str:
    if claim.standing == "requested":
        return _("A mentor will decide")
    if place is None:
        return _("You move up by yourself when a place becomes free")
    return _("You are number %(place)d in line and move up by yourself when a place becomes free") % {
        "place": place
    }


def _ended(claim: Claim) -> str:
    words = {
        "superseded": _("Another claimant’s work was merged first. Thank you for yours"),
        "expired": _("The time ran out. If the task is free, you can claim it again"),
        "declined": _("A mentor said no. You can ask them why"),
        "withdrawn": _("The task was given back"),
    }
    return words.get(claim.standing, _("The event is over"))
