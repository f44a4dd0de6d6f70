"""Setting up and revising events at the front door: the form as it is filled in, and the page as a browser sends it back."""

import re
from typing import Any

from django.test import Client

from claims.models import ImportDraft
from portal.models import Person, User
from tests.pages.scenes import BACKEND

BODY = """# 灯塔计划

## 甲组

| 序号 | 题目 | 认领人 | 进度 |
|-|-|-|-|
| 1 | 灯 | @moss07 | |
| 2 | 塔 | 见下方 | |
| 3 | 标 | ✅@kelp-0 | 搞定 |
"""
FORM = {
    "name": "灯塔计划",
    "slug": "lights",
    "preset": "happy_open_source",
    "title_prefix": "Light No.",
    "title_aliases": "Lamp No.\nLamps",
    "repositories": "harbor/lantern\nharbor/buoy",
    "proposal_repositories": "",
    "pool": "灯油",
    "unit": "point",
    "per": "task",
    "amount": "1.5",
    "opens": "2026-03-01",
    "closes": "2026-04-30",
    "time_zone": "Asia/Shanghai",
    "language": "zh-hans",
    "organizers": "",
}
NEWER = """# 灯塔计划

## 甲组

| 序号 | 题目 | 认领人 | 进度 |
|-|-|-|-|
| 1 | 灯火 | @moss07 | |
| 3 | 标 | ✅@kelp-0 | 搞定 |
| 4 | 船 | | |
"""
ENTRY: dict[str, Any] = {
    "issue_name": "Lights",
    "issue_url": "https://api.github.com/repos/harbor/lantern/issues/7",
    "repo_urls": ["https://github.com/harbor/buoy/pulls"],
    "start_time": "2024-03-01T00:00:00Z",
    "type_names": ["Lamps"],
    "task_types": [["1-2"]],
    "pr_prefix": "Lights No.",
}


def browser(person: Person | None) -> Client:
    client = Client()
    client.cookies["regatta_language"] = "en"
    if person is not None:
        client.force_login(User.objects.get(person=person), backend=BACKEND)
    return client


def begin(client: Client, **fields: Any) -> ImportDraft:
    answer = client.post("/events/new/", fields)
    assert answer.status_code == 302, answer.content.decode()
    return ImportDraft.objects.latest("pk")


def take(client: Client, file: ImportDraft, place: int) -> ImportDraft:
    """The draft of one entry of a configuration."""
    answer = client.post(f"/events/new/{file.pk}/", {"action": "entry", "entry": str(place)})
    found = re.fullmatch(r"/events/new/(\d+)/", answer["Location"])
    assert found is not None, answer["Location"]
    draft = ImportDraft.objects.get(pk=int(found[1]))
    assert draft.entry == file.entries[place - 1], client.get(answer["Location"]).content.decode()
    return draft


def post(client: Client, draft: ImportDraft, action: str, **more: Any) -> Any:
    return client.post(f"/events/new/{draft.pk}/", {**FORM, "action": action, **more})


def page(client: Client, draft: ImportDraft, slug: str = "lights") -> str:
    answer = client.get(f"/events/new/{draft.pk}/{slug}/")
    assert answer.status_code == 200, answer.get("Location")
    return answer.content.decode()


def words(html: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


def hidden(html: str) -> dict[str, str]:
    return dict(re.findall(r'<input type="hidden" name="(seen|shown)" value="([^"]*)">', html))


def corrections(html: str) -> dict[str, list[str]]:
    """The fields of the form as a browser sends them back."""
    fields: dict[str, list[str]] = {}
    for name, value in re.findall(
        r'<input type="hidden" name="(\w+_(?:key|heading))" value="([^"]*)">', html
    ):
        fields.setdefault(name, []).append(value)
    for name, options in re.findall(r'<select[^>]* name="(\w+)"[^>]*>(.*?)</select>', html, re.DOTALL):
        chosen = re.search(r'value="([^"]*)" selected', options)
        fields.setdefault(name, []).append(chosen[1] if chosen else "-")
    for name, value in re.findall(
        r'<input class="[^"]*" name="(section|name_login)"[^>]*? value="([^"]*)"', html
    ):
        fields.setdefault(name, []).append(value)
    return fields


def confirm(client: Client, draft: ImportDraft, html: str, slug: str = "lights", **more: Any) -> Any:
    sent = {**corrections(html), **hidden(html), "action": "revise", **more}
    return client.post(f"/events/new/{draft.pk}/{slug}/", sent)
