"""docker-compose.yml: right by the Compose Specification, and as docs/running.md says."""

import json
from typing import Any

import pytest

from tests.containers import compose, dockerfile
from tests.containers.compose import Compose, Unset, interpolate
from tests.house.sources import ROOT

OURS = ("migrate", "web", "worker", "beat")
FILLED_IN = {
    "SITE_URL": "https://regatta.example",
    "ALLOWED_HOSTS": "regatta.example",
    "GITHUB_CLIENT_ID": "Iv1.0000000000000000",
}
RUNNING = (ROOT / "docs" / "running.md").read_text(encoding="utf-8")


@pytest.fixture
def filled() -> Compose:
    return Compose.read(FILLED_IN)


class TestSpecification:
    def test_it_holds_as_written_and_filled_in(self, filled: Compose) -> None:
        assert compose.complaints(compose.raw()) == []
        assert compose.complaints(filled.document) == []

    def test_the_schema_would_notice(self, filled: Compose) -> None:
        filled.services["web"]["comand"] = ["gunicorn"]
        assert "comand" in " ".join(compose.complaints(filled.document))

    def test_whatever_is_named_is_there(self, filled: Compose) -> None:
        for name, service in filled.services.items():
            assert set(service.get("secrets", [])) <= set(filled.document["secrets"]), name
            assert set(service.get("networks", [])) <= set(filled.document["networks"]), name
            assert set(filled.waits_for(name)) <= set(filled.services), name
            for volume in service.get("volumes", []):
                assert volume.partition(":")[0] in filled.document["volumes"]

    def test_who_waits_for_health_waits_for_something_that_tells(self, filled: Compose) -> None:
        for name in filled.services:
            for other, condition in filled.waits_for(name).items():
                if condition == "service_healthy":
                    assert filled.health_check(other), f"{name} waits for {other}"


class TestShape:
    def test_migrations_come_before_everything_of_ours(self, filled: Compose) -> None:
        for name in ("web", "worker", "beat"):
            assert filled.waits_for(name)["migrate"] == "service_completed_successfully"
        assert filled.services["migrate"]["restart"] == "no"
        assert filled.in_starting_order()[:2] == ["database", "migrate"]

    def test_web_and_worker_scale_and_beat_does_not(self) -> None:
        many = Compose.read({**FILLED_IN, "WEB_REPLICAS": "3", "WORKER_REPLICAS": "4", "BEAT_REPLICAS": "5"})
        replicas = {name: many.services[name]["deploy"]["replicas"] for name in ("web", "worker", "beat")}
        assert replicas == {"web": "3", "worker": "4", "beat": 1}

    def test_ours_are_one_image_with_no_powers(self, filled: Compose) -> None:
        for name in OURS:
            service = filled.services[name]
            assert service["image"] == "regatta:local"
            assert (service["read_only"], service["cap_drop"]) == (True, ["ALL"])
            assert service["security_opt"] == ["no-new-privileges:true"]
            assert not service.get("privileged")

    def test_images_are_pinned_and_name_no_address(self, filled: Compose) -> None:
        for name in ("database", "redis"):
            image, _, version = filled.services[name]["image"].partition(":")
            assert "." not in image
            assert version[0].isdigit()

    def test_only_web_is_reached_from_outside_and_only_from_this_machine(self, filled: Compose) -> None:
        published = {
            name: service["ports"] for name, service in filled.services.items() if "ports" in service
        }
        assert published == {"web": ["127.0.0.1:8000:8000"]}
        assert filled.document["networks"]["inside"] == {"internal": True}
        for name in ("database", "redis"):
            assert filled.services[name]["networks"] == ["inside"]

    def test_a_stop_gives_jobs_and_requests_the_time_they_may_take(self, filled: Compose) -> None:
        from django.conf import settings

        assert filled.services["worker"]["stop_grace_period"] == "5m"
        assert settings.CELERY_TASK_TIME_LIMIT <= 300
        assert "--graceful-timeout=30" in filled.command("web")
        assert filled.services["web"]["stop_grace_period"] == "40s"

    def test_web_starts_as_the_image_alone_does(self, filled: Compose) -> None:
        assert filled.command("web") == dockerfile.read()[-1].last("CMD").words()

    def test_the_access_log_goes_to_stdout_without_queries(self, filled: Compose) -> None:
        words = filled.command("web")
        assert "--access-logfile=-" in words
        log_format = next(word for word in words if word.startswith("--access-logformat"))
        assert not {"%(q)s", "%(r)s", "%(f)s"} & set(log_format.partition("=")[2].split())


class TestSecrets:
    def test_none_stands_in_the_environment(self, filled: Compose) -> None:
        for name in filled.services:
            for variable, value in filled.environment(name).items():
                if any(word in variable for word in ("SECRET", "TOKEN", "PASSWORD", "KEY")):
                    assert variable.endswith("_FILE"), variable
                    assert value.removeprefix(f"{compose.SECRETS}/") in filled.services[name]["secrets"]

    def test_they_are_kept_out_of_the_repository_and_the_image(self) -> None:
        ignored = (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()
        assert {"/secrets/", "/.env"} <= set(ignored)
        for name in ("secrets", ".env"):
            assert not any(
                name in source for sources, _ in dockerfile.read()[0].copies() for source in sources
            )


class TestDocumentation:
    def test_every_variable_is_explained(self) -> None:
        assert [name for name in compose.variables_used() if f"`{name}`" not in RUNNING] == []

    def test_every_secret_is_explained(self) -> None:
        assert [name for name in compose.raw()["secrets"] if name not in RUNNING] == []

    def test_what_must_be_set_is_what_the_tests_set(self) -> None:
        required = {name for name, must in compose.variables_used().items() if must}
        assert required == set(FILLED_IN)


class TestInterpolation:
    @pytest.mark.parametrize(
        ("text", "value"),
        [
            ("$$A", "$A"),
            ("${A}", "1"),
            ("${A:-2}", "1"),
            ("${B:-2}", "2"),
            ("${EMPTY:-2}", "2"),
            ("${B}", ""),
        ],
    )
    def test_forms(self, text: str, value: str) -> None:
        assert interpolate(text, {"A": "1", "EMPTY": ""}) == value

    def test_what_must_be_set_is_asked_for(self) -> None:
        with pytest.raises(Unset, match="required variable A is missing a value: say it"):
            interpolate("${A:?say it}", {})

    @pytest.mark.parametrize("missing", sorted(FILLED_IN))
    def test_it_does_not_start_without(self, missing: str) -> None:
        variables: dict[str, Any] = {**FILLED_IN}
        del variables[missing]
        with pytest.raises(Unset, match=missing):
            Compose.read(variables)


def test_the_schema_is_the_published_one() -> None:
    assert json.loads(compose.SCHEMA.read_text(encoding="utf-8"))["title"] == "Compose Specification"
