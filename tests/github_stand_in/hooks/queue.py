"""The queue: delivers in order from a thread of its own, and can be told to misbehave."""

import json
import random
import threading
import time
import uuid
from collections import deque
from dataclasses import dataclass
from typing import Any

from tests.github_stand_in.hooks.delivery import Delivery, Target, send
from tests.github_stand_in.state.world import Event

_LOG_LIMIT = 20_000


@dataclass
class Mode:
    """drop: how many of the next ones get lost; drop_share: which part of all; the rest as named."""

    drop: int = 0
    drop_share: float = 0.0
    hold: bool = False
    duplicate: bool = False
    seed: int = 0


class HookQueue:
    def __init__(self, target: Target | None = None) -> None:
        self.target = target
        self.mode = Mode()
        self._random = random.Random(0)
        self._log: dict[str, Delivery] = {}
        self._waiting: deque[tuple[Delivery, bool]] = deque()
        self._held: list[Delivery] = []
        self._busy = False
        self._changed = threading.Condition()
        threading.Thread(target=self._run, name="webhooks", daemon=True).start()

    def set_mode(self, mode: Mode) -> None:
        with self._changed:
            self.mode = mode
            self._random = random.Random(mode.seed)

    def accept(self, event: Event) -> None:
        body = json.dumps(event.payload, ensure_ascii=False, separators=(",", ":")).encode()
        delivery = Delivery(str(uuid.uuid4()), event.name, event.action, body)
        with self._changed:
            self._log[delivery.id] = delivery
            while len(self._log) > _LOG_LIMIT:
                self._log.pop(next(iter(self._log)))
            self._place(delivery)
            self._changed.notify_all()

    def _place(self, delivery: Delivery) -> None:
        if self.target is None:
            delivery.state = "no target"
        elif self._is_dropped():
            delivery.state = "dropped"
        elif self.mode.hold:
            delivery.state = "held"
            self._held.append(delivery)
        else:
            self._enqueue(delivery)

    def _is_dropped(self) -> bool:
        if self.mode.drop > 0:
            self.mode.drop -= 1
            return True
        return self.mode.drop_share > 0 and self._random.random() < self.mode.drop_share

    def _enqueue(self, delivery: Delivery) -> None:
        self._waiting.extend([(delivery, False)] * (2 if self.mode.duplicate else 1))

    def release(self, order: str = "kept", seed: int = 0) -> int:
        """Send what is held: as it came ("kept"), "reversed" or "shuffled"; the hold itself stays on."""
        with self._changed:
            held, self._held = self._held, []
            if order == "reversed":
                held.reverse()
            elif order == "shuffled":
                random.Random(seed).shuffle(held)
            for delivery in held:
                delivery.state = "queued"
                self._enqueue(delivery)
            self._changed.notify_all()
            return len(held)

    def redeliver(self, delivery_id: str) -> Delivery | None:
        with self._changed:
            delivery = self._log.get(delivery_id)
            if delivery is not None:
                self._waiting.append((delivery, True))
                self._changed.notify_all()
            return delivery

    def deliveries(self, *, with_payload: bool = False, after: int = 0) -> list[dict[str, Any]]:
        with self._changed:
            later = list(self._log.values())[after:]
            return [delivery.to_json(with_payload=with_payload) for delivery in later]

    def wait_idle(self, timeout: float) -> bool:
        """Whether everything that is neither held nor dropped has been sent in time."""
        end = time.monotonic() + timeout
        with self._changed:
            while self._waiting or self._busy:
                left = end - time.monotonic()
                if left <= 0:
                    return False
                self._changed.wait(left)
        return True

    def clear(self) -> None:
        with self._changed:
            self._waiting.clear()
        self.wait_idle(15)
        with self._changed:
            self._log.clear()
            self._held.clear()
            self.mode = Mode()

    def _run(self) -> None:
        while True:
            with self._changed:
                self._busy = False
                self._changed.notify_all()
                while not self._waiting:
                    self._changed.wait()
                delivery, redelivery = self._waiting.popleft()
                self._busy = True
                target = self.target
            if target is not None:
                send(delivery, target, redelivery=redelivery)
