"""Production: PostgreSQL, Redis, real GitHub; a missing or wrong variable stops the start with its name.

Every variable may also be given as NAME_FILE with the path of a secret.
"""

from csp.constants import SELF

from portal.settings.base import *  # noqa: F403
from portal.settings.base import CONTENT_SECURITY_POLICY, REST_FRAMEWORK
from portal.settings.secret_files import Env

env = Env()

SECRET_KEY = env.str("SECRET_KEY")
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS")
SITE_URL = env.str("SITE_URL")
CSRF_TRUSTED_ORIGINS = [SITE_URL]

DATABASES = {"default": {**env.db("DATABASE_URL"), "CONN_MAX_AGE": 60, "CONN_HEALTH_CHECKS": True}}
if "DATABASE_PASSWORD" in env.ENVIRON:  # apart from the address, so that one file can tell us and the server
    DATABASES["default"]["PASSWORD"] = env.str("DATABASE_PASSWORD")
CELERY_BROKER_URL = env.str("REDIS_URL")
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "visibility_timeout": 600,
    "unacked_restore_interval": 10,
    "unacked_restore_throttle": 1,
}
CACHES = {
    "default": {
        "BACKEND": "portal.common.lenient_cache.LenientRedisCache",
        "LOCATION": env.str("REDIS_CACHE_URL", default=env.str("REDIS_URL")),
        "OPTIONS": {"socket_connect_timeout": 1, "socket_timeout": 1},
    }
}

BEHIND_PROXY = env.bool("BEHIND_PROXY", default=True)
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if BEHIND_PROXY else None
REST_FRAMEWORK = {**REST_FRAMEWORK, "NUM_PROXIES": int(BEHIND_PROXY)}  # whose requests the API counts
SECURE_SSL_REDIRECT = env.bool("SSL_REDIRECT", default=True)
SECURE_REDIRECT_EXEMPT = ["^healthz$"]
SECURE_HSTS_SECONDS = 31_536_000
SECURE_HSTS_INCLUDE_SUBDOMAINS = True
SECURE_HSTS_PRELOAD = True
SESSION_COOKIE_SECURE = SECURE_SSL_REDIRECT
CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT
LANGUAGE_COOKIE_SECURE = SECURE_SSL_REDIRECT

GITHUB_API_URL = env.str("GITHUB_API_URL", default="https://api.github.com")
GITHUB_WEB_URL = env.str("GITHUB_WEB_URL", default="https://github.com").rstrip("/")
GITHUB_TOKEN = env.str("GITHUB_TOKEN")
GITHUB_WEBHOOK_SECRET = env.str("GITHUB_WEBHOOK_SECRET")
SOCIALACCOUNT_PROVIDERS = {
    "github": {
        "APPS": [
            {"client_id": env.str("GITHUB_CLIENT_ID"), "secret": env.str("GITHUB_CLIENT_SECRET"), "key": ""}
        ],
        "SCOPE": ["read:user"],
        # allauth knows where github.com keeps its API; with an address it looks below that, as Enterprise Server has it.
        **({} if GITHUB_WEB_URL == "https://github.com" else {"GITHUB_URL": GITHUB_WEB_URL}),
    }
}
CONTENT_SECURITY_POLICY["DIRECTIVES"]["form-action"] = [SELF, GITHUB_WEB_URL]
