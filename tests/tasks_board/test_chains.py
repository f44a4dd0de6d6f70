"""What has to be merged for a task, and which step a pull request belongs to."""

import pytest

from tasks_board.chains import (
    CODE,
    DOCS,
    PROPOSAL,
    Chain,
    Step,
    chain_from_json,
    chain_of,
    read_chain,
    step_of,
    write_chain,
)
from tasks_board.rules import EventRules, Preset, fits_branch

DOCS_THERE = Step("docs", "o/manual")
ALL = (PROPOSAL, CODE, DOCS)


@pytest.mark.parametrize(
    ("text", "chain"),
    [
        ("", ()),
        ("code", (CODE,)),
        ("proposal → code → docs", ALL),
        ("Proposal -> code, docs o/manual", (PROPOSAL, CODE, DOCS_THERE)),
        ("proposal\ncode，docs", ALL),
    ],
)
def test_it_reads_what_people_write(text: str, chain: Chain) -> None:
    assert read_chain(text) == chain
    assert read_chain(write_chain(chain)) == chain
    assert chain_from_json([step.to_json() for step in chain]) == chain


@pytest.mark.parametrize(
    "text", ["blog", "code code", "docs not-a-repository", "docs o/a b", "code,code,code", "x" * 9]
)
def test_it_refuses_what_is_no_chain(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        read_chain(text)


@pytest.mark.parametrize("stored", [[{}], ["code"], [{"kind": "blog"}], [1]])
def test_it_refuses_stored_nonsense(stored: list[object]) -> None:
    with pytest.raises(ValueError, match=r"."):
        EventRules.from_json(Preset.CONTEST, {"chain": stored})


@pytest.mark.parametrize(
    ("own", "of_event", "required", "usually", "chain"),
    [
        ((), (), None, False, (CODE,)),
        ((), (), None, True, (PROPOSAL, CODE)),
        ((), (), True, False, (PROPOSAL, CODE)),
        ((), (), False, True, (CODE,)),
        ((), ALL, None, False, ALL),
        ((), ALL, False, True, (CODE, DOCS)),
        ((CODE, DOCS), ALL, None, True, (CODE, DOCS)),
        ((CODE, DOCS), (), True, False, ALL),
    ],
)
def test_a_task_s_own_chain_then_the_event_s_then_the_rule(
    own: Chain, of_event: Chain, required: bool | None, usually: bool, chain: Chain
) -> None:
    assert chain_of(own, of_event=of_event, proposal_required=required, usually=usually) == chain


@pytest.mark.parametrize(
    ("chain", "repository", "title", "is_proposal", "step"),
    [
        ((CODE,), "o/r", "Fix", False, 0),
        ((CODE,), "o/docs", "Fix", False, 0),  # no docs step: everything that is no proposal is code
        ((CODE,), "o/rfcs", "Plan", True, None),
        (ALL, "o/rfcs", "Plan", True, 0),
        (ALL, "o/r", "Fix", False, 1),
        (ALL, "o/docs", "Fix", False, 2),
        (ALL, "o/r", "【Race No.6】[Docs] Explain", False, 2),
        (ALL, "o/r", "docs(api): explain", False, 2),
        (ALL, "o/r", "Add docstrings: all of them", False, 1),
        ((PROPOSAL, CODE, DOCS_THERE), "O/Manual", "Explain", False, 2),
        ((PROPOSAL, CODE, DOCS_THERE), "o/docs", "Explain", False, 1),
        ((Step("code", "o/a"), Step("code", "o/b")), "o/b", "Fix", False, 1),
        ((Step("code", "o/a"), Step("code", "o/b")), "o/c", "Fix", False, None),
        ((PROPOSAL,), "o/r", "Fix", False, None),
        ((DOCS,), "o/r", "Fix", False, None),
    ],
)
def test_the_repository_tells_the_step_then_the_mark(
    chain: Chain, repository: str, title: str, is_proposal: bool, step: int | None
) -> None:
    assert step_of(chain, repository=repository, title=title, is_proposal=is_proposal) == step


@pytest.mark.parametrize(
    ("branch", "pattern", "fits"),
    [
        ("develop", "develop", True),
        ("develop", "Develop", False),
        ("release/3.0", "release/*", True),
        ("release", "release/*", False),
        ("anything", "*", True),
        ("release/3.0", "release/?.0", False),
        ("aaab", "(a+)+$", False),
        ("a*b", "a*b", True),
    ],
)
def test_a_star_at_the_end_alone_stands_for_anything(branch: str, pattern: str, fits: bool) -> None:
    assert fits_branch(branch, pattern) is fits


def test_the_rules_come_back_from_json() -> None:
    rules = EventRules(chain=(PROPOSAL, CODE, DOCS_THERE), branches=("release/*",), landed_labels=("Merged",))
    assert EventRules.from_json(Preset.HAPPY_OPEN_SOURCE, rules.to_json()) == rules
    assert rules.list_problems() == []
    assert EventRules(landed_labels=("",)).list_problems() == ["landed_labels"]
