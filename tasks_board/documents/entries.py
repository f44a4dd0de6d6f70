"""One cell of people, prepared for reading, and what is found in it."""

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from tasks_board.documents import definitions, plain, references
from tasks_board.documents import text as texts
from tasks_board.documents.marks import Marks
from tasks_board.documents.model import Dialect, Span, State

SEPARATORS = " \t、,;&/，；" + texts.HIDDEN


@dataclass(frozen=True, slots=True)
class CellText:
    """A cell of people: as written, and folded with its strike marks blanked out.

    Blanking keeps every character at its place, so patterns need not know about strikes, and ``struck``
    says what they cover.
    """

    source: str
    folded: texts.Folded
    struck: tuple[texts.Strike, ...]
    repository: str
    dialect: Dialect
    marks: Marks
    names: Mapping[str, str] = field(default_factory=dict)

    def items(self) -> Iterator[Span]:
        """The stretches between line breaks, in the folded text; each ends where its break begins."""
        start = 0
        for match in plain.BREAK.finditer(self.folded.text):
            yield Span(start, match.start())
            start = match.end()
        yield Span(start, len(self.folded.text))

    def is_struck(self, span: Span) -> bool:
        return bool(self.struck) and texts.is_struck(span, self.struck)

    def strike_edges(self, stretch: Span) -> list[int]:
        """Where strikes begin and end in a stretch of the folded text: each place is a tilde's or a tag's."""
        within, origins = self.original(stretch), self.folded.origins
        places: list[int] = []
        first = bisect_left(self.struck, within.start, key=lambda strike: strike.span.end)
        for strike in self._struck_from(first):
            if strike.span.start >= within.end:
                break
            places += [strike.span.start, strike.inner.end]
        found = [place if origins is None else bisect_left(origins, place) for place in places]
        return [place for place in found if stretch.start <= place < stretch.end]

    def _struck_from(self, first: int) -> Iterator[texts.Strike]:
        """The strikes from one on; a slice would copy all of them for each name of the cell."""
        return (self.struck[place] for place in range(first, len(self.struck)))

    def original(self, span: Span) -> Span:
        """The place in the cell as written of a stretch of the folded text."""
        return self.folded.span(span.start, span.end)

    def with_own_strikes(self, span: Span) -> Span:
        """A stretch of the cell together with the tildes of the strikes that lie inside it."""
        start, end = span.start, span.end
        first = bisect_left(self.struck, start, key=lambda strike: strike.inner.start)
        for strike in self._struck_from(first):
            if strike.inner.end > end:
                break
            start, end = min(start, strike.span.start), max(end, strike.span.end)
        return Span(start, end)


def prepare(
    source: str,
    *,
    repository: str,
    dialect: Dialect,
    marks: Marks,
    names: Mapping[str, str],
    addresses: Mapping[str, str],
) -> CellText:
    """A cell with its strikes found and its links by reference led to their ``addresses`` (by label)."""
    struck = tuple(texts.every_strike(source))
    characters = list(source) if struck else []
    for strike in struck:
        for tildes in (Span(strike.span.start, strike.inner.start), Span(strike.inner.end, strike.span.end)):
            characters[tildes.start : tildes.end] = " " * (tildes.end - tildes.start)
    blanked = "".join(characters) if struck else source
    folded = definitions.resolved(texts.fold(blanked), addresses) if addresses else texts.fold(blanked)
    return CellText(source, folded, struck, repository, dialect, marks, names)


@dataclass(frozen=True, slots=True)
class Entry:
    """One time that a person or team is named in a cell. Spans are offsets into the cell as written.

    ``span`` reaches from the mark to the last reference, without the break; ``whole`` includes the break.
    ``sign`` is the mark or badge that says ``state``. ``links`` and ``struck_links`` count links of any kind.
    """

    login: str | None
    team: str | None
    name: Span
    span: Span
    whole: Span
    sign: Span | None
    state: State | None
    references: tuple[references.FoundReference, ...]
    struck: bool
    links: int = 0
    struck_links: int = 0

    @property
    def key(self) -> str:
        """What two spellings of one name have in common (NFKC, any case)."""
        return texts.comparison_key(self.login if self.login is not None else self.team or "")


def named(found: Sequence[Entry], names: Mapping[str, str]) -> list[Entry]:
    """The entries with the logins that somebody gave their names by hand; who is nobody is left out."""
    if not names:
        return [*found]
    meant = [(entry, names.get(entry.key)) for entry in found]
    return [
        entry if login is None else replace(entry, login=login, team=None)
        for entry, login in meant
        if login is None or login
    ]
