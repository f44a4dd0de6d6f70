"""Sentences for people: what a rule says, why a claim stands as it does, what is in doubt, what was decided."""

from collections.abc import Callable, Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from claims.models import Claim, Decision
from claims.policy import Ruling, Verdict
from tasks_board.models import Event, Task

_REASONS: Mapping[str, "str | Promise"] = {
    "claimed": gettext_lazy("Claimed; no pull request yet"),
    "admitted": gettext_lazy("Admitted; no pull request yet"),
    "promoted": gettext_lazy("Moved up from the waiting list; no pull request yet"),
    "waiting": gettext_lazy("All places are taken; waiting in line"),
    "named": gettext_lazy("Named in the table of the issue"),
    "table": gettext_lazy("The table of the issue says so"),
    "requested": gettext_lazy("Asked for; a mentor has not answered yet"),
    "entered": gettext_lazy("Named in the table; the rules leave it to a mentor, who has not answered yet"),
    "declined": gettext_lazy("Declined"),
    "released": gettext_lazy("Released"),
    "expired": gettext_lazy("The time ran out"),
    "accepted": gettext_lazy("Accepted as done by a decision"),
    "partial": gettext_lazy("Accepted in part by a decision"),
    "rejected": gettext_lazy("Not accepted; the claim goes on"),
    "deferred": gettext_lazy("Put aside by a decision"),
    "blocked": gettext_lazy("Held up, by a decision"),
    "superseded": gettext_lazy("Another claimant’s work was merged first"),
    "reverted": gettext_lazy("%(about)s was merged and reverted"),
    "proposal_merged": gettext_lazy("The proposal %(about)s is merged"),
    "proposal_open": gettext_lazy("The proposal %(about)s is open"),
    "merged_elsewhere": gettext_lazy("%(about)s is merged, but onto a branch that does not count"),
    "named_only": gettext_lazy("%(about)s is merged, but only the claimant says that it is for this task"),
    "merged_in_part": gettext_lazy("%(about)s is merged and was marked as one part"),
    "merged": gettext_lazy("%(about)s is merged"),
    "steps_to_come": gettext_lazy("%(about)s is merged; another step is still to come"),
    "merged_without_proposal": gettext_lazy("%(about)s is merged, but the proposal that comes first is not"),
    "no_step_for_it": gettext_lazy("%(about)s is merged, but no step of the task asks for it"),
    "seems_landed": gettext_lazy("%(about)s is closed, but seems landed"),
    "closed": gettext_lazy("%(about)s was closed without merging"),
    "approved": gettext_lazy("%(about)s is approved"),
    "open": gettext_lazy("%(about)s is open"),
}

_DOUBTS: Mapping[str, "str | Promise"] = {
    "table_says": gettext_lazy("The table says “%(state)s”, and nobody entitled has confirmed it"),
    "table_disagrees": gettext_lazy("The table says “%(state)s”, though the work is merged"),
    "table_names_again": gettext_lazy("The table names the claimant again, after they left"),
    "merged_elsewhere": gettext_lazy("%(about)s was merged onto a branch that does not count"),
    "named_only": gettext_lazy("%(about)s is merged, but only the claimant says that it is for this task"),
    "merged_without_proposal": gettext_lazy("%(about)s, code, was merged without a proposal"),
    "no_step_for_it": gettext_lazy("%(about)s was merged, and no step of the task asks for it"),
    "seems_landed": gettext_lazy(
        "%(about)s was closed without merging, but its label says that it was landed"
    ),
    "merged_after_decision": gettext_lazy("%(about)s was merged after a decision that says otherwise"),
    "reverted_after_acceptance": gettext_lazy("%(about)s was reverted after the work was accepted"),
    "merged_after_released": gettext_lazy("%(about)s was merged after the claim was released"),
    "merged_after_expired": gettext_lazy("%(about)s was merged after the claim had run out"),
    "merged_after_declined": gettext_lazy("%(about)s was merged though the claim was declined"),
    "merged_after_requested": gettext_lazy("%(about)s was merged though nobody has admitted the claim"),
    "merged_after_waiting": gettext_lazy("%(about)s was merged though the claimant waits for a place"),
    "pull_request_after_waiting": gettext_lazy("%(about)s was opened though the claimant waits for a place"),
    "pull_request_after_released": gettext_lazy("%(about)s was opened after the claim was released"),
    "pull_request_after_expired": gettext_lazy("%(about)s was opened after the claim had run out"),
    "pull_request_after_declined": gettext_lazy("%(about)s was opened though the claim was declined"),
    "pull_request_after_requested": gettext_lazy("%(about)s was opened though nobody has admitted the claim"),
}

