"""Pull requests named in a text (cases/README.md, section 1).

A reference is, in this order, a Markdown link (only its URL counts, never its text), a URL
``http(s)://github.com/owner/repo/pull/n`` with anything behind it, ``owner/repo#n``, ``repo#n`` (owner
PaddlePaddle) or a bare ``#n`` (the repository of the issue). ``PR#n`` is the bare form, and so are ``5#n`` and ``No.5#n``:
no repository is called by a number. Other URLs are no
pull requests.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from tasks_board.documents import text as texts
from tasks_board.documents.model import PullRequestRef, Span

DEFAULT_OWNER = "PaddlePaddle"

# One link as Markdown has it; the text may hold one level of brackets, the address one of parentheses.
# Everything is possessive: whatever a stranger writes, no character is looked at more than twice.
MARKDOWN_LINK = re.compile(
    r"""\[(?P<link_text>(?:[^\[\]\n]|\[[^\[\]\n]*+\])*+)\]
        \(\s*+<?(?P<link_url>(?:[^\s()<>]|\([^\s()]*+\))*+)>?\s*+(?:"[^"\n]*+"\s*+)?\)""",
    re.VERBOSE,
)
HTML_LINK = re.compile(
    r"""<a\s(?>[^<>]*?href)\s*=\s*["']?(?P<anchor_url>[^"'\s<>]*+)[^<>]*+>(?P<anchor_text>[^<]*+)</a\s*>""",
    re.IGNORECASE,
)
PULL_REQUEST_URL = re.compile(
    r"https?://github\.com/(?P<owner>[A-Za-z0-9_.-]++)/(?P<repo>[A-Za-z0-9_.-]++)/pull/(?P<url_number>[0-9]{1,10})(?![0-9])",
    re.IGNORECASE,
)
_URL_TAIL = r"[A-Za-z0-9\-._~:/?#@!$&*+=%]"
# Everything in a text that can name a person or a pull request, one after the other. Whole words are
# tokens too, so that no reference begins in the middle of one.
TOKENS = re.compile(
    rf"""(?P<markdown>{MARKDOWN_LINK.pattern})
    |    (?P<html>(?i:{HTML_LINK.pattern}))
    |    (?P<url>(?i:https?)://{_URL_TAIL}++)
    |    &\#[0-9a-zA-Z]{{1,8}};
    |    (?P<mention>@[A-Za-z0-9](?:[A-Za-z0-9-]|_(?=[A-Za-z0-9]))*+)
    |    (?:[Pp][Rr]s?[^\S\n]*+)?\#(?P<bare_number>[0-9]{{1,10}})(?![A-Za-z0-9_])
    |    (?:[Nn][Oo])?[0-9.-]++(?=\#)
    |    (?P<path>[A-Za-z0-9_.-]++(?:/[A-Za-z0-9_.-]++)*+)(?:\#(?P<path_number>[0-9]{{1,10}})(?![A-Za-z0-9_]))?""",
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class FoundReference:
    """A pull request and where it is named; ``struck`` if the name stands inside a strike."""

    ref: PullRequestRef
    span: Span
    struck: bool


def find_references(text: str, *, repository: str) -> list[FoundReference]:
    """All references of a text, in order, repeated and struck ones too; spans point into ``text``."""
    if "#" not in text and "＃" not in text and "://" not in texts.normalise(text):
        return []
    folded = texts.fold(text)
    struck = texts.every_strike(text)
    return [
        FoundReference(ref, span := folded.span_of(match), texts.is_struck(span, struck))
        for match in TOKENS.finditer(folded.text)
        if (ref := reference_of(match, repository)) is not None
    ]


def unique(refs: Iterable[PullRequestRef]) -> tuple[PullRequestRef, ...]:
    """Each pull request once, spelled as it came first."""
    return tuple({ref.key: ref for ref in reversed(list(refs))}.values())[::-1]


def from_url(url: str) -> PullRequestRef | None:
    """The pull request behind an address, if it is one."""
    match = PULL_REQUEST_URL.match(url.strip())
    return PullRequestRef(f"{match['owner']}/{match['repo']}", int(match["url_number"])) if match else None


def from_text(text: str) -> PullRequestRef | None:
    """The pull request written as ``owner/repo#n``, our own form in requests and stored values."""
    owner, slash, rest = text.partition("/")
    name, mark, number = rest.partition("#")
    if not (
        owner and slash and name and mark and number.isascii() and number.isdigit() and len(number) <= 10
    ):
        return None
    return PullRequestRef(f"{owner}/{name}", int(number))


def address_of(match: "re.Match[str]") -> str | None:
    """Where a token of :data:`TOKENS` leads, if it is a link or a URL."""
    return match["link_url"] or match["anchor_url"] or match["url"]


def reference_of(match: "re.Match[str]", repository: str) -> PullRequestRef | None:
    """The pull request that a token of :data:`TOKENS` names."""
    if match["bare_number"]:
        return PullRequestRef(repository, int(match["bare_number"]))
    if match["path_number"]:
        return _from_path(match["path"], int(match["path_number"]))
    address = address_of(match)
    return from_url(address) if address else None


def _from_path(path: str, number: int) -> PullRequestRef | None:
    owner, slash, name = path.partition("/")
    if not slash:
        return PullRequestRef(f"{DEFAULT_OWNER}/{path}", number)
    return None if "/" in name else PullRequestRef(f"{owner}/{name}", number)
