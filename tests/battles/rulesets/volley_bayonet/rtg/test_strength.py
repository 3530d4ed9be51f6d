"""From units of a battle file to brigades of 500 men a strength point, and their losses back."""

import json
from dataclasses import asdict, replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from battles.files.reading import find_shipped_battles, read_battle
from battles.files.schema import BattleFile, BattleLeader, BattleUnit
from battles.rulesets.volley_bayonet.rtg import strength
from battles.rulesets.volley_bayonet.rtg.ratings import KINDS, label_of, pooling_of
from battles.strength_conversion import divide_by_weight
from rosters.domain.vocabulary import TYPES, GunClass, TroopType, Weapon
from tests.battles.rulesets.volley_bayonet.rtg.books import ROAD_TO_GLORY

T = TroopType
OPTIONS = ROAD_TO_GLORY.options_resolve({})
FIGHTERS = [kind for kind in T if kind is not T.WAGON]


def unit(id: str, kind: TroopType, sp: int = 6, side: str = "crown", **more: Any) -> BattleUnit:
    if TYPES[kind].weapon is Weapon.GUN:
        more.setdefault("gun_class", GunClass.MEDIUM)
    return BattleUnit(id, id, side, kind, sp, **more)


def battle(*units: BattleUnit, leaders: tuple[BattleLeader, ...] = ()) -> BattleFile:
    return replace(
        read_battle("standard-fight"), units=units, leaders=leaders, attacker="crown", defender="rebel"
    )


def pools(*units: BattleUnit, leaders: tuple[BattleLeader, ...] = ()) -> tuple[strength.BrigadePool, ...]:
    return strength.pool_brigades(battle(*units, leaders=leaders), OPTIONS)


def line(count: int, side: str = "crown", sp: int = 6, **more: Any) -> list[BattleUnit]:
    """So many battalions of British line."""
    return [unit(f"{side} {k}", T.BRITISH_LINE, sp, side, **more) for k in range(count)]


def test_four_battalions_of_300_men_are_a_brigade_of_two_points_RTG_GEN_01() -> None:
    (pool,) = pools(*line(4))
    assert (pool.points, pool.stands, pool.kind) == (2, (2,), "linear_infantry")
    assert pool.units == tuple(f"crown {k}" for k in range(4))
    assert pool.sps == (6, 6, 6, 6)


def test_six_guns_are_a_point_and_twelve_a_battalion_RTG_GEN_01_RTG_CBT_20() -> None:
    guns = [unit(f"battery {k}", T.EUROPEAN_ARTILLERY, 5) for k in range(4)]
    (pool,) = pools(*guns)
    assert (pool.points, pool.stands) == (3, (2, 1)), "sixteen guns"
    assert [label.kind for label in pool.labels()] == ["artillery_battalion", "artillery_battery"]
    assert {label.gun for label in pool.labels()} == {"field_guns"}


def test_light_guns_too_few_for_a_battery_are_the_foot_s_dedicated_gun_RTG_CBT_22_RTG_CBT_21() -> None:
    leader = BattleLeader("brigadier", "", "crown")
    light = [
        unit(f"guns {k}", T.EUROPEAN_ARTILLERY, 2, gun_class=GunClass.LIGHT, formation="brigadier")
        for k in range(3)
    ]
    foot = line(9, formation="brigadier")
    (pool,) = pools(*foot, *light, leaders=(leader,))
    assert (pool.points, pool.stands) == (5, (3, 2))
    assert (pool.guns, pool.gun_sps) == (("guns 0", "guns 1", "guns 2"), (2, 2, 2))
    assert [label.has("dedicated_gun") for label in pool.labels()] == [True, False]
    assert pool.in_file(1, 0)["guns 0"] == (0, 0)
    assert pool.in_file(1, 0, 0, 1)["guns 0"] == (0, 2)
    assert pool.in_file(5, 0, 1)["guns 2"] == (2, 0)
    many = [replace(one, sp=3) for one in light]
    assert [pool.kind for pool in pools(*foot, *many, leaders=(leader,))] == [
        "linear_infantry",
        "artillery_battalion",
    ]
    assert len(pools(*light)) == 1, "without foot they are a battery"


