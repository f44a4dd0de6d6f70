"""What holds for any text: reading never fails, takes linear time, and does not depend on dress."""

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from claims.grammar.ids import TaskIds
from tasks_board.documents.text import strikes
from tests.claims.grammar.reading import ALL_IDS, LETTERS, PLAIN, claimed, read, title

MOST_CHARACTERS = 65_536

WORDS = st.sampled_from(
    [
        *"0123456789ABab-~～〜–—、,，;/&#.:：()（）[]【】*_`<>|@+ \n",
        *[
            "报名",
            "【报名】",
            "claim ",
            "/claim",
            "取消",
            "放弃",
            "【提交】",
            "提交",
            "第",
            "题",
            "号",
            "No.",
            "任务",
        ],
        *[
            "赛题五",
            "1-1",
            "1.4",
            "A-3",
            "->",
            " ~",
            "~~",
            "```",
            "<!--",
            "-->",
            "谢谢",
            "依赖",
            "see ",
            "和",
            "and ",
            "天",
        ],
        *[
            "https://github.com/a/b/pull/1",
            "a/b#1",
            "#1",
            "【队名】",
            "【序号】",
            "【状态】",
            "【链接】",
            "队友：",
            "GitHub ID:",
        ],
        *[
            "是否接受调剂",
            "接受调剂",
            "发件人：",
            "wrote:",
            "Hackathon ",
            "7th ",
            "[Typing]",
            "Revert ",
            "[RFC]",
            "第七期",
            "-part",
        ],
        *[
            "\u200b",
            "\ufe0f",
            "🙋",
            "\u0301",
            "\u0660",
            "²",
            "½",
            "\ufdfa",
            "\r\n",
            "\x00",
            "\ud800",
            "\ue000",
        ],
    ]
)
TEXTS = st.one_of(st.text(max_size=60), st.lists(WORDS, max_size=40).map("".join))


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(text=TEXTS, before=st.none() | TEXTS, ids=st.sampled_from(ALL_IDS))
def test_reading_never_fails(text: str, before: str | None, ids: TaskIds) -> None:
    reading = read(text, ids, edited_from=before)
    title(text)

    assert all(intent.tasks for intent in reading.intents)
    assert not (reading.hint and (reading.intents or reading.unknown))


HOSTILE = [
    *[
        "[",
        "【",
        "(",
        ")",
        "]",
        "~",
        "~~",
        "`",
        "``` ",
        "-",
        "– ",
        "9",
        "9 ",
        "1-",
        "A-",
        "*",
        "_ ",
        "#",
        "#1 ",
        "@",
        "\n",
        " ",
    ],
    *[
        "<!--",
        "<!-- `",
        "- ",
        "> ",
        "1、",
        "1-1000、",
        "赛题",
        "任务",
        "No.",
        "放弃",
        "1(放弃)",
        "-原始邮件",
        "&nbsp;",
        "|",
        "| 序号 |\n",
    ],
    *[
        "【报名】",
        "报名\n",
        "【提交】1 #999\n",
        "依赖 #999",
        "【序号】1【状态】报名",
        "队友:a ",
        "队友",
        "接受调剂",
        "https://github.com/a/b/pull/1 ",
    ],
    *[
        "[a](",
        "a/",
        "1.",
        "1:",
        "2026/",
        "1->",
        "é",
        "~a ",
        "1 (",
        "[[1",
        "我想做 1",
        "Hackathon ",
        "[Typing]",
        "Revert ",
    ],
    *[
        "- ``` ",
        "依赖：\n- #999 ",
        "不 ",
        "是否 ",
        "队友:(",
        "队友:[a](https://github.com/a)",
        "5号 ",
        "5 — ",
        "1-任务",
        "~a ~~b~~ ",
        "~~ ~",
        "<!-- a --> <!-- b\n> -->\n",
        "#5-#999、",
        "**- @a ",
    ],
]


