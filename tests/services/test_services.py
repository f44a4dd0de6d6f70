"""The runner around the suite: servers up for the command, gone afterwards, whatever happens."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.services import programs
from tests.services.ports import answers, free_port, is_taken
from tests.services.processes import Process

pytestmark = pytest.mark.processes

RUNNER = [sys.executable, "-m", "tests.services", "--"]


def _environment(**values: str) -> dict[str, str]:
    outside = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "REDIS_URL")}
    return {**outside, **values}


def _run(*command: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [*RUNNER, *command],
        env=_environment(**environment),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_it_hands_addresses_in_and_the_exit_code_out() -> None:
    done = _run("sh", "-c", "echo $DATABASE_URL; echo $REDIS_URL; exit 7")
    database, broker = done.stdout.split()
    assert done.returncode == 7
    assert database.startswith("postgres://")
    assert broker.startswith("redis://")
    assert not answers(int(database.rpartition(":")[2].split("/")[0]))
    assert not answers(int(broker.rpartition(":")[2].split("/")[0]))


def test_it_uses_what_is_there() -> None:
    done = _run(
        "sh", "-c", "echo $DATABASE_URL $REDIS_URL", DATABASE_URL="postgres://a", REDIS_URL="redis://b"
    )
    assert done.stdout == "postgres://a redis://b\n"


def test_a_signal_ends_the_servers_too(tmp_path: Path) -> None:
    note = tmp_path / "redis"
    command = [*RUNNER, "sh", "-c", f"echo $REDIS_URL > {note}.tmp; mv {note}.tmp {note}; exec sleep 60"]
    runner = subprocess.Popen(command, env=_environment())
    while not note.exists():
        assert runner.poll() is None
        time.sleep(0.05)
    port = int(note.read_text().rpartition(":")[2].split("/")[0])
    assert answers(port)
    runner.send_signal(signal.SIGTERM)
    assert runner.wait(20) == 128 + signal.SIGTERM
    assert not answers(port)


def test_without_a_command_it_says_how() -> None:
    done = subprocess.run([*RUNNER], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("usage:")


def test_who_may_not_install_is_told_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setattr("shutil.which", lambda name: f"/usr/bin/{name}" if name == "apt-get" else None)
    missing = programs.Program("Redis", "redis-server", lambda: False)
    with pytest.raises(programs.Missing, match="sudo apt-get install redis-server"):
        programs.ensure([missing])


def test_where_there_is_no_apt_the_programs_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda name: None)
    with pytest.raises(programs.Missing, match="Please install Redis"):
        programs.ensure([programs.Program("Redis", "redis-server", lambda: False)])


def test_a_stopped_process_leaves_no_child(tmp_path: Path) -> None:
    note = tmp_path / "child"
    process = Process(
        "sh", ["sh", "-c", f"trap '' TERM; sleep 60 & echo $! > {note}; wait"], stop_seconds=0.3
    )
    process.start()
    while not note.exists() or not note.read_text().strip():
        time.sleep(0.02)
    process.stop()
    assert not process.is_running
    deadline = time.monotonic() + 5
    while Path(f"/proc/{note.read_text().strip()}").exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not _runs(int(note.read_text()))


def _runs(pid: int) -> bool:
    state = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False)
    return bool(state.stdout.strip()) and not state.stdout.startswith("Z")


def test_a_taken_port_is_seen() -> None:
    port = free_port()
    assert not is_taken(port)
    server = Process("server", [sys.executable, "-m", "http.server", str(port), "--bind", "127.0.0.1"])
    server.start()
    while not answers(port):
        time.sleep(0.02)
    assert is_taken(port)
    server.stop()
    assert not is_taken(port)


def test_who_is_on_the_way_out_is_not_cut_off(tmp_path: Path) -> None:
    script = (
        "import signal, sys, time\n"
        "def leave(*_):\n"
        "    signal.signal(signal.SIGTERM, signal.SIG_DFL)\n"  # as Python does when it ends
        "    time.sleep(0.3)\n"
        "    sys.exit(0)\n"
        "signal.signal(signal.SIGTERM, leave)\n"
        "print('up', flush=True)\n"
        "time.sleep(60)\n"
    )
    process = Process("leaving", [sys.executable, "-c", script], log=tmp_path / "log")
    process.start()
    while not process.tail():
        time.sleep(0.01)
    process.ask_to_stop()
    time.sleep(0.1)
    assert process.stop() == 0
