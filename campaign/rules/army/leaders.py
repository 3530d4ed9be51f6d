"""Generals in the campaign: who commands, who follows, who is lost or taken (HR-LDR, HR-GEN-01).

A campaign begun before generals were kept has none in its world; there HR-GEN-01's list of the wounded
counts, and the names on its formations.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from campaign.rules.errors import RuleViolation
from campaign.rules.world.events import Event
from campaign.rules.world.markers import General
from campaign.rules.world.settings import RuleSettings
from campaign.rules.world.world import Formation, UnitStatus, World, present_units

RULE = "HR-GEN-01"
GeneralFate = Literal["killed", "captured", "wounded", "disabled"]
FATES: tuple[GeneralFate, ...] = ("killed", "captured", "wounded", "disabled")

#: Weeks for which a wound keeps a general from his command; who is killed or captured never returns.
WEEKS_AWAY: dict[GeneralFate, int] = {"wounded": 2, "disabled": 6}


@dataclass(frozen=True, slots=True)
class GeneralLoss:
    """A general lost in a battle; `general` is the id of their leader's row."""

    general: str
    name: str
    side: str
    fate: GeneralFate


def build_general_loss_events(
    loss: GeneralLoss, minute: int, contact: str, sides: tuple[str, ...]
) -> list[Event]:
    """Events for a general's fate (HR-GEN-01).

    Both sides are told of death, capture or a wound; only their own side is told for how many weeks.
    """
    told = {"general": loss.general, "name": loss.name, "side": loss.side}
    weeks = WEEKS_AWAY.get(loss.fate)
    seen = loss.fate if weeks is None else "wounded"
    events = [
        Event("general_lost", minute, RULE, sides, contact=contact, data={**told, "fate": seen}),
    ]
    if weeks is not None:
        data = {**told, "fate": loss.fate, "weeks": weeks}
        events.append(Event("general_away", minute, RULE, (loss.side,), contact=contact, data=data))
    return events


def generals_apply(world: World, losses: Iterable[GeneralLoss]) -> World:
    """The world on the evening of a day that cost these generals; those healed by tomorrow are back."""
    morning = world.day + 1
    formations, away = dict(world.formations), dict(world.away)
    for loss in losses:
        if loss.general in world.generals:
            continue  # `campaign.rules.army.leaders` keeps him
        if weeks := WEEKS_AWAY.get(loss.fate):
            away[loss.general] = max(away.get(loss.general, 0), world.day + 7 * weeks)
            continue
        away.pop(loss.general, None)
        for key, formation in formations.items():
            if formation.side == loss.side and formation.commander == loss.name:
                formations[key] = replace(formation, commander="")
    away = {general: back for general, back in sorted(away.items()) if back > morning}
    return replace(world, formations=formations, away=away)


#: Ranks of the roster from high to low; any other counts as the lowest.
RANKS = ("army commander", "wing", "brigade")
MIDNIGHT = 24 * 60
#: States in which a general is in the campaign and may yet command.
LIVING = ("well", "wounded", "expected")


def rank_of(general: General) -> int:
    """0 for the highest rank."""
    return RANKS.index(general.rank) if general.rank in RANKS else len(RANKS) - 1


def seniority_key(world: World, key: str) -> tuple[int, int, str]:
    """A sort key that puts the senior general first: rank, date of rank, roster (HR-LDR-03)."""
    general = world.generals[key]
    return rank_of(general), general.seniority, key


# --- the first morning (HR-LDR-01) ---


def appoint_generals(world: World, generals: Mapping[str, General]) -> World:
    """A scenario's first world with its generals: commanders with their formations, others where they stand.

    One who is not a commander rides with the strongest formation at his place, or with none.
    """
    formations, known = dict(world.formations), dict(generals)
    named: dict[tuple[str, str], str] = {}
    for key, general in sorted(generals.items()):
        named.setdefault((general.name, general.side), key)
    for key in sorted(formations):
        body = formations[key]
        leader = named.get((body.commander, body.side), "") if body.commander else ""
        if leader:
            formations[key] = replace(body, leader=leader)
            if not known[leader].formation:
                known[leader] = replace(known[leader], formation=key)
    strongest = _strongest_at(replace(world, formations=formations))
    for key, general in sorted(known.items()):
        if general.state == "well" and not general.formation:
            known[key] = replace(general, formation=strongest.get((general.side, general.home), ""))
    return replace(world, formations=formations, generals=dict(sorted(known.items())))


