"""What has to hold after any sequence of what people, texts and GitHub do."""

import os

import pytest

from rewards.models import Completion
from tests.claims.invariants import entitled, faults
from tests.claims.walks import Walk

STEPS = int(os.environ.get("WALK_STEPS", "40"))
EVERY = int(os.environ.get("WALK_EVERY", "3"))  # looking takes longer than going
SEEDS = range(int(os.environ.get("WALKS_FROM", "0")), int(os.environ.get("WALKS_TO", "5")))


@pytest.mark.django_db
@pytest.mark.parametrize("seed", SEEDS)
def test_everything_holds(seed: int) -> None:
    walk = Walk(seed)
    for taken in range(1, STEPS + 1):
        while not walk.step():
            pass
        if taken % EVERY:
            continue
        found = list(faults(pool=walk.pool, now=walk.now))
        found += [f"no award without a word: {c}" for c in Completion.objects.active() if not entitled(c)]
        assert found == [], "\n".join([f"seed {seed}", *walk.log, *found])
