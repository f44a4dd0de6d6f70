"""The standing of a claim is a function of what is known, whatever the order in which it became known."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claims.standing import (
    Basis,
    DecisionFact,
    PullRequestFact,
    Standing,
    StatementFact,
    derive_standing,
    derive_task_state,
    first_finished,
)

NOON = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


def at(hours: float) -> datetime:
    return NOON + timedelta(hours=hours)


def decision(kind: str, hours: float, tie: int = 0) -> DecisionFact:
    return DecisionFact(at(hours), (tie, kind), kind)


def opened(
    hours: float, number: int = 1, *, is_approved: bool = False, is_proposal: bool = False
) -> PullRequestFact:
    return PullRequestFact(
        f"o/r#{number}", "open", at(hours), at(hours), is_approved=is_approved, is_proposal=is_proposal
    )


def merged(
    hours: float,
    number: int = 1,
    *,
    reverted: float | None = None,
    is_partial: bool = False,
    is_proposal: bool = False,
    counts: bool = True,
) -> PullRequestFact:
    return PullRequestFact(
        f"o/r#{number}",
        "merged",
        at(hours - 1),
        at(hours),
        merged_at=at(hours),
        reverted_at=None if reverted is None else at(reverted),
        is_partial=is_partial,
        is_proposal=is_proposal,
        counts=counts,
    )


def closed(hours: float, number: int = 1) -> PullRequestFact:
    return PullRequestFact(f"o/r#{number}", "closed", at(hours - 1), at(hours), closed_at=at(hours))


def derive(
    *known: DecisionFact | PullRequestFact | StatementFact, superseded: float | None = None
) -> Standing:
    return derive_standing(
        decisions=[k for k in known if isinstance(k, DecisionFact)],
        pull_requests=[k for k in known if isinstance(k, PullRequestFact)],
        statements=[k for k in known if isinstance(k, StatementFact)],
        known_since=NOON,
        superseded_at=None if superseded is None else at(superseded),
    )


CLAIMED = decision("claimed", 0)


class TestFacts:
    def test_a_claim_without_more_is_claimed(self) -> None:
        assert derive(CLAIMED).state == "claimed"

    def test_the_best_pull_request_counts(self) -> None:
        assert derive(CLAIMED, closed(2, 1), opened(3, 2)).state == "pr_open"
        assert derive(CLAIMED, opened(2, 1), opened(3, 2, is_approved=True)).state == "approved"
        assert derive(CLAIMED, opened(2, 1), merged(3, 2, is_partial=True)).state == "partly_done"
        assert derive(CLAIMED, opened(2, 1), merged(3, 2)).state == "done"

    def test_proposals_go_before_code(self) -> None:
        assert derive(CLAIMED, opened(1, is_proposal=True)).state == "rfc_submitted"
        assert derive(CLAIMED, merged(2, is_proposal=True)).state == "rfc_merged"
        assert derive(CLAIMED, merged(2, 1, is_proposal=True), closed(3, 2)).state == "rfc_merged"

    def test_it_is_done_since_the_first_merge(self) -> None:
        assert derive(CLAIMED, merged(5, 2), merged(3, 1)).at == at(3)

    def test_closed_without_merge_goes_down_again(self) -> None:
        standing = derive(CLAIMED, closed(2))
        assert (standing.state, standing.is_credited) == ("closed_unmerged", False)

    def test_a_reverted_merge_leaves_a_claim(self) -> None:
        standing = derive(CLAIMED, merged(2, reverted=3))
        assert (standing.state, standing.reason, standing.is_credited) == ("claimed", "reverted", False)

    def test_a_merge_onto_another_branch_waits_for_the_mentor(self) -> None:
        standing = derive(CLAIMED, merged(2, counts=False))
        assert standing.state == "approved"
        assert [doubt.code for doubt in standing.doubts] == ["merged_elsewhere"]


class TestDecisions:
    def test_a_release_beats_an_open_pull_request(self) -> None:
        assert derive(CLAIMED, opened(1), decision("released", 2)).state == "withdrawn"

    def test_a_merge_after_the_release_raises_a_doubt_and_changes_nothing(self) -> None:
        standing = derive(CLAIMED, decision("released", 2), merged(3))
        assert (standing.state, [d.code for d in standing.doubts]) == ("withdrawn", ["merged_after_released"])

    def test_finished_work_is_not_given_back(self) -> None:
        assert derive(CLAIMED, merged(2), decision("released", 3)).state == "done"
        assert derive(CLAIMED, decision("accepted", 2), decision("released", 3)).state == "done"

    def test_claiming_again_takes_part_again(self) -> None:
        again = derive(CLAIMED, opened(1), decision("released", 2), decision("claimed", 3))
        assert again.state == "pr_open"

    def test_a_mentor_accepts_without_a_pull_request(self) -> None:
        standing = derive(CLAIMED, decision("accepted", 2))
        assert (standing.state, standing.is_credited) == ("done", True)

    def test_a_revert_after_acceptance_is_a_doubt(self) -> None:
        standing = derive(CLAIMED, merged(1, reverted=3), decision("accepted", 2))
        assert (standing.state, [d.code for d in standing.doubts]) == ("done", ["reverted_after_acceptance"])

    def test_a_mentor_makes_a_merge_a_part(self) -> None:
        assert derive(CLAIMED, merged(1), decision("partial", 2)).state == "partly_done"

    def test_a_decision_can_be_left_to_the_facts_again(self) -> None:
        assert (
            derive(CLAIMED, merged(1), decision("partial", 2), decision("follows_facts", 3)).state == "done"
        )

    def test_who_is_overtaken_is_superseded_unless_gone(self) -> None:
        assert derive(CLAIMED, opened(1), superseded=4).state == "superseded"
        assert derive(CLAIMED, decision("released", 2), superseded=4).state == "withdrawn"


class TestStatements:
    def test_facts_beat_older_statements(self) -> None:
        assert derive(CLAIMED, StatementFact("done", at(1)), opened(2)).state == "pr_open"

    def test_a_newer_statement_shows_and_asks_but_never_awards(self) -> None:
        standing = derive(CLAIMED, opened(1), StatementFact("done", at(2)))
        assert (standing.state, standing.basis, standing.is_credited) == ("done", Basis.STATEMENT, False)
        assert [doubt.code for doubt in standing.doubts] == ["table_says"]

    def test_a_statement_takes_no_merge_away(self) -> None:
        standing = derive(CLAIMED, merged(1), StatementFact("pr_open", at(2)))
        assert (standing.state, standing.is_credited) == ("done", True)
        assert [doubt.code for doubt in standing.doubts] == ["table_disagrees"]

    def test_a_name_in_a_table_is_a_claim_by_statement(self) -> None:
        standing = derive(StatementFact("pr_open", at(1)))
        assert (standing.state, standing.basis) == ("pr_open", Basis.STATEMENT)

    def test_a_decision_beats_a_newer_statement(self) -> None:
        standing = derive(CLAIMED, decision("released", 1), StatementFact("claimed", at(2)))
        assert (standing.state, [d.code for d in standing.doubts]) == ("withdrawn", ["table_names_again"])


_KINDS = st.sampled_from(
    ["claimed", "admitted", "released", "expired", "declined", "requested", "accepted", "partial", "rejected",
     "deferred", "blocked", "follows_facts", "waiting", "promoted", "renewed", "extended", "reminded"]
)  # fmt: skip
_HOURS = st.integers(0, 6)
_KNOWN = st.one_of(
    st.builds(decision, _KINDS, _HOURS, st.integers(0, 2)),
    st.builds(opened, _HOURS, st.integers(1, 3)),
    st.builds(closed, _HOURS, st.integers(1, 3)),
    st.builds(merged, _HOURS, st.integers(1, 3), is_partial=st.booleans(), counts=st.booleans()),
    st.builds(
        StatementFact, st.sampled_from(["claimed", "pr_open", "done", "withdrawn"]), st.builds(at, _HOURS)
    ),
)


class TestAnyOrder:
    @given(st.lists(_KNOWN, max_size=6), st.randoms())
    def test_the_order_of_arrival_does_not_matter(
        self, known: list[DecisionFact | PullRequestFact | StatementFact], random: object
    ) -> None:
        shuffled = list(known)
        random.shuffle(shuffled)  # type: ignore[attr-defined]
        first, second = derive(*known), derive(*shuffled)
        assert (first.state, first.at, first.basis) == (second.state, second.at, second.basis)
        assert set(first.doubts) == set(second.doubts)

    @given(st.lists(_KNOWN, max_size=6))
    def test_a_statement_alone_never_credits(
        self, known: list[DecisionFact | PullRequestFact | StatementFact]
    ) -> None:
        entitled = {"accepted", "partial"}
        earned = any(isinstance(k, PullRequestFact) and k.merged_at for k in known)
        decided = any(isinstance(k, DecisionFact) and k.kind in entitled for k in known)
        if derive(*known).is_credited:
            assert earned or decided


class TestTasks:
    def test_a_task_shows_the_best_of_its_live_claims(self) -> None:
        states = [derive(CLAIMED), derive(CLAIMED, opened(1)), derive(CLAIMED, decision("released", 2))]
        assert {derive_task_state(order) for order in permutations(states)} == {"pr_open"}

    def test_nobody_is_open(self) -> None:
        assert derive_task_state([]) == "open"
        assert derive_task_state([derive(CLAIMED, decision("released", 2))]) == "open"
        assert derive_task_state([derive(decision("requested", 1))]) == "open"

    def test_a_rows_own_mark_puts_it_aside_until_it_is_done(self) -> None:
        assert derive_task_state([derive(CLAIMED)], stated_mark="deferred") == "deferred"
        assert derive_task_state([derive(CLAIMED, merged(1))], stated_mark="deferred") == "done"
        assert derive_task_state([], stated_mark="done") == "done"
        assert derive_task_state([derive(CLAIMED)], removed=True) == "removed"

    def test_the_first_merge_wins_whatever_came_first(self) -> None:
        early, late = derive(CLAIMED, merged(2, 1)), derive(CLAIMED, merged(3, 2))
        stated = derive(StatementFact("done", at(1)))
        entries = [(7, late), (8, early), (9, stated)]
        assert {first_finished(order) for order in permutations(entries)} == {8}
        assert first_finished([(9, stated)]) is None


class TestInLine:
    def test_who_waits_has_nothing_yet_and_is_let_in_once(self) -> None:
        waiting, promoted = decision("waiting", 1), decision("promoted", 3, tie=9)
        assert derive(waiting).state == "waiting"
        assert derive_task_state([derive(waiting)]) == "open"
        granted = derive(waiting, promoted)
        assert (granted.state, granted.at, granted.reason) == ("claimed", at(3), "promoted")
        assert derive(waiting, promoted, decision("waiting", 4)).at == at(3)

    def test_a_place_goes_to_nobody_who_had_left_before(self) -> None:
        known = [decision("waiting", 1), decision("released", 2), decision("promoted", 3)]
        assert {derive(*order).state for order in permutations(known)} == {"withdrawn"}
        assert derive(*known, decision("waiting", 4)).state == "waiting"

    def test_asking_again_keeps_the_place_in_line(self) -> None:
        assert derive(decision("waiting", 1), decision("waiting", 2)).at == at(1)

    def test_work_of_who_waits_asks_the_mentor(self) -> None:
        standing = derive(decision("waiting", 1), opened(2), merged(3, 2))
        assert standing.state == "waiting"
        assert {d.code for d in standing.doubts} == {"merged_after_waiting", "pull_request_after_waiting"}

    def test_another_one_s_merge_sends_the_line_home(self) -> None:
        assert derive(decision("waiting", 1), superseded=3).state == "superseded"

    @pytest.mark.parametrize("asked", ["waiting", "requested"])
    def test_whoever_asked_loses_the_task_too_and_earlier_work_still_asks_the_mentor(
        self, asked: str
    ) -> None:
        lost = derive(decision(asked, 1), opened(2), superseded=3)
        assert (lost.state, lost.reason, lost.doubts) == ("superseded", "superseded", ())
        earlier = derive(decision(asked, 1), merged(2, 1), superseded=3)
        assert [d.code for d in earlier.doubts] == [f"merged_after_{asked}"]
        assert derive(decision(asked, 1), merged(4, 1), superseded=3).doubts == ()


class TestTakingPart:
    def test_asking_again_for_what_one_has_changes_nothing(self) -> None:
        again = derive(CLAIMED, decision("claimed", 5))
        assert (again.state, again.at) == ("claimed", at(0))
        assert derive(decision("admitted", 1), decision("requested", 2)).state == "claimed"
        assert derive(CLAIMED, decision("released", 1), decision("claimed", 2)).at == at(2)

    def test_a_mentor_s_acceptance_after_a_release_holds(self) -> None:
        assert derive(CLAIMED, decision("released", 1), decision("accepted", 2)).is_credited
        assert derive(CLAIMED, decision("accepted", 1), decision("declined", 2)).state == "declined"

    def test_a_mark_made_with_an_admission_shows(self) -> None:
        mark = StatementFact("pr_open", at(1))
        assert derive(decision("admitted", 1), mark).state == "pr_open"
        assert derive(decision("admitted", 1), mark, opened(1, is_approved=True)).state == "approved"

    def test_an_approval_is_newer_than_a_mark_made_before_it(self) -> None:
        approved = replace(opened(0, is_approved=True), approved_at=at(3))
        assert derive(CLAIMED, StatementFact("claimed", at(2)), approved).state == "approved"

    def test_a_merge_that_only_a_word_ties_to_the_task_asks(self) -> None:
        named = replace(merged(2), counts=False, is_only_named=True)
        standing = derive(CLAIMED, named)
        assert (standing.is_credited, [doubt.code for doubt in standing.doubts]) == (False, ["named_only"])
