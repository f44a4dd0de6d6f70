"""GitHub's own examples against GitHub's own schemas: what breaks is the reviewed list, no more and no less."""

import re
from collections import defaultdict
from collections.abc import Iterator

from jsonschema.exceptions import ValidationError

from tests.github_stand_in.hooks.events import SENT
from tests.stand_in import known_exceptions
from tests.stand_in.schemas.validate import JSON, event_schema, examples, problems, rest_description

_Found = dict[str, dict[str, str]]


def _leaves(error: ValidationError) -> Iterator[ValidationError]:
    """What fits none of several alternatives, by what keeps it from fitting each of them, null left aside."""
    if not error.context:
        yield error
    for inner in error.context or ():
        if not (inner.validator == "type" and inner.validator_value == "null"):
            yield from _leaves(inner)


def _lack(error: ValidationError) -> str:
    """The one property that is missing; anything else is told in full and so never fits the list."""
    missing = re.fullmatch(r"'(\w+)' is a required property", error.message)
    return missing[1] if missing else error.message


def _faults(schema: JSON, definitions: JSON, value: JSON) -> dict[str, str]:
    found: defaultdict[str, set[str]] = defaultdict(set)
    for error in problems(schema, definitions, value):
        for leaf in _leaves(error):
            found["/".join(map(str, leaf.absolute_path))].add(_lack(leaf))
    return {place: " ".join(sorted(lacks)) for place, lacks in found.items()}


def _only_broken(found: _Found) -> _Found:
    return {name: faults for name, faults in found.items() if faults}


def test_the_webhook_examples_break_their_schemas_where_the_list_says() -> None:
    found = {
        name: _faults(*event_schema(name.partition(".")[0].split()[0], payload.get("action", "")), payload)
        for name, payload in examples()["webhooks"].items()
    }
    assert _only_broken(found) == known_exceptions.WEBHOOKS


def test_the_rest_examples_break_their_schemas_where_the_list_says() -> None:
    description = rest_description()
    found = {}
    for name, value in examples()["rest"].items():
        operation, status, _ = name.rsplit(" ", 2)
        schema = description["operations"][operation][status]["schema"]
        found[name] = _faults(schema, description["definitions"], value)
    assert _only_broken(found) == known_exceptions.REST


def test_there_are_examples_of_every_webhook_but_those_github_gives_none_for() -> None:
    """So that an empty file of examples would not pass for a faultless one."""
    shown = {name.split()[0] for name in examples()["webhooks"]}
    sent = {f"{event}.{action}".rstrip(".") for event, actions in SENT.items() for action in actions}
    assert sent - shown == {"issues.closed", "pull_request.edited", "pull_request_review.edited"}
    assert shown <= sent
    assert len(examples()["webhooks"]) > 60
    assert len(examples()["rest"]) > 15
