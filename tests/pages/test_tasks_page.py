"""The organizers' list of tasks and its files, at their doors."""

import io
import re
from typing import Any

import openpyxl
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tasks_board.models import Event, Task, TaskEdit
from tests.pages import scenes
from tests.pages.scenes import NOW, Scene, client_of

LIST = "/events/pir/organize/tasks/"


@pytest.fixture
def olga(scene: Scene) -> Client:
    Task.objects.filter(pk=scene.tasks[1].pk).update(number_is_ours=True)
    return client_of(scene.olga)


def download(client: Client) -> bytes:
    answer = client.get("/events/pir/organize/tasks.csv")
    return answer.getvalue()


def upload(client: Client, data: bytes, name: str = "tasks.csv") -> Any:
    file = SimpleUploadedFile(name, data)
    return client.post(f"{LIST}file", {"file": file})


def token_of(answer: Any) -> str:
    found = re.search(r'name="token" value="([^"]+)"', answer.content.decode())
    assert found is not None
    return found[1]


class TestList:
    def test_filters(self, scene: Scene, olga: Client) -> None:
        text = olga.get(LIST, {"q": "callstack", "direction": str(scene.sections[1].pk)}).content.decode()
        assert "op_callstack" in text
        assert "单测问题修复" not in text
        assert "No task fits." in olga.get(LIST, {"state": "deferred", "page": "99x"}).content.decode()
        assert "&lt;script&gt;alert(1)" in olga.get(LIST).content.decode()

    def test_one_field_of_many(self, scene: Scene, olga: Client) -> None:
        ids = [task.pk for task in scene.tasks]
        olga.post(f"{LIST}change", {"task": ids[:2], "action": "change", "field": "places", "value": "2"})
        olga.post(
            f"{LIST}change",
            {"all": "1", "q": "整图", "action": "change", "field": "claims_close", "value": "2026-04-23"},
        )
        assert list(Task.objects.order_by("pk").values_list("places", flat=True)) == [2, 2, None, None]
        closes = Task.objects.get(pk=ids[3]).claims_close_at
        assert closes is not None
        assert closes.isoformat() == "2026-04-23T16:00:00+00:00"
        assert "2026-04-23 24:00" in olga.get(LIST).content.decode()

    def test_what_is_refused_is_said_line_by_line(self, scene: Scene, olga: Client) -> None:
        ids = [task.pk for task in scene.tasks]
        form = {"task": ids, "action": "change", "field": "url", "value": "https://example.org/1"}
        answer = olga.post(f"{LIST}change", form | {"strict": "1"})
        assert answer.status_code == 409
        assert "it is only read" in answer.content.decode()
        assert not Task.objects.exclude(url="").exists()
        answer = olga.post(f"{LIST}change", form)
        assert "3 tasks are changed; this was refused" in answer.content.decode()
        assert Task.objects.exclude(url="").count() == 3

    def test_off_the_board_and_back(self, scene: Scene, olga: Client) -> None:
        pk = scene.tasks[0].pk
        olga.post(f"{LIST}change", {"task": [pk], "action": "remove"})
        assert Task.objects.get(pk=pk).state == "removed"
        assert "单测问题修复" in olga.get(LIST, {"removed": "1"}).content.decode()
        olga.post(f"{LIST}change", {"task": [pk], "action": "restore"})
        assert Task.objects.get(pk=pk).state == "open"

    def test_the_cost_does_not_grow_with_rows(self, scene: Scene, olga: Client) -> None:
        counts = []
        for _round in range(2):
            scenes.crowd(scene, 10)
            TaskEdit.objects.bulk_create(
                TaskEdit(task=task, field="difficulty", base="", value="⭐", made_at=NOW)
                for task in Task.objects.filter(edits=None)
            )
            for address in (LIST, "/events/pir/organize/tasks.xlsx"):
                with CaptureQueriesContext(
                    connection,
                ) as queries:
                    assert olga.get(address).status_code == 200
                counts.append(len(queries))
        assert counts[:2] == counts[2:]


