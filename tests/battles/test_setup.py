"""From battle file to state record and back; what is refused."""

from dataclasses import replace

import pytest

from battles.engine.bases import half_depth, half_width
from battles.engine.dtypes import COLUMN, DEPLOYED, LARGE, LIMBERED, LINE, SMALL, WAITING
from battles.engine.geometry import rectangle_gap
from battles.errors import BattleFileError
from battles.files.checks import battle_verify
from battles.files.schema import BattleFile, BattlePlan
from battles.files.warnings import battle_warnings
from battles.rulesets.awi.deployment import size_for
from battles.rulesets.awi.fighting import prepare_state
from battles.rulesets.awi.options import options_resolve
from rosters.domain.vocabulary import GunClass, TroopType
from tests.battles.forces import CONGRESS, CROWN, battle, battle_unit, force

T = TroopType
LINE_FOOT = T.CONTINENTAL_LINE


@pytest.mark.parametrize("count", [1, 7, 20, 48, 60, 200])
def test_everybody_stands_on_the_table_and_on_nobody_AWI_T_UNI_01(count: int) -> None:
    kinds = [list(TroopType)[i % len(TroopType)] for i in range(count)]
    file = battle(force(CROWN, *kinds), force(CONGRESS, *kinds))
    g = prepare_state(file, size_for(file))[0]
    assert g.n == 2 * count
    boxes = []
    for i in range(g.n):
        u = g.u[i]
        assert 2 <= u.x <= g.width - 2
        assert 2 <= u.y <= g.depth - 2
        assert (u.y < 30) == (u.side == 0)
        boxes.append((float(u.x), float(u.y), int(u.face), float(half_width(u)), float(half_depth(u))))
    for i, one in enumerate(boxes):
        for two in boxes[:i]:
            if abs(one[0] - two[0]) < 5 and abs(one[1] - two[1]) < 5:
                assert rectangle_gap(*one, *two) > 0.3


def test_both_sides_are_drawn_up_alike() -> None:
    kinds = list(TroopType)
    g = prepare_state(battle(force(CROWN, *kinds), force(CONGRESS, *kinds)), SMALL)[0]
    for i, _ in enumerate(kinds):
        a, b = g.u[i], g.u[len(kinds) + i]
        assert (a.x + b.x, a.y + b.y) == pytest.approx((g.width, g.depth))
        assert (a.face, b.face) == (0, 180)


def test_a_battle_of_more_than_96_units_takes_the_large_layout() -> None:
    assert size_for(battle(force(CROWN, *[LINE_FOOT] * 48), force(CONGRESS, *[LINE_FOOT] * 48))) is SMALL
    assert size_for(battle(force(CROWN, *[LINE_FOOT] * 60), force(CONGRESS, *[LINE_FOOT] * 60))) is LARGE


def test_formations_and_states_at_the_start_AWI_T_UNI_02_STA_01() -> None:
    crown = (
        battle_unit("47th Foot", CROWN, T.BRITISH_LINE),
        battle_unit("late", CROWN, T.BRITISH_LINE, arrives=3),
        battle_unit("Jones", CROWN, T.EUROPEAN_ARTILLERY, gun_class=GunClass.GRASSHOPPER),
        battle_unit("Phillips", CROWN, T.EUROPEAN_ARTILLERY, gun_class=GunClass.MEDIUM),
        battle_unit("train", CROWN, T.WAGON),
    )
    g = prepare_state(battle(crown, ()), SMALL)[0]
    assert [int(g.u[i].form) for i in range(5)] == [LINE, COLUMN, LIMBERED, DEPLOYED, LIMBERED]
    assert [int(g.u[i].place) for i in range(5)] == [0, WAITING, 0, 0, 0]


def test_the_sum_of_basic_morale_balances_forces_AWI_T_BAL_01() -> None:
    crown = (battle_unit(f"horse {i}", CROWN, T.EUROPEAN_LIGHT_CAVALRY) for i in range(2))
    file = battle((*crown, battle_unit("weak", CROWN, LINE_FOOT, 2)), force(CONGRESS, *[LINE_FOOT] * 5))
    warnings = battle_warnings(file)
    assert len(warnings) == 2
    assert "Of Crown, fewer than 3 SP: weak (2); merge" in warnings[0]
    assert "2 of 3 units of Crown are cavalry" in warnings[1]
    assert battle_warnings(replace(file, ruleset="vb_wing")) == [], "which is no advice of other rules"


def test_weak_units_are_allowed_and_strong_ones_split_AWI_T_STR_02() -> None:
    battle_verify(battle(force(CROWN, LINE_FOOT, sp=1), ()))
    with pytest.raises(BattleFileError, match="split it in two"):
        battle_verify(battle(force(CROWN, LINE_FOOT, sp=7), ()))


GOOD = battle(force(CROWN, LINE_FOOT), force(CONGRESS, LINE_FOOT))


@pytest.mark.parametrize(
    ("file", "field", "says"),
    [
        (replace(GOOD, defender=CROWN), "attacker", "two different sides"),
        (replace(GOOD, cover="marsh"), "cover", "no choice for cover"),
        (replace(GOOD, plans={"france": BattlePlan("hold")}), "plans.france", "no side"),
        (replace(GOOD, plans={CROWN: BattlePlan("dance")}), f"plans.{CROWN}.kind", "no choice"),
        (replace(GOOD, turns=0), "turns", "1 to 144"),
        (replace(GOOD, break_percent=101), "break_percent", "1 to 100"),
        (replace(GOOD, units=GOOD.units[:1] * 2), "units[1].id", "twice"),
        (replace(GOOD, units=force("france", LINE_FOOT)), "units[0].side", "fights for"),
        (replace(GOOD, units=force(CROWN, *[LINE_FOOT] * 1025)), "units", "too many"),
        (replace(GOOD, units=force(CROWN, LINE_FOOT, sp=0)), "units[0].sp", "leave it out"),
        (
            replace(GOOD, units=(battle_unit("a", CROWN, LINE_FOOT, arrives=-1),)),
            "units[0].arrives",
            "cannot arrive",
        ),
        (
            replace(GOOD, units=(battle_unit("a", CROWN, T.EUROPEAN_ARTILLERY, gun_class=GunClass.NONE),)),
            "units[0].gun_class",
            "say of which class",
        ),
        (
            replace(GOOD, units=(battle_unit("a", CROWN, LINE_FOOT, gun_class=GunClass.LIGHT),)),
            "units[0].gun_class",
            "no battery",
        ),
    ],
)
def test_a_battle_file_that_cannot_be_fought_is_refused(file: BattleFile, field: str, says: str) -> None:
    with pytest.raises(BattleFileError, match=says) as refused:
        prepare_state(file, LARGE)
    assert refused.value.field == field
    assert refused.value.rule_id.startswith("AWI-T-")


@pytest.mark.parametrize("options", [{"weather": "fine"}, {"evade": "always"}])
def test_unknown_options_and_choices_are_refused(options: dict[str, str]) -> None:
    with pytest.raises(BattleFileError, match=r"cannot be always; there are|The engine has no option"):
        options_resolve(options)
