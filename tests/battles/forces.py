"""Small forces for tests of the engine: units placed where a case needs them, dice that fall as told."""

import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from battles.engine.bases import HALF
from battles.engine.dtypes import DEPLOYED, SMALL, AwiRecordSize
from battles.engine.events import BattleEvent, decode_events
from battles.files.checks import COVERS
from battles.files.schema import BattleFile, BattleLeader, BattlePlan, BattleUnit, GeneralRank, Trait
from battles.rulesets.awi.fighting import prepare_state
from rosters.domain.vocabulary import TYPES, GunClass, TroopType, Weapon

CHECKS: list[dict[str, Any]] = [
    check
    for check in yaml.safe_load((Path(__file__).parents[1] / "checks-awi.yaml").read_text())["checks"]
    if any(rule.startswith("AWI-T-") for rule in check["rules"])
]
CROWN, CONGRESS = "crown", "congress"


@dataclass(frozen=True)
class Stand:
    """Where a unit stands: centre in inches, heading in degrees, side 0 or 1."""

    side: int
    troop_type: TroopType
    x: float
    y: float
    face: int = 0
    sp: int = 5
    form: int | None = None
    gun_class: GunClass | None = None
    poor: bool = False
    traits: tuple[Trait, ...] = ()


def battle_unit(
    name: str, side: str, troop_type: TroopType, sp: int = 5, gun_class: GunClass | None = None, **more: Any
) -> BattleUnit:
    """A unit; a battery is light unless told otherwise."""
    if gun_class is None:
        battery = TYPES[troop_type].weapon is Weapon.GUN
        gun_class = GunClass.LIGHT if battery else GunClass.NONE
    return BattleUnit(name, name, side, troop_type, sp, gun_class=gun_class, **more)


def leader(name: str, side: str = CROWN, *, rank: GeneralRank = "brigadier", **more: Any) -> BattleLeader:
    """A general of the Crown unless told otherwise."""
    return BattleLeader(name, name, side, rank, **more)


def state(file: BattleFile) -> Any:
    """The record of a battle as it is drawn up."""
    return prepare_state(file, SMALL)[0]


def force(side: str, *types: TroopType, sp: int = 5) -> tuple[BattleUnit, ...]:
    """Units of one side, named after it and numbered."""
    return tuple(battle_unit(f"{side} {i}", side, kind, sp) for i, kind in enumerate(types))


def battle(crown: tuple[BattleUnit, ...], congress: tuple[BattleUnit, ...], **more: Any) -> BattleFile:
    """Crown attacks Congress."""
    return BattleFile("Hubbardton", CROWN, CONGRESS, (*crown, *congress), **more)


def table(*stands: Stand, dice: tuple[int, ...] = (), size: AwiRecordSize = SMALL, **more: Any) -> Any:
    """A state record with units placed as told, side 0 moving, recording; then the dice."""
    sides = (CROWN, CONGRESS)
    units = tuple(
        battle_unit(
            f"unit {i}", sides[s.side], s.troop_type, s.sp, s.gun_class, poor_militia=s.poor, traits=s.traits
        )
        for i, s in enumerate(stands)
    )
    g = prepare_state(BattleFile("Hubbardton", CROWN, CONGRESS, units, **more), size)[0]
    for i, s in enumerate(stands):
        u = g.u[i]
        u.x, u.y, u.face = s.x, s.y, s.face
        if s.form is not None:
            u.form = s.form
        elif u.gun:
            u.form = DEPLOYED
    g.recording = 1
    g.known[:, :] = 0  # tests write ground by hand, so nothing is known of it
    g.player_turn = 1
    g.turn = 1
    throw(g, *dice)
    return g


def throw(g: Any, *dice: int) -> None:
    """The next dice to fall."""
    g.cursor, g.dice_n = 0, g.dice.shape[0]
    for k, die in enumerate(dice):
        g.dice[k] = die - 1


#: Centre of a line whose front is 2 inches before that of a line at y = 28.
AHEAD = 28 + 2 * HALF + 2


def pair(
    kind: TroopType, other: TroopType = TroopType.CONTINENTAL_LINE, *, face: int = 180, **more: Any
) -> Any:
    """A charger and a target two inches before its front."""
    return table(Stand(0, kind, 48, 28), Stand(1, other, 48, AHEAD, face=face), **more)


def opposed(kind: TroopType = TroopType.CONTINENTAL_LINE, *, y: float = 20, **more: Any) -> Any:
    """One Crown unit and a Congress battalion ten inches before it."""
    line = Stand(1, TroopType.CONTINENTAL_LINE, 48, y + 10, face=180)
    return table(Stand(0, kind, 48, y), line, **more)


def events(g: Any) -> list[BattleEvent]:
    """What was recorded, in order."""
    ids = tuple(f"unit {i}" for i in range(g.n))
    generals = tuple(f"general {k}" for k in range(g.generals_n))
    structures = tuple(f"structure {s}" for s in range(g.structures_n))
    return decode_events(g.events[: g.events_n], (CROWN, CONGRESS), ids, generals, structures)


def kinds(g: Any) -> list[str]:
    """The kinds of what was recorded, in order."""
    return [event.kind for event in events(g)]


#: Choices that change play, one of which a random battle may make.
ODD_OPTIONS: tuple[dict[str, Any], ...] = (
    {},
    {"fire_declaration": "one_at_a_time"},
    {"cumulative_shaken_to_rout": 2},
    {"evade": "open_order_foot_and_cavalry"},
    {"randomised_effectiveness": "on", "artillery_facing": "dice"},
    {"irregulars_rout_instead_of_retire": "on", "charger_when_target_goes": "stay_put"},
    {"shaken_quality_modifiers": "militia_minus_1_grenadier_plus_1", "column_bonus": "either"},
    {"variant": "ireland_1798"},
    {"variant": "jacobite_1745", "highland_fire": "none"},
    {"repulse_instead_of_rout": "either_side_at_obstacle", "fire_morale_strength": "before_loss"},
)


def random_battle(seed: int, *, per_side: int = 3, turns: int = 12) -> BattleFile:
    """A small battle of any troops, plans, cover, arrivals and options; the same for a seed."""
    draw = random.Random(seed)
    units = []
    for side in (CROWN, CONGRESS):
        for i in range(per_side):
            kind = draw.choice(list(TroopType))
            battery = TYPES[kind].weapon is Weapon.GUN
            gun_class = draw.choice([c for c in GunClass if c is not GunClass.NONE]) if battery else None
            arrives = draw.choice((0, 0, 0, 2))
            sp = draw.randint(1, 6)
            units.append(battle_unit(f"{side} {i}", side, kind, sp, gun_class, arrives=arrives))
    plans = {
        CROWN: BattlePlan(draw.choice(("assault", "assault", "hold"))),
        CONGRESS: BattlePlan(draw.choice(("assault", "hold", "delay", "withdraw"))),
    }
    return BattleFile(
        "Hubbardton",
        CROWN,
        CONGRESS,
        tuple(units),
        cover=draw.choice(COVERS),
        plans=plans,
        options=draw.choice(ODD_OPTIONS),
        turns=turns,
        break_percent=draw.choice((50, 100)),
    )
