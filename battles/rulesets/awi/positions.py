"""Positions at the start of a battle, read from its state record. No numba here."""

from typing import Any

from battles.engine.dtypes import WAITING
from battles.engine.reading import structure_names
from battles.files.initial_positions import (
    Form,
    GeneralStanding,
    InitialPositions,
    StructureStanding,
    UnitStanding,
)
from battles.files.schema import BattleFile
from battles.strength_conversion import fighting_units

_FORMS: tuple[Form, ...] = ("line", "column", "limbered", "deployed")
#: Kinds of structures by their codes.
KINDS = ("fence", "wall", "stream", "fieldwork", "stockade", "redoubt", "building", "bridge")


def find_initial_positions(state: Any, battle: BattleFile) -> InitialPositions:
    """The positions in a record that has been written and not yet played."""
    g = state[0]
    structures = structure_names(state, battle)
    units = fighting_units(battle)
    return InitialPositions(
        width=float(g.width),
        depth=float(g.depth),
        units=tuple(_locate_unit(g.u[i], unit.id, structures) for i, unit in enumerate(units)),
        generals=tuple(_locate_general(g.generals[k], battle, units, k) for k in range(g.generals_n)),
        structures=tuple(
            StructureStanding(id, KINDS[s.kind_], int(s.sp))
            for id, s in zip(structures, g.structures, strict=False)
        ),
    )


def _locate_unit(u: Any, name: str, structures: tuple[str, ...]) -> UnitStanding:
    return UnitStanding(
        id=name,
        sp=int(u.sp),
        x=round(float(u.x), 2),
        y=round(float(u.y), 2),
        face=int(u.face),
        form=_FORMS[u.form],
        inside=structures[u.inside] if u.inside >= 0 else "",
        due=max(1, int(u.due)) if u.place == WAITING else 0,
    )


def _locate_general(one: Any, battle: BattleFile, units: list[Any], k: int) -> GeneralStanding:
    return GeneralStanding(
        id=battle.leaders[k].id,
        x=round(float(one.x), 2),
        y=round(float(one.y), 2),
        with_unit=units[one.unit].id if one.unit >= 0 else "",
    )
