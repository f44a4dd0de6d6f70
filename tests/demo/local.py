"""`make run`: web, worker and beat of the portal against the real GitHub, until Ctrl-C. The data stays, in var/."""

import argparse
import os
import secrets
import sys
from collections.abc import Mapping
from pathlib import Path

from tests.demo import portal
from tests.demo.supervisor import Died, Stopped, Supervisor, stoppable
from tests.services.ports import HOST, answers, is_taken, wait_until
from tests.services.processes import Process

# What the portal can start without, and what does not work then.
_WANTED = {
    "GITHUB_WEBHOOK_SECRET": "no webhook is accepted; changes at GitHub are found by polling, some minutes later",
    "GITHUB_CLIENT_ID": "nobody can sign in with GitHub",
    "GITHUB_CLIENT_SECRET": "nobody can sign in with GitHub",
}


def _is_set(name: str, environment: Mapping[str, str]) -> bool:
    return bool(environment.get(name) or environment.get(f"{name}_FILE"))


def problem_with(environment: Mapping[str, str]) -> str | None:
    """Why the portal cannot start like this, as a sentence."""
    if _is_set("GITHUB_TOKEN", environment):
        return None
    return (
        "GITHUB_TOKEN is not set: make a token at GitHub (docs/running.md says with which permissions) and start "
        "with GITHUB_TOKEN=… make run. To look around without GitHub: make demo."
    )


def warnings_about(environment: Mapping[str, str]) -> list[str]:
    return [f"{name} is not set: {lack}." for name, lack in _WANTED.items() if not _is_set(name, environment)]


def keep_secret_key(folder: Path) -> str:
    """Django's secret key, made at the first start and kept, so that people stay signed in."""
    path = folder / "local-secret-key"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        path.touch(mode=0o600)
        path.write_text(secrets.token_urlsafe(50), encoding="ascii")
    return path.read_text(encoding="ascii")


def _start(supervisor: Supervisor, port: int, folder: Path) -> None:
    environment = {"DJANGO_SETTINGS_MODULE": "portal.settings.local", "PYTHONUNBUFFERED": "1"}
    environment.setdefault("SITE_URL", os.environ.get("SITE_URL", f"http://{HOST}:{port}"))
    if not _is_set("SECRET_KEY", os.environ):
        environment["SECRET_KEY"] = keep_secret_key(folder)
    logs = folder / "local-logs"
    logs.mkdir(parents=True, exist_ok=True)
    migrate = [sys.executable, "manage.py", "migrate", "--verbosity", "0", "--no-input"]
    supervisor.run_to_end(Process("migrate", migrate, environment, portal.ROOT, log=logs / "migrate.log"))
    web = supervisor.start(portal.web(port, environment, logs))
    supervisor.start(portal.worker(environment, logs, patient=True))
    supervisor.start(portal.beat(environment, folder, logs))
    if not wait_until(lambda: answers(port), seconds=60, alive=lambda: web.is_running):
        raise Died(f"web does not answer on port {port}.\n{web.tail()}")
    print(f"Regatta runs at {environment['SITE_URL']}. Logs: {logs}. Ctrl-C stops it.", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="tests.demo.local", description="The portal against the real GitHub."
    )
    parser.add_argument("--port", type=int, default=8000)
    port: int = parser.parse_args().port
    problem = problem_with(os.environ)
    if problem is None and is_taken(port):
        problem = (
            f"Port {port} is in use: stop what listens there, or choose another (make run PORT={port + 1})."
        )
    if problem is not None:
        print(problem, file=sys.stderr)
        return 1
    for warning in warnings_about(os.environ):
        print(warning, flush=True)
    supervisor = Supervisor()
    with stoppable():
        try:
            _start(supervisor, port, portal.ROOT / "var")
            supervisor.watch()
        except Stopped:
            print("\nStopping; running jobs may finish …", flush=True)
        except Died as died:
            print(died, file=sys.stderr)
            return 1
        finally:
            supervisor.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main())
