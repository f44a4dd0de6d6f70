"""The broker in a folder: what several processes put in at once comes out whole, and once."""

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import Empty

import pytest
from kombu import Connection

from portal import celery

MESSAGES = 150


@pytest.fixture
def address(tmp_path: Path) -> dict[str, str]:
    assert celery.app is not None  # its module names the transport
    for name in ("queue", "control"):
        (tmp_path / name).mkdir()
    return {
        "data_folder_in": str(tmp_path / "queue"),
        "data_folder_out": str(tmp_path / "queue"),
        "control_folder": str(tmp_path / "control"),
    }


def test_nobody_ever_takes_half_a_message(address: dict[str, str]) -> None:
    done = threading.Event()

    def put(number: int) -> None:
        with Connection("folder://", transport_options=address) as connection:
            queue = connection.SimpleQueue("race")
            for index in range(MESSAGES):
                queue.put({"number": number, "index": index, "text": "x" * 5_000})
            queue.close()

    def take() -> list[tuple[int, int]]:
        taken: list[tuple[int, int]] = []
        with Connection("folder://", transport_options=address) as connection:
            queue = connection.SimpleQueue("race")
            while True:
                was_done = done.is_set()
                try:
                    message = queue.get(block=False)
                except Empty:
                    if was_done:
                        return taken
                    continue
                taken.append((message.payload["number"], message.payload["index"]))
                message.ack()

    with ThreadPoolExecutor(5) as threads:
        takers = [threads.submit(take) for _ in range(2)]
        list(threads.map(put, range(3)))
        done.set()
        taken = [entry for taker in takers for entry in taker.result()]
    assert sorted(taken) == [(number, index) for number in range(3) for index in range(MESSAGES)]
