"""What commit messages say: who wrote them together, and which pull request they bring. Pure, in linear time.

E-mail addresses pass through here and are stored nowhere.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

_TRAILER = re.compile(
    r"^[ \t]{0,8}co-authored-by:[^<>\n]{0,200}<([^<>\s@]{1,120})@([^<>\s@]{1,200})>[ \t]{0,8}\r?$",
    re.IGNORECASE | re.MULTILINE,
)
# https://docs.github.com/account-and-profile/reference/email-addresses-reference#your-noreply-email-address
_NUMBERED = re.compile(r"(\d{1,12})\+([A-Za-z0-9-]{1,39})")
_LOGIN = re.compile(r"[A-Za-z0-9-]{1,39}")
_LANDS = re.compile(
    r"(?:^|\s)(?:closes?d?|fixe?[sd]?|resolves?d?|landed in|pull request resolved|pr-url|reviewed-on)[:：]?\s+(\S{1,300})",
    re.IGNORECASE,
)
# Accounts of tools that write themselves into commits; GitHub calls some of them users.
TOOLS = frozenset(
    {"aider-chat", "claude", "codex", "copilot", "cursoragent", "devin-ai-integration", "gemini-cli"}
    | {"google-labs-jules", "openhands-agent", "swe-agent"}
)


@dataclass(frozen=True, slots=True, order=True)
class Named:
    """An account as a trailer names it: by login, and by id where the address holds it."""

    login: str
    id: int | None = None


def is_tool(login: str, *, is_bot: bool = False) -> bool:
    """Whether an account is a bot or a tool: they are never credited."""
    name = login.lower()
    return is_bot or name.endswith("[bot]") or name in TOOLS


def co_authors(messages: Iterable[str], *, known: Mapping[str, str]) -> list[Named]:
    """The accounts whom the trailers name, each once, in their order.

    `known`: logins by e-mail address in lower case, as GitHub ties them to the commits at hand; other addresses name nobody.
    """
    found: dict[str, Named] = {}
    for message in messages:
        for match in _TRAILER.finditer(message):
            named = _named(match[1], match[2].lower(), known)
            if named is not None and not is_tool(named.login):
                found.setdefault(named.login.lower(), named)
    return list(found.values())


def _named(local: str, host: str, known: Mapping[str, str]) -> Named | None:
    if not host.startswith("users.noreply."):
        login = known.get(f"{local}@{host}".lower())
        return Named(login) if login else None
    if numbered := _NUMBERED.fullmatch(local):
        return Named(numbered[2], int(numbered[1]))
    return Named(local) if _LOGIN.fullmatch(local) else None


def brings(message: str, *, repository: str, number: int) -> bool:
    """Whether a commit says that it brings this pull request: `title (#12)`, `Closes #12`, `PR-URL: …/pull/12`."""
    first, _, _rest = message.partition("\n")
    if first.rstrip().endswith(f"(#{number})"):
        return True
    own = {f"#{number}", f"{repository}#{number}".lower()}
    path = f"/{repository}/pull/{number}".lower()
    for match in _LANDS.finditer(message):
        word = match[1].rstrip(".,;)").lower()
        if word in own or word.endswith(path):
            return True
    return False
