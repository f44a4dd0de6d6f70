"""The small words of the grammar: separators, marks, fillers, units, courtesies (cases/README.md, section 1).

Every pattern is possessive or bounded, so that no text makes one look at a character more than a few times.
"""

import re
import unicodedata

# A full-width tilde is a range mark and never strikes; NFKC would make it an ASCII one, so it is read as
# the tilde operator and spelled back where an id is given back as written.
WIDE_TILDE = "∼"
_BEFORE_FOLDING = str.maketrans({"～": WIDE_TILDE, "№": "No."})

_WORDS_BEFORE_IDS = "任务编号|任务|题号|赛题|编号|序号|第"
_FILLER_WORDS = f"{_WORDS_BEFORE_IDS}|题|号"
# A mark counts as one only before something that may be an id.
NUMBER_MARK_SOURCE = (
    r"(?:no(?![a-z])\s*+[.。:]?|\#)(?=\s*+[\[【*_]*+(?:[0-9]|[a-z]{1,2}\s?[-+*_]?\s?[\[【]?[0-9]))"
)
_UNITS = "(?!人工|时间|时序|周末|分布|分类|组队|日志|天气|年底)[年月日天周点时分秒个次人位期届维道项名组份种%]|小时"
_MEASURES = "second|minute|hour|day|week|month|year|time|person|gpu"
_ENGLISH_UNITS = f"more|people|(?:{_MEASURES})s?"
COURTESY_WORDS = "谢谢|感谢|多谢|辛苦|(?:thanks|thank you|thx|please)(?![a-z])"


def _pattern(source: str) -> re.Pattern[str]:
    return re.compile(source, re.IGNORECASE)


# Sources of what may be skipped on the way through a list.
SEPARATOR_WORDS = "以及|和|与|及|and(?![a-z])"
FILLER_SOURCE = rf"(?:{_FILLER_WORDS})(?:\s*+:)?"
# A single mark between two digits is no emphasis: 2*3 is no list.
EMPHASIS_SOURCE = r"(?!(?<=[0-9])[*_][0-9])[*_]++"

FILLER = _pattern(FILLER_SOURCE)
BLANKS = _pattern(r"\s++")
SEPARATOR = _pattern(rf"[、,;/&]|{SEPARATOR_WORDS}")
SKIPPED_IN_COMMENTS = _pattern(
    rf"\s++|[、,;/&\[\]【】]|{SEPARATOR_WORDS}|{FILLER_SOURCE}|{NUMBER_MARK_SOURCE}|{EMPHASIS_SOURCE}"
)
# In titles ``+`` separates too, and a closing bracket ends the list.
SKIPPED_IN_TAGS = _pattern(
    rf"\s++|[、,;/&+\[【]|{SEPARATOR_WORDS}|{FILLER_SOURCE}|{NUMBER_MARK_SOURCE}|{EMPHASIS_SOURCE}"
)
# Outside tags a blank goes with the separator, mark or word beside it; alone it ends the list.
SKIPPED_OUTSIDE_TAGS = _pattern(
    rf"\s*+(?:[、,;/&+]|{SEPARATOR_WORDS})\s*+|(?:\s++(?=no)|)(?:{NUMBER_MARK_SOURCE})\s*+"
    rf"|(?:{_WORDS_BEFORE_IDS})(?:\s*+:)?\s*+|{FILLER_SOURCE}|[\[【]|{EMPHASIS_SOURCE}"
)

# What may stand behind an id as its own: 5号, 【5】.
GOES_WITH_ID = _pattern(r"(?:题|号)?+[\s*_\[\]【】]*+")
# What only parts an id from the next: a number with a bracket of its own needs no blank.
ONLY_BLANK = _pattern(r"(?:题|号)?+[\s*_\]】]*+")
# What may stand between an id and a range mark, and between a range mark and the second id.
BEFORE_RANGE_MARK = _pattern(r"(?:[\]】*_\s]|题|号)*+")
RANGE_MARK = _pattern(rf"(?:[-‐–—−~〜{WIDE_TILDE}]++(?!>)|至|到)\s*+")
BEFORE_ID = _pattern(rf"\s++|[\[【*_]|{FILLER_SOURCE}|{NUMBER_MARK_SOURCE}")
ARROW = _pattern(r"[\]】*_]*+\s*+(?:[-=–—]++>|[→⇒➔➜➡⟶]\ufe0f?)\s*+")

