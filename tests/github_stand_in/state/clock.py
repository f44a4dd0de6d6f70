"""The clock of the stand-in: shiftable, freezable, one-second resolution like GitHub's."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400}


def to_stamp(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def from_stamp(text: str) -> datetime:
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _seconds(text: str) -> float:
    unit = _UNITS.get(text[-1:], 0)
    return float(text[:-1]) * unit if unit else float(text)


class Clock:
    def __init__(self, setting: str = "0") -> None:
        self._offset = timedelta(0)
        self._frozen: datetime | None = None
        self.set(setting)

    def set(self, setting: str, *, frozen: bool = False) -> None:
        """Take an offset ("+3600", "-2d") or a moment ("2026-03-01T00:00:00Z") from which time runs on."""
        real = datetime.now(UTC)
        try:
            self._offset = timedelta(seconds=_seconds(setting))
        except ValueError:
            self._offset = from_stamp(setting) - real
        self._frozen = real + self._offset if frozen else None

    def advance(self, seconds: float) -> None:
        self._offset += timedelta(seconds=seconds)
        if self._frozen is not None:
            self._frozen += timedelta(seconds=seconds)

    def now(self) -> datetime:
        return self._frozen or datetime.now(UTC) + self._offset

    def stamp(self) -> str:
        return to_stamp(self.now())

    @contextmanager
    def pinned(self, at: str | None) -> Iterator[None]:
        """For one act of a scenario: let it happen at another time."""
        before = self._frozen
        if at is not None:
            self._frozen = from_stamp(at)
        try:
            yield
        finally:
            self._frozen = before
