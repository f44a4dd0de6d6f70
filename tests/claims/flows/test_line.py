"""The line before a task, and teams, by comment: the same path as the button, with an answer that says so."""

import random

from claims.models import Claim, Decision
from portal.common import clock
from tasks_board.models import Event
from tasks_board.operations import teams
from tests.claims.flows.scene import MENTOR, NEWCOMER, OTHER, Scene

FORM = "【队名】：青柠队\n【序号】：{number}\n【状态】：{state}\n【链接】："


def one_place(scene: Scene) -> None:
    Event.objects.filter(pk=scene.event.pk).update(rules={"places_per_task": 1})


def test_who_finds_no_place_is_told_and_moves_up(scene: Scene) -> None:
    one_place(scene)
    scene.comment(NEWCOMER, "/claim 6")
    scene.comment(OTHER, "【报名】：6")
    scene.settle()
    assert scene.claim(6, OTHER).standing == "waiting"
    assert "is yours" in scene.answers()[0]
    assert "`6`" in scene.answers()[1]
    assert scene.answers()[1].count("`6`") == 1
    scene.comment(NEWCOMER, "/release 6")
    scene.settle()
    assert scene.claim(6, OTHER).standing == "claimed"


def test_in_any_order_and_twice_one_has_the_place_and_the_others_wait(scene: Scene) -> None:
    one_place(scene)
    for author in (NEWCOMER, OTHER, MENTOR):
        scene.comment(author, "/claim 6")
    deliveries = scene.waiting() * 2
    random.Random(5).shuffle(deliveries)
    scene.bring(deliveries)
    stand = Claim.objects.filter(task__number="6").values_list("standing", flat=True)
    assert sorted(stand) == ["claimed", "waiting", "waiting"]
    decided = Decision.objects.count()
    scene.bring(deliveries)
    assert Decision.objects.count() == decided


def test_the_form_of_four_fields_claims_and_releases_for_the_author_s_team(scene: Scene) -> None:
    scene.comment(NEWCOMER, "hello")
    scene.settle()
    captain = scene.person(NEWCOMER)
    team = teams.create_team(event=scene.event, name="青柠队", captain=captain, now=clock.now())
    scene.comment(NEWCOMER, FORM.format(number=6, state="报名"))
    scene.settle()
    held = Claim.objects.get(task__number="6")
    assert (held.team, held.person, held.standing) == (team, None, "claimed")
    scene.comment(NEWCOMER, FORM.format(number=6, state="放弃"))
    scene.settle()
    held.refresh_from_db()
    assert held.standing == "withdrawn"


def test_the_name_of_somebody_else_s_team_claims_for_nobody_but_the_author(scene: Scene) -> None:
    scene.comment(OTHER, "hello")
    scene.settle()
    teams.create_team(event=scene.event, name="青柠队", captain=scene.person(OTHER), now=clock.now())
    scene.comment(NEWCOMER, FORM.format(number=6, state="报名"))
    scene.settle()
    held = Claim.objects.get(task__number="6")
    assert (held.team, held.person) == (None, scene.person(NEWCOMER))