@pytest.mark.parametrize("alike", [True, False])
def test_guns_of_brigades_that_stand_as_one_are_a_battery_when_they_are_enough_RTG_CBT_22_RTG_GEN_01(
    alike: bool,
) -> None:
    """Three brigades of 300 men are one pool, and their nine guns no dedicated gun of it."""
    leaders = tuple(BattleLeader(f"brigadier {k}", "", "crown") for k in range(3))
    units = []
    for k in range(3):
        units += [unit(f"foot {k}{n}", T.BRITISH_LINE, 3, formation=f"brigadier {k}") for n in range(2)]
        guns = GunClass.LIGHT if alike or k else GunClass.MEDIUM
        units.append(unit(f"guns {k}", T.EUROPEAN_ARTILLERY, 4, gun_class=guns, formation=f"brigadier {k}"))
    foot, guns_pool = pools(*units, leaders=leaders)
    assert (foot.points, foot.guns, guns_pool.kind) == (2, (), "artillery_battalion")
    assert (guns_pool.points, sorted(guns_pool.units)) == (2, ["guns 0", "guns 1", "guns 2"])
    assert sum(sum(gone) for gone in guns_pool.in_file(2, 0).values()) == 12


def test_who_fights_alike_is_pooled_with_his_brigade_RTG_GEN_04() -> None:
    leaders = tuple(BattleLeader(f"brigadier {k}", "", "crown") for k in range(2))
    first = line(4, formation="brigadier 0")
    second = [unit(f"grenadiers {k}", T.BRITISH_GRENADIERS, formation="brigadier 1") for k in range(3)]
    light = unit("light", T.BRITISH_LIGHT_INFANTRY, formation="brigadier 0")
    horse = unit("horse", T.EUROPEAN_LIGHT_CAVALRY, formation="brigadier 1")
    found = pools(*first, *second, light, horse, leaders=leaders)
    assert [(pool.kind, len(pool.units)) for pool in found] == [
        ("linear_infantry", 4),
        ("linear_infantry", 3),
        ("infantry_skirmisher", 1),
        ("linear_cavalry", 1),
    ]
    assert [pool.morale for pool in found[:2]] == [5, 6]


def test_who_is_too_weak_for_a_point_joins_his_division_before_others_RTG_GEN_01() -> None:
    brigadiers = tuple(BattleLeader(f"brigadier {k}", "", "crown") for k in range(3))
    senior = BattleLeader("senior", "", "crown", "senior", commands=("brigadier 0", "brigadier 2"))
    strong = [unit(f"a {k}", T.BRITISH_LINE, formation="brigadier 0") for k in range(2)]
    stronger = [unit(f"b {k}", T.BRITISH_LINE, formation="brigadier 1") for k in range(4)]
    weak = unit("weak", T.BRITISH_LINE, 4, formation="brigadier 2")
    first, second = pools(*strong, *stronger, weak, leaders=(*brigadiers, senior))
    assert first.units == ("a 0", "a 1", "weak") and second.units == ("b 0", "b 1", "b 2", "b 3")
    assert first.division != second.division


def test_a_side_s_points_are_its_men_rounded_once_RTG_GEN_01() -> None:
    """Four brigades of 740 men each are six points and not four."""
    assert strength.deal_points([Fraction(740, 500)] * 4) == (2, 2, 1, 1)
    assert strength.deal_points([Fraction(1, 10)]) == (1,), "who is there at all has one"


def test_a_mixed_brigade_has_the_traits_of_its_greater_part_RTG_GEN_05() -> None:
    militia = [unit(f"militia {k}", T.MILITIA, poor_militia=True) for k in range(3)]
    (pool,) = pools(*militia, unit("line", T.CONTINENTAL_LINE))
    assert {"militia", "red", "poor_musketry", "slow"} <= set(pool.traits)
    assert pool.morale == 4, "4 and 4 and 4 and 5"
    (pool,) = pools(*militia[:1], *line(2))
    assert not {"militia", "red"} & set(pool.traits)
    assert pool.morale == 5


