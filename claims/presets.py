"""Presets for whole events: a kind of event with its reward, and the campaigns we know by name."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from zoneinfo import ZoneInfo

from claims.operations.importing import PlannedPhase
from rewards.models import EventReward, Pool
from tasks_board.rules import Preset

HAPPY_OPEN_SOURCE_POOL = "快乐开源"
ZONE = ZoneInfo("Asia/Shanghai")


@dataclass(frozen=True, slots=True)
class PresetPhase:
    """A stretch of whole days in Beijing; the last one counts until its 24:00."""

    name: str
    first: date
    last: date
    claims_open: bool = True


@dataclass(frozen=True, slots=True)
class EventPreset:
    """What an event starts with. `links`: kind, title, repository, number of a related campaign.

    `closes` is the last day for work. Given another first day, all dates move along.
    """

    kind: Preset
    name: str = ""
    slug: str = ""
    summary: str = ""
    title_prefix: str = ""
    accent: str = "harbour"
    repositories: tuple[str, ...] = ()
    proposal_repositories: tuple[str, ...] = ()
    pool: str = ""
    unit: Pool.Unit = Pool.Unit.POINT
    per: EventReward.Per = EventReward.Per.TASK
    amount: Decimal | None = None
    phases: tuple[PresetPhase, ...] = ()
    closes: date | None = None
    links: tuple[tuple[str, str, str, int], ...] = ()

    def planned_phases(self, opens: date | None = None) -> tuple[PlannedPhase, ...]:
        """The phases in time, begun on that day, or on the preset's own."""
        by = self._shift(opens)
        return tuple(
            PlannedPhase(phase.name, _begin(phase.first + by), _end(phase.last + by), phase.claims_open)
            for phase in self.phases
        )

    def dates(self, opens: date | None = None) -> dict[str, object]:
        """The event's own dates; pull requests from before it opened belong to something else."""
        first = opens or (self.phases[0].first if self.phases else None)
        if first is None:
            return {}
        closes_at = _end(self.closes + self._shift(opens)) if self.closes else None
        return {"opens_at": _begin(first), "closes_at": closes_at, "pull_requests_since": _begin(first)}

    def _shift(self, opens: date | None) -> timedelta:
        return opens - self.phases[0].first if opens and self.phases else timedelta(0)


def _begin(day: date) -> datetime:
    return datetime.combine(day, time(), ZONE)


def _end(day: date) -> datetime:
    """24:00 of that day."""
    return _begin(day + timedelta(days=1))


_PADDLE = "PaddlePaddle/Paddle"
_COMMUNITY = "PaddlePaddle/community"

