"""Addresses of boards, tasks and what people decide about claims."""

from django.urls import path

from claims.pages import board, desk, explain, organize, writing

urlpatterns = [
    path("read/", explain.how_read, name="how_read"),
    path("events/<slug:slug>/tasks/", board.show_board, name="board"),
    path("events/<slug:slug>/tasks/<int:pk>/", board.show_task, name="task"),
    path("events/<slug:slug>/tasks/<int:pk>/verdict", board.show_verdict, name="verdict"),
    path("events/<slug:slug>/tasks/<int:pk>/claim", board.claim, name="claim"),
    path("events/<slug:slug>/tasks/<int:pk>/release", board.release, name="release"),
    path("events/<slug:slug>/desk/", desk.show_desk, name="desk"),
    path("events/<slug:slug>/desk/claims/<int:pk>", desk.decide, name="decide"),
    path(
        "events/<slug:slug>/desk/tasks/<int:pk>/authors/<int:pull_request>",
        desk.admit_author,
        name="admit_author",
    ),
    path("events/<slug:slug>/desk/comments/<int:pk>", desk.settle_comment, name="settle_comment"),
    path("events/<slug:slug>/organize/", organize.show_organize, name="organize"),
    path("events/<slug:slug>/organize/publish", organize.publish, name="publish_event"),
    path("events/<slug:slug>/organize/rules", organize.change_rules, name="change_rules"),
    path("events/<slug:slug>/organize/mentors", organize.grant_mentors, name="grant_mentors"),
    path("events/<slug:slug>/organize/history", organize.confirm_history, name="confirm_history"),
    path(
        "events/<slug:slug>/organize/conflicts/<int:pk>",
        writing.settle_conflict,
        name="settle_conflict",
    ),
    path("events/<slug:slug>/organize/issues/<int:pk>/", writing.review_writing, name="review_writing"),
    path("events/<slug:slug>/organize/issues/<int:pk>/writing", writing.set_writing, name="set_writing"),
    path("events/<slug:slug>/organize/issues/<int:pk>/column", writing.add_column, name="add_column"),
    path("events/<slug:slug>/organize/issues/<int:pk>/alarm", writing.dismiss_alarm, name="dismiss_alarm"),
    path("events/<slug:slug>/organize/writing/", writing.show_writing, name="writing"),
    path("events/<slug:slug>/organize/writing/hold", writing.hold_writing, name="hold_writing"),
    path("events/<slug:slug>/organize/writing/conflicts", writing.settle_conflicts, name="settle_conflicts"),
    path("events/<slug:slug>/organize/revisions/<int:pk>/", writing.show_revision, name="table_revision"),
]
