"""The rules in sentences: each says what is set, and nothing is said of what is not."""

from tasks_board.chains import Step
from tasks_board.rule_words import list_rules
from tasks_board.rules import EventRules, Preset


def said(**rules: object) -> list[str]:
    return list_rules(EventRules.from_json(Preset.HAPPY_OPEN_SOURCE, rules))


def test_places_say_whether_one_waits_in_line() -> None:
    assert "A task has 2 places. The first merged pull request completes it." in said(places_per_task=2)
    shared = said(places_per_task=2, first_merged_wins=False, waiting_list=False)
    assert "A task has 2 places, and everybody who has one may complete it." in shared
    assert "While no place is free, the task cannot be claimed." in shared
    assert not [line for line in said() if "place is free" in line or "waits in line" in line]


def test_time_limits_come_with_their_reminder_grace_and_renewals() -> None:
    lines = said(days_to_pull_request=21, days_of_silence=30, reminder_days=1, grace_days=2, renewals=1)
    start = lines.index("The first pull request is due within 21 days of the claim.")
    assert lines[start : start + 5] == [
        "The first pull request is due within 21 days of the claim.",
        "A claim runs out after 30 days without activity, while it is its claimant’s turn.",
        "A reminder comes 1 day before a time ends.",
        "After the end, 2 days of grace pass before the claim is over.",
        "Claimants may begin the time anew 1 time by themselves.",
    ]
    assert not [line for line in said(renewals=3) if "anew" in line]


def test_the_steps_of_the_event_stand_in_place_of_the_proposal() -> None:
    chain = [Step("code").to_json(), Step("docs", "PaddlePaddle/docs").to_json()]
    lines = said(chain=chain, proposal_required=True)
    assert "A task is done once all its steps are merged: code → docs (PaddlePaddle/docs)." in lines
    assert not [line for line in lines if "proposal" in line]
