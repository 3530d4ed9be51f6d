"""The form of an order: a march, a chase, work or rest, and the further stages of an itinerary."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from django import forms

from campaign.fog.visibility import MapView
from campaign.rules.errors import RuleViolation
from campaign.rules.map.atlas import WATER_KINDS, Route
from campaign.rules.map.bridges import is_ford
from campaign.rules.orders.labour import can_work
from campaign.rules.orders.tasks import FURTHEST_MILES, LONGEST_WAIT, MOST_STAGES, SEEKING
from campaign.rules.world.world import Activity, Order, Stage, World
from campaign.selectors.orders.orders import FormationOrders
from campaign.text.order_text import STANCES
from campaign.text.place_names import CampaignNames
from campaign.web.forms import MarkedSelect, SentenceForm, ToldField, whole_sentence

#: How the fields of an order are called here, by the names the rules use.
ORDER_FIELDS = {
    "formation": "formation",
    "via": "destination",
    "pace": "pace",
    "stance": "stance",
    "light_order": "light_order",
    "activity": "activity",
    "target": "target",
    "starts": "starts",
    "by_water": "by_water",
    "stages": "to_1",
}
BY_WAY_OF = ("by_1", "by_2", "by_3")
PACE_CHOICES = [
    ("normal", "Normal march"),
    ("plus_half", "Forced march, up to half as far again"),
    ("double", "Forced march, up to double"),
]
ACTIVITY_CHOICES = [
    ("march", "March, or halt where no place is chosen"),
    ("rest", "Rest a day, then march"),
    ("follow", "Follow an enemy"),
    ("intercept", "Intercept an enemy"),
    ("entrench", "Entrench"),
    ("dismantle", "Take field works down"),
    ("break_bridge", "Break a bridge or ferry"),
    ("repair_bridge", "Mend a bridge or ferry"),
    ("lay_bridge", "Lay a bridge of rafts over a ford"),
    ("obstruct", "Fell and break a road"),
    ("gather_boats", "Gather boats"),
    ("siege", "Besiege the place"),
]
WHEN_CHOICES = [
    ("always", "in any case"),
    ("no_enemy", "if no enemy is known near it"),
    ("enemy", "if an enemy is known near it"),
    ("held", "if a place named below is ours"),
]
STANCE_CHOICES = [(key, text[:1].upper() + text[1:]) for key, text in STANCES.items()]
#: Fields of a further stage; each is called so with the stage's number behind it.
STAGE_FIELDS = ("to", "wait", "when", "miles", "held", "pace", "stance", "boats")


def _build_whole_number_field(label: str, what: str, most: int) -> forms.IntegerField:
    """A field for a whole number that may be left empty."""
    field = forms.IntegerField(
        label=label,
        required=False,
        min_value=0,
        max_value=most,
        error_messages=whole_sentence(what, most),
    )
    field.widget.attrs["class"] = "narrow-number"
    return field


class OrderForm(SentenceForm):
    """A formation's order: march through places in turn, halt, work, or seek an enemy."""

    bound_field_class = ToldField

    formation = forms.ChoiceField(
        label="Formation",
        widget=MarkedSelect,
        error_messages={"required": "Choose the formation this order is for."},
    )
    activity = forms.ChoiceField(label="It is to", choices=ACTIVITY_CHOICES, initial="march", required=False)
    target = forms.ChoiceField(label="Enemy, crossing or road", required=False, widget=MarkedSelect)
    destination = forms.ChoiceField(label="March to", required=False)
    by_1 = forms.ChoiceField(label="first by", required=False)
    by_2 = forms.ChoiceField(label="then by", required=False)
    by_3 = forms.ChoiceField(label="then by", required=False)
    pace = forms.ChoiceField(label="Pace", choices=PACE_CHOICES, initial="normal", required=False)
    stance = forms.ChoiceField(label="If it meets the enemy", choices=STANCE_CHOICES, initial="give_battle")
    light_order = forms.BooleanField(label="In light order, leaving tents and wagons", required=False)
    starts = _build_whole_number_field("Starts late by, minutes", "minutes", 1440)
    by_water = forms.BooleanField(label="In boats", required=False)

    def __init__(
        self,
        *args: Any,
        formations: Iterable[tuple[str, Any]],
        places: Iterable[tuple[str, str]],
        enemies: Iterable[tuple[str, str]] = (),
        crossings: Iterable[tuple[str, Any]] = (),
        marks: Mapping[str, Mapping[str, Mapping[str, str]]] | None = None,
        further: int = 0,
        **kwargs: Any,
    ) -> None:
        """`further` asks for so many empty stages more than are filled in.

        `marks` is what scripts are told of the choices of "formation" and "target": where a formation
        stands, what a target is good for.
        """
        super().__init__(*args, **kwargs)
        enemies = list(enemies)
        for name, marked in (marks or {}).items():
            widget = self.fields[name].widget
            assert isinstance(widget, MarkedSelect)
            widget.marks = marked
        if not enemies and (self.data if self.is_bound else self.initial).get("activity") not in SEEKING:
            self._choose("activity", [row for row in ACTIVITY_CHOICES if row[0] not in SEEKING])
        places = list(places)
        self._choose("formation", [("", "Choose a formation"), *formations])
        self._choose("destination", [("", "Halt where it stands"), *places])
        for name in BY_WAY_OF:
            self._choose(name, [("", "no place"), *places])
        self._choose("target", [("", "none"), *([("Enemies", enemies)] if enemies else []), *crossings])
        self.stage_count = min(MOST_STAGES, max(1, self._stages_asked() + further))
        for number in range(1, self.stage_count + 1):
            self._add_stage(number, places)

    def _choose(self, name: str, choices: list[tuple[str, Any]]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = choices

    def _stages_asked(self) -> int:
        """The number of the last stage that names a place."""
        values = self.data if self.is_bound else self.initial
        return max((n for n in range(1, MOST_STAGES + 1) if values.get(f"to_{n}")), default=0)

    def _add_stage(self, number: int, places: list[tuple[str, str]]) -> None:
        to = forms.ChoiceField(label="Then on to", required=False, choices=[("", "no place"), *places])
        when = forms.ChoiceField(label="Go", required=False, choices=WHEN_CHOICES)
        held = forms.ChoiceField(
            label="Place that must be ours", required=False, choices=[("", "no place"), *places]
        )
        pace = forms.ChoiceField(label="Pace", required=False, choices=PACE_CHOICES)
        stance = forms.ChoiceField(
            label="If it meets the enemy", required=False, choices=STANCE_CHOICES, initial="give_battle"
        )
        self.fields[f"to_{number}"] = to
        self.fields[f"wait_{number}"] = _build_whole_number_field(
            "after a halt of, days", "days", LONGEST_WAIT
        )
        self.fields[f"when_{number}"] = when
        self.fields[f"miles_{number}"] = _build_whole_number_field(
            "Near is within, miles", "miles", FURTHEST_MILES
        )
        self.fields[f"miles_{number}"].help_text = "Empty: at the place itself."
        self.fields[f"held_{number}"] = held
        self.fields[f"pace_{number}"] = pace
        self.fields[f"stance_{number}"] = stance
        self.fields[f"boats_{number}"] = forms.BooleanField(label="In boats", required=False)

    # --- for the page ---

    @property
    def stage_rows(self) -> list[dict[str, Any]]:
        """The bound fields of each further stage."""
        return [
            {"number": number, **{name: self[f"{name}_{number}"] for name in STAGE_FIELDS}}
            for number in range(1, self.stage_count + 1)
        ]

    @property
    def has_way(self) -> bool:
        """True when some place in between is chosen, so that its fields are shown open."""
        return any(self[name].value() for name in BY_WAY_OF)

    @property
    def has_stages(self) -> bool:
        return self.stage_count > 1 or bool(self["to_1"].value())

    @property
    def may_go_on(self) -> bool:
        """True if there is room for one more stage."""
        return self.stage_count < MOST_STAGES

    def refuse(self, violation: RuleViolation, fields: Any = None) -> None:
        """A refusal of a stage stands beside that stage."""
        stage = re.match(r"Stage (\d+)", violation.message) if violation.field == "stages" else None
        if stage and f"to_{stage[1]}" in self.fields:
            fields = {"stages": f"to_{stage[1]}"}
        super().refuse(violation, fields or ORDER_FIELDS)

    # --- for the service ---

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or self.cleaned_data
        if any(data.get(name) for name in BY_WAY_OF) and not data.get("destination"):
            self.add_error(
                "destination", "Places on the way are chosen but no destination; choose where to march."
            )
        empty = 0
        for number in range(1, self.stage_count + 1):
            if not data.get(f"to_{number}"):
                empty = empty or number
                if data.get(f"wait_{number}") or data.get(f"held_{number}"):
                    self.add_error(f"to_{number}", "This stage goes nowhere; choose a place or empty it.")
            elif empty:
                self.add_error(f"to_{empty}", "A later stage is filled in; choose a place here too.")
                empty = 0
        return data

    def order(self) -> Order:
        """The order of a valid form."""
        data = self.cleaned_data
        via = [data[name] for name in BY_WAY_OF if data[name]]
        activity: Activity = data["activity"] or "march"
        seeks = activity in ("follow", "intercept", "break_bridge", "repair_bridge", "lay_bridge", "obstruct")
        return Order(
            formation=data["formation"],
            via=tuple([*via, data["destination"]] if data["destination"] else []),
            pace=data["pace"] or "normal",
            stance=data["stance"],
            light_order=data["light_order"],
            activity=activity,
            target=data["target"] if seeks else "",
            starts=data["starts"] or 0,
            by_water=data["by_water"],
            stages=tuple(
                self._stage(number) for number in range(1, self.stage_count + 1) if data[f"to_{number}"]
            ),
        )

    def _stage(self, number: int) -> Stage:
        values = {name: self.cleaned_data[f"{name}_{number}"] for name in STAGE_FIELDS}
        return Stage(
            via=(values["to"],),
            wait=values["wait"] or 0,
            when=values["when"] or "always",
            miles=values["miles"] or 0,
            subject=values["held"] if values["when"] == "held" else "",
            pace=values["pace"] or "normal",
            stance=values["stance"] or "give_battle",
            by_water=values["boats"],
        )


def order_initial(order: Order | None, formation: str) -> dict[str, Any]:
    """Values that show an order in the form; an order by more places than the form has loses none
    of its last."""
    if order is None:
        return {"formation": formation}
    *between, last = order.via or ("",)
    way = dict(zip(BY_WAY_OF, between[-len(BY_WAY_OF) :], strict=False))
    values: dict[str, Any] = {
        "formation": formation,
        "destination": last,
        **way,
        "pace": order.pace,
        "stance": order.stance,
        "light_order": order.light_order,
        "activity": order.activity,
        "target": order.target,
        "starts": order.starts or None,
        "by_water": order.by_water,
    }
    for number, stage in enumerate(order.stages, start=1):
        values |= {
            f"to_{number}": stage.via[-1],
            f"wait_{number}": stage.wait or None,
            f"when_{number}": stage.when,
            f"miles_{number}": stage.miles or None,
            f"held_{number}": stage.subject,
            f"pace_{number}": stage.pace,
            f"stance_{number}": stage.stance,
            f"boats_{number}": stage.by_water,
        }
    return values


#: Work that is done to a route.
AT_ROUTES: tuple[Activity, ...] = ("break_bridge", "repair_bridge", "lay_bridge", "obstruct")
FOR_WORK = "Garrisons, for work only"


def by_duty(rows: Iterable[FormationOrders]) -> list[tuple[str, Any]]:
    """Formations to choose from: columns, then garrisons, which hold their places but work (HR-FOR-03).

    One without units takes no orders at all.
    """
    columns: list[tuple[str, Any]] = []
    garrisons: list[tuple[str, str]] = []
    for row in rows:
        seen = row.seen
        if not seen.units:
            continue
        stays = seen.garrison or all(unit.static for unit in seen.units)
        (garrisons if stays else columns).append((seen.id, f"{seen.name} ({row.where})"))
    return [*columns, (FOR_WORK, garrisons)] if garrisons else [*columns]


def list_crossings(
    world: World, view: MapView, names: CampaignNames
) -> list[tuple[str, list[tuple[str, str]]]]:
    """Crossings and roads where formations of the viewer's side stand, by kind."""
    groups: dict[str, list[tuple[str, str]]] = {"Bridges and ferries": [], "Fords": [], "Roads": []}
    for route in _list_routes(world, view):
        kind = "Bridges and ferries" if route.crossing in ("bridge", "ferry") else "Roads"
        way = names.route(route.id)
        name = way if route.crossing == "none" else f"{route.crossing} on {way}"
        groups["Fords" if is_ford(route) else kind].append((route.id, name))
    return [(group, sorted(rows, key=lambda row: row[1])) for group, rows in groups.items() if rows]


def find_tasks_by_target(world: World, view: MapView) -> dict[str, dict[str, str]]:
    """For each enemy and route the activities it is good for; of a route, at which place."""
    found = {
        seen.id.removeprefix("seen-"): {"data-fits": "follow intercept"}
        for seen in view.formations
        if not seen.own
    }
    here = {(seen.side, seen.position.place) for seen in view.own if seen.position.place}
    for route in _list_routes(world, view):
        works = [
            f"{work}@{place}"
            for side, place in sorted(here)
            if place in (route.a, route.b)
            for work in AT_ROUTES
            if can_work(world, side, place, work, route.id)
        ]
        found[route.id] = {"data-fits": " ".join(works)}
    return found


def standing_at(view: MapView) -> dict[str, dict[str, str]]:
    """Return the place of each formation of the viewer's side; a formation on the march has none."""
    return {seen.id: {"data-place": seen.position.place} for seen in view.own if seen.position.place}


def _list_routes(world: World, view: MapView) -> list[Route]:
    here = {seen.position.place for seen in view.own if seen.position.place}
    routes = world.theatre.atlas.routes.values()
    return [each for each in routes if each.kind not in WATER_KINDS and here & {each.a, each.b}]
