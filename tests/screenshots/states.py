"""An event whose tasks, people and teams stand in every state that contributors and mentors meet, made by the operations."""

from datetime import datetime, timedelta
from itertools import count
from typing import TYPE_CHECKING

from tests.demo import people

if TYPE_CHECKING:
    from claims.models import Claim, IssueComment, PullRequest
    from portal.models import Person
    from tasks_board.models import Event, Task, Team

SLUG, PREFIX = "relay", "Relay No."
_PLACES, _DAYS = 2, 14
_TITLES = {
    "1": "为 paddle.nn.functional.scaled_dot_product_attention 增加 enable_gqa 参数并补齐中英文文档",
    "2": "Write the tutorial on distributed checkpoints",
    "3": "修复 test_dygraph_sharding_stage3_for_eager 在多卡环境下偶发超时",
    "4": "为 paddle.vision.ops.roi_align 补充 float16 单测",
    "5": "Speed up pir::ShapeConstraintIRAnalysis::IsProductEqual for symbolic shapes",
    "6": "迁移 legacy 算子 fused_multi_transformer_int8",
    "7": "修复安装文档中的失效链接",
    "8": "Add type hints to paddle/distributed/auto_parallel/static/operators/dist_matmul.py",
    "9": "改进 nan/inf 检查的报错信息",
    "10": "补充 paddle.linalg.lu_solve 的示例代码",
    "11": "清理废弃的环境变量",
    "12": "Translate the contribution guide",
}
_LONG_NOTE = (
    "先合入设计文档，再提交代码；CI 里 PR-CI-Coverage 未通过的请在 PR 里说明原因。See the guide, section 3.2."
)


