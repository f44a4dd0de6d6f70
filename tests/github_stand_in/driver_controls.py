"""What stands behind the stage: webhooks, faults, limits, time."""

from tests.github_stand_in.driver_calls import JSON, Caller


class Controls(Caller):
    # webhooks

    def set_webhook(self, url: str | None, secret: str = "") -> None:
        self.call("set_webhook", url=url, secret=secret)

    def ping(self, repository: str) -> None:
        self.call("ping", repository=repository)

    def deliveries(self, *, with_payload: bool = False, after: int = 0) -> list[JSON]:
        """id, event, action, state (queued, held, dropped, delivered, failed), status, attempts[, body]; the first `after`
        of them left out."""
        return self._list("deliveries", with_payload=with_payload, after=after)

    def redeliver(self, id: str) -> JSON:
        return self._json("redeliver", delivery_id=id)

    def set_delivery_mode(
        self,
        *,
        drop: int = 0,
        drop_share: float = 0.0,
        hold: bool = False,
        duplicate: bool = False,
        seed: int = 0,
    ) -> None:
        """Lose the next `drop`, lose a share of all, hold back until `release`, or send everything twice."""
        self.call(
            "set_delivery_mode", drop=drop, drop_share=drop_share, hold=hold, duplicate=duplicate, seed=seed
        )

    def release(self, order: str = "kept", *, seed: int = 0) -> int:
        """Send what is held: "kept", "reversed" or "shuffled"."""
        return int(self.call("release", order=order, seed=seed))

    def wait_idle(self, timeout: float = 10) -> bool:
        """Wait until every webhook that is not held has been sent."""
        return bool(self.call("wait_idle", timeout=timeout))

    # faults, time, the rest

    def add_fault(
        self,
        kind: str,
        *,
        count: int = 1,
        method: str = "",
        path: str = "",
        retry_after: int | None = None,
        seconds: float = 0.0,
        reset_in: int = 60,
        after: bool = False,
        skip: int = 0,
    ) -> None:
        """bad_gateway, server_error, secondary_limit, primary_limit, too_many_requests, unauthorized, latency,
        hang_up or garbage for the next `count` API requests whose path contains the pattern; `after` lets the
        request take effect first; `skip` lets that many pass."""
        self.call(
            "add_fault",
            kind=kind,
            count=count,
            method=method,
            path=path,
            retry_after=retry_after,
            seconds=seconds,
            reset_in=reset_in,
            after=after,
            skip=skip,
        )

    def clear_faults(self) -> None:
        self.call("clear_faults")

    def set_rate_limit(self, limit: int, *, reset_in: float = 3600) -> None:
        self.call("set_rate_limit", limit=limit, reset_in=reset_in)

    def set_omit_last(self, omit: bool = True) -> None:
        self.call("set_omit_last", omit=omit)

    def set_clock(self, setting: str, *, frozen: bool = False) -> str:
        return str(self.call("set_clock", setting=setting, frozen=frozen))

    def advance_clock(self, seconds: float) -> str:
        return str(self.call("advance_clock", seconds=seconds))

    def requests(self) -> list[JSON]:
        """The API requests so far: at, method, path, query, status, fault, seconds."""
        return self._list("requests")

    def load_scenario(self, scenario: JSON) -> None:
        """`{"webhooks": false, "steps": [{"do": VERB, "at": TIME, ...}, ...]}`"""
        self.call("load_scenario", scenario=scenario)

    def reset(self) -> None:
        """Forget everything but the webhook's address."""
        self.call("reset")
