"""The umpire's page of a battle that waits: what was adjusted in words, and the sector for the table."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from battles.files.reading import decode_battle, decode_value
from battles.files.schema import BattlePlan
from battles.printing.sheet_types import figure_size
from battles.strength_conversion import map_brigade_names, pooled_name
from battles.table_pieces import describe_piece_count
from campaign.fog.visibility import Viewer
from campaign.models import Battle
from campaign.rules.battles.battle_inputs import (
    file_mustering,
    file_now,
    file_of_sector,
    find_ruleset,
    muster_units,
    pieces_on_table,
    ruleset_of,
)
from campaign.rules.umpire.battle_corrections import DrawGround, UnitArrival
from campaign.selectors.battles.plans import plan_sentence
from campaign.text.battle_measures import find_table_measures, telling_under
from campaign.text.place_names import CampaignNames

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
    """A unit of a fight too big for the table, and whether it is on it.

    `arrives` is the turn of the battle file in which it comes, `turn` the same as the rules count it;
    `stands_with` is by whom its brigade is called where several stand as one, "" else.
    """

    id: str
    name: str
    formation: str
    sp: int
    arrives: int
    chosen: bool
    turn: int
    stands_with: str = ""


@dataclass(frozen=True, slots=True)
class SectorSide:
    """A side's units for the table and beside it; `counted` says how many stand there, in words."""

    side: str
    name: str
    tint: str
    counted: str
    units: tuple[SectorUnit, ...]

    @property
    def here(self) -> int:
        return sum(unit.chosen for unit in self.units)

    @property
    def beside(self) -> int:
        return len(self.units) - self.here


def list_adjustments(battle: Battle, names: CampaignNames) -> list[AdjustmentRow]:
    """List all adjustments of a battle in order, undone ones too."""
    return [
        AdjustmentRow(
            one["number"], describe_adjustment(one, battle, names), one["reason"], one.get("back", "")
        )
        for one in battle.adjusted
    ]


def describe_known_adjustments(viewer: Viewer, battle: Battle, names: CampaignNames) -> list[str]:
    """Describe the adjustments in force that the viewer's side can see, without the umpire's reasons."""
    standing = (one for one in battle.adjusted if "back" not in one)
    return [
        describe_adjustment({**one, "terms": _own_terms(viewer, battle, one)}, battle, names)
        for one in standing
        if viewer.sees_all or viewer.side in one["sides"]
    ]


def _own_terms(viewer: Viewer, battle: Battle, one: Mapping[str, Any]) -> Any:
    """Of late troops a side is told its own."""
    if one["what"] != "arrivals" or viewer.sees_all:
        return one["terms"]
    own = {unit["id"] for unit in battle.inputs["file"]["units"] if unit["side"] == viewer.side}
    return {"arrivals": [row for row in one["terms"]["arrivals"] if row["unit"] in own]}


def describe_adjustment(one: Mapping[str, Any], battle: Battle, names: CampaignNames) -> str:
    """An adjustment in words: turns and inches as the battle's rules count them, and as they were entered."""
    terms, rules = one["terms"], ruleset_of(battle)
    if one["what"] == "ground":
        inch = find_table_measures(file_now(battle)).inch
        return f"The ground: {_describe_ground(decode_value(DrawGround, terms), inch)}."
    if one["what"] == "rain":
        return f"The weather on the field: {RAIN.get(terms['rain'], terms['rain'])}."
    if one["what"] == "plan":
        return plan_sentence(names.side(terms["side"]), decode_value(BattlePlan, terms["plan"]), rules)
    rows = [decode_value(UnitArrival, row) for row in terms["arrivals"]]
    when = partial(telling_under(rules).turn_told, entered=True)
    told = [f"{names.unit(row.unit)} {f'in {when(row.turn)}' if row.turn else 'at once'}" for row in rows]
    return f"There come up {', '.join(told)}."


def _describe_ground(drawing: DrawGround, inch: float) -> str:
    works = {-1: "", 0: ", no works"}.get(drawing.works, f", works of {drawing.works} SP")
    wet = ", after rain" if drawing.wet else ""
    size = f"{drawing.width * inch:.3g} by {drawing.depth * inch:.3g} inches"
    size += f" ({drawing.width} by {drawing.depth} as entered)" if inch != 1.0 else ""
    return f"drawing {drawing.draw}, {drawing.season}{wet}{works}, a table of {size}"


