"""What nobody but its own people learns of a draft, wherever they look."""

import re
from datetime import timedelta

import pytest

from portal.models import Person
from rewards.models import Completion
from tasks_board.models import EventLink, Task
from tests.pages.scenes import NOW
from tests.permissions.world import World
from tests.rewards.scenes import complete, pay, points

NAME, TITLE, LINK = "Midnight regatta", "Unspoken plan", "The sequel"
HERE, THERE, BOTH = "3", "777", "780"  # what the running event pays, what the draft pays, and their sum
PAGES = (
    "/",
    "/?q=x",
    "/tasks/",
    f"/tasks/?q={TITLE}",
    f"/tasks/?q={NAME}",
    "/tasks/?q=ghost",
    "/people/ghost/",
    "/people/alice/",
    "/read/",
    "/events/here/",
    "/events/here/tasks/",
    "/events/here/leaderboard/",
    "/events/here/leaderboard.csv",
    "/api/v1/events/",
    "/api/v1/events/?status=draft",
    "/api/v1/people/",
    "/api/v1/people/alice/",
    "/api/v1/people/alice/claims/",
    "/api/v1/people/alice/claims/?event=hidden",
    "/api/v1/events/here/",
    "/api/v1/events/here/figures/",
    "/api/v1/events/here/leaderboard/",
)


@pytest.fixture
def draft(world: World) -> World:
    """The draft pays, from a pool that the running event pays from too, and people have worked in it already."""
    event, task = world.hidden.event, world.hidden.task
    event.name = NAME
    event.save()
    Task.objects.filter(pk=task.pk).update(title=TITLE)
    task.refresh_from_db()
    pool = points("Shared")
    pay(world.here.event, pool, HERE)
    pay(event, pool, THERE)
    for login in ("ghost", "alice"):
        complete(task, Person.objects.get(login=login))
    complete(world.here.task, Person.objects.get(login="alice"))
    Completion.objects.update(completed_at=NOW + timedelta(hours=1))
    EventLink.objects.create(event=world.here.event, kind="leads_into", other=event, title=LINK)
    return world


def told(world: World, column: str) -> dict[str, str]:
    [client] = world.clients_of(column)[:1]
    found = {}
    for page in PAGES:
        response = client.get(page)
        found[page] = b"".join(response).decode()
    return found


def says(text: str, amount: str) -> bool:
    """As a number of its own: keys of rows hold any digits."""
    return re.search(rf"\b{amount}\b", text) is not None


@pytest.mark.parametrize("column", ["stranger", "claimant", "mentor of the event", "admin account"])
def test_nothing_tells_of_it(draft: World, column: str) -> None:
    for page, text in told(draft, column).items():
        found = text.replace(page, "").replace(TITLE + '"', "").replace(NAME + '"', "")  # the question itself
        for secret in ("/events/hidden", f">{TITLE}", f">{NAME}"):
            assert secret not in found, (page, secret)
        for amount in (THERE, BOTH):
            assert not says(found, amount), (page, amount)


def test_its_people_find_it_everywhere(draft: World) -> None:
    pages = told(draft, "organizer elsewhere")  # organizes the draft too
    assert NAME in pages["/"]
    assert "/events/hidden/" in pages["/events/here/"]
    assert says(pages["/people/alice/"], BOTH)
    assert says(pages["/api/v1/people/alice/"], BOTH)


def test_a_linked_draft_is_a_title_only(draft: World) -> None:
    page = told(draft, "stranger")["/events/here/"]
    assert LINK in page
    assert "hidden" not in [part.strip("/") for part in page.split('"') if part.startswith("/events/")]
