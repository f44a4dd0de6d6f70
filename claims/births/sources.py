"""Where a new event may come from: an issue's address, pasted Markdown, or a bot's configuration."""

import json
import re
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.utils.translation import gettext as _

from claims.operations.importing import IssueText
from portal.common.errors import DomainError
from portal.github.gateway import Gateway
from tasks_board.configurations.hackathonbot import NotAConfiguration, read_entries
from tasks_board.configurations.model import Entry

_PLAIN = re.compile(r"(?P<repository>[\w.-]{1,100}/[\w.-]{1,100})#(?P<number>\d{1,9})", re.ASCII)
_WEB = re.compile(
    r"https?://(?P<host>[\w.:-]{1,200})/(?:api/v3/)?(?:repos/)?"
    r"(?P<repository>[\w.-]{1,100}/[\w.-]{1,100})/issues/(?P<number>\d{1,9})/?(?:[#?].*)?",
    re.ASCII,
)
LONGEST_CONFIGURATION = 1_000_000  # characters
MOST_ENTRIES = 500


@dataclass(frozen=True, slots=True)
class Address:
    """An issue at GitHub. `host` is empty where only OWNER/REPO#N was written."""

    repository: str
    number: int
    host: str = ""

    @property
    def is_ours(self) -> bool:
        """Whether it leads to the GitHub that this portal talks to; texts call that github.com, whatever its own address."""
        ours = (settings.GITHUB_WEB_URL, settings.GITHUB_API_URL)
        hosts = {"github.com", "api.github.com", *(urlsplit(url).netloc.lower() for url in ours)}
        return not self.host or self.host.lower().removeprefix("www.") in hosts


def read_address(written: str) -> Address | None:
    """OWNER/REPO#N, or an issue's address in GitHub's web or API form."""
    match = _PLAIN.fullmatch(written.strip()) or _WEB.fullmatch(written.strip())
    if match is None:
        return None
    return Address(match["repository"], int(match["number"]), match.groupdict().get("host") or "")


def need_address(written: str) -> Address:
    """The same. Raises DomainError, saying how to write it."""
    address = read_address(written)
    if address is None or not address.is_ours:
        raise DomainError(
            "no_issue_address",
            _("“%(written)s” is no issue at %(github)s. Paste its web address, or write OWNER/REPO#N.")
            % {"written": written[:80], "github": urlsplit(settings.GITHUB_WEB_URL).netloc},
        )
    return address


def fetch_issue(address: Address, *, gateway: Gateway, may_see_private: bool) -> IssueText:
    """The issue as it is now. Raises DomainError for a private repository, GitHubUnavailable, GitHubRefused."""
    if not may_see_private and gateway.get_repository(address.repository).is_private:
        raise DomainError(
            "private_repository",
            _("%(repository)s is private, and not everybody here may see it. Ask the staff of this portal.")
            % {"repository": address.repository},
        )
    fact = gateway.get_issue(address.repository, address.number)
    return IssueText(fact.repository, fact.number, fact.title, fact.body, fact.updated_at)


def pasted(text: str, repository: str, *, at: datetime) -> IssueText:
    """A text that stands in no issue; the title is its first heading. Raises DomainError."""
    if not re.fullmatch(r"[\w.-]{1,100}/[\w.-]{1,69}", repository, re.ASCII):
        raise DomainError("repository_missing", _("Say which repository #n means in this text: OWNER/REPO."))
    heading = re.search(r"^ {0,3}#{1,6}[ \t]+(\S[^\n]{0,200})", text, re.MULTILINE)
    title = heading[1].strip(" \t\r#") if heading else repository.rpartition("/")[2]
    return IssueText(repository, None, title[:200], text, at)


def looks_like_configuration(text: str) -> bool:
    """Whether a pasted text is meant as a bot's configuration: JSON of a list or an object."""
    start = text.lstrip("\ufeff \t\r\n")
    return start.startswith("{") or bool(re.match(r"\[\s*[{\]]", start))


def configured(text: str) -> tuple[Entry, ...]:
    """The entries of a configuration. Raises DomainError, saying where it fails."""
    try:
        if len(text) > LONGEST_CONFIGURATION:
            raise NotAConfiguration(_("it is too long"))
        entries = read_entries(text.lstrip("\ufeff"))
    except NotAConfiguration as error:
        raise DomainError(
            "no_configuration",
            _("This is no configuration that we can read: %(reason)s.") % {"reason": str(error)[:200]},
        ) from error
    if not entries or len(entries) > MOST_ENTRIES:
        raise DomainError(
            "no_configuration",
            _("A configuration of 1 to %(most)d entries was expected.") % {"most": MOST_ENTRIES},
        )
    return entries


def written_entries(text: str) -> list[Any]:
    """The same entries as they are written, to be kept."""
    found = json.loads(text.lstrip("\ufeff"))
    return found if isinstance(found, list) else [found]
