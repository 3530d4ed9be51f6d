"""Orders of organisation: join, detach, transfer, hand over, checked and carried out at dawn (HR-ORG).

First the records and their versioned JSON, the form that orders, journal and turn share; then what they do.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, NoReturn

from battles.grammar import Subject
from campaign.rules.army.leaders import verify_size
from campaign.rules.day.arrivals import empty_formations
from campaign.rules.errors import RuleViolation
from campaign.rules.march.boats import hand_on
from campaign.rules.orders.labour import lift_of
from campaign.rules.orders.order_json import checked_form, read_record
from campaign.rules.orders.orders import list_formation_units, verify_order
from campaign.rules.orders.supply_orders import lay_depot, set_ration
from campaign.rules.world.events import Event
from campaign.rules.world.world import Formation, Order, Unit, UnitStatus, World
from campaign.rules.world.world_json import order_to_json, to_canonical_json

#: Version of the JSON of these records.
VERSION = 1


@dataclass(frozen=True, slots=True)
class Detach:
    """Units leave `formation` and form `id`, a new formation called `name`, with an order of its own.

    `id` is as `detachment_id` says; the new formation does not rejoin by itself.
    """

    formation: str
    units: tuple[str, ...]
    id: str
    name: str
    commander: str = ""
    order: Order | None = None


@dataclass(frozen=True, slots=True)
class Transfer:
    """Whole units go over into the formation `into`, which stands where they do."""

    units: tuple[str, ...]
    into: str


@dataclass(frozen=True, slots=True)
class Escort:
    """`formation` takes the train `wagons` among its own units, until they are detached again."""

    formation: str
    wagons: str


@dataclass(frozen=True, slots=True)
class Join:
    """All units of `formation` go over into the formation `into`."""

    formation: str
    into: str


@dataclass(frozen=True, slots=True)
class Garrison:
    """`formation` becomes the garrison of the place where it stands, or is one no longer."""

    formation: str
    on: bool = True


@dataclass(frozen=True, slots=True)
class HandOver:
    """The general `leader` takes command of `formation`."""

    formation: str
    leader: str


@dataclass(frozen=True, slots=True)
class Ration:
    """`formation` changes to two-thirds ration, or back to the full one (HR-SUP-04)."""

    formation: str
    short: bool = True


@dataclass(frozen=True, slots=True)
class Depot:
    """The train `formation` lays its load down where it stands, as a depot (HR-SUP-05)."""

    formation: str


Organisation = Detach | Transfer | Escort | Join | Garrison | HandOver | Ration | Depot

#: Kinds by their name in JSON, in the order in which a morning carries them out (HR-ORG-07).
KINDS: dict[str, type[Organisation]] = {
    "detach": Detach,
    "transfer": Transfer,
    "escort": Escort,
    "join": Join,
    "garrison": Garrison,
    "hand_over": HandOver,
    "ration": Ration,
    "depot": Depot,
}


def kind_of(act: Organisation) -> str:
    """The name of an act's kind."""
    return next(name for name, kind in KINDS.items() if isinstance(act, kind))


def subject_of(act: Organisation) -> str:
    """The formation an act concerns: the one in whose order it is written."""
    return act.into if isinstance(act, Transfer) else act.formation


def is_in_column(column: Iterable[str], formation: str) -> bool:
    """True if a column of these formations holds `formation`, itself or as a detachment of one.

    Detachments are called as `detachment_id` calls them.
    """
    return any(re.fullmatch(rf"{re.escape(own)}(-d\d+)*", formation) for own in column)


def in_order(acts: Iterable[Organisation]) -> list[Organisation]:
    """Acts as a morning carries them out, whoever put them in first; the same act twice counts once."""
    ranks = list(KINDS)
    keys = {to_canonical_json(organisation_to_json(act)): act for act in acts}
    ranked = sorted(keys, key=lambda key: (ranks.index(kind_of(keys[key])), subject_of(keys[key]), key))
    return [keys[key] for key in ranked]


def organisation_to_json(act: Organisation) -> dict[str, Any]:
    """An act as JSON values, with its kind and the version of this form."""
    row = asdict(act)
    if "units" in row:
        row["units"] = list(row["units"])
    if isinstance(act, Detach):
        row["order"] = None if act.order is None else order_to_json(act.order)
    return {"version": VERSION, "kind": kind_of(act), **row}


