"""Each house check finds what it is there to find."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.house import addresses, catalogs, circles, locks, sizes

PO = """
msgid ""
msgstr "Content-Type: text/plain; charset=UTF-8\\nPlural-Forms: nplurals=1; plural=0;\\n"

#: portal/pages/views.py
msgid "Board"
msgstr "看板"

msgctxt "verb"
msgid "Claim"
msgstr "认领"

msgid "%(n)d task"
msgid_plural "%(n)d tasks"
msgstr[0] "%(n)d 个任务"

#~ msgid "Gone"
#~ msgstr "没了"
"""


def test_a_long_module_is_found(tmp_path: Path) -> None:
    (tmp_path / "short.py").write_text("x = 1\n" * (sizes.LIMIT - 1))
    (tmp_path / "long.py").write_text("x = 1\n" * sizes.LIMIT)
    found = sizes.breaches([Path("short.py"), Path("long.py")], tmp_path)
    assert [breach.split(":")[0] for breach in found] == ["long.py"]


def test_a_registry_address_is_found(tmp_path: Path) -> None:
    (tmp_path / "fine.lock").write_text("django==5.2.19 \\\n    --hash=sha256:00\n")
    (tmp_path / "bad.lock").write_text("# a comment\n--index" + "-url https://mirror.example/simple\n")
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\xff\xfe")
    files = [Path("fine.lock"), Path("bad.lock"), Path("picture.png")]
    assert [b.split(": ")[0] for b in addresses.breaches(files, tmp_path)] == ["bad.lock:2"]


@pytest.mark.parametrize(
    ("graph", "expected"),
    [
        ({"a": {"b"}, "b": {"c"}, "c": set()}, []),
        ({"a": {"b"}, "b": {"a"}, "c": {"a"}}, [{"a", "b"}]),
        ({"a": {"b"}, "b": {"c"}, "c": {"a", "d"}, "d": set()}, [{"a", "b", "c"}]),
        ({"a": {"a"}}, [{"a"}]),
        ({"a": {"b"}, "b": {"a"}, "c": {"d"}, "d": {"c", "a"}}, [{"a", "b"}, {"c", "d"}]),
    ],
)
def test_import_circles_are_found(graph: dict[str, set[str]], expected: list[set[str]]) -> None:
    assert sorted(circles.find_circles(graph), key=sorted) == expected


class TestLocks:
    requires = {"django": ["asgiref>=3", "tzdata; sys_platform == 'nowhere'", "argon2; extra == 'argon2'"]}

    def check(self, roots: list[str], pins: dict[str, str]) -> list[str]:
        return locks.check_lock("x.lock", roots, pins, lambda name: self.requires.get(name, []))

    def test_what_fits_is_kept(self) -> None:
        assert self.check(["Django>=5.2,<5.3"], {"django": "5.2.19", "asgiref": "3.13.0"}) == []

    def test_a_pin_outside_the_wanted_range(self) -> None:
        assert "does not fit" in self.check(["django>=6"], {"django": "5.2.19", "asgiref": "3.13.0"})[0]

    def test_a_missing_package_of_a_package(self) -> None:
        assert "asgiref is missing" in self.check(["django"], {"django": "5.2.19"})[0]

    def test_an_extra_brings_its_own(self) -> None:
        assert "argon2 is missing" in self.check(["django[argon2]"], {"django": "5", "asgiref": "3"})[0]

    def test_a_pin_that_nobody_asks_for(self) -> None:
        pins = {"django": "5.2.19", "asgiref": "3.13.0", "leftover": "1"}
        assert self.check(["django"], pins) == ["x.lock: nobody asks for leftover; run make lock"]


class TestCatalogs:
    def write(self, folder: Path, text: str, compiled_from: str | None = None) -> Path:
        readable = folder / "django.po"
        if compiled_from is not None:
            readable.write_text(compiled_from, encoding="utf-8")
            command = ["msgfmt", "-o", str(folder / "django.mo"), str(readable)]
            subprocess.run(command, check=True)
        readable.write_text(text, encoding="utf-8")
        return readable

    def test_a_complete_and_compiled_one_passes(self, tmp_path: Path) -> None:
        assert catalogs.check_catalog(self.write(tmp_path, PO, PO), tmp_path) == []

    def test_one_that_was_never_compiled(self, tmp_path: Path) -> None:
        assert "not compiled" in catalogs.check_catalog(self.write(tmp_path, PO), tmp_path)[0]

    def test_a_changed_text(self, tmp_path: Path) -> None:
        readable = self.write(tmp_path, PO.replace("看板", "任务板"), PO)
        assert "compiled differently" in catalogs.check_catalog(readable, tmp_path)[0]

    def test_an_untranslated_text(self, tmp_path: Path) -> None:
        text = PO.replace('"看板"', '""')
        assert "not translated" in catalogs.check_catalog(self.write(tmp_path, text, text), tmp_path)[0]

    def test_a_doubtful_text(self, tmp_path: Path) -> None:
        text = PO.replace("#: portal/pages/views.py", "#, fuzzy")
        assert "not translated" in catalogs.check_catalog(self.write(tmp_path, text, text), tmp_path)[0]

    def test_a_text_that_only_the_compiled_one_has(self, tmp_path: Path) -> None:
        shorter = PO.replace('msgctxt "verb"\nmsgid "Claim"\nmsgstr "认领"\n', "")
        assert (
            "no longer in the file" in catalogs.check_catalog(self.write(tmp_path, shorter, PO), tmp_path)[0]
        )


def test_the_house_rules_are_kept() -> None:
    done = subprocess.run([sys.executable, "-m", "tests.house"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
