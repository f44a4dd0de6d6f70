"""What happened in each step, and how long it took."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field

POLL_SECONDS = 0.05


class Lie(Exception):
    """The portal shows or did something that is not so; the text says what."""


@dataclass(frozen=True)
class Line:
    """One line of the table: what was looked at, the time it took, the time it may take."""

    what: str
    seconds: float
    limit: float | None

    def __str__(self) -> str:
        limit = "" if self.limit is None else f"< {self.limit:g} s"
        return f"  {self.what:<58} {self.seconds:7.2f} s  {limit}"


@dataclass
class Report:
    """Prints each line as it comes and keeps it. `patience` stretches the limits where others use the machine too."""

    patience: float = 1.0
    lines: list[Line] = field(default_factory=list)

    def note(self, what: str, seconds: float, limit: float | None = None) -> None:
        line = Line(what, seconds, limit)
        self.lines.append(line)
        print(line, flush=True)
        if limit is not None and seconds > limit * self.patience:
            raise Lie(f"{what}: took {seconds:.2f} s, promised are {limit:g} s.")

    def measure(self, what: str, act: Callable[[], object], limit: float | None = None) -> None:
        """Do it and note how long it took."""
        began = time.monotonic()
        act()
        self.note(what, time.monotonic() - began, limit)

    def await_truth(
        self, what: str, is_so: Callable[[], bool], *, since: float, limit: float, show: Callable[[], str]
    ) -> None:
        """Poll until it is so, counted from `since`; a Lie, with what is shown instead, if it takes too long."""
        while True:
            seen = is_so()
            seconds = time.monotonic() - since
            if seen:
                self.note(what, seconds, limit)
                return
            if seconds > limit * self.patience:
                raise Lie(f"{what}: not so after {seconds:.1f} s. Instead:\n{show()}")
            time.sleep(POLL_SECONDS)


def require(so: bool, what: str) -> None:
    """Raise a Lie unless it is so."""
    if not so:
        raise Lie(what)
