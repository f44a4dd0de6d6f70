"""HTML that escapes by itself."""

import html
from collections.abc import Iterable


class Html(str):
    """Text that is markup already."""

    __slots__ = ()


def escape(value: object) -> str:
    return value if isinstance(value, Html) else html.escape(str(value))


def fill(template: str, /, **values: object) -> Html:
    """The template with its {names} filled in, escaped unless they are markup."""
    return Html(template.format(**{name: escape(value) for name, value in values.items()}))


def join(parts: Iterable[object], separator: str = "") -> Html:
    return Html(separator.join(escape(part) for part in parts))


def moment(stamp: str) -> Html:
    return fill('<time datetime="{at}">{shown} UTC</time>', at=stamp, shown=stamp[:16].replace("T", " "))


NOTHING = Html("")
