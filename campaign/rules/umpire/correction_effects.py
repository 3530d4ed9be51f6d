"""Applies the umpire's acts to a world: checks and events (HR-UMP).

Every act is told to the umpire with its reason. A side hears what touches it, without the reason; of
what holds for all (pause, deadline, rewind) both sides hear with it. A change of points that no pool
gives or takes breaks the conservation of points: it has an event with before and after, as every change.
"""

from dataclasses import replace

from battles.grammar import Subject
from campaign.rules.army.leaders import LIVING
from campaign.rules.army.organisation import Detach, organisation_apply
from campaign.rules.contact.casualties import with_points
from campaign.rules.march.boats import carries_boats, land_boats
from campaign.rules.orders.orders import list_formation_units, verify_order
from campaign.rules.returns.pools import parse_pool
from campaign.rules.returns.returns import pool_owners
from campaign.rules.scouting.counters import heard_at_once
from campaign.rules.scouting.knowledge import list_visible_places
from campaign.rules.supply.lines import list_bases
from campaign.rules.turns.deadline_schedule import Rhythm
from campaign.rules.umpire.battle_corrections import (
    Annul,
    BattleAdjust,
    BattleSplit,
    BattleTakeBack,
    BattleWay,
    annul_battles,
    build_battle_act_events,
)
from campaign.rules.umpire.calendar import (
    both_sides,
    course_leave,
    deadline_move,
    die_enter,
    raise_violation,
    rhythm_change,
)
from campaign.rules.umpire.corrections import (
    Act,
    Add,
    CancelOrder,
    ChangePool,
    CommandFormation,
    Correction,
    Deadline,
    EnterDie,
    Pause,
    PlaceFormation,
    Reinforce,
    Rename,
    RewindCampaign,
    Rumour,
    SetFood,
    SetGeneral,
    SetHolder,
    SetWeather,
    Split,
    kind_of,
)
from campaign.rules.umpire.settings import ChangeRules, Conduct, conduct_change, rules_change
from campaign.rules.victory.treaties import side_of, treaty_apply
from campaign.rules.world.events import Event
from campaign.rules.world.markers import General, Magazine
from campaign.rules.world.outcome import Completed
from campaign.rules.world.world import Formation, Position, Unit, UnitStatus, World
from rosters.domain.text import name_fault
from rosters.domain.vocabulary import TYPES, Arm, GunClass, Nation, TroopType, Weapon

#: More points than any pool holds: fifty units.
MOST_POINTS = 5_000
#: The longest a wound keeps a general away, in weeks.
MOST_WEEKS = 52
#: More rations than any store holds.
MOST_RATIONS = 1_000_000


def apply_correction(world: World, act: Correction) -> tuple[World, list[Event]]:
    """Apply a correction; returns the world and its events. Raises RuleViolation."""
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
    """The general in the new state; a departure date that has passed is dropped."""
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
    """Take the command from a general who moves away; the dead and captured pass it on at evening."""
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
    """Record a new holder in the beliefs of the sides that are told (HR-FOG-01)."""
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


#: A full unit's points (AWI-C-OVR-01).
FULL = 120
#: The longest reason and the longest name.
LONGEST_REASON, LONGEST_NAME = 300, 120


def act_apply(world: World, act: Act, reason: str) -> Completed:
    """Apply an act of the umpire; returns the world and its events. Raises RuleViolation.

    Acts about papers, deadlines, their rhythm and dice leave the world as it is; the caller changes those.
    """
    reason = reason.strip()
    if side_of(act):
        return treaty_apply(world, act)  # type: ignore[arg-type]  # a treaty has a side
    if not reason:
        why = "Say why: every act of the umpire's stands in the journal with its reason."
        raise_violation("HR-UMP-01", why, "reason")
    if len(reason) > LONGEST_REASON:
        raise_violation(
            "HR-UMP-01", f"The reason is longer than {LONGEST_REASON} letters; shorten it.", "reason"
        )
    after, events = _apply_act(world, act, reason)
    if isinstance(act, Annul):  # the turn does this, not the umpire
        return Completed(after, tuple(events))
    book = Event("umpire_act", 0, "HR-UMP-01", data={"act": kind_of(act), "reason": reason})
    return Completed(heard_at_once(after, events), (book, *events))


