"""A property that is worked out once.

``functools.cached_property`` does the same, but takes a lock at each first look (until Python 3.12); a table
of many rows looks often enough to feel it. Needs an instance with a ``__dict__``; frozen ones are welcome.
"""

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

Value = TypeVar("Value")


class once(Generic[Value]):  # noqa: N801 - it reads as a decorator
    """Replaces itself by the value in the instance's ``__dict__`` at the first look."""

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
