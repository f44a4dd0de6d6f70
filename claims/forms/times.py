"""Dates and times that people type."""

from datetime import date

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from portal.common.dates import is_within_reach


def check_reach(day: date) -> None:
    """A validator of days and moments. Raises ValidationError."""
    if not is_within_reach(day):
        raise ValidationError(_("Write a year from 1971 to 2199."), code="out_of_reach")