def _apply_act(world: World, act: Act, reason: str) -> tuple[World, list[Event]]:
    match act:
        case PlaceFormation():
            return _place_formation(world, act)
        case Add():
            return _add_unit(world, act)
        case Split():
            parts = Detach(act.formation, act.units, act.id, act.name, act.commander)
            return organisation_apply(world, parts)
        case Reinforce():
            return _reinforce_unit(world, act)
        case Rename():
            return _rename_subject(world, act)
        case SetWeather():
            return _set_weather(world, act)
        case CommandFormation():
            return _command_formation(world, act)
        case CancelOrder():
            event = Event(
                "paper_struck", 0, "HR-UMP-08", (_verify_side(world, act.side),), data={"paper": act.paper},
                formation=act.subject if act.subject in world.formations else "",
            )  # fmt: skip
            return world, [event]
        case Rumour():
            return _spread_rumour(world, act)
        case Pause():
            kind = "campaign_paused" if act.on else "campaign_resumed"
            return world, [Event(kind, 0, "HR-UMP-10", both_sides(world), data={"reason": reason})]
        case Deadline():
            return deadline_move(world, act, reason)
        case Rhythm():
            return rhythm_change(world, act, reason)
        case EnterDie():
            return die_enter(world, act)
        case RewindCampaign():
            return course_leave(world, act, reason)
        case Annul():
            return world, annul_battles(world, act, reason)
        case ChangeRules():
            return rules_change(world, act, reason)
        case Conduct():
            return conduct_change(world, act, reason)
        case BattleWay() | BattleAdjust() | BattleTakeBack() | BattleSplit():
            return world, build_battle_act_events(world, act)
        case ChangePool() | SetGeneral() | SetHolder() | SetFood():
            return apply_correction(world, act)
        case _:
            result = treaty_apply(world, act)
            return result.world, list(result.events)


def _verify_side(world: World, side: str) -> str:
    if side not in both_sides(world):
        raise_violation(
            "HR-UMP-01", f"There is no side {side!r}; choose one of {', '.join(both_sides(world))}.", "side"
        )
    return side


def _get_formation(world: World, key: str, rule: str) -> Formation:
    formation = world.formations.get(key)
    if formation is None:
        raise_violation(rule, f"There is no formation {key!r}; choose one from the list.", "formation")
    if formation.position is None:
        raise_violation(rule, f"{Subject(formation.name):is} not on the map.", "formation")
    return formation


# --- troops ---


def _place_formation(world: World, act: PlaceFormation) -> tuple[World, list[Event]]:
    rule = "HR-UMP-02"
    formation = _get_formation(world, act.formation, rule)
    _verify_position(world, act.position)
    if act.position == formation.position:
        raise_violation(rule, f"{Subject(formation.name):stands} there already.", "position")
    moved = replace(formation, position=act.position)
    event = Event(
        "placed", 0, rule, (formation.side,), formation=formation.id, place=act.position.place,
        route=act.position.route,
    )  # fmt: skip
    boats = dict(world.boats)
    if formation.position is not None and not _can_float(world, act.position):
        land_boats(boats, formation.id, formation.position.place or formation.position.origin)
    formations = {**world.formations, formation.id: moved}
    return replace(world, formations=formations, boats=dict(sorted(boats.items()))), [event]


def _can_float(world: World, position: Position) -> bool:
    """True if boats can lie at a position or go along its route (HR-BOA-03)."""
    atlas = world.theatre.atlas
    if position.place:
        return atlas.places[position.place].port != "none"
    return carries_boats(atlas.routes[position.route])


def _verify_position(world: World, position: Position) -> None:
    rule, atlas = "HR-UMP-02", world.theatre.atlas
    if position.place:
        if position.place not in atlas.places:
            raise_violation(rule, f"There is no place {position.place!r} on the map.", "position")
        if position != Position(place=position.place):
            raise_violation(rule, "A formation stands at a place or along a route, not both.", "position")
        return
    route = atlas.routes.get(position.route)
    if route is None:
        raise_violation(rule, f"There is no route {position.route!r} on the map.", "position")
    if {position.origin, position.destination} != {route.a, route.b}:
        raise_violation(rule, f"The route leads from {route.a} to {route.b}; name these two.", "position")
    if not 0 < position.yards < route.yards:
        raise_violation(rule, f"The route is {route.yards} yards long; choose a spot between.", "position")


