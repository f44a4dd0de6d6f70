"""A quiet event's answer at GitHub: one reaction of ours to a comment, exchanged when the answer is another."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from claims.operations import answering, comments
from claims.operations.answering import Wanted
from claims.replies import REACTIONS
from portal.github.gateway import Gateway
from tasks_board.tracking import address_of


@dataclass(frozen=True, slots=True)
class ReactionPlan:
    """The reaction that shall stand under a comment; empty: none of ours."""

    wanted: Wanted
    repository: str
    comment_id: int


class ReactToComment:
    """Put our reaction on a comment, and take those back that said something else before."""

    def plan(self, payload: dict[str, Any], now: datetime) -> ReactionPlan | None:
        """None where it stands already, where the comment is gone, and while nothing is written for the event."""
        wanted = answering.wanted_now(payload["reply"])
        if wanted is None or wanted.reply.reaction == wanted.reaction:
            return None
        comment = wanted.reply.comment
        if comment.deleted_at is not None:
            return None
        repository, _number = address_of(comment.tracking_issue)
        return ReactionPlan(wanted, repository, comment.github_id)

    def perform(self, plan: ReactionPlan, gateway: Gateway) -> None:
        """The new one first, so that the comment is never without an answer. Again is the same as once."""
        wanted = plan.wanted.reaction
        if wanted:
            gateway.react(plan.repository, plan.comment_id, wanted)
        given = gateway.list_reactions(plan.repository, plan.comment_id)
        others = [r for r in given if r.content in REACTIONS and r.content != wanted]
        us = gateway.get_me().id if others else 0
        for reaction in others:
            if reaction.author.id == us:
                gateway.remove_reaction(plan.repository, plan.comment_id, reaction.id)

    def record(self, plan: ReactionPlan, outcome: None, now: datetime) -> None:
        """Note the reaction that stands."""
        comments.record_reaction(wanted=plan.wanted, now=now)
