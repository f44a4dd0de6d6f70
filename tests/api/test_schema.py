"""The committed schema is what the code says, and what the code says is how it answers."""

import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from django.conf import settings
from django.core.management import call_command

from tests.api.scenes import Scene, fetch
from tests.pages.scenes import client_of

COMMITTED = Path(settings.BASE_DIR) / "docs/api/openapi.yaml"
SCHEMA: dict[str, Any] = yaml.safe_load(COMMITTED.read_text(encoding="utf-8"))
PATHS = sorted(SCHEMA["paths"])


def conforms(answer: object, schema: dict[str, Any]) -> None:
    """Raises where the answer differs; what the schema does not name differs too."""
    components = {name: closed(component) for name, component in SCHEMA["components"]["schemas"].items()}
    whole = {**schema, "components": {"schemas": components}}
    jsonschema.Draft202012Validator(whole).validate(answer)


def closed(component: dict[str, Any]) -> dict[str, Any]:
    is_plain = "properties" in component and "additionalProperties" not in component
    return {**component, "additionalProperties": False} if is_plain else component


def answer_of(path: str, code: str = "200") -> dict[str, Any]:
    operation = SCHEMA["paths"][path]["get"]
    schema: dict[str, Any] = operation["responses"][code]["content"]["application/json"]["schema"]
    return schema


def test_the_committed_schema_is_what_the_code_says(tmp_path: Path) -> None:
    fresh = tmp_path / "openapi.yaml"
    call_command("spectacular", "--validate", "--fail-on-warn", "--file", str(fresh))
    assert fresh.read_text(encoding="utf-8") == COMMITTED.read_text(encoding="utf-8"), "run make api-schema"


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_the_served_schema_is_the_committed_one(language: str, db: None) -> None:
    response = client_of(None, language).get("/api/v1/openapi.yaml")
    assert response.content == COMMITTED.read_bytes()
    assert response["Content-Type"] == "application/yaml"


@pytest.mark.parametrize("path", PATHS)
def test_every_endpoint_answers_as_documented(path: str, scene: Scene) -> None:
    for login in ("alice", "旧名/字"):
        where = {"slug": "pir", "id": scene.tasks[1].pk, "login": login}
        reader = scene.alice if path.endswith("/notices/") else None
        answer = fetch(path.removeprefix("/api/v1/").format(**where), reader)
        conforms(answer, answer_of(path))
        if "results" in answer and login == "alice":
            assert answer["results"]


def test_what_is_in_no_schema_does_not_conform(scene: Scene) -> None:
    with pytest.raises(jsonschema.ValidationError):
        conforms({**fetch("events/pir/"), "extra": 1}, answer_of("/api/v1/events/{slug}/"))


def test_everything_documented_is_a_get() -> None:
    assert {verb for path in SCHEMA["paths"].values() for verb in path} == {"get"}


def test_every_documented_parameter_is_described() -> None:
    operations = [path["get"] for path in SCHEMA["paths"].values()]
    queries = [p for operation in operations for p in operation.get("parameters", []) if p["in"] == "query"]
    assert [p["name"] for p in queries if not p.get("description")] == []


def test_a_refusal_conforms_as_well(scene: Scene) -> None:
    response = client_of(None).get("/api/v1/events/none/")
    conforms(response.json(), answer_of("/api/v1/events/{slug}/", "default"))


def test_no_answer_knows_an_address_of_mail(scene: Scene) -> None:
    for path in PATHS:
        where = {"slug": "pir", "id": scene.tasks[1].pk, "login": "alice"}
        text = client_of(scene.olga).get(path.format(**where)).content.decode()
        assert not re.search(r"@example|e-?mail", text, re.IGNORECASE), path
