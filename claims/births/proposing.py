"""What a new event is proposed to be, from its text and from what a bot was told about it. All of it can be changed."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from claims.births.configuration_words import configuration_sentences
from claims.models import ImportDraft
from claims.operations.configuring import PROPOSALS
from claims.presets import PRESETS
from tasks_board.configurations.autotable import AutoTable, read_markers
from tasks_board.configurations.model import Configuration
from tasks_board.operations.events import free_slug

ZONE = "Asia/Shanghai"


@dataclass(frozen=True, slots=True)
class Proposal:
    """The form's first values, what is kept beside the issue, and what of a bot's settings could not be taken over."""

    values: Mapping[str, object]
    since: datetime | None
    configuration: dict[str, object]
    directions: Sequence[tuple[str, int]]  # with how many numbers, as the configuration gives them
    problems: Sequence[str]  # in sentences
    source: str  # hackathonbot, autotable, or nothing


def propose(draft: ImportDraft, configuration: Configuration | None) -> Proposal:
    """What an event made of this draft would be."""
    markers = read_markers(draft.body)
    told = markers or AutoTable()
    repositories = configuration.repositories if configuration else told.repositories
    proposals = [name for name in repositories if name.lower() == PROPOSALS.lower()]
    preset = PRESETS["hackathon" if proposals else "happy_open_source"]
    since = configuration.since if configuration else told.since
    values = {
        "name": (configuration.name if configuration else draft.title)[:200],
        "slug": _slug_of(draft),
        "preset": preset.kind.value,
        "title_prefix": (configuration.prefix if configuration else told.prefix)[:120],
        "repositories": "\n".join(repositories or (draft.repository,)),
        "proposal_repositories": "\n".join(proposals),
        "unit": preset.unit.value,
        "per": preset.per.value,
        "opens": since.astimezone(ZoneInfo(ZONE)).date() if since else None,
        "time_zone": ZONE,
        "language": "zh-hans" if re.search("[\u4e00-\u9fff]", draft.body) else "en",
    }
    assigned = configuration.assigned.directions if configuration else ()
    return Proposal(
        values=values,
        since=since,
        configuration=configuration.to_json() if configuration else {},
        directions=[(name, len(numbers)) for name, numbers in assigned],
        problems=configuration_sentences((configuration or told).problems),
        source="hackathonbot" if configuration else "autotable" if markers else "",
    )


def _slug_of(draft: ImportDraft) -> str:
    """An address from the repository and the issue's number, with a count where it is taken."""
    name = f"{draft.repository.rpartition('/')[2]}-{draft.number or ''}".lower()
    return free_slug(re.sub(r"[^a-z0-9_-]+", "-", name).strip("-")[:60] or "event")
