"""Who one is, and what the token one came with may do."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request

from campaign.api.contract import endpoint
from campaign.api.serializers import Shape
from campaign.api.views import ApiView
from campaign.models import ApiToken
from campaign.services.setup import may_set_up


class TokenShape(Shape):
    """The token of this request."""

    name = serializers.CharField()
    scopes = serializers.ListField(child=serializers.ChoiceField(ApiToken.Scope.choices))
    expires_at = serializers.DateTimeField()


class PersonShape(Shape):
    """Who asks."""

    username = serializers.CharField()
    name = serializers.CharField(allow_blank=True, help_text="As the others see it; empty: the username.")
    time_zone = serializers.CharField(allow_blank=True, help_text="Empty: the clock of each campaign's club.")
    may_set_up = serializers.BooleanField(help_text="Whether he may set up campaigns here.")
    token = TokenShape(allow_null=True, help_text="null: the browser's session.")


class Me(ApiView):
    """Who asks."""

    @endpoint("me_read", "Who I am", answer=PersonShape)
    def get(self, request: Request) -> dict[str, Any]:
        """The person who asks, and the token he asks with."""
        person = self.person
        return {
            "username": person.get_username(),
            "name": person.get_full_name(),
            "time_zone": person.time_zone,
            "may_set_up": may_set_up(person),
            "token": request.auth if isinstance(request.auth, ApiToken) else None,
        }
