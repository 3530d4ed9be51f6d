"""What a record of Road to Glory has beyond the core's: further fields, wider tables, further codes.

The core's words are used for what is the same. Its brigade, which tires and has a commander, is the
division here; its ranks of brigade, wing and army are those of division, corps and army; its battalion
is a brigade on a stand of its own. A foot skirmisher is a detachment in skirmish order, a cavalry
skirmisher is horse in skirmish order; road march is march column. Guns may be limbered without being in
march column, so that is a field.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from battles.rulesets.volley_bayonet import records
from battles.rulesets.volley_bayonet.records import (
    ARMY_COMMANDER,
    BRIGADE_COMMANDER,
    FIELD_GUN,
    HEAVY_GUN,
    LIGHT_GUN,
    MUSKET,
    RIFLE,
    WING_COMMANDER,
    Size,
)
from battles.rulesets.volley_bayonet.rtg.tables import DICE, MORALE

#: The ranks of the card by the core's (RTG-GEN-04).
DIVISION_COMMANDER, CORPS_COMMANDER, CHIEF = BRIGADE_COMMANDER, WING_COMMANDER, ARMY_COMMANDER
#: Weapons after the core's eight (RTG-RNG-01), and all by their names in the tables.
VERY_LIGHT_GUN, SIEGE_GUN, DEDICATED, WEAPONS = 8, 9, 10, 11
WEAPON_CODES: dict[str, int] = {
    "smoothbore": MUSKET,
    "rifle": RIFLE,
    "very_light_guns": VERY_LIGHT_GUN,
    "light_guns": LIGHT_GUN,
    "field_guns": FIELD_GUN,
    "heavy_guns": HEAVY_GUN,
    "siege_guns": SIEGE_GUN,
    "dedicated_gun": DEDICATED,
}
#: Rows of the table of dice, by name (RTG-CBT-10).
ROWS: dict[str, int] = {name: row for row, name in enumerate(DICE)}
#: Weights of cavalry, of which firearm cavalry is the least (RTG-MOR-13).
FIREARM, LIGHT, MEDIUM, HEAVY = 0, 1, 2, 3
#: Column of the core's table of bases that massed stands have beside formed ones and skirmishers.
MASSED_BASE, BASES_OF_CLASS = 2, 3

Fields = list[tuple[str, str]]

#: Of a stand.
STAND_FIELDS: Fields = [
    ("massed", "i8"),  # 1 for a massed brigade, 0 for a linear stand (RTG-GEN-04)
    ("battery", "i8"),  # 1 for half a battalion of guns (RTG-CBT-20)
    ("dedicated", "i8"),  # dedicated guns it has (RTG-CBT-22)
    ("horse_guns", "i8"),  # horse artillery (RTG-MOV-02)
    ("hired", "i8"),  # PPA: guns that do not limber again (RTG-GEN-05)
    ("lancers", "i8"),
    ("firearm", "i8"),  # firearm cavalry (RTG-CBT-14)
    ("limbered", "i8"),  # guns on their limbers, in march column or not
    ("limbers", "i8"),  # has limbered or unlimbered in this phase (RTG-MOV-04)
    ("streams", "i8"),  # crossed in this phase (RTG-TER-17)
    ("climbed", "i8"),  # contours of a hill gone up or down in this phase (RTG-TER-10)
    ("secure", "i8"),  # cavalry-secure in this morale step (RTG-MIS-02)
    ("leans", "i8"),  # the stand whose touch alone puts it in command, or -1 (RTG-CMD-02)
]
#: Of a division, which stands in the core's place of a brigade.
DIVISION_FIELDS: Fields = [
    ("lost_before", "i8"),  # SP lost when the player turn began (RTG-EXH-03)
]
#: Options as numbers, 0 and 1 for off and on unless told otherwise.
OPTION_FIELDS: Fields = [
    ("auto_checks", "i8"),  # a 1 passes and a 6 fails (RTG-MOR-02)
    ("battery_close", "i8"),  # least score of a battery at close range (RTG-CBT-20)
    ("horse_shock", "i8"),  # RTG-CBT-17
    ("linear_gun", "i8"),  # RTG-CBT-22
    ("saves_stack", "i8"),  # RTG-SAV-07
    ("seniors_command", "i8"),  # RTG-CMD-01
    ("field_harms_fort", "i8"),  # RTG-TER-07
]
#: Tables of the core that have more rows or columns here.
WIDER: dict[str, tuple[int, ...]] = {
    "dice": (len(DICE), 2, 2),
    "short": (WEAPONS,),
    "short_hit": (WEAPONS,),
    "long": (WEAPONS,),
    "long_hit": (WEAPONS,),
    "melee_hit": (WEAPONS,),
    "rate_guns": (WEAPONS,),
    "morale": (len(MORALE),),
    "half_width": (5, BASES_OF_CLASS),
    "half_depth": (5, BASES_OF_CLASS),
}
_FURTHER: dict[str, Fields] = {"u": STAND_FIELDS, "brigades": DIVISION_FIELDS, "o": OPTION_FIELDS}


def layout(size: Size) -> np.dtype[Any]:
    """The core's layout with these fields after its own, and with the wider tables."""
    core = records.layout(size)
    parts: list[tuple[str, Any, tuple[int, ...]]] = []
    for name in _names(core):
        base, shape = _kind_of(core, name)
        if name in _FURTHER:
            base = np.dtype([*((own, *_kind_of(base, own)) for own in _names(base)), *_FURTHER[name]])
        elif name == "t":
            base = np.dtype([(own, *_widened(base, own)) for own in _names(base)])
        parts.append((name, base, shape))
    return np.dtype(parts)


def blank(size: Size) -> NDArray[Any]:
    """A zeroed record, as the core's `blank`."""
    return np.zeros(1, dtype=layout(size)).view(np.recarray)


def _names(kind: np.dtype[Any]) -> tuple[str, ...]:
    return kind.names or ()


def _kind_of(kind: np.dtype[Any], name: str) -> tuple[np.dtype[Any], tuple[int, ...]]:
    """Type and shape of a field."""
    found = kind[name]
    return found.base, found.shape


def _widened(kind: np.dtype[Any], name: str) -> tuple[np.dtype[Any], tuple[int, ...]]:
    base, shape = _kind_of(kind, name)
    return base, WIDER.get(name, shape)
