"""Who is named beside the author, and which pull request a commit brings."""

import time

import pytest

from claims.trailers import Named, brings, co_authors

NOREPLY = "users.noreply.github.com"


def names(*lines: str, known: dict[str, str] | None = None) -> list[Named]:
    return co_authors(["\n".join(["Add a lamp", "", *lines])], known=known or {})


def test_numbered_and_plain_noreply_addresses_name_accounts() -> None:
    found = names(
        f"Co-authored-by: Ann <12+ann@{NOREPLY}>",
        f"co-authored-by: Ben B. <ben@{NOREPLY}>",
        f"Co-Authored-By: Ann again <12+ANN@{NOREPLY}>",
    )
    assert found == [Named("ann", 12), Named("ben")]


def test_other_addresses_count_only_if_github_ties_them_to_an_account() -> None:
    line = "Co-authored-by: Cy <cy@mail.example>"
    assert names(line) == []
    assert names(line, known={"cy@mail.example": "cy"}) == [Named("cy")]


@pytest.mark.parametrize(
    "line",
    [
        f"Co-authored-by: x <1+dependabot[bot]@{NOREPLY}>",
        f"Co-authored-by: Claude <81847+claude@{NOREPLY}>",
        f"Co-authored-by: Cursor <cursoragent@{NOREPLY}>",
        f"Co-authored-by: copilot <198982749+Copilot@{NOREPLY}>",
        "Co-authored-by: nobody",
        "Signed-off-by: Ann <12+ann@users.noreply.github.com>",
        f"> see Co-authored-by: Ann <12+ann@{NOREPLY}>",
    ],
)
def test_bots_tools_and_other_lines_name_nobody(line: str) -> None:
    assert names(line) == []


@pytest.mark.parametrize(
    ("message", "does"),
    [
        ("Add a lamp (#12)", True),
        ("Add a lamp (#12)\n\nbody", True),
        ("Add a lamp\n\nPR-URL: https://github.com/o/r/pull/12", True),
        ("x\n\nPull Request resolved: https://github.com/o/r/pull/12\nApproved by: me", True),
        ("x\n\nCloses #12.", True),
        ("x\n\nCloses o/r#12", True),
        ("x\n\nCloses q/r#12", False),
        ("x\n\nSee #12", False),
        ("Add a lamp (#123)", False),
        ("(#12) first", False),
        ("x\n\nPR-URL: https://github.com/o/r/pull/123", False),
    ],
)
def test_a_commit_brings_what_it_says(message: str, does: bool) -> None:
    assert brings(message, repository="o/r", number=12) is does


def test_it_takes_linear_time() -> None:
    hostile = ["Co-authored-by: " + "<" * 50_000, "co-authored-by:" * 20_000, "closes " * 50_000]
    started = time.perf_counter()
    for message in hostile:
        co_authors([message], known={})
        brings(message, repository="o/r", number=1)
    assert time.perf_counter() - started < 2
