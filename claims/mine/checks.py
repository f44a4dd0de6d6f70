"""Why a pull request counts for a claim, or does not: rule by rule, in words."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.translation import gettext as _

from claims.models import Claim
from claims.pull_requests import SeenPullRequest
from claims.standing import PullRequestFact

COUNTS, PART, PROPOSAL, OPEN, NOT = "counts", "part", "proposal", "open", "not"


@dataclass(frozen=True, slots=True)
class Check:
    """What one rule says. `passed` is None where it is neither for nor against it yet."""

    text: str
    passed: bool | None


@dataclass(frozen=True, slots=True)
class CheckedPullRequest:
    """A pull request of the claimant's with what becomes of it: counts, part, proposal, open (not yet), not."""

    pull_request: SeenPullRequest
    outcome: str
    checks: tuple[Check, ...]

    @property
    def says_why(self) -> bool:
        """Whether the checks are worth showing at once: it does not count, or counts in part."""
        return self.outcome in (NOT, PART)


def check_own(seen: SeenPullRequest, fact: PullRequestFact, claim: Claim) -> CheckedPullRequest:
    """A pull request by the claimant, by the facts that the standing was derived from."""
    checks = tuple(_checks(seen, fact, claim))
    if any(check.passed is False for check in checks):
        return CheckedPullRequest(seen, NOT, checks)
    if fact.is_proposal:
        return CheckedPullRequest(seen, PROPOSAL, checks)
    if fact.merged_at is None:
        return CheckedPullRequest(seen, OPEN, checks)
    return CheckedPullRequest(seen, PART if fact.is_partial else COUNTS, checks)


def check_others(seen: SeenPullRequest) -> CheckedPullRequest:
    """A pull request by somebody without a claim, which a text names for the task."""
    text = _("%(login)s opened it, who has no claim on this task; a mentor decides") % {"login": seen.author}
    return CheckedPullRequest(seen, NOT, (_linked(seen), Check(text, False)))


def _linked(seen: SeenPullRequest) -> Check:
    words = {
        "title": _("Its title names the task"),
        "comment": _("A comment names it; its title does not name the task"),
        "table": _("The table names it; its title does not name the task"),
        "mentor": _("A mentor linked it"),
    }
    passed = True if seen.reason in ("title", "mentor") else None
    return Check(words.get(seen.reason, _("Its title names the task")), passed)


def _checks(seen: SeenPullRequest, fact: PullRequestFact, claim: Claim) -> Iterable[Check]:
    yield _linked(seen)
    yield from _of_place(fact, claim)
    yield _of_state(seen)
    if fact.reverted_at is not None:
        yield Check(_("It was reverted"), False)
    if fact.is_proposal:
        yield Check(_("It is the proposal; the code comes in another pull request"), None)
    if fact.is_partial:
        yield Check(_("Its title says that it is one part of the task"), None)
    if seen.review == "changes_requested":
        yield Check(_("Changes are asked for"), None)
    elif fact.is_approved:
        yield Check(_("It is approved"), True)
    yield from _of_claim(fact, claim)


def _of_place(fact: PullRequestFact, claim: Claim) -> Iterable[Check]:
    event = claim.task.event
    if fact.is_only_named and fact.merged_at is not None:
        watched = {name.lower() for name in (*event.repositories, *event.proposal_repositories)}
        if fact.address.rpartition("#")[0].lower() not in watched:
            yield Check(_("The event does not watch its repository; a mentor decides"), False)
        elif fact.merged_at < claim.created_at:
            yield Check(_("It was merged before the task was claimed; a mentor decides"), False)
    elif not fact.counts and not fact.is_only_named:
        branches = ", ".join(event.rule_set.branches)
        yield Check(_("It goes to another branch than %(branches)s") % {"branches": branches}, False)


def _of_state(seen: SeenPullRequest) -> Check:
    words: dict[str, tuple[str, bool | None]] = {
        "merged": (_("It is merged"), True),
        "closed": (_("It was closed without merging"), False),
        "draft": (_("It is still a draft"), None),
    }
    return Check(*words.get(seen.state, (_("It is not merged yet"), None)))


def _of_claim(fact: PullRequestFact, claim: Claim) -> Iterable[Check]:
    """What the claim itself has against it, where the work is merged."""
    if fact.merged_at is None or fact.is_proposal or claim.standing in ("done", "partly_done"):
        return
    words = {
        "superseded": _("Another claimant’s work was merged first"),
        "withdrawn": _("It was merged after the claim was released"),
        "expired": _("It was merged after the claim had run out"),
        "declined": _("The claim was declined"),
        "requested": _("No mentor has admitted the claim yet"),
        "waiting": _("The claim waits for a place"),
        "deferred": _("A mentor has put the claim aside"),
        "blocked": _("The claim is held up by a decision"),
    }
    if claim.standing in words:
        yield Check(words[claim.standing], False)
    elif claim.reason.get("code") == "rejected":
        yield Check(_("A mentor decided that it does not finish the task"), False)
