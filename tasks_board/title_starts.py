"""How the title of a pull request begins so that the event's prefix and the task's number are found in it."""

import re

_BRACKETS = {"】": "【", "]": "[", "」": "「", ")": "(", "］": "［", "）": "（"}
_NUMBER_MARK_AT_END = re.compile(r"(?<![a-z])nos?(?P<stop>\s*[.．。:：])?$", re.IGNORECASE)


def title_start(prefix: str, number: str) -> str:
    """The prefix with a task's number, in the brackets that the prefix has, else in 【】: 【PIR No.3】, [Typing][A-3].

    A number behind a prefix without number mark gets brackets of its own: without them it may be an edition.
    """
    prefix = prefix.strip()
    closing = prefix[-1:] if prefix[-1:] in _BRACKETS else ""
    words = prefix.removesuffix(closing).rstrip()
    if mark := _NUMBER_MARK_AT_END.search(words):
        marked = f"{words}{'' if mark['stop'] else ' '}{number}{closing}"
        return marked if any(bracket in prefix for bracket in _BRACKETS) else f"【{marked}】"
    return f"{prefix}{_BRACKETS[closing]}{number}{closing}" if closing else f"【{prefix}】【{number}】"