@dataclass(frozen=True, slots=True)
class MusterRow:
    """A unit's strength under rules that count it in points of their own (HR-BAT-13).

    `kind` is its label and `stands` are its stands with their points, as its card has both; `brigade` is what
    its brigade is called, "" for none.
    """

    name: str
    kind: str
    sp: int
    points: int
    stands: str
    brigade: str
    back: str


def muster_rows(battle: Battle, names: CampaignNames) -> tuple[MusterRow, ...]:
    """The muster of what is fought on the table as it stands; empty under other rules."""
    whole = file_now(battle)
    file = file_of_sector(whole, battle.sector)
    rules = find_ruleset(file["ruleset"])
    if rules is None or rules.muster is None:
        return ()
    fought = decode_battle(file)
    mustered = tuple(muster_units(whole, battle.sector).values())
    brigades = map_brigade_names(fought, mustered)
    units = {unit.id: unit for unit in fought.units}
    size = figure_size(fought.options)
    by = decode_battle(file_mustering(whole, battle.sector))
    cards = rules.pooled(by) if rules.pooled else {}
    terms = {
        one.unit: cards.get(one.unit) or rules.sheets.unit_terms(units[one.unit], fought.options, size)
        for one in mustered
    }
    return tuple(
        MusterRow(
            name=pooled_name(names.unit(one.unit), len(one.units)),
            kind=terms[one.unit].kind,
            sp=one.sp,
            points=one.points,
            stands=_format_stands(terms[one.unit].boxes),
            brigade=brigades.get(one.brigade, ""),
            back=", ".join(map(str, one.back[1:])),
        )
        for one in mustered
    )


def _format_stands(boxes: Sequence[tuple[str, int]]) -> str:
    """ "3", "left half 3, right half 2", "none"."""
    if len(boxes) < 2:
        return str(boxes[0][1]) if boxes else "none"
    return ", ".join(f"{name[:1].lower()}{name[1:]} {points}" for name, points in boxes)


def sector_sides(battle: Battle, names: CampaignNames, chosen: Collection[str]) -> tuple[SectorSide, ...]:
    """Both sides' units, the attacker's first, those for the table marked."""
    file, turns = file_now(battle), telling_under(ruleset_of(battle)).turns
    units, pieces = file["units"], pieces_on_table(file)
    called = {unit["id"]: unit["name"] for unit in units}
    named = {one.unit: pooled_name(called[one.unit], len(one.units)) for one in pieces}
    brigade = {
        key: named[one.goes_with or one.unit]
        for one in pieces
        if one.goes_with or len(one.units) > 1
        for key in one.units
    }
    return tuple(
        SectorSide(
            side,
            names.side(side),
            names.tint(side),
            describe_piece_count(pieces, side),
            tuple(
                SectorUnit(
                    unit["id"],
                    unit["name"],
                    names.formation(unit["formation"]),
                    unit["sp"],
                    unit["arrives"],
                    unit["id"] in chosen,
                    turns(unit["arrives"]),
                    brigade.get(unit["id"], ""),
                )
                for unit in units
                if unit["side"] == side
            ),
        )
        for side in (battle.attacker, battle.defender)
    )


def nobody_against(sides: Sequence[SectorSide]) -> str:
    """A warning where units of one side alone are beside the table; "" otherwise (HR-TAB-15)."""
    beside = [side for side in sides if side.beside]
    if len(beside) != 1:
        return ""
    (alone,) = beside
    other = next(side.name for side in sides if side is not alone)
    count = "1 unit" if alone.beside == 1 else f"{alone.beside} units"
    return (
        f"Beside the table: {count} of {alone.name} and nobody of {other}. They fight nobody there and lose "
        f"nothing; to have them fight, leave some of {other} there too. (HR-TAB-15)"
    )


def number_next(battle: Battle) -> int:
    """The number of the next adjustment of a battle; one taken back keeps its own."""
    return len(battle.adjusted) + 1