PRESETS: Mapping[str, EventPreset] = {
    "happy_open_source": EventPreset(
        kind=Preset.HAPPY_OPEN_SOURCE, pool=HAPPY_OPEN_SOURCE_POOL, amount=Decimal(1)
    ),
    "hackathon": EventPreset(kind=Preset.HACKATHON, accent="signal"),
    "contest": EventPreset(kind=Preset.CONTEST, accent="deep"),
    "pir": EventPreset(
        kind=Preset.HAPPY_OPEN_SOURCE,
        name="飞桨 IR 快乐开源活动",
        slug="pir",
        summary=(
            "飞桨静态图正在全面切换到新的中间表示（PIR），这是走向 3.0 版本的关键一步。"
            "这里汇集了收尾阶段的中小任务，任何人都可以参与：从上到下走一遍框架，弄清一张图怎样被构建、变换和执行。\n\n"
            "- 任务自由选择；方向只说明它在框架中的位置，不限制谁来做。\n"
            "- 部分任务有导师一对一指导，另有固定的答疑时间。\n"
            "- 完成任务与“快乐开源”共享奖励池；表现突出的同学可以继续参加启航营和护航营。"
        ),
        title_prefix="PIR No.",
        repositories=(_PADDLE,),
        pool=HAPPY_OPEN_SOURCE_POOL,
        amount=Decimal(1),
        links=(
            ("shared_pool", "快乐开源", _PADDLE, 61482),
            ("predecessor", "IR Dialect 挑战", _PADDLE, 55205),
            ("leads_into", "启航计划集训营", _PADDLE, 65279),
            ("leads_into", "护航计划集训营", _PADDLE, 65285),
        ),
    ),
    "hackathon-3": EventPreset(
        kind=Preset.HACKATHON,
        name="飞桨黑客马拉松 第三期",
        slug="hackathon-3",
        summary=(
            "三个月，十个方向，104 道题：从补齐一个 API，到写一个 CUDA 算子，再到把飞桨带进伙伴的仓库。"
            "一个人可以来，组队也可以来。\n\n"
            "- 难度看星：一颗是基础题，两颗、三颗是进阶题。奖金按题发放，星越多越高。\n"
            "- 先提案，后代码：设计文档以 PR 交到 community 仓库，合入之后再写代码。注明“免提案”的题除外。\n"
            "- 同一道题可以有几个人做，先合入的算完成。社区洞察不看合入，看答辩。\n"
            "- 交过 PR 或合入过提案的人都有周边；完成题目的人另有参赛证书和招聘快速通道。\n"
            "- 到期没做完的题不撤下，之后谁都可以接着做。"
        ),
        title_prefix="PaddlePaddle Hackathon 3 No.",
        accent="signal",
        repositories=(
            _PADDLE,
            "PaddlePaddle/docs",
            "PaddlePaddle/PaddleScience",
            "PaddlePaddle/CINN",
            "openvinotoolkit/openvino",
            "PaddlePaddle/FastDeploy",
            "PaddlePaddle/PaddleDTX",
            "PaddlePaddle/VisualDL",
        ),
        proposal_repositories=(_COMMUNITY,),
        pool="第三期黑客马拉松奖金",
        unit=Pool.Unit.STAR,
        per=EventReward.Per.STAR,
        amount=Decimal(1),
        phases=(
            PresetPhase("认领与提案", date(2022, 7, 4), date(2022, 8, 31)),
            PresetPhase("开发与评审", date(2022, 9, 1), date(2022, 9, 30)),
            PresetPhase("公示与异议", date(2022, 10, 1), date(2022, 10, 23), claims_open=False),
            PresetPhase("答复异议", date(2022, 10, 24), date(2022, 10, 28), claims_open=False),
        ),
        closes=date(2022, 9, 30),
        links=(("predecessor", "飞桨黑客马拉松 第二期", _PADDLE, 40234),),
    ),
    "ccf-6": EventPreset(
        kind=Preset.CONTEST,
        name="第六届 CCF 开源创新大赛 · 飞桨任务挑战赛（下半场）",
        slug="ccf-6",
        summary=(
            "中国计算机学会主办的开源创新大赛，本页是其中飞桨的任务挑战赛下半场，第 8 到 12 题。全程线上。\n\n"
            "- 自由组队，每队至多三人，选定一题；报名经导师确认后生效，同时在 [AI Studio](https://aistudio.baidu.com/) 登记。\n"
            "- 成果以 PR 交到题目指定的仓库，附一份说明和答辩材料。\n"
            "- 几支队伍可以做同一题。名次由评委按难度和完成度评定，设奖金、礼品和证书。"
        ),
        title_prefix="CCF No.",
        accent="deep",
        repositories=(_PADDLE, "PaddlePaddle/PaddleSOT", "PaddlePaddle/PaddleDetection", "PFCCLab/paddleviz"),
        phases=(
            PresetPhase("报名与选题", date(2023, 9, 1), date(2023, 9, 24)),
            PresetPhase("开发与提交", date(2023, 9, 25), date(2023, 10, 25), claims_open=False),
            PresetPhase("评审与答辩", date(2023, 10, 26), date(2023, 11, 15), claims_open=False),
        ),
        closes=date(2023, 10, 25),
        links=(("predecessor", "飞桨任务挑战赛（上半场，第 1–7 题）", _PADDLE, 53172),),
    ),
}
