"""What the umpire's corrections do to a world, checked and told (HR-UMP-19 to HR-UMP-22)."""

from dataclasses import replace

from battles.grammar import Subject
from campaign.rules.army.leaders import LIVING
from campaign.rules.orders.orders import list_formation_units
from campaign.rules.returns.pools import parse_pool
from campaign.rules.returns.returns import pool_owners
from campaign.rules.scouting.knowledge import list_visible_places
from campaign.rules.supply.lines import list_bases
from campaign.rules.umpire.calendar import both_sides, raise_violation
from campaign.rules.umpire.rule_corrections import ChangePool, Correction, SetFood, SetGeneral, SetHolder
from campaign.rules.world.events import Event
from campaign.rules.world.markers import General, Magazine
from campaign.rules.world.world import World

#: More points than any pool holds: fifty units.
MOST_POINTS = 5_000
#: The longest a wound keeps a general away, in weeks.
MOST_WEEKS = 52
#: More rations than any store holds.
MOST_RATIONS = 1_000_000


def apply_correction(world: World, act: Correction) -> tuple[World, list[Event]]:
    """The world after a correction, and what is told of it. Raises RuleViolation."""
    match act:
        case ChangePool():
            return _change_pool(world, act)
        case SetGeneral():
            return _set_general(world, act)
        case SetHolder():
            return _set_holder(world, act)
        case SetFood():
            return _set_food(world, act)


def _change_pool(world: World, act: ChangePool) -> tuple[World, list[Event]]:
    rule = "HR-UMP-19"
    nation, _ = parse_pool(act.pool, "pool")
    side = pool_owners(world).get(nation.value)
    if side is None:
        raise_violation(
            rule, f"Nobody draws on the pool {act.pool}; name one of a nation with troops here.", "pool"
        )
    if act.points == 0:
        raise_violation(rule, "0 points change nothing; give some, or take some with a minus.", "points")
    before = world.pools.get(act.pool, 0)
    after = before + act.points
    if act.points < 0 and after < 0:
        raise_violation(rule, f"That pool holds {before} points; take {max(0, before)} at most.", "points")
    if act.points > 0 and after > MOST_POINTS:
        most = max(0, MOST_POINTS - before)
        raise_violation(rule, f"That pool holds {before} points; give {most} at most.", "points")
    event = Event("points_changed", 0, rule, (side,), pool=act.pool, before=before, after=after)
    return replace(world, pools={**world.pools, act.pool: after}), [event]


# --- generals (HR-UMP-20) ---


def _set_general(world: World, act: SetGeneral) -> tuple[World, list[Event]]:
    rule = "HR-UMP-20"
    before = world.generals.get(act.general)
    if before is None:
        raise_violation(rule, f"There is no general {act.general!r}; choose one from the list.", "general")
    _verify_state(before, act)
    _verify_company(world, before, act)
    after = _update_general(world, before, act)
    if after == before:
        raise_violation(rule, f"That is how {before.name} is already.", "state")
    general = {"general": act.general, "name": before.name, "side": before.side}
    weeks = {"weeks": act.weeks} if act.weeks else {}
    own = {**general, "state": act.state, **weeks}
    events = [Event("general_set", 0, rule, (before.side,), formation=act.formation, data=own)]
    if "captured" in (before.state, after.state):  # whoever holds him, or held him, knows that much
        seen = act.state if act.state in ("captured", "dead") else "free"
        enemy = world.theatre.enemy_of(before.side)
        events.append(Event("general_set", 0, rule, (enemy,), data={**general, "state": seen}))
    generals = {**world.generals, act.general: after}
    if after.state != "captured":  # nobody offers him, or a prisoner for him, any more
        generals = {
            key: replace(each, exchange_for="") if each.exchange_for == act.general else each
            for key, each in generals.items()
        }
    return replace(_lay_down_command(world, before, act), generals=generals), events


def _verify_state(general: General, act: SetGeneral) -> None:
    rule = "HR-UMP-20"
    if act.state == "wounded" and not 1 <= act.weeks <= MOST_WEEKS:
        raise_violation(rule, f"Say for how many weeks {general.name} is away, 1 to {MOST_WEEKS}.", "weeks")
    if act.state != "wounded" and act.weeks:
        raise_violation(
            rule, "Weeks are those of a wound; leave them out, or say that he is wounded.", "weeks"
        )


def _verify_company(world: World, general: General, act: SetGeneral) -> None:
    rule = "HR-UMP-20"
    if not act.formation:
        return
    if act.state not in LIVING:
        raise_violation(rule, f"{general.name} is then with no formation; leave it empty.", "formation")
    body = world.formations.get(act.formation)
    if body is None or body.side != general.side:
        raise_violation(
            rule, f"There is no formation {act.formation!r} of his side; choose one of it.", "formation"
        )
    if body.position is None and act.formation != general.formation:
        raise_violation(rule, f"{Subject(body.name):is} not on the map; choose one that is.", "formation")


def _update_general(world: World, general: General, act: SetGeneral) -> General:
    """The general as he is from now on; a day of leaving that is past is forgotten."""
    captured = act.state == "captured"
    return replace(
        general,
        state=act.state,
        formation=act.formation,
        until=world.day + 7 * act.weeks if act.state == "wounded" else None,
        held_by=world.theatre.enemy_of(general.side) if captured else "",
        exchange_for=general.exchange_for if captured else "",
        departs=None if general.departs is not None and general.departs <= world.day else general.departs,
    )


