"""Battle file to state record and back: brigades, divisions, plans; the outcome (RTG-GEN-01)."""

from collections.abc import Mapping, Sequence
from typing import Any

from battles.engine.chain import crown_of
from battles.engine.deployment import sides_write
from battles.engine.posting import orders_write
from battles.engine.reading import build_general_outcomes, field_holder
from battles.engine.rows import row_of
from battles.engine.survey import survey_plain
from battles.errors import BattleFileError
from battles.files.checks import battle_verify
from battles.files.schema import BattleFile, BattleOutcome, UnitOutcome
from battles.replay.event_text import FILE_MINUTES
from battles.rulesets.volley_bayonet.deployment import VolleyBayonetPost, draw_up
from battles.rulesets.volley_bayonet.records import (
    GUNS,
    LARGE,
    SMALL,
    VolleyBayonetRecordSize,
    make_blank_state,
)
from battles.rulesets.volley_bayonet.rtg.brigades import build_brigade_file
from battles.rulesets.volley_bayonet.rtg.chain import (
    chain_write,
    divisions_of,
    leaders_count,
    leaders_post,
    roles_write,
)
from battles.rulesets.volley_bayonet.rtg.figures import options_write, tables_write
from battles.rulesets.volley_bayonet.rtg.grounds import CELLS_PER_INCH, INCH, ground_write, table_size
from battles.rulesets.volley_bayonet.rtg.labels import stand_write
from battles.rulesets.volley_bayonet.rtg.scale import ROAD_TO_GLORY, FixedScale
from battles.rulesets.volley_bayonet.rtg.strength import BrigadePool, pool_brigades
from battles.rulesets.volley_bayonet.rtg.tables import MANHANDLED, MINUTES_PER_TURN
from battles.rulesets.volley_bayonet.setup import FATES, fate_of

#: Game turns of a battle file to one here.
FILE_TURNS = MINUTES_PER_TURN // FILE_MINUTES


