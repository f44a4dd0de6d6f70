"""Redis is away, silent or answers with errors: rows are stored, pages and the API answer, and nobody waits twice."""

import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

import pytest
from celery import Celery
from django.core.cache import cache
from django.db import transaction
from django.test import Client
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings

from portal import celery, inbox
from portal.common import outage, wake
from tests.portal.routes import Log
from tests.services.deliveries import process_due
from tests.services.ports import HOST, free_port

pytestmark = pytest.mark.django_db

ERRORS = (
    "READONLY You can't write against a read only replica.",
    "OOM command not allowed when used memory > 'maxmemory'.",
    "LOADING Redis is loading the dataset in memory",
)


class _Refusing(socketserver.StreamRequestHandler):
    """Says the same to every command."""

    server: "_Server"

    def handle(self) -> None:
        self.server.connections += 1
        while (header := self.rfile.readline()).startswith(b"*"):
            for _word in range(int(header[1:])):
                length = int(self.rfile.readline()[1:])
                self.rfile.read(length + 2)
            self.wfile.write(f"-{self.server.sentence}\r\n".encode())


class _Silent(socketserver.StreamRequestHandler):
    """Listens and says nothing."""

    server: "_Server"

    def handle(self) -> None:
        self.server.connections += 1
        while self.rfile.read(1):
            pass


class _Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    connections = 0
    sentence = ""


@contextmanager
def _running(handler: type[socketserver.StreamRequestHandler], sentence: str = "") -> Iterator[_Server]:
    with _Server((HOST, 0), handler) as server:
        server.sentence = sentence
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def _url(server: _Server) -> str:
    return f"redis://{HOST}:{server.server_address[1]}/0"


@pytest.fixture(params=["gone", "silent", *ERRORS])
def redis_url(request: pytest.FixtureRequest) -> Iterator[str]:
    """A Redis that is of no use just now."""
    if request.param == "gone":
        yield f"redis://{HOST}:{free_port()}/0"
        return
    handler = _Silent if request.param == "silent" else _Refusing
    with _running(handler, request.param) as server:
        yield _url(server)


def _broker(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    app = Celery("elsewhere", broker=url, set_as_current=False)
    given = celery.app.conf.broker_transport_options
    app.conf.broker_transport_options = {**given, "socket_timeout": 0.2}
    monkeypatch.setattr("portal.common.wake.current_app", app)


class TestTheBroker:
    def test_nobody_waits_for_it_without_an_end(self) -> None:
        options = celery.app.conf.broker_transport_options
        assert 0 < options["socket_connect_timeout"] <= 2
        assert 0 < options["socket_timeout"] <= 2

    def test_workers_never_give_it_up(self) -> None:
        assert celery.app.conf.broker_connection_max_retries is None
        assert celery.app.conf.broker_channel_error_retry

    def test_what_came_in_waits_for_the_sweep(
        self,
        now: datetime,
        log: Log,
        redis_url: str,
        monkeypatch: pytest.MonkeyPatch,
        django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
    ) -> None:
        _broker(redis_url, monkeypatch)
        with django_capture_on_commit_callbacks(execute=True):
            inbox.receive(delivery_id="d-1", event="issues", payload={"n": 1}, now=now)
        assert wake.outage.is_on
        assert process_due(now) == 1

    def test_who_comes_next_does_not_wait_for_it_too(
        self,
        monkeypatch: pytest.MonkeyPatch,
        django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
    ) -> None:
        with _running(_Silent) as server:
            _broker(_url(server), monkeypatch)
            for _time in range(2):
                with django_capture_on_commit_callbacks(execute=True), transaction.atomic():
                    wake.on_commit("a.job")
            assert server.connections == 1

    def test_it_is_asked_again_after_a_moment(
        self,
        sent_jobs: list[tuple[str, object]],
        monkeypatch: pytest.MonkeyPatch,
        django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
    ) -> None:
        monkeypatch.setattr(outage, "LEFT_ALONE", 0.0)
        wake.outage.begin()
        with django_capture_on_commit_callbacks(execute=True):
            wake.on_commit("a.job")
        assert [name for name, _ in sent_jobs] == ["a.job"]


class TestTheCache:
    @pytest.fixture
    def lenient(self, settings: Settings, redis_url: str) -> None:
        options = {"socket_connect_timeout": 0.2, "socket_timeout": 0.2}
        backend = "portal.common.lenient_cache.LenientRedisCache"
        settings.CACHES = {"default": {"BACKEND": backend, "LOCATION": redis_url, "OPTIONS": options}}

    def test_strangers_may_go_on_asking_the_api(self, client: Client, lenient: None) -> None:
        assert client.get("/api/v1/events/").status_code == 200

    def test_it_is_an_empty_one(self, lenient: None) -> None:
        assert cache.add("a", 1) is True
        cache.set("a", 1)
        cache.set_many({"a": 1})
        assert cache.get("a", "nothing") == "nothing"
        assert cache.get_many(["a"]) == {}
        assert not any((cache.has_key("a"), cache.touch("a"), cache.delete("a")))
        cache.delete_many(["a"])
        cache.clear()
        with pytest.raises(ValueError, match="has no"):
            cache.incr("a")


def test_a_cache_that_answers_is_a_cache(settings: Settings) -> None:
    if not settings.CELERY_BROKER_URL.startswith("redis://"):
        pytest.skip("wants Redis: make test starts it")
    backend = "portal.common.lenient_cache.LenientRedisCache"
    settings.CACHES = {"default": {"BACKEND": backend, "LOCATION": settings.CELERY_BROKER_URL}}
    cache.set("test_outages", 3)
    assert (cache.get("test_outages"), cache.incr("test_outages")) == (3, 4)
    assert cache.get_many(["test_outages"]) == {"test_outages": 4}
    assert cache.add("test_outages", 1) is False
    assert cache.delete("test_outages") is True
    with pytest.raises(ValueError, match="not found"):
        cache.incr("test_outages")
