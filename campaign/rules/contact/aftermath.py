"""The close of a battle: settlement, pursuit, retreat (AWI-C-BAT, HR-PUR-01, HR-RET)."""

from collections.abc import Sequence

from campaign.rules.army.leaders import build_general_loss_events
from campaign.rules.contact.casualties import UnitLoss, battle_losses
from campaign.rules.contact.contact import (
    TURN_MINUTES,
    Contact,
    Cover,
    Fighter,
    Participant,
    Settlement,
    is_tiny,
    verify_settlement,
)
from campaign.rules.contact.retreat import halt_order, retreat_column, surrender_column, way_back
from campaign.rules.contact.siege import cover_of
from campaign.rules.day.field import DayState
from campaign.rules.march.columns import Column, OpenBattle
from campaign.rules.world.events import Event
from campaign.rules.world.world import Unit, UnitStatus
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
    """Spread captured SP over the beaten: each from the unit with most SP left, in a tie the first."""
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


def contact_of(field: DayState, battle: OpenBattle) -> Contact:
    """The battle as it stands at the close of its window, everyone who came up included."""
    columns = _list_battle_columns(field, battle)
    fighters = tuple(fighter for column in columns for fighter in _list_fighters(field, battle, column))
    strength = {
        side: sum(fighter.sp for fighter in fighters if fighter.side == side)
        for side in (battle.attacker, battle.defender)
    }
    works = _find_defender_cover(field, battle)
    atlas = field.atlas
    ground = atlas.places[battle.place] if battle.place else atlas.routes[battle.route]
    return Contact(
        key=battle.key,
        minute=battle.opened,
        ends=battle.ends,
        place=battle.place,
        route=battle.route,
        yards=battle.yard,
        attacker=battle.attacker,
        defender=battle.defender,
        participants=tuple(
            Participant(column.id, column.side, battle.joined[column.id], column.stance) for column in columns
        ),
        units=tuple(sorted(fighters, key=lambda fighter: fighter.unit)),
        cover=works,
        weather=field.conditions.weather,
        terrain=ground.terrain,
        tiny=is_tiny(strength[battle.attacker], strength[battle.defender], works != "none", field.settings),
    )


def _list_battle_columns(field: DayState, battle: OpenBattle) -> list[Column]:
    return [field.columns[key] for key in sorted(battle.joined)]


def _find_defender_cover(field: DayState, battle: OpenBattle) -> Cover:
    """Cover of works, for a defender who holds the place (HR-CON-08)."""
    if not battle.place or field.holders.get(battle.place) != battle.defender:
        return "none"
    return cover_of(field.world, battle.place, battle.defender)


def _list_fighters(field: DayState, battle: OpenBattle, column: Column) -> list[Fighter]:
    """Units that fight: points less 5 for each SP lost earlier today (AWI-C-BAT-04); no trains."""
    minutes = battle.joined[column.id] - battle.opened
    turns = max(1, (battle.ends - battle.opened) // TURN_MINUTES)
    arrives = min(minutes // TURN_MINUTES, turns - 1)
    found = []
    for unit in field.units_of(column):
        points = field.points_today(unit)
        sp = strength_points(points)
        if sp > 0 and not unit.is_train:
            found.append(Fighter(unit.id, unit.side, points, sp, arrives))
    return found


def close_battle(field: DayState, battle: OpenBattle, settlement: Settlement) -> list[Column]:
    """Apply a settlement at the close of the window; gives the columns that are free to march on.

    Raises RuleViolation when the settlement does not fit the contact (HR-CON-11).
    """
    contact = contact_of(field, battle)
    verify_settlement(contact, settlement)
    field.settled_contacts.append(contact)
    now = battle.ends
    columns = _list_battle_columns(field, battle)
    field.log(
        "battle",
        now,
        "HR-CON-10",
        field.both,
        place=battle.place,
        route=battle.route,
        contact=battle.key,
        data={
            "attacker": battle.attacker,
            "defender": battle.defender,
            "field_held_by": settlement.field_held_by,
            "source": settlement.source,
            "lasted": settlement.minutes,
            **({"pursuit": "none"} if settlement.pursuit == "none" else {}),
        },
    )
    _apply_casualties(field, contact, settlement, now)
    for loss in settlement.generals:
        field.generals.append(loss)
        field.events.extend(build_general_loss_events(loss, field.minute(now), contact.key, field.both))
    for column in columns:
        column.battle = None
        field.reckon(column)
    standing = [column for column in columns if column.id in field.columns]
    _stop_helpers(field, battle)
    winner = settlement.field_held_by
    if not winner:
        for column in standing:
            _hold_until_dawn(field, column, now)
        return []
    beaten = [column for column in standing if column.side != winner]
    force = sum(column.sp for column in beaten)
    fallen_back = [column for column in beaten if _force_retreat(field, column, battle, now, force)]
    pursue(field, battle, settlement, [each for each in standing if each.side == winner], fallen_back)
    free = [column for column in standing if column.side == winner and column.id in field.columns]
    for column in free:
        column.version += 1
        field.expect_meetings(column, now)
    return free


def _apply_casualties(field: DayState, contact: Contact, settlement: Settlement, now: int) -> None:
    """Losses by AWI-C-BAT-01 to -03; what they leave a unit for another battle is AWI-C-BAT-04."""
    for loss in sorted(settlement.losses, key=lambda each: each.unit):
        unit, events = battle_losses(
            field.units[loss.unit],
            loss,
            field.settings,
            minute=now,
            contact=contact.key,
            day=field.world.day,
        )
        field.units[unit.id] = unit
        field.events += events
        field.sp_lost[unit.id] = field.sp_lost.get(unit.id, 0) + loss.sp_lost
        if unit.status is UnitStatus.ELIMINATED:
            field.events.append(
                Event(
                    "unit_eliminated",
                    now,
                    "AWI-C-ELI-01",
                    (unit.side,),
                    unit=unit.id,
                    formation=unit.formation,
                    contact=contact.key,
                )
            )


def _stop_helpers(field: DayState, battle: OpenBattle) -> None:
    """Those who marched to the guns and come too late halt where they are."""
    for key in sorted(field.columns):
        column = field.columns[key]
        if column.helping == battle.key:
            column.path, column.helping = [], ""
            field.stand(column, battle.ends)


def _force_retreat(field: DayState, column: Column, battle: OpenBattle, now: int, force: int) -> bool:
    """Make a column that lost the field fall back; cut off, it surrenders (HR-RET-01, HR-SUR-01).

    Tells whether he has fallen back, and may be followed.
    """
    if column.retreated >= field.settings.march_minutes:
        _hold_until_dawn(field, column, now)  # it has fallen back a whole day's march today and can no more
        return False
    retreat = way_back(field, column, now, force)
    if retreat is None:
        surrender_column(field, column, now, battle.key)
        return False
    retreat_column(field, column, retreat, now, "HR-RET-01", battle.key)
    return True


def _hold_until_dawn(field: DayState, column: Column, now: int) -> None:
    """Stay until dawn: after a draw both remain, and fight again unless one marches off (HR-CON-04)."""
    halt_order(column)
    column.path, column.via = [], ()
    column.waits = True
    field.stand(column, now)
