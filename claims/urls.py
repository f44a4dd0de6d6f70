"""Addresses of boards, tasks and what people decide about claims."""

from django.urls import path

from claims.pages import board, desk, event, explain, issues, organize

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
        organize.settle_conflict,
        name="settle_conflict",
    ),
    path("events/<slug:slug>/organize/issues/", issues.show_issues, name="issues"),
    path("events/<slug:slug>/organize/issues/add", issues.add_issue, name="add_issue"),
    path("events/<slug:slug>/organize/issues/<int:pk>/reading", issues.retire_issue, name="retire_issue"),
    path("events/<slug:slug>/organize/comments/<int:pk>", issues.take_in_comment, name="take_in_comment"),
    path("events/<slug:slug>/organize/event/", event.show_event_settings, name="event_settings"),
    path("events/<slug:slug>/organize/event/change", event.change_event, name="change_event"),
    path("events/<slug:slug>/organize/event/phases", event.add_phase, name="add_phase"),
    path("events/<slug:slug>/organize/event/phases/<int:pk>", event.change_phase, name="change_phase"),
    path("events/<slug:slug>/organize/event/status", event.set_event_status, name="set_event_status"),
    path("events/<slug:slug>/organize/event/clone", event.clone_event, name="clone_event"),
    path("events/<slug:slug>/organize/issues/<int:pk>/", organize.review_writing, name="review_writing"),
    path("events/<slug:slug>/organize/issues/<int:pk>/writing", organize.set_writing, name="set_writing"),
]
