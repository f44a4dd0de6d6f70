"""Reads docker-compose.yml as Compose does: anchors merged, variables put in, checked by the specification's schema."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from jsonschema import Draft202012Validator

from tests.house.sources import ROOT

FILE = ROOT / "docker-compose.yml"
SCHEMA = Path(__file__).parent / "compose_spec" / "compose-spec.json"
SECRETS = "/run/secrets"  # where Compose puts them
_VARIABLE = re.compile(r"\$(?:(?P<dollar>\$)|\{(?P<name>\w+)(?:(?P<how>:[-?])(?P<rest>[^}]*))?\})")


class Unset(Exception):
    """A required variable is not set; the text is what Compose would say."""


def interpolate(text: str, variables: Mapping[str, str]) -> str:
    """`$$`, `${A}`, `${A:-default}` and `${A:?what is missing}`; we use no other forms."""

    def value(match: re.Match[str]) -> str:
        if match["dollar"]:
            return "$"
        found = variables.get(match["name"], "")
        if not found and match["how"] == ":?":
            raise Unset(f"required variable {match['name']} is missing a value: {match['rest']}")
        return found or (match["rest"] or "")

    filled = _VARIABLE.sub(value, text)
    assert "$" not in _VARIABLE.sub("", text), f"a form of variable that this reader does not know: {text}"
    return filled


def _filled(node: Any, variables: Mapping[str, str]) -> Any:
    if isinstance(node, dict):
        return {key: _filled(value, variables) for key, value in node.items()}
    if isinstance(node, list):
        return [_filled(item, variables) for item in node]
    return interpolate(node, variables) if isinstance(node, str) else node


def raw() -> dict[str, Any]:
    """As it is written."""
    document: dict[str, Any] = yaml.safe_load(FILE.read_text(encoding="utf-8"))
    return document


def variables_used() -> dict[str, bool]:
    """Each variable the file asks for, and whether it must be set."""
    found = _VARIABLE.finditer(FILE.read_text(encoding="utf-8"))
    return {match["name"]: match["how"] == ":?" for match in found if match["name"]}


def complaints(document: Any) -> list[str]:
    """What the Compose Specification says against it."""
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    errors = Draft202012Validator(schema).iter_errors(document)
    return [f"{'.'.join(map(str, error.absolute_path))}: {error.message[:200]}" for error in errors]


@dataclass(frozen=True)
class Compose:
    """The file with its variables put in."""

    document: dict[str, Any]

    @classmethod
    def read(cls, variables: Mapping[str, str]) -> "Compose":
        return cls(_filled(raw(), variables))

    @property
    def services(self) -> dict[str, dict[str, Any]]:
        services: dict[str, dict[str, Any]] = self.document["services"]
        return services

    def environment(self, service: str) -> dict[str, str]:
        return {name: str(value) for name, value in self.services[service].get("environment", {}).items()}

    def command(self, service: str) -> list[str]:
        command: list[str] = self.services[service]["command"]
        return command

    def health_check(self, service: str) -> list[str] | None:
        """The command; None where the service leaves it to its image."""
        test: list[str] = self.services[service].get("healthcheck", {}).get("test", [])
        if not test:
            return None
        return ["sh", "-c", test[1]] if test[0] == "CMD-SHELL" else test[1:]

    def waits_for(self, service: str) -> dict[str, str]:
        """What has to stand before the service starts, and in which state."""
        wanted: dict[str, dict[str, str]] = self.services[service].get("depends_on", {})
        return {name: how["condition"] for name, how in wanted.items()}

    def in_starting_order(self) -> list[str]:
        """The services, each after those it waits for."""
        order: list[str] = []

        def visit(service: str, above: tuple[str, ...]) -> None:
            assert service not in above, f"{service} waits for itself"
            for other in self.waits_for(service):
                visit(other, (*above, service))
            if service not in order:
                order.append(service)

        for service in self.services:
            visit(service, ())
        return order
