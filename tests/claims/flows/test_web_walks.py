"""Whatever claimants, mentors and organizers press while people edit the issue: all stays right, and every page answers.

`WEB_WALKS_TO=200 WEB_WALK_STEPS=60` looks further.
"""

import os

import pytest
from django.test import Client

from portal.common import clock
from tests.claims.flows.scene import open_stage
from tests.claims.flows.web_faults import Watch
from tests.claims.flows.web_walks import TimedScene, WebWalk, first_body, with_time_of
from tests.github_stand_in.process import StandInProcess

STEPS = int(os.environ.get("WEB_WALK_STEPS", "20"))
EVERY = int(os.environ.get("WEB_WALK_EVERY", "10"))  # looking takes longer than going
SEEDS = range(int(os.environ.get("WEB_WALKS_FROM", "0")), int(os.environ.get("WEB_WALKS_TO", "2")))


@pytest.mark.django_db
@pytest.mark.parametrize("seed", SEEDS)
def test_everything_holds(
    stand_in: StandInProcess, client: Client, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    opened = open_stage(stand_in.driver, client, first_body())
    scene = TimedScene(opened.driver, opened.client, opened.brought)
    monkeypatch.setattr(clock, "now", with_time_of(scene, clock.now))
    walk = WebWalk(scene, seed)
    watch = Watch(walk)
    for taken in range(1, STEPS + 1):
        walk.step()
        found = list(walk.broken)
        if not taken % EVERY:
            walk.rest()
            found += watch.faults()
        assert found == [], "\n".join([f"seed {seed}", *walk.log, *found])
    assert list(watch.faults_of_pages()) == []
