"""Bodies and comments to read, large and hostile ones among them."""

from collections.abc import Iterator

BADGE = '<img src="https://img.shields.io/badge/状态-{}" />'
_STATES = ("报名-2ECC71", "提交RFC-F1C40F", "提交PR-F39C12", "完成任务-9B59B6")
MOST_CHARACTERS = 65_536  # GitHub's limit for a body or comment


def badge_body(rows: int) -> str:
    """A badge table of so many rows, as long events have: a claimant in most rows, pull requests in many."""
    lines = [
        "## 任务列表",
        "",
        "| 序号 | 难度 | 任务标题 | 认领人/状态/PR号 | 导师 |",
        "| :-: | :-: | - | - | - |",
    ]
    for number in range(1, rows + 1):
        badge = BADGE.format(_STATES[number % 4])
        link = f"[#{60_000 + number}](https://github.com/o/r/pull/{60_000 + number})" if number % 2 else ""
        people = f"@oar-{number % 90} {badge} {link}<br>" if number % 5 else ""
        lines.append(f"| {number} | ⭐ | op {number} | {people} | @keel-{number % 9} |")
    return "\n".join(lines) + "\n"


def hostile_bodies() -> Iterator[str]:
    """Bodies of the greatest length made of what a reader trips over: pipes, backticks, brackets, tildes, tags.

    Also as many rows as fit, and a cell that names as many people as fit.
    """
    head = "| 序号 | 题目 | 认领人 |\n|-|-|-|\n| 1 | "
    for unit in ("|", "`", "[", "](", "~", "~~a", "<", "<a href=", "<!--", "@a ", "(", "a(报名)", "1-"):
        text = (unit * MOST_CHARACTERS)[: MOST_CHARACTERS - 200]
        yield text
        yield f"{head}{text.replace('|', '丨')} | @a |\n"
    columns = "| 序号 | 题目 | 认领人 |\n|-|-|-|\n"
    for row in ("|a\n", "a|\n", "|1|a\n", "||||\n"):
        yield columns + row * ((MOST_CHARACTERS - len(columns)) // len(row))
    for person in ("@a ", "a、", "✅@a", "@a<br>", "@a #1 "):
        yield f"{columns}| 1 | x | {person * ((MOST_CHARACTERS - 200) // len(person))} |\n"


def comments(count: int) -> Iterator[str]:
    """Comments as people write them: claims in both languages, releases, chatter, mail replies."""
    forms = (
        "【报名】：{0}、{1}、{2}-{3}",
        "/claim {0}, {1}",
        "取消报名：{0}",
        "认领 {0}，谢谢老师",
        "请问 {0} 这个题目的要求是什么？文档里没有写清楚。",
        "> 【报名】：{0}\n\n同问",
        "LGTM, thanks for the work on #{0}!",
        "【提交】{0} https://github.com/o/r/pull/{1}",
    )
    for number in range(count):
        n = number % 70 + 1
        yield forms[number % len(forms)].format(n, n + 1, n + 3, n + 5)
