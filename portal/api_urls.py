"""Addresses of the API."""

from django.urls import path, re_path

from claims import api as claims
from portal import api
from rewards import api as rewards
from tasks_board import api as tasks_board

app_name = "api"
urlpatterns = [
    path("docs/", api.show_docs, name="docs"),
    path("v1/", api.show_index, name="index"),
    path("v1/openapi.yaml", api.show_schema, name="schema"),
    path("v1/events/", tasks_board.EventList.as_view(), name="events"),
    path("v1/events/<slug:slug>/", tasks_board.show_event, name="event"),
    path("v1/events/<slug:slug>/tasks/", claims.TaskList.as_view(), name="tasks"),
    path("v1/events/<slug:slug>/tasks/<int:pk>/", claims.show_task, name="task"),
    path("v1/events/<slug:slug>/figures/", rewards.show_figures, name="figures"),
    path("v1/events/<slug:slug>/leaderboard/", rewards.Leaderboard.as_view(), name="leaderboard"),
    path("v1/notices/", claims.NoticeList.as_view(), name="notices"),
    path("v1/people/", claims.PersonList.as_view(), name="people"),
    path("v1/people/<path:login>/claims/", claims.ClaimList.as_view(), name="claims"),
    path("v1/people/<path:login>/", claims.show_person, name="person"),
    # Only with a slash at the end, so that an address without one is still led to the one with it.
    re_path(r"^(?P<rest>.*/)$", api.refuse),
]
