"""A pull request that the table names beside a claimant is read and tied to the task, by whose word it is."""

from claims.models import PullRequest, PullRequestLink
from portal.models import OutboxMessage
from tests.claims.flows.scene import MENTOR, NEWCOMER, ORGANIZER, OTHER, REPOSITORY, Scene


def name_in_table(scene: Scene, editor: str, login: str, number: int, repository: str = "") -> None:
    """The editor writes the pull request behind the claimant's name."""
    row = next(row for row in scene.rows() if f"@{login}" in row)
    scene.edit_body(editor, row, row.replace(f"@{login}", f"@{login} {repository}#{number}"))
    scene.settle()


def claimed(scene: Scene, login: str = NEWCOMER) -> None:
    scene.write_table()
    scene.comment(login, "/claim 6")
    scene.settle()


def reasons(scene: Scene) -> list[str]:
    links = PullRequestLink.objects.filter(task__number="6").order_by("reason")
    return list(links.values_list("reason", flat=True))


def test_an_organizer_ties_it_to_the_task(scene: Scene) -> None:
    claimed(scene)
    number = scene.open_pull_request(NEWCOMER, "Adapt the train step")
    name_in_table(scene, ORGANIZER, NEWCOMER, number)
    assert reasons(scene) == ["mentor"]
    scene.merge(number)
    scene.settle()
    assert scene.completions() == {("6", NEWCOMER)}


def test_anybody_else_asks_the_mentor(scene: Scene) -> None:
    claimed(scene)
    number = scene.open_pull_request(NEWCOMER, "Adapt the train step")
    name_in_table(scene, OTHER, NEWCOMER, number)
    assert reasons(scene) == ["table"]
    assert scene.claim(6, NEWCOMER).standing == "pr_open"
    scene.merge(number)
    scene.settle()
    assert scene.completions() == set()
    assert [doubt["code"] for doubt in scene.claim(6, NEWCOMER).doubts] == ["named_only"]


def test_an_organizers_word_about_their_own_claim_asks_too(scene: Scene) -> None:
    claimed(scene, ORGANIZER)
    number = scene.open_pull_request(ORGANIZER, "Adapt the train step")
    name_in_table(scene, ORGANIZER, ORGANIZER, number)
    assert reasons(scene) == ["table"]


def test_one_of_a_repository_that_nobody_watches_is_read_too(scene: Scene) -> None:
    claimed(scene)
    scene.driver.create_repository("harbor/lantern")
    number = int(scene.driver.open_pull_request("harbor/lantern", "Adapt it", NEWCOMER)["number"])
    name_in_table(scene, ORGANIZER, NEWCOMER, number, "harbor/lantern")
    assert PullRequest.objects.get().repository == "harbor/lantern"
    assert reasons(scene) == ["mentor"]


def test_a_number_that_is_no_pull_request_is_tied_to_nothing_and_leaves_nothing_behind(scene: Scene) -> None:
    claimed(scene)
    name_in_table(scene, ORGANIZER, NEWCOMER, 99_999)
    assert reasons(scene) == []
    assert not OutboxMessage.objects.exists()


def test_many_are_read_some_at_a_time(scene: Scene) -> None:
    claimed(scene)
    numbers = [scene.open_pull_request(NEWCOMER, f"Step {n}") for n in range(45)]
    row = next(row for row in scene.rows() if f"@{NEWCOMER}" in row)
    named = " ".join(f"#{number}" for number in numbers)
    scene.edit_body(ORGANIZER, row, row.replace(f"@{NEWCOMER}", f"@{NEWCOMER} {named}"))
    scene.settle()
    assert reasons(scene) == ["mentor"] * 45


def test_what_is_known_already_is_not_asked_for_again(scene: Scene) -> None:
    claimed(scene)
    number = scene.open_pull_request(NEWCOMER, "Adapt the train step")
    scene.driver.review(REPOSITORY, number, MENTOR, "APPROVE", association="MEMBER")
    scene.settle()
    before = len(scene.driver.requests())
    name_in_table(scene, ORGANIZER, NEWCOMER, number)
    asked = [entry for entry in scene.driver.requests()[before:] if "/pulls/" in str(entry)]
    assert asked == []
    assert reasons(scene) == ["mentor"]
