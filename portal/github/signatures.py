"""HMACs: of GitHub's webhooks, and of the hidden mark that our own comments carry.

https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries
"""

import hashlib
import hmac
import re

from django.conf import settings

_KEY = r"[A-Za-z0-9_.:/-]{1,200}"
# The mark stands at the very end, so that a quoted or copied one in the middle of a text says nothing.
_MARK = re.compile(rf"<!-- regatta ({_KEY}) ([0-9a-f]{{64}}) -->\s*\Z")
_LONGEST_MARK = 320


def is_signed(body: bytes, signature: str, *, secret: str) -> bool:
    """Whether GitHub signed this raw body with our secret. `signature` is the header `X-Hub-Signature-256`."""
    expected = "sha256=" + hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected.encode(), signature.encode())


def sign_text(text: str, purpose: str) -> str:
    """Our own HMAC of a text, as hexadecimal digits. Each purpose has a key of its own."""
    key = hashlib.sha256(f"regatta:{purpose}:{settings.SECRET_KEY}".encode()).digest()
    return hmac.new(key, text.encode(), hashlib.sha256).hexdigest()


def verify_mark(text: str, purpose: str, signature: str) -> bool:
    """Whether `sign_text` made this signature."""
    return hmac.compare_digest(sign_text(text, purpose).encode(), signature.encode())


def mark_comment(body: str, key: str) -> str:
    """The body with our hidden mark at its end. `key` says what the comment is about and is safe to show."""
    if not re.fullmatch(_KEY, key):
        raise ValueError(f"Not a key for a mark: {key!r}")
    return f"{body}\n\n<!-- regatta {key} {sign_text(key, 'comment')} -->"


def read_mark(body: str) -> str | None:
    """The key of the mark that a comment of ours carries, or None. Who wrote the comment must be checked beside it."""
    found = _MARK.search(body[-_LONGEST_MARK:])
    if found is None or not verify_mark(found[1], "comment", found[2]):
        return None
    return found[1]
