"""PostgreSQL and Redis as the suite wants them: fast, forgetful, on loopback."""

import os
import pwd
import shutil
import signal
import socket
import subprocess
from collections.abc import Callable
from pathlib import Path

from tests.services.ports import HOST, answers, free_port, wait_until
from tests.services.processes import Process
from tests.services.programs import Missing, find_postgres, find_redis


class NotStarted(Exception):
    """A server did not come up; the text holds the end of its log."""


# Nothing here outlives the run, so nothing has to reach the disk.
_FAST = (
    "fsync=off",
    "synchronous_commit=off",
    "full_page_writes=off",
    "max_connections=200",
    "shared_buffers=256MB",
)


def _server_user() -> str | None:
    """PostgreSQL refuses root; as root we run it as Debian's `postgres`."""
    if os.geteuid() != 0:
        return None
    try:
        return pwd.getpwnam("postgres").pw_name
    except KeyError:
        raise Missing("PostgreSQL does not run as root: please create a user named postgres.") from None


def start_postgres(folder: Path) -> tuple[Process, str]:
    """Make a cluster in the folder, start it; returns the process and its DATABASE_URL."""
    initdb, server = find_postgres("initdb"), find_postgres("postgres")
    if initdb is None or server is None:
        raise Missing("PostgreSQL's initdb was not found.")
    user = _server_user()
    data = folder / "postgres"
    data.mkdir()
    if user is not None:
        shutil.chown(data, user, user)
    made = subprocess.run(
        [
            initdb,
            "-D",
            str(data),
            "-U",
            "regatta",
            "-A",
            "trust",
            "-E",
            "UTF8",
            "--locale=C.UTF-8",
            "--no-sync",
        ],
        cwd=data,
        user=user,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if made.returncode:
        raise NotStarted(f"initdb failed: {made.stderr.strip()}")
    port = free_port()
    settings = [f"listen_addresses={HOST}", f"unix_socket_directories={data}", *_FAST]
    process = Process(
        name="PostgreSQL",
        command=[server, "-D", str(data), "-p", str(port), *(part for s in settings for part in ("-c", s))],
        folder=data,
        user=user,
        log=folder / "postgres.log",
        stop_signal=signal.SIGINT,  # "fast": does not wait for sessions
    )
    process.start()
    ready = data / "postmaster.pid"
    _wait(process, lambda: answers(port) and ready.exists() and ready.read_text().rstrip().endswith("ready"))
    return process, f"postgres://regatta@{HOST}:{port}/postgres"


def start_redis(folder: Path) -> tuple[Process, str]:
    """Start Redis with its data in the folder; returns the process and its REDIS_URL."""
    program = find_redis()
    if program is None:
        raise Missing("redis-server was not found.")
    data = folder / "redis"
    data.mkdir()
    port = free_port()
    process = Process(
        name="Redis",
        command=[
            program,
            "--port",
            str(port),
            "--bind",
            HOST,
            "--save",
            "",
            "--appendonly",
            "no",
            "--dir",
            str(data),
        ],
        log=folder / "redis.log",
    )
    process.start()
    _wait(process, lambda: _pong(port))
    return process, f"redis://{HOST}:{port}/0"


def _pong(port: int) -> bool:
    try:
        with socket.create_connection((HOST, port), timeout=1) as connection:
            connection.sendall(b"PING\r\n")
            return connection.recv(16).startswith(b"+PONG")
    except OSError:
        return False


def _wait(process: Process, ready: Callable[[], bool]) -> None:
    if not wait_until(ready, seconds=30, alive=lambda: process.is_running):
        process.stop()
        raise NotStarted(f"{process.name} did not start:\n{process.tail()}")
