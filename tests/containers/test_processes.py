"""What the containers would run, run by hand: real PostgreSQL and Redis, production settings, the smoke story."""

import http.client
import os
import re
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path

import psycopg2
import pytest
import redis

from tests.containers import image
from tests.containers.deployment import Deployment
from tests.demo import people, scenario
from tests.github_stand_in.process import StandInProcess
from tests.services.ports import HOST, wait_until
from tests.services.processes import Process
from tests.services.servers import start_redis
from tests.smoke import signing_in
from tests.smoke.report import Lie, Report
from tests.smoke.story import Story

pytestmark = [pytest.mark.processes, pytest.mark.timeout(300)]

PATIENCE = 5  # the other half of the suite runs beside it


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The image's working folder."""
    if shutil.which("msgfmt") is None:
        pytest.skip("wants gettext: make test installs it")
    return image.build(tmp_path_factory.mktemp("image"))


@pytest.fixture
def database_url() -> Iterator[str]:
    if "DATABASE_URL" not in os.environ or "REDIS_URL" not in os.environ:
        pytest.skip("wants PostgreSQL and Redis: make test starts them")
    name = f"containers_{os.getpid()}"
    _execute(f"CREATE DATABASE {name}")
    yield f"{os.environ['DATABASE_URL'].rpartition('/')[0]}/{name}"
    _execute(f"DROP DATABASE {name} WITH (FORCE)")


def _execute(statement: str) -> None:
    connection = psycopg2.connect(os.environ["DATABASE_URL"])
    try:
        connection.autocommit = True
        with connection.cursor() as cursor:
            cursor.execute(statement)
    finally:
        connection.close()


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[tuple[Process, str]]:
    """A Redis of its own, to be taken away, and its address."""
    process, url = start_redis(tmp_path)
    yield process, url
    process.stop()


@pytest.fixture
def deployment(
    tmp_path: Path, built: Path, database_url: str, broker: tuple[Process, str], stand_in: StandInProcess
) -> Iterator[Deployment]:
    deployment = Deployment(tmp_path, built, database_url, broker[1], stand_in.driver)
    try:
        yield deployment
    finally:
        deployment.stop()


def _ask(deployment: Deployment, path: str, **headers: str) -> tuple[int, str]:
    connection = http.client.HTTPConnection(HOST, deployment.port, timeout=20)
    try:
        connection.request("GET", path, headers=headers)
        answer = connection.getresponse()
        return answer.status, answer.read().decode()
    finally:
        connection.close()


def _look_around(deployment: Deployment) -> None:
    """What was made at build is there: styles under names of their own, and the other language."""
    status, home = _ask(deployment, "/?a=query", **{"Accept-Language": "zh-hans"})
    assert status == 200
    assert "登录" in home
    styles = re.findall(r'href="(/static/[^"]+\.[0-9a-f]{12}\.css)"', home)
    assert styles
    assert {_ask(deployment, address)[0] for address in styles} == {200}
    assert _ask(deployment, "/", Host="somebody-else.example")[0] == 400


def _play(deployment: Deployment, report: Report) -> None:
    story = Story(deployment, report, signing_in.through_github)
    try:
        story.play()
        deployment.supervisor.check()
    except Lie as lie:
        logs = [f"--- {process.name}\n{process.tail(30)}" for process in deployment.supervisor.processes]
        pytest.fail("\n".join([str(lie), *logs]))


def _go_without(broker: tuple[Process, str], deployment: Deployment) -> None:
    """Redis says no, then nothing, then is gone: all is taken in, pages answer, and once it is back, empty, all is done."""
    process, url = broker
    assert process.pid is not None
    with redis.Redis.from_url(url) as server:
        server.replicaof(HOST, "1")
        _ask_for_a_task(deployment, people.OTHERS[1].login)
        server.replicaof("NO", "ONE")
    os.kill(process.pid, signal.SIGSTOP)
    _ask_for_a_task(deployment, people.OTHERS[2].login)
    os.kill(process.pid, signal.SIGKILL)
    process.stop()
    _ask_for_a_task(deployment, people.OTHERS[3].login)
    process.start()
    assert wait_until(lambda: len(_replies(deployment)) == 6, seconds=90), deployment.log("worker")
    deployment.supervisor.check()


def _ask_for_a_task(deployment: Deployment, login: str) -> None:
    deployment.driver.comment(scenario.REPOSITORY, scenario.FORM_NUMBER, login, "/claim 4")
    assert deployment.driver.wait_idle()
    assert {delivery["state"] for delivery in deployment.driver.deliveries()} <= {"delivered", "no target"}
    assert {_ask(deployment, path)[0] for path in ("/", "/healthz", "/api/v1/events/")} == {200}


def _replies(deployment: Deployment) -> list[str]:
    comments = deployment.driver.list_comments(scenario.REPOSITORY, scenario.FORM_NUMBER)
    return [c["body"] for c in comments if c["user"]["login"] == people.PORTAL.login]


def test_the_story_on_the_commands_of_the_compose_file(
    deployment: Deployment, broker: tuple[Process, str]
) -> None:
    report = Report(PATIENCE)
    report.measure("the services start", deployment.start)
    _play(deployment, report)
    _go_without(broker, deployment)
    for service in ("web", "worker", "beat"):
        assert deployment.is_healthy(service), deployment.log(service)
    _look_around(deployment)

    assert deployment.stop() == {"web": 0, "worker": 0, "beat": 0}
    assert not deployment.is_healthy("web")
    accesses = deployment.log("web")
    assert "GET /accounts/github/login/callback/ 302" in accesses
    assert "code=" not in accesses
    assert "a=query" not in accesses
