"""Team mates and the answer to 接受调剂 (cases/README.md, section 2: members, flexible)."""

import re
from collections.abc import Iterator

_KEYWORD = re.compile(r"队友|队员|成员|GitHub[\s_-]?ID", re.IGNORECASE)
_PROFILE = re.compile(
    r"(?:https?://)?(?:www\.)?github\.com/([A-Za-z0-9][A-Za-z0-9-]*+)/?(?![A-Za-z0-9/_.-])", re.IGNORECASE
)
_LINKED_PROFILE = re.compile(rf"\[[^\[\]\n]*+\]\(\s*+<?{_PROFILE.pattern}>?\s*+\)", re.IGNORECASE)
_ELSEWHERE = re.compile(
    r"https?://[!-~]++|[A-Za-z0-9_.+-]++@[A-Za-z0-9-]++\.[A-Za-z0-9.-]++|n/a(?![a-z])", re.IGNORECASE
)
_LOGIN_SOURCE = r"[A-Za-z0-9][A-Za-z0-9_-]*+"
_LOGIN = re.compile(rf"(?P<mention>@?)(?P<login>{_LOGIN_SOURCE})")
_MENTION = re.compile(f"@{_LOGIN_SOURCE}")
# A remark names somebody only by a mention, or where it holds nothing but logins: 张三(elm-2).
_REMARK = re.compile(r"\(([^()]*+)\)")
_ONLY_LOGINS = re.compile(rf"\s*+@?{_LOGIN_SOURCE}(?:\s*+(?:[、,;/&]|和|与|及)\s*+@?{_LOGIN_SOURCE})*+\s*+")
_NO_LOGINS = frozenset(
    [
        "and",
        "or",
        "none",
        "null",
        "nil",
        "no",
        "tbd",
        "people",
        "person",
        "persons",
        "member",
        "members",
        "id",
    ]
)
_BEFORE_DIGITS = re.compile(r"(?:^|[、,;/&]|和|与|及|以及|and|\s)$", re.IGNORECASE)
_BEHIND_DIGITS = re.compile(
    r"\s*+(?:$|[、,;/&]|和|与|及|以及)|\s++(?!人|个|位|名|people|persons?|members?)", re.IGNORECASE
)
_LONGEST_LOGIN = 39

_AUXILIARY = r"(?:愿意|同意|打算|可以|能够|想|能|会|太)"
_FLEXIBLE = re.compile(
    r"(?P<choice>不?接受\s*(?:/|或)\s*)?"
    rf"(?P<question>是否\s*+{_AUXILIARY}?+\s*+)?(?P<denied>(?:不|无法|没法|拒绝)\s*+{_AUXILIARY}?+\s*+)?接受调剂"
    r"(?P<asks>[】\]*_ \t]*+(?:[吗么][ \t]*+[?]?[ \t]*+:?|[?][ \t]*+:?|:))?(?=(?P<answer>[^\n]{0,40}))"
)
_OR = r"\s*(?:/|或|\||、)\s*"
_CHOICE = re.compile(
    rf"是{_OR}否|否{_OR}是|y(?:es)?\s*/\s*no?"
    rf"|(?P<yes>接受|愿意|同意|可以|能|是){_OR}不(?P=yes)|不(?P<no>接受|愿意|同意|可以|能|是){_OR}(?P=no)",
    re.IGNORECASE,
)
# What was offered stands in parentheses before the answer: 是否接受调剂(是/否): 是
_OFFER = re.compile(r"([^():]*)\)\s*:?")
_ROUND_ANSWERS = " \t?:*_([【】].。)"
_NO = re.compile(r"否|不|no(?![a-z])", re.IGNORECASE)


def members_of(text: str, author: str) -> tuple[str, ...]:
    """Logins on lines with 队友, 队员, 成员 or GitHub ID before a colon, without the author."""
    found: dict[str, str] = {}
    for line in text.split("\n"):
        if ":" in line and _KEYWORD.search(line):
            for login in _logins_of_line(line):
                found.setdefault(login.lower(), login)
    found.pop(author.lower(), None)
    return tuple(found.values())


def _logins_of_line(line: str) -> Iterator[str]:
    """What stands behind the colons of labels that hold a keyword, up to the next such label."""
    plain = _PROFILE.sub(r" @\1 ", _LINKED_PROFILE.sub(r" @\1 ", line))
    plain = _REMARK.sub(_names_in_remark, _ELSEWHERE.sub(" ", plain))
    label, *values = plain.split(":")
    for place, value in enumerate(values):
        is_last = place == len(values) - 1
        next_label = None if is_last else _KEYWORD.search(value)
        if _KEYWORD.search(label):
            yield from _logins(value[: next_label.start()] if next_label else value)
        label = value


def _names_in_remark(remark: re.Match[str]) -> str:
    return remark[0] if _ONLY_LOGINS.fullmatch(remark[1]) else f"({' '.join(_MENTION.findall(remark[1]))})"


def _logins(value: str) -> Iterator[str]:
    for match in _LOGIN.finditer(value):
        login = match["login"].rstrip("-")
        if len(login) > _LONGEST_LOGIN or login.lower() in _NO_LOGINS:
            continue
        if match["mention"] or not login.isdigit() or _stands_alone(value, match):
            yield login


def _stands_alone(value: str, digits: re.Match[str]) -> bool:
    """Digits are a login only between separators or line ends, and before no unit."""
    before = value[max(0, digits.start() - 3) : digits.start()]
    return bool(_BEFORE_DIGITS.search(before) and _BEHIND_DIGITS.match(value, digits.end()))


def flexible_of(text: str) -> bool | None:
    """Would the person take another task? None if the comment says nothing or both."""
    answers = {_answer(match) for match in _FLEXIBLE.finditer(text)} - {None}
    return answers.pop() if len(answers) == 1 else None


def _answer(said: re.Match[str]) -> bool | None:
    if said["choice"]:
        return None
    if not said["question"] and not said["asks"]:
        return not said["denied"]
    answer = said["answer"].strip(_ROUND_ANSWERS)
    if offered := _OFFER.match(answer):
        answer = answer[offered.end() :].strip(_ROUND_ANSWERS) or offered[1]
    if not answer or _CHOICE.match(answer):
        return None
    if said["denied"] and not said["question"]:
        return None if _NO.match(answer) else False
    return _NO.match(answer) is None
