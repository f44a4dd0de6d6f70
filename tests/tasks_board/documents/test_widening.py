"""A column for claimants is put in, and nothing else of the text changes."""

import pytest

from tasks_board.documents.editing import SetClaimant, apply_edit
from tasks_board.documents.model import PullRequestRef, State
from tasks_board.documents.reading import read_body
from tasks_board.documents.widening import add_column, lacks_claimants
from tests.tasks_board.documents.bodies import REPOSITORY

BODY = "前言\n\n| 序号 | 题目 | 导师 |\n|:-|-|-:|\n| 1 | 甲 | @a |\n| 2 | 乙\n| 3 | 丙 |\n\n| 不是 | 表格 |\n|-|-|\n| x | y |\n"


def test_every_row_gets_the_cell_and_every_other_byte_stays() -> None:
    assert add_column(BODY, repository=REPOSITORY) == (
        "前言\n\n| 序号 | 题目 | 导师 | 认领人 |\n|:-|-|-:| --- |\n| 1 | 甲 | @a |  |\n| 2 | 乙 |  |  |\n| 3 | 丙 |  |  |\n"
        "\n| 不是 | 表格 |\n|-|-|\n| x | y |\n"
    )


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_reading_gives_the_claimants_back(end: str) -> None:
    body = "| 序号 | 题目 |\n|-|-|\n| 1 | 甲 |\n| 2 | 乙 |".replace("\n", end)
    assert lacks_claimants(read_body(body, repository=REPOSITORY)) == [""]
    wide = add_column(body, repository=REPOSITORY)
    assert lacks_claimants(read_body(wide, repository=REPOSITORY)) == []
    assert add_column(wide, repository=REPOSITORY) == wide
    written = apply_edit(
        wide, SetClaimant(number="2", login="moss07", state=State.CLAIMED), repository=REPOSITORY
    )
    second = read_body(written, repository=REPOSITORY).tasks[1]
    assert [claimant.login for claimant in second.claimants] == ["moss07"]
    assert written.count("\r\n") == body.count("\r\n")


BADGE = '<img src="https://img.shields.io/badge/状态-报名-2ECC71" />'
TABLES = {
    "badge": f"@keel-1 {BADGE} <br>",
    "parenthesis": "队(报名)",
    "emoji": "🙋@keel-1",
    "plain": "@keel-1",
}


@pytest.mark.parametrize("cell", TABLES.values(), ids=TABLES)
@pytest.mark.parametrize("state", [State.CLAIMED, State.PR_OPEN, State.DONE])
@pytest.mark.parametrize("repository", [REPOSITORY, "else/where"])
@pytest.mark.parametrize("count", [0, 1, 2])
def test_the_brief_form_says_the_same_in_no_more_letters(
    cell: str, state: State, repository: str, count: int
) -> None:
    body = f"| 序号 | 题目 | 认领人 |\n|-|-|-|\n| 1 | 甲 | {cell} |\n| 2 | 乙 | |\n"
    refs = tuple(PullRequestRef(repository, n + 10) for n in range(count))
    texts = [
        apply_edit(
            body,
            SetClaimant(number="2", login="moss07", state=state, pull_requests=refs, is_brief=is_brief),
            repository=REPOSITORY,
        )
        for is_brief in (False, True)
    ]
    said = [
        [
            (c.name, c.state, c.pull_requests)
            for c in read_body(text, repository=REPOSITORY).tasks[1].claimants
        ]
        for text in texts
    ]
    assert said[0] == said[1]
    assert len(texts[1]) <= len(texts[0])


def test_a_quoted_table_gets_the_column_inside_its_quote() -> None:
    body = "> | 序号 | 题目 |\n> |-|-|\n> | 1 | 甲 |\n"
    assert add_column(body, repository=REPOSITORY) == (
        "> | 序号 | 题目 | 认领人 |\n> |-|-| --- |\n> | 1 | 甲 |  |\n"
    )
