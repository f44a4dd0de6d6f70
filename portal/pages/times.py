"""Times in words: relative where people scan, exact (in the event's zone) where they decide."""

from collections.abc import Mapping
from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from django.utils import formats
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

_ZONES: Mapping[str, "str | Promise"] = {
    "Asia/Shanghai": gettext_lazy("Beijing"),
    "UTC": gettext_lazy("UTC"),
}


_LAST_SECOND = time(23, 59, 59)


def zone_word(zone: str) -> str:
    """How a time zone is called: by its city."""
    return str(_ZONES.get(zone) or zone.rsplit("/", 1)[-1].replace("_", " "))


def relative(at: datetime, *, now: datetime, zone: str) -> str:
    """How long ago that is: minutes, hours, days; beyond a week, and for what is to come, the day. Clocks may be a minute apart."""
    seconds = (now - at).total_seconds()
    if seconds <= -60:
        return day(at, now=now, zone=zone)
    minutes, hours = int(seconds // 60), int(seconds // 3600)
    if minutes < 1:
        return _("just now")
    if hours < 1:
        return ngettext("%(count)d min ago", "%(count)d min ago", minutes) % {"count": minutes}
    if hours < 24:
        return ngettext("%(count)d h ago", "%(count)d h ago", hours) % {"count": hours}
    days = (now.astimezone(ZoneInfo(zone)).date() - at.astimezone(ZoneInfo(zone)).date()).days
    if days == 1:
        return _("yesterday")
    if days < 7:
        return ngettext("%(count)d d ago", "%(count)d d ago", days) % {"count": days}
    return day(at, now=now, zone=zone)


def day(at: datetime, *, now: datetime, zone: str) -> str:
    """The day in the event's zone; the year only where it is another one."""
    local = at.astimezone(ZoneInfo(zone))
    if local.year == now.astimezone(ZoneInfo(zone)).year:
        return formats.date_format(local, _("M j"))
    return formats.date_format(local, _("M j, Y"))


def exact(at: datetime, *, zone: str) -> str:
    """Day and minute with the zone's name."""
    local = at.astimezone(ZoneInfo(zone))
    return _("%(time)s (%(zone)s)") % {"time": f"{local:%Y-%m-%d %H:%M}", "zone": zone_word(zone)}


def in_both_zones(at: datetime, *, zone: str) -> str:
    """Day and minute in the event's zone, and in UTC for whoever reads from elsewhere."""
    own, plain = exact(at, zone=zone), exact(at, zone="UTC")
    return own if own == plain else f"{own} · {plain}"


def deadline(at: datetime, *, now: datetime, zone: str) -> str:
    """An inclusive end. Midnight, and a day's last second, are written as 24:00 of the day that ends."""
    local = at.astimezone(ZoneInfo(zone))
    clock = f"{local:%H:%M}"
    if clock == "00:00":
        at, clock = at - timedelta(minutes=1), "24:00"
    elif local.time() >= _LAST_SECOND:
        clock = "24:00"
    values = {"day": day(at, now=now, zone=zone), "clock": clock, "zone": zone_word(zone)}
    return _("%(day)s %(clock)s (%(zone)s)") % values