_DECISIONS: Mapping[str, "str | Promise"] = {
    "claimed": gettext_lazy("%(claimant)s claimed the task"),
    "requested": gettext_lazy("%(claimant)s asked for the task"),
    "waiting": gettext_lazy("%(claimant)s stands in line for the task"),
    "promoted": gettext_lazy("%(claimant)s moved up: a place became free"),
    "renewed": gettext_lazy("%(claimant)s began the time anew"),
    "extended": gettext_lazy("%(claimant)s was given more time"),
    "reminded": gettext_lazy("%(claimant)s was reminded that the time ends soon"),
    "admitted": gettext_lazy("%(claimant)s was admitted"),
    "declined": gettext_lazy("%(claimant)s was declined"),
    "released": gettext_lazy("%(claimant)s’s claim was released"),
    "expired": gettext_lazy("%(claimant)s’s claim ran out"),
    "accepted": gettext_lazy("%(claimant)s’s work was accepted as done"),
    "partial": gettext_lazy("%(claimant)s’s work was accepted in part"),
    "rejected": gettext_lazy("%(claimant)s’s work was not accepted"),
    "deferred": gettext_lazy("%(claimant)s’s claim was put aside"),
    "blocked": gettext_lazy("%(claimant)s’s claim is held up"),
    "follows_facts": gettext_lazy("%(claimant)s’s claim was left to the facts again"),
    "superseded": gettext_lazy("%(claimant)s was overtaken: another one’s work was merged first"),
    "restored": gettext_lazy("%(claimant)s’s claim is open again"),
    "undone": gettext_lazy("A decision about %(claimant)s was taken back"),
}

# What the rules made of a name that came into a table.
_ENTERED: Mapping[str, "str | Promise"] = {
    "requested": gettext_lazy("The table names %(claimant)s, whom the rules leave to a mentor"),
    "waiting": gettext_lazy("The table names %(claimant)s, who stands in line for the task"),
}


def why(claim: Claim, *, show: Callable[[str], str] = str) -> str:
    """Why a claim stands as it does. `show` dresses the address of the pull request that it is about."""
    reason = {**claim.reason, "about": show(str(claim.reason.get("about", "")))}
    return _filled(_REASONS, reason)


def doubt(entry: Mapping[str, Any]) -> str:
    """What is in doubt about a claim."""
    return _filled(_DOUBTS, entry)


def decided(decision: Decision) -> str:
    """What was decided about whose claim."""
    is_typed = decision.source == Decision.Source.TABLE
    template = (_ENTERED.get(decision.kind) if is_typed else None) or _DECISIONS.get(decision.kind)
    return str(template) % {"claimant": decision.claim.claimant} if template else decision.get_kind_display()


def state_word(code: str) -> str:
    """The word of a standing or a task's state."""
    return str(dict(Claim.Standing.choices).get(code) or dict(Task.State.choices).get(code) or code)


def _filled(sentences: Mapping[str, "str | Promise"], entry: Mapping[str, Any]) -> str:
    code, about = str(entry.get("code", "")), str(entry.get("about", ""))
    sentence = sentences.get(code)
    return str(sentence) % {"about": about, "state": state_word(about)} if sentence else code


