"""Bodies of the shape that a configuration describes, in HackathonBot's dialect: tables by direction, board, people."""

from collections.abc import Iterator, Mapping

from tasks_board.configurations.model import Configuration

PEOPLE = ("moss07", "zw-chen", "ember-n", "oar-9", "tide404", "pine-a", "ink-fox", "linen-b")
_STATES = ("报名-2ECC71", "提交RFC-F1C40F", "提交PR-F39C12", "完成任务-9B59B6")
_FILLERS = (("难度", "⭐"), ("描述", "见题目"), ("优先级", "P1"), ("备注", ""))
_BETWEEN = 4  # every so many rows one has a claimant


def body_of(configuration: Configuration) -> str:
    """The same text whenever it is asked for."""
    lines = [f"# {configuration.name}", ""]
    rows = {name: sorted(numbers, key=int) for name, numbers in configuration.assigned.directions}
    if configuration.has_board:
        lines += _board(rows)
    for name, numbers in rows.items():
        lines += ["", f"## {name}", "", *_table(configuration, numbers)]
    if configuration.has_board:
        lines += ["", "## 统计信息", "> 排名不分先后 @moss07 (1) ", "#####"]
    return "\n".join(lines) + "\n"


def bodies(configurations: Iterator[Configuration]) -> Mapping[str, str]:
    """By address: the issue's last text, where one was revised or carries two events."""
    return {configuration.address: body_of(configuration) for configuration in configurations}


def _board(rows: Mapping[str, list[str]]) -> Iterator[str]:
    yield "## 看板信息"
    yield ""
    yield "| 任务方向 | 任务数量 | 提交作品 / 任务认领 | 提交率 | 完成 | 完成率 |"
    yield "| :----: | :----: | :----:  | :----: | :----: | :----: |"
    for name, numbers in rows.items():
        yield f"|  {name}  |  {len(numbers)}  | 0 / 0 | 0.0% |  0  | 0.0% |"
    yield "#####"


def _table(configuration: Configuration, numbers: list[str]) -> Iterator[str]:
    """Claimants in the column that the configuration names, the winner in its own, something in between."""
    place = configuration.pull_request_column or 3
    winner = configuration.completed_column
    fillers = _FILLERS[: max(0, place - 3)]
    headers = ["序号", "任务标题", *(header for header, _ in fillers), "认领人/状态/PR号"]
    headers += ["完成队伍"] if winner else []
    yield f"| {' | '.join(headers)} |"
    yield f"|{' :-: |' * len(headers)}"
    for number in numbers:
        cells = [number, f"{configuration.name[:20]} {number}", *(cell for _, cell in fillers)]
        cells += [_claimant(int(number))] + ([""] if winner else [])
        yield f"| {' | '.join(cells)} |"


def _claimant(number: int) -> str:
    if number % _BETWEEN:
        return ""
    badge = f'<img src="https://img.shields.io/badge/状态-{_STATES[number // _BETWEEN % 4]}" />'
    return f"@{PEOPLE[number % len(PEOPLE)]} {badge} <br>"
