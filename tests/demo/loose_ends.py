"""What somebody has to look at: the demo's events with everything in them that does not settle itself.

The form: time limits, and one claim whose time is over; figures in the text that are not borne out; a table in a comment.
The hackathon: merges that do not count by themselves, three steps, a co-author, somebody unpaid, a row changed on two sides.
The contest: teams, a registration list, claims that wait for a mentor, and another bot at the table.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from claims.models import Claim, Decision
from claims.operations import claiming, editing_tasks, eligibility, ruling, teaming, writing
from claims.operations.task_desk import TaskChange
from portal import outbox
from portal.common import sheets
from portal.models import Person
from tasks_board.models import Event, EventMark, Task, TrackingIssue
from tasks_board.operations import registrations, teams
from tasks_board.operations.list_effects import Effects
from tests.demo import people, prepared
from tests.scenarios import builders
from tests.scenarios.campaigns import CONTEST, HACKATHON, PADDLE, PIR, Campaign
from tests.scenarios.happenings import stamp

BOT = "ccf-table-bot"
_FIRST_PULL = 90_001  # far above those of the stories

_FIGURES = """## 看板信息

| 任务方向 | 任务数量 | 提交作品 / 任务认领 | 提交率 | 完成 | 完成率 |
| :----: | :----: | :----:  | :----: | :----: | :----: |
| 独立任务 | 5 | 1 / 2 | 20.0% | 2 | 40.0% |
#####

"""
_MORE_TASKS = """后续还有两项，先放在这里：

