"""Every fault of a configuration has a sentence of its own, in both languages."""

import re
from pathlib import Path

import pytest
from django.utils import translation

import tasks_board.configurations
from claims.births.configuration_words import configuration_sentence
from tasks_board.configurations.hackathonbot import read_entry
from tasks_board.configurations.model import Problem

SOURCES = Path(tasks_board.configurations.__path__[0])
NAMED = re.compile(r'(?:Problem|_note)\(\s*"([a-z_]+)"')
CODES = sorted({code for file in SOURCES.glob("*.py") for code in NAMED.findall(file.read_text("utf-8"))})


@pytest.mark.parametrize("code", CODES)
def test_it_is_said(code: str) -> None:
    said = []
    for language in ("en", "zh-hans"):
        with translation.override(language):
            said.append(configuration_sentence(Problem(code, "what was written")))
    english, chinese = said
    assert english.endswith((".", "what was written"))
    assert english != chinese


def test_no_fault_is_forgotten() -> None:
    assert len(CODES) == 16


def test_it_names_what_was_written() -> None:
    entry = read_entry(
        {"issue_url": "https://github.com/a/b/issues/1", "issue_name": "x", "start_time": "soon"}
    )
    assert [configuration_sentence(problem) for problem in entry.problems] == [
        "This time was not understood, and pull requests count from any time: soon"
    ]
