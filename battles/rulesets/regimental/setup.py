"""Battle file to state record and back: units, brigades, plans; the outcome. No numba here."""

from collections.abc import Mapping
from typing import Any

from battles.engine.dtypes import ADVANCE, ASSAULT, DELAY, HOLD, TURN_FLANK, WITHDRAW
from battles.engine.rows import row_of
from battles.engine.survey import Survey
from battles.errors import BattleFileError
from battles.features import table_size
from battles.rulesets.regimental import records as r
from battles.rulesets.regimental.chain import brigades_of, chain_write
from battles.rulesets.regimental.deployment import Post, draw_up
from battles.rulesets.regimental.figures import options_write, tables_write
from battles.rulesets.regimental.footprints import halves_write
from battles.rulesets.regimental.grounds import INCH, ground_write, survey_of
from battles.rulesets.regimental.muster import fighting_units, losses_in_file, stands_of
from battles.rulesets.regimental.options import options_resolve
from battles.rulesets.regimental.posting import leaders_post, roles_write
from battles.rulesets.regimental.ratings import Troops, british_of, troops_of
from battles.rulesets.regimental.records import LARGE, SMALL, Size
from battles.rulesets.regimental.tables import BASES
from battles.scenario import (
    BattleFile,
    BattleOutcome,
    BattleUnit,
    Fate,
    GeneralFate,
    GeneralOutcome,
    Plan,
    UnitOutcome,
)
from battles.verification import battle_verify

PLAN_CODES = {
    "assault": ASSAULT,
    "turn_flank": TURN_FLANK,
    "hold": HOLD,
    "delay": DELAY,
    "withdraw": WITHDRAW,
    "advance": ADVANCE,
}
#: What became of leaders who do not lead any more, and of units by where they are.
FATES: dict[int, GeneralFate] = {
    r.OUT_OF_BATTLE: "disabled",
    r.KILLED: "killed",
    r.CAPTURED: "captured",
    r.WOUNDED: "wounded",
}
UNIT_FATES: dict[int, Fate] = {r.LEFT: "left_table", r.REMOVED: "eliminated"}
#: Bases by class.
BASE_OF = {r.FOOT: "foot", r.HORSE: "cavalry", r.GUNS: "guns", r.WAGONS: "wagon"}


def state_write(state: Any, battle: BattleFile, size: Size) -> None:
    """Write a whole battle into a zeroed state record.

    Raises BattleFileError when the battle cannot be fought.
    """
    battle_verify(battle)
    options = options_resolve(battle.options)
    g = row_of(state)
    options_write(g.o, options)
    tables_write(g.t, options)
    sides = (battle.attacker, battle.defender)
    g.turns, g.holder = battle.turns, -1
    g.british = sides.index(british_of(battle))
    for k, side in enumerate(sides):
        _plan_write(g, k, battle.plan_of(side))
        g.break_at[k] = battle.break_points.get(side, battle.break_percent)
    if battle.objective is not None:
        g.objective = 1
        g.objective_x, g.objective_y = battle.objective[0] * INCH, battle.objective[1] * INCH
    ground_write(g, battle, size)
    units = fighting_units(battle)
    posts = _units_write(g, battle, units, options)
    draw_up(g, battle, posts)
    chain_write(g, battle, units)
    colonels_write(g, options["brave_colonels"])
    leaders_post(g, battle, units)
    roles_write(g)


def _plan_write(g: Any, k: int, plan: Plan) -> None:
    p = g.plans[k]
    p.kind_ = g.plan[k] = PLAN_CODES[plan.kind]
    p.flank = 0 if "turn_flank" not in (plan.kind, plan.then) else -1 if plan.flank == "left" else 1
    p.reserve, p.boldness = plan.reserve_percent, plan.boldness * 0.1
    p.until, p.then_ = plan.until, PLAN_CODES[plan.then]
    if plan.goal is not None:
        p.goal = 1
        p.goal_x, p.goal_y = plan.goal[0] * INCH, plan.goal[1] * INCH


def _units_write(
    g: Any, battle: BattleFile, units: list[BattleUnit], options: Mapping[str, Any]
) -> list[Post]:
    listed = [n for n, unit in enumerate(battle.units) if unit.sp > 0]
    posts = []
    for i, unit in enumerate(units):
        side = int(unit.side != battle.attacker)
        u = g.u[i]
        unit_write(u, troops_of(unit, options), stands_of(unit))
        u.side, u.due, u.reserve = side, unit.arrives, int(unit.reserve)
        u.form = first_form(troops_of(unit, options), unit)
        halves_write(u)
        g.stands_start[side] += u.stands
        posts.append(Post(unit, i, listed[i], side))
    g.n = len(units)
    sides_write(g)
    return posts


