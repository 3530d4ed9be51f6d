"""The battle pack: its contents, and the PDF that is printed of it (HR-TAB-21, HR-TAB-23)."""

from functools import cached_property
from typing import Any

from django.http import Http404, HttpResponse
from django.utils.http import content_disposition_header, urlencode
from rest_framework import serializers
from rest_framework.request import Request

from battles.printing.packs import Pack
from battles.printing.sheet_types import FIGURES
from battles.printing.typesetting import PAPERS
from campaign.api.battles.battles import BattleView
from campaign.api.framework.contract import Scope, endpoint
from campaign.api.framework.problems import ApiProblem
from campaign.api.framework.serializers import Shape
from campaign.fog.visibility import battles_for
from campaign.models import Battle
from campaign.services.battles.packs import (
    NO_BATTLE,
    PackChoice,
    choice_of,
    list_named_copies,
    pack_for,
    pack_print_ask,
    pack_printing,
)

SEEN = "A side its own copy, a guest their side's, the umpire all of them."
USUAL = "left out: while the battle waits."


class PackShape(Shape):
    """The parts of a battle to print."""

    copy = serializers.CharField(
        max_length=60, required=False, allow_blank=True, help_text="A side's id; the umpire's own is empty."
    )
    figures = serializers.ChoiceField([*FIGURES], required=False, help_text="Left out: the battle's.")
    blinds = serializers.BooleanField(
        required=False, allow_null=True, default=None, help_text=f"Blinds for a hidden set-up; {USUAL}"
    )
    paper = serializers.ChoiceField([*PAPERS], default="a4")


class PackCopyShape(Shape):
    """A copy you may print."""

    copy = serializers.CharField(allow_blank=True)
    name = serializers.CharField()


class PackPrintingShape(Shape):
    """The progress of a pack's PDF."""

    copies = PackCopyShape(many=True)
    copy = serializers.CharField(allow_blank=True)
    figures = serializers.ChoiceField([*FIGURES])
    blinds = serializers.BooleanField()
    paper = serializers.ChoiceField([*PAPERS])
    made = serializers.BooleanField(help_text="Whether the PDF is there.")
    making = serializers.BooleanField()
    error = serializers.CharField(allow_blank=True, help_text="Why it could not be made.")


class PackMadeShape(PackPrintingShape):
    """A battle pack."""

    contents = serializers.DictField(help_text="What is set: sheets, cards, blinds, reference, drawings.")


class PackView(BattleView):
    """A view of a battle's pack."""

    @cached_property
    def battle(self) -> Battle:
        found = battles_for(self.viewer).filter(pk=self.kwargs["battle"]).first()
        if found is None:
            raise ApiProblem("not-found", NO_BATTLE)
        return found

    def get_choice(self, asked: dict[str, Any]) -> tuple[PackChoice, str]:
        """Return the copy asked for and its paper; not found for readers without such a copy (HR-TAB-23)."""
        choice = choice_of(
            self.viewer,
            self.battle,
            copy=asked.get("copy"),
            figures=asked.get("figures", ""),
            blinds=asked.get("blinds"),
        )
        if choice is None:
            raise Http404
        return choice, asked["paper"]

    def contents(self, choice: PackChoice) -> Pack:
        return pack_for(self.viewer, self.battle, self.reading.world, self.reading.names, choice)

    def printing(self, choice: PackChoice, paper: str, contents: Pack) -> dict[str, Any]:
        """Build the answer for `PackPrintingShape`."""
        found = pack_printing(battle=self.battle, contents=contents, paper=paper)
        copies = list_named_copies(self.viewer, self.battle, self.reading.names)
        return {
            "copies": [{"copy": side, "name": name} for side, name in copies],
            "copy": choice.copy,
            "figures": choice.figures,
            "blinds": choice.blinds,
            "paper": paper,
            "made": found.made is not None,
            "making": found.making,
            "error": found.error,
        }


class BattlePack(PackView):
    """The pack."""

    @endpoint("battles_pack", "The battle pack", answer=PackMadeShape, query=PackShape, cost=5, seen=SEEN)
    def get(self, request: Request, slug: str, battle: int) -> dict[str, Any]:
        """All that is printed for the table, as data, and how far its PDF is."""
        choice, paper = self.get_choice(self.asked)
        contents = self.contents(choice)
        return self.printing(choice, paper, contents) | {"contents": contents.to_json()}

    @endpoint(
        "battles_pack_print",
        "Have the PDF made",
        answer=PackPrintingShape,
        status=202,
        body=PackShape,
        scope=Scope.ORDER,
        cost=10,
        refuses=(422, 503),
        seen=SEEN,
    )
    def post(self, request: Request, slug: str, battle: int) -> dict[str, Any]:
        """Has a worker set it; look at the pack again until it is made. Asked twice it is made once."""
        choice, paper = self.get_choice(self.given)
        contents = self.contents(choice)
        blinds = "yes" if choice.blinds else "no"
        query = {"copy": choice.copy, "figures": choice.figures, "paper": paper, "blinds": blinds}
        pack_print_ask(
            battle=self.battle, contents=contents, paper=paper, query=urlencode(query), actor=self.person
        )
        return self.printing(choice, paper, contents)


class PackFile(PackView):
    """The pack on paper."""

    @endpoint(
        "battles_pack_file",
        "The battle pack as PDF",
        files={"application/pdf": "The pack."},
        query=PackShape,
        cost=5,
        refuses=(409,),
        seen=SEEN,
    )
    def get(self, request: Request, slug: str, battle: int) -> HttpResponse:
        """The PDF once it is made, kept for a day."""
        choice, paper = self.get_choice(self.asked)
        made = pack_printing(battle=self.battle, contents=self.contents(choice), paper=paper).made
        if made is None:
            raise ApiProblem("conflict", "The PDF is not made, or kept no longer; ask for it by POST.")
        whose = choice.copy or "umpire"
        name = content_disposition_header(False, f"{slug}-battle-{battle}-{whose}-{paper}.pdf") or ""
        return HttpResponse(made, content_type="application/pdf", headers={"Content-Disposition": name})