class _Making:
    """The event while it is made; `now` is the stage's own day."""

    def __init__(self, now: datetime) -> None:
        from portal.models import Person

        self.now, self._keys = now, count(9_000_001)
        self.people = {p.login: p for p in Person.objects.exclude(github_id=None)}
        self.chen, self.mateo, self.olga, self.ines, self.tariq, self.sora, self.bao = (
            self.people[each.login]
            for each in (people.CONTRIBUTOR, people.MENTOR, people.ORGANIZER, *people.OTHERS)
        )
        self.event = self._make_event()
        self.tasks = self._make_tasks()

    def ago(self, days: float) -> datetime:
        return self.now - timedelta(days=days)

    def _make_event(self) -> "Event":
        from tasks_board.models import Event, EventMark, EventRole, Phase, TrackingIssue

        event = Event.objects.create(
            slug=SLUG,
            name="文档与算子接力赛",
            kind="happy_open_source",
            status="running",
            accent="kelp",
            summary="组队完成多步任务：设计文档 → 代码 → 中英文文档。",
            repositories=["PaddlePaddle/Paddle", "PaddlePaddle/docs"],
            proposal_repositories=["PaddlePaddle/community"],
            title_prefix=PREFIX,
            rules={
                "places_per_task": _PLACES,
                "people_per_team": 3,
                "days_to_pull_request": _DAYS,
                "reminder_days": 3,
                "grace_days": 2,
            },
            opens_at=self.ago(40),
            closes_at=self.ago(-30),
            created_at=self.ago(40),
        )
        Phase.objects.create(event=event, name="冲刺", position=1, starts_at=self.ago(20))
        TrackingIssue.objects.create(
            event=event,
            repository="PaddlePaddle/community",
            number=4711,
            body="| 序号 | 任务 |\n| - | - |\n| 1 | 任务 |\n",
            agreed_body="| 序号 | 任务 |\n| - | - |\n| 1 | 任务 |\n",
            read_at=self.now,
        )
        for person, role in ((self.olga, "organizer"), (self.mateo, "mentor")):
            EventRole.objects.create(event=event, person=person, role=role, granted_at=self.ago(40))
        EventMark.objects.create(
            event=event, person=self.bao, kind="unpaid", note="", set_by=self.olga, set_at=self.ago(30)
        )
        return event

    def _make_tasks(self) -> "dict[str, Task]":
        from claims.operations import ruling
        from tasks_board.models import Direction, Task, TaskHelper

        parts = [
            Direction.objects.create(event=self.event, name=name, position=place)
            for place, name in enumerate(("算子与框架", "文档"))
        ]
        tasks = {}
        for place, (number, title) in enumerate(_TITLES.items(), 1):
            task = Task.objects.create(
                event=self.event,
                number=number,
                sort_key=f"{int(number):05}",
                title=title,
                direction=parts[int(number) in (2, 7, 10, 12)],
                position=place,
                difficulty="⭐" * (1 + place % 3),
                star_steps=1000 * (1 + place % 3),
                created_at=self.ago(40),
            )
            TaskHelper.objects.create(task=task, person=self.mateo, role="mentor", granted_at=self.ago(40))
            tasks[number] = task
        tasks["1"] = ruling.change_task_chain(
            task=tasks["1"],
            text="proposal → code → docs PaddlePaddle/docs",
            acting_user=self.olga,
            now=self.ago(40),
        )
        return tasks

    def claim(self, number: str, person: "Person", days: float, team: "Team | None" = None) -> "Claim":
        from claims.models import Decision
        from claims.operations import claiming

        asked = claiming.Asked(Decision.Source.WEB, self.ago(days), f"state:{next(self._keys)}")
        return claiming.claim_task(
            task=self.tasks[number], claimant=person, asked=asked, now=self.ago(days), team=team
        )

    def pull(
        self,
        number: str,
        author: "Person",
        days: float,
        *,
        merged: float | None = None,
        closed: float | None = None,
        title: str | None = None,
        **values: object,
    ) -> "PullRequest":
        """As GitHub would tell of it."""
        from claims.operations import pull_requests
        from portal.github import types

        ends = merged if merged is not None else closed
        state = "merged" if merged is not None else "closed" if closed is not None else "open"
        repository = str(values.pop("repository", "PaddlePaddle/Paddle"))
        key = next(self._keys)
        default = f"【{PREFIX}{number}】{_TITLES.get(number, '')}"
        fact = types.PullRequest(
            id=key,
            repository=repository,
            number=key % 100_000,
            title=default if title is None else title,
            body="",
            state=types.PullRequestState(state),
            author=types.Account(author.github_id or 0, author.login),
            created_at=self.ago(days),
            updated_at=self.ago(days if ends is None else ends),
            closed_at=None if ends is None else self.ago(ends),
            merged_at=None if merged is None else self.ago(merged),
            **{"is_draft": False, "base_branch": "develop", "head_branch": "work", **values},  # type: ignore[arg-type]
        )
        made = pull_requests.record_pull_request(fact=fact, now=self.ago(days if ends is None else ends))
        assert made is not None
        return made

    def review(self, pull_request: "PullRequest", state: str, days: float) -> None:
        from claims.operations import pull_requests
        from portal.github import types

        pull_requests.record_review(
            fact=types.Review(
                id=next(self._keys),
                repository=pull_request.repository,
                pull_request_number=pull_request.number,
                reviewer=types.Account(self.mateo.github_id or 0, self.mateo.login),
                association="MEMBER",
                state=types.ReviewState(state),
                submitted_at=self.ago(days),
            ),
            now=self.ago(days),
        )

    def decide(self, claim: "Claim", kind: str, days: float, note: str = "") -> None:
        from claims.models import Decision
        from claims.operations import deciding

        claim.refresh_from_db()
        deciding.decide(
            claim=claim,
            kind=Decision.Kind(kind),
            acting_user=self.mateo,
            key=f"state:{next(self._keys)}",
            now=self.ago(days),
            note=note,
        )

    def say(self, author: "Person", body: str, days: float) -> "IssueComment | None":
        from claims.operations import comments
        from claims.operations.speaking import Written
        from portal.github import types

        fact = types.Comment(
            id=next(self._keys),
            repository="PaddlePaddle/community",
            issue_number=4711,
            author=types.Account(author.github_id or 0, author.login),
            body=body,
            created_at=self.ago(days),
            updated_at=self.ago(days),
        )
        issue = self.event.tracking_issues.get()
        return comments.record_comment(
            tracking_issue=issue, written=Written(fact, is_first=True), now=self.ago(days)
        )


