"""What ground costs and does to each kind of troops."""

import pytest

from battles.rulesets.volley_bayonet import records as r
from battles.rulesets.volley_bayonet.rtg import ground
from battles.rulesets.volley_bayonet.rtg import terrain as t
from battles.rulesets.volley_bayonet.rtg.labels import Kind
from tests.battles.rulesets.volley_bayonet.rtg.forces import Stand, field

#: A stand of each column of the table that a stand can be in.
COLUMN_OF: dict[Kind, int] = {
    "infantry_brigade": t.INF_BDE,
    "linear_infantry": t.INF_BDE,
    "cavalry_brigade": t.CAV_BDE,
    "firearm_cavalry": t.CAV_BDE,
    "artillery_battery": t.ARTY,
    "infantry_skirmisher": t.INF_SKIRM,
    "cavalry_skirmisher": t.CAV_SKIRM,
    "mounted_infantry": t.CAV_SKIRM,
}
FOOT, HORSE, GUNS, SKIRMISHER, RIDER = (
    "linear_infantry", "cavalry_brigade", "artillery_battery", "infantry_skirmisher", "cavalry_skirmisher",
)  # fmt: skip


def one(kind: Kind, form: int | None = None) -> tuple[object, object]:
    g = field(Stand(kind=kind, form=form, limbered=True))
    return g, g.u[0]


@pytest.mark.parametrize("kind", COLUMN_OF)
def test_columns_of_the_table_RTG_TER_00(kind: Kind) -> None:
    _, u = one(kind)
    assert ground.column_of(u) == COLUMN_OF[kind]


@pytest.mark.parametrize(
    ("kind", "costs"),
    [
        (t.OPEN, (1, 1, 1, 1, 1)),
        (t.BROKEN, (2, 2, 2, 1, 2)),
        (t.CROPS, (1, 1, 1, 1, 1)),
        (t.FOREST, (2, 2, 2, 1, 2)),
        (t.HASTY_WORKS, (1, 1, 1, 1, 1)),
        (t.MARSHY_STREAM, (1, 0, 0, 1, 1)),
        (t.ORCHARD, (1, 2, 1, 1, 1)),
        (t.RIVER, (0, 0, 0, 0, 0)),
        (t.SWAMP, (0, 0, 0, 2, 0)),
        (t.TREE_LINE, (1, 1, 1, 1, 1)),
        (t.VILLAGE, (1, 1, 1, 1, 1)),
    ],
)
def test_inches_an_inch_costs_RTG_TER_02_03_05_09_12_13_14_18_21_22(
    kind: int, costs: tuple[int, ...]
) -> None:
    for troops, cost in zip((FOOT, HORSE, GUNS, SKIRMISHER, RIDER), costs, strict=True):
        _, u = one(troops)
        assert ground.factor(kind, u, 0) == cost, troops


@pytest.mark.parametrize(
    ("troops", "form", "ignores"),
    [
        (GUNS, None, True),
        (GUNS, r.ROAD_MARCH, True),
        (FOOT, r.ROAD_MARCH, True),
        (HORSE, r.ROAD_MARCH, True),
        (FOOT, None, False),
        (SKIRMISHER, None, False),
    ],
)
def test_on_a_road_artillery_and_columns_ignore_ground_RTG_TER_15(
    troops: Kind, form: int | None, ignores: bool
) -> None:
    _, u = one(troops, form)
    assert bool(ground.by_road(u, 1)) is ignores
    assert not ground.by_road(u, 0)
    if ignores:
        assert ground.factor(t.FOREST, u, 1) == ground.factor(t.RIVER, u, 1) == 1.0


@pytest.mark.parametrize(
    ("kind", "inside"),
    [
        (t.BROKEN, (False, True, False, False, False)),
        (t.FOREST, (False, True, False, False, False)),
        (t.ORCHARD, (False, True, False, False, False)),
        (t.MARSHY_STREAM, (True, False, False, True, True)),
        (t.TOWN, (False, True, True, False, True)),
        (t.OPEN, (False,) * 5),
    ],
)
def test_who_is_disordered_inside_RTG_TER_00_02_05_12_13_19(kind: int, inside: tuple[bool, ...]) -> None:
    for troops, held in zip((FOOT, HORSE, GUNS, SKIRMISHER, RIDER), inside, strict=True):
        _, u = one(troops)
        assert bool(ground.holds_disorder(kind, u)) is held, troops


def test_who_is_disordered_coming_in_and_going_out_RTG_TER_04_19() -> None:
    _, foot = one("linear_infantry")
    _, horse = one("cavalry_brigade")
    _, skirmisher = one("infantry_skirmisher")
    for effect in (t.ENTERING, t.LEAVING):
        assert ground.has(t.FIELD_WORKS, horse, effect) and ground.has(t.SUNKEN_ROAD, horse, effect)
        assert not ground.has(t.FIELD_WORKS, foot, effect)
        assert ground.has(t.TOWN, foot, effect) and not ground.has(t.TOWN, skirmisher, effect)


def test_guns_may_not_unlimber_in_forest_and_lose_theirs_in_marshy_streams_RTG_TER_05_12_RTG_CBT_22() -> None:
    _, guns = one("artillery_battery")
    _, foot = one("linear_infantry")
    assert ground.has(t.FOREST, guns, t.NO_UNLIMBERING)
    assert ground.has(t.MARSHY_STREAM, foot, t.LOSES_GUN)
    assert ground.costs_half(ground.EFFECTS[t.MARSHY_STREAM, t.INF_BDE])


@pytest.mark.parametrize(
    ("kind", "troops", "form", "way", "may", "disorders"),
    [
        (t.FORT, FOOT, None, ground.OVER, True, True),
        (t.FORT, FOOT, None, ground.ENTRANCE, True, True),
        (t.FORT, FOOT, r.ROAD_MARCH, ground.ENTRANCE, True, False),
        (t.FORT, HORSE, None, ground.OVER, False, True),
        (t.FORT, HORSE, r.ROAD_MARCH, ground.ENTRANCE, True, False),
        (t.FORT, GUNS, r.ROAD_MARCH, ground.ENTRANCE, True, False),
        (t.FORT, GUNS, r.ROAD_MARCH, ground.OVER, False, True),
        (t.FORTRESS, FOOT, None, ground.OVER, False, True),
        (t.FORTRESS, FOOT, r.ROAD_MARCH, ground.ENTRANCE, False, True),
        (t.FORTRESS, FOOT, None, ground.BREACH, True, True),
    ],
)
def test_ways_into_forts_and_fortresses_RTG_TER_07_08(
    kind: int, troops: Kind, form: int | None, way: int, may: bool, disorders: bool
) -> None:
    _, u = one(troops, form)
    assert bool(ground.may_enter_fort(kind, u, way)) is may
    assert bool(ground.fort_disorders(kind, u, way)) is disorders


@pytest.mark.parametrize("die", range(1, 7))
@pytest.mark.parametrize("trodden", [0, 1, 2])
def test_marsh_is_diced_for_by_who_cannot_skirmish_on_foot_RTG_TER_11(die: int, trodden: int) -> None:
    rows = {1: 0, 2: 0, 3: t.TWICE, 4: t.TWICE}
    for troops, more in ((FOOT, 0), (GUNS, 1), (RIDER, 0)):
        g = field(Stand(kind=troops), dice=(die,))
        assert ground.enter_marsh(g, 0, trodden) == rows.get(die + more + trodden, t.FOURFOLD | t.INSIDE)
    g = field(Stand(kind="infantry_skirmisher"), dice=(die,))
    assert ground.enter_marsh(g, 0, trodden) == 0 and g.cursor == 0
