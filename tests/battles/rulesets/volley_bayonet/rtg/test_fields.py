"""The record of Road to Glory: what its stands are in the core's."""

import pytest

from battles.rulesets.volley_bayonet import records as r
from battles.rulesets.volley_bayonet.rtg import fields
from battles.rulesets.volley_bayonet.rtg.bases import half_depth, half_width, is_skirmisher
from battles.rulesets.volley_bayonet.rtg.labels import BATTERIES, FOOT, HORSES, BrigadeLabel, rate_of
from battles.rulesets.volley_bayonet.rtg.tables import DICE, MORALE, RATES
from tests.battles.rulesets.volley_bayonet.rtg.forces import TINY, Stand, field


def test_the_tables_of_a_record_hold_all_dice_and_morale_RTG_CBT_10_RTG_MOR_09() -> None:
    tables = r.build_record_dtype(TINY)["t"]
    assert tables["dice"].shape == (len(DICE), 2, 2)
    assert tables["morale"].shape == (len(MORALE),)
    assert tables["long"].shape == (len({*fields.WEAPON_CODES, "none", "native arms", "howitzer"}),)


@pytest.mark.parametrize(
    ("stand", "class_", "base"),
    [
        (Stand(kind="infantry_brigade"), r.INFANTRY, (1.5, 1.5)),
        (Stand(kind="linear_infantry"), r.INFANTRY, (1.5, 0.75)),
        (Stand(kind="infantry_skirmisher"), r.DETACHMENT, (0.75, 0.75)),
        (Stand(kind="cavalry_brigade"), r.HORSE, (1.5, 1.5)),
        (Stand(kind="firearm_cavalry"), r.HORSE, (1.5, 0.75)),
        (Stand(kind="cavalry_skirmisher"), r.HORSE, (0.75, 0.75)),
        (Stand(kind="mounted_infantry"), r.HORSE, (0.75, 0.75)),
        (Stand(kind="artillery_battalion"), r.GUNS, (0.75, 1.5)),
        (Stand(kind="artillery_battery"), r.GUNS, (0.75, 1.5)),
    ],
    ids=lambda value: value.kind if isinstance(value, Stand) else "",
)
def test_classes_of_stands_and_their_bases_RTG_GEN_04(
    stand: Stand, class_: int, base: tuple[float, float]
) -> None:
    g = field(stand)
    u = g.u[0]
    assert u.class_ == class_
    assert (half_width(g, u), half_depth(g, u)) == base
    assert is_skirmisher(u) == ("skirmisher" in stand.kind or stand.kind == "mounted_infantry")


def test_traits_are_written_RTG_GEN_05() -> None:
    g = field(
        Stand(traits=("militia", "poor_musketry", "no_elites", "slow", "red")),
        Stand(kind="infantry_skirmisher", traits=("sharpshooter", "rifles")),
        Stand(kind="cavalry_brigade", traits=("lancers", "dedicated_gun"), weight="heavy"),
        Stand(kind="artillery_battery", gun="siege_guns", traits=("hired", "horse_artillery")),
        Stand(kind="firearm_cavalry", weight="heavy"),
    )
    militia, skirmisher, lancers, guns, firearm = (g.u[i] for i in range(5))
    assert (militia.militia, militia.poorly_trained, militia.no_elites, militia.slow) == (1, 1, 1, 1)
    assert militia.state == r.PERMANENT
    assert (skirmisher.sharpshooter, skirmisher.weapon) == (1, r.RIFLE)
    assert (lancers.lancers, lancers.dedicated, lancers.weight) == (1, 1, fields.HEAVY)
    assert (guns.hired, guns.horse_guns, guns.battery, guns.weapon) == (1, 1, 1, r.SIEGE_GUN)
    assert (firearm.weight, firearm.weapon) == (fields.FIREARM, r.MUSKET)
    in_order = field(Stand(traits=("militia", "red")), options={"raw_militia_permanently_disordered": "off"})
    assert in_order.u[0].state == r.GOOD


@pytest.mark.parametrize(
    ("label", "row"),
    [
        (BrigadeLabel("linear_infantry", 5, frozenset({"slow"})), "slow_infantry"),
        (BrigadeLabel("infantry_skirmisher", 5), "infantry"),
        (BrigadeLabel("cavalry_brigade", 5, weight="heavy"), "heavy_cavalry"),
        (BrigadeLabel("linear_cavalry", 5, weight="medium"), "medium_cavalry"),
        (
            BrigadeLabel("cavalry_brigade", 5, frozenset({"dedicated_gun"}), weight="light"),
            "any_cavalry_with_dedicated_gun",
        ),
        (BrigadeLabel("artillery_battery", 5), "limbered_artillery"),
        (BrigadeLabel("artillery_battalion", 5, frozenset({"horse_artillery"})), "horse_artillery"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_rates_RTG_MOV_02(label: BrigadeLabel, row: str) -> None:
    assert rate_of(label) == RATES[row]


def test_every_kind_is_foot_horse_or_guns() -> None:
    assert len({*FOOT, *HORSES, *BATTERIES}) == len(FOOT) + len(HORSES) + len(BATTERIES) == 10
