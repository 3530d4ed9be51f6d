"""The beaten are followed by fresh light troops, horse and warriors until dark (HR-PUR-01)."""

from collections.abc import Sequence

from campaign.rules.contact.casualties import UnitLoss, battle_losses
from campaign.rules.contact.contact import Settlement
from campaign.rules.day.field import DayState
from campaign.rules.march.columns import Column, OpenBattle
from campaign.rules.world.world import Unit
from rosters.domain.dice import Roll
from rosters.domain.strength import strength_points
from rosters.domain.vocabulary import Mobility

#: A pursuit covers a mile in so many minutes, at 2 1/2 miles an hour [E].
MINUTES_A_MILE = 24


def pursue(
    field: DayState,
    battle: OpenBattle,
    settlement: Settlement,
    victors: Sequence[Column],
    beaten: Sequence[Column],
) -> None:
    """One die for each SP that follows: on `pursuit_on` or more it takes an SP of `beaten`, who fall back.

    Fresh is who lost nothing in the battle. Where dark comes before `pursuit_miles` are done, only that
    share of the dice is thrown. SP taken are captured (AWI-C-BAT-03). After a fight on the table the victor
    may have held his men back; then no die is thrown (HR-TAB-06).
    """
    if settlement.pursuit == "none":
        return
    settings = field.settings
    full = settings.pursuit_miles * MINUTES_A_MILE
    minutes = min(full, settings.dark - battle.ends)
    prey = [column for column in beaten if column.id in field.columns]
    if minutes <= 0 or not prey:
        return
    tired = {loss.unit for loss in settlement.losses if loss.sp_lost or loss.sp_captured}
    rolls = [
        roll
        for column in victors
        if column.id in field.columns
        for unit in field.units_of(column)
        if unit.id not in tired
        for roll in _roll_pursuit(field, battle, unit, minutes, full)
    ]
    if not rolls:
        return
    hits = sum(roll.value >= settings.pursuit_on for roll in rolls)
    field.log(
        "pursuit",
        battle.ends,
        "HR-PUR-01",
        field.both,
        place=battle.place,
        route=battle.route,
        contact=battle.key,
        rolls=tuple(rolls),
        data={"side": settlement.field_held_by, "sp": len(rolls), "taken": hits},
    )
    _capture_strength(field, battle, prey, hits)


def _roll_pursuit(field: DayState, battle: OpenBattle, unit: Unit, minutes: int, full: int) -> list[Roll]:
    if unit.mobility not in (Mobility.LIGHT, Mobility.MOUNTED):
        return []
    sp = strength_points(field.points_today(unit)) * minutes // full
    return [field.dice.roll("HR-PUR-01", f"{battle.key}/{unit.id}", index) for index in range(sp)]


def _capture_strength(field: DayState, battle: OpenBattle, prey: Sequence[Column], hits: int) -> None:
    """Spread the SP taken over the beaten: always from the unit with most SP left, of equals the first."""
    units = {unit.id: unit for column in prey for unit in field.units_of(column) if not unit.is_train}
    start = {key: strength_points(field.points_today(unit)) for key, unit in units.items()}
    taken: dict[str, int] = {}
    for _ in range(min(hits, sum(start.values()))):
        key = min(units, key=lambda each: (taken.get(each, 0) - start[each], each))
        taken[key] = taken.get(key, 0) + 1
    for key in sorted(taken):
        unit, events = battle_losses(
            units[key],
            UnitLoss(key, start[key], 0, taken[key]),
            field.settings,
            minute=battle.ends,
            contact=battle.key,
            day=field.world.day,
        )
        field.units[key] = unit
        field.events += events
    for column in prey:
        field.reckon(column)
