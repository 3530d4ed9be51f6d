"""Short forms of the umpire's acts, one for each, with the reason that stands in the journal (HR-UMP)."""

from datetime import datetime
from typing import Any, get_args
from zoneinfo import ZoneInfo

from django import forms
from django.db.models import Q

from campaign.models import OrderPaper
from campaign.rules.army.organisation import detachment_id
from campaign.rules.turns.local_time import moment_at, verify_wall
from campaign.rules.umpire.correction_effects import FULL, LONGEST_NAME
from campaign.rules.umpire.corrections import (
    Act,
    Add,
    CancelOrder,
    CommandFormation,
    Deadline,
    EnterDie,
    Pause,
    Reinforce,
    Rename,
    Rumour,
    SetWeather,
    Split,
)
from campaign.rules.world.world import Order, Pace, Stance
from campaign.selectors.turns.deadlines import convert_to_club_time
from campaign.services.orders.day_orders import list_detachment_ids
from campaign.services.orders.organisation import week_end
from campaign.text.place_names import format_id
from campaign.web.orders.organisation_forms import Choices
from campaign.web.umpire.correction_forms import UmpireForm, group_choices
from campaign.web.umpire.placement_form import PlaceFormationForm
from campaign.web.umpire.rule_correction_forms import FoodForm, GeneralForm, HolderForm, PoolForm
from rosters.domain.vocabulary import GunClass, Nation, TroopType

SKIES = [(sky, sky) for sky in ("fair", "rain", "storm", "fog")]


class AddForm(UmpireForm):
    kind, title = "add", "Add a unit"

    def build(self) -> None:
        self.fields["name"] = self._text("Its name")
        self.fields["side"] = self._pick("Side", self._sides())
        self.fields["nation"] = self._pick("Nation", [(each.value, format_id(each.value)) for each in Nation])
        self.fields["troop_type"] = self._pick(
            "Troops", [(each.value, format_id(each.value)) for each in TroopType]
        )
        self.fields["gun_class"] = self._pick(
            "Guns",
            [(each.value, format_id(each.value)) for each in GunClass if each is not GunClass.NONE],
            none="no battery",
        )
        self.fields["points"] = forms.IntegerField(label="Points", min_value=0, max_value=FULL)
        self.fields["formation"] = self._pick(
            "Formation", self._formations(all_of_them=True), none="a new one, called"
        )
        self.fields["formation_name"] = forms.CharField(
            label="The new formation is called", max_length=LONGEST_NAME, required=False
        )
        self.fields["place"] = self._pick(
            "If it is not on the map, it appears at", self._places(), none="nowhere"
        )
        self.fields["pool"] = self._pick("Points come out of", self._pools(), none="no pool")

    def act(self) -> Act:
        data = self.cleaned_data
        number = 1
        while (key := f"umpire_{number}") in self.world.units:
            number += 1
        formed = 1
        while (formation := f"umpire_column_{formed}") in self.world.formations:
            formed += 1
        return Add(
            key,
            data["name"],
            data["side"],
            data["nation"],
            data["troop_type"],
            data["points"],
            data["formation"] or formation,
            formation_name="" if data["formation"] else data["formation_name"],
            gun_class=data["gun_class"] or GunClass.NONE.value,
            pool=data["pool"],
            place=data["place"],
        )


class SplitForm(UmpireForm):
    kind, title = "split", "Split a formation"

    def build(self) -> None:
        self.fields["formation"] = self._pick("Formation", self._formations())
        self.fields["units"] = forms.MultipleChoiceField(
            label="Units that leave it",
            choices=self._units(),
            widget=forms.SelectMultiple(attrs={"size": 8}),
            error_messages={"required": "Choose at least one unit."},
        )
        self.fields["name"] = self._text("What they are called")

    def act(self) -> Act:
        data = self.cleaned_data
        new = detachment_id(self.world, data["formation"], list_detachment_ids(self.viewer.campaign))
        return Split(data["formation"], tuple(data["units"]), new, data["name"])


