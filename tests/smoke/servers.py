"""Settings: the demo on PostgreSQL and Redis, as production runs it, for the suite."""

from portal.settings.demo import *  # noqa: F403
from portal.settings.demo import env

DATABASES = {"default": env.db("REGATTA_SMOKE_DATABASE_URL")}
CELERY_BROKER_URL = env.str("REDIS_URL")
CELERY_BROKER_TRANSPORT_OPTIONS = {"visibility_timeout": 600}
