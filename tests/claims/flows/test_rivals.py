"""Two events that titles call by the same name: a pull request is for the one where its author has the task."""

import io

import pytest
from django.core.management import call_command

from claims.models import PullRequestLink
from claims.operations import reshaping
from portal.models import User
from tasks_board.models import Event, EventRole, Task
from tests.claims.flows.births import FORM, begin, browser
from tests.claims.flows.scene import NEWCOMER, NUMBER, ORGANIZER, OTHER, REPOSITORY, Scene
from tests.claims.people import claim

WORK = "【PIR No.6】x"


def twin(scene: Scene, *options: str) -> Event:
    """A second event from the same issue, with the same prefix; somebody is known by a word."""
    scene.comment(NEWCOMER, "hello")
    scene.settle()
    named = ("--slug", "twin", "--name", "Twin", "--prefix", "PIR No.", "--organizer", ORGANIZER)
    call_command("import_event", f"{REPOSITORY}#{NUMBER}", *named, *options, stdout=io.StringIO())
    return Event.objects.get(slug="twin")


def task_of(slug: str) -> Task:
    return Task.objects.select_related("event").get(event__slug=slug, number="6")


def linked() -> set[str]:
    return set(PullRequestLink.objects.values_list("task__event__slug", flat=True))


def opened(scene: Scene, login: str = NEWCOMER, title: str = WORK) -> int:
    number = scene.open_pull_request(login, title)
    scene.settle()
    return number


@pytest.mark.parametrize("status", ["draft", "running", "closed"])
def test_a_pull_request_is_for_the_event_where_its_author_has_the_task(scene: Scene, status: str) -> None:
    twin(scene)
    Event.objects.filter(slug="twin").update(status=status)
    claim(task_of("pir"), scene.person(NEWCOMER))
    scene.merge(opened(scene))
    scene.settle()
    assert linked() == {"pir"}
    assert scene.completions() == {("6", NEWCOMER)}


def test_whichever_comes_first(scene: Scene) -> None:
    twin(scene, "--publish")
    number = opened(scene)
    assert linked() == set()
    claim(task_of("twin"), scene.person(NEWCOMER))
    scene.settle()
    assert linked() == {"twin"}
    scene.merge(number)
    scene.settle()
    assert scene.completions() == {("6", NEWCOMER)}


def test_a_draft_takes_nothing_until_it_is_published(scene: Scene) -> None:
    event = twin(scene)
    opened(scene, OTHER)
    assert linked() == {"pir"}
    organizer = scene.person(ORGANIZER)
    assert EventRole.objects.filter(event=event, person=organizer).exists()
    reshaping.publish(event=event, acting_user=organizer, now=scene.now())
    assert linked() == set()


def test_else_for_the_one_that_has_the_number(scene: Scene) -> None:
    twin(scene, "--publish")
    Task.objects.filter(event__slug="pir", number="6").update(number="60")
    opened(scene, OTHER)
    assert linked() == {"twin"}


def test_a_claim_beats_the_numbers(scene: Scene) -> None:
    twin(scene, "--publish")
    Task.objects.filter(event__slug="pir", number="5").update(number="50")
    claim(task_of("pir"), scene.person(NEWCOMER))
    opened(scene, title="【PIR No.5、6】x")
    assert linked() == {"pir"}


def test_the_settings_say_that_another_event_goes_by_the_name(scene: Scene) -> None:
    event = twin(scene, "--publish")
    organizer = scene.person(ORGANIZER)
    User.objects.get_or_create(username=ORGANIZER, defaults={"person": organizer})
    client = browser(organizer)
    said = "Titles name another event in the same way"
    assert said in client.get("/events/pir/organize/event/").content.decode()
    Event.objects.filter(pk=event.pk).update(title_prefix="Twin No.", title_aliases=[])
    assert said not in client.get("/events/pir/organize/event/").content.decode()


def test_the_wizard_says_it_before_there_is_a_draft(scene: Scene) -> None:
    organizer = scene.person(ORGANIZER)
    User.objects.get_or_create(username=ORGANIZER, defaults={"person": organizer})
    client = browser(organizer)
    draft = begin(client, text="| 题目 | 认领人 |\n|-|-|\n| 甲 | |", repository=REPOSITORY)
    said = "Titles name another event in the same way"
    typed = {"title_prefix": "[pir no.", "repositories": f"other/one\n{REPOSITORY}"}
    page = client.post(f"/events/new/{draft.pk}/", {**FORM, **typed, "name": "", "action": "create"})
    assert said in page.content.decode()
    typed["repositories"] = "other/one"
    page = client.post(f"/events/new/{draft.pk}/", {**FORM, **typed, "name": "", "action": "create"})
    assert said not in page.content.decode()