def unit_write(u: Any, troops: Troops, stands: int) -> None:
    """Write a unit of so many stands in good order into a record."""
    u.class_, u.rating, u.nation = troops.class_, troops.rating, troops.nation
    u.weapon, u.carriage = troops.weapon, troops.carriage
    u.marksmen, u.bayonets, u.militia = troops.marksmen, troops.bayonets, troops.militia
    u.continental, u.buck_and_ball = troops.continental, troops.buck_and_ball
    u.battalion_gun, u.worth = troops.battalion_gun, troops.worth
    u.front, u.depth_ = BASES[BASE_OF[troops.class_]]
    u.stands_start = u.stands = stands
    u.inside = u.charges = u.aim = u.brigade = u.result = -1
    u.place = r.ON_TABLE


def first_form(troops: Troops, unit: BattleUnit) -> int:
    """The formation a unit starts in: as the file says, else as it fights (REG-DEF-02)."""
    if troops.class_ == r.WAGONS:
        return r.LIMBERED
    if troops.class_ == r.GUNS:
        return r.LIMBERED if unit.posture in ("limbered", "column") else r.UNLIMBERED
    if unit.posture == "column":
        return r.MARCH_COLUMN
    if troops.class_ == r.FOOT and (troops.light or troops.marksmen or troops.nation == r.INDIAN):
        return r.EXTENDED
    return r.LINE


def colonels_write(g: Any, which: str) -> None:
    """Give units their brave colonels: none, the elite, or the best of each brigade (REG-LDR-04)."""
    troops = [i for i in range(g.n) if g.u[i].class_ in (r.FOOT, r.HORSE)]
    if which == "elite":
        for i in troops:
            g.u[i].colonel = int(g.u[i].rating == r.ELITE)
    elif which == "one_a_brigade":
        for b in range(g.brigades_n):
            own = [i for i in troops if g.u[i].brigade == b]
            if own:
                g.u[min(own, key=lambda i: (int(g.u[i].rating), i))].colonel = 1


def sides_write(g: Any) -> None:
    """Write where in the record each side's units begin and end, so that who looks passes over friends."""
    for side in range(2):
        own = [i for i in range(g.n) if g.u[i].side == side]
        g.first[side], g.past[side] = (own[0], own[-1] + 1) if own else (0, 0)


def size_for(battle: BattleFile) -> Size:
    """The smaller layout that holds the battle.

    Raises BattleFileError when neither does.
    """
    units = fighting_units(battle)
    brigades = len(brigades_of(battle, units))
    leaders = brigades + sum(leader.rank != "brigadier" for leader in battle.leaders)
    found = survey_of(battle.ground) if battle.ground is not None else Survey()
    width, depth = table_size(battle)
    for size in (SMALL, LARGE):
        if size == SMALL and (width * INCH > size.columns or depth * INCH > size.rows):
            continue
        if (
            len(units) <= size.units
            and brigades <= size.brigades
            and leaders <= size.leaders
            and len(found.structures) < size.structures
            and len(found.works) < size.works
            and len(found.gates) <= size.gates
        ):
            return size
    raise BattleFileError(
        "REG-DEF-05",
        f"The battle has {len(units)} units, {len(found.structures)} structures and {len(found.works)} "
        f"straight works; the most is {LARGE.units}, {LARGE.structures - 1} and {LARGE.works - 1}. "
        "Leave some out.",
        "units",
    )


def outcome_read(
    state: Any, battle: BattleFile, units: Any, leaders: Any, seed: int, version: str
) -> BattleOutcome:
    """What became of every unit, in the file's SP (`muster`). Units without SP never came to the table.

    `units` and `leaders` are as `sequence.play_many` writes them.
    """
    g = state[0]
    fought: dict[str, UnitOutcome] = {}
    for unit, (lost, captured, place) in zip(fighting_units(battle), units.tolist(), strict=True):
        gone = losses_in_file(unit, lost, captured)
        fought[unit.id] = UnitOutcome(unit.id, unit.sp, *gone, UNIT_FATES.get(place, "present"))
    fates: dict[int, GeneralFate] = {
        int(g.leaders[k].named): FATES[what] for k, what in enumerate(leaders.tolist()) if what in FATES
    }
    holder = int(g.holder)
    return BattleOutcome(
        field_held_by=(battle.attacker, battle.defender)[holder] if holder >= 0 else "",
        turns=int(g.turn),
        units=tuple(fought.get(unit.id, UnitOutcome(unit.id, 0, 0, 0)) for unit in battle.units),
        ruleset="regimental",
        engine_version=version,
        seed=seed,
        generals=tuple(
            GeneralOutcome(leader.id, fates.get(n, "present")) for n, leader in enumerate(battle.leaders)
        ),
    )