def organisation_from_json(data: Any) -> Organisation:
    """The inverse of `organisation_to_json`, for anything that came in from outside.

    Raises RuleViolation (HR-ORG-07) with the field that is wrong; for points moved between units,
    AWI-C-OVR-02.
    """
    values = checked_form(data, "HR-ORG-07", VERSION)
    name = values.pop("kind", None)
    if name in ("balance", "even_out"):
        raise RuleViolation(
            "AWI-C-OVR-02",
            "Strengths are evened out at the end of a week only; put it among the choices for the returns.",
            "kind",
        )
    kind = KINDS.get(name) if isinstance(name, str) else None
    if kind is None:
        raise RuleViolation(
            "HR-ORG-07", f"There is no order called {name!r}; choose one of {', '.join(KINDS)}.", "kind"
        )
    return read_record(kind, values, "HR-ORG-07")


def detachment_id(world: World, formation: str, taken: Iterable[str] = ()) -> str:
    """The id of a formation's next detachment; `taken` are ids that other orders use."""
    number = 1
    while (key := f"{formation}-d{number}") in world.formations or key in taken:
        number += 1
    return key


#: What the journal calls each kind, and the rule that says so.
TOLD: dict[type[Organisation], tuple[str, str]] = {
    Detach: ("detached", "HR-ORG-02"),
    Transfer: ("transferred", "HR-ORG-03"),
    Escort: ("escorted", "HR-ORG-06"),
    Join: ("joined", "HR-ORG-01"),
    Garrison: ("garrisoned", "HR-ORG-05"),
    HandOver: ("command_taken", "HR-ORG-04"),
    Ration: ("ration_set", "HR-SUP-04"),
    Depot: ("depot_laid", "HR-SUP-05"),
}


def verify_organisation(
    world: World, act: Organisation, side: str | None = None, others: Iterable[Organisation] = ()
) -> None:
    """Refuses an act the rules do not allow; `side` is who orders it, None for nobody in particular.

    `others` are the side's acts that stand already: the act must be possible in its turn among them.
    Raises RuleViolation with the field of the act that caused it.
    """
    for each in in_order([*others, act]):
        if each == act:
            organisation_apply(world, act, side)
            return
        try:
            world, _ = organisation_apply(world, each, side)
        except RuleViolation:
            continue  # told to its owner when it is carried out


def organise_formations(
    world: World, acts: Iterable[Organisation], minute: int = 0
) -> tuple[World, list[Event]]:
    """Apply all acts, in an order of their own (HR-ORG-07); impossible ones become refusal events."""
    events: list[Event] = []
    for act in in_order(acts):
        try:
            world, told = organisation_apply(world, act, None, minute)
        except RuleViolation as violation:
            told = _build_refusal_events(world, act, violation, minute)
        events += told
    return world, events


def organisation_apply(
    world: World, act: Organisation, side: str | None = None, minute: int = 0
) -> tuple[World, list[Event]]:
    """The world after one act, and its event. Raises RuleViolation."""
    match act:
        case Detach():
            after = _detach_units(world, act, side)
            place = after.formations[act.id]
        case Transfer():
            after = _transfer_units(world, act, side)
            place = after.formations[act.into]
        case Escort():
            after = _escort_wagons(world, act, side)
            place = after.formations[act.formation]
        case Join():
            after = _join_formations(world, act, side)
            place = after.formations[act.into]
        case Garrison():
            after = _set_garrison(world, act, side)
            place = after.formations[act.formation]
        case HandOver():
            after = _hand_over_command(world, act, side)
            place = after.formations[act.formation]
        case Ration():
            place = _get_formation(world, act.formation, side, "HR-SUP-04", "formation")
            after = set_ration(world, place, act.short)
        case Depot():
            place = _get_formation(world, act.formation, side, "HR-SUP-05", "formation")
            after = lay_depot(world, place)
    kind, rule = TOLD[type(act)]
    event = Event(
        kind,
        minute,
        rule,
        (place.side,),
        formation=subject_of(act),
        place=place.position.place if place.position else "",
        data=_build_organisation_data(world, act),
    )
    return after, [event]


