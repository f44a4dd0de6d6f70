"""The corrections of a reading as the preview's form sends them: parallel lists of what, and what it means."""

import hashlib
import json
from collections.abc import Iterable

from django.http import QueryDict
from django.utils.translation import gettext as _

from claims.births.preview import KEEP, NOTHING
from tasks_board.documents.choices import MOST, ReadingChoices


def read_choices(posted: QueryDict) -> ReadingChoices:
    """What somebody chose; what cannot be followed is listed in it."""
    names = zip(
        posted.getlist("name_key")[:MOST],
        posted.getlist("name_what"),
        posted.getlist("name_login"),
        strict=False,
    )
    return ReadingChoices.from_json(
        {
            "columns": _pairs(posted, "column"),
            "marks": _pairs(posted, "mark"),
            "sections": _sections(posted),
            "names": {key: login for key, what, login in _clean(names) for login in _login(what, login)},
            "left_out": [key for (key,) in _clean((key,) for key in posted.getlist("left_out")[:MOST])],
        }
    )


def list_complaints(choices: ReadingChoices) -> list[str]:
    """What was chosen and cannot be followed, in sentences; the first few."""
    return [
        _("“%(value)s” cannot be chosen for %(about)s.")
        % {"value": unusable.value, "about": unusable.about or unusable.kind}
        for unusable in choices.unusable[:5]
    ]


def stands_for(choices: ReadingChoices) -> str:
    """Tells whether what was sent is what was looked at."""
    return hashlib.sha256(json.dumps(choices.to_json(), sort_keys=True).encode()).hexdigest()


def _pairs(posted: QueryDict, kind: str) -> dict[str, str]:
    pairs = zip(posted.getlist(f"{kind}_key")[:MOST], posted.getlist(kind), strict=False)
    return {key: "" if value == NOTHING else value for key, value in _clean(pairs) if value != KEEP}


def _sections(posted: QueryDict) -> dict[str, str]:
    """A direction whose name was left as the heading is no correction; an empty one is no direction."""
    rows = zip(
        posted.getlist("section_key")[:MOST],
        posted.getlist("section_heading"),
        posted.getlist("section"),
        strict=False,
    )
    return {key: name.strip() for key, heading, name in _clean(rows) if name.strip() != heading.strip()}


def _login(what: str, login: str) -> Iterable[str]:
    """Whoever types a login means it, whatever the list beside it says."""
    if what == NOTHING:
        yield ""
    elif login.strip():
        yield login.strip()


def _clean(rows: Iterable[tuple[str, ...]]) -> list[tuple[str, ...]]:
    return [tuple(value.replace("\x00", "")[:300] for value in row) for row in rows]
