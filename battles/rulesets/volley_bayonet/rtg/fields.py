"""Road to Glory's names for the fields and codes of the core's record.

The core's words are used for what is the same. Its brigade, which tires and has a commander, is the
division here; its ranks of brigade, wing and army are those of division, corps and army; its battalion
is a brigade on a stand of its own. A foot skirmisher is a detachment in skirmish order, a cavalry
skirmisher is horse in skirmish order; road march is march column. Guns may be limbered without being in
march column, so that is a field.
"""

from battles.rulesets.volley_bayonet.records import (
    ARMY_COMMANDER,
    BRIGADE_COMMANDER,
    DEDICATED,
    FIELD_GUN,
    HEAVY_GUN,
    LIGHT_GUN,
    MUSKET,
    RIFLE,
    SIEGE_GUN,
    VERY_LIGHT_GUN,
    WING_COMMANDER,
)
from battles.rulesets.volley_bayonet.rtg.tables import DICE

#: The ranks of the card by the core's (RTG-GEN-04).
DIVISION_COMMANDER, CORPS_COMMANDER, CHIEF = BRIGADE_COMMANDER, WING_COMMANDER, ARMY_COMMANDER
#: Weapons by their names in the tables (RTG-RNG-01).
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
