"""The portal's own processes, as the demo, the smoke test and `make run` start them."""

import signal
import sys
from collections.abc import Mapping
from pathlib import Path

from tests.services.ports import HOST
from tests.services.processes import Process

ROOT = Path(__file__).resolve().parent.parent.parent


def web(port: int, environment: Mapping[str, str], logs: Path) -> Process:
    """The pages and the webhook endpoint."""
    command = [
        *(sys.executable, "-m", "gunicorn", "portal.wsgi:application"),
        *("--bind", f"{HOST}:{port}", "--worker-class", "gthread", "--threads", "8"),
        *("--graceful-timeout", "1", "--log-level", "warning", "--no-control-socket"),
    ]
    return Process("web", command, environment, ROOT, log=logs / "web.log", stop_seconds=4)


def worker(environment: Mapping[str, str], logs: Path, *, patient: bool) -> Process:
    """The jobs. A patient stop lets running jobs finish; the inbox and the outbox bear an impatient one as well."""
    command = [
        *(sys.executable, "-m", "celery", "--quiet", "--app", "portal.celery", "worker"),
        *("--pool", "threads", "--concurrency", "4", "--loglevel", "WARNING"),
        *("--without-gossip", "--without-mingle", "--without-heartbeat"),
    ]
    return Process(
        "worker",
        command,
        environment,
        ROOT,
        log=logs / "worker.log",
        stop_signal=signal.SIGTERM if patient else signal.SIGQUIT,
        stop_seconds=30 if patient else 1,
    )


def beat(environment: Mapping[str, str], folder: Path, logs: Path) -> Process:
    """The clock that starts the periodic jobs."""
    command = [
        *(sys.executable, "-m", "celery", "--quiet", "--app", "portal.celery", "beat"),
        *("--schedule", str(folder / "beat-schedule"), "--pidfile=", "--loglevel", "WARNING"),
    ]
    return Process("beat", command, environment, ROOT, log=logs / "beat.log", stop_seconds=2)
