from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rewards import rules
from rewards.models import Completion, EventReward
from rewards.rules import Degree, NotWholeSteps, Per, RewardRule
from tasks_board import models as board


class TestAwards:
    def test_a_task_earns_the_amount_once_whatever_its_stars(self) -> None:
        rule = RewardRule(per=Per.TASK, amount_steps=1_000)
        assert rules.award_steps(rule, star_steps=15_000, degree=Degree.DONE) == 1_000
        assert rules.award_steps(rule, star_steps=None, degree=Degree.DONE) == 1_000

    @pytest.mark.parametrize(
        ("star_steps", "earned"), [(25, 5_000), (1_000, 200_000), (15_000, 3_000_000), (0, 0), (None, 0)]
    )
    def test_a_star_earns_the_amount_as_often_as_the_task_has_stars(
        self, star_steps: int | None, earned: int
    ) -> None:
        two_thousand_yuan = RewardRule(per=Per.STAR, amount_steps=200_000)
        assert rules.award_steps(two_thousand_yuan, star_steps=star_steps, degree=Degree.DONE) == earned

    def test_a_part_earns_its_share_and_nothing_unless_one_was_named(self) -> None:
        half = RewardRule(per=Per.STAR, amount_steps=200_000, partly_percent=50)
        assert rules.award_steps(half, star_steps=1_500, degree=Degree.PARTLY) == 150_000
        nothing = RewardRule(per=Per.TASK, amount_steps=1_000)
        assert rules.award_steps(nothing, star_steps=None, degree=Degree.PARTLY) == 0

    @pytest.mark.parametrize(
        ("per", "amount_steps", "partly_percent"),
        [
            (Per.TASK, -1, 0),
            (Per.TASK, 10**12 + 1, 0),
            (Per.TASK, 100, 101),
            (Per.TASK, 100, -1),
            (Per.TASK, 1, 50),
            (Per.STAR, 1_500, 0),
            (Per.STAR, 1_000, 50),
        ],
    )
    def test_a_rule_that_could_earn_a_broken_step_is_refused(
        self, per: Per, amount_steps: int, partly_percent: int
    ) -> None:
        with pytest.raises(NotWholeSteps):
            RewardRule(per=per, amount_steps=amount_steps, partly_percent=partly_percent)

    @given(
        st.integers(0, 10**7),
        st.integers(0, 100),
        st.integers(0, 2**31 - 1),
        st.sampled_from(Degree),
    )
    def test_what_a_rule_earns_is_exact_and_the_database_holds_it(
        self, hundreds: int, percent: int, star_steps: int, degree: Degree
    ) -> None:
        rule = RewardRule(per=Per.STAR, amount_steps=hundreds * 100_000, partly_percent=percent)
        share = percent if degree is Degree.PARTLY else 100
        earned = rules.award_steps(rule, star_steps=star_steps, degree=degree)
        assert earned * 100 * rules.STAR_STEPS == rule.amount_steps * star_steps * share
        assert earned <= rules.MOST_STEPS

    def test_its_words_are_those_of_the_tables(self) -> None:
        assert rules.STAR_STEPS == board.STAR_STEPS
        assert list(Per) == EventReward.Per.values
        assert list(Degree) == Completion.Degree.values


class TestSteps:
    @pytest.mark.parametrize(
        ("amount", "scale", "steps"),
        [
            ("0.025", 1_000, 25),
            ("15", 1_000, 15_000),
            ("1E+3", 100, 100_000),
            ("1.500", 10, 15),
            ("-2000.50", 100, -200_050),
            ("0E+999999", 1, 0),
            ("-0.000000000000000000000", 1, 0),
        ],
    )
    def test_an_amount_becomes_whole_steps(self, amount: str, scale: int, steps: int) -> None:
        assert rules.to_steps(Decimal(amount), scale=scale) == steps

    @pytest.mark.parametrize(
        "amount", ["0.0255", "NaN", "Infinity", "1E-999999", "1E+999999", "9223372036854775.808"]
    )
    def test_what_is_no_whole_step_is_refused(self, amount: str) -> None:
        with pytest.raises(NotWholeSteps):
            rules.to_steps(Decimal(amount), scale=1_000)

    @pytest.mark.parametrize(
        ("steps", "words"), [(25, "0.025"), (1_000, "1"), (20_000, "20"), (0, "0"), (-1_500, "-1.5")]
    )
    def test_an_amount_is_written_without_needless_zeros(self, steps: int, words: str) -> None:
        assert f"{rules.from_steps(steps, scale=1_000)}" == words

    @given(st.integers(-rules.MOST_STEPS, rules.MOST_STEPS), st.sampled_from(rules.SCALES))
    def test_steps_survive_the_way_to_an_amount_and_back(self, steps: int, scale: int) -> None:
        amount = rules.from_steps(steps, scale=scale)
        assert rules.to_steps(amount, scale=scale) == steps
        assert "E" not in str(amount) or abs(amount) < Decimal("0.000001") * 10

    def test_a_scale_is_a_power_of_ten(self) -> None:
        with pytest.raises(ValueError, match="power of ten"):
            rules.from_steps(1, scale=12)