def _build_organisation_data(world: World, act: Organisation) -> dict[str, object]:
    match act:
        case Detach():
            return {"units": list(act.units), "into": act.id, "name": act.name}
        case Transfer():
            return {"units": list(act.units), "into": act.into}
        case Escort():
            return {
                "units": [unit.id for unit in list_formation_units(world, act.wagons)],
                "wagons": act.wagons,
            }
        case Join():
            return {
                "units": [unit.id for unit in list_formation_units(world, act.formation)],
                "into": act.into,
            }
        case Garrison():
            return {"on": act.on}
        case HandOver():
            return {"leader": act.leader, "name": world.generals[act.leader].name}
        case Ration():
            return {"short": act.short}
        case Depot():
            return {"rations": world.formations[act.formation].rations or 0}


def _build_refusal_events(
    world: World, act: Organisation, violation: RuleViolation, minute: int
) -> list[Event]:
    """The refusal event, for the side of the formation or units concerned."""
    subject = subject_of(act)
    known = world.formations.get(subject)
    doers = [world.units.get(key) for key in act.units] if isinstance(act, Transfer) else [known]
    sides = {doer.side for doer in doers if doer is not None}
    own = known is not None and sides == {known.side}
    return [
        Event(
            "organisation_refused",
            minute,
            violation.rule_id,
            tuple(sides) if len(sides) == 1 else (),
            formation=subject if own else "",
            data={"reason": violation.message, "formation": subject, "order": kind_of(act)},
        )
    ]


# --- the acts ---


def _join_formations(world: World, act: Join, side: str | None) -> World:
    part = _get_formation(world, act.formation, side, "HR-ORG-01", "formation")
    into = _get_formation(world, act.into, side, "HR-ORG-01", "into")
    _verify_together(part, into, "HR-ORG-01", "into")
    if part.garrison:
        _raise_violation(
            "HR-ORG-01", f"{Subject(part.name):is} a garrison; relieve it of its post first.", "formation"
        )
    units = list_formation_units(world, part.id)
    _verify_movable(units, "HR-ORG-01", "formation")
    verify_size(len(units) + len(list_formation_units(world, into.id)), into.name, world.settings)
    return _move_units(world, units, into)


def _detach_units(world: World, act: Detach, side: str | None) -> World:
    whole = _get_formation(world, act.formation, side, "HR-ORG-02", "formation")
    here = {unit.id: unit for unit in list_formation_units(world, whole.id)}
    if not act.units:
        _raise_violation("HR-ORG-02", "No units are named; say who is to be detached.", "units")
    _verify_once(act.units, "HR-ORG-02")
    for key in act.units:
        if key not in here:
            known = world.units.get(key)
            called = known.name if known is not None and known.side == whole.side else key
            _raise_violation(
                "HR-ORG-02", f"{called} is no unit of {whole.name} that is there to go.", "units"
            )
    units = [here[key] for key in act.units]
    _verify_movable(units, "HR-ORG-02", "units")
    if len(units) == len(here):
        _raise_violation(
            "HR-ORG-02", f"That is all of {whole.name}; leave at least one unit with it.", "units"
        )
    if not re.fullmatch(re.escape(whole.id) + r"-d[1-9][0-9]{0,3}", act.id) or len(act.id) > 120:
        _raise_violation(
            "HR-ORG-02",
            f"A detachment of {whole.name} is called {detachment_id(world, whole.id)} in the books.",
            "id",
        )
    if act.id in world.formations:
        other = world.formations[act.id].name
        _raise_violation("HR-ORG-02", f"{other} took that number before {act.name}; write it anew.", "id")
    if not act.name.strip() or len(act.name) > 200 or len(act.commander) > 120:
        _raise_violation("HR-ORG-02", "Give the detachment a name, and keep its commander's short.", "name")
    new = Formation(
        act.id, act.name.strip(), whole.side, whole.position, commander=act.commander, marched=whole.marched,
        light_days=whole.light_days, hungry_days=whole.hungry_days,
        rations=None if whole.rations is None else 0,
    )  # fmt: skip
    fed = {new.id: world.provisions[whole.id]} if whole.id in world.provisions else {}
    world = replace(
        world,
        formations={**world.formations, new.id: new},
        provisions=dict(sorted({**world.provisions, **fed}.items())),
    )
    world = _move_units(world, units, new)
    if act.order is None:
        return world
    if act.order.formation != act.id:
        _raise_violation(
            "HR-ORG-02", "The order that goes with a detachment must be the detachment's own.", "order"
        )
    verify_order(world, act.order, side)
    ordered = replace(world.formations[new.id], order=act.order)
    return replace(world, formations={**world.formations, new.id: ordered})


