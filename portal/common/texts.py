"""Texts as every database can store them."""

from typing import Any


def storable(value: Any) -> Any:
    """The JSON value without what PostgreSQL cannot store: NUL is dropped, half a surrogate pair becomes U+FFFD."""
    if isinstance(value, str):
        return value.replace("\0", "").encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, dict):
        return {storable(key): storable(item) for key, item in value.items()}
    if isinstance(value, list):
        return [storable(item) for item in value]
    return value