def make(now: datetime) -> None:
    """All of it. The demo's accounts are there already."""
    making = _Making(now)
    _pay(making)
    _of_the_contributor(making)
    _of_others(making)
    _teams(making)


def _pay(making: _Making) -> None:
    from tests.rewards.scenes import pay, points

    pay(making.event, points("接力赛积分"), "100", partly_percent=40)


def _of_the_contributor(m: _Making) -> None:
    """Everything that one's own page can say."""
    from claims.models import CoAuthor

    m.claim("1", m.chen, 12.5)
    m.pull("1", m.chen, 11, merged=8, repository="PaddlePaddle/community")
    m.claim("3", m.chen, 15.5)  # the time is up, the grace runs
    answered = m.claim("4", m.chen, 10)
    m.review(m.pull("4", m.chen, 6), "changes_requested", 2)
    m.decide(answered, "deferred", 1.5, _LONG_NOTE)
    m.claim("5", m.chen, 6)
    m.review(m.pull("5", m.chen, 5), "approved", 0.4)
    m.claim("6", m.ines, 7)
    second = m.claim("6", m.tariq, 6.5)
    m.claim("6", m.chen, 3)  # waits in line
    m.claim("7", m.chen, 20)
    done = m.pull("7", m.chen, 18, merged=14)
    CoAuthor.objects.create(pull_request=done, person=m.ines, proposed_at=m.ago(14))
    m.claim("10", m.chen, 9)
    m.claim("10", m.sora, 9.5)
    m.pull("10", m.chen, 5)
    m.pull("10", m.sora, 7, merged=1)  # was merged first
    m.claim("11", m.chen, 8)
    m.pull("11", m.chen, 7, closed=2)
    m.pull("9", m.chen, 1, title="Relay 9 改进报错信息")  # tied to nothing
    m.decide(second, "deferred", 0.2, "等新算子合入后再继续。")
    declined = m.claim("12", m.chen, 4)
    m.decide(declined, "declined", 3, "这个任务需要先通过术语表测试。")


def _of_others(m: _Making) -> None:
    """What waits at the desk."""
    m.claim("8", m.tariq, 9)
    m.pull("8", m.tariq, 7, merged=2, title="Type the operators", head_branch="relay-no8")
    m.claim("2", m.bao, 16)
    m.pull("2", m.bao, 12, merged=6, repository="PaddlePaddle/docs")
    m.pull("9", m.sora, 2)
    m.pull("9", m.ines, 4, merged=3)
    m.claim("11", m.ines, 6)
    m.pull("11", m.ines, 5, merged=4, base_branch="release/2.4")
    m.say(m.sora, "报名：第九题，之前做过类似的改进", 0.9)
    m.say(m.tariq, "报名：请问一下怎么参加呀", 0.3)


def _teams(m: _Making) -> None:
    from claims.operations import teaming
    from tasks_board.operations import teams

    team = teams.create_team(event=m.event, name="夜航船 Night Ferry", captain=m.ines, now=m.ago(9))
    teaming.invite_to_team(team=team, login=m.sora.login, acting_user=m.ines, now=m.ago(8))
    teaming.accept_invitation(team=team, person=m.sora, now=m.ago(7.5))
    teaming.invite_to_team(team=team, login=m.chen.login, acting_user=m.ines, now=m.ago(0.2))
    m.claim("12", m.ines, 2, team=team)
