"""The production settings as the container files give them their variables."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.containers.image import clean_environment
from tests.house.production import ENVIRONMENT
from tests.house.sources import ROOT

ASKED = """
import json
from portal.settings import production as p
provider = p.SOCIALACCOUNT_PROVIDERS["github"]
print(json.dumps({
    "password": p.DATABASES["default"]["PASSWORD"], "host": p.DATABASES["default"]["HOST"],
    "token": p.GITHUB_TOKEN, "github": provider.get("GITHUB_URL"), "forms": p.CONTENT_SECURITY_POLICY["DIRECTIVES"]["form-action"],
    "redirect": p.SECURE_SSL_REDIRECT, "cookies": [p.SESSION_COOKIE_SECURE, p.CSRF_COOKIE_SECURE], "proxy": p.SECURE_PROXY_SSL_HEADER,
}))
"""


def ask(**variables: str) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-c", ASKED],
        cwd=ROOT,
        env=clean_environment(**{**ENVIRONMENT, **variables}),
        capture_output=True,
        text=True,
        check=True,
    )
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


@pytest.mark.processes
class TestProduction:
    def test_secrets_come_from_files_without_their_line_break(self, tmp_path: Path) -> None:
        for name, value in (("token", "ghp_1\n"), ("password", "p:a/s@s\r\n")):
            (tmp_path / name).write_text(value, encoding="ascii", newline="")
        said = ask(
            GITHUB_TOKEN_FILE=str(tmp_path / "token"),
            DATABASE_PASSWORD_FILE=str(tmp_path / "password"),
            DATABASE_URL="postgres://regatta@database:5432/regatta",
        )
        assert (said["token"], said["password"], said["host"]) == ("ghp_1", "p:a/s@s", "database")

    def test_alone_it_is_github_com_behind_https(self) -> None:
        said = ask()
        assert said["github"] is None  # allauth's own default, whose API has a host of its own
        assert said["forms"] == ["'self'", "https://github.com"]
        assert said["password"] == "regatta"
        assert (said["redirect"], said["cookies"]) == (True, [True, True])
        assert said["proxy"] == ["HTTP_X_FORWARDED_PROTO", "https"]

    def test_sign_in_follows_an_own_github(self) -> None:
        said = ask(GITHUB_WEB_URL="https://github.example/")
        assert said["github"] == "https://github.example"
        assert said["forms"] == ["'self'", "https://github.example"]

    def test_plain_http_is_two_words(self) -> None:
        said = ask(SSL_REDIRECT="false", BEHIND_PROXY="false")
        assert (said["redirect"], said["cookies"], said["proxy"]) == (False, [False, False], None)
