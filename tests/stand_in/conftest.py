from collections.abc import Iterator

import github
import pytest

from tests.github_stand_in import process
from tests.github_stand_in.driver import Driver
from tests.stand_in.cast import MEI_TOKEN, REPOSITORY, client
from tests.stand_in.receiver import Receiver, receiving


@pytest.fixture(scope="session")
def stand_in_url() -> Iterator[str]:
    with process.running() as started:
        yield started.url


@pytest.fixture
def driver(stand_in_url: str) -> Driver:
    """The small cast: mei maintains harbor/lantern; alice and bob contribute."""
    driver = Driver(stand_in_url)
    driver.set_webhook(None)
    driver.reset()
    for login in ("mei", "alice", "bob"):
        driver.create_user(login)
        driver.set_token(f"token-of-{login}", login)
    driver.create_repository(REPOSITORY, owners=["mei"])
    return driver


@pytest.fixture
def mei(driver: Driver) -> Iterator[github.Github]:
    with client(driver.base_url, MEI_TOKEN) as connection:
        yield connection


@pytest.fixture
def alice(driver: Driver) -> Iterator[github.Github]:
    with client(driver.base_url, "token-of-alice") as connection:
        yield connection


@pytest.fixture
def receiver(driver: Driver) -> Iterator[Receiver]:
    with receiving() as receiver:
        driver.set_webhook(receiver.url, "a shared secret")
        yield receiver
        driver.set_webhook(None)
