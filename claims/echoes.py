"""Somebody's words in a text of ours: inert data, whatever they wrote."""

ECHO_LIMIT = 80
REASON_LIMIT = 400  # of a mentor's reason, which its claimant has to read whole


def echo(text: str, limit: int = ECHO_LIMIT) -> str:
    """Somebody's words as inert data: one code span of at most so many characters, no backtick, no line break."""
    flat = " ".join(text.replace("`", "'").split())
    if len(flat) > limit:
        flat = flat[: limit - 1] + "…"
    return f"`{flat or ' '}`"