class ReinforceForm(UmpireForm):
    kind, title = "reinforce", "Give or take points"

    def build(self) -> None:
        self.fields["unit"] = self._pick("Unit", self._units())
        self.fields["points"] = forms.IntegerField(
            label="Points, with a minus to take them", min_value=-FULL, max_value=FULL
        )
        self.fields["pool"] = self._pick("Out of, or into", self._pools(), none="no pool")

    def act(self) -> Act:
        return Reinforce(self.cleaned_data["unit"], self.cleaned_data["points"], self.cleaned_data["pool"])


class RenameForm(UmpireForm):
    kind, title = "rename", "Rename"

    def build(self) -> None:
        of = [
            ("Formations", [(f"formation/{key}", name) for key, name in _flatten_choices(self._formations())])
        ]
        of += [("Units", [(f"unit/{key}", name) for key, name in _flatten_choices(self._units())])]
        self.fields["id"] = self._pick("Unit or formation", of)
        self.fields["name"] = self._text("New name")

    def act(self) -> Act:
        of, _, key = self.cleaned_data["id"].partition("/")
        return Rename(of, key, self.cleaned_data["name"])


def _flatten_choices(groups: Choices) -> Choices:
    return [row for _, rows in groups for row in rows]


class WeatherForm(UmpireForm):
    kind, title = "weather", "Decide the weather"

    def build(self) -> None:
        world = self.world
        first = self.viewer.campaign.day
        days = range(first, min(first + 14, world.theatre.days))
        named = [(str(day), f"day {day + 1}") for day in days]
        self.fields["day"] = self._pick("Day", named)
        self.fields["weather"] = self._pick("Weather", SKIES, none="as its dice fall")

    def act(self) -> Act:
        return SetWeather(int(self.cleaned_data["day"]), self.cleaned_data["weather"])


class HaltForm(UmpireForm):
    kind, title = "command", "Cancel an order: the formation halts"

    def build(self) -> None:
        papers = self._papers()
        rows = [
            (each.id, each.name, self.names.side(each.side))
            for each in self.world.formations.values()
            if each.position is not None and (each.order is not None or each.id in papers)
        ]
        self.fields["formation"] = self._pick("Formation", group_choices(rows))

    def _papers(self) -> frozenset[str]:
        return frozenset(
            OrderPaper.objects.filter(
                campaign=self.viewer.campaign,
                day=self.viewer.campaign.day,
                state=OrderPaper.State.STANDING,
            ).values_list("formation", flat=True)
        )

    def act(self) -> Act:
        return CommandFormation(self.cleaned_data["formation"])


class AmendOrderForm(UmpireForm):
    """A march in place of what the side has ordered, or of what the formation is under."""

    kind, title = "order", "Amend an order: the formation marches"

    def build(self) -> None:
        self.fields["formation"] = self._pick("Formation", self._formations())
        self.fields["via"] = self._pick("To", self._places())
        self.fields["pace"] = self._pick("Pace", [(each, each.replace("_", " ")) for each in get_args(Pace)])
        self.fields["stance"] = self._pick(
            "If it meets the enemy", [(each, each.replace("_", " ")) for each in get_args(Stance)]
        )

    def act(self) -> Act:
        data = self.cleaned_data
        order = Order(data["formation"], (data["via"],), data["pace"], data["stance"])
        return CommandFormation(data["formation"], order)


class StrikeForm(UmpireForm):
    kind, title = "strike", "Strike a paper"

    def build(self) -> None:
        returns = Q(kind=OrderPaper.Kind.RETURNS)
        day = self.viewer.campaign.day  # acts are done on that morning, whatever has run on since
        papers = (
            OrderPaper.objects.filter(
                (returns & Q(day=week_end(day))) | (~returns & Q(day=day)),
                campaign=self.viewer.campaign,
                state=OrderPaper.State.STANDING,
            )
            .exclude(side="")
            .order_by("side", "kind", "formation")
        )
        rows = []
        for paper in papers:
            about = self.names.formation(paper.formation) if paper.kind != "returns" else "the week's returns"
            key = f"{paper.kind}/{paper.side}/{paper.formation}"
            rows.append((key, f"{about}: {paper.get_kind_display()}", self.names.side(paper.side)))
        self.fields["subject"] = self._pick("Paper", group_choices(rows))

    def again(self, done: Act | None) -> None:
        if isinstance(done, CancelOrder):
            subject = self.fields["subject"]
            assert isinstance(subject, forms.ChoiceField)
            key = f"{done.paper}/{done.side}/{done.subject}"
            subject.choices = [*list(subject.choices), (key, key)]  # type: ignore[arg-type]

    def act(self) -> Act:
        kind, side, subject = self.cleaned_data["subject"].split("/", 2)
        return CancelOrder(kind, subject, side)


