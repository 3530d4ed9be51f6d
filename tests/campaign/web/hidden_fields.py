"""All of a world that is the enemy's own or the umpire's, and that nobody tells a side: changed.

Formations, units and counters that are hidden by where they are stand in `other_truths.py`.
"""

from collections.abc import Collection
from dataclasses import replace
from typing import Any

from campaign.rules.world.markers import Dispatch, Provision, Score
from campaign.rules.world.world import Unit, UnitStatus, World

#: Fields of a world that everybody may read, and why.
OPEN = {
    "theatre": "published with the scenario",
    "settings": "everybody reads them",
    "day": "the calendar",
    "wet_days": "everybody has the weather",
    "ended": "everybody is told",
    "goals": "everybody knows what is played for (HR-VIC-01)",
    "offers": "terms are told to both sides",
}


def rest_changed(world: World, side: str, unseen: Collection[str]) -> World:
    """What a side is never told of: who holds unseen places, the enemy's generals, food, reports and papers,
    points scored, weather the umpire has set, and what is rumoured to the enemy."""
    enemy = world.theatre.enemy_of(side)
    theirs = {key for key, one in world.formations.items() if one.side == enemy}
    fog = world.settings.fog == "full"
    return replace(
        world,
        holders=_held(world, side, unseen) if fog else world.holders,
        units={key: _unit(unit, enemy) for key, unit in world.units.items()},
        formations={
            key: replace(
                one,
                marched=one.marched + 2,
                light_days=one.light_days + 1,
                hungry_days=one.hungry_days + 1,
                waited=one.waited + 1,
                rations=None if one.rations is None else one.rations + 700,
                leader="",
            )
            if key in theirs
            else one
            for key, one in world.formations.items()
        },
        generals={
            key: replace(one, seniority=one.seniority + 50, departs=world.day + 3, state="wounded")
            if one.side == enemy and one.state in ("well", "expected")
            else one
            for key, one in world.generals.items()
        },
        away={
            **world.away,
            **{key: world.day + 4 for key, one in world.generals.items() if one.side == enemy},
        },
        provisions={
            **world.provisions,
            **{key: Provision(world.day, "country", percent=35, short=True) for key in theirs},
        },
        warriors={**world.warriors, **dict.fromkeys(theirs, 45)},
        reports={key: one for key, one in world.reports.items() if not key.startswith(f"{enemy}/")},
        watches={
            key: replace(one, reported=one.reported + 5, holders={}, headquarters="", counters=None)
            if key == enemy
            else one
            for key, one in world.watches.items()
        },
        dispatches=_rode(world, enemy, theirs),
        scores=_scored(world, side) if fog else world.scores,
        weather_set={**world.weather_set, **{str(world.day + ahead): "storm" for ahead in range(3)}},
        rumours={**world.rumours, f"{enemy}/901": "It is said that nothing is said."},
    )


def riding_changed(world: World, side: str) -> World:
    """Nothing rides to or from a side's headquarters: whether it does, nobody there can know (HR-COU-03)."""
    kept = {key: one for key, one in world.dispatches.items() if one.side != side}
    far = {report.formation for key, report in world.reports.items() if key == f"{side}/{report.formation}"}
    fed = {key: Provision(world.day, "country", percent=35, short=True) for key in far}
    return replace(
        world,
        dispatches=kept,
        provisions={**world.provisions, **fed},
        warriors={**world.warriors, **dict.fromkeys(far, 45)},
    )


def _held(world: World, side: str, unseen: Collection[str]) -> dict[str, str]:
    """Places out of sight that are the enemy's are nobody's, and nobody's the enemy's."""
    enemy, watch = world.theatre.enemy_of(side), world.watches[side]
    holders = dict(world.holders)
    for place in unseen:
        believed = watch.holders.get(place, world.theatre.holders.get(place, ""))
        if side not in (believed, holders.get(place)) and holders.pop(place, "") != enemy:
            holders[place] = enemy
    return dict(sorted(holders.items()))


def _scored(world: World, side: str) -> dict[str, Score]:
    """Other points; how long it has held its own goal a side can count."""
    return {
        key: Score(one.points + 77, one.days if key == side else one.days + 2)
        for key, one in world.scores.items()
    }


def _unit(unit: Unit, enemy: str) -> Unit:
    """An enemy unit that is not on the map: later, weaker, another's."""
    if unit.side != enemy or unit.status is UnitStatus.PRESENT:
        return unit
    return replace(
        unit,
        points=unit.points // 2 // 5 * 5,
        since=unit.since + 1,
        arrives=unit.arrives + 2,
        departs=None if unit.departs is None else unit.departs + 9,
    )


def _rode(world: World, enemy: str, theirs: Collection[str]) -> dict[str, Any]:
    """Papers of the enemy's on their way are others."""
    kept = {key: one for key, one in world.dispatches.items() if one.side != enemy}
    to = min(theirs)
    paper = Dispatch(enemy, "order", "", to, world.day, world.day + 2, {"formation": to, "via": []})
    return {**kept, f"{enemy}/order/{world.day}/{to}": paper}
