"""Texts as every database can store them, and as files hold them."""

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


def decode(data: bytes) -> tuple[str, str] | None:
    """The text of a file and its encoding: utf-8, utf-16 or gb18030, a byte order mark left out. None if it is no text."""
    is_wide = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    for encoding, codec in (("utf-16", "utf-16"),) if is_wide else (("utf-8", "utf-8-sig"), ("gb18030",) * 2):
        try:
            text = data.decode(codec)
        except UnicodeDecodeError:
            continue
        if "\0" not in text:
            return text, encoding
    return None