def _transfer_units(world: World, act: Transfer, side: str | None) -> World:
    into = _get_formation(world, act.into, side, "HR-ORG-03", "into")
    if not act.units:
        _raise_violation("HR-ORG-03", "No units are named; say who is to go over.", "units")
    _verify_once(act.units, "HR-ORG-03")
    units = []
    for key in act.units:
        unit = world.units.get(key)
        if unit is None or unit.side != into.side or unit.status is not UnitStatus.PRESENT:
            _raise_violation("HR-ORG-03", f"{key} is no unit of yours on the map.", "units")
        if unit.formation == into.id:
            _raise_violation("HR-ORG-03", f"{Subject(unit.name):is} with {into.name} already.", "units")
        _verify_together(world.formations[unit.formation], into, "HR-ORG-03", "units")
        units.append(unit)
    _verify_movable(units, "HR-ORG-03", "units")
    for key in sorted({unit.formation for unit in units}):
        post = world.formations[key]
        if post.garrison and {unit.id for unit in list_formation_units(world, key)} <= set(act.units):
            _raise_violation(
                "HR-ORG-03",
                f"{Subject(post.name):is} a garrison; leave a unit, or relieve it of its post.",
                "units",
            )
    verify_size(len(units) + len(list_formation_units(world, into.id)), into.name, world.settings)
    return _move_units(world, units, into)


def _escort_wagons(world: World, act: Escort, side: str | None) -> World:
    escort = _get_formation(world, act.formation, side, "HR-ORG-06", "formation")
    wagons = _get_formation(world, act.wagons, side, "HR-ORG-06", "wagons")
    _verify_together(wagons, escort, "HR-ORG-06", "wagons")
    units = list_formation_units(world, wagons.id)
    if not all(unit.is_train for unit in units):
        _raise_violation(
            "HR-ORG-06", f"{Subject(wagons.name):is} no train; only wagons and boats are escorted.", "wagons"
        )
    if wagons.garrison:
        _raise_violation(
            "HR-ORG-06", f"{Subject(wagons.name):is} a garrison; relieve it of its post first.", "wagons"
        )
    _verify_movable(units, "HR-ORG-06", "wagons")
    verify_size(
        len(units) + len(list_formation_units(world, escort.id)), escort.name, world.settings, "formation"
    )
    return _move_units(world, units, escort)


def _set_garrison(world: World, act: Garrison, side: str | None) -> World:
    formation = _get_formation(world, act.formation, side, "HR-ORG-05", "formation")
    if formation.garrison == act.on:
        state = "a garrison already" if act.on else "no garrison"
        _raise_violation("HR-ORG-05", f"{Subject(formation.name):is} {state}.", "on")
    if act.on and not (formation.position and formation.position.place):
        _raise_violation(
            "HR-ORG-05",
            f"{Subject(formation.name):is} on the march; a garrison stands at a place.",
            "formation",
        )
    order = None if act.on else formation.order
    changed = replace(formation, garrison=act.on, order=order, waited=0)
    return replace(world, formations={**world.formations, formation.id: changed})


