"""Reading the commits of a pull request: who else wrote them, and whether a bot landed what it closed."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from claims import trailers
from claims.models import PullRequest
from claims.operations import landing
from portal.github import types
from portal.github.gateway import Gateway

LOOK_UPS = 10  # co-authors looked up for one pull request
LOOKED_AT = 300  # commits of one author among which a landed one is sought


@dataclass(frozen=True, slots=True)
class CommitsPlan:
    """The pull request, merged or closed, as we know it."""

    pull_request: PullRequest
    author: str


@dataclass(frozen=True, slots=True)
class CommitsOutcome:
    """Whom the trailers name, as accounts and as ids alone; who closed it; the commit that a bot landed."""

    co_authors: Sequence[types.Account] = ()
    ids: Sequence[int] = ()
    closed_by: types.Account | None = None
    landed: types.Commit | None = None


class ReadCommits:
    """Look up what only commits tell, once a pull request for a task is merged or closed."""

    def plan(self, payload: dict[str, Any], now: datetime) -> CommitsPlan | None:
        """None where it is open again, or known to be landed."""
        pull_request = PullRequest.objects.select_related("author").get(pk=payload["pull_request"])
        if pull_request.state == PullRequest.State.OPEN or pull_request.landed_sha:
            return None
        return CommitsPlan(pull_request, pull_request.author.login)

    def perform(self, plan: CommitsPlan, gateway: Gateway) -> CommitsOutcome:
        """A few reads, and a look-up for each co-author."""
        known = plan.pull_request
        own = gateway.list_pull_request_commits(known.repository, known.number)
        if known.state == PullRequest.State.MERGED:
            current = gateway.get_pull_request(known.repository, known.number)
            return _read_co_authors([*own, *_merge_commit(known, current.merge_commit_sha, gateway)], gateway)
        issue = gateway.get_issue(known.repository, known.number)
        landed = _find_landed(plan, own, gateway)
        outcome = _read_co_authors([*own, landed], gateway) if landed else CommitsOutcome()
        return CommitsOutcome(outcome.co_authors, outcome.ids, issue.closed_by, landed)

    def record(self, plan: CommitsPlan, outcome: CommitsOutcome, now: datetime) -> None:
        """Note what was found; again is the same as once."""
        landing.record_commits(
            pull_request=plan.pull_request,
            closed_by=outcome.closed_by,
            landed=outcome.landed,
            co_authors=outcome.co_authors,
            ids=outcome.ids,
            now=now,
        )


def _merge_commit(known: PullRequest, sha: str, gateway: Gateway) -> list[types.Commit]:
    """The commit that the merge made, which after a squash is none of the pull request's own."""
    if not sha:
        return []
    commit = next(iter(gateway.list_commits(known.repository, start=sha)), None)
    return [commit] if commit else []


def _find_landed(plan: CommitsPlan, own: Sequence[types.Commit], gateway: Gateway) -> types.Commit | None:
    """The author's last commit on the base branch that says that it brings the pull request, or is one of its own."""
    known, shas = plan.pull_request, {commit.sha for commit in own}
    for commit in _of_author(plan, gateway):
        is_own = commit.sha in shas
        if is_own or trailers.brings(commit.message, repository=known.repository, number=known.number):
            return commit
    return None


def _of_author(plan: CommitsPlan, gateway: Gateway) -> Iterator[types.Commit]:
    known = plan.pull_request
    commits = gateway.list_commits(
        known.repository, start=known.base_branch, author=plan.author, since=known.opened_at
    )
    for _turn, commit in zip(range(LOOKED_AT), commits, strict=False):
        yield commit


def _read_co_authors(commits: Sequence[types.Commit], gateway: Gateway) -> CommitsOutcome:
    """The accounts behind the trailers. A login beside a number is believed only if GitHub says the same."""
    by_mail = {c.author_email.lower(): c.author.login for c in commits if c.author and c.author_email}
    accounts, ids = [], []
    for named in trailers.co_authors([c.message for c in commits], known=by_mail)[:LOOK_UPS]:
        account = gateway.find_account(named.login)
        if account is not None and named.id in (None, account.id):
            accounts.append(account)
        elif named.id is not None:
            ids.append(named.id)
    return CommitsOutcome(accounts, ids)