class TestOneTask:
    def field(self, page: str, key: str) -> str:
        found = re.search(rf'<(?:input|textarea|select)[^>]* id="e-{key}"[^>]*>', page)
        assert found is not None
        return found[0]

    @pytest.mark.parametrize(
        ("writing", "locked", "open_"),
        [
            ("mirror", {"number", "section", "title", "url"}, {"description", "places", "chain"}),
            ("on", {"number", "section"}, {"title", "url", "description", "places", "chain"}),
        ],
    )
    def test_what_the_issue_leads_is_locked_and_says_why(
        self, scene: Scene, olga: Client, writing: str, locked: set[str], open_: set[str]
    ) -> None:
        type(scene.issue).objects.update(writing=writing)
        address = f"{LIST}{scene.tasks[1].pk}/"
        page = olga.get(address).content.decode()
        for key in locked:
            assert " readonly" in self.field(page, key), key
        for key in open_:
            assert " readonly" not in self.field(page, key), key
        assert "Rows are numbered and moved in the issue itself" in page
        assert ("and it is only read" in page) is (writing == "mirror")
        assert ("goes into the table in the issue" in page) is (writing == "on")
        # The operation says the same as the page, field by field.
        values = {"number": "77", "section": "elsewhere", "title": "x", "url": "https://example.org/1"}
        for key, value in values.items():
            answer = olga.post(address, {key: value})
            assert (answer.status_code == 409) is (key in locked), key

    def test_what_stands_in_no_table_is_open(self, scene: Scene, olga: Client) -> None:
        page = olga.get(f"{LIST}{scene.tasks[0].pk}/").content.decode()
        assert " readonly" not in page
        assert " disabled" not in self.field(page, "proposal")

    def test_a_change_on_its_way_can_be_taken_back(self, scene: Scene, olga: Client) -> None:
        task = scene.tasks[1]
        TaskEdit.objects.create(task=task, field="title", base="dtype 动静统一", value="x", made_at=NOW)
        Task.objects.filter(pk=task.pk).update(title="x")
        page = olga.get(f"{LIST}{task.pk}/").content.decode()
        assert " readonly" not in self.field(page, "title")
        assert " readonly" in self.field(page, "url")
        assert olga.post(f"{LIST}{task.pk}/", {"title": "dtype 动静统一"}).status_code == 302

    def test_fields_that_differ(self, scene: Scene, olga: Client) -> None:
        task = scene.tasks[2]
        Event.objects.update(proposal_repositories=["PaddlePaddle/community"])
        address = f"{LIST}{task.pk}/"
        assert 'value="op_callstack 适配"' in olga.get(address).content.decode()
        form = {"title": "=1+1 <b>", "chain": "proposal PaddlePaddle/community > code", "proposal": "yes"}
        assert olga.post(address, form).status_code == 302
        task.refresh_from_db()
        assert (task.title, task.proposal_required) == ("=1+1 <b>", True)
        assert task.chain == [
            {"kind": "proposal", "repository": "PaddlePaddle/community"},
            {"kind": "code", "repository": ""},
        ]

    def test_what_is_wrong_stands_at_its_field(self, scene: Scene, olga: Client) -> None:
        address = f"{LIST}{scene.tasks[2].pk}/"
        answer = olga.post(
            address, {"places": "0", "chain": "dance", "requires": "99", "stars": "NaN", "title": "甲"}
        )
        text = answer.content.decode()
        assert answer.status_code == 409
        for sentence in (
            "a number of places, at least 1",
            "Write the steps in their order",
            "No single task",
            "Stars are a number",
        ):
            assert sentence in text
        assert 'value="dance"' in text
        assert Task.objects.get(pk=scene.tasks[2].pk).title == "甲"

    def test_somebody_was_quicker(self, scene: Scene, olga: Client) -> None:
        form = {"title": "乙", "old-title": "something else"}
        answer = olga.post(f"{LIST}{scene.tasks[2].pk}/", form)
        assert "Somebody changed this meanwhile" in answer.content.decode()


class TestAdding:
    def test_one_and_many(self, scene: Scene, olga: Client) -> None:
        olga.post(f"{LIST}add", {"title": "新的", "section": "执行机制", "difficulty": "⭐⭐"})
        task = Task.objects.get(title="新的")
        assert (task.number, str(task.direction), task.star_steps) == ("11", "执行机制", 2000)
        olga.post(f"{LIST}add", {"lines": "甲\n\n=乙\n"})
        assert list(Task.objects.filter(number__in=["12", "13"]).values_list("title", flat=True)) == [
            "甲",
            "=乙",
        ]
        olga.post(f"{LIST}add", {"lines": "标题\t名额\n丙\t3\n"})
        assert Task.objects.get(title="丙").places == 3

    def test_refused(self, scene: Scene, olga: Client) -> None:
        answer = olga.post(f"{LIST}add", {"lines": "标题\t名额\n丙\t3\n丁\tx\n", "strict": "1"})
        assert answer.status_code == 409
        assert "Nothing was added" in answer.content.decode()
        answer = olga.post(f"{LIST}add", {"title": "", "places": "7"})
        assert 'value="7"' in answer.content.decode()
        assert Task.objects.count() == 4


