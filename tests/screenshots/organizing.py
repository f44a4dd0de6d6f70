"""The organizers' pages, with what one does there first: a text pasted, a file chosen, a button pressed."""

import json
from typing import TYPE_CHECKING

from tests.demo import people
from tests.scenarios.campaigns import CONTEST, HACKATHON, PIR
from tests.screenshots.scenery import NEXT
from tests.screenshots.view import View

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

_FORM = "/events/pir/organize/"
_HACKATHON = "/events/hackathon-3/organize/"
_CONTEST = "/events/ccf-6/organize/"
_NEXT = f"/events/{NEXT}/organize/"
_ODD = """# 周末活动

| 序号 | 事项 | 谁来做 | 备注 |
| - | - | - | - |
| 1 | 补一个单测 | @ines-codes ✅ | |
| 2 | 改文档 | @sora-ships 🚧 老王 | ??? |
| 2 | 改 `paddle.nn.functional.some_long_name_without_spaces` 的例子 | 待定 @ | 见 PaddlePaddle/Paddle#62740 |
| | ~~不做了~~ | | |

| A | B |
| - | - |
| x | y |
"""
_LIST = """题号,标题,难度,名额,未知的列
1,一个新的标题,⭐⭐⭐,3,x
,另一个全新的任务，标题很长很长很长，长到手机上要换行,⭐,1,
13,,⭐⭐,many,
"""
_PEOPLE = "login,姓名,队伍,联系方式\nines-codes,Inês,青柠队,ines@example.org\nnobody-knows-them,无名,新队,\n坏 名字!,无名氏,,"


def _press(name: str) -> "Callable[[Page], None]":
    def act(page: "Page") -> None:
        page.get_by_role("main").locator(f"button:has-text('{name}')").first.click()

    return act


def _paste(text: str) -> "Callable[[Page], None]":
    def act(page: "Page") -> None:
        page.locator("main details > summary").first.click()
        page.locator("#new-text").fill(text)
        page.locator("#new-repository").fill("PaddlePaddle/Paddle")
        page.locator("main form .btn-primary").first.click()

    return act


_NEWER = """# 飞桨任务挑战赛（下半场）

| 题号 | 难度 | 赛题名称 | 描述 | 导师 | 队员 |
| :-: | :-: | - | - | - | - |
| 9 | ⭐⭐⭐⭐ | 优化 Mask R-CNN 与 `paddle.nn.functional.some_long_name_without_spaces` 的训练速度 | 以实测的提升为准 | @wave-tuner | |
| 10 | ⭐⭐⭐ | PaddleSOT 支持 Python 3.11 | 模拟执行与代码生成正确，并有 3.11 的流水线 | @frame-eval | |
| 11 | ⭐⭐ | 在 Python 侧补齐新 IR 的组件和 API | 把 C++ 的接口开放给 Python | @lan-graph @ir-harbour | |
| 12 | ⭐⭐ | 新 IR 下的模型可视化 | 子图级与模型级两种视图 | @ir-harbour | |
| 13 | ⭐ | 补一篇迁移指南 | | @ir-harbour | @sora-ships |
"""
_ENTRY = json.dumps(
    [
        {
            "issue_name": "夜航二",
            "issue_url": f"https://api.github.com/repos/{CONTEST.repository}/issues/{CONTEST.number}",
            "repo_urls": ["https://github.com/PaddlePaddle/Paddle/pulls"],
            "type_names": ["可视化", "性能"],
            "task_types": [["8", "12"], ["9-11"]],
            "pr_prefix": "Night CCF No.",
        }
    ],
    ensure_ascii=False,
)


_ENTRIES = json.dumps(
    [
        *json.loads(_ENTRY),
        {**json.loads(_ENTRY)[0], "pr_prefix": "Night No."},
        {**json.loads(_ENTRY)[0], "issue_name": "夜航三", "removed_tasks": ["8-"]},
        {"issue_name": "无处"},
    ],
    ensure_ascii=False,
)


def _give(text: str, issue: str = "") -> "Callable[[Page], None]":
    def act(page: "Page") -> None:
        page.locator("#new-issue").fill(issue)
        page.locator("main details > summary").first.click()
        page.locator("#new-text").fill(text)
        page.locator("main form .btn-primary").first.click()

    return act


