"""A campaign's end as the first morning of the next season (HR-SET-06)."""

from collections.abc import Mapping
from dataclasses import replace

from campaign.rules.errors import RuleViolation
from campaign.rules.world.markers import General, Watch
from campaign.rules.world.world import Formation, Position, Theatre, Unit, UnitStatus, World, present_units

RULE = "HR-SET-06"
#: Who takes the field again: the others have left for good.
STAYING = (UnitStatus.PRESENT, UnitStatus.ABSENT, UnitStatus.ELIMINATED, UnitStatus.EXPECTED)


def next_season(old: World, new: World) -> World:
    """The first world of a season: `new`'s map, calendar and goals with the armies of `old`.

    Of the new scenario's units those join that are still to come and were not in the old books. Who was
    on a route is back at the place he came from. Raises RuleViolation when the old campaign has not
    ended or the two do not fit.
    """
    _verify_season(old, new)
    places = new.theatre.atlas.places
    holders = {place: side for place, side in old.holders.items() if place in places}
    holders |= {place: side for place, side in new.holders.items() if place not in old.theatre.atlas.places}
    units = {key: _shift_unit(unit, old) for key, unit in old.units.items() if unit.status in STAYING}
    units |= {
        key: unit
        for key, unit in new.units.items()
        if unit.status is UnitStatus.EXPECTED and key not in old.units
    }
    world = replace(
        new,
        settings=old.settings,
        units=dict(sorted(units.items())),
        formations=_build_formations(old, new, units),
        holders=dict(sorted(holders.items())),
        pools=dict(old.pools),
        works={key: works for key, works in old.works.items() if key in places},
        magazines={key: store for key, store in old.magazines.items() if key in places},
        boats={key: boats for key, boats in old.boats.items() if key in places},
        generals={**new.generals, **{key: _shift_general(each, old) for key, each in old.generals.items()}},
    )
    return replace(world, watches=_build_winter_watches(world))


def build_season_order_of_battle(old: World, new: World) -> dict[str, Unit]:
    """The order of battle that both sides have read for a season, by id: that of `old`, its dates counted on.

    Who has left by these is not in it; of the new scenario's units those join that are still to come. What
    became of the others in play is told to nobody.
    """
    day = old.day if old.settings.arrivals == "dated" else 0
    read = old.theatre.order_of_battle
    units = {}
    for key, unit in read.items():
        coming = unit.arrives > day
        if unit.departs is None or unit.departs >= old.day:
            status = UnitStatus.EXPECTED if coming else UnitStatus.PRESENT
            dated = _shift_unit(replace(unit, status=status), old)
            units[key] = replace(dated, arrives=max(1, dated.arrives)) if coming else dated
    units |= {
        key: unit
        for key, unit in new.theatre.order_of_battle.items()
        if unit.status is UnitStatus.EXPECTED and key not in read
    }
    return dict(sorted(units.items()))


def replace_published_units(theatre: Theatre, units: Mapping[str, Unit]) -> Theatre:
    """The theatre with another order of battle for both sides to read, and no dates to compare with."""
    return replace(theatre, order_of_battle=units, schedule={})


def _verify_season(old: World, new: World) -> None:
    if not old.ended:
        raise RuleViolation(RULE, "The campaign is still running; a new season begins with its end.", "slug")
    one, other = ({side.id for side in world.theatre.sides} for world in (old, new))
    if one != other:
        raise RuleViolation(
            RULE,
            f"The new scenario has other sides; choose one with {', '.join(sorted(one))}.",
            "scenario",
        )
    missing = sorted(
        body.name
        for key, body in old.formations.items()
        if key in present_units(old) and _find_winter_place(body) not in new.theatre.atlas.places
    )
    if missing:
        raise RuleViolation(
            RULE,
            f"The new scenario has no place for {', '.join(missing)}: its map does not reach so far.",
            "scenario",
        )


def _find_winter_place(body: Formation) -> str:
    """The place at which a formation winters."""
    return "" if body.position is None else body.position.place or body.position.origin


def _shift_unit(unit: Unit, old: World) -> Unit:
    """A unit with its dates counted from the new first day."""
    departs = None if unit.departs is None else max(0, unit.departs - old.day)
    arrives = max(0, unit.arrives - old.day) if unit.status is UnitStatus.EXPECTED else 0
    return replace(unit, since=0, arrives=arrives, departs=departs)


def _build_formations(old: World, new: World, units: Mapping[str, Unit]) -> dict[str, Formation]:
    wanted = {unit.formation for unit in units.values()}
    present = present_units(old)
    found = {}
    for key in sorted(wanted | set(old.formations)):
        body = old.formations.get(key)
        if body is None:
            found[key] = replace(new.formations[key], position=None, order=None)
            continue
        position = Position(place=_find_winter_place(body)) if key in present else None
        found[key] = replace(
            body, position=position, order=None, marched=0, light_days=0, hungry_days=0, waited=0
        )
    return found


def _shift_general(general: General, old: World) -> General:
    until = None if general.until is None else max(0, general.until - old.day)
    departs = None if general.departs is None else max(0, general.departs - old.day)
    if general.state in ("wounded", "expected") and not until:
        return replace(general, state="well", until=None, departs=departs)
    return replace(general, until=until, departs=departs, exchange_for="")


def _build_winter_watches(world: World) -> dict[str, Watch]:
    """Over the winter both sides have heard who holds what."""
    first = world.theatre.holders
    other = {
        place: world.holders.get(place, "")
        for place in sorted({*first, *world.holders})
        if first.get(place, "") != world.holders.get(place, "")
    }
    return {side.id: Watch(-1, 0, holders=other) for side in world.theatre.sides}
