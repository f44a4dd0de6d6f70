"""Addresses of events."""

from django.urls import path

from tasks_board import views

urlpatterns = [
    path("events/<slug:slug>/", views.show_event, name="event"),
]
