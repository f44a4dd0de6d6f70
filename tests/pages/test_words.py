"""Times, initials, lanes and Markdown, in words and marks."""

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import translation

from claims import standing, words
from claims.models import Claim
from claims.policy import Circumstances, judge
from portal.pages import richtext, times
from portal.templatetags import regatta
from tasks_board.rules import EventRules, WhoMayClaim

NOW = datetime(2026, 4, 12, 8, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("ago", "english", "chinese"),
    [
        (timedelta(seconds=5), "just now", "刚刚"),
        (timedelta(seconds=-40), "just now", "刚刚"),
        (timedelta(days=-2), "Apr 14", "4 月 14 日"),
        (timedelta(minutes=26), "26 min ago", "26 分钟前"),
        (timedelta(hours=3), "3 h ago", "3 小时前"),
        (timedelta(hours=30), "yesterday", "昨天"),
        (timedelta(days=4), "4 d ago", "4 天前"),
        (timedelta(days=30), "Mar 13", "3 月 13 日"),
        (timedelta(days=400), "Mar 8, 2025", "2025 年 3 月 8 日"),
    ],
)
def test_times_are_relative_where_people_scan(ago: timedelta, english: str, chinese: str) -> None:
    assert times.relative(NOW - ago, now=NOW, zone="Asia/Shanghai") == english
    with translation.override("zh-hans"):
        assert times.relative(NOW - ago, now=NOW, zone="Asia/Shanghai") == chinese


def test_midnight_is_the_end_of_the_day_before() -> None:
    end = datetime(2026, 9, 30, 16, 0, tzinfo=UTC)
    assert times.deadline(end, now=NOW, zone="Asia/Shanghai") == "Sep 30 24:00 (Beijing)"
    assert (
        times.deadline(end - timedelta(seconds=1), now=NOW, zone="Asia/Shanghai") == "Sep 30 24:00 (Beijing)"
    )
    assert times.deadline(end, now=NOW, zone="Europe/Berlin") == "Sep 30 18:00 (Berlin)"
    before = end - timedelta(minutes=1)  # 23:59:00 is not the end of the day
    assert times.deadline(before, now=NOW, zone="Asia/Shanghai") == "Sep 30 23:59 (Beijing)"
    with translation.override("zh-hans"):
        assert times.deadline(end, now=NOW, zone="Asia/Shanghai") == "9 月 30 日 24:00（北京）"


def test_an_exact_time_is_said_in_the_events_zone_and_in_utc() -> None:
    end = datetime(2026, 9, 30, 16, 0, tzinfo=UTC)
    both = times.in_both_zones(end, zone="Asia/Shanghai")
    assert both == "2026-10-01 00:00 (Beijing) · 2026-09-30 16:00 (UTC)"
    assert times.in_both_zones(end, zone="UTC") == "2026-09-30 16:00 (UTC)"


@pytest.mark.parametrize(
    ("name", "letters"),
    [("oarlock", "oa"), ("liu-anchor", "la"), ("夜航船", "夜"), ("3141592653", "31"), ("x", "x"), ("-", "-")],
)
def test_initials(name: str, letters: str) -> None:
    assert regatta.initials(name) == letters


def test_a_lane_has_a_text_twin() -> None:
    html = regatta.lane({"done": 1, "review": 1, "open": 2})
    assert 'aria-label="done 1, PR submitted 1, claimed 0, open 2"' in html
    assert 'width="25.00%"' in html
    assert "rg-f-claimed" not in html


def test_markdown_of_strangers_can_do_nothing() -> None:
    html = richtext.render(
        "[a](javascript:alert(1)) ![p](https://evil.example/x.png) <img src=x onerror=alert(1)> `code`"
    )
    assert "<code>code</code>" in html
    assert "<img" not in html
    assert 'href="javascript' not in html


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_every_rule_speaks(language: str) -> None:
    here = Circumstances(
        "closed",
        has_opened=False,
        has_closed=True,
        task_state="done",
        own_standing="done",
        open_claims=3,
        task_has_opened=False,
        task_has_closed=True,
        places=2,
        taken=1,
        in_line=2,
        missing=("3", "4"),
        marks=frozenset({"banned", "unpaid"}),
        team_size=5,
    )
    rules = EventRules(
        who_may_claim=WhoMayClaim.INVITATION, open_claims_per_person=3, people_per_team=4, waiting_list=False
    )
    with translation.override(language):
        verdicts = [*judge(rules, here).verdicts, *judge(EventRules(), here).verdicts]
        assert {verdict.rule for verdict in verdicts} == set(words._RULES)
        for verdict in verdicts:
            asks, answer = words.rule(verdict)
            assert asks != verdict.rule
            assert answer


def test_every_reason_speaks() -> None:
    codes = [
        *standing._LIFE,
        *standing._WORK,
        "superseded",
        "reverted",
        "merged",
        "open",
        "approved",
        "closed",
    ]
    for code in codes:
        assert words.why(Claim(reason={"code": code, "about": "a/b#1"})) != code
    assert words.why(Claim(reason={"code": "news", "about": ""})) == "news"
