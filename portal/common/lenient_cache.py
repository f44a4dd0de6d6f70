"""Redis as a cache that nobody depends on: while it does not answer, it is an empty one."""

import logging
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from django.core.cache.backends import redis as django_redis
from redis.exceptions import RedisError

from portal.common.outage import Outage

logger = logging.getLogger(__name__)
_T = TypeVar("_T")
Key = str | bytes | memoryview


class _Client(django_redis.RedisCacheClient):
    """Each question with what an empty cache would say to it."""

    def __init__(self, servers: list[str], **options: Any) -> None:
        super().__init__(servers, **options)
        self.outage = Outage()

    def _ask(self, question: Callable[..., _T], *arguments: Any, otherwise: _T) -> _T:
        if self.outage.is_on:
            return otherwise
        try:
            return question(*arguments)
        except RedisError as error:
            self.outage.begin()
            logger.warning("The cache does not answer and counts as empty for a moment. %s", error)
            return otherwise

    def add(self, key: Key, value: Any, timeout: Any) -> bool:
        return self._ask(super().add, key, value, timeout, otherwise=True)

    def get(self, key: Key, default: Any) -> Any:
        return self._ask(super().get, key, default, otherwise=default)

    def set(self, key: Key, value: Any, timeout: Any) -> None:
        self._ask(super().set, key, value, timeout, otherwise=None)

    def touch(self, key: Key, timeout: Any) -> bool:
        return self._ask(super().touch, key, timeout, otherwise=False)

    def delete(self, key: Key) -> bool:
        return self._ask(super().delete, key, otherwise=False)

    def get_many(self, keys: Iterable[Key]) -> dict[Key, Any]:
        return self._ask(super().get_many, keys, otherwise={})

    def has_key(self, key: Key) -> bool:
        return self._ask(super().has_key, key, otherwise=False)

    def incr(self, key: Key, delta: int) -> Any:
        value = self._ask(super().incr, key, delta, otherwise=None)
        if value is None:
            raise ValueError(f"The cache has no {key!r}.")
        return value

    def set_many(self, data: Mapping[Key, Any], timeout: Any) -> None:
        self._ask(super().set_many, data, timeout, otherwise=None)

    def delete_many(self, keys: Iterable[Key]) -> None:
        self._ask(super().delete_many, keys, otherwise=None)

    def clear(self) -> bool:
        return self._ask(super().clear, otherwise=False)


class LenientRedisCache(django_redis.RedisCache):
    """What was counted is forgotten while Redis is away (the API lets strangers ask more often); nothing fails."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._class = _Client
