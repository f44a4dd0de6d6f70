"""Links by reference: ``[text][label]`` in a cell, and ``[label]: address`` somewhere below."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from tasks_board.documents import tables
from tasks_board.documents import text as texts
from tasks_board.documents.model import Span

_DEFINITION = re.compile(r" {0,3}\[(?P<label>[^\[\]]+)\]:\s*<?(?P<url>[^\s<>]+)>?(?:\s.*)?")
# The text may hold one level of brackets, as that of any link.
_REFERENCE = re.compile(
    r"(?<!\\)\[(?P<text>(?:[^\[\]\n]|\[[^\[\]\n]*+\])*+)\](?:\[(?P<label>[^\[\]\n]*+)\]|(?![(\[]))"
)


_LABEL = re.compile(r"\[([^\[\]\n]+)\]")
_MOST_SPELLED = 262_144  # the characters that all links by reference of a body may bring into it


class ReferenceLink(NamedTuple):
    """One link by reference: the whole of it, what it shows, its label and where it leads."""

    span: Span
    text: Span
    label: str
    address: str


def read_definitions(outline: tables.Outline) -> Mapping[str, str]:
    """The addresses that a body defines, by label; the first of a label counts."""
    if "]:" not in outline.masked:
        return {}
    found: dict[str, str] = {}
    for line in outline.outside:
        match = _DEFINITION.fullmatch(line.span.of(outline.masked))
        if match:
            found.setdefault(texts.comparison_key(match["label"]), match["url"])
    return _affordable(found, outline.masked)


def _affordable(found: Mapping[str, str], masked: str) -> Mapping[str, str]:
    """Without what a stranger made long and named often: a body is not read at many times its length."""
    if max(map(len, found.values()), default=0) * masked.count("[") <= _MOST_SPELLED:
        return found
    uses = Counter(map(texts.comparison_key, _LABEL.findall(masked)))
    left = _MOST_SPELLED
    kept: dict[str, str] = {}
    for label, address in found.items():
        if len(address) * uses[label] <= left:
            left -= len(address) * uses[label]
            kept[label] = address
    return kept


def find_links(source: str, definitions: Mapping[str, str]) -> Iterator[ReferenceLink]:
    """The links by reference of a cell, from left to right; what nobody defined is none."""
    if not definitions or "[" not in source:
        return
    for link in _REFERENCE.finditer(source):
        label = link["label"] or link["text"]
        address = definitions.get(texts.comparison_key(label))
        if address:
            yield ReferenceLink(Span(*link.span()), Span(*link.span("text")), label, address)


def with_addresses(source: str, definitions: Mapping[str, str]) -> str:
    """A cell whose links by reference carry their address themselves."""
    parts, place = [], 0
    for link in find_links(source, definitions):
        parts += [source[place : link.text.end], f"]({link.address})"]
        place = link.span.end
    return "".join([*parts, source[place:]]) if parts else source


def resolved(folded: texts.Folded, definitions: Mapping[str, str]) -> texts.Folded:
    """The same of a folded text; a link that was taken for one still leads back to all of its characters."""
    parts: list[str] = []
    origins: list[int] = []
    place = 0
    known = range(len(folded.text) + 1) if folded.origins is None else folded.origins
    for link in find_links(folded.text, definitions):
        behind = f"]({link.address})"
        parts += [folded.text[place : link.text.end], behind]
        origins += [*known[place : link.text.end], *[known[link.span.end - 1]] * len(behind)]
        place = link.span.end
    if not parts:
        return folded
    return texts.Folded("".join([*parts, folded.text[place:]]), [*origins, *known[place:]])
