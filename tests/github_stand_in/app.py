"""The whole stand-in behind one function: faults first, then the driving API, the API, the pages."""

import time
from typing import Any

from tests.github_stand_in.api import Api, is_api_path
from tests.github_stand_in.drive import endpoint as drive
from tests.github_stand_in.drive.faults import Fault, Faults
from tests.github_stand_in.drive.stage import VERBS, Stage
from tests.github_stand_in.hooks.delivery import Target
from tests.github_stand_in.hooks.queue import HookQueue
from tests.github_stand_in.pages.site import Site
from tests.github_stand_in.state.world import World
from tests.github_stand_in.web.messages import Request, Response

_LOG_LIMIT = 20_000


class StandIn:
    def __init__(self, world: World, target: Target | None) -> None:
        self.world = world
        self.stage = Stage(world, HookQueue(target), Api(world), Faults())
        self.site = Site(world)
        world.listener = self.stage.hooks.accept

    def play(self, scenario: dict[str, Any]) -> None:
        VERBS["load_scenario"](self.stage, scenario=scenario)

    def accept_token(self, token: str, login: str) -> None:
        VERBS["set_token"](self.stage, token=token, login=login)

    def handle(self, request: Request) -> Response:
        if request.path.startswith(drive.PREFIX):
            return drive.handle(self.stage, request)
        if not is_api_path(request.path):
            with self.world.lock:
                return self.site.handle(request)
        return self._api(request)

    def _api(self, request: Request) -> Response:
        started = time.monotonic()
        with self.world.lock:
            fault = self.stage.faults.take(request)
        response = self._api_with(fault, request)
        self._log(request, response, fault, started)
        return response

    def _api_with(self, fault: Fault | None, request: Request) -> Response:
        if fault is not None and fault.seconds:
            time.sleep(fault.seconds)
        passes = fault is None or fault.after or fault.kind == "latency"
        if passes:
            with self.world.lock:
                response = self.stage.api.handle(request)
        if fault is None or fault.kind == "latency":
            return response
        return fault.response(request)

    def _log(self, request: Request, response: Response, fault: Fault | None, started: float) -> None:
        with self.world.lock:
            log = self.stage.requests
            log.append(
                {
                    "at": time.time(),
                    "method": request.method,
                    "path": request.path,
                    "query": request.query,
                    "status": response.status,
                    "fault": fault.kind if fault else None,
                    "seconds": round(time.monotonic() - started, 5),
                }
            )
            del log[:-_LOG_LIMIT]
