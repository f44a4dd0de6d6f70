"""What somebody typed and we could not take stands in the form again, with what is wrong with it."""

import pytest
from django.test import Client

from tasks_board.models import Phase
from tests.pages import scenes
from tests.pages.scenes import Scene, client_of


@pytest.fixture
def organizer(scene: Scene) -> Client:
    return client_of(scene.olga)


def posted(client: Client, address: str, **form: str) -> str:
    response = client.post(f"/events/pir/{address}", form)
    assert response.status_code == 200
    return response.content.decode()


def test_rules(scene: Scene, organizer: Client) -> None:
    rules = {"who_may_claim": "open", "reminder_days": "3", "grace_days": "2", "renewals": "1"}
    html = posted(organizer, "organize/rules", **rules, branches="develop, release/*", places_per_task="many")
    assert 'value="develop, release/*"' in html
    assert 'value="many"' in html
    assert "Places per task" in html
    scene.event.refresh_from_db()
    assert scene.event.rules == {}


def test_phases(scene: Scene, organizer: Client) -> None:
    added = posted(organizer, "organize/event/phases", name="评审", starts_at="some day")
    assert 'value="评审"' in added
    phase = Phase.objects.create(event=scene.event, name="报名", position=0)
    changed = posted(organizer, f"organize/event/phases/{phase.pk}", name="报名与选题", ends_at="soon")
    assert f'id="id_phase{phase.pk}_name"' in changed
    assert 'value="报名与选题"' in changed


def test_the_next_event(scene: Scene, organizer: Client) -> None:
    scenes.make_event("second")
    for slug in ("second", "No Address"):
        assert 'value="第二期"' in posted(organizer, "organize/event/clone", name="第二期", slug=slug)


def test_roles_and_marks(scene: Scene, organizer: Client) -> None:
    roles = posted(organizer, "organize/people/roles", logins="alice bob", role="mentor", tasks="404")
    assert "There is no task No.404 in this event." in roles
    assert ">alice bob</textarea>" in roles
    marks = posted(organizer, "organize/people/marks", logins="alice", kind="no such mark", note="why")
    assert 'value="why"' in marks
