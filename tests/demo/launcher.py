"""Starts the stand-in and the portal together. `make demo` shows it, `make smoke` plays on it."""

import json
import os
import secrets
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tests.demo import portal, scenario
from tests.demo.supervisor import Died, Supervisor
from tests.github_stand_in.driver import Driver
from tests.services.ports import HOST, answers, free_port, is_taken, wait_until
from tests.services.processes import Process

WEBHOOK_PATH = "/webhooks/github"
_SECRET_NAME = "REGATTA_DEMO_WEBHOOK_SECRET"


class CannotStart(Exception):
    """Something outside is in the way; the text says what to do."""


@dataclass
class Launcher:
    """One demo: its ports, its folder, its secrets (made anew for each), its processes."""

    port: int
    folder: Path
    settings: str = "portal.settings.demo"
    extra: Mapping[str, str] = field(default_factory=dict)
    github_port: int = field(default_factory=free_port)
    supervisor: Supervisor = field(default_factory=Supervisor)
    environment: dict[str, str] = field(init=False)

    def __post_init__(self) -> None:
        self.environment = {
            **self.extra,
            "DJANGO_SETTINGS_MODULE": self.settings,
            "PYTHONUNBUFFERED": "1",
            "REGATTA_DEMO_DIR": str(self.folder),
            "REGATTA_DEMO_URL": self.url,
            "REGATTA_DEMO_GITHUB_URL": self.github_url,
            "REGATTA_DEMO_SECRET_KEY": secrets.token_urlsafe(50),
            "REGATTA_DEMO_GITHUB_TOKEN": f"demo_{secrets.token_hex(20)}",
            "REGATTA_DEMO_OAUTH_SECRET": secrets.token_hex(20),
            _SECRET_NAME: secrets.token_hex(32),
        }

    @property
    def url(self) -> str:
        return f"http://{HOST}:{self.port}"

    @property
    def github_url(self) -> str:
        return f"http://{HOST}:{self.github_port}"

    @property
    def logs(self) -> Path:
        return self.folder / "logs"

    @property
    def driver(self) -> Driver:
        return Driver(self.github_url)

    def start(self, *, with_event: bool = True) -> None:
        """From nothing to an event on the board (or none yet). Raises CannotStart or Died."""
        if is_taken(self.port):
            raise CannotStart(
                f"Port {self.port} is in use: stop what listens there, or choose another (make demo PORT={self.port + 1})."
            )
        shutil.rmtree(self.folder, ignore_errors=True)
        self.logs.mkdir(parents=True)
        github = self.supervisor.start(self._stand_in())
        self._wait(github, self.github_port)
        scenario.seed(self.driver, token=self.environment["REGATTA_DEMO_GITHUB_TOKEN"])
        # The web server and the worker load while the database is made; neither touches it before it is asked to.
        web = self.supervisor.start(portal.web(self.port, self.environment, self.logs))
        self.supervisor.start(portal.worker(self.environment, self.logs, patient=False))
        options = () if with_event else ("--without-event",)
        self.supervisor.run_to_end(self.command("prepare", "-m", "tests.demo.prepare", *options))
        self._wait(web, self.port)
        self.supervisor.start(portal.beat(self.environment, self.folder, self.logs))
        self.driver.set_webhook(self.url + WEBHOOK_PATH, self.environment[_SECRET_NAME])
        self._remember()

    def command(self, name: str, *arguments: str) -> Process:
        """Something of ours that runs in the same environment as the portal."""
        command = [sys.executable, *arguments]
        return Process(name, command, self.environment, portal.ROOT, log=self.logs / f"{name}.log")

    def manage(self, *arguments: str) -> None:
        """A command of manage.py, run to its end."""
        self.supervisor.run_to_end(self.command(arguments[0], "manage.py", *arguments))

    def stop(self) -> None:
        self.supervisor.stop()

    def _stand_in(self) -> Process:
        arguments = ("--port", str(self.github_port))
        return self.command("stand-in", "-m", "tests.github_stand_in", *arguments)

    def _wait(self, process: Process, port: int) -> None:
        if not wait_until(lambda: answers(port), seconds=30, alive=lambda: process.is_running):
            raise Died(f"{process.name} does not answer on port {port}.\n{process.tail()}")

    def _remember(self) -> None:
        """Where the demo's other commands find it."""
        address = {"pid": os.getpid(), "url": self.url, "github": self.github_url}
        (self.folder / "running.json").write_text(json.dumps(address), encoding="utf-8")
