"""What every test may use: the stand-in for GitHub, a browser, and a fence around the network.

Tests of the pure packages run without Django too (`-p no:django`); nothing here imports it at the top.
"""

import os
import socket
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import settings as hypothesis_settings

from tests.github_stand_in import process
from tests.github_stand_in.driver import Driver
from tests.services.programs import find_chromium

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

# The same examples in every run; `HYPOTHESIS_PROFILE=search` looks for new ones, at length.
hypothesis_settings.register_profile("ci", derandomize=True, deadline=None)
hypothesis_settings.register_profile("search", deadline=None, max_examples=2_000)
hypothesis_settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))

PORTAL_LOGIN = "regatta-bot"  # the account that the portal's token belongs to


def pytest_addoption(parser: pytest.Parser, pluginmanager: pytest.PytestPluginManager) -> None:
    if not pluginmanager.hasplugin("django"):
        parser.addini("DJANGO_SETTINGS_MODULE", "not used in this run")


def pytest_configure(config: pytest.Config) -> None:
    _fence()
    if _with_django(config) and "REDIS_URL" in os.environ:
        _own_broker()


def _with_django(config: pytest.Config) -> bool:
    return config.pluginmanager.hasplugin("django")


def _own_broker() -> None:
    """Each of pytest's workers has a Redis database of its own, as it has one in PostgreSQL."""
    from django.conf import settings

    worker = os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")
    url = f"{os.environ['REDIS_URL'].rpartition('/')[0]}/{int(worker) % 15 + 1}"
    os.environ["REDIS_URL"] = url
    settings.CELERY_BROKER_URL = url


# The network


class OutsideWorld(AssertionError):
    """A test tried to reach something that is not on this machine."""


_LOOPBACK = {"127.0.0.1", "::1", "localhost", "", None}


def _fence() -> None:
    """Only loopback may be reached, and only its names looked up."""
    socket.socket.connect = _only_loopback(socket.socket.connect)  # type: ignore[method-assign, assignment]
    socket.socket.connect_ex = _only_loopback(socket.socket.connect_ex)  # type: ignore[method-assign, assignment]
    look_up = socket.getaddrinfo

    def getaddrinfo(host: Any, *arguments: Any, **options: Any) -> Any:
        _check_host(host.decode() if isinstance(host, bytes) else host)
        return look_up(host, *arguments, **options)

    socket.getaddrinfo = getaddrinfo


def _only_loopback(connect: Callable[[socket.socket, Any], Any]) -> Callable[[socket.socket, Any], Any]:
    def guarded(self: socket.socket, address: Any) -> Any:
        if self.family in (socket.AF_INET, socket.AF_INET6):
            _check_host(address[0])
        return connect(self, address)

    return guarded


def _check_host(host: str | None) -> None:
    if host not in _LOOPBACK:
        raise OutsideWorld(f"A test tried to reach {host}; only this machine may be reached.")


# GitHub


@pytest.fixture(scope="session")
def stand_in_process() -> Iterator[process.StandInProcess]:
    """The stand-in, one process for each of pytest's workers."""
    running = process.start()
    yield running
    running.stop()


@pytest.fixture
def stand_in(
    request: pytest.FixtureRequest, stand_in_process: process.StandInProcess
) -> process.StandInProcess:
    """The stand-in with nothing in it and no webhook; where Django runs, the portal's settings point at it."""
    stand_in_process.driver.set_webhook(None)
    stand_in_process.driver.set_delivery_mode()
    stand_in_process.driver.reset()
    if _with_django(request.config):
        settings = request.getfixturevalue("settings")
        settings.GITHUB_API_URL = settings.GITHUB_WEB_URL = stand_in_process.url
    return stand_in_process


@pytest.fixture
def driver(request: pytest.FixtureRequest, stand_in: process.StandInProcess) -> Driver:
    """What moves things on the stand-in; it knows the portal's account and takes the portal's token."""
    driver = stand_in.driver
    driver.create_user(PORTAL_LOGIN, id=90_000_001)
    if _with_django(request.config):
        driver.set_token(request.getfixturevalue("settings").GITHUB_TOKEN, PORTAL_LOGIN)
    return driver


# The database


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: Any) -> None:
    from tests.keys import number_apart

    with django_db_blocker.unblock():
        number_apart()


@pytest.fixture(autouse=True, scope="session")
def _ledger_can_be_emptied(request: pytest.FixtureRequest) -> Iterator[None]:
    """Tests with real commits flush the database afterwards, which the ledger's triggers would refuse."""
    if not _with_django(request.config):
        yield
        return
    from tests.rewards.flushing import flushable_ledger

    with flushable_ledger():
        yield


# The browser

_CHROMIUM_OPTIONS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="module")
def browser() -> "Iterator[Browser]":
    """A Chromium. While it runs its event loop stands in this thread, which Django's ORM has to put up with."""
    from playwright.sync_api import sync_playwright

    before = os.environ.get("DJANGO_ALLOW_ASYNC_UNSAFE")
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=find_chromium(), args=_CHROMIUM_OPTIONS)
        os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
        yield launched
        launched.close()
    if before is None:
        del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]
    else:
        os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = before


@pytest.fixture
def page(browser: "Browser") -> "Iterator[Page]":
    """An empty page of a browser that knows nothing yet."""
    context = browser.new_context(locale="en-US")
    yield context.new_page()
    context.close()
