"""`python -m tests.house.production`: Django's checks for deployment, on the production settings, warnings included."""

import os
import subprocess
import sys

from tests.house.sources import ROOT

# Shaped like the real thing; nothing connects to them.
ENVIRONMENT = {
    "DJANGO_SETTINGS_MODULE": "portal.settings.production",
    "SECRET_KEY": "".join(chr(33 + (7 * i) % 90) for i in range(64)),
    "ALLOWED_HOSTS": "regatta.example",
    "SITE_URL": "https://regatta.example",
    "DATABASE_URL": "postgres://regatta:regatta@127.0.0.1:1/regatta",
    "REDIS_URL": "redis://127.0.0.1:1/0",
    "GITHUB_TOKEN": "github_pat_of_nobody",
    "GITHUB_WEBHOOK_SECRET": "a-secret-of-nobody-that-is-long-enough",
    "GITHUB_CLIENT_ID": "Iv1.0000000000000000",
    "GITHUB_CLIENT_SECRET": "0" * 40,
}
CHECK = ["manage.py", "check", "--deploy", "--fail-level", "WARNING"]


def main() -> int:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("REGATTA_")}
    done = subprocess.run([sys.executable, *CHECK], cwd=ROOT, env={**environment, **ENVIRONMENT}, check=False)
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
