"""`make bench`: measures, prints a table, and writes `bench/results.json`.

Runs inside `python -m tests.services`, which provides PostgreSQL and Redis of its own; settings are those of production.
"""

import json
import os
import secrets
import sys
from pathlib import Path

RESULTS = Path(__file__).with_name("results.json")


def main() -> int:
    """All figures, or those of the parts named on the command line (reading, pages, desk, story)."""
    _use_production_settings()
    from bench import desk, pages, reading, story
    from portal.common import memory

    memory.settle()  # as portal.wsgi and the workers do
    parts = {"reading": reading.measure, "pages": pages.measure, "desk": desk.measure, "story": story.measure}
    wanted = sys.argv[1:] or list(parts)
    figures: dict[str, float] = {}
    for part in wanted:
        figures |= parts[part]()
    for name, figure in figures.items():
        sys.stdout.write(f"{name:<28} {figure:>12.3f}\n")
    if not sys.argv[1:]:
        RESULTS.write_text(json.dumps(figures, indent=2) + "\n")
    return 0


def _use_production_settings() -> None:
    os.environ |= {
        "DJANGO_SETTINGS_MODULE": "portal.settings.production",
        "SECRET_KEY": secrets.token_urlsafe(50),
        "ALLOWED_HOSTS": "testserver",
        "SITE_URL": "https://testserver",
        "GITHUB_TOKEN": "not-used-here",
        "GITHUB_WEBHOOK_SECRET": secrets.token_hex(32),
        "GITHUB_CLIENT_ID": "bench",
        "GITHUB_CLIENT_SECRET": secrets.token_hex(16),
    }
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)


if __name__ == "__main__":
    sys.exit(main())
