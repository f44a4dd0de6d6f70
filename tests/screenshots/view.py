"""A page that is looked at."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page


@dataclass(frozen=True)
class View:
    """A page. `login`: who is signed in; `row`: the number of the row whose task is opened from there, if any."""

    name: str
    address: str
    login: str | None = None
    row: str = ""
    status: int = 200
    sample: str = ""  # the same with fewer rows, for what grows with their square
    act: "Callable[[Page], None] | None" = None  # what one does there before it is looked at
    refuses: bool = False  # and is told that it cannot be
    is_kept: bool = True  # its pictures stand in docs/screenshots; others are drawn when asked for
