"""What every way of running Regatta shares. Only settings read the environment."""

from pathlib import Path
from typing import Any

from csp.constants import NONE, SELF
from django.utils.translation import gettext_lazy as _

from portal.settings.secret_files import Env

BASE_DIR = Path(__file__).resolve().parent.parent.parent
VAR_DIR = BASE_DIR / "var"  # the local database, broker folders and the like; never in the repository

env = Env()

DEBUG = False
SECRET_KEY = ""
ALLOWED_HOSTS: list[str] = []
SITE_URL = ""  # where people reach the portal, without a slash at the end

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.admin",
    "django.contrib.humanize",
    "allauth",
    "allauth.account",
    "allauth.socialaccount",
    "allauth.socialaccount.providers.github",
    "django_htmx",
    "csp",
    "rest_framework",
    "django_filters",
    "drf_spectacular",
    "drf_spectacular_sidecar",  # Swagger UI as static files
    "portal",
    "tasks_board",
    "rewards",
    "claims",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "portal.middleware.WithoutNul",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "portal.middleware.SignInFirst",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
]

ROOT_URLCONF = "portal.urls"
WSGI_APPLICATION = "portal.wsgi.application"

TEMPLATES: list[dict[str, Any]] = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "portal.pages.context.chrome",
            ],
            "builtins": ["portal.templatetags.regatta", "portal.templatetags.refusals"],
        },
    },
]

AUTH_USER_MODEL = "portal.User"
AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
LOGIN_URL = "sign_in"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "home"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# Nobody has a password or a mail address here: people sign in with GitHub.
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_SIGNUP_FIELDS = ["username*"]
ACCOUNT_ADAPTER = "portal.accounts.adapters.NoLocalSignup"
SOCIALACCOUNT_ADAPTER = "portal.accounts.adapters.GitHubSignIn"
SOCIALACCOUNT_ONLY = True
SOCIALACCOUNT_STORE_TOKENS = False
SOCIALACCOUNT_LOGIN_ON_GET = False
SOCIALACCOUNT_PROVIDERS: dict[str, Any] = {}

ATOMIC_REQUESTS = False

USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"
LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English")), ("zh-hans", _("Simplified Chinese"))]
LOCALE_PATHS = [BASE_DIR / "locale"]
LANGUAGE_COOKIE_NAME = "regatta_language"
LANGUAGE_COOKIE_SAMESITE = "Lax"

STATIC_URL = "/static/"
STATIC_ROOT = BASE_DIR / "staticfiles"
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}

SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_HTTPONLY = True
SECURE_REFERRER_POLICY = "strict-origin-when-cross-origin"
X_FRAME_OPTIONS = "DENY"
DATA_UPLOAD_MAX_MEMORY_SIZE = 26 * 1024 * 1024  # GitHub caps a webhook's payload at 25 MB

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF, "https://github.com"],
        "frame-ancestors": [NONE],
        "base-uri": [NONE],
    },
}

# The API: everybody reads, nobody writes. What is for whose eyes, the queries of the domain decide.
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["rest_framework.authentication.SessionAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.AllowAny"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": [],
    "DEFAULT_METADATA_CLASS": None,
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "DEFAULT_PAGINATION_CLASS": "portal.rest.answers.Pages",
    "DEFAULT_FILTER_BACKENDS": ["django_filters.rest_framework.DjangoFilterBackend"],
    "DEFAULT_THROTTLE_CLASSES": ["rest_framework.throttling.AnonRateThrottle"],
    "DEFAULT_THROTTLE_RATES": {"anon": "120/min"},
    "NUM_PROXIES": 0,  # whose requests are counted: production says whether a proxy tells it
    "EXCEPTION_HANDLER": "portal.rest.answers.explain",
    "URL_FORMAT_OVERRIDE": None,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Regatta",
    "VERSION": "1",
    "DESCRIPTION": "Events, tasks with everybody on them, people, figures and leaderboards: what the pages show, for "
    "programs; and what changed for whoever is signed in. Reading only, and no key is needed; who has not signed in may ask 120 times a minute.",
    "OAS_VERSION": "3.1.1",
    "SCHEMA_PATH_PREFIX": "/api/v1/",
    "AUTHENTICATION_WHITELIST": [],  # nobody needs a key
    "ENUM_NAME_OVERRIDES": {
        "EventStatus": "tasks_board.models.Event.Status",
        "EventKind": "tasks_board.models.Event.Kind",
        "DirectionSource": "tasks_board.models.Direction.Source",
        "TaskState": "tasks_board.models.Task.State",
        "Standing": "claims.models.Claim.Standing",
        "Basis": "claims.models.Claim.Basis",
        "NoticeKind": "claims.api.notices.KINDS",
        "PullRequestState": "claims.api.shapes.PULL_REQUEST_STATES",
        "Review": "claims.api.shapes.REVIEWS",
        "LinkReason": "claims.models.PullRequestLink.Reason",
        "Degree": "rewards.models.Completion.Degree",
        "Unit": "rewards.models.Pool.Unit",
        "RewardPer": "rewards.models.EventReward.Per",
    },
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "portal.rest.schema.add_refusals",
    ],
}

# GitHub: the one host we talk to.
GITHUB_API_URL = "https://api.github.com"
GITHUB_WEB_URL = "https://github.com"
GITHUB_TOKEN = ""
GITHUB_WEBHOOK_SECRET = ""
GITHUB_TIMEOUT = 20  # seconds
GITHUB_SECONDS_BETWEEN_WRITES: float | None = (
    1.0  # GitHub asks for a second between content-creating requests
)
GITHUB_SECONDS_BETWEEN_REQUESTS: float | None = None
# Where GitHub's events and our effects are wired: the kernel finds them by name and imports nothing upwards.
GITHUB_ROUTES = "portal.github_routes"
# The table is written at once, then at most this often (seconds), doubling under load.
TABLE_WRITE_SPACING = 5
TABLE_WRITE_SPACING_MAX = 60
REPLIES_PER_AUTHOR_AND_HOUR = 12

DEMO_SIGN_IN = False

# Celery: names of queues and the beat stand in portal.celery.
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_TIME_LIMIT = 300
CELERY_TASK_SOFT_TIME_LIMIT = 240
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None  # for as long as it takes
CELERY_BROKER_CHANNEL_ERROR_RETRY = True  # also while it answers with errors, as a read-only one does
CELERY_TIMEZONE = "UTC"

LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(name)s %(message)s"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": "INFO"},
}


def sqlite(path: Path) -> dict[str, Any]:
    """SQLite as several processes can share it: write-ahead log, and locks taken at the start of a transaction."""
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": path,
        "OPTIONS": {
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            "init_command": "PRAGMA journal_mode=WAL;PRAGMA synchronous=NORMAL;",
        },
    }


def filesystem_broker(folder: Path) -> dict[str, Any]:
    """Celery's transport through a folder: no server needed, enough for one machine."""
    for name in ("queue", "control"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    return {
        "CELERY_BROKER_URL": "folder://",
        "CELERY_BROKER_TRANSPORT_OPTIONS": {
            "data_folder_in": str(folder / "queue"),
            "data_folder_out": str(folder / "queue"),
            "control_folder": str(folder / "control"),
            "polling_interval": 0.1,
        },
    }
