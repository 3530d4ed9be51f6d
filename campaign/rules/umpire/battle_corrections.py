"""Umpire's corrections of a battle that waits, and annulled battles (HR-TAB-11 to 14, HR-CAL-14).

They change no world: what is fought changes, which stands with the battle. Each act names its battle; the
sides in it read what they can see of it, not what is hidden from them.
"""

from dataclasses import asdict, dataclass, is_dataclass
from typing import Any, Literal

from campaign.rules.contact.contact import Settlement
from campaign.rules.errors import RuleViolation
from campaign.rules.world.events import Event
from campaign.rules.world.world import World

WAY, ADJUST, BACK, SPLIT = "HR-TAB-11", "HR-TAB-12", "HR-TAB-13", "HR-TAB-14"

Way = Literal["", "engine", "table", "word"]
Season = Literal["spring", "summer", "autumn", "winter"]
Rain = Literal["none", "rain", "storm"]
Kind = Literal["assault", "turn_flank", "hold", "delay", "withdraw"]


@dataclass(frozen=True, slots=True)
class BattleReference:
    """A reference to a battle: its contact, its two sides and its place or route."""

    contact: str
    attacker: str
    defender: str
    place: str = ""
    route: str = ""


@dataclass(frozen=True, slots=True)
class DrawGround:
    """The ground drawn anew: `draw` counts the drawings, 1 is the country's own (HR-BAT-06).

    `works` are SP of each work, -1 as they are, 0 for none. `width` and `depth` are inches.
    """

    draw: int
    season: Season
    wet: bool
    works: int
    width: int
    depth: int


@dataclass(frozen=True, slots=True)
class UnitArrival:
    """A unit comes up in another game turn, 0 for the start."""

    unit: str
    turn: int


@dataclass(frozen=True, slots=True)
class PlanLaidDown:
    """A battle plan that the umpire sets for a side, in place of its commander's."""

    kind: Kind
    flank: Literal["left", "right"] = "left"
    reserve_percent: int = 0
    boldness: int = 0
    until: int = 0
    then: Kind = "withdraw"


@dataclass(frozen=True, slots=True)
class PlanFor:
    """A plan laid down for a side."""

    side: str
    plan: PlanLaidDown


@dataclass(frozen=True, slots=True)
class BattleWay:
    """The resolution of a battle, and its ruleset if not the campaign's (HR-TAB-11).

    `anew`: what had been entered of it is to be entered once more (HR-BAT-13).
    """

    field: BattleReference
    way: Way
    ruleset: str = ""
    ruleset_version: str = ""
    anew: bool = False


@dataclass(frozen=True, slots=True)
class BattleAdjust:
    """One adjustment of a battle's frozen inputs, the `number`th; `digest` is of what it changes (HR-TAB-12).

    One of ground, arrivals, rain and a side's plan.
    """

    field: BattleReference
    number: int
    digest: str
    ground: DrawGround | None = None
    arrivals: tuple[UnitArrival, ...] = ()
    rain: Literal["", "none", "rain", "storm"] = ""
    side: str = ""
    plan: PlanLaidDown | None = None

    @property
    def what(self) -> str:
        """The kind of adjustment: ground, arrivals, rain or plan."""
        if self.ground is not None:
            return "ground"
        if self.arrivals:
            return "arrivals"
        return "rain" if self.rain else "plan"


@dataclass(frozen=True, slots=True)
class BattleTakeBack:
    """An adjustment that is undone (HR-TAB-13)."""

    field: BattleReference
    number: int
    what: Literal["ground", "arrivals", "rain", "plan"]
    sides: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BattleSplit:
    """The units fought with on the table; none to undo the split (HR-TAB-14)."""

    field: BattleReference
    units: tuple[str, ...]


BattleAct = BattleWay | BattleAdjust | BattleTakeBack | BattleSplit
KINDS: dict[str, type[BattleAct]] = {
    "battle_way": BattleWay,
    "battle_adjust": BattleAdjust,
    "battle_take_back": BattleTakeBack,
    "battle_split": BattleSplit,
}


def list_readers(world: World, act: BattleAdjust) -> tuple[str, ...]:
    """Sides that can see what an adjustment changes: of late troops and plans only their own side."""
    if act.plan is not None:
        return (act.side,)
    if act.arrivals:
        return tuple(sorted({world.units[one.unit].side for one in act.arrivals}))
    return tuple(sorted({act.field.attacker, act.field.defender}))


