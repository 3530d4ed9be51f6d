"""Dice and scores that the worked checks leave out."""

from typing import Any

import pytest

from battles.rulesets.volley_bayonet import combat
from battles.rulesets.volley_bayonet import records as r
from battles.rulesets.volley_bayonet.rtg import dice
from battles.rulesets.volley_bayonet.rtg.labels import GunKind, Kind
from tests.battles.rulesets.volley_bayonet.rtg.books import table
from tests.battles.rulesets.volley_bayonet.rtg.forces import Stand, field

GUNS: Kind = "artillery_battalion"


@pytest.mark.parametrize("row", table("RTG-CBT-10"))
def test_every_row_of_the_table_of_dice_RTG_CBT_10_11(row: str) -> None:
    printed = table("RTG-CBT-10")[row]
    kind: Any = row.removesuffix("_poor_musketry").removesuffix("_close").removesuffix("_long")
    kind = {"sharpshooter_skirmisher": "infantry_skirmisher"}.get(kind, kind.removesuffix("_very_light"))
    traits: Any = tuple(trait for trait in ("poor_musketry", "sharpshooter") if trait in row)
    gun: Any = "very_light_guns" if "very_light" in row else "field_guns"
    for still in (False, True):
        if still and printed["st_melee"] is None:
            continue
        g = field(Stand(kind=kind, traits=traits, gun=gun, stationary=still), Stand(1, y=24.0))
        u = g.u[0]
        inches = 8.0 if row.endswith("_long") else 2.0
        fire, melee = ("st_fire", "st_melee") if still else ("fire", "melee")
        assert dice.own_fire_dice(g, u, inches) == (printed[fire] or 0)
        assert dice.melee_dice(g, u, 1) == printed[melee]
        if printed[fire]:
            assert dice.fire_score(g, u, inches, 0) == min(printed["hit"])


@pytest.mark.parametrize(
    ("gun", "close", "long"),
    [
        ("very_light_guns", 3, 6),
        ("light_guns", 4, 8),
        ("field_guns", 4, 10),
        ("heavy_guns", 4, 12),
        ("siege_guns", 4, 12),
    ],
)
def test_ranges_of_guns_RTG_RNG_01_RTG_CBT_15(gun: GunKind, close: float, long: float) -> None:
    g = field(Stand(kind=GUNS, gun=gun))
    u, best = g.u[0], 5 if gun == "very_light_guns" else 4
    assert [int(dice.fire_score(g, u, inches, 0)) for inches in (close, close + 0.1, long)] == [best, 6, 6]
    assert [int(dice.own_fire_dice(g, u, inches)) for inches in (long, long + 0.1)] == [1, 0]
    assert dice.fire_score(g, u, long + 0.1, 0) == combat.NEVER
    assert dice.melee_score(g, u, u) == best


@pytest.mark.parametrize(
    "kind", ["linear_infantry", "infantry_brigade", "infantry_skirmisher", "firearm_cavalry"]
)
def test_muskets_and_rifles_reach_two_inches_RTG_RNG_01_RTG_CBT_14(kind: Kind) -> None:
    for traits in ((), ("rifles",)):
        g = field(Stand(kind=kind, traits=traits))
        assert dice.own_fire_dice(g, g.u[0], 2.0) > 0
        assert dice.own_fire_dice(g, g.u[0], 2.1) == 0


@pytest.mark.parametrize(
    "kind", ["cavalry_brigade", "linear_cavalry", "cavalry_skirmisher", "mounted_infantry"]
)
def test_cavalry_never_fires_and_has_two_dice_RTG_CBT_13(kind: Kind) -> None:
    g = field(Stand(kind=kind))
    assert dice.own_fire_dice(g, g.u[0], 1.0) == 0
    assert dice.melee_dice(g, g.u[0], 1) == 2


