"""The addresses of the portal."""

from django.contrib import admin
from django.contrib.auth.decorators import login_not_required
from django.urls import include, path
from django.views.decorators.http import require_POST
from django.views.i18n import set_language

from portal import health, webhooks

urlpatterns = [
    path("healthz", health.healthz, name="healthz"),
    path("webhooks/github", webhooks.github, name="github_webhook"),
    path("i18n/setlang/", login_not_required(require_POST(set_language)), name="set_language"),
    # Only the two addresses of signing in with GitHub: allauth's own pages for mail and passwords are not wanted.
    path("accounts/", include("allauth.socialaccount.providers.github.urls")),
    path("admin/", admin.site.urls),
    path("api/", include("portal.api_urls")),
    path("", include("portal.pages.urls")),
    path("", include("claims.urls")),  # before the events' own pages: /events/new/ is no event
    path("", include("tasks_board.urls")),
    path("", include("rewards.urls")),
]