def rule(verdict: Verdict) -> tuple[str, str]:
    """What a rule asks for, and how it is with that: two short texts."""
    return _RULES[verdict.rule](verdict) if verdict.rule in _RULES else (verdict.rule, _passed(verdict))


def _passed(verdict: Verdict) -> str:
    return _("yes") if verdict.passed else _("no")


def _running(verdict: Verdict) -> tuple[str, str]:
    word = dict(Event.Status.choices).get(verdict.values.get("status", ""), "")
    return _("The event is running"), str(word)


def _claimable(verdict: Verdict) -> tuple[str, str]:
    state = str(verdict.values.get("state", ""))
    left_to_people = _("Its row is looked after by hand")
    return _("The task can be claimed"), left_to_people if state == "excluded" else state_word(state)


def _not_yours(verdict: Verdict) -> tuple[str, str]:
    standing = verdict.values.get("standing")
    return _("You do not have it yet"), state_word(standing) if standing else _passed(verdict)


def _invited(verdict: Verdict) -> str:
    return _("you are invited") if verdict.passed else _("you are not invited")


def _cap(verdict: Verdict) -> tuple[str, str]:
    cap, held = int(verdict.values["cap"]), int(verdict.values["open"])
    words = ngettext("At most %(cap)d unfinished task each", "At most %(cap)d unfinished tasks each", cap) % {
        "cap": cap
    }
    return words, f"{held} / {cap}"


def refused(ruling: Ruling) -> str:
    """Why a claim is refused: each rule that said no."""
    failed = [rule(verdict) for verdict in ruling.failed]
    reasons = [_("%(rule)s: %(answer)s") % {"rule": asks, "answer": answer} for asks, answer in failed]
    return _("This task cannot be claimed now. %(rules)s") % {"rules": _("; ").join(reasons)}


def _place(verdict: Verdict) -> tuple[str, str]:
    taken, places = int(verdict.values["taken"]), int(verdict.values["places"])
    in_line = int(verdict.values["in_line"])
    asks = ngettext("Room for %(places)d claimant", "Room for %(places)d claimants", places) % {
        "places": places
    }
    if verdict.passed and taken + in_line >= places:
        return asks, _("all taken; you would wait in line, behind %(count)d") % {"count": in_line}
    return asks, f"{taken} / {places}"


def _required(verdict: Verdict) -> tuple[str, str]:
    numbers = ", ".join(verdict.values["numbers"])
    return _("The tasks that come before are done"), _("not yet: %(numbers)s") % {"numbers": numbers}


def _team_size(verdict: Verdict) -> tuple[str, str]:
    size, limit = int(verdict.values["size"]), int(verdict.values["limit"])
    asks = ngettext("At most %(limit)d person in a team", "At most %(limit)d people in a team", limit)
    return asks % {"limit": limit}, f"{size} / {limit}"


_RULES: Mapping[str, Callable[[Verdict], tuple[str, str]]] = {
    "event_is_running": _running,
    "event_has_opened": lambda verdict: (_("Claiming has begun"), _passed(verdict)),
    "event_has_not_closed": lambda verdict: (_("The time is not over"), _passed(verdict)),
    "task_is_claimable": _claimable,
    "not_claimed_by_you": _not_yours,
    "claimant_is_a_person": lambda verdict: (_("People claim, not bots"), _passed(verdict)),
    "open_claims_within_cap": _cap,
    "task_has_opened": lambda verdict: (_("Claiming of this task has begun"), _passed(verdict)),
    "task_has_not_closed": lambda verdict: (_("The time to claim this task is not over"), _passed(verdict)),
    "place_is_free": _place,
    "required_tasks_are_done": _required,
    "claimant_is_not_banned": lambda verdict: (_("You may take part in this event"), _passed(verdict)),
    "claimant_is_invited": lambda verdict: (_("Claims are by invitation"), _invited(verdict)),
    "team_within_size": _team_size,
    "takes_part_unpaid": lambda verdict: (_("You take part without a reward"), _passed(verdict)),
}