def _lay_down_command(world: World, before: General, act: SetGeneral) -> World:
    """Who goes elsewhere lays down his command; that of the dead or captured passes on in the evening."""
    stays = before.state in LIVING and act.formation == before.formation
    if stays or act.state not in LIVING:
        return world
    formations = {
        key: replace(body, leader="", commander="")
        if body.leader == act.general and key != act.formation
        else body
        for key, body in world.formations.items()
    }
    return replace(world, formations=formations)


# --- who holds a place (HR-UMP-21) ---


def _set_holder(world: World, act: SetHolder) -> tuple[World, list[Event]]:
    rule, atlas = "HR-UMP-21", world.theatre.atlas
    if act.place not in atlas.places:
        raise_violation(
            rule, f"There is no place {act.place!r} on the map; choose one from the list.", "place"
        )
    if act.side not in ("", *both_sides(world)):
        known = ", ".join(both_sides(world))
        raise_violation(rule, f"There is no side {act.side!r}; choose one of {known}, or nobody.", "side")
    before = world.holders.get(act.place, "")
    if act.side == before:
        held = "nobody's already" if not before else "held so already"
        raise_violation(rule, f"{atlas.places[act.place].name} is {held}.", "side")
    _verify_garrison(world, act)
    siege = world.sieges.get(act.place)
    if siege is not None and act.side == siege.side:
        name = atlas.places[act.place].name
        raise_violation(
            rule, f"{name} is besieged by that side; put besiegers or garrison elsewhere first.", "side"
        )
    sides = tuple(
        side
        for side in both_sides(world)
        if side in (before, act.side) or act.place in list_visible_places(world, side)
    )
    holders = {place: side for place, side in world.holders.items() if place != act.place}
    if act.side:
        holders[act.place] = act.side
    event = Event("holder_set", 0, rule, sides, place=act.place, data={"side": act.side})
    return _update_beliefs(replace(world, holders=dict(sorted(holders.items()))), act, sides), [event]


def _verify_garrison(world: World, act: SetHolder) -> None:
    """Refuses a holder to whom troops that stand there alone would not leave the place (HR-CON-13)."""
    standing = [
        body
        for _, body in sorted(world.formations.items())
        if body.position is not None
        and body.position.place == act.place
        and not all(unit.is_train for unit in list_formation_units(world, body.id))
    ]
    if standing and act.side not in {body.side for body in standing}:
        name = world.theatre.atlas.places[act.place].name
        raise_violation(
            "HR-UMP-21",
            f"{Subject(standing[0].name):stands} at {name} and would take it again; put it elsewhere first.",
            "side",
        )


def _update_beliefs(world: World, act: SetHolder, sides: tuple[str, ...]) -> World:
    """Those who are told of it believe it, until they see or hear otherwise (HR-FOG-01)."""
    watches = dict(world.watches)
    for side in sides:
        if side not in watches:
            continue
        believed = {place: held for place, held in watches[side].holders.items() if place != act.place}
        if act.side != world.theatre.holders.get(act.place, ""):
            believed[act.place] = act.side
        watches[side] = replace(watches[side], holders=dict(sorted(believed.items())))
    return replace(world, watches=watches)


# --- food (HR-UMP-22) ---


def _set_food(world: World, act: SetFood) -> tuple[World, list[Event]]:
    rule = "HR-UMP-22"
    if world.settings.supply == "off":
        raise_violation(rule, "Food is not played in this campaign; there is none to change.", "id")
    if not 0 <= act.rations <= MOST_RATIONS:
        raise_violation(rule, f"Give the rations as a whole number from 0 to {MOST_RATIONS}.", "rations")
    return _set_stored_food(world, act) if act.of == "store" else _set_carried_food(world, act)


def _set_stored_food(world: World, act: SetFood) -> tuple[World, list[Event]]:
    rule, place = "HR-UMP-22", world.theatre.atlas.places.get(act.id)
    if place is None:
        raise_violation(rule, f"There is no place {act.id!r} on the map; choose one from the list.", "id")
    known = world.magazines.get(place.id)
    side = known.side if known is not None else world.holders.get(place.id, "")
    if not side:
        raise_violation(
            rule, f"Nobody holds {place.name}, so nobody stores food there; say who holds it first.", "id"
        )
    if place.id in list_bases(world, side):
        raise_violation(rule, f"{place.name} is a base: its food does not run out (HR-SUP-02).", "id")
    if known is None and any(place.id in base for base in world.theatre.supply.values()):
        raise_violation(
            rule, f"{place.name} was a base; its stores change hands in the evening (HR-SUP-06).", "id"
        )
    before = known.rations if known is not None else 0
    _verify_other(before, act)
    magazines = {**world.magazines, place.id: Magazine(side, act.rations)}
    data = {"was": before, "rations": act.rations}
    event = Event("food_set", 0, rule, (side,), place=place.id, data=data)
    return replace(world, magazines=dict(sorted(magazines.items()))), [event]


def _set_carried_food(world: World, act: SetFood) -> tuple[World, list[Event]]:
    rule, body = "HR-UMP-22", world.formations.get(act.id)
    if body is None:
        raise_violation(rule, f"There is no formation {act.id!r}; choose one from the list.", "id")
    if body.position is None:
        raise_violation(rule, f"{Subject(body.name):is} not on the map and carries no food.", "id")
    _verify_other(body.rations, act)
    data = {"rations": act.rations}  # who has not eaten yet had what he would have begun with (HR-SUP-01)
    if body.rations is not None:
        data["was"] = body.rations
    event = Event("food_set", 0, rule, (body.side,), formation=body.id, data=data)
    fed = replace(body, rations=act.rations)
    return replace(world, formations={**world.formations, body.id: fed}), [event]


def _verify_other(before: int | None, act: SetFood) -> None:
    if act.rations == before:
        raise_violation("HR-UMP-22", f"There are {before} rations already; give another number.", "rations")
