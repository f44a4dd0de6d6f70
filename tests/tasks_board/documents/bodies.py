"""The reading cases, and bodies made up for these tests."""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

CASES = Path(__file__).parents[2] / "cases" / "tables"
REPOSITORY = "PaddlePaddle/Paddle"


@dataclass(frozen=True)
class Case:
    name: str
    body: str
    expect: dict[str, Any]

    @property
    def repository(self) -> str:
        return str(self.expect["repository"])


@cache
def cases() -> tuple[Case, ...]:
    return tuple(
        Case(path.stem, path.with_suffix(".md").read_bytes().decode(), json.loads(path.read_text("utf-8")))
        for path in sorted(CASES.glob("*.json"))
    )


def case(name: str) -> Case:
    return next(found for found in cases() if found.name == name)


def changed_lines(before: str, after: str) -> list[str]:
    old, new = before.split("\n"), after.split("\n")
    assert len(old) == len(new)
    return [line for was, line in zip(old, new, strict=True) if was != line]


def badge_body(rows: int) -> str:
    """A body as the bot writes them, every third row claimed."""
    badge = '<img src="https://img.shields.io/badge/状态-提交PR-F39C12" />'
    head = ["## 任务", "", "mentor: @lin-qiao (1-300) @moss07 (301-664)", ""]
    head += ["| 序号 | 难度 | 任务名称 | 认领人/状态/PR号 |", "|-|-|-|-|"]
    people = [
        f"@moss{n} {badge} [#{n}](https://github.com/PaddlePaddle/Paddle/pull/{n})<br> " if n % 3 == 0 else ""
        for n in range(1, rows + 1)
    ]
    return "\n".join(
        [*head, *(f"| {n} | ⭐⭐ | 单测 {n}（补充） | {who}|" for n, who in enumerate(people, 1))]
    )


logins = st.from_regex(r"[a-z][a-z0-9]{0,5}(-[a-z0-9]{1,3})?", fullmatch=True)
plain_cells = st.sampled_from(
    ["", " ", "甲 乙", r"a\|b", "`x`", "~~旧~~", "⭐⭐", "-", "1-2", "<b>c</b>", "～"]
)
line_ends = st.sampled_from(["\n", "\r\n"])


@dataclass(frozen=True)
class Emoji:
    """A made-up body with marks and a column of pull requests."""

    header = "| 序号 | 任务标题 | 备注 | 认领人 | PR |"


@st.composite
def marked_bodies(draw: st.DrawFn) -> str:
    """Bodies in the emoji dialect: ragged rows, any line end, fences and comments round the table."""
    count = draw(st.integers(1, 6))
    rows = ["| 🔵0 | 起点 | | | |"]
    for number in range(1, count + 1):
        who = draw(st.lists(logins, max_size=3, unique=True))
        people = "".join(f"🙋@{login}<br/>" for login in who)
        cells = [f" 🙋{number} ", f" 题 {number} ", draw(plain_cells), f" {people} ", " "]
        width = draw(st.integers(4, 6))
        closing = draw(st.sampled_from(["|", "", "| "]))
        rows.append("|" + "|".join([*cells, " 多 "][:width]) + closing)
    around = draw(
        st.sampled_from(["", "```\n| 序号 | 任务 |\n|-|-|\n```\n", "<!-- | a |\n|-| -->\n", "说明\n"])
    )
    body = f"{around}## 清单\n\n{Emoji.header}\n|-|-|-|-|-|\n" + "\n".join(rows) + "\n\n尾\n"
    return body.replace("\n", draw(line_ends))


def badge(word: str) -> str:
    return f'<img src="https://img.shields.io/badge/状态-{word}" />'


def link(number: int) -> str:
    return f"[#{number}](https://github.com/PaddlePaddle/Paddle/pull/{number})"


BADGE_ITEMS = [
    f"@a {badge('报名-2ECC71')} <br>",
    f"~~@b {badge('提交PR-F39C12')} {link(5)}<br>~~",
    "@c <br>",
    f"青柠队 {badge('完成任务-9B59B6')} <br>",
    f"@d {badge('提交PR-F39C12')} ~~{link(6)}~~ {link(7)}<br>",
    f"~~@e~~ {badge('报名-2ECC71')} <br>",
    f"[f](https://github.com/f) {badge('部分完成-FFC0CB')}<br>",
]
TEAM_ITEMS = [
    "青柠队(报名)",
    f"~~木星(报名)({link(5)})~~",
    f"夜航(提交作品)(~~{link(6)}~~&{link(7)})",
    "~~雾灯~~(报名)",
    "@g(报名 技术 approve)",
]


@st.composite
def rows_of(draw: st.DrawFn, items: list[str], separators: list[str]) -> str:
    """A body with one row of people in the badge or parenthesis dialect, and one that settles the dialect."""
    people = draw(st.lists(st.sampled_from(items), max_size=4, unique=True))
    cell = draw(st.sampled_from(separators)).join(people)
    left, right = draw(st.sampled_from(["", " "])), draw(st.sampled_from(["", " ", "  "]))
    return f"| 序号 | 题目 | 认领人 |\n|-|-|-|\n| 9 | 乙 | {items[0]} |\n| 1 | 甲 |{left}{cell}{right}|\n"


badge_rows = rows_of(BADGE_ITEMS, [" ", ""])
team_rows = rows_of(TEAM_ITEMS, ["</br>", " </br>\t"])
