"""`make demo`: everything on loopback, GitHub played by the stand-in, secrets made anew at each start.

The launcher passes the secrets and addresses in the environment, so that web, worker and beat share them.
"""

from pathlib import Path

from portal.settings.base import *  # noqa: F403
from portal.settings.base import CONTENT_SECURITY_POLICY, VAR_DIR, env, filesystem_broker, sqlite

DEMO_DIR = Path(env.str("REGATTA_DEMO_DIR", default=str(VAR_DIR / "demo")))
DEMO_DIR.mkdir(parents=True, exist_ok=True)

SECRET_KEY = env.str("REGATTA_DEMO_SECRET_KEY")
ALLOWED_HOSTS = ["127.0.0.1", "localhost"]
SITE_URL = env.str("REGATTA_DEMO_URL")

DATABASES = {"default": sqlite(DEMO_DIR / "demo.sqlite3")}
globals().update(filesystem_broker(DEMO_DIR / "broker"))

STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
WHITENOISE_USE_FINDERS = True

GITHUB_API_URL = env.str("REGATTA_DEMO_GITHUB_URL")
GITHUB_WEB_URL = GITHUB_API_URL
GITHUB_TOKEN = env.str("REGATTA_DEMO_GITHUB_TOKEN")
GITHUB_WEBHOOK_SECRET = env.str("REGATTA_DEMO_WEBHOOK_SECRET")
GITHUB_SECONDS_BETWEEN_WRITES = None
CONTENT_SECURITY_POLICY["DIRECTIVES"]["form-action"].append(GITHUB_WEB_URL)
SOCIALACCOUNT_PROVIDERS = {
    "github": {
        "APPS": [{"client_id": "regatta-demo", "secret": env.str("REGATTA_DEMO_OAUTH_SECRET"), "key": ""}],
        "GITHUB_URL": GITHUB_WEB_URL,
        "SCOPE": ["read:user"],
    }
}

DEMO_SIGN_IN = True
