"""Cuts GitHub's published schemas and examples down to what the stand-in answers.

npm pack @octokit/openapi @octokit/graphql-schema @octokit/webhooks-schemas @octokit/webhooks-examples
python -m tests.stand_in.schemas.trim FOLDER     # in which the four are unpacked, each under the name of its archive
"""

import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from tests.github_stand_in.hooks.events import SENT
from tests.stand_in.schemas.trim_graphql import trimmed

FOLDER = Path(__file__).parent
SHAPES = [
    "author-association",
    "commit",
    "email",
    "full-repository",
    "issue",
    "issue-comment",
    "label",
    "private-user",
    "public-user",
    "pull-request",
    "pull-request-review",
    "pull-request-simple",
    "rate-limit-overview",
    "reaction",
    "repository-collaborator-permission",
    "validation-error",
]
# What the portal asks of GitHub: test_rest_operations.py compares this with what its gateway really sends.
OPERATIONS = {
    "/rate_limit": "get",
    "/repos/{owner}/{repo}": "get",
    "/repos/{owner}/{repo}/commits": "get",
    "/repos/{owner}/{repo}/issues/comments/{comment_id}": "get patch",
    "/repos/{owner}/{repo}/issues/comments/{comment_id}/reactions": "get post",
    "/repos/{owner}/{repo}/issues/comments/{comment_id}/reactions/{reaction_id}": "delete",
    "/repos/{owner}/{repo}/issues/{issue_number}": "get patch",
    "/repos/{owner}/{repo}/issues/{issue_number}/comments": "get post",
    "/repos/{owner}/{repo}/pulls": "get",
    "/repos/{owner}/{repo}/pulls/{pull_number}": "get",
    "/repos/{owner}/{repo}/pulls/{pull_number}/commits": "get",
    "/repos/{owner}/{repo}/pulls/{pull_number}/reviews": "get",
    "/user": "get",
    "/users/{username}": "get",
}
JSON = dict[str, Any]
_SHARE_FROM = 200  # characters; what is longer and says the same is written once
_PROSE = {"description", "example", "examples", "externalDocs", "title", "tsAdditionalProperties"}


def without_prose(node: Any, *, names: bool = False) -> Any:
    """The schema without its explanations; `names` says that the keys are property names and all stay."""
    if isinstance(node, list):
        return [without_prose(item) for item in node]
    if not isinstance(node, dict):
        return node
    kept = (
        node.items()
        if names
        else [(k, v) for k, v in node.items() if k not in _PROSE and not k.startswith("x-")]
    )
    return {
        key: without_prose(value, names=key in ("properties", "definitions") and not names)
        for key, value in kept
    }


def references(node: Any) -> set[str]:
    if isinstance(node, list):
        return set().union(*map(references, node)) if node else set()
    if not isinstance(node, dict):
        return set()
    own = {node["$ref"].rpartition("/")[2]} if isinstance(node.get("$ref"), str) else set()
    return own.union(*map(references, node.values()))


def reachable(schemas: dict[str, Any], roots: list[str]) -> dict[str, Any]:
    chosen: dict[str, Any] = {}
    waiting = list(roots)
    while waiting:
        name = waiting.pop()
        if name not in chosen:
            chosen[name] = without_prose(schemas[name])
            waiting += references(chosen[name])
    return dict(sorted(chosen.items()))


def _write(name: str, value: object) -> None:
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=False)
    (FOLDER / name).write_text(text.replace('"},"', '"},\n"') + "\n", encoding="utf-8")


def _resolved(description: JSON, node: JSON) -> JSON:
    """What a `$ref` at the top of this node points to."""
    while "$ref" in node:
        target: JSON = description
        for step in node["$ref"].removeprefix("#/").split("/"):
            target = target[step]
        node = target
    return node


def _operations(description: JSON) -> dict[str, JSON]:
    """By verb and path: each documented status with the schema of its body and the names of its headers."""
    operations: dict[str, JSON] = {}
    for path, verbs in OPERATIONS.items():
        for verb in verbs.split():
            answers = operations[f"{verb.upper()} {path}"] = {}
            for status, answer in description["paths"][path][verb]["responses"].items():
                answer = _resolved(description, answer)
                body = answer.get("content", {}).get("application/json", {}).get("schema")
                answers[status] = {
                    "schema": without_prose(body),
                    "headers": sorted(answer.get("headers", {})),
                }
    return operations


def _rest_examples(description: JSON) -> dict[str, Any]:
    """GitHub's own examples of these answers, by operation, status and the example's name."""
    found: dict[str, Any] = {}
    for path, verbs in OPERATIONS.items():
        for verb in verbs.split():
            for status, answer in description["paths"][path][verb]["responses"].items():
                content = _resolved(description, answer).get("content", {}).get("application/json", {})
                for name, example in content.get("examples", {}).items():
                    value = _resolved(description, example)["value"]
                    if isinstance(value, dict) and "$ref" in value:  # two of theirs point on from within
                        value = _resolved(description, value)["value"]
                    found[f"{verb.upper()} {path} {status} {name}"] = value
    return found


def _hook_examples(published: list[JSON]) -> dict[str, Any]:
    """GitHub's own examples of our webhooks, by event, action and a running number."""
    found: dict[str, Any] = {}
    count: Counter[str] = Counter()
    for kind in published:
        for example in kind["examples"]:
            action = example.get("action", "")
            if action in SENT.get(kind["name"], ()):
                name = f"{kind['name']}.{action}".rstrip(".")
                count[name] += 1
                found[f"{name} {count[name]}"] = example
    return found


def shared(value: Any, pool: dict[str, int]) -> Any:
    """The value with its larger objects replaced by their number in the pool; `validate.whole` undoes it."""
    if isinstance(value, list):
        return [shared(item, pool) for item in value]
    if not isinstance(value, dict):
        return value
    small = {key: shared(item, pool) for key, item in value.items()}
    text = json.dumps(small)
    return {"$shared": pool.setdefault(text, len(pool))} if len(text) > _SHARE_FROM else small


def main(folder: str) -> None:
    def package(name: str, file: str) -> str:
        (found,) = Path(folder).glob(f"octokit-{name}-*/package/{file}")
        return found.read_text(encoding="utf-8")

    rest = json.loads(package("openapi", "generated/api.github.com.json"))
    operations = _operations(rest)
    shapes = reachable(rest["components"]["schemas"], [*SHAPES, *references(operations)])
    text = json.dumps({"operations": operations, "definitions": shapes})
    _write("openapi.json", json.loads(text.replace("#/components/schemas/", "#/definitions/")))

    events = json.loads(package("webhooks-schemas", "schema.json"))["definitions"]
    roots = [f"{event}${action or 'event'}" for event, actions in SENT.items() for action in actions]
    _write("webhooks.json", {"definitions": reachable(events, roots)})

    pool: dict[str, int] = {}
    hooks = _hook_examples(json.loads(package("webhooks-examples", "api.github.com/index.json")))
    examples = {"rest": shared(_rest_examples(rest), pool), "webhooks": shared(hooks, pool)}
    _write("examples.json", {**examples, "shared": [json.loads(item) for item in pool]})

    (FOLDER / "schema.graphql").write_text(
        trimmed(package("graphql-schema", "schema.graphql")), encoding="utf-8"
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
