"""Amounts in the API's answers."""

from typing import Any

from rest_framework import serializers

from portal.rest.fields import Exact
from rewards.models import Pool


class PoolSerializer(serializers.Serializer[Any]):
    """A reward pool and its unit."""

    name = serializers.CharField()
    unit = serializers.ChoiceField(choices=Pool.Unit.choices)
    currency = serializers.CharField(help_text="ISO 4217; empty unless the unit is money.")


class AmountSerializer(serializers.Serializer[Any]):
    """An amount in a pool's unit."""

    pool = PoolSerializer()
    amount = Exact(help_text="Exact, as text.")
