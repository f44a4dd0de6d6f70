"""Keeps a handful of processes running together: all of them or none."""

import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import FrameType

from tests.services.processes import Process

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Died(Exception):
    """A process ended that should not have; the text says which, how, and its last words."""


class Stopped(Exception):
    """Somebody asked us to stop."""


@contextmanager
def stoppable() -> Iterator[None]:
    """Within, Ctrl-C and a polite kill raise Stopped, once; further ones cannot interrupt the cleaning up."""

    def raise_stopped(number: int, frame: FrameType | None) -> None:
        for each in _SIGNALS:
            signal.signal(each, signal.SIG_IGN)
        raise Stopped

    before = {number: signal.signal(number, raise_stopped) for number in _SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@dataclass
class Supervisor:
    """Starts processes, notices when one dies, and stops them all, last started first."""

    processes: list[Process] = field(default_factory=list)

    def start(self, process: Process) -> Process:
        self.processes.append(process)
        process.start()
        return process

    def check(self) -> None:
        """Raise Died if one of them is not running any more."""
        for process in self.processes:
            if not process.is_running:
                raise Died(
                    f"{process.name} ended with exit code {process.exit_code}.\n{process.tail()}".rstrip()
                )

    def run_to_end(self, process: Process) -> None:
        """Start something that ends by itself, and wait for it while the others run."""
        process.start()
        try:
            while process.is_running:
                self.check()
                time.sleep(0.05)
        finally:
            process.stop()
        if process.exit_code:
            raise Died(
                f"{process.name} failed with exit code {process.exit_code}.\n{process.tail(60)}".rstrip()
            )

    def watch(self) -> None:
        """Stay until one of them dies or somebody stops us."""
        while True:
            self.check()
            time.sleep(0.2)

    def stop(self) -> None:
        for process in reversed(self.processes):
            process.ask_to_stop()
        for process in reversed(self.processes):
            process.stop()
        self.processes.clear()