DIGITS = _pattern(r"[0-9]++")
DOTTED = _pattern(r"([0-9]++\.)([0-9]++)")
_DAY_OF_MONTH = "号\\s*+(?:之前|以前|截止|前(?![端向置馈缀]))"
# In a list only a plain measure is one of the English units: 5 GPU kernels is task 5, 5 GPUs and 1 day are none.
UNIT = _pattern(
    rf"\s*+(?:{_UNITS}|{_DAY_OF_MONTH}|(?:people|(?:{_MEASURES})s)(?![a-z]))"
    rf"|(?<=(?<![0-9])1)\s*+(?:{_MEASURES})(?![a-z])"
)
ENGLISH_UNIT = _pattern(rf"\s*+(?:{_ENGLISH_UNITS})(?![a-z])")
# What makes a number no id where it stands right behind it: 3D, 8-bit, 6.18.
GLUED = _pattern(rf"(?!{NUMBER_MARK_SOURCE})[a-z\u00c0-\u024f]|[-‐]++(?!{NUMBER_MARK_SOURCE})[a-z]|\.[0-9]")
TIME = _pattern(r"[0-9]{1,2}:[0-9]{2}(?![0-9])")
DAY_OF_DEADLINE = _pattern(r"[0-9]++/[0-9]++\s*+[日号]?+\s*+(?:之?前|以前|截止)")
DATE = _pattern(
    r"(?:(?P<year>(?:19|20)[0-9]{2})(?:[-/][0-9]++)+|(?:[0-9]{1,2}[-/]){1,2}(?P<last_year>(?:19|20)[0-9]{2}))(?![0-9])"
)

# A-3, A3, a 3, A+3, A*3, A_3, A - 3; a blank alone between letter and number is remembered.
LETTER_ID = _pattern(r"(?P<letters>[a-z]{1,2})(?:\s*+[-‐–—−]\s*+|[+*_]|(?P<blank>\s++)|)(?P<digits>[0-9]++)")
STRICT_LETTER_ID = _pattern(r"(?P<letters>[a-z]{1,2})-(?P<digits>[0-9]++)")
LETTER_BEFORE_BRACKET = _pattern(r"(?P<letters>[a-z]{1,2})[-+*_]?[\[【](?=\s*[0-9])")

COURTESY = _pattern(COURTESY_WORDS)
MENTION = _pattern(r"@[a-z0-9][a-z0-9_-]*+")
LINK = _pattern(r"<?https?://|www\.|\[[^\[\]\n]*+\]\(")
REFERENCE = _pattern(r"(?:prs?\s*+:?\s*+)?+(?:(?:[a-z0-9_.-]++(?:/[a-z0-9_.-]++)?)?\#[0-9]++|https?://)")
# Dashes and colons may lead to the words that take a list back: 5 — 已放弃.
BEFORE_DENIAL = _pattern(r"[\s*_:‐–—−-]*+")
BEHIND_DENIAL = _pattern(r"[\s\]】*_:]*+")
DENIAL = _pattern(
    r"(?:(?:已经|已|都|全部|全|先|均|也|现在|现|目前|暂时|暂|我们|我|already|all|both|now|is|are|was|were|been|has|have)\s*+)*+"
    r"(?:(?:放弃|取消|退出|撤回)(?:了|报名|认领|这题)*+|不做了|不报了|不要了|(?:cancell?ed|dropped|withdrawn))(?!\w)"
)


def spell_out(text: str) -> str:
    """Characters that NFKC would fold too far, said otherwise: the full-width tilde, and № with its stop."""
    return text.translate(_BEFORE_FOLDING)


def end_of(pattern: re.Pattern[str], text: str, place: int, end: int) -> int:
    """Behind what a pattern matches at a place; the place itself if it matches nothing."""
    match = pattern.match(text, place, end)
    return match.end() if match else place


def is_emoji(character: str) -> bool:
    """Emoji and their modifiers; not the small signs of Latin type (° ©)."""
    return ord(character) >= 0x2190 and (
        unicodedata.category(character) in ("So", "Sk") or character in "\ufe0f\u20e3"
    )


def is_punctuation(character: str) -> bool:
    """Anything Unicode calls punctuation, marks of mentions and numbers aside."""
    return character not in "@#" and unicodedata.category(character).startswith("P")


def closing_parenthesis(text: str, opening: int, end: int) -> int:
    """Behind the parenthesis that closes the one at ``opening``; -1 if there is none."""
    depth = 0
    for place in range(opening, end):
        if text[place] == "(":
            depth += 1
        elif text[place] == ")":
            depth -= 1
            if depth == 0:
                return place + 1
    return -1
