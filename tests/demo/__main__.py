"""`python -m tests.demo [--port N] [--life] [--check]`: the demo, until Ctrl-C."""

import argparse
import sys
import time
import urllib.request

from tests.demo import people, portal, scenario
from tests.demo.launcher import CannotStart, Launcher
from tests.demo.supervisor import Died, Stopped, stoppable


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="tests.demo", description="The portal beside an invented GitHub.")
    parser.add_argument(
        "--port", type=int, default=8000, help="the portal's port on 127.0.0.1 (default: 8000)"
    )
    parser.add_argument("--life", action="store_true", help="let invented people work on the tasks")
    parser.add_argument("--check", action="store_true", help="start, look whether it answers, stop")
    return parser.parse_args()


def _tell(demo: Launcher, seconds: float, *, life: bool) -> None:
    issue = f"{demo.github_url}/{scenario.REPOSITORY}/issues/{scenario.FORM_NUMBER}"
    olga, mateo, chen = people.ORGANIZER.login, people.MENTOR.login, people.CONTRIBUTOR.login
    print(
        f"""
Regatta runs at {demo.url} (ready after {seconds:.1f} s)

  GitHub's stand-in    {demo.github_url}
  the form's issue     {issue}
  sign in as           {olga} (organizer), {mateo} (mentor), {chen} (contributor): {demo.url}/sign-in/

To look at:
  {chen:<18} {demo.url}/me/                          whose turn it is, what counts and why not, an invitation
  {mateo:<18} {demo.url}/events/hackathon-3/desk/      doubts, offers, keys (?) and undo
  {olga:<18} {demo.url}/events/ccf-6/organize/        an alarm, teams, a registration list

To try:
  1. As {olga}, open the form's organizer page ({demo.url}/events/pir/organize/) and switch writing on.
  2. In the issue, comment as {chen}: 【报名】：{scenario.FREE_TASK}   Watch the board, the reply and the table.
  3. Open a pull request titled 【{scenario.PREFIX}{scenario.FREE_TASK}】, approve it, merge it. Watch the points and the leaderboard.
  {"Invented people are at work too." if life else f"4. Some life in all three events: make life PORT={demo.port}, in another terminal."}

Everything starts afresh next time. Logs: {demo.logs}. Ctrl-C stops it.""",
        flush=True,
    )


def _check(demo: Launcher) -> None:
    with urllib.request.urlopen(demo.url, timeout=20) as answer:  # noqa: S310 - our own address
        if answer.status != 200:
            raise Died(f"The home page answers {answer.status}.")


def _run(demo: Launcher, arguments: argparse.Namespace) -> None:
    began = time.monotonic()
    demo.start()
    _check(demo)
    if arguments.life:
        demo.supervisor.start(demo.command("life", "-m", "tests.demo.life", "--github", demo.github_url))
    _tell(demo, time.monotonic() - began, life=arguments.life)
    if not arguments.check:
        demo.supervisor.watch()


def main() -> int:
    arguments = _arguments()
    demo = Launcher(arguments.port, portal.ROOT / "var" / "demo" / str(arguments.port))
    with stoppable():
        try:
            print("Starting (a few seconds) …", flush=True)
            _run(demo, arguments)
        except Stopped:
            print("\nStopping …", flush=True)
        except (CannotStart, Died) as problem:
            print(problem, file=sys.stderr)
            return 1
        finally:
            demo.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main())
