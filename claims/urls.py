"""Addresses of boards, tasks and what people decide about claims."""

from django.urls import include, path

from claims.pages import board, deciding, desk, explain, me, organize, reading, task_files, tasks, wizard

urlpatterns = [
    path("read/", explain.how_read, name="how_read"),
    path("events/new/", wizard.new_event, name="new_event"),
    path("events/new/<int:pk>/", wizard.event_draft, name="event_draft"),
    path("events/<slug:slug>/", include("claims.people_urls")),
    path("events/<slug:slug>/tasks/", board.show_board, name="board"),
    path("events/<slug:slug>/tasks/<int:pk>/", board.show_task, name="task"),
    path("events/<slug:slug>/tasks/<int:pk>/verdict", board.show_verdict, name="verdict"),
    path("events/<slug:slug>/tasks/<int:pk>/claim", board.claim, name="claim"),
    path("events/<slug:slug>/tasks/<int:pk>/release", board.release, name="release"),
    path(
        "events/<slug:slug>/tasks/<int:pk>/pull-requests",
        deciding.link_pull_request,
        name="link_pull_request",
    ),
    path(
        "events/<slug:slug>/tasks/<int:pk>/pull-requests/<int:pull_request>",
        deciding.settle_pull_request,
        name="settle_pull_request",
    ),
    path(
        "events/<slug:slug>/tasks/<int:pk>/pull-requests/<int:pull_request>/credit",
        deciding.split_credit,
        name="split_credit",
    ),
    path("events/<slug:slug>/tasks/<int:pk>/accept", deciding.accept_without, name="accept_without"),
    path("events/<slug:slug>/tasks/<int:pk>/chain", deciding.change_task_chain, name="change_task_chain"),
    path("events/<slug:slug>/tasks/<int:pk>/renew", me.renew, name="renew"),
    path("me/", me.show_me, name="me"),
    path("me/notices/", me.show_notices, name="notices"),
    path("me/notices/seen", me.mark_all_seen, name="mark_all_seen"),
    path("me/notices/<int:notice>/seen", me.mark_seen, name="mark_seen"),
    path("events/<slug:slug>/desk/", desk.show_desk, name="desk"),
    path("events/<slug:slug>/desk/claims/", desk.decide_many, name="decide_many"),
    path("events/<slug:slug>/desk/claims/<int:pk>", desk.decide, name="decide"),
    path("events/<slug:slug>/desk/claims/<int:pk>/extension", desk.extend, name="extend"),
    path("events/<slug:slug>/desk/decisions/<int:pk>/undo", desk.undo, name="undo"),
    path("events/<slug:slug>/desk/comments/<int:pk>/claim", desk.take_comment, name="take_comment"),
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
    path("events/<slug:slug>/organize/issues/<int:pk>/", organize.review_writing, name="review_writing"),
    path(
        "events/<slug:slug>/organize/issues/<int:pk>/reading/", reading.review_reading, name="review_reading"
    ),
    path("events/<slug:slug>/organize/reading/", reading.list_readings, name="readings"),
    path("events/<slug:slug>/organize/issues/<int:pk>/fetch", reading.fetch_text, name="fetch_text"),
    path("events/<slug:slug>/organize/issues/<int:pk>/writing", organize.set_writing, name="set_writing"),
    path("events/<slug:slug>/organize/tasks/", tasks.list_tasks, name="organize_tasks"),
    path("events/<slug:slug>/organize/tasks/change", tasks.change_selected, name="change_tasks"),
    path("events/<slug:slug>/organize/tasks/add", tasks.add_tasks, name="add_tasks"),
    path("events/<slug:slug>/organize/tasks/<int:pk>/", tasks.edit_task, name="edit_task"),
    path("events/<slug:slug>/organize/cells/<int:pk>", tasks.settle_cell, name="settle_cell"),
    path("events/<slug:slug>/organize/tasks.csv", task_files.download_csv, name="tasks_csv"),
    path("events/<slug:slug>/organize/tasks.xlsx", task_files.download_xlsx, name="tasks_xlsx"),
    path("events/<slug:slug>/organize/tasks/file", task_files.preview_file, name="preview_tasks"),
    path("events/<slug:slug>/organize/tasks/apply", task_files.apply_file, name="apply_tasks"),
]
