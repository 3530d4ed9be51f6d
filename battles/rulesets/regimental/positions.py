"""A battle as it stands on the table of these rules: units counted in stands. No numba here."""

from dataclasses import replace
from typing import Any

from battles.engine.reading import structure_names
from battles.files.initial_positions import Form, GeneralStanding, InitialPositions, UnitStanding
from battles.files.schema import BattleFile, BattleUnit
from battles.rulesets.regimental import records as r
from battles.rulesets.regimental.footprints import ranks_of
from battles.rulesets.regimental.grounds import INCH
from battles.rulesets.regimental.options import options_resolve
from battles.rulesets.regimental.ratings import troops_of
from battles.rulesets.regimental.setup import BASE_OF, first_form
from battles.rulesets.regimental.strength import count_stands
from battles.rulesets.regimental.tables import BASES
from battles.strength_conversion import fighting_units


def build_table_file(battle: BattleFile) -> BattleFile:
    """The battle with its units' strength in stands, those that never come to the table left out."""
    units = tuple(replace(unit, sp=count_stands(unit)) for unit in fighting_units(battle))
    return replace(battle, units=units)


def find_base_size(unit: BattleUnit) -> tuple[float, float]:
    """Inches of the file of a unit's front and depth as it fights, its strength being stands (REG-DEF-01)."""
    troops = troops_of(unit, options_resolve({}))
    _, deep, places = ranks_of(max(1, unit.sp), first_form(troops, replace(unit, posture="", arrives=0)))
    front, depth = BASES[BASE_OF[troops.class_]]
    return places * front / INCH, deep * depth / INCH


def _find_form(u: Any) -> Form:
    if u.class_ in (r.GUNS, r.WAGONS):
        return "limbered" if u.form == r.LIMBERED else "deployed"
    return "column" if u.form in (r.MARCH_COLUMN, r.FIELD_COLUMN) else "line"


def find_initial_positions(state: Any, battle: BattleFile) -> InitialPositions:
    """The positions of all units and generals in a record that has been deployed and not played."""
    g = state[0]
    units = fighting_units(battle)
    structures = structure_names(state, battle)
    named = {int(g.leaders[k].named): g.leaders[k] for k in range(g.leaders_n)}
    return InitialPositions(
        width=float(g.width) / INCH,
        depth=float(g.depth) / INCH,
        units=tuple(
            UnitStanding(
                id=unit.id,
                sp=int(u.stands),
                x=round(float(u.x) / INCH, 2),
                y=round(float(u.y) / INCH, 2),
                face=int(u.face),
                form=_find_form(u),
                inside=structures[u.inside] if u.inside >= 0 else "",
                due=max(1, int(u.due)) if u.place == r.WAITING else 0,
            )
            for unit, u in zip(units, g.u[: g.n], strict=True)
        ),
        generals=tuple(
            GeneralStanding(
                leader.id,
                round(float(named[n].x) / INCH, 2),
                round(float(named[n].y) / INCH, 2),
                units[int(named[n].unit)].id if named[n].unit >= 0 else "",
            )
            for n, leader in enumerate(battle.leaders)
            if n in named
        ),
    )
