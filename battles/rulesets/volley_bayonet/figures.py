"""Options and tables of a scale, written into a state record as numbers. No numba here."""

import math
from collections.abc import Mapping
from typing import Any

from battles.rulesets.volley_bayonet.records import (
    D_DETACHMENT,
    D_GUNS,
    D_HORSE,
    D_NONE,
    D_POOR,
    D_REGULAR,
    DETACHMENT,
    FIELD_GUN,
    FORMED,
    GUNS,
    HEAVY_GUN,
    HORSE,
    HOWITZER,
    INFANTRY,
    LIGHT_GUN,
    MUSKET,
    NATIVE_ARMS,
    NO_WEAPON,
    RIFLE,
    SKIRMISH,
    TRANSPORT,
)
from battles.rulesets.volley_bayonet.tables import BASES, FENCE, ScaleTables

SMALL_ARM_CODES = {"musket": MUSKET, "rifle": RIFLE, "native_american": NATIVE_ARMS}
GUN_CODES = {
    "light_3_4lb": LIGHT_GUN,
    "field_6_9lb": FIELD_GUN,
    "field_howitzer_5_5_6in": HOWITZER,
    "heavy_12lb": HEAVY_GUN,
}
#: Howitzers move as field artillery (VBW-MOV-01).
GUN_RATES = {
    LIGHT_GUN: "light_artillery",
    FIELD_GUN: "field_artillery",
    HOWITZER: "field_artillery",
    HEAVY_GUN: "heavy_artillery",
}
DICE_ROWS = {
    "regular": D_REGULAR,
    "poorly_trained": D_POOR,
    "detachment": D_DETACHMENT,
    "artillery": D_GUNS,
    "mounted": D_HORSE,
}
#: Bases by class, formed and in skirmish order; who cannot skirmish has the same base twice.
_BASES = {
    INFANTRY: ("infantry", "infantry"),
    DETACHMENT: ("detachment", "infantry_skirmisher"),
    GUNS: ("artillery", "artillery"),
    HORSE: ("mounted", "mounted_skirmisher"),
    TRANSPORT: ("artillery", "artillery"),
}


def options_write(o: Any, options: Mapping[str, Any]) -> None:
    """Write the options of a battle as numbers (see `records.OPTIONS`)."""

    def on(name: str) -> int:
        return int(options[name] == "on")

    o.cards, o.crown_second = on("cards"), int(options["first_player"] == "rebel")
    o.unit_radius, o.contact = options["unit_commander_radius_in"], options["contact_tolerance_in"]
    o.facings = options["max_facing_changes_per_phase"]
    o.mounted_skirmish = on("mounted_skirmish_order")
    o.break_up_any = int(options["may_break_up"] == "organised_in_detachments")
    o.rallied_fight = on("rallied_may_fight")
    o.rear_is_flank = on("rear_contact_counts_as_flank_for_defender")
    o.routed_disordered = on("routed_also_counts_disordered_modifier")
    o.weight, o.no_elites = on("cavalry_weight"), on("no_elites")
    o.native_drop, o.native_shock = on("native_band_morale_drop"), on("native_shock")
    o.battalion_fire, o.support_counts = (
        on("battalion_return_fire"),
        on("support_fire_counts_for_melee_result"),
    )
    o.save_on, o.save_in_buildings = options["save_succeeds_on"], on("buildings_save")
    o.save_in_forest = int(options["woods_save_terrains"] == "forest_thicket_woods")
    o.tie_to_defender = int(options["tie_after_rolloff"] == "defender_wins")
    o.driven_back, o.advance = on("driven_back_friends"), on("winner_may_advance")
    o.after_level = int(options["exhaustion_trigger"] == "losses_gt_level")
    o.arc_slope = math.tan(math.radians(options["front_arc_half_angle_beyond_corner_deg"]))
    o.commander_dies = on("attached_army_commander_dies")
    o.hand = hand_size(options)


def hand_size(options: Mapping[str, Any]) -> int:
    """Most cards a player may hold (VBW-CRD-03, VBD-SEQ-02)."""
    if options["hand_size"] != "by_players":
        return int(options["hand_size"])
    return {1: 4, 2: 3}.get(options["players_per_side"], 2)


def tables_write(t: Any, tables: ScaleTables, options: Mapping[str, Any]) -> None:
    """Write a scale's tables as arrays (see `records.TABLES`)."""
    for name, dice in tables.dice.items():
        row = DICE_ROWS[name]
        t.dice[row, 0] = (dice.fire, dice.melee)
        t.dice[row, 1] = dice.stationary or (dice.fire, dice.melee)
    still = options["poorly_trained_stationary_dice"]
    t.dice[D_POOR, 1] = (still["fire"], still["melee"])
    t.dice[D_NONE] = 0
    t.melee_hit[NO_WEAPON] = 6
    for name, arm in tables.small_arms.items():
        k = SMALL_ARM_CODES[name]
        t.long[k], t.long_hit[k], t.melee_hit[k] = arm.long, arm.long_hit, arm.melee_hit
    for name, gun in tables.guns.items():
        k = GUN_CODES[name]
        t.short[k], t.short_hit[k] = gun.short, gun.short_hit
        t.long[k], t.long_hit[k], t.melee_hit[k] = gun.long, gun.long_hit, gun.short_hit
        t.rate_guns[k] = tables.rates[GUN_RATES[k]]
    t.morale[: len(tables.morale)] = list(tables.morale.values())
    for cls, bases in _BASES.items():
        for form, base in zip((FORMED, SKIRMISH), bases, strict=True):
            t.half_width[cls, form] = BASES[base][0] / 2.0
            t.half_depth[cls, form] = BASES[base][1] / 2.0
    t.fence[:] = FENCE
    t.gunners, t.commanders = tables.rates["slow_infantry"], tables.rates["commanders"]
    t.marsh_rate = tables.rates["fast_infantry"]
    distances_write(t, tables)


def distances_write(t: Any, tables: ScaleTables) -> None:
    """Write a scale's distances, and what room there is in blocks."""
    t.room, t.crossed_block, t.quiet_turns = tables.room, tables.crossed_block, tables.quiet_turns
    for name, inches in tables.distances.items():
        setattr(t, name, inches)