@pytest.mark.parametrize("kind", FIGHTERS)
def test_every_troop_type_has_a_label_RTG_GEN_04(kind: TroopType) -> None:
    one = unit("one", kind)
    found = label_of(one, OPTIONS)
    assert found.kind == KINDS[pooling_of(one)]
    assert found.morale >= 4
    assert (found.gun != "") == (TYPES[kind].weapon is Weapon.GUN)


def test_the_crowns_trained_militia_has_no_elites_RTG_MEL_03() -> None:
    """They are the Loyalists' (VBW-RAT-02); the Americans' have them."""
    for side, none in (("crown", True), ("rebel", False)):
        one = BattleUnit("own", "own", side, T.MILITIA, 10)
        assert label_of(one, OPTIONS).has("no_elites") is none


@pytest.mark.parametrize(
    ("gun_class", "gun"),
    [
        (GunClass.GRASSHOPPER, "light_guns"),
        (GunClass.GALLOPER, "very_light_guns"),
        (GunClass.LIGHT, "light_guns"),
        (GunClass.HOWITZER, "field_guns"),
    ],
)
def test_a_grasshopper_is_a_3_pounder_and_a_galloper_a_lighter_gun_RTG_RNG_01(
    gun_class: GunClass, gun: str
) -> None:
    assert label_of(unit("guns", T.EUROPEAN_ARTILLERY, gun_class=gun_class), OPTIONS).gun == gun


def test_losses_are_shared_by_largest_remainder_RTG_GEN_01() -> None:
    assert divide_by_weight(10, (6, 6, 6)) == (4, 3, 3)
    assert divide_by_weight(0, ()) == ()
    with pytest.raises(ValueError, match="nobody to share 3"):
        divide_by_weight(3, (0, 0))
    (pool,) = pools(*line(3), unit("small", T.BRITISH_LINE, 2))
    assert pool.points == 2, "a thousand men"
    assert pool.in_file(1, 0) == {"crown 0": (3, 0), "crown 1": (3, 0), "crown 2": (3, 0), "small": (1, 0)}
    assert pool.in_file(1, 1) == {"crown 0": (3, 3), "crown 1": (3, 3), "crown 2": (3, 3), "small": (1, 1)}


def test_more_cannot_be_lost_than_there_was() -> None:
    (pool,) = pools(*line(2))
    with pytest.raises(ValueError, match="stand with 1 points and cannot lose 1 and 1; enter 1"):
        pool.in_file(1, 1)


@given(st.lists(st.integers(0, 60), min_size=1, max_size=12), st.data())
def test_shares_deal_out_all_there_is_and_no_more_than_anybody_has(weights: list[int], data: Any) -> None:
    total = data.draw(st.integers(0, sum(weights)))
    found = divide_by_weight(total, weights)
    assert sum(found) == total
    whole = sum(weights)
    for share, weight in zip(found, weights, strict=True):
        assert 0 <= share <= weight
        if whole:
            assert abs(share - Fraction(total * weight, whole)) < 1, "nobody is a whole point off his quota"


@given(st.lists(st.integers(500, 4000), min_size=1, max_size=40))
def test_no_rounding_makes_or_loses_men_on_the_way_to_the_table(men: list[int]) -> None:
    strengths = [Fraction(one, 500) for one in men]
    found = strength.deal_points(strengths)
    assert min(found) >= 1
    assert abs(sum(found) - sum(strengths)) <= Fraction(1, 2)


_UNITS = st.lists(
    st.tuples(
        st.sampled_from([*FIGHTERS, T.EUROPEAN_ARTILLERY]),
        st.integers(1, 6),
        st.sampled_from(["crown", "rebel"]),
        st.sampled_from(["", "one", "two", "three"]),
    ),
    min_size=1,
    max_size=24,
)


def gun_or_foot(id: str, kind: TroopType, sp: int, side: str, formation: str, light: bool) -> BattleUnit:
    """A unit of a kind; of guns some are light."""
    one = unit(id, kind, sp, side, formation=formation)
    return replace(one, gun_class=GunClass.LIGHT) if light and one.gun_class is GunClass.MEDIUM else one