def _revise(text: str, issue: str = "") -> "Callable[[Page], None]":
    """Give it, and choose the first event where there is a choice."""

    def act(page: "Page") -> None:
        _give(text, issue)(page)
        if page.locator("#h-which").count():
            page.locator("main .rg-list .btn").first.click()

    return act


def _refuse(page: "Page") -> None:
    page.locator("#new-issue").fill("not an address")
    page.locator("main form .btn-primary").first.click()


def _upload(page: "Page") -> None:
    page.locator("#u-file").set_input_files(
        {"name": "tasks.csv", "mimeType": "text/csv", "buffer": _LIST.encode()}
    )
    page.locator("form:has(#u-file) .btn").click()


def _register(page: "Page") -> None:
    page.locator("#list-text").fill(_PEOPLE)
    page.locator("form:has(#list-text) .btn-primary").click()


def _add(page: "Page") -> None:
    page.locator("#a-lines").fill("标题\t名额\n一个任务\tmany\n又一个\t2")
    page.locator("form:has(#a-lines) .btn-primary").click()


def _change(page: "Page") -> None:
    page.locator("#e-places").fill("many")
    page.locator("main form .btn-primary").first.click()


def _correct(page: "Page") -> None:
    page.locator("select[name=column]").nth(2).select_option("-")
    page.locator("main button[value=read]").click()


def _follow(selector: str, *more: "Callable[[Page], None]") -> "Callable[[Page], None]":
    def act(page: "Page") -> None:
        page.locator(selector).first.click()
        for step in more:
            step(page)

    return act


def _view(name: str, address: str, **values: object) -> View:
    return View(name, address, people.ORGANIZER.login, is_kept=False, **values)  # type: ignore[arg-type]  # as View has them


ORGANIZING = (
    _view("wizard", "/events/new/"),
    _view("wizard-refused", "/events/new/", act=_refuse, refuses=True),
    _view("wizard-unread", "/events/new/", act=_paste(_ODD)),
    _view(
        "wizard-preview",
        "/events/new/",
        act=_paste(_ODD.replace("事项", "任务标题").replace("谁来做", "认领人")),
    ),
    _view("wizard-entries", "/events/new/", act=_give(_ENTRIES)),
    _view("wizard-which", "/events/new/", act=_give(_ENTRY)),
    _view("wizard-entry", "/events/new/", act=_revise(_ENTRY)),
    _view("wizard-revise", "/events/new/", act=_revise(_NEWER, f"{CONTEST.repository}#{CONTEST.number}")),
    _view("overview-form", _FORM),
    _view("overview-crowded", _HACKATHON),
    _view("overview-draft", _NEXT),
    _view("issues", f"{_NEXT}issues/"),
    _view("issues-preview", f"{_CONTEST}issues/?issue={HACKATHON.repository}%23{PIR.number}"),
    _view("settings", f"{_NEXT}event/"),
    _view("settings-running", f"{_HACKATHON}event/"),
    _view("reading", f"{_FORM}reading/", act=_correct),
    _view("tasks", f"{_HACKATHON}tasks/?q=paddle"),
    _view("tasks-empty", f"{_FORM}tasks/?q=nothing"),
    _view("task-edit", f"{_HACKATHON}tasks/?q=13", act=_follow("main tbody a", _change), refuses=True),
    _view("task-edit-locked", f"{_FORM}tasks/", act=_follow("main tbody a")),
    _view("tasks-add", f"{_HACKATHON}tasks/add", act=_add, refuses=True),
    _view("tasks-preview", f"{_HACKATHON}tasks/", act=_upload),
    _view("writing", f"{_HACKATHON}writing/"),
    _view("writing-draft", f"{_NEXT}writing/"),
    _view("writing-review", f"{_FORM}writing/", act=_follow("main .rg-list .btn")),
    _view("revision", f"{_HACKATHON}writing/", act=_follow("main a[href*='/revisions/']")),
    _view("people", f"{_HACKATHON}people/"),
    _view("registrations", f"{_HACKATHON}registrations/"),
    _view("registrations-empty", f"{_FORM}registrations/"),
    _view("registrations-preview", f"{_HACKATHON}registrations/", act=_register),
    _view("names", f"{_NEXT}names/"),
    _view("names-empty", f"{_CONTEST}names/"),
)
