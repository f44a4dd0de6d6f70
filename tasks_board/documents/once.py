"""What is worked out once: a property of an instance, an answer about a few words."""

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Any, Generic, TypeVar, overload

Value = TypeVar("Value")
LONGEST_WORDS = 100  # what is longer hardly comes twice, and shall not be kept


def remembers_words(work_out: Callable[[str], Value]) -> Callable[[str], Value]:
    """For a pure function of a text: the answers about the last few thousand short ones are kept."""
    kept = lru_cache(maxsize=2048)(work_out)

    @wraps(work_out)
    def answer(text: str) -> Value:
        return kept(text) if len(text) <= LONGEST_WORDS else work_out(text)

    return answer


class once(Generic[Value]):  # noqa: N801 - it reads as a decorator
    """Replaces itself by the value in the instance's ``__dict__`` at the first look.

    ``functools.cached_property`` does the same, but takes a lock at each first look (until Python 3.12); a table
    of many rows looks often enough to feel it. Needs an instance with a ``__dict__``; frozen ones are welcome.
    """

    def __init__(self, work_out: Callable[[Any], Value]) -> None:
        self.work_out = work_out
        self.__doc__ = work_out.__doc__

    @overload
    def __get__(self, instance: None, owner: type) -> "once[Value]": ...

    @overload
    def __get__(self, instance: object, owner: type) -> Value: ...

    def __get__(self, instance: object | None, owner: type) -> "once[Value] | Value":
        if instance is None:
            return self
        value = self.work_out(instance)
        instance.__dict__[self.work_out.__name__] = value
        return value