class RumourForm(UmpireForm):
    kind, title, button = "rumour", "Write a rumour", "Let it be heard"

    def build(self) -> None:
        self.fields["side"] = self._pick("Who hears it", self._sides())
        self.fields["text"] = forms.CharField(
            label="What is said",
            max_length=300,
            widget=forms.Textarea(attrs={"rows": 3}),
            error_messages={"required": "Write what is said."},
        )

    def act(self) -> Act:
        return Rumour(self.cleaned_data["side"], self.cleaned_data["text"])


class PauseForm(UmpireForm):
    kind = "pause"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        resting = bool(self.viewer.campaign.paused)
        self.title = self.button = "Let the campaign go on" if resting else "Pause the campaign"

    def build(self) -> None:
        """What the page offered is what is done, even when it is clicked twice."""
        self.fields["on"] = forms.BooleanField(
            required=False, initial=not self.viewer.campaign.paused, widget=forms.HiddenInput
        )

    def act(self) -> Act:
        return Pause(self.cleaned_data["on"])


class DeadlineForm(UmpireForm):
    """Also on the sheet of the day: the same act, whichever door it comes through (HR-UMP-11)."""

    kind, title, button = "deadline", "Move the deadline", "Set the deadline"

    def build(self) -> None:
        campaign = self.viewer.campaign
        present = convert_to_club_time(campaign.deadline, campaign) if campaign.deadline else None
        self.fields["until"] = forms.DateTimeField(
            label=f"Orders are due ({campaign.time_zone})",
            required=False,
            initial=f"{present:%Y-%m-%dT%H:%M}" if present else "",
            widget=forms.DateTimeInput(attrs={"type": "datetime-local"}),
            help_text="Empty: no deadline.",
            error_messages={"invalid": "Give the deadline as a day and an hour, as 2026-12-24 20:00."},
        )
        self.fields["earlier"] = forms.BooleanField(
            label="It is to be earlier than was said", required=False, initial=False
        )

    def act(self) -> Act:
        until: datetime | None = self.cleaned_data["until"]
        if until is None:
            return Deadline("")
        zone = ZoneInfo(self.viewer.campaign.time_zone)
        verify_wall(until, zone)
        return Deadline(moment_at(until, zone).isoformat(), self.cleaned_data["earlier"])


class DieForm(UmpireForm):
    kind, title = "die", "Enter a real die"

    def build(self) -> None:
        self.fields["rule"] = self._text("Rule it is thrown under", 20)
        self.fields["subject"] = self._text("What it is thrown for", 160)
        self.fields["index"] = forms.IntegerField(
            label="Number of the die, from 0",
            min_value=0,
            initial=0,
            help_text="As the journal counts: die 1 of several in the list above is number 0.",
        )
        self.fields["sides"] = forms.IntegerField(label="Faces", min_value=2, max_value=256, initial=6)
        self.fields["value"] = forms.IntegerField(
            label="What it shows",
            min_value=1,
            max_value=256,
            help_text="Whether its die is thrown at all shows on the day; one not asked for stays unused.",
        )

    def act(self) -> Act:
        data = self.cleaned_data
        return EnterDie(data["rule"], data["subject"], data["index"], data["value"], data["sides"])


HAND_FORMS: dict[str, type[UmpireForm]] = {
    form.kind: form
    for form in (
        DieForm, PlaceFormationForm, ReinforceForm, PoolForm, AddForm, SplitForm, RenameForm,
        GeneralForm, HolderForm,
        FoodForm, AmendOrderForm, HaltForm, StrikeForm, WeatherForm, RumourForm, DeadlineForm, PauseForm,
    )
}  # fmt: skip
