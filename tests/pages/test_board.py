"""The board: filters, search, order, pages, and a number of queries that does not grow."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from claims.models import Claim
from portal.models import Person
from tests.pages import scenes
from tests.pages.scenes import Scene, client_of

BOARD = "/events/pir/tasks/"


def titles(query: str = "", person: Person | None = None) -> list[str]:
    html = client_of(person).get(BOARD + query).content.decode()
    return re.findall(r'lang="zh-Hans">([^<]+)</a>(?: <span class="rg-tag">mine</span>)?</th>', html)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("", ["1", "2", "3", "10"]),
        ("?q=dtype", ["2"]),
        ("?q=ALICE", ["2"]),
        ("?q=No.3", ["3"]),
        ("?q=Paddle%237", ["2"]),
        ("?q=mei", ["2"]),
        ("?q=dtype+nothing", []),
        ("?show=open", ["1", "10"]),
        ("?show=going", ["2"]),
        ("?show=done", ["3"]),
        ("?state=done&state=pr_open", ["2", "3"]),
        ("?mentor=mei", ["2"]),
        ("?direction=999999", []),
        ("?direction=x&state=nonsense&show=%00&sort=drop&page=-1", ["1", "2", "3", "10"]),
        ("?sort=-number", ["1", "10", "3", "2"]),
        ("?sort=title", ["10", "2", "3", "1"]),
        ("?sort=-state", ["3", "2", "1", "10"]),
        ("?page=99", ["1", "2", "3", "10"]),
        ("?page=all", ["1", "2", "3", "10"]),
    ],
)
def test_it_filters_and_sorts(scene: Scene, query: str, expected: list[str]) -> None:
    html = client_of(None).get(BOARD + query).content.decode()
    assert re.findall(r'class="rg-board__no"[^>]*>(\d+)<', html) == expected


def test_it_filters_by_direction(scene: Scene) -> None:
    found = titles(f"?direction={scene.sections[0].pk}")
    assert found == ["单测问题修复"]


def test_it_shows_mine_to_me_alone(scene: Scene) -> None:
    assert titles("?show=mine", scene.alice) == ["dtype 动静统一"]
    assert titles("?show=mine", scene.bob) == []


def test_it_offers_only_what_the_rules_let_me_claim(scene: Scene) -> None:
    html = client_of(scene.bob).get(BOARD + "?claimable=1").content.decode()
    assert re.findall(r'class="rg-board__no"[^>]*>(\d+)<', html) == ["1", "2", "10"]
    scene.event.status = "closed"
    scene.event.save()
    html = client_of(scene.bob).get(BOARD + "?claimable=1").content.decode()
    assert "No task matches these filters." in html


def test_it_names_filters_without_a_hit_and_offers_all(scene: Scene) -> None:
    html = client_of(None).get(BOARD + "?q=zzz").content.decode()
    assert "No task matches these filters." in html
    assert "Show all tasks" in html


def test_it_shows_who_is_waiting_where(scene: Scene) -> None:
    scenes.make_claim(scene.tasks[1], scene.bob, "waiting")
    html = client_of(None).get(BOARD).content.decode()
    line = html[html.index('<div class="rg-claims__line" data-state="waiting">') :]
    assert "bob" in line[:600]
    assert "Waiting" in line[:1200]


def test_it_keeps_claims_of_which_only_a_release_is_known_to_itself(scene: Scene) -> None:
    scenes.make_claim(scene.tasks[0], scene.bob, "withdrawn", shown=False)
    assert "bob" not in client_of(None).get(BOARD).content.decode()


def test_it_shows_pull_requests_of_people_without_a_claim(scene: Scene) -> None:
    scenes.make_pull_request(scene.tasks[0], scene.bob, 9)
    html = client_of(None).get(BOARD + "?q=bob").content.decode()
    assert "#9" in html
    assert "单测问题修复" in html


def test_it_shows_links_that_only_the_table_names(scene: Scene) -> None:
    Claim.objects.update(table_pull_requests=["PaddlePaddle/docs#5", "PaddlePaddle/Paddle#7", "no address"])
    html = client_of(None).get(BOARD).content.decode()
    assert "docs#5" in html
    assert "named in the table" in html
    assert html.count(">#7<") == 1


def test_it_answers_htmx_with_the_table_alone(scene: Scene) -> None:
    response = client_of(None).get(BOARD + "?q=dtype", headers={"HX-Request": "true", "HX-Target": "board"})
    html = response.content.decode()
    assert html.lstrip().startswith("<div id=")
    assert 'data-shown="1 task found"' in html
    assert "<html" not in html


@pytest.mark.parametrize("who", [None, "alice", "olga"])
def test_it_asks_the_same_number_of_questions_for_twice_the_rows(scene: Scene, who: str | None) -> None:
    client = client_of(getattr(scene, who) if who else None)
    scenes.crowd(scene, 10)
    client.get(BOARD)
    with CaptureQueriesContext(connection) as few:
        client.get(BOARD)
    scenes.crowd(scene, 30)
    with CaptureQueriesContext(connection) as many:
        client.get(BOARD)
    assert len(many) == len(few)
    assert len(many) <= 25


def test_it_finds_every_one_of_664_rows(scene: Scene) -> None:
    scenes.crowd(scene, 660)
    client = client_of(None)
    first = client.get(BOARD).content.decode()
    assert first.count('<tr role="row" id=') == 200
    assert "Page 1 of 4" in first
    last = client.get(BOARD + "?q=任务 763").content.decode()
    assert last.count('<tr role="row" id=') == 1
    everything = client.get(BOARD + "?page=all").content.decode()
    assert everything.count('<tr role="row" id=') == 664
