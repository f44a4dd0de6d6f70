"""The test suite: PostgreSQL and Redis on the ports that `make test` started, GitHub played by the stand-in."""

import sys

from portal.settings.base import *  # noqa: F403
from portal.settings.base import VAR_DIR, env, sqlite

SECRET_KEY = "only-for-tests"  # noqa: S105
ALLOWED_HOSTS = ["testserver", "127.0.0.1", "localhost"]
SITE_URL = "http://testserver"

# Without DATABASE_URL (the type checker, migrations checks) nothing ever connects.
DATABASES = {
    "default": {**env.db("DATABASE_URL"), "TEST": {"TEMPLATE": "template0"}}
    if "DATABASE_URL" in env.ENVIRON
    else sqlite(VAR_DIR / "test.sqlite3")
}
CELERY_BROKER_URL = env.str("REDIS_URL", default="memory://")
CELERY_BROKER_TRANSPORT_OPTIONS = {"visibility_timeout": 600}
CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.InMemoryStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
WHITENOISE_AUTOREFRESH = True

GITHUB_TOKEN = "token-of-the-portal"  # noqa: S105
GITHUB_WEBHOOK_SECRET = "hook-secret"  # noqa: S105
GITHUB_SECONDS_BETWEEN_WRITES = None
SOCIALACCOUNT_PROVIDERS = {
    "github": {
        "APPS": [{"client_id": "regatta-test", "secret": "oauth-secret", "key": ""}],
        "SCOPE": ["read:user"],
    }
}
TESTING = "pytest" in sys.modules
