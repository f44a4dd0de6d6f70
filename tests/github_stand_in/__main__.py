"""python -m tests.github_stand_in --port 0 --webhook-url URL --webhook-secret-env NAME [--state FILE]"""

import argparse
import json
import os
import signal
import threading
from pathlib import Path

from tests.github_stand_in.app import StandIn
from tests.github_stand_in.hooks.delivery import Target
from tests.github_stand_in.state.clock import Clock
from tests.github_stand_in.state.world import World
from tests.github_stand_in.web.server import StandInServer

_SAVE_SECONDS = 2.0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="tests.github_stand_in", description="A stand-in for GitHub.")
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: loopback)")
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
    parser.add_argument("--allow-host", action="append", default=[], help="a further Host name to answer to")
    parser.add_argument("--public-url", help="its address as webhooks write it (default: where it listens)")
    parser.add_argument("--webhook-url", help="where to send webhooks")
    parser.add_argument("--webhook-secret-env", help="environment variable with the webhooks' secret")
    parser.add_argument(
        "--token-env", action="append", default=[], metavar="NAME=LOGIN", help="accept this token"
    )
    parser.add_argument("--state", type=Path, help="JSON file to load and save the state")
    parser.add_argument(
        "--scenario", type=Path, help="JSON scenario to play at the start, if the state is empty"
    )
    parser.add_argument(
        "--with-parent", action="store_true", help="end when the process that started it does"
    )
    parser.add_argument("--clock", default="0", help="offset (+3600, -2d) or a moment to start at")
    return parser.parse_args()


def _target(arguments: argparse.Namespace) -> Target | None:
    if not arguments.webhook_url:
        return None
    name = arguments.webhook_secret_env
    return Target(arguments.webhook_url, os.environ[name] if name else "")


def _save(world: World, path: Path) -> None:
    draft = path.with_suffix(".tmp")
    draft.write_text(json.dumps(world.dump(), ensure_ascii=False), encoding="utf-8")
    draft.replace(path)


def _prepare(stand_in: StandIn, arguments: argparse.Namespace) -> None:
    if arguments.state and arguments.state.exists():
        stand_in.world.restore(json.loads(arguments.state.read_text(encoding="utf-8")))
    if arguments.scenario and not stand_in.world.store.data.users:
        stand_in.play(json.loads(arguments.scenario.read_text(encoding="utf-8")))
    for pair in arguments.token_env:
        name, _, login = pair.partition("=")
        stand_in.accept_token(os.environ[name], login)


def main() -> None:
    arguments = _arguments()
    server = StandInServer((arguments.host, arguments.port), set(arguments.allow_host))
    own_url = f"http://{arguments.host}:{server.port}"
    world = World(arguments.public_url or own_url, clock=Clock(arguments.clock))
    stand_in = StandIn(world, _target(arguments))
    _prepare(stand_in, arguments)
    server.application = stand_in.handle
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    print(f"stand-in ready {own_url}", flush=True)
    _run(world, arguments.state, stop, os.getppid() if arguments.with_parent else None)
    server.shutdown()
    server.server_close()


def _run(world: World, path: Path | None, stop: threading.Event, parent: int | None) -> None:
    """Keep the state file up to date until told to stop, or until the parent is gone."""
    saved = -1
    while not stop.wait(_SAVE_SECONDS) and parent in (None, os.getppid()):
        if path and world.revision != saved:
            saved = world.revision
            _save(world, path)
    if path:
        _save(world, path)


if __name__ == "__main__":
    main()
