"""What an event has come to over the API: figures and the leaderboard."""

from typing import Any

from drf_spectacular.utils import extend_schema, extend_schema_field, extend_schema_view
from rest_framework import generics, serializers
from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.response import Response

from portal.rest import answers
from portal.rest.amounts import AmountSerializer, PoolSerializer
from portal.rest.fields import Exact, Moment
from portal.rest.shapes import ClaimantSerializer
from rewards import leaderboards, queries, rules
from rewards.leaderboards import LeaderboardRow
from rewards.models import Completion, EventReward
from tasks_board import queries as events
from tasks_board.models import Event
from tasks_board.queries import DirectionRow


class RewardSerializer(serializers.Serializer[Any]):
    """What a completion earns from a pool."""

    pool = PoolSerializer()
    per = serializers.ChoiceField(choices=EventReward.Per.choices)
    amount = serializers.SerializerMethodField()
    partly_percent = serializers.IntegerField(help_text="What a task done in part earns of it.")

    @extend_schema_field(Exact)
    def get_amount(self, reward: EventReward) -> str:
        return f"{rules.from_steps(reward.amount_steps, scale=reward.pool.scale):f}"


class TaskFiguresSerializer(serializers.Serializer[Any]):
    """Tasks, counted as the blocks in issues count them."""

    tasks = serializers.IntegerField()
    open = serializers.IntegerField(help_text="Nobody is on it.")
    claimed = serializers.IntegerField(help_text="Somebody is or was on it: all that are not open.")
    submitted = serializers.IntegerField(help_text="With a pull request, or done.")
    done = serializers.IntegerField()
    submit_rate = serializers.CharField(help_text="In percent, rounded: 43.8%.")
    done_rate = serializers.CharField(help_text="In percent, rounded: 50.0%.")


class DirectionFiguresSerializer(TaskFiguresSerializer):
    """The tasks of one direction."""

    direction = serializers.CharField(allow_null=True, help_text="Null: outside of the sections.")


class FiguresSerializer(serializers.Serializer[Any]):
    """How far an event has come, counted from its rows."""

    tasks_by_state = serializers.DictField(
        child=serializers.IntegerField(), source="states", help_text="The tasks on its board, state by state."
    )
    tasks = TaskFiguresSerializer(source="whole")
    directions = DirectionFiguresSerializer(many=True)
    completions = serializers.IntegerField(source="figures.completions", help_text="Those that hold.")
    partly = serializers.IntegerField(source="figures.partly", help_text="Of these, completions in part.")
    completed_tasks = serializers.IntegerField(source="figures.tasks", help_text="Tasks with a completion.")
    people = serializers.IntegerField(
        source="figures.people", help_text="Who completed something; two accounts of one person count once."
    )
    teams = serializers.IntegerField(source="figures.teams")
    paid = AmountSerializer(source="figures.paid", many=True)
    pays = RewardSerializer(many=True, help_text="What a completion earns now; the first pool ranks.")


class CompletedTaskSerializer(serializers.Serializer[Any]):
    """A task that somebody completed."""

    id = serializers.IntegerField(source="task_id")
    number = serializers.CharField()
    title = serializers.CharField()
    degree = serializers.ChoiceField(choices=Completion.Degree.choices)
    completed_at = Moment()


class LeaderboardRowSerializer(serializers.Serializer[Any]):
    """A person (all accounts of theirs together) or a team, with what stands to their name in the event."""

    rank = serializers.IntegerField(help_text="Equal amounts share a rank: 1, 2, 2, 4.")
    claimant = serializers.SerializerMethodField()
    earned = serializers.SerializerMethodField(help_text="Null in an event that pays nothing.")
    completions = serializers.IntegerField()
    reached_at = Moment(help_text="Of equal amounts, the one reached first stands above.")
    tasks = CompletedTaskSerializer(many=True)

    @extend_schema_field(ClaimantSerializer)
    def get_claimant(self, row: LeaderboardRow) -> Any:
        kind = "person" if row.person_id else "team"
        return ClaimantSerializer({"kind": kind, "name": row.login, "github_id": row.github_id}).data

    @extend_schema_field(AmountSerializer(allow_null=True))
    def get_earned(self, row: LeaderboardRow) -> Any:
        if row.amount is None:
            return None
        return AmountSerializer({"pool": self.context["pool"], "amount": row.amount}).data


@extend_schema(
    operation_id="get_figures", summary="An event's figures", tags=["events"], responses=FiguresSerializer
)
@api_view(["GET"])
def show_figures(request: Request, slug: str) -> Response:
    """How far the event has come, counted from its rows."""
    event = events.get_event(slug, viewer=answers.viewer(request))
    directions = events.list_directions(event)
    told = {
        "whole": _counted(events.add_up(directions)),
        "directions": [_counted(row) for row in directions],
        "states": events.count_by_state(event),
        "figures": queries.event_figures(event=event),
        "pays": queries.list_event_rewards(event=event),
    }
    return answers.one(request, FiguresSerializer, told)


def _counted(row: DirectionRow) -> dict[str, Any]:
    name = row.direction.name if row.direction else None
    return {"direction": name, **row.figures.counts(), **row.rates}


@extend_schema_view(
    get=extend_schema(operation_id="list_leaderboard", summary="An event's leaderboard", tags=["events"])
)
class Leaderboard(generics.ListAPIView[Any]):
    """Who stands where, ranked by what their completions earned: the order of the page and of the CSV file."""

    queryset = Event.objects.none()
    serializer_class = LeaderboardRowSerializer
    filter_backends = []

    def get_queryset(self) -> Any:
        event = events.get_event(self.kwargs["slug"], viewer=answers.viewer(self.request))
        self.pool = queries.find_leading_pool(event=event)
        return leaderboards.leaderboard(event=event, pool=self.pool, share_ranks=True)

    def get_serializer_context(self) -> dict[str, Any]:
        return {**super().get_serializer_context(), "pool": getattr(self, "pool", None)}