class TestFiles:
    def test_there_and_back_changes_nothing(self, scene: Scene, olga: Client) -> None:
        titles = ["=1+1", "'=x", "🚀 \u202eمهمة", 'a,b;"c"\nd', "-1", "\x07ring", "1.10"]
        for number, title in enumerate(titles, start=20):
            task = scenes.make_task(scene.event, number, title, description=f"{title}\r\n{title}")
            Task.objects.filter(pk=task.pk).update(number=f"1.{number}0", difficulty="@x")
        Task.objects.get(title="-1").requires.set(scene.tasks)
        for name, data in (
            ("a.csv", download(olga)),
            ("a.xlsx", olga.get("/events/pir/organize/tasks.xlsx").content),
        ):
            text = upload(olga, data, name).content.decode()
            assert "There is nothing to do." in text, name
            assert re.search(r"<dt>Unchanged</dt><dd>11</dd>", text)
        assert b"'=1+1" in download(olga)

    def test_exactly_what_was_previewed(self, scene: Scene, olga: Client) -> None:
        data = "编号,方向,标题,名额,Mood\r\n1,执行机制,改了,2,x\r\n99,新方向,加的,,\r\n2,独立任务,x,y,\r\n".encode(
            "gbk"
        )
        answer = upload(olga, data)
        text = answer.content.decode()
        assert "<del>单测问题修复</del>" in text
        assert "Mood" in text
        assert "Line 4" in text
        before = dict(Task.objects.values_list("pk", "title"))
        assert olga.post(f"{LIST}apply", {"token": token_of(answer)}).status_code == 302
        scene.tasks[0].refresh_from_db()
        assert (scene.tasks[0].title, scene.tasks[0].places) == ("改了", 2)
        added = Task.objects.exclude(pk__in=before).get()
        assert (added.number, added.title, str(added.direction)) == ("99", "加的", "新方向")
        again = olga.post(f"{LIST}apply", {"token": token_of(answer)}, follow=True)
        assert "was added meanwhile" in again.content.decode()
        assert Task.objects.count() == 5

    def test_a_stale_preview_changes_nothing(self, scene: Scene, olga: Client) -> None:
        answer = upload(
            olga, f"id,title,places\n{scene.tasks[0].pk},甲,3\n{scene.tasks[2].pk},乙,3\n".encode()
        )
        Task.objects.filter(pk=scene.tasks[0].pk).update(title="他人")
        late = olga.post(f"{LIST}apply", {"token": token_of(answer)})
        assert late.status_code == 409
        assert "from “单测问题修复” to “他人”" in late.content.decode()
        assert not Task.objects.exclude(places=None).exists()
        assert "too old" in olga.post(f"{LIST}apply", {"token": "x"}, follow=True).content.decode()

    def test_lines_that_name_nobody_for_sure(self, scene: Scene, olga: Client) -> None:
        scenes.make_task(scene.event, 1, "另一个", scene.sections[1])
        data = (
            f"id,number,title\n77777,,x\n,1,谁\n{scene.tasks[2].pk},,甲\n{scene.tasks[2].pk},,乙\n".encode()
        )
        text = upload(olga, data).content.decode()
        for sentence in (
            "No task of this event has the id 77777",
            "Several tasks are called so",
            "An earlier line",
        ):
            assert sentence in text

    def test_another_kind_of_file(self, scene: Scene, olga: Client) -> None:
        answer = olga.post(
            f"{LIST}file", {"file": SimpleUploadedFile("a.pdf", b"\xff\xff\x00%PDF")}, follow=True
        )
        assert "CSV UTF-8" in answer.content.decode()
        book = openpyxl.load_workbook(io.BytesIO(olga.get("/events/pir/organize/tasks.xlsx").content))
        assert book.active is not None
        assert book.active["A1"].value == "id"


def test_a_conflict_is_settled_by_one_click(scene: Scene, olga: Client) -> None:
    edit = TaskEdit.objects.create(
        task=scene.tasks[1],
        field="title",
        base="旧",
        value="我们的",
        theirs="dtype 动静统一",
        made_by=scene.olga,
        made_at=NOW,
        conflict_at=NOW,
    )
    assert "Cells changed on both sides" in olga.get(LIST).content.decode()
    answer = olga.post(f"/events/pir/organize/cells/{edit.pk}", {"keep": "ours"}, follow=True)
    assert "it is only read" in answer.content.decode()
    olga.post(f"/events/pir/organize/cells/{edit.pk}", {"keep": "theirs"})
    edit.refresh_from_db()
    assert (edit.outcome, edit.settled_by) == ("theirs", scene.olga)
