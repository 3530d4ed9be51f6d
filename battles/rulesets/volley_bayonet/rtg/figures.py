"""Options and tables of Road to Glory, written into a record as numbers. No numba here."""

from collections.abc import Mapping
from typing import Any

from battles.rulesets.volley_bayonet import figures
from battles.rulesets.volley_bayonet.records import (
    DETACHMENT,
    FORMED,
    GUNS,
    HORSE,
    INFANTRY,
    MASSED_BASE,
    NATIVE_ARMS,
    NO_WEAPON,
    SKIRMISH,
    TRANSPORT,
)
from battles.rulesets.volley_bayonet.rtg.fields import ROWS, WEAPON_CODES
from battles.rulesets.volley_bayonet.rtg.tables import BASES
from battles.rulesets.volley_bayonet.tables import ScaleTables

#: Bases by class: formed, in skirmish order, massed. Who cannot be so has his formed one again.
_BASES: dict[int, tuple[str, str, str]] = {
    INFANTRY: ("linear", "skirmisher", "massed"),
    DETACHMENT: ("skirmisher", "skirmisher", "skirmisher"),
    GUNS: ("artillery", "artillery", "artillery"),
    HORSE: ("linear", "skirmisher", "massed"),
    TRANSPORT: ("artillery", "artillery", "artillery"),
}


def options_write(o: Any, options: Mapping[str, Any]) -> None:
    """Write the options of a battle: the core's, fixed ones too, and those of Road to Glory."""
    figures.options_write(o, options)
    o.grand = 1

    def on(name: str) -> int:
        return int(options[name] == "on")

    o.auto_checks, o.horse_shock = on("auto_pass_fail"), on("cavalry_shock")
    o.battery_close = options["battery_close_to_hit"]
    o.linear_gun, o.saves_stack = on("dedicated_gun_die_for_linear"), on("saves_stack")
    o.seniors_command = on("senior_commanders_put_in_command")
    o.field_harms_fort = on("field_artillery_harms_fort")


def tables_write(t: Any, tables: ScaleTables) -> None:
    """Write the tables as arrays (see the core's `records.TABLES` and `fields.WIDER`)."""
    for name, dice in tables.dice.items():
        t.dice[ROWS[name], 0] = (dice.fire, dice.melee)
        t.dice[ROWS[name], 1] = dice.stationary or (dice.fire, dice.melee)
    t.melee_hit[NO_WEAPON] = 6
    for name, arm in tables.small_arms.items():
        k = WEAPON_CODES[name]
        t.long[k], t.long_hit[k], t.melee_hit[k] = arm.long, arm.long_hit, arm.melee_hit
    # Native Americans have muskets like others (RTG-RNG-01)
    musket = WEAPON_CODES["smoothbore"]
    t.long[NATIVE_ARMS], t.long_hit[NATIVE_ARMS] = t.long[musket], t.long_hit[musket]
    t.melee_hit[NATIVE_ARMS] = t.melee_hit[musket]
    for name, gun in tables.guns.items():
        k = WEAPON_CODES[name]
        t.short[k], t.short_hit[k] = gun.short, gun.short_hit
        t.long[k], t.long_hit[k], t.melee_hit[k] = gun.long, gun.long_hit, gun.short_hit
        t.rate_guns[k] = tables.rates["limbered_artillery"]
    t.morale[:] = list(tables.morale.values())
    for cls, bases in _BASES.items():
        for form, base in zip((FORMED, SKIRMISH, MASSED_BASE), bases, strict=True):
            t.half_width[cls, form], t.half_depth[cls, form] = BASES[base][0] / 2.0, BASES[base][1] / 2.0
    t.gunners, t.commanders = tables.rates["slow_infantry"], tables.rates["commander"]
    figures.distances_write(t, tables)