def _add_unit(world: World, act: Add) -> tuple[World, list[Event]]:
    rule = "HR-UMP-03"
    side = _verify_side(world, act.side)
    if not act.id or act.id in world.units:
        raise_violation(rule, f"{act.id!r} is no new unit's id; choose one that is not in the books.", "id")
    _verify_name(act.name, rule)
    troop_type, gun_class = _kind_of_troops(act)
    least, most = (0, 0) if troop_type is TroopType.WAGON else (1, FULL)
    if not least <= act.points <= most:
        raise_violation(rule, f"A unit has 1 to {FULL} points and a train none, not {act.points}.", "points")
    formation = world.formations.get(act.formation)
    if formation is None:
        _verify_name(act.formation_name, rule, "formation_name")
        _verify_position(world, Position(place=act.place or "?"))
        formation = Formation(act.formation, act.formation_name, side, Position(place=act.place))
    elif formation.side != side:
        raise_violation(
            rule, f"{Subject(formation.name):is} not of that side; choose another formation.", "formation"
        )
    elif formation.position is None:
        _verify_position(world, Position(place=act.place or "?"))
        formation = replace(formation, position=Position(place=act.place))
    if not act.formation:
        raise_violation(rule, "Say which formation the unit is with.", "formation")
    unit = Unit(
        id=act.id,
        name=act.name.strip(),
        side=side,
        nation=Nation(_verify_choice(act.nation, Nation, "nation")),
        troop_type=troop_type,
        points=act.points,
        formation=formation.id,
        gun_class=gun_class,
        since=world.day,
    )
    world, events = _from_pool(world, act.pool, act.points, side)
    event = Event(
        "unit_added", 0, rule, (side,), unit=unit.id, formation=formation.id, before=0, after=unit.points,
        place=formation.position.place if formation.position else "",
        data={"name": unit.name},
    )  # fmt: skip
    added = replace(
        world,
        units={**world.units, unit.id: unit},
        formations={**world.formations, formation.id: formation},
    )
    return added, [event, *events]


def _kind_of_troops(act: Add) -> tuple[TroopType, GunClass]:
    """Type and gun class of a new unit: batteries have a class, nothing else has."""
    troop_type = TroopType(_verify_choice(act.troop_type, TroopType, "troop_type"))
    gun_class = GunClass(_verify_choice(act.gun_class, GunClass, "gun_class"))
    facts = TYPES[troop_type]
    battery = facts.arm is Arm.WHEELED and facts.weapon is Weapon.GUN
    if battery == (gun_class is GunClass.NONE):
        sentence = "Say of what class the battery is." if battery else "Only a battery has a class of guns."
        raise_violation("HR-UMP-03", sentence, "gun_class")
    return troop_type, gun_class


def _verify_choice(value: str, kind: type[Nation] | type[TroopType] | type[GunClass], field: str) -> str:
    known = [str(each) for each in kind]
    if value not in known:
        raise_violation("HR-UMP-03", f"There is no {field.replace('_', ' ')} {value!r}.", field)
    return value


def _verify_name(name: str, rule: str, field: str = "name") -> None:
    if fault := name_fault(name, LONGEST_NAME) or (not name.strip() and "The name is empty; give one."):
        raise_violation(rule, fault, field)


def _from_pool(world: World, pool: str, points: int, side: str) -> tuple[World, list[Event]]:
    """`points` out of a pool, or into it when negative; nothing for no pool."""
    if not pool:
        return world, []
    nation, _ = parse_pool(pool, "pool")
    if pool_owners(world).get(nation.value, side) != side:
        raise_violation(
            "HR-UMP-05", f"The pool {pool} is the other side's; name one of this unit's side.", "pool"
        )
    before = world.pools.get(pool, 0)
    if before < points:
        raise_violation(
            "HR-UMP-05", f"The pool {pool} holds {before} points; take no more than these.", "pool"
        )
    event = Event("points_changed", 0, "HR-UMP-05", (side,), pool=pool, before=before, after=before - points)
    return replace(world, pools={**world.pools, pool: before - points}), [event]


