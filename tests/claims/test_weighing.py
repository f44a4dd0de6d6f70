"""A chain is done when each of its steps is merged, whatever the order in which that happens and becomes known."""

from dataclasses import replace
from itertools import permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claims.standing import Standing, derive_standing
from claims.weighing import PullRequestFact, best_of_facts
from tests.claims.test_standing import CLAIMED, NOON, at, closed, decision, merged, opened

CHAIN = ("proposal", "code", "docs")
TWO = ("proposal", "code")


def derive(*known: object, chain: tuple[str, ...] = CHAIN) -> Standing:
    return derive_standing(
        decisions=[k for k in known if type(k).__name__ == "DecisionFact"],  # type: ignore[misc]
        pull_requests=[k for k in known if isinstance(k, PullRequestFact)],
        statements=[],
        known_since=NOON,
        chain=chain,
    )


def on(step: int, fact: PullRequestFact) -> PullRequestFact:
    return replace(fact, step=step, is_proposal=step == 0, address=f"o/{step}#{fact.address}")


def codes(standing: Standing) -> list[str]:
    return [doubt.code for doubt in standing.doubts]


class TestSteps:
    def test_each_step_shows_until_the_last_one_is_merged(self) -> None:
        assert derive(CLAIMED).state == "claimed"
        assert derive(CLAIMED, on(0, opened(1))).state == "rfc_submitted"
        assert derive(CLAIMED, on(0, merged(1))).state == "rfc_merged"
        assert derive(CLAIMED, on(0, merged(1)), on(1, opened(2))).state == "pr_open"
        assert derive(CLAIMED, on(0, merged(1)), on(1, opened(2, is_approved=True))).state == "approved"
        part = derive(CLAIMED, on(0, merged(1)), on(1, merged(2)), on(2, opened(3)))
        assert (part.state, part.at, part.reason) == ("partly_done", at(2), "steps_to_come")
        done = derive(CLAIMED, on(0, merged(1)), on(1, merged(2)), on(2, merged(4)))
        assert (done.state, done.at, done.about) == ("done", at(4), "o/2#o/r#1")

    def test_every_combination_of_steps(self) -> None:
        """Merged, merged in part, open, closed, or nothing, for each of the three."""
        kinds = {
            "merged": merged(1),
            "part": merged(1, is_partial=True),
            "open": opened(1),
            "closed": closed(1),
        }
        for states in product([*kinds, ""], repeat=3):
            facts = [on(step, kinds[state]) for step, state in enumerate(states) if state]
            for chain in (CHAIN, TWO, ("code",)):
                known = [fact for fact in facts if (fact.step or 0) < len(chain)]
                found = derive(CLAIMED, *known, chain=chain)
                self.check(states[: len(chain)], found, chain)

    def check(self, states: tuple[str, ...], found: Standing, chain: tuple[str, ...]) -> None:
        if chain == ("code",):
            return  # the facts here are of proposals first
        proposed = states[0] in ("merged", "part")
        works = states[1:]
        merged_ones = [state for state in works if state in ("merged", "part")]
        if proposed and all(state == "merged" for state in works):
            assert found.state == "done"
        elif proposed and merged_ones:
            assert found.state == "partly_done"
        elif merged_ones:
            assert (found.state, found.is_credited) == ("approved", False)
            assert "merged_without_proposal" in codes(found)
        else:
            assert not found.is_credited
            assert codes(found) == []

    def test_a_reverted_step_is_to_come_again(self) -> None:
        facts = on(0, merged(1)), on(1, merged(2, reverted=3)), on(2, merged(4))
        assert derive(CLAIMED, *facts).state == "partly_done"
        assert derive(CLAIMED, *facts, on(1, merged(5, 9))).state == "done"

    def test_two_code_steps_need_a_merge_each(self) -> None:
        chain = ("code", "code")
        first, second = replace(merged(1), step=0), replace(merged(2, 2), step=1)
        assert derive(CLAIMED, first, replace(merged(3, 3), step=0), chain=chain).state == "partly_done"
        assert derive(CLAIMED, first, second, chain=chain).state == "done"

    def test_what_no_step_asks_for_waits_for_the_mentor(self) -> None:
        found = derive(CLAIMED, replace(merged(1), step=None), chain=("docs",))
        assert (found.state, found.is_credited, codes(found)) == ("approved", False, ["no_step_for_it"])


class TestProposalFirst:
    def test_code_without_a_proposal_is_a_doubt_and_no_credit(self) -> None:
        found = derive(CLAIMED, on(1, merged(2)), chain=TWO)
        assert (found.state, found.is_credited) == ("approved", False)
        assert codes(found) == ["merged_without_proposal"]

    def test_an_open_or_closed_proposal_is_none(self) -> None:
        for proposal in (opened(1), closed(1)):
            assert not derive(CLAIMED, on(0, proposal), on(1, merged(2)), chain=TWO).is_credited

    def test_the_proposal_may_be_merged_later(self) -> None:
        found = derive(CLAIMED, on(1, merged(2)), on(0, merged(5)), chain=TWO)
        assert (found.state, found.at, codes(found)) == ("done", at(5), [])

    def test_a_mentor_s_acceptance_settles_it(self) -> None:
        found = derive(CLAIMED, on(1, merged(2)), decision("accepted", 3), chain=TWO)
        assert (found.state, found.is_credited, codes(found)) == ("done", True, [])


class TestLanded:
    def test_a_label_alone_asks_the_mentor(self) -> None:
        found = derive(CLAIMED, replace(closed(2), seems_landed=True), chain=("code",))
        assert (found.state, found.is_credited, codes(found)) == ("approved", False, ["seems_landed"])

    def test_without_one_it_is_closed(self) -> None:
        assert derive(CLAIMED, closed(2), chain=("code",)).state == "closed_unmerged"


FACTS = st.builds(
    lambda step, kind, hours, number, partial: on(
        step,
        {
            "merged": merged(hours, number, is_partial=partial),
            "reverted": merged(hours, number, reverted=hours + 1),
            "open": opened(hours, number),
            "closed": closed(hours, number),
        }[kind],
    ),
    st.integers(0, 2),
    st.sampled_from(["merged", "reverted", "open", "closed"]),
    st.integers(1, 6),
    st.integers(1, 4),
    st.booleans(),
)


@given(st.lists(FACTS, max_size=5), st.sampled_from([CHAIN, TWO, ("code",)]), st.randoms())
def test_order_and_repetition_make_no_difference(
    facts: list[PullRequestFact], chain: tuple[str, ...], chance: object
) -> None:
    wanted = best_of_facts(facts, chain)
    again = [*facts, *facts[:2]]
    chance.shuffle(again)  # type: ignore[attr-defined]
    assert best_of_facts(again, chain) == wanted
    credited = derive(CLAIMED, *facts, chain=chain)
    assert derive(CLAIMED, *again, chain=chain).state == credited.state


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_every_order_of_the_three_merges_is_done(order: tuple[int, ...]) -> None:
    facts = [on(step, merged(hour + 1)) for hour, step in enumerate(order)]
    found = derive(CLAIMED, *facts)
    assert (found.state, found.at) == ("done", at(3))
