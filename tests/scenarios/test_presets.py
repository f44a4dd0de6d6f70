"""The dates of presets: whole days in Beijing, an end at 24:00, moved along with the first day."""

from datetime import UTC, date, datetime, timedelta

import pytest

from claims.presets import PRESETS, EventPreset
from tasks_board import schedule
from tasks_board.models import Event
from tests.github_stand_in.driver import Driver
from tests.scenarios import builders
from tests.scenarios.campaigns import CONTEST, Phase

HACKATHON, CONTEST_PRESET = PRESETS["hackathon-3"], PRESETS["ccf-6"]
dated = pytest.mark.parametrize("preset", [HACKATHON, CONTEST_PRESET], ids=lambda p: p.slug)


def test_the_objections_end_on_the_23rd_at_midnight_in_beijing() -> None:
    objections = HACKATHON.planned_phases()[2]
    assert objections.ends_at == datetime(2022, 10, 23, 16, tzinfo=UTC)
    assert not objections.claims_open


def test_the_event_opens_and_closes_with_its_phases() -> None:
    dates = HACKATHON.dates()
    assert dates["opens_at"] == dates["pull_requests_since"] == datetime(2022, 7, 3, 16, tzinfo=UTC)
    assert dates["closes_at"] == HACKATHON.planned_phases()[1].ends_at


@dated
def test_phases_follow_each_other_without_a_gap(preset: EventPreset) -> None:
    phases = preset.planned_phases()
    assert [phase.ends_at for phase in phases[:-1]] == [phase.starts_at for phase in phases[1:]]


@dated
def test_another_first_day_moves_all_of_it(preset: EventPreset) -> None:
    first = preset.phases[0].first
    later = first + timedelta(days=100)
    for before, after in zip(preset.planned_phases(first), preset.planned_phases(later), strict=True):
        assert after.starts_at - before.starts_at == after.ends_at - before.ends_at == timedelta(days=100)
    assert preset.planned_phases(first) == preset.planned_phases()


def test_an_event_without_phases_has_no_dates_but_the_one_it_is_given() -> None:
    assert PRESETS["pir"].dates() == {}
    assert PRESETS["pir"].planned_phases(date(2026, 3, 1)) == ()
    assert PRESETS["pir"].dates(date(2026, 3, 1))["closes_at"] is None


@pytest.mark.django_db
def test_registration_closes_at_its_last_instant(driver: Driver) -> None:
    event: Event = builders.build(driver, CONTEST, Phase.ANNOUNCED)
    registration = event.phases.get(position=0)
    assert registration.ends_at is not None
    assert not schedule.claiming_window(event, registration.ends_at).has_closed
    assert schedule.claiming_window(event, registration.ends_at + timedelta(seconds=1)).has_closed
    assert event.closes_at is not None
    assert event.closes_at > registration.ends_at