def _hand_over_command(world: World, act: HandOver, side: str | None) -> World:
    formation = _get_formation(world, act.formation, side, "HR-ORG-04", "formation")
    general = world.generals.get(act.leader)
    if general is None or general.side != formation.side:
        _raise_violation(
            "HR-ORG-04", f"There is no general {act.leader!r} of yours; choose one of your own.", "leader"
        )
    if general.state != "well":
        _raise_violation("HR-ORG-04", f"{general.name} is {general.state} and commands nobody.", "leader")
    if formation.leader == act.leader:
        _raise_violation("HR-ORG-04", f"{general.name} commands {formation.name} already.", "leader")
    with_him = world.formations.get(general.formation)
    if with_him is not None and with_him.position is not None and with_him.position != formation.position:
        _raise_violation(
            "HR-ORG-04",
            f"{general.name} is not where {Subject(formation.name):is}; bring him there.",
            "leader",
        )
    formations = dict(world.formations)
    for key, other in world.formations.items():
        if other.leader == act.leader:
            formations[key] = replace(other, leader="", commander="")
    formations[formation.id] = replace(formation, leader=act.leader, commander=general.name)
    generals = {**world.generals, act.leader: replace(general, formation=formation.id)}
    return replace(world, formations=formations, generals=generals)


# --- checks ---


def _raise_violation(rule: str, message: str, field: str) -> NoReturn:
    raise RuleViolation(rule, message, field)


def _get_formation(world: World, key: str, side: str | None, rule: str, field: str) -> Formation:
    formation = world.formations.get(key)
    if formation is None or (side is not None and formation.side != side):
        raise RuleViolation(
            "HR-FOR-04", f"There is no formation {key!r} of yours; choose one of your own.", field
        )
    if formation.position is None or not list_formation_units(world, key):
        raise RuleViolation(rule, f"{Subject(formation.name):has} nobody on the map.", field)
    return formation


def _verify_together(one: Formation, other: Formation, rule: str, field: str) -> None:
    if one.id == other.id:
        _raise_violation(rule, f"{one.name} cannot go over into itself.", field)
    if one.side != other.side:
        _raise_violation("HR-FOR-04", "The two formations are not both yours; choose among your own.", field)
    if one.position != other.position:
        _raise_violation(rule, f"{one.name} is not where {other.name} is; bring them together first.", field)


def _verify_once(units: Sequence[str], rule: str) -> None:
    twice = [key for key, count in Counter(units).items() if count > 1]
    if twice:
        _raise_violation(rule, f"{twice[0]} is named twice; name each unit once.", "units")


def _verify_movable(units: Iterable[Unit], rule: str, field: str) -> None:
    for unit in units:
        if unit.static:
            _raise_violation(
                rule,
                f"{Subject(unit.name):holds its place for good and stays where it is} (HR-FOR-03).",
                field,
            )


# --- moving units ---


def _move_units(world: World, units: Sequence[Unit], into: Formation) -> World:
    """Whole units into a formation at the same spot, with their share of food and their fatigue.

    Nobody rests by changing his formation: the more tired counts for all (HR-MAR-03, HR-MAR-05).
    A formation that is emptied leaves its food and its generals to who takes its units.
    """
    moving = {unit.id for unit in units}
    formations = dict(world.formations)
    generals = dict(world.generals)
    boats = dict(world.boats)
    rations = into.rations
    for key in sorted({unit.formation for unit in units}):
        source = formations[key]
        here = list_formation_units(world, key)
        gone = sum(unit.points for unit in here if unit.id in moving)
        emptied = all(unit.id in moving for unit in here)
        men = None if emptied else lift_of(unit for unit in here if unit.id in moving)
        boats = hand_on(boats, key, into.id, men)
        share = source.rations
        if share is not None:
            share = share if emptied else share * gone // max(1, sum(unit.points for unit in here))
            rations = (rations or 0) + share
            source = replace(source, rations=(source.rations or 0) - share)
        if emptied:
            if source.leader and not into.leader:
                into = replace(into, leader=source.leader, commander=source.commander)
            source = replace(source, leader="")
            for general, known in world.generals.items():
                if known.formation == key:
                    generals[general] = replace(known, formation=into.id)
        formations[key] = source
        into = replace(
            into,
            marched=max(into.marched, source.marched),
            light_days=max(into.light_days, source.light_days),
            hungry_days=max(into.hungry_days, source.hungry_days),
        )
    formations[into.id] = replace(into, rations=rations)
    moved = {key: replace(world.units[key], formation=into.id) for key in moving}
    world = replace(world, units={**world.units, **moved}, formations=formations)
    return empty_formations(replace(world, generals=generals, boats=boats))
