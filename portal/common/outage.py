"""A server that we can do without for a moment: whoever finds that it does not answer spares the others the wait."""

import time

LEFT_ALONE = 5.0  # seconds; as often as the sweeps come by


class Outage:
    """Whether a server was found silent just now. One for each server, shared by the threads of a process."""

    def __init__(self) -> None:
        self._until = 0.0

    @property
    def is_on(self) -> bool:
        """Ask nothing of the server while it is."""
        return time.monotonic() < self._until

    def begin(self) -> None:
        """The server has just failed to answer."""
        self._until = time.monotonic() + LEFT_ALONE
