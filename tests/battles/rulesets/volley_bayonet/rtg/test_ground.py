"""What ground costs and does to each kind of troops."""

import pytest

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


def test_who_is_disordered_coming_in_and_going_out_RTG_TER_04_19() -> None:
    _, foot = one("linear_infantry")
    _, horse = one("cavalry_brigade")
    _, skirmisher = one("infantry_skirmisher")
    for effect in (t.ENTERING, t.LEAVING):
        assert ground.has_effect(t.FIELD_WORKS, horse, effect) and ground.has_effect(
            t.SUNKEN_ROAD, horse, effect
        )
        assert not ground.has_effect(t.FIELD_WORKS, foot, effect)
        assert ground.has_effect(t.TOWN, foot, effect) and not ground.has_effect(t.TOWN, skirmisher, effect)


def test_guns_may_not_unlimber_in_forest_RTG_TER_05() -> None:
    _, guns = one("artillery_battery")
    assert ground.has_effect(t.FOREST, guns, t.NO_UNLIMBERING)
