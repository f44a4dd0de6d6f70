"""Dataclasses to JSON and back, for the state file."""

import dataclasses
import types
from typing import Any, Union, cast, get_args, get_origin, get_type_hints


def dump(value: object) -> Any:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: dump(getattr(value, f.name)) for f in dataclasses.fields(value)}
    if isinstance(value, dict):
        return {str(key): dump(item) for key, item in value.items()}
    if isinstance(value, list):
        return [dump(item) for item in value]
    return value


def load(kind: Any, data: Any) -> Any:
    origin = get_origin(kind)
    if origin in (Union, types.UnionType):
        inner = next(arg for arg in get_args(kind) if arg is not type(None))
        return None if data is None else load(inner, data)
    if origin is list:
        return [load(get_args(kind)[0], item) for item in data]
    if origin is dict:
        key_kind, value_kind = get_args(kind)
        return {key_kind(key): load(value_kind, item) for key, item in data.items()}
    if dataclasses.is_dataclass(kind):
        hints = get_type_hints(kind)
        values = {name: load(hints[name], item) for name, item in data.items()}
        return cast(Any, kind)(**values)
    return data
