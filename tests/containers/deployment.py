"""docker-compose.yml started by hand: its commands and its environment, with loopback in place of its addresses."""

import secrets
import socket
import subprocess
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from urllib.parse import urlsplit

from tests.containers import dockerfile
from tests.containers.compose import SECRETS, Compose
from tests.containers.image import WORKDIR, clean_environment
from tests.demo import scenario
from tests.demo.launcher import WEBHOOK_PATH
from tests.demo.supervisor import Died, Supervisor
from tests.github_stand_in.driver import Driver
from tests.services.ports import HOST, free_port, wait_until
from tests.services.processes import Process

ELSEWHERE = ("database", "redis")  # services that the suite has started already
START_SECONDS = 60


@dataclass
class Deployment:
    """The services of the portal in one folder, the stand-in running beside them."""

    folder: Path
    image: Path
    database_url: str
    redis_url: str
    driver: Driver
    port: int = field(default_factory=free_port)
    supervisor: Supervisor = field(default_factory=Supervisor)

    @property
    def url(self) -> str:
        return f"http://{HOST}:{self.port}"

    @cached_property
    def compose(self) -> Compose:
        """The file as somebody fills it in who has plain http and a GitHub of their own."""
        return Compose.read(
            {
                "SITE_URL": self.url,
                "ALLOWED_HOSTS": HOST,
                "BEHIND_PROXY": "false",
                "SSL_REDIRECT": "false",
                "GITHUB_API_URL": self.driver.base_url,
                "GITHUB_WEB_URL": self.driver.base_url,
                "GITHUB_CLIENT_ID": "regatta-containers",
                "WORKER_CONCURRENCY": "2",
            }
        )

    @cached_property
    def secrets(self) -> dict[str, str]:
        """Made anew for each; the database's is whatever the suite's server takes."""
        made = {name: secrets.token_hex(32) for name in self.compose.document["secrets"]}
        return {**made, "database_password": urlsplit(self.database_url).password or "any"}

    def start(self) -> None:
        """Everything in the order in which Compose would, each when what it waits for stands."""
        for name in ("secrets", "state", "logs"):
            (self.folder / name).mkdir()
        for name, value in self.secrets.items():
            (self.folder / "secrets" / name).write_text(f"{value}\n", encoding="ascii")
        scenario.seed(self.driver, token=self.secrets["github_token"])
        for service in self.compose.in_starting_order():
            if service not in ELSEWHERE:
                self._start(service)
        web = next(process for process in self.supervisor.processes if process.name == "web")
        self._wait(lambda: self.is_healthy("web"), web)
        beat = next(process for process in self.supervisor.processes if process.name == "beat")
        # It says so once it heeds SIGTERM; told to stop before, it would just die.
        self._wait(lambda: "beat: Starting" in self.log("beat"), beat)
        self.driver.set_webhook(self.url + WEBHOOK_PATH, self.secrets["github_webhook_secret"])

    def _start(self, service: str) -> None:
        process = self.process(service, self.compose.command(service))
        if "service_completed_successfully" in self._wanted_of(service):
            self.supervisor.run_to_end(process)
        else:
            self.supervisor.start(process)

    def _wanted_of(self, service: str) -> set[str]:
        """The states in which others wait for it."""
        everything = self.compose.services
        return {self.compose.waits_for(other).get(service, "") for other in everything}

    def _wait(self, ready: Callable[[], bool], process: Process) -> None:
        if not wait_until(ready, seconds=START_SECONDS, alive=lambda: process.is_running):
            raise Died(f"{process.name} does not become healthy.\n{process.tail()}")

    def process(self, service: str, command: list[str]) -> Process:
        """A command in a service's environment. `env -i` keeps out what containers would not see."""
        words = [self._placed(word) for word in command]
        pairs = [f"{name}={value}" for name, value in self.environment(service).items()]
        log = self.folder / "logs" / f"{service}.log"
        return Process(service, ["env", "-i", *pairs, *words], folder=self.image, log=log, stop_seconds=20)

    def environment(self, service: str) -> dict[str, str]:
        """The image's, the service's, and the name that Docker gives."""
        of_image = dockerfile.read()[-1].environment()
        del of_image["PATH"]
        given = {**of_image, **self.compose.environment(service)}
        placed = {name: self._placed(value) for name, value in given.items()}
        return clean_environment(**placed, HOSTNAME=socket.gethostname())

    def _placed(self, text: str) -> str:
        """The addresses and paths of the containers, turned into ours."""
        for there, here in (
            ("postgres://regatta@database:5432/regatta", self.database_url),
            ("redis://redis:6379/0", self.redis_url),
            ("0.0.0.0:8000", f"{HOST}:{self.port}"),
            ("127.0.0.1:8000", f"{HOST}:{self.port}"),
            (SECRETS, str(self.folder / "secrets")),
            ("/var/lib/regatta", str(self.folder / "state")),
            (WORKDIR, str(self.image)),
        ):
            text = text.replace(there, here)
        return text

    def is_healthy(self, service: str) -> bool:
        """What the container's own health check says."""
        command = self.compose.health_check(service) or dockerfile.health_check(dockerfile.read()[-1])
        check = [self._placed(word) for word in command]
        environment = self.environment(service)
        done = subprocess.run(check, cwd=self.image, env=environment, capture_output=True, check=False)
        return done.returncode == 0

    def manage(self, *arguments: str) -> None:
        """As `docker compose run --rm web python manage.py …`."""
        process = self.process("web", ["python", "manage.py", *arguments])
        process.log = self.folder / "logs" / f"{arguments[0]}.log"
        self.supervisor.run_to_end(process)

    def stop(self) -> dict[str, int | None]:
        """As `docker compose stop`, last started first; the exit codes."""
        processes = list(reversed(self.supervisor.processes))
        for process in processes:
            process.ask_to_stop()
        codes = {process.name: process.stop() for process in processes}
        self.supervisor.processes.clear()
        return codes

    def log(self, service: str) -> str:
        return (self.folder / "logs" / f"{service}.log").read_text(encoding="utf-8")
