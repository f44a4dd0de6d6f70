"""The Dockerfile: small, without powers, and with nothing in it that does not run."""

import json
import re
from pathlib import Path

import pytest

from tests.containers import dockerfile
from tests.containers.dockerfile import instructions, is_ignored
from tests.house import addresses
from tests.house.sources import ROOT, list_files

BUILD, FINAL = dockerfile.read()
PACKAGES = {"portal", "tasks_board", "claims", "rewards"}


def _runs(stage: dockerfile.Stage) -> str:
    return "\n".join(step.rest for step in stage.all("RUN"))


class TestStages:
    def test_there_are_two_from_the_same_base(self) -> None:
        assert (BUILD.name, FINAL.name) == ("build", "")
        assert BUILD.image == FINAL.image
        assert re.fullmatch(r"python:3\.\d+-slim-[a-z]+", FINAL.image)

    def test_python_is_the_one_the_lock_was_made_for(self) -> None:
        project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
        version = re.search(r'python_version = "(3\.\d+)"', project)
        assert version is not None
        assert FINAL.image.startswith(f"python:{version[1]}-")

    def test_the_final_one_takes_only_what_was_built(self) -> None:
        assert FINAL.copies() == []
        assert [copy.words()[1:] for copy in FINAL.all("COPY")] == [
            ["/opt/regatta", "/opt/regatta"],
            ["/srv/regatta", "/srv/regatta"],
        ]
        assert not re.search(r"\b(pip|apt-get)\b", _runs(FINAL))

    def test_packages_are_installed_by_the_lock(self) -> None:
        assert "--require-hashes -r /srv/regatta/requirements.lock" in _runs(BUILD)

    def test_styles_and_translations_are_made_at_build(self) -> None:
        assert "manage.py collectstatic" in _runs(BUILD)
        assert "manage.py compilemessages" in _runs(BUILD)

    def test_no_registry_is_named(self) -> None:
        assert (
            addresses.breaches([Path("Dockerfile"), Path("docker-compose.yml"), Path(".dockerignore")]) == []
        )
        for stage in (BUILD, FINAL):
            assert "/" not in stage.image
        assert "://" not in _runs(BUILD) + _runs(FINAL)


class TestRunning:
    def test_not_as_root(self) -> None:
        user, _, group = FINAL.last("USER").rest.partition(":")
        assert int(user) >= 1000
        assert int(group) >= 1000
        after = FINAL.instructions[FINAL.instructions.index(FINAL.last("USER")) :]
        assert not [instruction for instruction in after if instruction.word in ("RUN", "COPY")]

    def test_the_code_is_not_its_own_to_change(self) -> None:
        assert "--chown" not in "".join(copy.rest for copy in FINAL.all("COPY"))

    def test_it_says_whether_it_is_well(self) -> None:
        assert "/healthz" in " ".join(dockerfile.health_check(FINAL))

    def test_it_is_production(self) -> None:
        assert FINAL.environment()["DJANGO_SETTINGS_MODULE"] == "portal.settings.production"

    def test_signals_reach_the_program(self) -> None:
        assert isinstance(json.loads(FINAL.last("CMD").rest), list)

    def test_no_secret_is_baked_in(self) -> None:
        text = dockerfile.FILE.read_text(encoding="utf-8")
        assert not re.search(r"(SECRET_KEY|TOKEN|PASSWORD|CLIENT_SECRET)\s*=", text)


class TestContent:
    copied = {source for sources, _ in BUILD.copies() for source in sources}

    def test_everything_that_runs_is_copied(self) -> None:
        assert self.copied == {
            *PACKAGES,
            *("manage.py", "templates", "static", "locale", "requirements.lock", "LICENSE"),
        }

    def test_dockerignore_lets_through_what_is_copied_and_nothing_else(self) -> None:
        reaching = {path for path in list_files() if not is_ignored(path)}
        assert {path.parts[0] for path in reaching} == self.copied

    @pytest.mark.parametrize(
        "name",
        [
            *(".git/config", ".venv/bin/python", ".env", "secrets/github_token", "var/local.sqlite3"),
            *("tests/conftest.py", "docs/running.md", "portal/__pycache__/urls.cpython-311.pyc"),
            *("portal/settings/demo.py", "portal/settings/test.py", "locale/zh_Hans/LC_MESSAGES/django.mo"),
        ],
    )
    def test_these_stay_out(self, name: str) -> None:
        assert is_ignored(Path(name))

    @pytest.mark.parametrize(
        "name", ["manage.py", "portal/settings/production.py", "locale/zh_Hans/LC_MESSAGES/django.po"]
    )
    def test_these_go_in(self, name: str) -> None:
        assert not is_ignored(Path(name))


def test_instructions_are_read_over_several_lines() -> None:
    text = '# a comment\nFROM a AS b\nRUN one \\\n # within\n && two\nCMD ["x", \\\n  "y z"]\n'
    read = instructions(text)
    assert [(each.word, each.rest) for each in read[:2]] == [("FROM", "a AS b"), ("RUN", "one && two")]
    assert read[2].words() == ["x", "y z"]