@pytest.mark.parametrize("start", ["【报名】：", "我想做 "])
@pytest.mark.parametrize("unit", HOSTILE)
def test_hostile_texts_of_the_greatest_length_are_read(unit: str, start: str) -> None:
    text = (start + unit * MOST_CHARACTERS)[:MOST_CHARACTERS]
    seen = read(text, PLAIN)
    assert not (seen.hint and (seen.intents or seen.unknown))
    assert set(title(text).tasks) <= set(map(str, range(1, 1001)))


IDS = st.lists(st.integers(1, 80), min_size=1, max_size=8, unique=True)
WIDE_DIGITS = str.maketrans("0123456789", "０１２３４５６７８９")


@given(numbers=IDS, data=st.data())
def test_whole_ids_are_the_same_set_in_any_dress(numbers: list[int], data: st.DataObject) -> None:
    order = data.draw(st.permutations(numbers))
    written = ""
    for number in order:
        digits = str(number) if data.draw(st.booleans()) else str(number).translate(WIDE_DIGITS)
        written += (data.draw(st.sampled_from("、，")) if written else "") + digits
    before = data.draw(st.sampled_from(["", "老师好\n", "@fern-9 "]))
    behind = data.draw(st.sampled_from(["", " 谢谢老师", "，谢谢", "\n辛苦了", " thanks!", " please"]))

    assert set(claimed(f"{before}【报名】：{written}{behind}")) == set(map(str, numbers))


@given(numbers=IDS, data=st.data())
def test_letter_ids_are_the_same_in_any_dress(numbers: list[int], data: st.DataObject) -> None:
    numbers = [number % 60 + 1 for number in numbers]
    forms = ["A-{}", "a{}", "A+{}", "A_{}", "Ａ－{}", "A - {}"]
    written = "、".join(data.draw(st.sampled_from(forms)).format(number) for number in numbers)

    assert set(claimed(f"【报名】：{written}", LETTERS)) == {f"A-{number}" for number in numbers}


RANGE_MARKS = ["-", "‐", "–", "—", "−", "~", "～", "〜", "至", "到", " - ", " ~ ", " 到 ", "——", "--"]
DRESSES = [
    *[
        ("", ""),
        ("第", "题"),
        ("第 ", " 题"),
        ("No.", ""),
        ("№", ""),
        ("#", ""),
        ("任务 ", ""),
        ("题号：", ""),
    ],
    *[("【", "】"), ("[No.", "]"), ("**", "**"), ("", "号")],
]
ANY_SEPARATORS = [
    "、",
    "，",
    "; ",
    " / ",
    "＆",
    " 和 ",
    "及",
    " and ",
    " ",
    "、\n",
    "\n- ",
    "，\n\n",
    "（草稿）、",
]


@given(
    spans=st.lists(st.tuples(st.integers(1, 50), st.integers(0, 9)), min_size=1, max_size=5),
    letter=st.sampled_from(["", "A-", "a", "Ａ－", "A_"]),
    data=st.data(),
)
def test_lists_of_ranges_are_the_same_in_any_dress(
    spans: list[tuple[int, int]], letter: str, data: st.DataObject
) -> None:
    written, meant = "", set[int]()
    for first, more in spans:
        before, behind = data.draw(st.sampled_from(DRESSES))
        written += data.draw(st.sampled_from(ANY_SEPARATORS)) if written else ""
        written += f"{before}{letter}{first}{behind}"
        if more:
            again = (before, behind) if data.draw(st.booleans()) else ("", "")
            written += data.draw(st.sampled_from(RANGE_MARKS)) + f"{again[0]}{letter}{first + more}{again[1]}"
        meant |= set(range(first, first + more + 1))
    assume(not strikes(written))  # 【1】~2、【3】~【4】 is struck in part
    ids, spelled = (LETTERS, "A-{}") if letter else (PLAIN, "{}")

    assert set(claimed(f"【报名】：{written}\n\n谢谢", ids)) == {spelled.format(number) for number in meant}
