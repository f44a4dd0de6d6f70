"""Where a new event may come from: an issue's address, pasted Markdown, or a bot's configuration."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.utils.translation import gettext as _

from claims.operations.importing import IssueText
from portal.common import texts
from portal.common.errors import DomainError
from portal.common.texts import storable
from portal.github.gateway import Gateway
from tasks_board.configurations.hackathonbot import NotAConfiguration, load_entries, read_written
from tasks_board.configurations.model import Configuration, Entry

_REPOSITORY = r"(?P<repository>[\w.-]{1,100}/[\w.-]{1,100})"
_NUMBER = r"(?P<number>\d{1,9})/?(?:[#?].*)?"
_PLAIN = re.compile(rf"{_REPOSITORY}(?:#|/issues/){_NUMBER}", re.ASCII)
_WEB = re.compile(
    r"(?:https?://(?P<host>[\w.:-]{1,200})|(?P<bare>[\w-]{1,100}(?:\.[\w-]{1,100}){1,5}))/+(?:api/v3/)?(?:repos/)?"
    rf"{_REPOSITORY}/(?P<kind>issues|pulls?|discussions)/{_NUMBER}",
    re.ASCII | re.IGNORECASE,
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
    """OWNER/REPO#N, or an issue's address in GitHub's web or API form, also of a comment under it."""
    written = _bare(written)
    web = _WEB.fullmatch(written)
    if web is not None and web["kind"].lower() == "issues":
        return Address(web["repository"], int(web["number"]), web["host"] or web["bare"])
    plain = _PLAIN.fullmatch(written)
    return Address(plain["repository"], int(plain["number"])) if plain is not None else None


def need_address(written: str) -> Address:
    """The same. Raises DomainError, saying how to write it."""
    address = read_address(written)
    if address is not None and address.is_ours:
        return address
    values = {"written": written[:80], "github": urlsplit(settings.GITHUB_WEB_URL).netloc}
    other = _WEB.fullmatch(_bare(written))
    kind = other["kind"].lower() if other is not None else ""
    if kind.startswith("pull"):
        sentence = _("“%(written)s” leads to a pull request. An event stands in an issue: paste its address.")
    elif kind == "discussions":
        sentence = _(
            "“%(written)s” leads to a discussion, which is not read. Paste its text below, or move the tables into an issue."
        )
    else:
        sentence = _("“%(written)s” is no issue at %(github)s. Paste its web address, or write OWNER/REPO#N.")
    raise DomainError("no_issue_address", sentence % values)


def names_a_comment(written: str) -> bool:
    """Whether an address leads to a comment under its issue."""
    return "#issuecomment-" in written.lower()


def _bare(written: str) -> str:
    """Without the brackets and stops that come along from a text."""
    return written.strip().strip("<>()[]\"'`，。.,;；")


def fetch_issue(address: Address, *, gateway: Gateway, may_see_private: bool) -> IssueText:
    """The issue as it is now, under the address that it has now.

    Raises DomainError for a private repository or a pull request, GitHubUnavailable, GitHubRefused.
    """
    if not may_see_private:
        _check_public(address.repository, gateway)
    fact = gateway.get_issue(address.repository, address.number)
    if not may_see_private and fact.repository.lower() != address.repository.lower():
        _check_public(fact.repository, gateway)  # it was transferred
    if fact.is_pull_request:
        raise DomainError(
            "pull_request",
            _("%(address)s is a pull request. An event stands in an issue: paste its address.")
            % {"address": f"{fact.repository}#{fact.number}"},
        )
    is_closed = fact.state == "closed"
    return IssueText(fact.repository, fact.number, fact.title, fact.body, fact.updated_at, is_closed)


def _check_public(repository: str, gateway: Gateway) -> None:
    if gateway.get_repository(repository).is_private:
        raise DomainError(
            "private_repository",
            _("%(repository)s is private, and not everybody here may see it. Ask the staff of this portal.")
            % {"repository": repository},
        )


def pasted(text: str, repository: str, *, at: datetime) -> IssueText:
    """A text that stands in no issue; the title is its first heading. Raises DomainError."""
    if not re.fullmatch(r"[\w.-]{1,100}/[\w.-]{1,69}", repository, re.ASCII):
        raise DomainError("repository_missing", _("Say which repository #n means in this text: OWNER/REPO."))
    heading = re.search(r"^ {0,3}#{1,6}[ \t]+(\S[^\n]{0,200})", text, re.MULTILINE)
    title = heading[1].strip(" \t\r#") if heading else repository.rpartition("/")[2]
    return IssueText(repository, None, title[:200], text, at)


def read_file(name: str, data: bytes) -> tuple[str, bool]:
    """A file's text, and whether it stood in another encoding than UTF-8. Raises DomainError, saying what to do."""
    if data.startswith((b"PK\x03\x04", b"\xd0\xcf\x11\xe0")) or name.lower().endswith(
        (".xlsx", ".xls", ".docx")
    ):
        raise DomainError(
            "file_not_text",
            _(
                "This is a spreadsheet or another document, and a text is read here. Save it as text; tasks from spreadsheets are added on the page “Tasks” of an event."
            ),
        )
    found = texts.decode(data)
    if found is None:
        raise DomainError(
            "file_not_text",
            _("The file is not text in UTF-8, UTF-16 or GBK. Save it as UTF-8 and try again."),
        )
    text, encoding = found
    return text.replace("\r\n", "\n"), encoding != "utf-8"


def looks_like_configuration(text: str) -> bool:
    """Whether a pasted text is meant as a bot's configuration: JSON of a list or an object."""
    start = text.lstrip("\ufeff \t\r\n")
    return start.startswith("{") or bool(re.match(r"\[\s*[{\]]", start))


def configured(text: str) -> tuple[Entry, ...]:
    """The entries of a configuration. Raises DomainError, saying where it fails."""
    try:
        if len(text) > LONGEST_CONFIGURATION:
            raise NotAConfiguration(_("it is too long"))
        entries = read_written(written_entries(text))
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
    """The same entries as they are written, to be kept. Raises NotAConfiguration."""
    entries: list[Any] = storable(load_entries(text.lstrip("\ufeff")))
    return entries


def need_configuration(entry: Entry) -> Configuration:
    """What an entry says. Raises DomainError if it names no issue or no event, or an issue that is not at our GitHub."""
    told = entry.configuration
    if told is None:
        raise DomainError(
            "entry_not_readable",
            _("Entry %(place)d names no issue or no event, so it cannot be imported.")
            % {"place": entry.place},
        )
    need_address(f"https://{told.host}/{told.repository}/issues/{told.number}")
    return told


def address_of(entry: Entry) -> Address:
    """The issue that an entry is about. Raises DomainError likewise."""
    told = need_configuration(entry)
    return Address(told.repository, told.number)


def about(entries: Sequence[Entry], address: Address) -> tuple[Entry, ...]:
    """The entries about one issue. Raises DomainError if there is none."""
    wanted = f"{address.repository}#{address.number}".lower()
    found = tuple(e for e in entries if e.configuration is not None and e.configuration.address == wanted)
    if not found:
        raise DomainError(
            "no_entry_for_issue",
            _("The configuration has no entry about %(address)s. Leave the address out to choose from all.")
            % {"address": f"{address.repository}#{address.number}"},
        )
    return found