def mustered(
    rows: list[tuple[TroopType, int, str, str]],
) -> tuple[list[BattleUnit], tuple[strength.BrigadePool, ...]]:
    """Units of both sides in formations, some led, and how they stand."""
    units = [
        gun_or_foot(f"unit {k}", kind, sp, side, f"{side} {where}" if where else "", k % 2 == 0)
        for k, (kind, sp, side, where) in enumerate(rows)
    ]
    leaders = (
        BattleLeader("crown one", "", "crown"),
        BattleLeader("crown two", "", "crown"),
        BattleLeader("wing", "", "crown", "senior", commands=("crown one",)),
    )
    return units, pools(*units, leaders=leaders)


@given(_UNITS)
def test_every_unit_stands_in_one_pool_and_no_man_is_made_or_lost(
    rows: list[tuple[TroopType, int, str, str]],
) -> None:
    units, found = mustered(rows)
    standing = sorted(one for pool in found for one in (*pool.units, *pool.guns))
    assert standing == sorted(one.id for one in units)
    by_id = {one.id: one for one in units}
    for pool in found:
        assert pool.gun_sps == tuple(by_id[one].sp for one in pool.guns)
        assert sum(strength.find_exact_strength(by_id[one]) for one in pool.guns) < 1, (
            "who are enough are a battery"
        )
        own = [by_id[one] for one in pool.units]
        assert pool.sps == tuple(one.sp for one in own)
        assert {one.side for one in own} == {pool.side}
        assert len({pooling_of(one) for one in own}) == 1
        assert sum(pool.stands) == pool.points >= 1
    sides: dict[int, str] = {}
    for pool in found:
        assert sides.setdefault(pool.division, pool.side) == pool.side, "a division is of one side"
    for side in ("crown", "rebel"):
        for kind in set(KINDS.values()):
            own_pools = [pool for pool in found if (pool.side, pool.kind) == (side, kind)]
            exact = sum(
                (strength.find_exact_strength(by_id[one]) for pool in own_pools for one in pool.units),
                Fraction(0),
            )
            points = sum(pool.points for pool in own_pools)
            assert abs(points - exact) <= Fraction(1, 2) or (points, len(own_pools)) == (1, 1)


@given(_UNITS)
def test_losses_come_back_whole_and_there_again(rows: list[tuple[TroopType, int, str, str]]) -> None:
    """None for none, all for all, killed and captured together never more than there was."""
    _, found = mustered(rows)
    for pool in found:
        before = 0
        for gone in range(pool.points + 1):
            for lost in range(gone + 1):
                gun = (int(lost < gone), int(lost == gone > 0)) if pool.guns else (0, 0)
                back = pool.in_file(lost, gone - lost, *gun)
                assert tuple(back) == (*pool.units, *pool.guns)
                for (killed, taken), sp in zip(back.values(), pool.sps + pool.gun_sps, strict=True):
                    assert killed >= 0 and taken >= 0 and killed + taken <= sp
                total = sum(sum(back[one]) for one in pool.units)
                assert (total == 0) == (gone == 0)
                assert (sum(back[one][1] for one in pool.units) == 0) == (lost == gone)
                assert pool.on_table(back) == (lost, gone - lost, *gun)
            assert total >= before
            before = total
        assert before == sum(pool.sps), "who has lost all has lost all"


@pytest.mark.parametrize("name", sorted(find_shipped_battles()))
def test_every_battle_there_is_can_be_mustered_RTG_GEN_01(name: str) -> None:
    file = read_battle(name)
    found = strength.pool_brigades(file, OPTIONS)
    assert {pool.side for pool in found} == {file.attacker, file.defender}
    standing = {one.id for one in file.units if one.sp > 0 and one.troop_type is not T.WAGON}
    assert {one for pool in found for one in (*pool.units, *pool.guns)} == standing


def test_a_pool_is_plain_data_as_it_is_stored_RTG_GEN_01() -> None:
    found = strength.pool_brigades(read_battle("freemans-farm"), OPTIONS)
    stored = json.loads(json.dumps([asdict(pool) for pool in found]))
    again = [
        strength.BrigadePool(
            **{name: tuple(value) if isinstance(value, list) else value for name, value in row.items()}
        )
        for row in stored
    ]
    assert tuple(again) == found
    assert again[0].in_file(1, 0) == found[0].in_file(1, 0)