def turns_here(turns: int) -> int:
    """Game turns of these rules that so many of the file's are, begun ones counted."""
    return -(-turns // FILE_TURNS)


def convert_turns_to_file(turns: Any) -> Any:
    """Game turns of a battle file that so many of these rules are."""
    return turns * FILE_TURNS


def pools_of(battle: BattleFile, scale: FixedScale) -> tuple[BrigadePool, ...]:
    """The brigade pools of a battle under these rules."""
    return pool_brigades(battle, scale.options_resolve(battle.options))


def list_gun_pools(pools: Sequence[BrigadePool]) -> list[int]:
    """Places of the pools that have a dedicated gun: each has a row of its own after those of the pools."""
    return [k for k, pool in enumerate(pools) if pool.guns]


def state_write(state: Any, battle: BattleFile, scale: FixedScale, size: VolleyBayonetRecordSize) -> None:
    """Write a whole battle into a zeroed state record.

    Raises BattleFileError when the battle cannot be fought.
    """
    battle_verify(battle)
    options = scale.options_resolve(battle.options)
    g = row_of(state)
    options_write(g.o, options)
    tables_write(g.t, scale.tables)
    g.crown = (battle.attacker, battle.defender).index(crown_of(battle))
    orders_write(g, battle, INCH, turns_here)
    ground_write(g, battle, size)
    pools = pool_brigades(battle, options)
    drawn = build_brigade_file(battle, pools)
    draw_up(g, drawn, _stands_write(g, battle, drawn, pools, options))
    chain_write(g, battle, pools, options["exhaustion_rounding"])
    leaders_post(g, battle, pools)
    roles_write(g)


def posts_verify(battle: BattleFile) -> None:
    """Raise BattleFileError when the battle cannot be drawn up: no room for somebody."""
    size = size_for(battle, ROAD_TO_GLORY)
    state_write(make_blank_state(size), battle, ROAD_TO_GLORY, size)


def _stands_write(
    g: Any, battle: BattleFile, drawn: BattleFile, pools: Sequence[BrigadePool], options: Mapping[str, Any]
) -> list[VolleyBayonetPost]:
    """Write every pool's stands; who comes on later has its guns on their limbers."""
    posts, i, listed = [], 0, {unit.id: n for n, unit in enumerate(battle.units)}
    gun_rows = {k: len(pools) + n for n, k in enumerate(list_gun_pools(pools))}
    for k, (pool, unit) in enumerate(zip(pools, drawn.units, strict=True)):
        side, place = int(pool.side != battle.attacker), listed[unit.id]
        b = g.battalions[k]
        b.side, b.brigade, b.unit = side, -1, place
        rows = []
        for label, sp in zip(pool.labels(), pool.stands, strict=True):
            u = g.u[i]
            stand_write(u, label, sp, options)
            u.side, u.battalion, u.due = side, k, turns_here(unit.arrives)
            u.reserve = int(unit.reserve)
            if u.class_ == GUNS:
                u.limbered, u.rate_horse = int(u.due > 0), float(MANHANDLED)
                if u.limbered == 0:
                    u.rate, u.rate_horse = u.rate_horse, u.rate
            if u.dedicated > 0:
                u.gun_row = gun_rows[k]
            g.sp_start[side] += sp
            rows.append(i)
            i += 1
        posts.append(VolleyBayonetPost(unit, place, side, tuple(rows)))
    for k, row in gun_rows.items():
        g.battalions[row].side, g.battalions[row].brigade = g.battalions[k].side, -1
        g.battalions[row].unit = listed[pools[k].guns[0]]
    g.n, g.battalions_n = i, len(pools) + len(gun_rows)
    sides_write(g)
    return posts


def size_for(battle: BattleFile, scale: FixedScale) -> VolleyBayonetRecordSize:
    """The smaller layout that holds the battle.

    Raises BattleFileError when neither does.
    """
    pools = pools_of(battle, scale)
    stands = sum(len(pool.stands) for pool in pools)
    found = survey_plain(battle.ground)
    width, depth = (inches * CELLS_PER_INCH for inches in table_size(battle))
    for size in (SMALL, LARGE):
        # cells of the same size in both, so that a battle is the same in either
        if size == SMALL and (width > size.columns or depth > size.rows):
            continue
        if (
            stands <= size.stands
            and len(pools) + len(list_gun_pools(pools)) <= size.battalions
            and len(divisions_of(pools)) <= size.brigades
            and leaders_count(pools) <= size.leaders
            and found.fits(size)
        ):
            return size
    raise BattleFileError(
        "RTG-GEN-01",
        f"The battle has {stands} stands, {len(found.structures)} structures and {len(found.works)} straight "
        f"works; the most is {LARGE.stands}, {LARGE.structures - 1} and {LARGE.works - 1}. Leave some out.",
        "units",
    )


def record_gun_losses(state: Any, holders: Any, units: Any) -> None:
    """Say of each dedicated gun that is gone, in its row of each run, that its point is lost or captured.

    Captured only when the enemy holds the field, where it is left (RTG-CBT-22). `holders` are the sides
    that hold the field, by runs, -1 for neither.
    """
    g = row_of(state)
    for row in {int(g.u[i].gun_row) for i in range(g.n)} - {-1}:
        gone = units[:, row, 3] > 0
        taken = gone & (holders == 1 - g.battalions[row].side)
        units[:, row, 0], units[:, row, 1] = gone & ~taken, taken


def build_unit_outcomes(
    battle: BattleFile, pools: Sequence[BrigadePool], units: Any
) -> dict[str, UnitOutcome]:
    """The outcome of every unit that is in a pool, in the file's SP.

    `units` are as `sequence.play_many` writes them, those of dedicated guns, as `record_gun_losses` leaves
    them, after those of the pools.
    """
    sp_of = {unit.id: unit.sp for unit in battle.units}
    told = units.tolist()
    rows = dict(zip(list_gun_pools(pools), told[len(pools) :], strict=True))
    found: dict[str, UnitOutcome] = {}
    for k, pool in enumerate(pools):
        lost, captured, standing, left, _ = told[k]
        for name, gone in pool.in_file(lost, captured, *rows.get(k, ())[:2]).items():
            fate = fate_of(standing, left) if sum(gone) < sp_of[name] else "eliminated"
            found[name] = UnitOutcome(name, sp_of[name], *gone, fate)
    return found


def build_outcome(
    state: Any, battle: BattleFile, scale: FixedScale, units: Any, leaders: Any, seed: int, version: str
) -> BattleOutcome:
    """The outcome of a battle, every unit in the file's SP. A unit in no pool never came to the table."""
    fought = build_unit_outcomes(battle, pools_of(battle, scale), units)
    return BattleOutcome(
        field_held_by=field_holder(state, battle),
        turns=min(convert_turns_to_file(int(state["turn"][0])), battle.turns),
        units=tuple(fought.get(unit.id, UnitOutcome(unit.id, unit.sp, 0, 0)) for unit in battle.units),
        ruleset=scale.id,
        engine_version=version,
        seed=seed,
        generals=build_general_outcomes(state, battle, leaders, FATES),
    )
