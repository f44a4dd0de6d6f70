"""The events' forms, read as the portal reads them."""

from collections import Counter

import pytest

from claims.presets import PRESETS
from tasks_board.documents.model import Dialect, Reading
from tasks_board.documents.reading import read_body
from tests.scenarios import cast
from tests.scenarios.campaigns import CAMPAIGNS, CONTEST, HACKATHON, PIR, Campaign
from tests.scenarios.reading import mentioned

LONGEST_BODY = 65_536
everyone = pytest.mark.parametrize("campaign", CAMPAIGNS.values(), ids=list(CAMPAIGNS))


def read(campaign: Campaign) -> Reading:
    return read_body(campaign.body, repository=campaign.repository)


class TestHackathon:
    def test_it_has_ten_directions_and_104_tasks_numbered_across_them(self) -> None:
        reading = read(HACKATHON)
        assert len(reading.tables) == 10
        assert [task.number for task in reading.tasks] == [str(n) for n in range(1, 105)]

    def test_every_task_has_one_to_three_stars_and_a_mentor(self) -> None:
        assert set(Counter(task.stars for task in read(HACKATHON).tasks)) == {"1", "2", "3"}
        assert all(len(task.mentors) == 1 for task in read(HACKATHON).tasks)

    def test_titles_are_unique(self) -> None:
        titles = [task.title for task in read(HACKATHON).tasks]
        assert len(set(titles)) == len(titles)

    def test_some_directions_ask_for_no_proposal(self) -> None:
        exempt = {task.section for task in read(HACKATHON).tasks if task.requires_rfc is False}
        assert exempt == {"数据类型扩展", "OpenVINO 适配", "开发板部署", "社区洞察"}

    def test_the_first_row_sets_the_dialect(self) -> None:
        assert read(HACKATHON).dialect is Dialect.BADGE

    def test_its_course_ends_as_published(self) -> None:
        parts = HACKATHON.parts
        assert sum(part.claimed for part in parts) == 79
        assert sum(part.proposed or 0 for part in parts) == 45
        assert sum(part.done for part in parts) == 56


class TestContest:
    def test_it_has_the_five_problems_of_the_second_half(self) -> None:
        tasks = read(CONTEST).tasks
        assert [task.number for task in tasks] == ["8", "9", "10", "11", "12"]
        assert all(task.description and task.mentors for task in tasks)


class TestForm:
    def test_it_has_six_tasks_in_three_tables(self) -> None:
        assert [len(table.tasks) for table in read(PIR).tables] == [1, 1, 4]


@everyone
def test_nothing_is_misread_and_there_is_room_to_write(campaign: Campaign) -> None:
    codes = {problem.code for problem in read(campaign).problems}
    assert codes <= {"row_too_short"}  # the PIR form as published
    assert len(campaign.body) < LONGEST_BODY / 4


@everyone
def test_the_preset_watches_where_the_story_happens(campaign: Campaign) -> None:
    preset = PRESETS[campaign.preset]
    watched = {*preset.repositories, *preset.proposal_repositories}
    assert {part.repository for part in campaign.parts} <= watched
    assert preset.title_prefix == campaign.prefix
    assert preset.slug == campaign.slug


@pytest.mark.parametrize("campaign", [HACKATHON, CONTEST], ids=lambda c: c.slug)
def test_whom_our_own_texts_name_is_invented(campaign: Campaign) -> None:
    assert set(mentioned(campaign.body)) <= set(cast.IDS)
