"""A battle as it stands on the table of these rules: a unit of the file is several stands. No numba here.

Replays and accounts of single stands are told of this battle file, whose units are stands; lengths are
inches of the file.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from battles.engine.reading import structure_names
from battles.files.initial_positions import WITHIN, Form, GeneralStanding, InitialPositions, UnitStanding
from battles.files.schema import BattleFile, BattleUnit
from battles.rulesets.volley_bayonet.grounds import INCH
from battles.rulesets.volley_bayonet.ratings import label_of
from battles.rulesets.volley_bayonet.records import GOOD, GUNS, HORSE, ROAD_MARCH, TRANSPORT, WAITING
from battles.rulesets.volley_bayonet.scales import RulesetScale
from battles.rulesets.volley_bayonet.strength import count_points, has_half, split_stands
from battles.rulesets.volley_bayonet.tables import BASES
from rosters.domain.vocabulary import TYPES, Arm

#: Where stands of a unit are by how many there are, the first to the right (VBW-GEN-02). They are not called
#: wings, as units of many battles are.
PLACES = {2: ("right", "left"), 3: ("right", "centre", "left")}
#: What follows the id of a stand in that of its other half, which is there once it has broken up.
HALF = f"{WITHIN}half"

#: Bases of those who are no foot.
BASE_OF = {Arm.MOUNTED: "mounted", Arm.WHEELED: "artillery"}


def stand_id(unit: BattleUnit, number: int, count: int) -> str:
    """Id of a unit's stand, counted from 1; the unit's own when it is the only one."""
    return unit.id if count == 1 else f"{unit.id}{WITHIN}{number}"


def stand_names(unit: BattleUnit, count: int) -> tuple[str, ...]:
    """The name of each of a unit's stands: right stand, left stand; of guns right section and so on."""
    noun = "section" if TYPES[unit.troop_type].arm is Arm.WHEELED else "stand"
    if count in PLACES:
        return tuple(f"{place} {noun}" for place in PLACES[count])
    return tuple(f"{noun} {number}" for number in range(1, count + 1))


def unit_id(stand: str) -> str:
    """Id of the unit that a stand is of."""
    return stand.partition(WITHIN)[0]


def is_half(stand: str) -> bool:
    """True for the id of a half that appears when its stand breaks up (VBW-MOV-22)."""
    return stand.endswith(HALF)


def unit_name(stand: BattleUnit) -> str:
    """The name of the unit of which this is one stand of several."""
    return stand.name.rpartition(" (")[0]


def build_table_file(battle: BattleFile, scale: RulesetScale) -> BattleFile:
    """The battle with a unit for every stand, in the order of the record; leaders are with a unit's first.

    After a stand that may break up comes its other half, without SP.
    """
    options = scale.options_resolve(battle.options)
    units: list[BattleUnit] = []
    first: dict[str, str] = {}
    for unit in battle.units:
        if unit.sp == 0:
            continue
        label = label_of(unit, options)
        strengths = split_stands(count_points(unit), label)
        names = stand_names(unit, len(strengths))
        first[unit.id] = stand_id(unit, 1, len(strengths))
        for n, (sp, name) in enumerate(zip(strengths, names, strict=True), 1):
            called = unit.name if len(strengths) == 1 else f"{unit.name} ({name})"
            own = stand_id(unit, n, len(strengths))
            units.append(replace(unit, id=own, name=called, sp=sp, x=None, y=None))
            if has_half(sp, label):
                half = "left half" if len(strengths) == 1 else f"left half of {name}"
                named = f"{unit.name} ({half})"
                units.append(replace(unit, id=own + HALF, name=named, sp=0, x=None, y=None))
    leaders = tuple(
        replace(leader, with_unit=first.get(leader.with_unit, ""), commands=()) for leader in battle.leaders
    )
    return replace(battle, units=tuple(units), leaders=leaders)


def find_base_size(unit: BattleUnit, options: Mapping[str, Any]) -> tuple[float, float]:
    """Inches of the file of front and depth of a unit's stands (VBW-STD-12); light troops skirmish."""
    label = label_of(unit, options)
    base = (
        "infantry_skirmisher" if label.is_detachment else BASE_OF.get(TYPES[unit.troop_type].arm, "infantry")
    )
    return _in_file(base)


def _in_file(base: str) -> tuple[float, float]:
    front, depth = BASES[base]
    return front / INCH, depth / INCH


def bases_of(unit: BattleUnit, options: Mapping[str, Any]) -> Mapping[Form, tuple[float, float]]:
    """Inches of the file of front and depth in the forms that stands take which break up, form up or ride."""
    label = label_of(unit, options)
    if label.kind == "MI":
        return {"mounted": _in_file("mounted"), "half": _in_file("detachment")}
    if label.has("SK") or label.is_detachment:
        return {"half": _in_file("detachment"), "skirmish": _in_file("infantry_skirmisher")}
    return {}


def _find_form(u: Any) -> Form:
    """Guns and transport as they are limbered or not, others in line or in column of road; foot may ride."""
    if u.rides == 1 and u.rate_horse > 0.0 and u.form != ROAD_MARCH:
        return "mounted" if u.class_ == HORSE else "half"
    if u.class_ in (GUNS, TRANSPORT):
        return "limbered" if u.form == ROAD_MARCH or u.class_ == TRANSPORT else "deployed"
    return "column" if u.form == ROAD_MARCH else "line"


def find_initial_positions(state: Any, battle: BattleFile, scale: RulesetScale) -> InitialPositions:
    """The positions of all stands and generals in a record that has been drawn up and not played."""
    return build_initial_positions(state, battle, build_table_file(battle, scale), INCH)


def build_initial_positions(
    state: Any, battle: BattleFile, table: BattleFile, inch: float
) -> InitialPositions:
    """`standing_read` by the battle stand by stand; `inch` are inches of the record to one of the file."""
    g = state[0]
    structures = structure_names(state, battle)
    named = {int(g.leaders[k].named): g.leaders[k] for k in range(g.leaders_n)}
    return InitialPositions(
        width=float(g.width) / inch,
        depth=float(g.depth) / inch,
        units=tuple(
            UnitStanding(
                id=unit.id,
                sp=int(u.sp),
                x=round(float(u.x) / inch, 2),
                y=round(float(u.y) / inch, 2),
                face=int(u.face),
                form=_find_form(u),
                inside=structures[u.inside] if u.inside >= 0 else "",
                due=max(1, int(u.due)) if u.place == WAITING or u.spare == 1 else 0,
                shaken=bool(u.state != GOOD),
            )
            for unit, u in zip(table.units, g.u[: g.n], strict=True)
        ),
        generals=tuple(
            GeneralStanding(leader.id, round(float(named[n].x) / inch, 2), round(float(named[n].y) / inch, 2))
            for n, leader in enumerate(battle.leaders)
            if n in named
        ),
    )
