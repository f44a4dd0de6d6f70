"""Whether GitHub lets us write into an issue, and the text it has now: asked before anything is switched on."""

from dataclasses import dataclass

from claims.github_texts import may_write, read_text
from portal.accounts import people
from portal.common import clock
from portal.common.errors import DomainError
from portal.github import connect
from tasks_board.models import TrackingIssue
from tasks_board.tracking import address_of


@dataclass(frozen=True, slots=True)
class Probe:
    """What GitHub answered; `error` where it did not, `body` None then."""

    may_write: bool = False
    login: str = ""
    body: str | None = None
    error: str = ""


def probe_issue(issue: TrackingIssue) -> Probe:
    """Ask GitHub. Never raises: what went wrong stands in the answer."""
    try:
        address, _number = address_of(issue)
        gateway = connect.connect()
        account = gateway.get_me()
        people.remember_portal(account, seen_at=clock.now())
        repository = gateway.get_repository(address)
        at_github = read_text(issue, gateway)
    except DomainError as error:
        return Probe(error=str(error.message))
    return Probe(may_write(at_github, account, repository), account.login, at_github.body)
