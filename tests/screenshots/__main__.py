"""`python -m tests.screenshots [--only WORD …]`: docs/screenshots, drawn anew by a real browser."""

import argparse
import sys
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from tests.screenshots import pictures, stage
from tests.screenshots.views import STATES, VIEWS, WAYS, Gallery
from tests.services.programs import find_chromium

_OPTIONS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
_OPTIONS += ["--font-render-hinting=none", "--hide-scrollbars", "--disable-lcd-text"]
_TALLEST = {1440: 1500, 390: 1300}  # longer pages are cut there; the docs shall not weigh more than the code


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="tests.screenshots", description="Pictures of the pages.")
    parser.add_argument(
        "--only", nargs="*", default=[], help="only the pictures with one of these in their name"
    )
    parser.add_argument("--whole", action="store_true", help="do not cut long pages")
    parser.add_argument(
        "--states", action="store_true", help="the pages in states that the docs do not show, instead"
    )
    parser.add_argument("--into", type=Path, default=stage.ROOT / "docs" / "screenshots")
    return parser.parse_args()


def _draw(browser: Browser, url: str, arguments: argparse.Namespace) -> int:
    gallery = Gallery(browser, url)
    blank = browser.new_page()
    total = 0
    for view in STATES if arguments.states else VIEWS:
        for way in WAYS:
            name = f"{view.name}-{way.name}"
            if not (any(word in name for word in arguments.only) if arguments.only else view.is_kept):
                continue
            page = gallery.context(view, way).new_page()
            gallery.open(page, view)
            tall = page.evaluate("document.documentElement.scrollHeight")
            height = tall if arguments.whole else min(tall, _TALLEST[way.width])
            page.set_viewport_size({"width": way.width, "height": height})
            png = pictures.reduce(blank, page.screenshot(animations="disabled"))
            page.context.close()
            (arguments.into / f"{name}.png").write_bytes(png)
            total += len(png)
            print(f"{name}.png  {len(png) / 1000:.0f} kB", flush=True)
    return total


def main() -> int:
    arguments = _arguments()
    arguments.into.mkdir(parents=True, exist_ok=True)
    with stage.running(with_states=arguments.states) as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=_OPTIONS)
        total = _draw(browser, url, arguments)
        browser.close()
    print(f"{total / 1e6:.1f} MB in {arguments.into}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
