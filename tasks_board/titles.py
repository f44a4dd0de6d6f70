"""How the title of a pull request begins, so that it names its task."""

_BRACKETS = {"】": "【", "]": "[", "］": "［", ")": "(", "）": "（"}


def begin_title(prefix: str, number: str) -> str:
    """Prefix and number as people write them: 【PIR No.6】, and [Typing][A-5] where the prefix has brackets of its own."""
    start = prefix.strip()
    closing = start[-1:]
    opening = _BRACKETS.get(closing)
    if opening is not None and start.startswith(opening):
        return f"{start}{opening}{number}{closing}"
    return f"【{prefix}{number}】"
