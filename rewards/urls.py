"""Addresses of leaderboards."""

from django.urls import path

from rewards import views

urlpatterns = [
    path("events/<slug:slug>/leaderboard/", views.show_leaderboard, name="leaderboard"),
    path("events/<slug:slug>/leaderboard.csv", views.download_leaderboard, name="leaderboard_csv"),
]
