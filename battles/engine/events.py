"""Kinds of events in a battle, and recorded rows as readable events. No numba here."""

from dataclasses import dataclass
from typing import Any

#: Every kind of event with the rule it happens under. The position is the code kernels record.
KINDS: tuple[tuple[str, str], ...] = (
    ("first_move", "AWI-T-SEQ-01"),
    ("arrives", "AWI-T-SEQ-01"),
    ("shaken_test", "AWI-T-MOR-03"),
    ("rout_test", "AWI-T-MOR-05"),
    ("rout_move", "AWI-T-ROU-01"),
    ("retire", "AWI-T-MOR-04"),
    ("surrender_test", "AWI-T-SUR-01"),
    ("sp_lost", "AWI-T-STR-03"),
    ("eliminated", "AWI-T-STR-03"),
    ("left_table", "AWI-T-ROU-01"),
    ("move", "AWI-T-MOV-01"),
    ("fall_back", "AWI-T-MOV-07"),
    ("turn", "AWI-T-MOV-08"),
    ("wheel", "AWI-T-MOV-09"),
    ("change_formation", "AWI-T-MOV-05"),
    ("limber", "AWI-T-MOV-06"),
    ("deploy", "AWI-T-MOV-06"),
    ("recrew", "AWI-T-MOV-02"),
    ("gun_captured", "AWI-T-MOV-02"),
    ("wagon_captured", "AWI-T-MOV-12"),
    ("change_facing", "AWI-T-FAC-01"),
    ("fire", "AWI-T-FIR-08"),
    ("shot_wasted", "AWI-T-FIR-03"),
    ("shaken", "AWI-T-FIR-12"),
    ("routed_by_fire", "AWI-T-MOR-07"),
    ("charge", "AWI-T-CHG-01"),
    ("charge_test", "AWI-T-CHG-03"),
    ("routs", "AWI-T-CHG-06"),
    ("routs_again", "AWI-T-CHG-07"),
    ("counter_charge", "AWI-T-CHG-05"),
    ("evade", "AWI-T-CHG-09"),
    ("contact", "AWI-T-CHG-10"),
    ("occupy", "AWI-T-CHG-10"),
    ("fire_at_second_charge", "AWI-T-CAV-01"),
    ("melee_roll", "AWI-T-MEL-02"),
    ("melee_draw", "AWI-T-MEL-08"),
    ("melee_lost", "AWI-T-MEL-08"),
    ("melee_routed", "AWI-T-MEL-08"),
    ("melee_repulsed", "AWI-T-MEL-09"),
    ("melee_retire", "AWI-T-MEL-08"),
    ("marches_off", "AWI-T-ROU-01"),
    ("battle_ends", "AWI-T-SEQ-01"),
    ("turn_refused", "AWI-T-FAC-03"),
    ("effectiveness", "AWI-T-OPT-01"),
    ("crossing", "AWI-T-TER-02"),
    ("enters_building", "AWI-T-TER-10"),
    ("leaves_building", "AWI-T-TER-10"),
    ("general_under_fire", "AWI-T-GEN-04"),
    ("general_in_melee", "AWI-T-GEN-05"),
    ("general_captured", "AWI-T-SUR-01"),
    ("chain_shaken", "AWI-T-GEN-02"),
    ("general_joins", "AWI-T-GEN-03"),
    ("general_moves", "AWI-T-GEN-03"),
    ("general_driven_off", "AWI-T-GEN-03"),
    ("general_leaves", "AWI-T-GEN-03"),
    ("builds", "AWI-T-ENG-01"),
    ("dismantles", "AWI-T-ENG-01"),
    ("digging_lost", "AWI-T-ENG-01"),
    ("lays_charge", "AWI-T-EXP-01"),
    ("blast_dice", "AWI-T-EXP-01"),
    ("explosion", "AWI-T-EXP-01"),
    ("blast", "AWI-T-EXP-02"),
    ("morale_quality", "AWI-T-V45-10"),
    ("fire_quality", "AWI-T-V45-10"),
    ("highland_test", "AWI-T-V45-03"),
    ("highland_joins", "AWI-T-V45-09"),
    ("highland_move", "AWI-T-V45-04"),
    ("fire_at_structure", "AWI-T-FOR-02"),
    ("structure_hit", "AWI-T-FOR-02"),
    ("structure_falls", "AWI-T-FOR-02"),
    ("first_move_level", "AWI-T-SEQ-01"),
    ("breaks_off", "HR-BAT-02"),
)

