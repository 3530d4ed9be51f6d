"""Forms of the umpire's corrections, one for each, with the reason for the journal (HR-UMP)."""

from datetime import datetime
from decimal import Decimal
from typing import Any, get_args
from zoneinfo import ZoneInfo

from django import forms
from django.db.models import Q

from campaign.models import OrderPaper
from campaign.rules.army.leaders import LIVING
from campaign.rules.army.organisation import detachment_id
from campaign.rules.errors import RuleViolation
from campaign.rules.returns.pools import NEW_UNIT_TYPES
from campaign.rules.returns.returns import pool_owners
from campaign.rules.turns.local_time import moment_at, verify_wall
from campaign.rules.umpire.correction_effects import (
    FULL,
    LONGEST_NAME,
    LONGEST_REASON,
    MOST_POINTS,
    MOST_RATIONS,
    MOST_WEEKS,
)
from campaign.rules.umpire.corrections import (
    Act,
    Add,
    CancelOrder,
    ChangePool,
    CommandFormation,
    Deadline,
    EnterDie,
    Pause,
    PlaceFormation,
    Reinforce,
    Rename,
    Rumour,
    SetFood,
    SetGeneral,
    SetHolder,
    SetWeather,
    Split,
)
from campaign.rules.umpire.placement import verify_put_down
from campaign.rules.world.markers import General
from campaign.rules.world.world import YARDS_PER_MILE, Order, Pace, Position, Stance, UnitStatus
from campaign.selectors.turns.deadlines import convert_to_club_time
from campaign.services.orders.day_orders import list_detachment_ids
from campaign.services.orders.organisation import week_end
from campaign.text.place_names import format_id, position_text
from campaign.web.orders.organisation_forms import Choices, PaperForm
from rosters.domain.vocabulary import GunClass, Nation, PoolArm, PoolNation, TroopType

REASON = {"required": "Say why: every act of the umpire's stands in the journal with its reason."}


def reason_field() -> forms.CharField:
    """Build the field for the umpire's reason, which is recorded in the journal."""
    return forms.CharField(
        label="Reason",
        max_length=LONGEST_REASON,
        help_text="Needed: it stands in the journal.",
        error_messages=REASON,
    )


class UmpireForm(PaperForm):
    """A form of one act; its last field is the reason."""

    button = "Do it"
    draftable = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.build()
        self.fields["reason"] = reason_field()

    def build(self) -> None:
        raise NotImplementedError

    def act(self) -> Act:
        """The act of a valid form."""
        raise NotImplementedError

    @property
    def reason(self) -> str:
        return str(self.cleaned_data["reason"])

    def again(self, done: Act | None) -> None:
        """Told which act has just been `done` from the same page; what it used up can be chosen once more."""

    def _text(self, label: str, most: int = 120) -> forms.CharField:
        return forms.CharField(
            label=label,
            max_length=most,
            error_messages={"required": f"{label}: this is empty; write it here."},
        )

    def _sides(self) -> Choices:
        return [(side.id, side.name) for side in self.world.theatre.sides]

    def _formations(self, *, all_of_them: bool = False) -> Choices:
        rows = [
            (each.id, f"{each.name} ({position_text(each.position, self.names)})", self.names.side(each.side))
            for each in self.world.formations.values()
            if all_of_them or each.position is not None
        ]
        return group_choices(rows)

    def _units(self) -> Choices:
        gone = (UnitStatus.DEPARTED, UnitStatus.SURRENDERED)
        rows = [
            (each.id, f"{each.name} ({each.points})", self.names.formation(each.formation))
            for each in self.world.units.values()
            if each.status not in gone
        ]
        return group_choices(rows)

    def _places(self) -> Choices:
        places = self.world.theatre.atlas.places.values()
        return sorted(((place.id, place.name) for place in places), key=lambda row: row[1])

    def _pools(self) -> Choices:
        return [
            (key, f"{self.names.pool(key)} ({points})") for key, points in sorted(self.world.pools.items())
        ]


