"""The hidden mark of our own comments."""

import pytest
from pytest_django import Settings

from portal.github import signatures


def test_a_marked_comment_tells_its_key() -> None:
    marked = signatures.mark_comment("Hello @alice.", "reply:issue_comment/42")
    assert marked.startswith("Hello @alice.\n\n<!-- regatta reply:issue_comment/42 ")
    assert signatures.read_mark(marked) == "reply:issue_comment/42"
    assert signatures.read_mark(marked + "\r\n") == "reply:issue_comment/42"


@pytest.mark.parametrize(
    "body",
    [
        "",
        "Hello",
        "<!-- regatta reply:1 -->",
        f"<!-- regatta reply:1 {'0' * 64} -->",
        signatures.__doc__ or "",
    ],
)
def test_others_have_none(body: str) -> None:
    assert signatures.read_mark(body) is None


def test_a_mark_moved_to_another_key_is_none() -> None:
    marked = signatures.mark_comment("x", "reply:1")
    assert signatures.read_mark(marked.replace("reply:1", "reply:2")) is None


def test_a_quoted_mark_is_none() -> None:
    assert signatures.read_mark(f"> {signatures.mark_comment('x', 'reply:1')}\n\nThanks!") is None


def test_each_portal_has_marks_of_its_own(settings: Settings) -> None:
    marked = signatures.mark_comment("x", "reply:1")
    settings.SECRET_KEY = "another"
    assert signatures.read_mark(marked) is None


def test_each_purpose_has_a_key_of_its_own() -> None:
    signature = signatures.sign_text("x", "comment")
    assert signatures.verify_mark("x", "comment", signature)
    assert not signatures.verify_mark("x", "avatar", signature)


@pytest.mark.parametrize("key", ["", "two words", "-->", "x" * 201, "a\nb"])
def test_a_key_cannot_break_out_of_the_mark(key: str) -> None:
    with pytest.raises(ValueError, match="Not a key"):
        signatures.mark_comment("x", key)


def test_reading_takes_no_time_on_long_texts() -> None:
    assert signatures.read_mark("<!-- regatta " * 100_000) is None
