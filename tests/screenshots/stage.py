"""`python -m tests.screenshots.stage`: the demo's three events on a day that never passes, served until it is stopped.

The portal's clock stands at `TODAY`, so a picture changes only when the pages do. Nothing works in the background:
no worker, no polling, no webhook. `running` starts it as a process of its own.
"""

import os
import secrets
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from socketserver import ThreadingMixIn
from unittest import mock
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer

from tests.github_stand_in import process
from tests.services.ports import HOST, free_port
from tests.services.processes import die_with_parent

ROOT = Path(__file__).resolve().parents[2]
TODAY = datetime(2022, 9, 4, 7, 30, tzinfo=UTC)  # the hackathon, midway, has then begun on its true day
_READY = "stage ready "
_SECONDS = 300


@contextmanager
def running(*, with_states: bool = False) -> Iterator[str]:
    """The address of a stage that stands while one looks at it, with the event of all states beside the others if wanted."""
    command = [sys.executable, "-m", "tests.screenshots.stage", *(["--states"] if with_states else [])]
    stage = subprocess.Popen(
        command,
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
        preexec_fn=die_with_parent,
    )
    alarm = threading.Timer(_SECONDS, stage.kill)
    alarm.start()
    try:
        assert stage.stdout is not None
        line = stage.stdout.readline()
        alarm.cancel()
        if not line.startswith(_READY):
            raise RuntimeError(f"the stage did not start: {line!r}")
        yield line.removeprefix(_READY).strip()
    finally:
        alarm.cancel()
        stage.terminate()
        stage.communicate()


class _Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True


class _Quiet(WSGIRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Nobody reads it."""


def _settings(url: str, github: str, folder: Path) -> Mapping[str, str]:
    return {
        "DJANGO_SETTINGS_MODULE": "portal.settings.demo",
        "REGATTA_DEMO_DIR": str(folder),
        "REGATTA_DEMO_URL": url,
        "REGATTA_DEMO_GITHUB_URL": github,
        **{
            f"REGATTA_DEMO_{name}": secrets.token_hex(32)
            for name in ("SECRET_KEY", "GITHUB_TOKEN", "OAUTH_SECRET", "WEBHOOK_SECRET")
        },
    }


def _build(stand_in: process.StandInProcess) -> None:
    """What `make demo` begins with, made now and kept nowhere."""
    from tests.demo import prepare, prepared, scenario
    from tests.screenshots import scenery

    scenario.seed(stand_in.driver, token=os.environ["REGATTA_DEMO_GITHUB_TOKEN"])
    with mock.patch.object(prepared, "restore", return_value=False), mock.patch.object(prepared, "keep"):
        prepare.main([])
    scenery.furnish(TODAY)


def main() -> int:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    port = free_port()
    with (
        process.running(clock=f"{TODAY:%Y-%m-%dT%H:%M:%SZ}") as stand_in,
        tempfile.TemporaryDirectory() as folder,
    ):
        os.environ.update(_settings(f"http://{HOST}:{port}", stand_in.url, Path(folder)))
        from portal.common import clock

        clock.now = lambda: TODAY
        _build(stand_in)
        if "--states" in sys.argv:
            from tests.screenshots import states

            states.make(TODAY)
        from portal.wsgi import application

        with _Server((HOST, port), _Quiet) as server:
            server.set_app(application)
            print(f"{_READY}http://{HOST}:{port}", flush=True)
            server.serve_forever()
    return 0


if __name__ == "__main__":
    sys.exit(main())
