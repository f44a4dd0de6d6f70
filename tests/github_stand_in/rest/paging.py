"""Pages and their Link header: https://docs.github.com/rest/using-the-rest-api/using-pagination-in-the-rest-api"""

import urllib.parse
from collections.abc import Callable, Sequence
from typing import TypeVar

from tests.github_stand_in.rest.context import Context
from tests.github_stand_in.shapes.view import JSON, View
from tests.github_stand_in.web.messages import Response, json_response

_Item = TypeVar("_Item")


def _number(context: Context, name: str, default: int, highest: int) -> int:
    text = context.request.query.get(name, "")
    return min(max(int(text), 1), highest) if text.isdecimal() and len(text) < 10 else default


def page_response(
    context: Context, items: Sequence[_Item], shape: Callable[[View, _Item], JSON], *, key: str | None = None
) -> Response:
    size = _number(context, "per_page", 30, 100)
    page = _number(context, "page", 1, 10**9)
    view = context.view
    shown = [shape(view, item) for item in items[(page - 1) * size : page * size]]
    last = max(-(-len(items) // size), 1)
    link = _link_header(context, page, last)
    headers = {"Link": link} if link else {}
    return json_response({key: shown, "total_count": len(items)} if key else shown, headers=headers)


def _link_header(context: Context, page: int, last: int) -> str:
    targets: dict[str, int] = {}
    if page > 1:
        targets["prev"] = min(page - 1, last)
    if page < last:
        targets["next"] = page + 1
        if not context.omit_last:
            targets["last"] = last
    if page > 1:
        targets["first"] = 1
    return ", ".join(f'<{_page_url(context, number)}>; rel="{rel}"' for rel, number in targets.items())


def _page_url(context: Context, page: int) -> str:
    query = urllib.parse.urlencode({**context.request.query, "page": str(page)})
    return f"{context.api}{context.path}?{query}"
