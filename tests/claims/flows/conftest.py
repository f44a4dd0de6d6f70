"""What the tests of claims share."""

import pytest
from django.test import Client

from tests.claims.flows.scene import Scene, open_scene
from tests.github_stand_in.process import StandInProcess


@pytest.fixture
def scene(db: None, stand_in: StandInProcess, client: Client) -> Scene:
    """The PIR form, imported and published."""
    return open_scene(stand_in.driver, client)
