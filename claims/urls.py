"""Addresses of boards, tasks and what people decide about claims."""

from django.urls import path

from claims import desk_views, explain_views, organize_views, views

urlpatterns = [
    path("read/", explain_views.how_read, name="how_read"),
    path("events/<slug:slug>/tasks/", views.show_board, name="board"),
    path("events/<slug:slug>/tasks/<int:pk>/", views.show_task, name="task"),
    path("events/<slug:slug>/tasks/<int:pk>/verdict", views.show_verdict, name="verdict"),
    path("events/<slug:slug>/tasks/<int:pk>/claim", views.claim, name="claim"),
    path("events/<slug:slug>/tasks/<int:pk>/release", views.release, name="release"),
    path("events/<slug:slug>/desk/", desk_views.show_desk, name="desk"),
    path("events/<slug:slug>/desk/claims/<int:pk>", desk_views.decide, name="decide"),
    path(
        "events/<slug:slug>/desk/tasks/<int:pk>/authors/<int:pull_request>",
        desk_views.admit_author,
        name="admit_author",
    ),
    path("events/<slug:slug>/desk/comments/<int:pk>", desk_views.settle_comment, name="settle_comment"),
    path("events/<slug:slug>/organize/", organize_views.show_organize, name="organize"),
    path("events/<slug:slug>/organize/publish", organize_views.publish, name="publish_event"),
    path("events/<slug:slug>/organize/rules", organize_views.change_rules, name="change_rules"),
    path("events/<slug:slug>/organize/mentors", organize_views.grant_mentors, name="grant_mentors"),
    path("events/<slug:slug>/organize/history", organize_views.confirm_history, name="confirm_history"),
    path(
        "events/<slug:slug>/organize/conflicts/<int:pk>",
        organize_views.settle_conflict,
        name="settle_conflict",
    ),
    path(
        "events/<slug:slug>/organize/issues/<int:pk>/", organize_views.review_writing, name="review_writing"
    ),
    path(
        "events/<slug:slug>/organize/issues/<int:pk>/writing", organize_views.set_writing, name="set_writing"
    ),
]
