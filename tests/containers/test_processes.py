"""What the containers would run, run by hand: real PostgreSQL and Redis, production settings, the smoke story."""

import http.client
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import psycopg2
import pytest
import redis

from tests.containers import image
from tests.containers.deployment import Deployment
from tests.github_stand_in.process import StandInProcess
from tests.services.ports import HOST
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
def redis_url() -> str:
    """This worker's own Redis database, without what other tests left there."""
    url = os.environ["REDIS_URL"]
    with redis.Redis.from_url(url) as server:
        server.flushdb()
    return url


@pytest.fixture
def deployment(
    tmp_path: Path, built: Path, database_url: str, redis_url: str, stand_in: StandInProcess
) -> Iterator[Deployment]:
    deployment = Deployment(tmp_path, built, database_url, redis_url, stand_in.driver)
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


def test_the_story_on_the_commands_of_the_compose_file(deployment: Deployment) -> None:
    report = Report(PATIENCE)
    report.measure("the services start", deployment.start)
    _play(deployment, report)
    for service in ("web", "worker", "beat"):
        assert deployment.is_healthy(service), deployment.log(service)
    _look_around(deployment)

    assert deployment.stop() == {"web": 0, "worker": 0, "beat": 0}
    assert not deployment.is_healthy("web")
    accesses = deployment.log("web")
    assert "GET /accounts/github/login/callback/ 302" in accesses
    assert "code=" not in accesses
    assert "a=query" not in accesses
