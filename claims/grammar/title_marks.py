"""What a title says beside its ids: partial, revert, RFC (cases/README.md, section 3)."""

import re

from claims.grammar.title_words import RFC_TAG

QUOTES = "\"'`“”‘’『』"
_AT_END = re.compile(rf"(?:\s|[{QUOTES}.。]|\(\s*#[0-9]+\s*\))+$")
_PARTIAL = re.compile(r"[-‐–—−]\s?part$", re.IGNORECASE)
_RFC_WITH_COLON = re.compile(r"(?<![a-z])rfc\s*:", re.IGNORECASE)
_REVERT = re.compile(
    rf"[【\[「(]\s*revert\s*[】\]」)](?:\s*revert(?![a-z]))?"
    rf"|(?<![a-z])revert(?![a-z])(?=\s*(?:[{QUOTES}【\[「(:]|#[0-9]))",
    re.IGNORECASE,
)


def is_partial(title: str) -> bool:
    """Does the title end in ``-part``? A final ``(#n)``, quotes and full stops are ignored."""
    return _PARTIAL.search(_AT_END.sub("", title)) is not None


def is_revert(before_prefix: str) -> bool:
    """Does the text before the prefix revert? The revert of a revert brings the work back."""
    return len(_REVERT.findall(before_prefix)) % 2 == 1


def says_rfc(title: str) -> bool:
    """Has the title an RFC tag, or RFC with a colon behind it?"""
    return bool(RFC_TAG.search(title) or _RFC_WITH_COLON.search(title))