def _strongest_at(world: World) -> dict[tuple[str, str], str]:
    """The strongest formation with troops by side and place; a garrison only where nothing else is."""
    points = {key: sum(unit.points for unit in units) for key, units in present_units(world).items()}
    found: dict[tuple[str, str], str] = {}
    weakest_first = sorted(
        world.formations,
        key=lambda key: (world.formations[key].garrison, -points.get(key, 0), key),
        reverse=True,
    )
    for key in weakest_first:
        body = world.formations[key]
        if body.position is not None and points.get(key):
            found[body.side, body.position.place] = key
    return found


# --- who commands today (HR-LDR-03) ---


def leader_today(world: World, formation: Formation) -> str:
    """A formation's leader: its own if well, else the senior who rides with it, or ""."""
    own = world.generals.get(formation.leader)
    if own is not None and own.state == "well":
        return formation.leader
    busy = {body.leader for body in world.formations.values()}
    seconds = [
        key
        for key, general in world.generals.items()
        if general.formation == formation.id
        and general.side == formation.side
        and general.state == "well"
        and key not in busy
    ]
    return min(seconds, key=lambda key: seniority_key(world, key), default="")


def commander_today(world: World, formation: Formation) -> str:
    """The name of who leads a formation today, "" when nobody known does."""
    if not world.generals:
        return formation.commander
    leader = leader_today(world, formation)
    if leader:
        return world.generals[leader].name
    named = any(
        (general.name, general.side) == (formation.commander, formation.side)
        for general in world.generals.values()
    )
    return "" if named else formation.commander


def span_of(rank: str, settings: RuleSettings) -> int:
    """Units a general of a rank can command in battle (HR-LDR-04)."""
    if rank == RANKS[0]:
        return settings.span_army
    return settings.span_wing if rank == RANKS[1] else settings.span_brigade


def verify_size(units: int, name: str, settings: RuleSettings, field: str = "into") -> None:
    """Refuse a formation of too many units (HR-LDR-04)."""
    if units > settings.formation_units:
        raise RuleViolation(
            "HR-LDR-04",
            f"{name} would have {units} units; a formation has {settings.formation_units} at most. "
            "Keep them in two.",
            field,
        )


# --- what a day does to them ---


def apply_general_losses(world: World, losses: Iterable[GeneralLoss]) -> World:
    """Record generals killed, captured or wounded in the day's battles (HR-GEN-01)."""
    generals = dict(world.generals)
    for loss in losses:
        general = generals.get(loss.general)
        if general is None or general.state not in LIVING:
            continue
        if loss.fate == "killed":
            generals[loss.general] = replace(general, state="dead", formation="", until=None)
        elif loss.fate == "captured":
            generals[loss.general] = _capture_general(world, general)
        else:
            until = max(general.until or 0, world.day + 7 * WEEKS_AWAY[loss.fate])
            generals[loss.general] = replace(general, state="wounded", until=until)
    return replace(world, generals=generals)


def _capture_general(world: World, general: General) -> General:
    enemy = world.theatre.enemy_of(general.side)
    return replace(general, state="captured", held_by=enemy, formation="", until=None)


def generals_evening(world: World) -> tuple[World, list[Event]]:
    """Evening changes of generals: prisoners, recoveries, arrivals, departures, succession."""
    if not world.generals:
        return world, []
    events: list[Event] = []
    world = _rejoin_parents(_capture_with_forces(world, events))
    world = _apply_calendar(world, events)
    return _pass_commands(world, events), events


def _capture_with_forces(world: World, events: list[Event]) -> World:
    """Capture the generals who rode with a force that surrendered today (HR-LDR-05)."""
    gone = {
        unit.formation
        for unit in world.units.values()
        if unit.status is UnitStatus.SURRENDERED and unit.since >= world.day
    }
    if not gone:
        return world
    gone -= set(present_units(world))
    generals = dict(world.generals)
    for key, general in sorted(generals.items()):
        if general.formation in gone and general.state in ("well", "wounded"):
            generals[key] = _capture_general(world, general)
            both = tuple(side.id for side in world.theatre.sides)
            events.append(_build_general_event("general_captured", "HR-LDR-05", both, key, general))
    return replace(world, generals=generals)


def _rejoin_parents(world: World) -> World:
    """Move generals of a detachment that has rejoined its parent to the parent (HR-FOR-01)."""
    filled = {unit.formation for unit in world.units.values()}
    formations, generals = dict(world.formations), dict(world.generals)
    for key, general in sorted(generals.items()):
        body = formations.get(general.formation)
        if body is None or body.id in filled or body.parent not in formations:
            continue
        generals[key] = replace(general, formation=body.parent)
        if body.leader == key:
            formations[body.id] = replace(body, leader="", commander="")
    return replace(world, formations=formations, generals=generals)


