"""Links by reference: ``[text][label]`` in a cell, and ``[label]: address`` somewhere below."""

import re
from collections.abc import Mapping

from tasks_board.documents import tables
from tasks_board.documents import text as texts

_DEFINITION = re.compile(r" {0,3}\[(?P<label>[^\[\]]+)\]:\s*<?(?P<url>[^\s<>]+)>?(?:\s.*)?")
_REFERENCE = re.compile(r"\[(?P<text>[^\[\]\n]*+)\](?:\[(?P<label>[^\[\]\n]*+)\])?(?![(\[])")


def read_definitions(outline: tables.Outline) -> Mapping[str, str]:
    """The addresses that a body defines, by label; the first of a label counts."""
    if "]:" not in outline.masked:
        return {}
    found: dict[str, str] = {}
    for line in outline.outside:
        match = _DEFINITION.fullmatch(line.span.of(outline.masked))
        if match:
            found.setdefault(texts.comparison_key(match["label"]), match["url"])
    return found


def with_addresses(source: str, definitions: Mapping[str, str]) -> str:
    """A cell whose links by reference carry their address themselves."""
    if not definitions or "[" not in source:
        return source

    def spelled(link: "re.Match[str]") -> str:
        address = definitions.get(texts.comparison_key(link["label"] or link["text"]))
        return f"[{link['text']}]({address})" if address else link[0]

    return _REFERENCE.sub(spelled, source)
