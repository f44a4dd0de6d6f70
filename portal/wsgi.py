"""What a web server starts."""

import os

from django.core.wsgi import get_wsgi_application

from portal.common import memory

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "portal.settings.local")

application = get_wsgi_application()
memory.settle()
