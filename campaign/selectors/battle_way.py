"""The umpire's page of a battle that waits: what was adjusted in words, and the sector for the table."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from battles.files import thaw
from battles.scenario import Plan
from campaign.battle_inputs import file_now, muster_kept, muster_of
from campaign.models import Battle
from campaign.narration import Names
from campaign.rules.battle_acts import Arrival, DrawGround
from campaign.selectors.battle_plans import plan_sentence
from campaign.visibility import Viewer

RAIN = {"none": "dry", "rain": "rain, muskets -1", "storm": "heavy rain, muskets -2"}


@dataclass(frozen=True, slots=True)
class AdjustmentRow:
    """One adjustment in words; `back` is why it was taken back, "" while it stands."""

    number: int
    told: str
    reason: str
    back: str


@dataclass(frozen=True, slots=True)
class SectorUnit:
    """A unit of a fight too big for the table, and whether it is on it."""

    id: str
    name: str
    formation: str
    sp: int
    arrives: int
    chosen: bool


@dataclass(frozen=True, slots=True)
class SectorSide:
    """A side's units for the table and beside it."""

    side: str
    name: str
    tint: str
    units: tuple[SectorUnit, ...]

    @property
    def here(self) -> int:
        return sum(unit.chosen for unit in self.units)


def adjustments(battle: Battle, names: Names) -> list[AdjustmentRow]:
    """What has been adjusted of a battle, in order, what was taken back too."""
    return [
        AdjustmentRow(one["number"], adjustment_told(one, names), one["reason"], one.get("back", ""))
        for one in battle.adjusted
    ]


def adjustments_known(viewer: Viewer, battle: Battle, names: Names) -> list[str]:
    """What stands of the adjustments the viewer's side can see, in words without the umpire's reasons."""
    standing = (one for one in battle.adjusted if "back" not in one)
    return [
        adjustment_told({**one, "terms": _own_terms(viewer, battle, one)}, names)
        for one in standing
        if viewer.sees_all or viewer.side in one["sides"]
    ]


def _own_terms(viewer: Viewer, battle: Battle, one: Mapping[str, Any]) -> Any:
    """Of late troops a side is told its own."""
    if one["what"] != "arrivals" or viewer.sees_all:
        return one["terms"]
    own = {unit["id"] for unit in battle.inputs["file"]["units"] if unit["side"] == viewer.side}
    return {"arrivals": [row for row in one["terms"]["arrivals"] if row["unit"] in own]}


def adjustment_told(one: Mapping[str, Any], names: Names) -> str:
    """An adjustment in words."""
    terms = one["terms"]
    if one["what"] == "ground":
        return f"The ground: {_ground_told(thaw(DrawGround, terms))}."
    if one["what"] == "rain":
        return f"The weather on the field: {RAIN.get(terms['rain'], terms['rain'])}."
    if one["what"] == "plan":
        return plan_sentence(names.side(terms["side"]), thaw(Plan, terms["plan"]))
    rows = [thaw(Arrival, row) for row in terms["arrivals"]]
    told = [f"{names.unit(row.unit)} {f'in turn {row.turn}' if row.turn else 'at once'}" for row in rows]
    return f"There come up {', '.join(told)}."


def _ground_told(drawing: DrawGround) -> str:
    works = {-1: "", 0: ", no works"}.get(drawing.works, f", works of {drawing.works} SP")
    wet = ", after rain" if drawing.wet else ""
    size = f"{drawing.width} by {drawing.depth} inches"
    return f"drawing {drawing.draw}, {drawing.season}{wet}{works}, a table of {size}"


@dataclass(frozen=True, slots=True)
class MusterRow:
    """How a unit stands under rules that count strength in points of their own (HR-BAT-13)."""

    name: str
    sp: int
    points: int
    stands: str
    brigade: int
    back: str


def muster_rows(battle: Battle, names: Names) -> tuple[MusterRow, ...]:
    """The muster of a battle, as kept with its result or as it stands; empty under other rules."""
    rows = muster_kept(battle.settlement or {}) or muster_of(file_now(battle))
    return tuple(
        MusterRow(
            name=names.unit(key),
            sp=one.sp,
            points=one.points,
            stands=", ".join(map(str, one.stands)),
            brigade=one.brigade,
            back=", ".join(map(str, one.back[1:])),
        )
        for key, one in rows.items()
    )


def sector_sides(battle: Battle, names: Names, chosen: Collection[str]) -> tuple[SectorSide, ...]:
    """Both sides' units, the attacker's first, those for the table marked."""
    units = file_now(battle)["units"]
    return tuple(
        SectorSide(
            side,
            names.side(side),
            names.tint(side),
            tuple(
                SectorUnit(
                    unit["id"],
                    unit["name"],
                    names.formation(unit["formation"]),
                    unit["sp"],
                    unit["arrives"],
                    unit["id"] in chosen,
                )
                for unit in units
                if unit["side"] == side
            ),
        )
        for side in (battle.attacker, battle.defender)
    )
