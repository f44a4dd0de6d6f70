"""Links by reference: read like any other among people, references and titles, and left as they are when a cell is written."""

import pytest

from tasks_board.documents import editing, reading
from tasks_board.documents.editing import Edit, SetCell, SetClaimant
from tasks_board.documents.model import PullRequestRef, State
from tests.tasks_board.documents.bodies import REPOSITORY, changed_lines

BODY = """mentor: [M][m] (1)

| 序号 | 任务 | 导师 | 认领人 | PR |
|-|-|-|-|-|
| 1 | [甲][x] | [K][k] | 🙋[Ann][ann]、@b [#5][p]<br/> | [#6][p6]✅ [#7][P] |
| 2 | [乙]、[丙][] | | ~~[Ann][ANN]~~ [Bo][bo] | |
| 3 | [修 [x] 复][y][丁][y] \\[ann] | | [谁][nobody] | [ann] |

[x]: https://x.y/1
[y]: <https://x.y/2>
[乙]: https://x.y/3
[丙]: #task3
[ann]: https://github.com/ann-1
[bo]: https://github.com/bo-2 "Bo"
[m]: https://github.com/mia
[k]: https://github.com/kim
[p]: https://github.com/PaddlePaddle/docs/pull/5
[p6]: https://github.com/PaddlePaddle/docs/pull/6
"""


def test_they_are_read_like_other_links() -> None:
    one, two, three = reading.read_body(BODY, repository=REPOSITORY).tasks
    assert [(c.login, str(c.state), [str(r) for r in c.pull_requests]) for c in one.claimants] == [
        ("ann-1", "claimed", []),
        ("b", "pr_open", ["PaddlePaddle/docs#5"]),
    ]
    assert (one.title, one.url, set(one.mentors)) == ("甲", "https://x.y/1", {"mia", "kim"})
    assert [str(r) for r in one.pull_requests] == ["PaddlePaddle/docs#6", "PaddlePaddle/docs#5"]
    assert [(c.login, c.state) for c in two.claimants] == [
        ("ann-1", State.WITHDRAWN),
        ("bo-2", State.CLAIMED),
    ]
    assert (two.title, two.url) == ("乙、丙", "https://x.y/3")
    assert (three.title, three.url) == ("修 [x] 复丁 [ann]", "https://x.y/2")
    assert three.claimants[0].login is None


REF = PullRequestRef("PaddlePaddle/docs", 9)


@pytest.mark.parametrize(
    ("edit", "line"),
    [
        (
            SetClaimant(number="1", login="ann-1", state=State.DONE),
            "| ✅1 | [甲][x] | [K][k] | ✅[Ann][ann]、@b [#5][p]<br/> | [#6][p6]✅ [#7][P] |",
        ),
        (
            SetClaimant(number="1", login="b", state=State.PR_OPEN, pull_requests=(REF,)),
            "| 🚧1 | [甲][x] | [K][k] | 🙋[Ann][ann]、🚧@b [#5][p]<br/> | [#6][p6]✅ [#7][P]<br/>PaddlePaddle/docs#9<br/> |",
        ),
        (
            SetClaimant(number="2", login="ANN-1", state=State.CLAIMED),
            "| 🙋2 | [乙]、[丙][] | | 🙋[Ann][ANN] [Bo][bo] | |",
        ),
        (
            SetCell(number="2", field="title", value="新名、丙"),
            "| 2 | [新名][乙]、[丙][] | | ~~[Ann][ANN]~~ [Bo][bo] | |",
        ),
        (
            SetCell(number="1", field="title", value="新名"),
            "| 1 | [新名][x] | [K][k] | 🙋[Ann][ann]、@b [#5][p]<br/> | [#6][p6]✅ [#7][P] |",
        ),
        (
            SetCell(number="1", field="url", value="https://x.y/9"),
            "| 1 | [甲](https://x.y/9) | [K][k] | 🙋[Ann][ann]、@b [#5][p]<br/> | [#6][p6]✅ [#7][P] |",
        ),
    ],
)
def test_the_rest_of_a_cell_stays(edit: Edit, line: str) -> None:
    after = editing.apply_edit(BODY, edit, repository=REPOSITORY)
    assert changed_lines(BODY, after) == [line]
    assert editing.apply_edit(after, edit, repository=REPOSITORY) == after


def test_an_address_that_would_make_the_body_many_times_longer_is_none() -> None:
    long = "https://github.com/" + "a" * 20_000
    body = f"| 序号 | 任务 |\n|-|-|\n| 1 | {'[甲][x] ' * 4_000} |\n\n[x]: {long}\n[y]: https://x.y\n"
    assert len(reading.read_body(body, repository=REPOSITORY).tasks[0].title) < len(body)
