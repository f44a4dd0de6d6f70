"""Addresses of the portal's own pages."""

from django.conf import settings
from django.urls import path

from portal.pages import preferences, sign_in, views

urlpatterns = [
    path("", views.home, name="home"),
    path("tasks/", views.search_tasks, name="task_search"),
    path("people/<path:login>/", views.show_person, name="person"),
    path("sign-in/", sign_in.sign_in, name="sign_in"),
    path("sign-out/", sign_in.sign_out, name="sign_out"),
    path("theme/", preferences.set_theme, name="set_theme"),
]

# Outside the demo this address does not exist; a production check fails if it ever resolves.
if settings.DEMO_SIGN_IN:
    urlpatterns += [path("sign-in/as/", sign_in.demo_sign_in, name="demo_sign_in")]
