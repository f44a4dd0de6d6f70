"""The three events as the scenarios stage them: where they stand, which repositories, and how far each part gets."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

BODIES = Path(__file__).with_name("bodies")
PADDLE = "PaddlePaddle/Paddle"
COMMUNITY = "PaddlePaddle/community"


class Phase(StrEnum):
    """How far an event has come. Later phases of the same event tell the same story further."""

    ANNOUNCED = "announced"
    OPEN = "open"
    MIDWAY = "midway"
    CLOSING = "closing"


@dataclass(frozen=True)
class Part:
    """Tasks `first` to `last`: how many of them are claimed, have a proposal merged, and are done in the end.

    `proposed` None: no proposal is asked for. `judged`: finished by a mentor's word, not by a merge.
    """

    first: int
    last: int
    repository: str
    claimed: int
    done: int
    proposed: int | None = None
    judged: bool = False


@dataclass(frozen=True)
class Campaign:
    """An event and its course. `days`: how long ago it opened in each phase; `pulls`: a repository's first number;
    `rivals`: how many take a task beside somebody; `claim_days`: within how many days tasks are taken.
    """

    preset: str
    slug: str
    repository: str
    number: int
    title: str
    prefix: str
    body_name: str
    mentors: tuple[str, ...]
    days: Mapping[Phase, int]
    parts: tuple[Part, ...]
    pulls: Mapping[str, int]
    rivals: int
    claim_days: int
    has_dates: bool = True
    asks_mentor: bool = False
    claimed_in_table: Mapping[int, str] | None = (
        None  # by task: who stands there from the first, and is not asked
    )

    @property
    def body(self) -> str:
        return (BODIES / self.body_name).read_text(encoding="utf-8")


PIR = Campaign(
    preset="pir",
    slug="pir",
    repository=PADDLE,
    number=62704,
    title="PIR happy open source: the tasks",
    prefix="PIR No.",
    body_name="pir.md",
    mentors=(),
    days={Phase.ANNOUNCED: 0, Phase.OPEN: 9, Phase.MIDWAY: 30, Phase.CLOSING: 55},
    parts=(Part(1, 2, PADDLE, claimed=2, done=2), Part(5, 6, PADDLE, claimed=2, done=1)),
    pulls={PADDLE: 62_731},
    rivals=1,
    claim_days=14,
    has_dates=False,
)

HACKATHON = Campaign(
    preset="hackathon-3",
    slug="hackathon-3",
    repository=PADDLE,
    number=43938,
    title="【PaddlePaddle Hackathon 第三期】任务总览",
    prefix="PaddlePaddle Hackathon 3 No.",
    body_name="hackathon_3.md",
    mentors=(
        *("keelwang", "liu-anchor", "zhou-sextant", "mei-compass", "wave-tuner", "sunli-cfd"),
        *("tide-pilot", "ledger-xu"),
    ),
    days={Phase.ANNOUNCED: -5, Phase.OPEN: 8, Phase.MIDWAY: 62, Phase.CLOSING: 87},
    # In the end as published: 79 claimed, 45 proposals merged, 56 done (17 API, 2 of them sparse).
    parts=(
        Part(1, 34, PADDLE, claimed=26, proposed=18, done=15),
        Part(35, 42, PADDLE, claimed=5, proposed=3, done=2),
        Part(43, 58, PADDLE, claimed=9, proposed=7, done=5),
        Part(59, 68, PADDLE, claimed=7, done=4),
        Part(69, 76, "PaddlePaddle/PaddleScience", claimed=6, proposed=5, done=5),
        Part(77, 86, "PaddlePaddle/CINN", claimed=10, proposed=10, done=10),
        Part(87, 96, "openvinotoolkit/openvino", claimed=10, done=10),
        Part(97, 99, "PaddlePaddle/FastDeploy", claimed=1, done=1),
        Part(100, 102, COMMUNITY, claimed=3, done=2, judged=True),
        Part(103, 103, "PaddlePaddle/PaddleDTX", claimed=1, proposed=1, done=1),
        Part(104, 104, "PaddlePaddle/VisualDL", claimed=1, proposed=1, done=1),
    ),
    pulls={
        PADDLE: 43_951,
        COMMUNITY: 171,
        "PaddlePaddle/docs": 4_931,
        "PaddlePaddle/PaddleScience": 121,
        "PaddlePaddle/CINN": 831,
        "openvinotoolkit/openvino": 12_011,
        "PaddlePaddle/FastDeploy": 211,
        "PaddlePaddle/PaddleDTX": 91,
        "PaddlePaddle/VisualDL": 1_103,
    },
    rivals=24,
    claim_days=76,
    claimed_in_table={1: "tide404"},
)

CONTEST = Campaign(
    preset="ccf-6",
    slug="ccf-6",
    repository=PADDLE,
    number=55663,
    title="【CCF 开源创新大赛】飞桨任务挑战赛（下半场）",
    prefix="CCF No.",
    body_name="ccf_6.md",
    mentors=("lan-graph", "wave-tuner", "quay-song", "frame-eval", "ir-harbour"),
    days={Phase.ANNOUNCED: -5, Phase.OPEN: 12, Phase.MIDWAY: 34, Phase.CLOSING: 53},
    parts=(
        Part(8, 8, "PFCCLab/paddleviz", claimed=1, done=1),
        Part(9, 9, "PaddlePaddle/PaddleDetection", claimed=1, done=0),
        Part(10, 10, "PaddlePaddle/PaddleSOT", claimed=1, done=1),
        Part(11, 12, PADDLE, claimed=2, done=1),
    ),
    pulls={
        PADDLE: 55_871,
        "PFCCLab/paddleviz": 21,
        "PaddlePaddle/PaddleDetection": 8_611,
        "PaddlePaddle/PaddleSOT": 431,
    },
    rivals=4,
    claim_days=20,
    asks_mentor=True,
)

CAMPAIGNS = {campaign.slug: campaign for campaign in (PIR, HACKATHON, CONTEST)}