def _reinforce_unit(world: World, act: Reinforce) -> tuple[World, list[Event]]:
    rule = "HR-UMP-05"
    unit = world.units.get(act.unit)
    if unit is None:
        raise_violation(rule, f"There is no unit {act.unit!r}; choose one from the list.", "unit")
    if unit.status in (UnitStatus.DEPARTED, UnitStatus.SURRENDERED):
        raise_violation(rule, f"{Subject(unit.name):is} {unit.status} for good; add a new unit.", "unit")
    if unit.is_train:
        raise_violation(rule, f"{Subject(unit.name):is a train and has no points} (HR-REC-01).", "unit")
    after = unit.points + act.points
    if act.points == 0:
        raise_violation(rule, "0 points change nothing; give some, or take some with a minus.", "points")
    if not 0 <= after <= FULL:
        most = f"give {FULL - unit.points} or take {unit.points} at most."
        raise_violation(
            rule, f"{Subject(unit.name):has} {unit.points} points and may have 0 to {FULL}; {most}", "points"
        )
    changed = with_points(unit, after, world.day)
    if unit.status is UnitStatus.ELIMINATED:
        if world.formations[unit.formation].position is None:
            raise_violation(
                rule,
                f"{Subject(unit.name):has} no formation on the map to come back to; add a new unit.",
                "unit",
            )
        changed = replace(changed, status=UnitStatus.PRESENT, since=world.day)
    world, events = _from_pool(world, act.pool, act.points, unit.side)
    event = Event(
        "points_changed", 0, rule, (unit.side,), unit=unit.id, formation=unit.formation,
        before=unit.points, after=after,
    )  # fmt: skip
    world = replace(world, units={**world.units, unit.id: changed})
    return _clear_empty_formation(world, unit.formation), [event, *events]


def _clear_empty_formation(world: World, formation: str) -> World:
    """A formation that has lost its last unit stands nowhere (HR-FOR-01)."""
    if list_formation_units(world, formation):
        return world
    gone = replace(world.formations[formation], position=None, order=None, marched=0, light_days=0)
    return replace(world, formations={**world.formations, formation: gone})


def _rename_subject(world: World, act: Rename) -> tuple[World, list[Event]]:
    rule = "HR-UMP-06"
    _verify_name(act.name, rule)
    name = act.name.strip()
    known: Unit | Formation | None = (
        world.units.get(act.id) if act.of == "unit" else world.formations.get(act.id)
    )
    if known is None:
        raise_violation(rule, f"There is no {act.of} {act.id!r}; choose one from the list.", "id")
    if known.name == name:
        raise_violation(rule, f"It is called {name} already.", "name")
    event = Event(
        "renamed", 0, rule, (known.side,), data={"was": known.name, "name": name},
        unit=act.id if act.of == "unit" else "", formation=act.id if act.of == "formation" else "",
    )  # fmt: skip
    if isinstance(known, Unit):
        return replace(world, units={**world.units, act.id: replace(known, name=name)}), [event]
    return replace(world, formations={**world.formations, act.id: replace(known, name=name)}), [event]


# --- weather, orders, rumours ---


def _set_weather(world: World, act: SetWeather) -> tuple[World, list[Event]]:
    rule = "HR-UMP-07"
    if not world.day <= act.day < world.theatre.days:
        raise_violation(
            rule,
            f"The weather is set for days {world.day + 1} to {world.theatre.days} of the campaign.",
            "day",
        )
    key = str(act.day)
    weather = {day: sky for day, sky in world.weather_set.items() if day != key}
    if act.weather:
        weather[key] = act.weather
    if weather == world.weather_set:
        raise_violation(rule, "That is what the weather of that day is set to already.", "weather")
    event = Event("weather_decided", 0, rule, data={"day": act.day + 1, "weather": act.weather})
    return replace(world, weather_set=weather), [event]


def _command_formation(world: World, act: CommandFormation) -> tuple[World, list[Event]]:
    formation = _get_formation(world, act.formation, "HR-UMP-08")
    if act.order is not None:
        if act.order.formation != formation.id:
            raise_violation("HR-UMP-08", f"The order must be {formation.name}'s own.", "order")
        verify_order(world, act.order)
    kind = "order_changed" if act.order is not None else "order_cancelled"
    event = Event(
        kind, 0, "HR-UMP-08", (formation.side,), formation=formation.id,
        place=act.order.via[-1] if act.order is not None and act.order.via else "",
    )  # fmt: skip
    ordered = replace(formation, order=act.order, waited=0)
    return replace(world, formations={**world.formations, formation.id: ordered}), [event]


def _spread_rumour(world: World, act: Rumour) -> tuple[World, list[Event]]:
    rule = "HR-UMP-09"
    side = _verify_side(world, act.side)
    text = " ".join(act.text.split())
    if not text:
        raise_violation(rule, "Write what is said.", "text")
    number = 1 + sum(1 for key in world.rumours if key.startswith(f"{side}/{world.day}/"))
    event = Event("rumour", 0, rule, (side,), data={"text": text})
    return replace(world, rumours={**world.rumours, f"{side}/{world.day}/{number}": text}), [event]
