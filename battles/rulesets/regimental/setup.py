"""Battle file to state record and back: units, brigades, plans; the outcome. No numba here."""

from collections.abc import Mapping
from typing import Any

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
from battles.rulesets.regimental import records as r
from battles.rulesets.regimental.chain import brigades_of, chain_write
from battles.rulesets.regimental.deployment import RegimentalPost, draw_up
from battles.rulesets.regimental.figures import options_write, tables_write
from battles.rulesets.regimental.footprints import halves_write
from battles.rulesets.regimental.grounds import INCH, ground_write
from battles.rulesets.regimental.options import options_resolve
from battles.rulesets.regimental.posting import leaders_post, roles_write
from battles.rulesets.regimental.ratings import Troops, troops_of
from battles.rulesets.regimental.records import LARGE, SMALL, RegimentalRecordSize
from battles.rulesets.regimental.strength import count_stands
from battles.rulesets.regimental.tables import BASES
from battles.strength_conversion import fighting_units, losses_in_file

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


def state_write(state: Any, battle: BattleFile, size: RegimentalRecordSize) -> None:
    """Write a whole battle into a zeroed state record.

    Raises BattleFileError when the battle cannot be fought.
    """
    battle_verify(battle)
    options = options_resolve(battle.options)
    g = row_of(state)
    options_write(g.o, options)
    tables_write(g.t, options)
    g.british = (battle.attacker, battle.defender).index(crown_of(battle))
    orders_write(g, battle, INCH)
    ground_write(g, battle, size)
    units = fighting_units(battle)
    posts = _units_write(g, battle, units, options)
    draw_up(g, battle, posts)
    chain_write(g, battle, units)
    colonels_write(g, options["brave_colonels"])
    leaders_post(g, battle, units)
    roles_write(g)


def posts_verify(battle: BattleFile) -> None:
    """Raise BattleFileError when the battle cannot be drawn up: no room for somebody."""
    size = size_for(battle)
    state_write(r.make_blank_state(size), battle, size)


def _units_write(
    g: Any, battle: BattleFile, units: list[BattleUnit], options: Mapping[str, Any]
) -> list[RegimentalPost]:
    listed = [n for n, unit in enumerate(battle.units) if unit.sp > 0]
    crown = crown_of(battle)
    posts = []
    for i, unit in enumerate(units):
        side = int(unit.side != battle.attacker)
        u = g.u[i]
        troops = troops_of(unit, options, french=unit.side != crown)
        unit_write(u, troops, count_stands(unit))
        u.side, u.due, u.reserve = side, unit.arrives, int(unit.reserve)
        u.form = first_form(troops, unit)
        halves_write(u)
        g.stands_start[side] += u.stands
        posts.append(RegimentalPost(unit, i, listed[i], side))
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
    """The formation a unit starts in: as the file says, else as it fights (REG-DEF-02).

    Foot of the line that comes on later comes in field column (REG-UNI-04).
    """
    if troops.class_ == r.WAGONS:
        return r.LIMBERED
    if troops.class_ == r.GUNS:
        return r.LIMBERED if unit.posture in ("limbered", "column") else r.UNLIMBERED
    if unit.posture == "column":
        return r.MARCH_COLUMN
    if troops.class_ == r.FOOT and (troops.light or troops.marksmen or troops.nation == r.INDIAN):
        return r.EXTENDED
    if troops.columns and unit.arrives and not unit.posture:
        return r.FIELD_COLUMN
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


def size_for(battle: BattleFile) -> RegimentalRecordSize:
    """The smaller layout that holds the battle.

    Raises BattleFileError when neither does.
    """
    units = fighting_units(battle)
    brigades = len(brigades_of(battle, units))
    leaders = brigades + sum(leader.rank != "brigadier" for leader in battle.leaders)
    found = survey_plain(battle.ground)
    width, depth = table_size(battle)
    for size in (SMALL, LARGE):
        if size == SMALL and (width * INCH > size.columns or depth * INCH > size.rows):
            continue
        if (
            len(units) <= size.units
            and brigades <= size.brigades
            and leaders <= size.leaders
            and found.fits(size)
        ):
            return size
    raise BattleFileError(
        "REG-DEF-05",
        f"The battle has {len(units)} units, {len(found.structures)} structures and {len(found.works)} "
        f"straight works; the most is {LARGE.units}, {LARGE.structures - 1} and {LARGE.works - 1}. "
        "Leave some out.",
        "units",
    )


def build_outcome(
    state: Any, battle: BattleFile, units: Any, leaders: Any, seed: int, version: str
) -> BattleOutcome:
    """The outcome of a battle, in the file's SP (`muster`). Units without SP never came to the table.

    `units` and `leaders` are as `sequence.play_many` writes them.
    """
    fought: dict[str, UnitOutcome] = {}
    for unit, (lost, captured, place) in zip(fighting_units(battle), units.tolist(), strict=True):
        gone = losses_in_file(unit, lost, captured, count_stands(unit))
        fought[unit.id] = UnitOutcome(unit.id, unit.sp, *gone, UNIT_FATES.get(place, "present"))
    return BattleOutcome(
        field_held_by=field_holder(state, battle),
        turns=int(state[0].turn),
        units=tuple(fought.get(unit.id, UnitOutcome(unit.id, 0, 0, 0)) for unit in battle.units),
        ruleset="regimental",
        engine_version=version,
        seed=seed,
        generals=build_general_outcomes(state, battle, leaders, FATES),
    )
