"""What must hold for every template: it compiles, its icons exist, nothing stands inline."""

import hashlib
import re
from pathlib import Path

import pytest
from django.conf import settings
from django.template.loader import get_template
from django.test import RequestFactory
from django.views import defaults

from portal.pages import marks
from rewards.models import Completion
from tasks_board.models import Task

ROOT = Path(settings.BASE_DIR)
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
NAMES = [str(path.relative_to(ROOT / "templates")) for path in TEMPLATES]
SPRITE = (ROOT / "static/vendor/octicons/sprite.svg").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", NAMES)
def test_it_compiles(name: str) -> None:
    get_template(name)


@pytest.mark.parametrize("path", TEMPLATES, ids=NAMES)
def test_nothing_stands_inline(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert not re.search(r"\sstyle=|<style|\son[a-z]+=|javascript:", text)
    assert not re.search(r"<script(?![^>]*\ssrc=)", text)
    assert not re.search(r'(?:src|href)="https?://', text)


@pytest.mark.parametrize("path", [p for p in TEMPLATES if p.name.startswith("_")], ids=lambda p: p.name)
def test_a_fragment_says_what_it_needs(path: Path) -> None:
    assert path.read_text(encoding="utf-8").startswith("{# ")


def test_every_icon_is_in_the_sprite() -> None:
    used = set(re.findall(r'{% icon "([^"]+)"', "".join(p.read_text(encoding="utf-8") for p in TEMPLATES)))
    python = [*ROOT.glob("claims/*.py"), *ROOT.glob("portal/templatetags/*.py")]
    used |= set(re.findall(r'\bicon\("([a-z-]+)"', "".join(p.read_text(encoding="utf-8") for p in python)))
    used |= {
        mark.icon for table in (marks.STATES, marks.PULL_REQUESTS, marks.REVIEWS) for mark in table.values()
    }
    log = (ROOT / "claims/log.py").read_text(encoding="utf-8")
    used |= set(re.findall(r'"(git-[a-z-]+|file-diff|pencil|question|undo|history|check|x|blocked)"', log))
    missing = {name for name in used if f'id="o-{name}"' not in SPRITE}
    assert not missing


def test_every_state_has_an_icon_and_a_word() -> None:
    assert set(Task.State.values) <= set(marks.STATES)
    assert {"done", "partly"} == set(Completion.Degree.values)


def test_every_colour_is_said_for_day_and_night_at_once() -> None:
    """All but the page's scheme follows: no colour has a place of its own where the night's could be forgotten."""
    css = (ROOT / "static/css/tokens.css").read_text(encoding="utf-8")
    assert "prefers-color-scheme" not in css
    whole, _start, old_browsers = css.partition("@supports not (color: light-dark(")
    old_browsers, _end, accents = old_browsers.partition("\n}\n")
    once = re.findall(r"(--rg-[\w-]+): #\w+;", whole + accents)
    assert once == ["--rg-on-brand"]
    pairs = dict(re.findall(r"(--rg-[\w-]+): light-dark\((#\w+), #\w+\);", whole))
    spoken_again = dict(re.findall(r"(--rg-[\w-]+): (#\w+);", old_browsers))
    assert spoken_again.items() <= pairs.items()
    assert len(spoken_again) == 11


def test_colours_live_in_the_tokens_alone() -> None:
    for path in (ROOT / "static/css").glob("*.css"):
        if path.name != "tokens.css":
            css = re.sub(r"url\([^)]*\)", "", path.read_text(encoding="utf-8"))
            found = set(re.findall(r"#[0-9a-fA-F]{3,8}\b", css)) - {"#fff", "#000"}
            assert not found, path.name


def test_scripts_stay_small() -> None:
    for path in (ROOT / "static/js").glob("*.js"):
        assert len(path.read_text(encoding="utf-8").splitlines()) < 150


def test_vendored_files_are_the_ones_that_were_fetched() -> None:
    vendor = ROOT / "static/vendor"
    listed = re.findall(
        r"^  ([0-9a-f]{64})  (\S+)$", (vendor / "VERSIONS.txt").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert {path for _sum, path in listed} == {
        str(file.relative_to(vendor))
        for file in vendor.rglob("*")
        if file.is_file() and file.name != "VERSIONS.txt"
    }
    for checksum, path in listed:
        assert hashlib.sha256((vendor / path).read_bytes()).hexdigest() == checksum, path


def test_error_pages_need_nothing_but_themselves(rf: RequestFactory) -> None:
    request = rf.get("/")
    assert "Something broke" in defaults.server_error(request).content.decode()
    assert "makes no sense" in defaults.bad_request(request, Exception()).content.decode()