def test_sharpshooting_is_of_fire_only_RTG_CBT_12() -> None:
    g = field(Stand(kind="infantry_skirmisher", traits=("sharpshooter",)), Stand(1, y=22.0))
    assert dice.fire_score(g, g.u[0], 2.0, 0) == 5
    assert dice.melee_score(g, g.u[0], g.u[1]) == 6


def test_dice_do_not_depend_on_the_strength_left_RTG_CBT_16() -> None:
    for sp in range(1, 9):
        g = field(Stand(sp=sp, stationary=True))
        assert dice.own_fire_dice(g, g.u[0], 2.0) == 4
        assert dice.melee_dice(g, g.u[0], 1) == 5


@pytest.mark.parametrize(
    ("kind", "charged", "state", "score"),
    [
        ("cavalry_brigade", 1, r.DISORDERED, 5),
        ("cavalry_brigade", 0, r.DISORDERED, 6),
        ("cavalry_brigade", 1, r.GOOD, 6),
        ("firearm_cavalry", 1, r.DISORDERED, 6),
        ("linear_infantry", 1, r.DISORDERED, 6),
    ],
)
def test_cavalry_shock_is_an_option_RTG_CBT_17_RTG_CBT_14(
    kind: Kind, charged: int, state: int, score: int
) -> None:
    for option, expected in (("on", score), ("off", 6)):
        g = field(Stand(kind=kind), Stand(1, y=22.0, state=state), options={"cavalry_shock": option})
        g.u[0].charged = charged
        assert dice.melee_score(g, g.u[0], g.u[1]) == expected


@pytest.mark.parametrize("close", [6, 4])
def test_a_battery_has_one_die_and_hits_as_printed_or_as_it_should_RTG_CBT_20(close: int) -> None:
    for still in (False, True):
        battery = Stand(kind="artillery_battery", stationary=still)
        g = field(battery, options={"battery_close_to_hit": close})
        u = g.u[0]
        assert dice.own_fire_dice(g, u, 4.0) == dice.melee_dice(g, u, 1) == table("RTG-CBT-20")["normal"] == 1
        assert [int(dice.fire_score(g, u, inches, 0)) for inches in (4.0, 10.0)] == [close, 6]
        assert dice.melee_score(g, u, u) == close


def test_guns_fight_only_to_their_front_and_not_limbered_RTG_CBT_15() -> None:
    g = field(Stand(kind=GUNS), Stand(kind=GUNS, limbered=True))
    assert dice.melee_dice(g, g.u[0], 0) == dice.melee_dice(g, g.u[1], 1) == 0
    assert dice.own_fire_dice(g, g.u[1], 2.0) == 0


@pytest.mark.parametrize(
    ("kind", "option", "more"),
    [
        ("infantry_brigade", "on", 1),
        ("infantry_brigade", "off", 1),
        ("linear_infantry", "on", 1),
        ("linear_infantry", "off", 0),
        ("cavalry_brigade", "on", 1),
        ("infantry_skirmisher", "on", 0),
    ],
)
def test_a_dedicated_gun_adds_a_die_to_formed_stands_RTG_CBT_21_22(
    kind: Kind, option: str, more: int
) -> None:
    options = {"dedicated_gun_die_for_linear": option}
    g = field(Stand(kind=kind, traits=("dedicated_gun",)), Stand(kind=kind), options=options)
    u, without = g.u[0], g.u[1]
    assert dice.gun_fire_dice(g, u, 4.0) == more
    assert dice.gun_fire_dice(g, u, 4.1) == dice.gun_fire_dice(g, without, 2.0) == 0
    assert dice.melee_dice(g, u, 1) == dice.melee_dice(g, without, 1) + more
    assert u.sp == without.sp


def test_the_routed_do_not_fire_and_melee_as_they_can_RTG_ROU_01() -> None:
    g = field(Stand(state=r.ROUTED, traits=("dedicated_gun",)))
    u = g.u[0]
    assert dice.own_fire_dice(g, u, 1.0) == dice.gun_fire_dice(g, u, 1.0) == 0
    assert dice.melee_dice(g, u, 1) == 4
