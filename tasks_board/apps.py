from django.apps import AppConfig


class TasksBoardConfig(AppConfig):
    name = "tasks_board"
    verbose_name = "Tasks board"
