"""Battle file to state record and back: stands, brigades, plans, cards; the outcome. No numba here."""

import re
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from battles.engine.chain import crown_of
from battles.engine.deployment import sides_write
from battles.engine.posting import orders_write
from battles.engine.reading import build_general_outcomes, field_holder
from battles.engine.rows import row_of
from battles.engine.survey import survey_plain
from battles.errors import BattleFileError
from battles.files.checks import battle_verify
from battles.files.schema import BattleFile, BattleOutcome, BattleUnit, Fate, GeneralFate, UnitOutcome
from battles.ground.features import table_size
from battles.rulesets.volley_bayonet.chain import brigades_of, chain_write
from battles.rulesets.volley_bayonet.deck import deck_of
from battles.rulesets.volley_bayonet.deployment import VolleyBayonetPost, draw_up
from battles.rulesets.volley_bayonet.figures import options_write, tables_write
from battles.rulesets.volley_bayonet.grounds import INCH, ground_write
from battles.rulesets.volley_bayonet.labels import StandLabel, half_write, on_foot, stand_write
from battles.rulesets.volley_bayonet.posting import leaders_post, roles_write
from battles.rulesets.volley_bayonet.ratings import label_of, nation_of
from battles.rulesets.volley_bayonet.records import (
    DETACHMENT,
    FALLEN,
    LARGE,
    LOST,
    NATIVE,
    SKIRMISH,
    SMALL,
    VolleyBayonetRecordSize,
    make_blank_state,
)
from battles.rulesets.volley_bayonet.scales import RulesetScale
from battles.rulesets.volley_bayonet.strength import (
    count_points,
    has_commander,
    has_half,
    losses_of,
    split_stands,
)
from battles.strength_conversion import fighting_units
from rosters.domain.vocabulary import TYPES, Arm, TroopType

#: Game turns of these rules, of 15 minutes, for those of a battle file, of 10 (VBW-GEN-03, AWI-T-SCA-02).
TURNS, FILE_TURNS = 2, 3
#: What became of commanders who do not command any more.
FATES: dict[int, GeneralFate] = {LOST: "captured", FALLEN: "killed"}
#: Regiments of the Old Line (VBW-CRD-42), by name, and light troops for the cards (VBW-CRD-48).
OLD_LINE = re.compile(r"maryland|delaware", re.IGNORECASE)
LIGHT = (TroopType.BRITISH_LIGHT_INFANTRY, TroopType.CONTINENTAL_LIGHT)


