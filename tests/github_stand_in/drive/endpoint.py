"""POST /_drive/VERB with a JSON object of arguments."""

from tests.github_stand_in.drive import control, pull_verbs, verbs
from tests.github_stand_in.drive.stage import VERBS, Stage
from tests.github_stand_in.errors import Refusal
from tests.github_stand_in.web.messages import Request, Response, json_response, refusal_response

PREFIX = "/_drive/"
MODULES = (control, pull_verbs, verbs)  # importing them fills VERBS


def handle(stage: Stage, request: Request) -> Response:
    """Every verb takes JSON only, so that no page elsewhere can drive us with a form."""
    name = request.path.removeprefix(PREFIX)
    try:
        if request.method != "POST" or not request.header("content-type").startswith("application/json"):
            raise Refusal(405, "POST a JSON object")
        if name == "wait_idle":
            timeout = float(request.json.get("timeout", 10))
            return json_response({"result": stage.hooks.wait_idle(min(timeout, 60))})
        return json_response({"result": _call(stage, name, request)})
    except Refusal as refusal:
        return refusal_response(refusal)


def _call(stage: Stage, name: str, request: Request) -> object:
    verb = VERBS.get(name)
    if verb is None:
        raise Refusal(404, f"no verb {name!r}")
    arguments = dict(request.json)
    at = arguments.pop("at", None) if name != "load_scenario" else None
    try:
        with stage.world.lock, stage.world.clock.pinned(at):
            return verb(stage, **arguments)
    except (TypeError, ValueError) as problem:
        raise Refusal(422, f"{name}: {problem}") from problem
