"""`python -m tests.services -- COMMAND…`: run a command with PostgreSQL and Redis around it.

DATABASE_URL or REDIS_URL in the environment mean servers that are there already: those are used and not touched.
"""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import FrameType

from tests.services import programs
from tests.services.processes import Process, die_with_parent
from tests.services.servers import NotStarted, start_postgres, start_redis

USAGE = "usage: python -m tests.services [--suite] -- COMMAND [ARGUMENT…]"
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_GRACE = 15  # seconds a command may take to clean up after a signal

Starter = Callable[[Path], tuple[Process, str]]
SERVERS: dict[str, tuple[programs.Program, Starter]] = {
    "DATABASE_URL": (programs.POSTGRES, start_postgres),
    "REDIS_URL": (programs.REDIS, start_redis),
}


class Stopped(Exception):
    """A signal asked us to end."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


@contextmanager
def _scratch() -> Iterator[Path]:
    """A folder that other users may pass through, so that PostgreSQL's own user reaches its data."""
    folder = Path(tempfile.mkdtemp(prefix="regatta-services-"))
    folder.chmod(0o711)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _on_signal(number: int, frame: FrameType | None) -> None:
    for each in SIGNALS:
        signal.signal(each, signal.SIG_IGN)  # once is enough: the cleaning up shall not be interrupted
    raise Stopped(number)


def _run(command: Sequence[str], environment: dict[str, str]) -> int:
    # The command stays in our process group: a Ctrl-C reaches it from the terminal, other signals we hand on.
    child = subprocess.Popen(list(command), env=environment, preexec_fn=die_with_parent)
    try:
        return child.wait()
    except Stopped as stopped:
        if stopped.number != signal.SIGINT:
            child.send_signal(stopped.number)
        try:
            child.wait(_GRACE)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()
        return 128 + stopped.number


def main(arguments: list[str]) -> int:
    if "--" not in arguments or not arguments[arguments.index("--") + 1 :]:
        print(USAGE, file=sys.stderr)
        return 2
    cut = arguments.index("--")
    options, command = arguments[:cut], arguments[cut + 1 :]
    wanted = {name: server for name, server in SERVERS.items() if not os.environ.get(name)}
    needed = [program for program, _ in wanted.values()]
    if "--suite" in options:
        needed += [programs.CHROMIUM, programs.CHINESE_FONT, programs.EMOJI_FONT, programs.GETTEXT]
    environment = dict(os.environ)
    for number in SIGNALS:
        signal.signal(number, _on_signal)
    try:
        programs.ensure(needed)
        with ExitStack() as stack:
            folder = stack.enter_context(_scratch())
            for name, (_, start) in wanted.items():
                process, environment[name] = start(folder)
                stack.callback(process.stop)
            return _run(command, environment)
    except (programs.Missing, NotStarted) as problem:
        print(problem, file=sys.stderr)
        return 1
    except Stopped as stopped:
        return 128 + stopped.number


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
