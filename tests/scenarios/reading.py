"""Reading our own bodies simply, so that the demo's client needs no Django."""

import re

_MENTION = re.compile(r"@([A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)")


def mentioned(text: str) -> list[str]:
    """The logins a form names, in order, each once."""
    return list(dict.fromkeys(_MENTION.findall(text)))