def _apply_calendar(world: World, events: list[Event]) -> World:
    """Wounds heal, generals arrive and leave by tomorrow morning (HR-LDR-01, HR-LDR-02)."""
    morning = world.day + 1
    generals = dict(world.generals)
    for key, general in sorted(generals.items()):
        if general.state in LIVING and general.departs is not None and general.departs <= morning:
            generals[key] = replace(general, state="resigned", formation="", until=None)
            events.append(_build_general_event("general_leaves", "HR-LDR-01", (general.side,), key, general))
        elif general.state == "wounded" and general.until is not None and general.until <= morning:
            generals[key] = replace(general, state="well", until=None)
            events.append(_build_general_event("general_healed", "HR-LDR-02", (general.side,), key, general))
        elif general.state == "expected" and general.until is not None and general.until <= morning:
            rides = general.formation or _strongest_at(world).get((general.side, general.home), "")
            generals[key] = replace(general, state="well", until=None, formation=rides)
            events.append(_build_general_event("general_arrives", "HR-LDR-01", (general.side,), key, general))
    return replace(world, generals=generals)


def _pass_commands(world: World, events: list[Event]) -> World:
    """Formations whose general is gone for good pass to the senior who rides with them (HR-LDR-03)."""
    for key in sorted(world.formations):
        body = world.formations[key]
        general = world.generals.get(body.leader)
        if general is None or general.state in LIVING:
            continue
        follower = leader_today(world, body)
        name = world.generals[follower].name if follower else ""
        passed = replace(body, leader=follower, commander=name)
        world = replace(world, formations={**world.formations, key: passed})
        if follower:
            events.append(
                Event(
                    "command_passes",
                    MIDNIGHT,
                    "HR-LDR-03",
                    (body.side,),
                    formation=key,
                    data={"leader": follower, "name": name, "was": general.name},
                )
            )
    return world


def _build_general_event(kind: str, rule: str, sides: tuple[str, ...], key: str, general: General) -> Event:
    return Event(
        kind,
        MIDNIGHT,
        rule,
        sides,
        formation=general.formation,
        data={"general": key, "name": general.name, "side": general.side},
    )


# --- prisoners (HR-LDR-05) ---


def verify_exchange(world: World, ours: str, theirs: str, side: str | None = None) -> None:
    """Refuse what is no exchange rank for rank of two prisoners; `side` offers `theirs` for `ours`."""
    own, other = world.generals.get(ours), world.generals.get(theirs)
    if own is None or own.state != "captured" or (side is not None and own.side != side):
        raise RuleViolation("HR-LDR-05", "Name a general of yours whom the enemy holds.", "ours")
    if other is None or other.state != "captured" or other.held_by != own.side:
        raise RuleViolation(
            "HR-LDR-05", f"Name a general whom you hold, to be given for {own.name}.", "theirs"
        )
    if rank_of(own) != rank_of(other):
        raise RuleViolation(
            "HR-LDR-05",
            f"{own.name} ({own.rank}) and {other.name} ({other.rank}) are not of one rank; generals are "
            "exchanged rank for rank.",
            "theirs",
        )


def exchange_offer(world: World, side: str, ours: str, theirs: str) -> tuple[World, list[Event]]:
    """Offer a prisoner for one of the side's own; when both sides offer alike, both go home."""
    verify_exchange(world, ours, theirs, side)
    if world.generals[theirs].exchange_for == ours:
        return exchange_generals(world, ours, theirs)
    offered = replace(world.generals[ours], exchange_for=theirs)
    both = tuple(each.id for each in world.theatre.sides)
    event = Event(
        "exchange_offered",
        MIDNIGHT,
        "HR-LDR-05",
        both,
        data={"side": side, **_build_exchange_names(world, ours, theirs)},
    )
    return replace(world, generals={**world.generals, ours: offered}), [event]


def exchange_generals(world: World, one: str, other: str) -> tuple[World, list[Event]]:
    """Both prisoners go home, well and without a command: by agreement, or by the umpire."""
    verify_exchange(world, one, other)
    free = {
        key: replace(world.generals[key], state="well", held_by="", exchange_for="") for key in (one, other)
    }
    void = {  # others' offers of one who now goes home
        key: replace(general, exchange_for="")
        for key, general in world.generals.items()
        if key not in free and general.exchange_for in free
    }
    both = tuple(each.id for each in world.theatre.sides)
    event = Event(
        "generals_exchanged", MIDNIGHT, "HR-LDR-05", both, data=_build_exchange_names(world, one, other)
    )
    return replace(world, generals={**world.generals, **void, **free}), [event]


def _build_exchange_names(world: World, one: str, other: str) -> dict[str, str]:
    return {"name": world.generals[one].name, "for": world.generals[other].name}
