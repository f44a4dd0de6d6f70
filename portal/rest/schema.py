"""What the schema says beside the endpoints."""

from typing import Any

_REFUSAL = {
    "type": "object",
    "description": "Why there is no answer.",
    "properties": {
        "code": {"type": "string", "description": "Stable, for programs."},
        "message": {"type": "string", "description": "For people, in the language asked for."},
    },
    "required": ["code", "message"],
}


def add_refusals(result: dict[str, Any], **options: Any) -> dict[str, Any]:
    """Every endpoint may refuse, always in the same shape."""
    result["components"]["schemas"]["Refusal"] = _REFUSAL
    content = {"application/json": {"schema": {"$ref": "#/components/schemas/Refusal"}}}
    for path in result["paths"].values():
        for operation in path.values():
            operation["responses"]["default"] = {"description": "A refusal", "content": content}
    return result
