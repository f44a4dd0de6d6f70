"""How titles of pull requests name an event, and which events they cannot tell apart by that."""

from claims.grammar.ids import TaskIds
from claims.grammar.model import TitlePrefix
from claims.grammar.titles import call_alike
from tasks_board.models import Event


def plain_prefix(event: Event) -> TitlePrefix:
    """How titles name this event, as if it had no tasks."""
    proposals = event.proposal_repositories
    return TitlePrefix(
        key=str(event.pk),
        prefix=event.title_prefix,
        repositories=frozenset((*event.repositories, *proposals)),
        task_ids=TaskIds.of(()),
        aliases=tuple(event.title_aliases),
        rfc_repositories=frozenset(proposals) if proposals else None,
    )


def meet(one: TitlePrefix, other: TitlePrefix) -> bool:
    """Whether titles in a common repository call both events by the same words."""
    shared = {name.lower() for name in one.repositories} & {name.lower() for name in other.repositories}
    return bool(shared) and call_alike(one, other)
