"""A process of ours: started in its own session, stopped for certain, never left behind."""

import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

_PR_SET_PDEATHSIG = 1


def die_with_parent() -> None:
    """Run in the child before its program: on Linux the kernel ends it should we be killed outright."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


@dataclass
class Process:
    """One child and everything below it."""

    name: str
    command: Sequence[str]
    environment: Mapping[str, str] | None = None
    folder: Path | None = None
    user: str | None = None
    log: Path | None = None
    stop_signal: signal.Signals = signal.SIGTERM
    stop_seconds: float = 10.0
    _child: "subprocess.Popen[bytes] | None" = field(default=None, init=False)
    _is_asked: bool = field(default=False, init=False)

    def start(self) -> None:
        self._is_asked = False
        options: dict[str, Any] = {}
        if self.user is not None:
            options = {"user": self.user, "group": self.user, "extra_groups": []}
        output: Any = self.log.open("ab") if self.log is not None else None
        try:
            self._child = subprocess.Popen(
                list(self.command),
                env=None if self.environment is None else {**os.environ, **self.environment},
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT if output is not None else None,
                start_new_session=True,  # a Ctrl-C is ours to hand on, in our order
                preexec_fn=die_with_parent,
                **options,
            )
        finally:
            if output is not None:
                output.close()

    @property
    def pid(self) -> int | None:
        return self._child.pid if self._child is not None else None

    @property
    def exit_code(self) -> int | None:
        """None while it runs, or before it started."""
        return self._child.poll() if self._child is not None else None

    @property
    def is_running(self) -> bool:
        return self._child is not None and self._child.poll() is None

    def ask_to_stop(self) -> None:
        """Once: a Python that is on its way out has put its handlers back, and a second signal would cut it off."""
        if self.is_running and not self._is_asked:
            assert self._child is not None
            self._is_asked = True
            self._child.send_signal(self.stop_signal)

    def stop(self) -> int | None:
        """Ask, wait, and if need be kill; whatever it left in its session goes too."""
        if self._child is None:
            return None
        self.ask_to_stop()
        try:
            self._child.wait(self.stop_seconds)
        except subprocess.TimeoutExpired:
            pass
        self._kill_session()
        return self._child.wait()

    def _kill_session(self) -> None:
        assert self._child is not None
        try:
            os.killpg(self._child.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            pass

    def tail(self, lines: int = 20) -> str:
        """The end of its log."""
        if self.log is None or not self.log.exists():
            return ""
        return "\n".join(self.log.read_text(errors="replace").splitlines()[-lines:])
