"""The person who asks, and the scope of their token."""

from typing import Any

from django.db import transaction
from rest_framework import serializers
from rest_framework.request import Request

from campaign.api.framework.conditions import demand_match
from campaign.api.framework.contract import Scope, endpoint
from campaign.api.framework.serializers import Shape
from campaign.api.framework.views import ApiView
from campaign.models import ApiToken, User
from campaign.services.accounts.profile import LONGEST_NAME, profile_save
from campaign.services.setup.drafts import may_set_up


class TokenShape(Shape):
    """The token of this request."""

    name = serializers.CharField()
    scopes = serializers.ListField(child=serializers.ChoiceField(ApiToken.Scope.choices))
    expires_at = serializers.DateTimeField()


class PersonShape(Shape):
    """The person who asks."""

    username = serializers.CharField()
    name = serializers.CharField(allow_blank=True, help_text="As the others see it; empty: the username.")
    time_zone = serializers.CharField(allow_blank=True, help_text="Empty: the clock of each campaign's club.")
    may_set_up = serializers.BooleanField(help_text="Whether this person may set up campaigns here.")
    token = TokenShape(allow_null=True, help_text="null: the browser's session.")


class ProfileShape(Shape):
    """The name shown to others, and the time zone."""

    name = serializers.CharField(max_length=LONGEST_NAME, allow_blank=True)
    time_zone = serializers.CharField(max_length=60, allow_blank=True)


class Me(ApiView):
    """The person who asks."""

    @endpoint("me_read", "Who I am", answer=PersonShape)
    def get(self, request: Request) -> dict[str, Any]:
        """The person who asks, and the token he asks with."""
        return self._build_answer()

    @endpoint(
        "me_save",
        "Change my name and clock",
        body=ProfileShape,
        answer=PersonShape,
        scope=Scope.ORDER,
        match=True,
    )
    def put(self, request: Request) -> dict[str, Any]:
        """The name the others see and your time zone; both may be empty. Rules: HR-SET-04."""
        with transaction.atomic():
            User.objects.select_for_update().get(pk=self.person.pk)
            demand_match(request, PersonShape(self._build_answer()).data)
            profile_save(actor=self.person, **self.given)
            return self._build_answer()

    def _build_answer(self) -> dict[str, Any]:
        person, request = self.person, self.request
        return {
            "username": person.get_username(),
            "name": person.get_full_name(),
            "time_zone": person.time_zone,
            "may_set_up": may_set_up(person),
            "token": request.auth if isinstance(request.auth, ApiToken) else None,
        }
