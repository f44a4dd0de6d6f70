"""Several things on the mentor's desk at once: what was ticked, and which actions fit what a page of it shows."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from claims.desk.paging import DeskPage
from claims.models import Claim, IssueComment, PullRequest
from tasks_board.models import Event, Task

MOST_AT_ONCE = 100


class Action(StrEnum):
    """What a mentor does about several things: a decision, more time, a link, or off the list."""

    ADMITTED = "admitted"
    DECLINED = "declined"
    ACCEPTED = "accepted"
    PARTIAL = "partial"
    REJECTED = "rejected"
    FOLLOWS_FACTS = "follows_facts"
    RELEASED = "released"
    EXTENDED = "extended"
    LINKED = "linked"
    SEEN = "seen"


# What each category asks for mostly, the usual first; whether it stands there chosen already.
_USUAL: dict[str, tuple[Action, ...]] = {
    "doubtful": (Action.ACCEPTED, Action.FOLLOWS_FACTS, Action.REJECTED, Action.SEEN),
    "merged": (Action.ACCEPTED, Action.LINKED, Action.PARTIAL, Action.FOLLOWS_FACTS),
    "approve": (Action.ADMITTED, Action.DECLINED, Action.SEEN),
    "review": (Action.ACCEPTED, Action.PARTIAL, Action.REJECTED),
    "stale": (Action.EXTENDED, Action.RELEASED),
}
_CHOSEN_ALREADY = {"merged": Action.ACCEPTED, "approve": Action.ADMITTED, "stale": Action.EXTENDED}
_OF_CLAIMS = frozenset(Action) - {Action.LINKED, Action.SEEN}


def list_actions(page: DeskPage) -> list[Action]:
    """The actions that fit something on the page; those that its category asks for stand first."""
    items = [item for _category, group in page.groups for item in group if item.is_tickable]
    fits: set[Action] = set()
    for item in items:
        if item.kind == "claim":
            fits |= _OF_CLAIMS
            fits |= {Action.LINKED} if item.link is not None else set()
        else:
            fits |= {Action.ADMITTED}
            fits |= {Action.SEEN} if item.kind == "comment" else set()
    order = [*_USUAL.get(page.ask.show, ()), *Action]
    return [action for action in dict.fromkeys(order) if action in fits]


def action_chosen(page: DeskPage) -> Action | None:
    """The action that stands there chosen already, where the category asks for one thing."""
    return _CHOSEN_ALREADY.get(page.ask.show)


@dataclass(frozen=True, slots=True)
class Chosen:
    """One thing that was ticked.

    A claim, perhaps with the pull request that its branch offers; a pull request by somebody without a claim, with its
    task; or a comment, with the one task that it may mean.
    """

    claim: Claim | None = None
    pull_request: PullRequest | None = None
    comment: IssueComment | None = None
    task: Task | None = None

    @property
    def key(self) -> str:
        """Tells it from the others."""
        things = (self.claim, self.pull_request, self.comment, self.task)
        return "-".join(str(thing.pk) if thing is not None else "" for thing in things)

    @property
    def whose(self) -> str:
        """The claimant's or the author's name."""
        if self.claim is not None:
            return str(self.claim.claimant)
        work = self.comment or self.pull_request
        return work.author.login if work is not None else ""

    @property
    def number(self) -> str:
        """The task's; none of a comment that may mean several."""
        task = self.claim.task if self.claim is not None else self.task
        return task.number if task is not None else ""


def find_chosen(event: Event, texts: Sequence[str]) -> list[Chosen]:
    """What these ticks name in the event, each once, in four queries; what is not there (any more) is left out."""
    named = {text: ids for text in texts if (ids := _ids(text)) is not None}
    claims = _claims(event, (ids[0] for text, ids in named.items() if text.startswith("claim-")))
    comments = find_comments(event, (ids[0] for text, ids in named.items() if text.startswith("comment-")))
    pull_requests = PullRequest.objects.select_related("author__canonical").in_bulk(
        {ids[1] for text, ids in named.items() if not text.startswith("comment-") and ids[1]}
    )
    tasks = event.tasks.select_related("event").in_bulk(
        {
            ids[1] if text.startswith("comment-") else ids[0]
            for text, ids in named.items()
            if not text.startswith("claim-")
        }
    )
    found = []
    for text, (first, second) in named.items():
        kind = text.partition("-")[0]
        if kind == "claim" and first in claims:
            found.append(Chosen(claim=claims[first], pull_request=pull_requests.get(second)))
        elif kind == "comment" and first in comments:
            found.append(Chosen(comment=comments[first], task=tasks.get(second)))
        elif kind == "author" and first in tasks and second in pull_requests:
            found.append(Chosen(pull_request=pull_requests[second], task=tasks[first]))
    return found


def _ids(text: str) -> tuple[int, int] | None:
    """The one or two ids behind the kind of a choice; the second is 0 where there is none."""
    kind, *numbers = text.split("-")
    if kind not in ("claim", "author", "comment") or not 1 <= len(numbers) <= 2:
        return None
    if not all(number.isascii() and number.isdigit() and len(number) < 19 for number in numbers):
        return None
    first, second = (*map(int, numbers), 0)[:2]
    return first, second


def _claims(event: Event, ids: Iterable[int]) -> dict[int, Claim]:
    related = Claim.objects.select_related("task__event", "person", "team")
    return related.filter(task__event=event).in_bulk(set(ids))


def find_comments(event: Event, ids: Iterable[int]) -> dict[int, IssueComment]:
    """These comments of the event, by key. One query."""
    related = IssueComment.objects.select_related("tracking_issue__event", "author__canonical")
    related = related.defer(*(f"tracking_issue__{name}" for name in ("body", "agreed_body", "configuration")))
    return related.filter(tracking_issue__event=event).in_bulk(set(ids))
