"""Photographs of a battle's table (HR-TAB-07)."""

from collections.abc import Container

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from rest_framework import serializers
from rest_framework.request import Request

from campaign.api.battles.battles import BattleView, PhotoShape
from campaign.api.framework.contract import Scope, endpoint
from campaign.api.framework.parsing import FormParser
from campaign.api.framework.serializers import Shape
from campaign.fog.battles import photos_for
from campaign.models import BattlePhoto, Seat
from campaign.ops.rate_limit import PHOTOGRAPHS
from campaign.selectors.battles.table_results import entering_side, may_enter
from campaign.services.battles.photos import LARGEST, battle_photo_add, battle_photo_remove


class NewPhotoShape(Shape):
    """A photograph to keep."""

    media_type = "multipart/form-data"
    photo = serializers.FileField(help_text=f"JPEG, PNG or WebP, at most {LARGEST // 2**20} MB.")
    caption = serializers.CharField(max_length=1000, allow_blank=True, default="")


class Photos(BattleView):
    """Photographs of a battle."""

    parser_classes = (FormParser,)

    @endpoint(
        "results_photograph",
        "Keep a photograph",
        answer=PhotoShape,
        status=201,
        body=NewPhotoShape,
        scope=Scope.ORDER,
        cost=PHOTOGRAPHS,
        largest=LARGEST + 64 * 1024,
    )
    def post(self, request: Request, slug: str, battle: int) -> BattlePhoto:
        """Keeps a photograph of the table, made anew without place and time. Rules: HR-TAB-07."""
        if not may_enter(self.viewer, self.battle):
            raise Http404
        return battle_photo_add(
            battle=self.battle,
            side=entering_side(self.viewer),
            file=self.given["photo"],
            caption=self.given["caption"],
            actor=self.person,
        )


class Photo(BattleView):
    """A photograph."""

    also: Container[str] = (Seat.Role.GUEST, Seat.Role.SPECTATOR)

    @endpoint(
        "results_photo",
        "A photograph",
        files={"image/jpeg": "The photograph."},
        seen="Your side's; all once the result is confirmed (HR-TAB-07).",
    )
    def get(self, request: Request, slug: str, battle: int, photo: int) -> HttpResponse:
        """The photograph itself."""
        shown = get_object_or_404(photos_for(self.viewer, self.battle), pk=photo)
        return HttpResponse(bytes(shown.image), content_type="image/jpeg")

    @endpoint("results_photo_remove", "Take a photograph away", scope=Scope.ORDER)
    def delete(self, request: Request, slug: str, battle: int, photo: int) -> None:
        """Takes a photograph away while the result is open (HR-TAB-07)."""
        if not may_enter(self.viewer, self.battle):
            raise Http404
        get_object_or_404(photos_for(self.viewer, self.battle), pk=photo)
        battle_photo_remove(battle=self.battle, photo=photo, actor=self.person)