| 任务标题 | 涉及方向 | mentor | 认领人 |
| - | - | - | - |
| PIR 下的 control flow 单测补齐 | 动转静 + OP 体系 | @SigureMo | |
| PIR 的错误信息可读性改进 | API | @0x45f | |
"""
_LIST = """姓名,GitHub,队名,邮箱
林潮,ines-codes,夜航船,ines@example.org
陶望,tariq-tests,夜航船,tariq@example.org
陈舟,chen-contributes,夜航船,chen@example.org
许礁,reef-lu,压舱石,reef@example.org
高岸,gale-lee,压舱石,gale@example.org
江笛,foghorn-dai,压舱石,foghorn@example.org
孙泊,sun-not-yet-here,,sun@example.org
"""


@dataclass
class LooseEnds:
    """Lays them out, by the stand-in and by the portal's own operations. `now` is when the demo begins."""

    recorder: prepared.Recorder
    now: datetime

    def lay(self) -> None:
        """All of them, in the three events; what the portal writes of it is for the caller to send and to note."""
        self._form(Event.objects.get(slug=PIR.slug))
        self._hackathon(Event.objects.get(slug=HACKATHON.slug))
        self._contest(Event.objects.get(slug=CONTEST.slug))

    # the form

    def _form(self, event: Event) -> None:
        Event.objects.filter(pk=event.pk).update(created_at=self.now - timedelta(days=30))
        self._rules(event, days_to_pull_request=21, days_of_silence=30)
        body = str(self.recorder.get_issue(PIR.repository, PIR.number)["body"])
        self._go_on(
            self._says(PIR, people.OTHERS[2].login, "【报名】：2", days=26),
            self._says(PIR, people.CONTRIBUTOR.login, "【报名】：1", days=19),
            self._says(PIR, people.ORGANIZER.login, _MORE_TASKS, days=3),
            self._writes(PIR, people.ORGANIZER.login, body.replace("## 目标", f"{_FIGURES}## 目标"), days=2),
        )

    # the hackathon

    def _hackathon(self, event: Event) -> None:
        self._rules(event, branches=["develop"])
        self._steps_of(event, "14", f"proposal → code → docs {PADDLE.split('/', maxsplit=1)[0]}/docs")
        chen, olga = people.CONTRIBUTOR.login, people.ORGANIZER.login
        coauthor = people.OTHERS[1]
        trailer = f"Co-authored-by: {coauthor.name} <{coauthor.id}+{coauthor.login}@users.noreply.github.com>"
        self._go_on(
            # merged where merges do not count
            *self._code(event, "7", 1, days=5, base="release/2.4"),
            # the first two of three steps are done
            *self._code(event, "14", 2, days=4),
            # two wrote it
            *self._code(event, "2", 3, days=3, push=trailer),
            # code before its proposal
            *self._code(event, "26", 4, days=2),
            # what nobody can be sure of
            self._says(HACKATHON, people.OTHERS[0].login, "报名 22 题，如果还空着的话 39 也行", days=1),
            self._says(HACKATHON, people.OTHERS[3].login, "我来做 31 题和后面一题吧", hours=7),
            # somebody whose turn it is, and who forgot how titles begin
            self._says(HACKATHON, chen, "【报名】：16、21", days=6),
            self._opens(PADDLE, 5, f"【{HACKATHON.prefix}16】{self._title(event, '16')}", chen, days=4),
            self._reviews(PADDLE, 5, "request_changes", "请补一个反向的单测。", days=1),
            self._opens(PADDLE, 6, f"Paddle Hackathon 21: {self._title(event, '21')}", chen, hours=5),
        )
        eligibility.mark_people(
            event=event,
            logins=[people.OTHERS[3].login],
            kind=EventMark.Kind.UNPAID,
            acting_user=_person(olga),
            now=self.now,
            note="works for the sponsor",
        )
        self._change_on_both_sides(event, "20")

    def _change_on_both_sides(self, event: Event, number: str) -> None:
        """Here the title is mended, and before that is written somebody mends it otherwise."""
        task = Task.objects.get(event=event, number=number)
        title = task.title
        editing_tasks.change_tasks(
            event=event,
            changes=[TaskChange(task.pk, {"title": f"{title}（含文档）"})],
            acting_user=_person(people.ORGANIZER.login),
            now=self.now,
        )
        body = str(self.recorder.get_issue(HACKATHON.repository, HACKATHON.number)["body"])
        [line] = [line for line in body.split("\n") if f"| {title} |" in line]
        theirs = body.replace(line, line.replace(title, f"{title}，支持复数"))
        self._go_on(self._writes(HACKATHON, people.MENTOR.login, theirs, hours=1))

    # the contest

    def _contest(self, event: Event) -> None:
        olga, ines = _person(people.ORGANIZER.login), _person(people.OTHERS[0].login)
        self._rules(event, people_per_team=3)
        team = teams.create_team(event=event, name="夜航船", captain=ines, now=self.now - timedelta(days=3))
        for login in (people.OTHERS[1].login, people.CONTRIBUTOR.login):
            teaming.invite_to_team(
                team=team, login=login, acting_user=ines, now=self.now - timedelta(days=3, hours=-1)
            )
        teaming.accept_invitation(
            team=team, person=_person(people.OTHERS[1].login), now=self.now - timedelta(days=2)
        )
        asked_at = self.now - timedelta(days=1, hours=6)
        claiming.claim_task(
            task=Task.objects.get(event=event, number="10"),
            claimant=ines,
            team=team,
            asked=claiming.Asked(source=Decision.Source.WEB, at=asked_at, key="demo:team"),
            now=asked_at,
        )
        self._go_on(self._says(CONTEST, people.OTHERS[3].login, "【报名】：9", hours=20))
        sheet = sheets.read_pasted(_LIST, columns=registrations.COLUMNS)
        registrations.take_in(
            event=event,
            entries=registrations.read_list(sheet).entries,
            effects=Effects(teams=True),
            acting_user=olga,
            now=self.now - timedelta(hours=30),
        )
        self._let_a_bot_write(event, olga)

    def _let_a_bot_write(self, event: Event, olga: Person) -> None:
        """The table is kept by us until a bot goes over the same cells."""
        writing.switch_writing(
            tracking_issue=TrackingIssue.objects.get(event=event), on=True, acting_user=olga, now=self.now
        )
        outbox.drain_due(self.now)
        self.recorder.note_edits_of(people.PORTAL.login, CONTEST.repository, CONTEST.number)
        self.recorder.create_user(BOT, type="Bot")
        body = str(self.recorder.get_issue(CONTEST.repository, CONTEST.number)["body"])
        login = _claimant_of(event, "8")
        theirs = "\n".join(
            line.replace(f"@{login}", "") if line.startswith("| 8 |") else line for line in body.split("\n")
        )
        written_at = self.recorder.issue_history(CONTEST.repository, CONTEST.number)[-1]["at"]
        step = self._writes(CONTEST, BOT, theirs)
        self._go_on(step | {"at": stamp(datetime.fromisoformat(written_at) + timedelta(seconds=1))})

    # what happens, as steps of the stand-in

    def _go_on(self, *steps: Mapping[str, Any]) -> None:
        builders.go_on(self.recorder, sorted(steps, key=lambda step: step["at"]))

    def _at(self, days: float = 0, hours: float = 0) -> str:
        return stamp(self.now - timedelta(days=days, hours=hours))

    def _says(self, campaign: Campaign, login: str, text: str, **ago: float) -> dict[str, Any]:
        return {"do": "comment", **_place(campaign), "author": login, "body": text, "at": self._at(**ago)}

    def _writes(self, campaign: Campaign, login: str, body: str, **ago: float) -> dict[str, Any]:
        return {"do": "edit_issue", **_place(campaign), "editor": login, "body": body, "at": self._at(**ago)}

    def _opens(
        self,
        repository: str,
        place: int,
        title: str,
        author: str,
        *,
        days: float = 0,
        hours: float = 0,
        base: str = "develop",
    ) -> dict[str, Any]:
        pull = {"repository": repository, "number": _FIRST_PULL + place, "title": title, "author": author}
        return {"do": "open_pull_request", **pull, "base": base, "at": self._at(days, hours)}

    def _reviews(self, repository: str, place: int, state: str, body: str, *, days: float) -> dict[str, Any]:
        review = {"author": people.MENTOR.login, "state": state, "body": body}
        return {
            "do": "review",
            "repository": repository,
            "number": _FIRST_PULL + place,
            **review,
            "at": self._at(days),
        }

    def _code(
        self,
        event: Event,
        number: str,
        place: int,
        *,
        days: int,
        push: str = "",
        base: str = "develop",
    ) -> Sequence[dict[str, Any]]:
        """The code of who has the task, merged by the mentor; perhaps with a further commit, or on another branch."""
        author = _claimant_of(event, number)
        title = f"【{HACKATHON.prefix}{number}】{self._title(event, number)}"
        pull = {"repository": PADDLE, "number": _FIRST_PULL + place}
        steps = [self._opens(PADDLE, place, title, author, days=days + 0.5, base=base)]
        if push:
            commit = {"author": author, "message": f"Add it\n\n{push}"}
            steps.append({"do": "push", **pull, **commit, "at": self._at(days + 0.3)})
        return [*steps, {"do": "merge", **pull, "by": people.MENTOR.login, "at": self._at(days)}]

    def _title(self, event: Event, number: str) -> str:
        return Task.objects.get(event=event, number=number).title

    def _rules(self, event: Event, **changes: Any) -> None:
        ruling.change_rules(
            event=event, changes=changes, acting_user=_person(people.ORGANIZER.login), now=self.now
        )

    def _steps_of(self, event: Event, number: str, text: str) -> None:
        ruling.change_task_chain(
            task=Task.objects.get(event=event, number=number),
            text=text,
            acting_user=_person(people.ORGANIZER.login),
            now=self.now,
        )


def _place(campaign: Campaign) -> dict[str, Any]:
    return {"repository": campaign.repository, "number": campaign.number}


def _person(login: str) -> Person:
    return Person.objects.get(login=login)


def _claimant_of(event: Event, number: str) -> str:
    """Who was first on the task."""
    claims = Claim.objects.filter(task__event=event, task__number=number, shown=True, person__isnull=False)
    login: str = claims.order_by("pk").values_list("person__login", flat=True)[0]
    return login
