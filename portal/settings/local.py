"""`make run`: one machine, real GitHub, SQLite and a folder as broker unless the environment says otherwise."""

from django.core.management.utils import get_random_secret_key

from portal.settings.base import *  # noqa: F403
from portal.settings.base import VAR_DIR, env, filesystem_broker, sqlite

VAR_DIR.mkdir(exist_ok=True)

DEBUG = env.bool("DEBUG", default=False)
SECRET_KEY = env.str("SECRET_KEY", default="") or get_random_secret_key()
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["127.0.0.1", "localhost"])
SITE_URL = env.str("SITE_URL", default="http://127.0.0.1:8000")

DATABASES = {
    "default": env.db("DATABASE_URL") if "DATABASE_URL" in env.ENVIRON else sqlite(VAR_DIR / "local.sqlite3")
}

if "REDIS_URL" in env.ENVIRON:
    CELERY_BROKER_URL = env.str("REDIS_URL")
else:
    globals().update(filesystem_broker(VAR_DIR / "local-broker"))

STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
WHITENOISE_USE_FINDERS = True

GITHUB_API_URL = env.str("GITHUB_API_URL", default="https://api.github.com")
GITHUB_WEB_URL = env.str("GITHUB_WEB_URL", default="https://github.com")
GITHUB_TOKEN = env.str("GITHUB_TOKEN", default="")
GITHUB_WEBHOOK_SECRET = env.str("GITHUB_WEBHOOK_SECRET", default="")
SOCIALACCOUNT_PROVIDERS = {
    "github": {
        "APPS": [
            {
                "client_id": env.str("GITHUB_CLIENT_ID", default=""),
                "secret": env.str("GITHUB_CLIENT_SECRET", default=""),
                "key": "",
            }
        ],
        **({} if GITHUB_WEB_URL == "https://github.com" else {"GITHUB_URL": GITHUB_WEB_URL}),
        "SCOPE": ["read:user"],
    }
}
