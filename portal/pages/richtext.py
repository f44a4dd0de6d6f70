"""Markdown of strangers as HTML that can do nothing: rendered by markdown-it, then sanitized."""

from functools import cache

import nh3
from markdown_it import MarkdownIt

_TAGS = {
    "p",
    "br",
    "ul",
    "ol",
    "li",
    "code",
    "pre",
    "em",
    "strong",
    "del",
    "s",
    "blockquote",
    "a",
    "h3",
    "h4",
    "h5",
    "hr",
}
_TAGS |= {"table", "thead", "tbody", "tr", "th", "td"}


@cache
def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False, "linkify": False}).enable(["table", "strikethrough"])


def render(text: str) -> str:
    """The text as HTML. Links may only go to the web; pictures and raw HTML are left out."""
    return nh3.clean(
        _parser().render(text),
        tags=_TAGS,
        attributes={"a": {"href"}},
        url_schemes={"http", "https"},
        link_rel="nofollow noopener",
    )
