"""Warriors who have lost too many, or sat too long before a fort, go home (HR-NAT-01)."""

from dataclasses import replace

from campaign.rules.day.field import MIDNIGHT, DayState
from campaign.rules.world.world import Unit, UnitStatus
from rosters.domain.vocabulary import Nation


def warriors_evening(field: DayState) -> None:
    """Count what native units lost today; at a week's end those with cause throw a die each."""
    for key in sorted(field.units):
        unit, before = field.units[key], field.world.units.get(key)
        if unit.nation is not Nation.NATIVE or before is None or before.points <= unit.points:
            continue
        lost = field.warriors.get(unit.formation, 0) + before.points - unit.points
        field.warriors[unit.formation] = lost
    if (field.world.day + 1) % 7 == 0 and field.settings.natives_leave_on:
        _roll_departures(field)


def _roll_departures(field: DayState) -> None:
    for key in sorted(field.columns):
        column = field.columns[key]
        natives = [unit for unit in field.units_of(column) if unit.nation is Nation.NATIVE]
        cause = _find_cause(field, key, column.place, natives) if natives else ""
        if not cause:
            continue
        for unit in natives:
            roll = field.dice.roll("HR-NAT-01", unit.id)
            leaves = roll.value >= field.settings.natives_leave_on
            if leaves:
                gone = replace(unit, status=UnitStatus.DEPARTED, since=field.world.day)
                field.units[unit.id] = gone
            field.log(
                "warriors_leave" if leaves else "warriors_stay",
                MIDNIGHT,
                "HR-NAT-01",
                (unit.side,),
                unit=unit.id,
                formation=key,
                rolls=(roll,),
                data={"cause": cause, "needed": field.settings.natives_leave_on, "points": unit.points},
            )
        field.reckon(column)


def _find_cause(field: DayState, formation: str, place: str, natives: list[Unit]) -> str:
    """The cause for which a formation's warriors may leave: "losses", "siege", or "" for none."""
    lost = field.warriors.get(formation, 0)
    left = sum(unit.points for unit in natives)
    if lost and lost * 100 >= field.settings.natives_lost_percent * (left + lost):
        return "losses"
    siege = field.sieges.get(place)
    besieger = siege is not None and siege.side == field.columns[formation].side
    if siege is not None and besieger and field.world.day - siege.day >= field.settings.natives_siege_days:
        return "siege"
    return ""
