"""`python -m tests.smoke`: start portal and stand-in on free ports, play the story, say how long each step took."""

import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from tests.demo.launcher import CannotStart, Launcher
from tests.demo.supervisor import Died, Stopped, stoppable
from tests.services.ports import free_port
from tests.smoke.report import Lie, Report
from tests.smoke.story import Story


def play(
    folder: Path,
    settings: str = "portal.settings.demo",
    extra: Mapping[str, str] | None = None,
    *,
    report: Report | None = None,
) -> list[str]:
    """Play it in that folder; what went wrong, with the last words of those involved, or nothing.

    The report, where one is given, keeps how long each step took.
    """
    portal = Launcher(free_port(), folder / "demo", settings, extra or {})
    report = report or Report()
    try:
        report.measure("portal and stand-in start", lambda: portal.start(with_event=False))
        Story(portal, report).play()
        portal.supervisor.check()
    except (Lie, CannotStart, Died) as problem:
        logs = [f"--- {p.name}\n{p.tail(15)}" for p in portal.supervisor.processes]
        return [str(problem), *logs]
    finally:
        portal.stop()
    return []


def main() -> int:
    with tempfile.TemporaryDirectory(prefix="regatta-smoke-") as folder, stoppable():
        try:
            problems = play(Path(folder))
        except Stopped:
            return 130
    if problems:
        print("\n".join(problems), file=sys.stderr)
        return 1
    print("Every step was true.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