def turns_here(turns: int) -> int:
    """Game turns of these rules that so many of the file's are, begun ones counted."""
    return -(-turns * TURNS // FILE_TURNS)


@overload
def convert_turns_to_file(turns: int) -> int: ...
@overload
def convert_turns_to_file(turns: NDArray[np.int64]) -> NDArray[np.int64]: ...
def convert_turns_to_file(turns: Any) -> Any:
    """Game turns of a battle file that so many of these rules are, begun ones counted."""
    return -(-turns * FILE_TURNS // TURNS)


def state_write(state: Any, battle: BattleFile, scale: RulesetScale, size: VolleyBayonetRecordSize) -> None:
    """Write a whole battle into a zeroed state record.

    Raises BattleFileError when the battle cannot be fought.
    """
    battle_verify(battle)
    options = scale.options_resolve(battle.options)
    g = row_of(state)
    options_write(g.o, options)
    tables_write(g.t, scale.tables, options)
    g.crown = (battle.attacker, battle.defender).index(crown_of(battle))
    orders_write(g, battle, INCH, turns_here)
    ground_write(g, battle, size)
    units = fighting_units(battle)
    labels = [label_of(unit, options) for unit in units]
    posts = _stands_write(g, battle, units, labels, scale, options)
    g.o.changes_form = int(any(label.has("SK") or label.kind == "MI" for label in labels))
    draw_up(g, battle, posts)
    led = [has_commander(post.unit, len(post.rows), label) for post, label in zip(posts, labels, strict=True)]
    chain_write(g, battle, units, led, scale.tables, options["exhaustion_rounding"])
    leaders_post(g, battle, units)
    roles_write(g)
    deck = deck_of()
    g.deck_n = len(deck)
    g.deck[: len(deck)] = deck


def posts_verify(battle: BattleFile, scale: RulesetScale) -> None:
    """Raise BattleFileError when the battle cannot be drawn up: no room for somebody."""
    size = size_for(battle, scale)
    state_write(make_blank_state(size), battle, scale, size)


def _stands_write(
    g: Any,
    battle: BattleFile,
    units: list[BattleUnit],
    labels: list[StandLabel],
    scale: RulesetScale,
    options: dict[str, Any],
) -> list[VolleyBayonetPost]:
    """Write every unit's stands and battalion; light troops and natives begin in skirmish order.

    After a stand that may break up comes the row kept for its other half. Mounted infantry in a building
    has got off.
    """
    listed = [n for n, unit in enumerate(battle.units) if unit.sp > 0]
    posts, i = [], 0
    for k, (unit, label) in enumerate(zip(units, labels, strict=True)):
        side = int(unit.side != battle.attacker)
        b = g.battalions[k]
        b.side, b.brigade, b.unit, b.nation = side, -1, listed[k], nation_of(unit)
        b.highland = int("highlanders" in unit.traits)
        b.maryland, b.light = int(bool(OLD_LINE.search(unit.name))), int(unit.troop_type in LIGHT)
        rows = []
        for sp in split_stands(count_points(unit), label):
            u = g.u[i]
            stand_write(u, label, sp, scale.tables, options)
            u.side, u.battalion, u.due = side, k, turns_here(unit.arrives)
            u.reserve = int(unit.reserve)
            if u.class_ == DETACHMENT or b.nation == NATIVE:
                u.form = SKIRMISH
            if label.kind == "MI" and unit.inside:
                on_foot(u)
            g.sp_start[side] += sp
            rows.append(i)
            if has_half(sp, label):
                half_write(g, i, i + 1)
                i += 1
            i += 1
        posts.append(VolleyBayonetPost(unit, listed[k], side, tuple(rows)))
    g.n, g.battalions_n = i, len(units)
    sides_write(g)
    return posts


def size_for(battle: BattleFile, scale: RulesetScale) -> VolleyBayonetRecordSize:
    """The smaller layout that holds the battle.

    Raises BattleFileError when neither does.
    """
    options = scale.options_resolve(battle.options)
    units = fighting_units(battle)
    labels = [label_of(unit, options) for unit in units]
    counts = [len(split_stands(count_points(unit), label)) for unit, label in zip(units, labels, strict=True)]
    halves = [
        has_half(sp, label)
        for unit, label in zip(units, labels, strict=True)
        for sp in split_stands(count_points(unit), label)
    ]
    stands = sum(counts) + sum(halves)
    guns = {k for k, unit in enumerate(units) if TYPES[unit.troop_type].arm is Arm.WHEELED}
    brigades = len(brigades_of(battle, units, guns))
    # brigadiers come with their brigades, and each side may need an army commander it does not name
    leaders = brigades + 2 + sum(leader.rank != "brigadier" for leader in battle.leaders)
    leaders += sum(map(has_commander, units, counts, labels))
    found = survey_plain(battle.ground)
    width, depth = table_size(battle)
    for size in (SMALL, LARGE):
        # cells of the same size in both, so that a battle that outgrows the small layout is the same
        if size == SMALL and (width * INCH > size.columns or depth * INCH > size.rows):
            continue
        if (
            stands <= size.stands
            and len(units) <= size.battalions
            and brigades <= size.brigades
            and leaders <= size.leaders
            and found.fits(size)
        ):
            return size
    raise BattleFileError(
        "VBW-DEF-21",
        f"The battle has {stands} stands, {len(found.structures)} structures and {len(found.works)} straight "
        f"works; the most is {LARGE.stands}, {LARGE.structures - 1} and {LARGE.works - 1}. Leave some out.",
        "units",
    )


def fate_of(standing: int, left: int) -> Fate:
    """The fate of a unit by its stands that are there or did not come, and by those that have left."""
    if standing:
        return "present"
    return "left_table" if left else "eliminated"


def build_outcome(
    state: Any, battle: BattleFile, scale: RulesetScale, units: Any, leaders: Any, seed: int, version: str
) -> BattleOutcome:
    """The outcome of a battle, units in the file's SP (`muster`). Units without SP never came to the table.

    `units` and `leaders` are as `sequence.play_many` writes them.
    """
    fought: dict[str, UnitOutcome] = {}
    for unit, (lost, captured, standing, left, _) in zip(fighting_units(battle), units.tolist(), strict=True):
        fate = fate_of(standing, left)
        fought[unit.id] = UnitOutcome(unit.id, unit.sp, *losses_of(unit, lost, captured, fate), fate)
    return BattleOutcome(
        field_held_by=field_holder(state, battle),
        turns=min(convert_turns_to_file(int(state[0].turn)), battle.turns),
        units=tuple(fought.get(unit.id, UnitOutcome(unit.id, 0, 0, 0)) for unit in battle.units),
        ruleset=scale.id,
        engine_version=version,
        seed=seed,
        generals=build_general_outcomes(state, battle, leaders, FATES),
    )
