"""The world: store, clock, and the ear for what happens in it."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tests.github_stand_in.state import snapshot
from tests.github_stand_in.state.clock import Clock
from tests.github_stand_in.state.store import Data, Store


@dataclass
class Event:
    """One thing that happened, already in the shape of its webhook."""

    name: str
    action: str
    payload: dict[str, Any]


@dataclass
class HiddenEdit:
    """A person's edit that lands between somebody's reading of an issue and their next writing of it."""

    editor_id: int
    body: str | None
    replace: tuple[str, str] | None = None
    read: bool = False


@dataclass
class World:
    public_url: str
    clock: Clock = field(default_factory=Clock)
    store: Store = field(default_factory=Store)
    lock: threading.RLock = field(default_factory=threading.RLock)
    listener: Callable[[Event], None] | None = None
    silent: bool = False
    revision: int = 0
    hidden_edits: dict[int, HiddenEdit] = field(default_factory=dict)

    def emit(self, event: Event) -> None:
        self.revision += 1
        if self.listener is not None and not self.silent:
            self.listener(event)

    def reset(self) -> None:
        self.store = Store()
        self.hidden_edits.clear()
        self.revision += 1

    def dump(self) -> dict[str, Any]:
        with self.lock:
            data: dict[str, Any] = snapshot.dump(self.store.data)
        return data

    def restore(self, data: dict[str, Any]) -> None:
        self.store = Store(snapshot.load(Data, data))
