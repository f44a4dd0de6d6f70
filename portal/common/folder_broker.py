"""Celery's broker in a folder: kombu's filesystem transport, with files that appear whole or not at all.

kombu opens a message's file under its final name and writes it afterwards; a worker that looks in between takes an empty
file, loses the message and dies of it. Here a file is written aside and renamed. The same holds for the table of bindings,
which the first thread of a process writes while the others wait, since without it their messages would go nowhere.
"""

import fcntl
import os
import threading
import uuid
from time import monotonic
from typing import Any

from kombu.transport import filesystem
from kombu.utils.encoding import str_to_bytes
from kombu.utils.json import dumps

_BINDING = threading.Lock()


class Channel(filesystem.Channel):
    """A channel whose writes are atomic."""

    def queue_bind(self, *args: Any, **kwargs: Any) -> None:
        with _BINDING:
            super().queue_bind(*args, **kwargs)

    def _put(self, queue: str, payload: Any, **kwargs: Any) -> None:  # type: ignore[override]
        name = f"{round(monotonic() * 1000)}_{uuid.uuid4()}.{queue}.msg"
        _write_whole(os.path.join(self.data_folder_out, name), payload)

    def _queue_bind(self, exchange: str, routing_key: str, pattern: str | None, queue: str) -> None:
        self.control_folder.mkdir(exist_ok=True)
        binding = filesystem.exchange_queue_t(routing_key or "", pattern or "", queue or "")
        with open(self.control_folder / "bindings.lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            bindings = self.get_table(exchange)
            if binding not in bindings:
                _write_whole(str(self.control_folder / f"{exchange}.exchange"), [binding, *bindings])


class Transport(filesystem.Transport):
    """`folder://`, with the options of `filesystem://`."""

    Channel = Channel


def _write_whole(path: str, content: Any) -> None:
    # ".part" behind the name is no queue's ending, so no worker takes it.
    aside = f"{path}.{uuid.uuid4().hex}.part"
    with open(aside, "wb") as file:
        file.write(str_to_bytes(dumps(content)))
    os.replace(aside, path)
