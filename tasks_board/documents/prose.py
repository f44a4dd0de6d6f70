"""A text without its tables of tasks: what its writer says beside them."""

from tasks_board.documents.reading import survey


def without_tables(text: str, *, repository: str) -> str:
    """The text with every table of tasks taken out; its other tables stay."""
    if "|" not in text:
        return text
    left, end = [], 0
    for span in sorted(
        (found.raw.span for found in survey(text, repository=repository).lists), key=lambda s: s.start
    ):
        left.append(text[end : span.start])
        end = max(end, span.end)
    return "".join((*left, text[end:]))
