"""Addresses of leaderboards."""

from django.urls import path

from rewards import views

urlpatterns = [
    path("events/<slug:slug>/leaderboard/", views.show_leaderboard, name="leaderboard"),
    path("events/<slug:slug>/leaderboard.csv", views.download_csv, name="leaderboard_csv"),
    path("events/<slug:slug>/leaderboard.xlsx", views.download_xlsx, name="leaderboard_xlsx"),
]