def group_choices(rows: list[tuple[str, str, str]], *, by_key: bool = False) -> Choices:
    """Choices of key, name and group, by group and name, or by group and key."""
    groups: dict[str, list[tuple[str, str]]] = {}
    for key, name, group in sorted(rows, key=lambda row: (row[2], row[0 if by_key else 1])):
        groups.setdefault(group, []).append((key, name))
    return list(groups.items())


MILES = "Give the miles as a number, as 3 or 2.5."


class PlaceFormationForm(UmpireForm):
    kind, title = "place", "Put a formation elsewhere"

    def build(self) -> None:
        self.fields["formation"] = self._pick("Formation", self._formations())
        self.fields["position"] = self._pick("Place", self._places(), none="at no place, but on a route")
        self.fields["route"] = self._pick("Or on the route", self._ways(), none="on no route")
        self.fields["miles"] = forms.DecimalField(
            label="Miles from where the route begins",
            required=False,
            max_digits=8,
            decimal_places=3,
            help_text="Only for a spot on a route.",
            error_messages=dict.fromkeys(
                ("invalid", "max_digits", "max_decimal_places", "max_whole_digits"), MILES
            ),
        )

    def _ways(self) -> Choices:
        """Every route from either of its ends, by the place it leads out of."""
        return group_choices(
            [
                (
                    f"{route.id}/{origin}",
                    f"towards {self.names.place(end)}, {route.kind.replace('_', ' ')}, "
                    f"{_format_miles(route.yards)} miles",
                    f"Out of {self.names.place(origin)}",
                )
                for route in self.world.theatre.atlas.routes.values()
                for origin, end in ((route.a, route.b), (route.b, route.a))
            ]
        )

    def clean(self) -> None:
        data = self.cleaned_data
        place, way, miles = data.get("position", ""), data.get("route", ""), data.get("miles")
        if self.errors:
            return
        if not way:
            if not place:
                self.add_error("position", "Choose a place, or a route and the miles along it.")
            elif miles is not None:
                self.add_error("route", "Choose the route the miles are along, or leave the miles empty.")
            else:
                self._verify_free(PlaceFormation(data["formation"], Position(place=place)))
            return
        if place:
            self.add_error("route", "A formation stands at a place or on a route; choose one of the two.")
            return
        length = self.world.theatre.atlas.routes[way.rpartition("/")[0]].yards
        if miles is None or not 0 < _convert_to_yards(miles) < length:
            self.add_error(
                "miles",
                f"The route is {_format_miles(length)} miles long; give more than 0 and less than that.",
            )

    def _verify_free(self, act: PlaceFormation) -> None:
        try:
            verify_put_down(self.world, act)
        except RuleViolation as violation:
            self.refuse(violation)

    def act(self) -> Act:
        data = self.cleaned_data
        if not data["route"]:
            return PlaceFormation(data["formation"], Position(place=data["position"]))
        key, _, origin = data["route"].rpartition("/")
        end = self.world.theatre.atlas.routes[key].other(origin)
        spot = Position(route=key, origin=origin, destination=end, yards=_convert_to_yards(data["miles"]))
        return PlaceFormation(data["formation"], spot)


def _convert_to_yards(miles: Decimal) -> int:
    return round(miles * YARDS_PER_MILE)


def _format_miles(yards: int) -> str:
    """Miles with a decimal where they have one."""
    tenths = round(Decimal(yards) / YARDS_PER_MILE, 1)
    return f"{tenths.normalize():f}"


class PoolForm(UmpireForm):
    kind, title = "pool", "Give or take a pool's points"

    def build(self) -> None:
        self.fields["pool"] = self._pick("Pool", self._every_pool())
        self.fields["points"] = forms.IntegerField(
            label="Points, with a minus to take them", min_value=-MOST_POINTS, max_value=MOST_POINTS
        )

    def _every_pool(self) -> Choices:
        """Pools that raise units here, begun or not, and any that holds points, by the side of each."""
        pools = self.world.pools
        rows = [
            (key, f"{self.names.pool(key)} ({pools.get(key, 0)})", self.names.side(side))
            for nation, side in pool_owners(self.world).items()
            for key in (f"{nation}/{arm}" for arm in PoolArm)
            if PoolNation(nation) in NEW_UNIT_TYPES or pools.get(key)
        ]
        return group_choices(rows)

    def act(self) -> Act:
        return ChangePool(self.cleaned_data["pool"], self.cleaned_data["points"])