def build_battle_act_events(world: World, act: BattleAct) -> list[Event]:
    """The events that tell the sides of an act. Raises RuleViolation if it names an unknown unit."""
    both = tuple(sorted({act.field.attacker, act.field.defender}))
    match act:
        case BattleWay():
            more: dict[str, Any] = {"ruleset": act.ruleset} if act.ruleset else {}
            if act.anew:
                more["anew"] = True
            return [_build_battle_event("battle_way", WAY, act.field, both, {"way": act.way, **more})]
        case BattleSplit():
            return [_build_battle_event("battle_split", SPLIT, act.field, both, {"units": len(act.units)})]
        case BattleTakeBack():
            return [_build_battle_event("adjustment_undone", BACK, act.field, act.sides, {"what": act.what})]
    for one in act.arrivals:
        if one.unit not in world.units:
            raise RuleViolation(ADJUST, f"There is no unit {one.unit!r}.", "arrivals")
    # not its number: gaps would tell a side of those it may not see
    told: dict[str, Any] = {"what": act.what}
    sides = list_readers(world, act)
    if act.arrivals:
        late = {side: told | _build_late_arrivals(world, act, side) for side in sides}
        return [
            _build_battle_event("battle_adjusted", ADJUST, act.field, (side,), late[side]) for side in sides
        ]
    if act.plan is not None:
        told |= {"side": act.side, "plan": act.plan.kind}
    if act.rain:
        told["rain"] = act.rain
    return [_build_battle_event("battle_adjusted", ADJUST, act.field, sides, told)]


def _build_late_arrivals(world: World, act: BattleAdjust, side: str) -> dict[str, Any]:
    """A side's own units with the turns they come up in."""
    own = [one for one in act.arrivals if world.units[one.unit].side == side]
    return {"units": [one.unit for one in own], "turns": [one.turn for one in own]}


def _build_battle_event(
    kind: str, rule: str, field: BattleReference, sides: tuple[str, ...], data: dict[str, Any]
) -> Event:
    told = {"attacker": field.attacker, "defender": field.defender, **data}
    return Event(kind, 0, rule, sides, place=field.place, route=field.route, contact=field.contact, data=told)


def battle_act_to_json(act: BattleAct) -> dict[str, Any]:
    """An act's values as they come back from the database: lists, not tuples."""
    row = {key: to_json_value(value) for key, value in asdict(act).items()}
    if isinstance(act, BattleWay) and not act.anew:  # as it was written before this was told
        del row["anew"]
    return row


def to_json_value(value: Any) -> Any:
    """A value as JSON has it: lists, not tuples; records as objects."""
    if is_dataclass(value) and not isinstance(value, type):
        return to_json_value(asdict(value))
    if isinstance(value, tuple | list):
        return [to_json_value(item) for item in value]
    return {key: to_json_value(item) for key, item in value.items()} if isinstance(value, dict) else value


RULE = "HR-CAL-14"


@dataclass(frozen=True, slots=True)
class Annulled:
    """A battle as it was opened on `day` (0 is the first), and its result if it had one."""

    contact: str
    day: int
    minute: int
    attacker: str
    defender: str
    place: str = ""
    route: str = ""
    settlement: Settlement | None = None


@dataclass(frozen=True, slots=True)
class Annul:
    """Annul battles of days that no longer count. The turn does this, not the umpire."""

    battles: tuple[Annulled, ...]


def annul_battles(world: World, act: Annul, reason: str) -> list[Event]:
    """Events that tell both sides of each annulled battle; its result stays for the umpire to read."""
    events = []
    for battle in act.battles:
        place, route = battle.place, battle.route
        sides = tuple(sorted({battle.attacker, battle.defender}))
        told = {
            "contact": battle.contact,
            "day": battle.day + 1,
            "attacker": battle.attacker,
            "defender": battle.defender,
            "settled": int(battle.settlement is not None),
            "reason": reason,
        }
        events.append(Event("battle_annulled", 0, RULE, sides, place=place, route=route, data=told))
        if battle.settlement is not None:
            kept = {"contact": battle.contact, **_build_result_record(world, battle.settlement)}
            events.append(Event("result_kept", 0, RULE, place=place, route=route, data=kept))
    return events


def _build_result_record(world: World, settlement: Settlement) -> dict[str, object]:
    """A result so that it can be read, and entered again by hand."""
    units = world.units
    return {
        "source": settlement.source,
        "held_by": settlement.field_held_by,
        "losses": [
            {
                "unit": units[loss.unit].name if loss.unit in units else loss.unit,
                "lost": loss.sp_lost,
                "captured": loss.sp_captured,
                "fate": loss.fate,
            }
            for loss in settlement.losses
            if loss.sp_lost or loss.sp_captured or loss.fate != "present"
        ],
        "generals": [{"name": general.name, "fate": general.fate} for general in settlement.generals],
    }
