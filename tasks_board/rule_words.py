"""The rules of an event in sentences, for those who take part: all that holds, and nothing that does not."""

from collections.abc import Iterator

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tasks_board.chains import Step
from tasks_board.rules import EventRules, WhoMayClaim

_WHO = {
    WhoMayClaim.OPEN: gettext_lazy("Anyone may claim any open task; the choice is free."),
    WhoMayClaim.MENTOR_APPROVES: gettext_lazy(
        "Anyone may ask for a task; the claim counts once a mentor has said yes."
    ),
    WhoMayClaim.INVITATION: gettext_lazy(
        "Only people whom an organizer has invited may claim; their claims count at once."
    ),
}
_STEPS = {
    "proposal": gettext_lazy("proposal"),
    "code": gettext_lazy("code"),
    "docs": gettext_lazy("docs"),
}


def list_rules(rules: EventRules) -> list[str]:
    """What a claimant has to know, in the order in which it matters to them."""
    return [
        str(_WHO[rules.who_may_claim]),
        *_of_places(rules),
        *_of_teams(rules),
        _of_the_cap(rules),
        _of_steps(rules),
        *_of_branches(rules),
        *_of_time(rules),
        _(
            "Pull requests are recognized by the task’s number in their title, whoever opens them; a person’s own claim makes them count."
        ),
        _(
            "Nobody decides on their own claim. A tick typed into the table asks the mentor; it awards nothing by itself."
        ),
    ]


def _of_places(rules: EventRules) -> Iterator[str]:
    places = rules.places_per_task
    if places is None:
        if rules.first_merged_wins:
            yield _("Several people may be on one task. The first merged pull request completes it.")
        else:
            yield _("Several people may complete the same task.")
        return
    if places == 1:
        yield _("A task has one place: whoever has it has it alone.")
    elif rules.first_merged_wins:
        yield _("A task has %(n)s places. The first merged pull request completes it.") % {"n": places}
    else:
        yield _("A task has %(n)s places, and everybody who has one may complete it.") % {"n": places}
    if rules.waiting_list:
        yield _("Whoever finds no place waits in line, and moves up when one becomes free.")
    else:
        yield _("While no place is free, the task cannot be claimed.")


def _of_teams(rules: EventRules) -> Iterator[str]:
    size = rules.people_per_team
    if size is not None:
        yield ngettext(
            "Teams of at most %(n)s person may claim as one.",
            "Teams of at most %(n)s people may claim as one.",
            size,
        ) % {"n": size}


def _of_the_cap(rules: EventRules) -> str:
    cap = rules.open_claims_per_person
    if cap is None:
        return _("There is no limit to how many tasks one may hold at a time.")
    return ngettext(
        "Nobody has more than %(n)s task in hand at a time; work that waits for a review is not counted.",
        "Nobody has more than %(n)s tasks in hand at a time; work that waits for a review is not counted.",
        cap,
    ) % {"n": cap}


def _of_steps(rules: EventRules) -> str:
    if rules.chain:
        steps = " → ".join(_step(step) for step in rules.chain)
        return _("A task is done once all its steps are merged: %(steps)s.") % {"steps": steps}
    if rules.proposal_required:
        return _(
            "A proposal comes first: code counts after the proposal is merged, unless the task says otherwise."
        )
    return _("No proposal is needed, unless the task says otherwise.")


def _step(step: Step) -> str:
    name = str(_STEPS[step.kind])
    return f"{name} ({step.repository})" if step.repository else name


def _of_branches(rules: EventRules) -> Iterator[str]:
    if rules.branches:
        yield _("A merge counts on these branches: %(branches)s.") % {"branches": ", ".join(rules.branches)}


def _of_time(rules: EventRules) -> Iterator[str]:
    until, silence = rules.days_to_pull_request, rules.days_of_silence
    if until is not None:
        yield ngettext(
            "The first pull request is due within %(n)s day of the claim.",
            "The first pull request is due within %(n)s days of the claim.",
            until,
        ) % {"n": until}
    if silence is not None:
        yield ngettext(
            "A claim runs out after %(n)s day without activity, while it is its claimant’s turn.",
            "A claim runs out after %(n)s days without activity, while it is its claimant’s turn.",
            silence,
        ) % {"n": silence}
    if until is None and silence is None:
        return
    if rules.reminder_days:
        yield ngettext(
            "A reminder comes %(n)s day before a time ends.",
            "A reminder comes %(n)s days before a time ends.",
            rules.reminder_days,
        ) % {"n": rules.reminder_days}
    if rules.grace_days:
        yield ngettext(
            "After the end, %(n)s day of grace passes before the claim is over.",
            "After the end, %(n)s days of grace pass before the claim is over.",
            rules.grace_days,
        ) % {"n": rules.grace_days}
    if rules.renewals:
        yield ngettext(
            "Claimants may begin the time anew %(n)s time by themselves.",
            "Claimants may begin the time anew %(n)s times by themselves.",
            rules.renewals,
        ) % {"n": rules.renewals}