#: The choice of a general with no formation; an empty one leaves him where he is.
ALONE = "-"
#: The choice of no side; nothing chosen is a field forgotten.
NOBODY = "-"
STATES = [("well", "well"), ("wounded", "wounded"), ("captured", "a prisoner"), ("dead", "dead")]


class GeneralForm(UmpireForm):
    kind, title = "general", "Say how a general is, and with whom"

    def build(self) -> None:
        self.fields["general"] = self._pick("General", self._generals())
        self.fields["state"] = self._pick("State", STATES)
        self.fields["weeks"] = forms.IntegerField(
            label="Weeks away with a wound", min_value=1, max_value=MOST_WEEKS, required=False
        )
        self.fields["formation"] = self._pick(
            "With", [(ALONE, "no formation"), *self._formations()], none="as now"
        )

    def _generals(self) -> Choices:
        rows = [
            (key, f"{each.name} ({self._now(each)})", self.names.side(each.side))
            for key, each in self.world.generals.items()
        ]
        return group_choices(rows, by_key=True)  # which in the scenarios at hand begins with the surname

    def _now(self, general: General) -> str:
        if not general.formation:
            return general.state
        return f"{general.state}, with {self.names.formation(general.formation)}"

    def act(self) -> Act:
        data = self.cleaned_data
        company = data["formation"]
        if not company and data["state"] in LIVING:
            company = self.world.generals[data["general"]].formation
        return SetGeneral(
            data["general"], data["state"], "" if company == ALONE else company, data["weeks"] or 0
        )


class HolderForm(UmpireForm):
    kind, title = "holder", "Say who holds a place"

    def build(self) -> None:
        holders = self.world.holders
        held = [
            (key, f"{name} ({self.names.side(holders[key]) if holders.get(key) else 'nobody'})")
            for key, name in self._places()
        ]
        self.fields["place"] = self._pick("Place", held)
        self.fields["side"] = self._pick("It is held by", [*self._sides(), (NOBODY, "nobody")])

    def act(self) -> Act:
        side = self.cleaned_data["side"]
        return SetHolder(self.cleaned_data["place"], "" if side == NOBODY else side)


#: What a formation has that has not eaten here yet: what it begins with (HR-SUP-01).
NOT_YET = "not eaten yet"


class FoodForm(UmpireForm):
    """Nothing can be chosen where food is not played."""

    kind, title = "food", "Change rations"

    def build(self) -> None:
        groups = [("Stores", self._stores()), ("Formations", self._build_ration_choices())]
        played = self.world.settings.supply != "off"
        self.fields["id"] = self._pick("Whose food", groups if played else [])
        self.fields["rations"] = forms.IntegerField(
            label="Rations from now on", min_value=0, max_value=MOST_RATIONS
        )

    def _stores(self) -> Choices:
        stores, holders = self.world.magazines, self.world.holders
        supplied = {place for places in self.world.theatre.supply.values() for place in places}
        return [
            (f"store/{key}", f"{name} ({stores[key].rations if key in stores else 0})")
            for key, name in self._places()
            if key in stores or (holders.get(key) and key not in supplied)
        ]

    def _build_ration_choices(self) -> Choices:
        bodies = sorted(self.world.formations.values(), key=lambda body: (body.name, body.id))
        return [
            (f"formation/{body.id}", f"{body.name} ({body.rations if body.rations is not None else NOT_YET})")
            for body in bodies
            if body.position is not None
        ]

    def act(self) -> Act:
        of, _, key = self.cleaned_data["id"].partition("/")
        return SetFood(of, key, self.cleaned_data["rations"])


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
        """Take the action the page offered, even if the button is clicked twice."""
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