#: Kinds whose `other` is a general, and kinds whose `other` is a structure; all else are units.
GENERAL_KINDS: frozenset[str] = frozenset(
    {
        "general_under_fire", "general_in_melee", "general_captured", "chain_shaken",
        "general_joins", "general_moves", "general_driven_off", "general_leaves", "general_die",
    }
)  # fmt: skip
STRUCTURE_KINDS: frozenset[str] = frozenset(
    {
        "enters_building", "leaves_building",
        "builds", "dismantles", "digging_lost", "lays_charge", "blast_dice", "explosion", "blast",
        "fire_at_structure", "structure_hit", "structure_falls",
    }
)  # fmt: skip

CODE: dict[str, int] = {name: code for code, (name, _) in enumerate(KINDS)}

#: Result of a test, as events show it.
RESULTS: tuple[str, ...] = (
    "none",
    "carry_on",
    "retire",
    "rout",
    "keep_routing",
    "rallied",
    "stand",
    "may_counter_charge",
    "surrendered",
    "hit",
    "miss",
    "day_over",
    "nothing_left",
    "broken",
    "no_contact",
    "no_way",
    "wounded",
    "disabled",
    "killed",
    "captured",
    "highland_charge",
)
RESULT: dict[str, int] = {name: code for code, name in enumerate(RESULTS)}

STEPS = "-ABCDEFGHIJK"


@dataclass(frozen=True, slots=True)
class BattleEvent:
    """One event of a battle.

    `turn` is the game turn, `side` the side moving, `step` the letter of the sequence of play.
    `x`, `y` in inches and `face` in degrees say where the actor then stood. `total` is dice plus
    modifier; `result` is empty when the kind says all.
    """

    turn: int
    side: str
    step: str
    kind: str
    actor: str
    target: str
    dice: tuple[int, ...]
    modifier: int
    total: int
    result: str
    rule: str
    x: float
    y: float
    face: int


def decode_events(
    rows: Any,
    sides: tuple[str, str],
    ids: tuple[str, ...],
    generals: tuple[str, ...] = (),
    structures: tuple[str, ...] = (),
    *,
    kinds: tuple[tuple[str, str], ...] = KINDS,
    results: tuple[str, ...] = RESULTS,
    inch: float = 1.0,
) -> list[BattleEvent]:
    """Events of recorded rows; ids of units, generals and structures in the state record's order.

    A ruleset with a vocabulary of its own gives its `kinds` and `results`, and one with a scale of its own
    how many inches of the record an inch of the battle file is.
    """
    events = []
    for row in rows.tolist():
        turn, mover, step, what, actor, other, die1, die2, modifier, total, result, face, x, y = row
        kind, rule = kinds[what]
        others = generals if kind in GENERAL_KINDS else structures if kind in STRUCTURE_KINDS else ids
        events.append(
            BattleEvent(
                turn=turn,
                side=sides[mover],
                step=STEPS[step],
                kind=kind,
                actor=ids[actor] if actor >= 0 else "",
                target=others[other] if other >= 0 else "",
                dice=tuple(die for die in (die1, die2) if die),
                modifier=modifier,
                total=total,
                result=results[result] if result else "",
                rule=rule,
                x=round(x / inch, 2),
                y=round(y / inch, 2),
                face=face,
            )
        )
    return events
