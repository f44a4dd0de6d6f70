"""Ports on loopback."""

import socket
import time
from collections.abc import Callable

HOST = "127.0.0.1"


def free_port() -> int:
    """A port nobody listens on at this moment."""
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        port: int = probe.getsockname()[1]
    return port


def is_taken(port: int) -> bool:
    """Whether a server could not bind the port now."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError:
            return True
    return False


def answers(port: int) -> bool:
    """Whether somebody accepts connections there."""
    try:
        socket.create_connection((HOST, port), timeout=1).close()
    except OSError:
        return False
    return True


def wait_until(
    ready: Callable[[], bool], *, seconds: float, alive: Callable[[], bool] = lambda: True
) -> bool:
    """Poll until ready; False when the time is over or what we wait for is dead."""
    end = time.monotonic() + seconds
    while time.monotonic() < end and alive():
        if ready():
            return True
        time.sleep(0.02)
    return False
