"""Translations: every text translated, none in doubt, and the compiled catalog the same as the readable one.

The compiled catalogs are kept in the repository, so that a fresh clone speaks Chinese without gettext installed.
"""

import ast
import gettext
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tests.house.sources import ROOT

_KEYS = ("msgctxt", "msgid_plural", "msgid", "msgstr")


@dataclass
class Message:
    """One entry of a .po file."""

    line: int = 0
    fuzzy: bool = False
    parts: dict[str, str] = field(default_factory=dict)

    @property
    def key(self) -> str:
        context = self.parts.get("msgctxt")
        return self.parts["msgid"] if context is None else f"{context}\x04{self.parts['msgid']}"

    @property
    def translations(self) -> list[str]:
        return [text for name, text in sorted(self.parts.items()) if name.startswith("msgstr")]


def read_messages(text: str) -> Iterator[Message]:
    """The entries of a .po file, without the obsolete ones."""
    message, current = Message(), ""
    for number, line in enumerate([*text.splitlines(), ""], 1):
        if not line.strip():
            if "msgid" in message.parts:
                yield message
            message, current = Message(), ""
        elif line.startswith("#,"):
            message.fuzzy = "fuzzy" in line
        elif line.startswith(_KEYS):
            current, quoted = line.split(" ", 1)
            message.line = message.line or number
            message.parts[current] = ast.literal_eval(quoted)
        elif line.startswith('"') and current:
            message.parts[current] += ast.literal_eval(line)


def check_catalog(readable: Path, root: Path = ROOT) -> list[str]:
    """What is wrong with one .po file and the .mo beside it."""
    name = readable.relative_to(root)
    compiled = readable.with_suffix(".mo")
    if not compiled.exists():
        return [f"{name}: not compiled; run make messages"]
    with compiled.open("rb") as file:
        catalog: dict[object, str] = dict(vars(gettext.GNUTranslations(file))["_catalog"])
    found: list[str] = []
    expected: set[object] = set()
    for message in read_messages(readable.read_text(encoding="utf-8")):
        if not message.parts["msgid"]:
            expected.add("")
            continue
        if message.fuzzy or not all(message.translations):
            found.append(
                f"{name}:{message.line}: not translated, or in doubt: {message.parts['msgid'][:60]!r}"
            )
            continue
        keys = _compiled_keys(message)
        expected.update(keys)
        if [catalog.get(key) for key in keys] != message.translations:
            found.append(f"{name}:{message.line}: compiled differently; run make messages")
    stale = [key for key in catalog if key not in expected]
    return found + [
        f"{name}: compiled, but no longer in the file: {key!r}; run make messages" for key in stale
    ]


def _compiled_keys(message: Message) -> list[object]:
    if "msgid_plural" in message.parts:
        return [(message.key, number) for number in range(len(message.translations))]
    return [message.key]


def breaches(root: Path = ROOT) -> list[str]:
    found = []
    for readable in sorted((root / "locale").glob("*/LC_MESSAGES/*.po")):
        found += check_catalog(readable, root)
    return found
