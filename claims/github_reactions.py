"""A quiet event's answer at GitHub: one reaction of ours to a comment, exchanged when the answer is another."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from claims.models import Reply
from claims.operations import comments, writing
from claims.replies import REACTIONS
from portal.github.gateway import Gateway
from tasks_board.tracking import address_of


@dataclass(frozen=True, slots=True)
class ReactionPlan:
    """The reaction that shall stand under a comment; empty: none of ours."""

    reply: Reply
    repository: str
    comment_id: int
    wanted: str


class ReactToComment:
    """Put our reaction on a comment, and take those back that said something else before."""

    def plan(self, payload: dict[str, Any], now: datetime) -> ReactionPlan | None:
        """None where it stands already, where the comment is gone, and while nothing is written for the event."""
        reply = Reply.objects.select_related("comment__tracking_issue__event").get(pk=payload["reply"])
        is_there = reply.reaction == reply.wanted_reaction
        is_silent = writing.is_silent(reply.comment.tracking_issue.event)
        if is_there or reply.comment.deleted_at is not None or is_silent:
            return None
        repository, _number = address_of(reply.comment.tracking_issue)
        return ReactionPlan(reply, repository, reply.comment.github_id, reply.wanted_reaction)

    def perform(self, plan: ReactionPlan, gateway: Gateway) -> None:
        """The new one first, so that the comment is never without an answer. Again is the same as once."""
        if plan.wanted:
            gateway.react(plan.repository, plan.comment_id, plan.wanted)
        given = gateway.list_reactions(plan.repository, plan.comment_id)
        others = [r for r in given if r.content in REACTIONS and r.content != plan.wanted]
        us = gateway.get_me().id if others else 0
        for reaction in others:
            if reaction.author.id == us:
                gateway.remove_reaction(plan.repository, plan.comment_id, reaction.id)

    def record(self, plan: ReactionPlan, outcome: None, now: datetime) -> None:
        """Note the reaction that stands."""
        comments.record_reaction(reply=plan.reply, reaction=plan.wanted)
