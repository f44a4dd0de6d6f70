"""What the columns of a table are for (TABLES.md section 4, Columns)."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from tasks_board.documents import plain
from tasks_board.documents import text as texts

# As in TABLES.md. They are compared without bold marks, blanks, case and a final remark in parentheses.
_HEADERS: Mapping[str, str] = {
    "number": "序号 | 编号 | 任务编号 | 题号 | No | No.",
    "title": "任务标题 | 任务名称 | 任务 | 任务 ISSUE | 项目标题&介绍 | 任务标题&介绍 | 赛题名称 | 赛道名称 | 题目 | 题目名称"
    " | 团名 | 文件 | 文件位置 | 所在文件 | 单测 | 错误码 | 功能描述 | 子任务和完成时间",
    "weak title": "说明 | API | Warning",
    "difficulty": "难度",
    "priority": "优先级",
    "direction": "涉及方向 | 任务方向 | 任务类型 | 领域 | 模块 | 开源贡献 repo | 厂商",
    "description": "描述 | 任务描述 | 建议 | 备注",
    "mentor": "mentor | 导师 | 导师信息 | 负责人 | tracking issue & 导师信息",
    "assistant": "助教 | leader",
    "claimants": "认领人 | 认领人 Github id | 认领人/PR链接 | 认领人/状态/PR号 | 队伍名称/状态/PR | Github ID/状态/PR"
    " | 报名情况 | 报名名单 | 队员 | 作者 | 贡献者 | 汇报人",
    "pull_requests": "PR | PR 链接 | 相关 PR | 任务 PR | 完成 PR | 存量修复 | 增量拦截",
    "state": "状态 | 答辩成绩",
    "requires_rfc": "是否需要提交 RFC",
    "completed_by": "完成队伍",
    "locked": "锁定营员",
    "date": "结项时间",
    "link": "Issue | tracking issue | 链接",
}
# What only adorns a header: emoji, a final colon, and the sign of a note.
_ORNAMENT = re.compile(r"[\u2190-\u2bff\ufe0f\U0001f000-\U0001faff]+|(?:[:*]|\[\^[^\[\]]*\])+$")
_FINAL_REMARK = re.compile(r"(?<=[^(])\((?:[^()]|\([^()]*\))*\)$")
_LEGEND_MARKS = frozenset({"状态", "标记", "图例", "符号"})
_LEGEND_WORDS = frozenset({"说明", "含义", "意思", "解释"})

LONGEST_KEY = 300  # of a header, as corrections name it
COMPLETION_TITLE = "子任务和完成时间"
DEFENCE_RESULT = "答辩成绩"
TRACKING_MENTOR = "trackingissue&导师信息"


@lru_cache(maxsize=1024)
def header_key(header: str) -> str:
    """A header as it is compared: without bold marks, blanks, case and a final remark in parentheses."""
    joined = re.sub(r"\s+|__", "", texts.normalise(plain.plain_text(header))).casefold()
    return _FINAL_REMARK.sub("", joined)


def _known_key(header: str) -> str:
    """The compared form, without ornaments where only they part the header from one that we know."""
    key = header_key(header)
    bare = _ORNAMENT.sub("", key)
    return bare if key not in _ROLES and bare in _ROLES else key


_ROLES: Mapping[str, str] = {
    header_key(header): role for role, headers in _HEADERS.items() for header in headers.split(" | ")
}
ROLES = tuple(role for role in _HEADERS if role != "weak title")


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns of one table: the first column of each role, and all of pull requests."""

    places: Mapping[str, int]
    pull_requests: tuple[int, ...]
    headers: Mapping[str, str]  # plain text by role
    keys: Mapping[str, str]  # compared form by role
    width: int

    @property
    def is_task_list(self) -> bool:
        return "title" in self.places or ("number" in self.places and "claimants" in self.places)


def read_columns(headers: Sequence[str], chosen: Mapping[str, str] | None = None) -> Columns:
    """Find the role of each header; the first column of a role wins.

    `chosen` are roles by header key that somebody gave by hand, and that win over ours; an empty one is no role.
    """
    roles = [_ROLES.get(_known_key(header)) for header in headers]
    places: dict[str, int] = {}
    pull_requests: list[int] = []
    for place, header in enumerate(headers if chosen else ()):
        role = (chosen or {}).get(header_key(header)[:LONGEST_KEY])
        if role is not None:
            roles[place] = role or None
            if role:
                places.setdefault(role, place)
    for place, role in enumerate(roles):
        if role == "pull_requests":
            pull_requests.append(place)
        if role is not None:
            places.setdefault(role, place)
    weak = places.pop("weak title", None)
    if weak is not None and "title" not in places and places.keys() & {"number", "claimants", "link"}:
        places["title"] = weak
    if is_legend(headers):
        places = {}
    plain_headers = {role: plain.plain_text(headers[place]) for role, place in places.items()}
    keys = {role: _known_key(headers[place]) for role, place in places.items()}
    return Columns(places, tuple(pull_requests), plain_headers, keys, len(headers))


def is_legend(headers: Sequence[str]) -> bool:
    """Exactly two columns, marks and their meaning: a legend and no task list."""
    keys = [header_key(header) for header in headers]
    return len(keys) == 2 and keys[0] in _LEGEND_MARKS and keys[1] in _LEGEND_WORDS
