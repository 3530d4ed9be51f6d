"""Absences of the person who asks (HR-SET-09)."""

from typing import Any

from django.shortcuts import get_object_or_404
from rest_framework import serializers
from rest_framework.request import Request

from campaign.api.framework.contract import Scope, endpoint
from campaign.api.framework.serializers import Shape
from campaign.api.framework.views import ApiView
from campaign.models import Absence, local_date
from campaign.services.seats.absences import absence_add, absence_end


class AbsenceWriteShape(Shape):
    """Days away, both counted in."""

    first = serializers.DateField()
    last = serializers.DateField()
    word = serializers.CharField(max_length=120, default="", allow_blank=True, help_text="To the others.")


class AbsenceShape(AbsenceWriteShape):
    """An absence that was announced."""

    number = serializers.IntegerField(source="pk")


class Absences(ApiView):
    """One's absences."""

    @endpoint("me_absences", "When I am away", answer=AbsenceShape(many=True))
    def get(self, request: Request) -> Any:
        """Absences that are not over."""
        person = self.person
        return list(person.absences.filter(last__gte=local_date(person)))

    @endpoint(
        "me_absent",
        "I shall be away",
        body=AbsenceWriteShape,
        answer=AbsenceShape,
        status=201,
        scope=Scope.ORDER,
    )
    def post(self, request: Request) -> Absence:
        """Those days your deputies act and the others are told."""
        return absence_add(user=self.person, **self.given)


class Back(ApiView):
    """One absence."""

    @endpoint("me_back", "I am back", scope=Scope.ORDER)
    def delete(self, request: Request, number: int) -> None:
        """Ends an absence, or strikes out one that has not begun."""
        absence = get_object_or_404(Absence, pk=number, user=self.person)
        absence_end(absence=absence, user=self.person)
