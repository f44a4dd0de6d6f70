"""The stories by themselves: told the same again, in time, and possible on GitHub."""

from collections import Counter
from datetime import UTC, datetime, timedelta

import pytest

from tests.demo import people
from tests.scenarios import cast
from tests.scenarios.campaigns import CAMPAIGNS, HACKATHON, PIR, Campaign, Phase
from tests.scenarios.happenings import Story, tell

OPENED_AT = datetime(2026, 3, 1, tzinfo=UTC)
everyone = pytest.mark.parametrize("campaign", CAMPAIGNS.values(), ids=list(CAMPAIGNS))


def story_of(campaign: Campaign, seed: int = 3) -> Story:
    titles = {n: f"任务 {n}" for part in campaign.parts for n in range(part.first, part.last + 1)}
    return tell(campaign, titles, {}, seed=seed)


@everyone
def test_a_seed_tells_one_story(campaign: Campaign) -> None:
    def steps(seed: int) -> list[dict[str, object]]:
        return [happening.step(OPENED_AT) for happening in story_of(campaign, seed).happenings]

    assert steps(3) == steps(3)
    assert steps(3) != steps(4)


@everyone
@pytest.mark.parametrize("seed", [3, 4, 5])
def test_everything_happens_in_time(campaign: Campaign, seed: int) -> None:
    story = story_of(campaign, seed)
    latest = max(happening.at for happening in story.happenings)
    assert min(happening.at for happening in story.happenings) >= timedelta(0)
    assert latest < timedelta(days=campaign.days[Phase.CLOSING])


@everyone
def test_a_pull_request_is_opened_before_anything_happens_to_it(campaign: Campaign) -> None:
    opened = set()
    for happening in story_of(campaign).happenings:
        if happening.pull is not None:
            address = (happening.pull.repository, happening.pull.number)
            assert (happening.do == "open_pull_request") == (address not in opened)
            opened.add(address)


def test_later_pull_requests_have_higher_numbers() -> None:
    highest: Counter[str] = Counter()
    for happening in story_of(HACKATHON).happenings:
        if happening.do == "open_pull_request" and happening.pull is not None:
            assert happening.pull.number > highest[happening.pull.repository]
            highest[happening.pull.repository] = happening.pull.number
    assert highest["PaddlePaddle/Paddle"] < PIR.number


@everyone
def test_only_invented_people_act(campaign: Campaign) -> None:
    acts = [happening.values for happening in story_of(campaign).happenings]
    actors = {values.get("author") or values.get("by") for values in acts}
    assert actors <= set(cast.IDS)


def test_who_can_be_signed_in_as_takes_part() -> None:
    claimed = {h.values["author"] for h in story_of(HACKATHON).happenings if h.do == "comment"}
    assert people.CONTRIBUTOR.login in claimed
    assert len(claimed & set(cast.CROWD)) > 40
