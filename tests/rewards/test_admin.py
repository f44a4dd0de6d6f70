import pytest
from django.apps import apps
from django.contrib import admin
from django.db import models
from django.test import RequestFactory

from portal.models import User
from rewards.admin import EntriesInline
from rewards.models import Transaction


@pytest.mark.parametrize("model", list(apps.get_app_config("rewards").get_models()))
def test_rewards_can_be_looked_at_and_nothing_else(model: type[models.Model], rf: RequestFactory) -> None:
    request = rf.get("/")
    request.user = User(is_superuser=True, is_staff=True, is_active=True)
    shown = admin.site.get_model_admin(model)
    assert shown.has_view_permission(request)
    assert not shown.has_add_permission(request)
    assert not shown.has_change_permission(request)
    assert not shown.has_delete_permission(request)


def test_the_lines_of_a_transaction_can_only_be_looked_at(rf: RequestFactory) -> None:
    request = rf.get("/")
    request.user = User(is_superuser=True, is_staff=True, is_active=True)
    lines = EntriesInline(Transaction, admin.site)
    assert lines.has_view_permission(request)
    assert not lines.has_add_permission(request)
    assert not lines.has_change_permission(request)
