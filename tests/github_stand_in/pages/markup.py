"""Markdown as GitHub shows it, near enough: tables, line breaks, mentions, references; sanitized, no images."""

import html
import re
from collections.abc import Sequence
from typing import Any

import nh3
from markdown_it import MarkdownIt
from markdown_it.token import Token

from tests.github_stand_in.pages.html import Html

_LINKED = re.compile(
    r"(?P<url>https?://[^\s<>()\"']+[^\s<>()\"'.,;:!?])"
    r"|(?<![\w/`])@(?P<login>[A-Za-z0-9](?:[A-Za-z0-9-]{0,38}))(?![\w@])"
    r"|(?<![\w/&])(?P<full>[\w.-]+/[\w.-]+)?#(?P<number>\d{1,9})\b"
)
_ALIGNED = re.compile(r'style="text-align:(left|right|center)"')


def _link(match: re.Match[str], repository: str) -> str:
    text = html.escape(match[0])
    if match["url"]:
        return f'<a href="{text}">{text}</a>'
    if match["login"]:
        return f'<a href="/{match["login"]}">{text}</a>'
    return f'<a href="/{html.escape(match["full"] or repository)}/issues/{match["number"]}">{text}</a>'


def _text(self: Any, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
    opened = sum((t.type == "link_open") - (t.type == "link_close") for t in tokens[:index])
    content = tokens[index].content
    if opened:
        return html.escape(content)
    parts: list[str] = []
    end = 0
    for match in _LINKED.finditer(content):
        parts += [html.escape(content[end : match.start()]), _link(match, env["repository"])]
        end = match.end()
    return "".join([*parts, html.escape(content[end:])])


def _image(self: Any, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
    source = html.escape(str(tokens[index].attrs.get("src", "")))
    return f'<a href="{source}">{html.escape(tokens[index].content or "image")}</a>'


def _build() -> MarkdownIt:
    markdown = MarkdownIt("commonmark", {"html": True, "breaks": True}).enable(["table", "strikethrough"])
    markdown.add_render_rule("text", _text)
    markdown.add_render_rule("image", _image)
    return markdown


_MARKDOWN = _build()
_TAGS = nh3.ALLOWED_TAGS - {"img"}


def render(text: str, repository: str) -> Html:
    raw = _MARKDOWN.render(text, {"repository": repository})
    clean = nh3.clean(_ALIGNED.sub(r'align="\1"', raw), tags=_TAGS, url_schemes={"http", "https", "mailto"})
    return Html(clean.replace("<table>", '<div class="scroll"><table>').replace("</table>", "</table></div>"))
