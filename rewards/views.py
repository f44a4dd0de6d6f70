"""The leaderboard, to look at and to take along."""

from collections.abc import Iterator, Sequence

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_safe

from portal.common import clock, downloads, web
from portal.common.sheets import Cell
from rewards import leaderboards, queries, rules
from rewards.exports import leaderboard
from rewards.models import Completion
from tasks_board import queries as events
from tasks_board.models import Event, Task


@login_not_required
@web.page
@require_safe
def show_leaderboard(request: HttpRequest, slug: str) -> HttpResponse:
    now, viewer = clock.now(), web.viewer(request)
    event = events.get_event(slug, viewer=viewer)
    pool = queries.find_leading_pool(event=event)
    rows = leaderboards.leaderboard(event=event, pool=pool, share_ranks=True)
    context = {
        "event": event,
        "head": events.describe_head(event, viewer=viewer, now=now),
        "rows": rows,
        "most": max((row.completions if row.amount is None else row.amount for row in rows), default=0),
        "pool": pool,
        "figures": queries.event_figures(event=event),
        "uncredited": _count_uncredited(event),
        "pays": [
            (reward, rules.from_steps(reward.amount_steps, scale=reward.pool.scale))
            for reward in queries.list_event_rewards(event=event)
        ],
        "tab": "leaderboard",
        "here": "events",
    }
    return render(request, "rewards/leaderboard.html", context)


def _count_uncredited(event: Event) -> int:
    """Tasks that the board shows as done and that nobody has been credited for."""
    credited = Completion.objects.active().filter(task__event=event).values("task")
    done = event.tasks.filter(is_removed=False, state=Task.State.DONE)
    return done.exclude(pk__in=credited).count()


@login_not_required
@web.page
@require_safe
def download_csv(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Begins with a byte order mark, for Excel; `?bom=0` leaves it out."""
    event, rows = _list(request, slug)
    with_mark = request.GET.get("bom") != "0"
    return downloads.csv_file(f"{event.slug}-leaderboard", leaderboard.HEADERS, rows, with_mark=with_mark)


@login_not_required
@web.page
@require_safe
def download_xlsx(request: HttpRequest, slug: str) -> HttpResponseBase:
    event, rows = _list(request, slug)
    return downloads.xlsx_file(f"{event.slug}-leaderboard", event.name, leaderboard.HEADERS, rows)


def _list(request: HttpRequest, slug: str) -> tuple[Event, Iterator[Sequence[Cell]]]:
    event = events.get_event(slug, viewer=web.viewer(request))
    return event, leaderboard.rows_of(leaderboards.leaderboard(event=event, share_ranks=True))
