"""How often hits may be saved."""

from typing import Any

import pytest

from battles.rulesets.volley_bayonet import records as r
from battles.rulesets.volley_bayonet.records import DEDICATED
from battles.rulesets.volley_bayonet.rtg import saves
from battles.rulesets.volley_bayonet.rtg import terrain as t
from battles.rulesets.volley_bayonet.rtg.labels import GunKind, Kind
from tests.battles.rulesets.volley_bayonet.rtg.checks.common import stays_chance
from tests.battles.rulesets.volley_bayonet.rtg.forces import Stand, field

GUNS: Kind = "artillery_battalion"


def from_fire(
    firer: Stand, target: Stand, kind: int = t.OPEN, inches: float = 2.0, retires: int = 0, **options: str
) -> int:
    g = field(firer, target, options=options)
    g.u[1].side, g.u[1].y = 1, 30.0
    return int(saves.from_fire(g, 0, 1, g.u[0].weapon, inches, kind, retires))


def from_melee(attacker: Stand, target: Stand, kind: int = t.OPEN) -> int:
    g = field(attacker, target)
    g.u[1].side, g.u[1].y = 1, 30.0
    return int(saves.from_melee(g, 0, 1, kind))


def guns(gun: Any, **more: Any) -> Stand:
    return Stand(kind=GUNS, gun=gun, **more)


@pytest.mark.parametrize("target", [3, 4, 5])
def test_a_save_succeeds_from_the_number_chosen_RTG_SAV_01(target: int) -> None:
    g = field(Stand(), options={"save_succeeds_on": target})
    assert stays_chance(g, 1) * 6 == target - 1


@pytest.mark.parametrize("state", [r.DISORDERED, r.PERMANENT, r.ROUTED])
def test_hits_of_the_disordered_in_fire_and_melee_RTG_SAV_02(state: int) -> None:
    assert from_fire(Stand(state=state), Stand()) == from_melee(Stand(state=state), Stand()) == 1
    assert from_fire(Stand(), Stand()) == from_melee(Stand(), Stand()) == 0
    assert from_fire(Stand(traits=("red",)), Stand()) == 1, "militia that is red from the start"


def test_hits_of_foot_skirmishers_and_of_batteries_that_moved_RTG_SAV_06_RTG_CBT_12_RTG_CBT_20() -> None:
    skirmisher = Stand(kind="infantry_skirmisher")
    assert from_fire(skirmisher, Stand()) == from_melee(skirmisher, Stand()) == 1
    battery, still = Stand(kind="artillery_battery"), Stand(kind="artillery_battery", stationary=True)
    assert from_fire(battery, Stand()) == from_melee(battery, Stand()) == 1
    assert from_fire(still, Stand()) == from_melee(still, Stand()) == 0
    assert from_melee(Stand(kind="cavalry_skirmisher"), Stand()) == 0


@pytest.mark.parametrize(("aside", "count"), [(3.7, 0), (3.8, 1), (0.0, 1)])
def test_skirmishers_with_a_base_s_width_of_room_RTG_SAV_03(aside: float, count: int) -> None:
    """A friend at their side, nearer or further off than an inch and a half; one behind does not matter."""
    behind = 5.0 if aside == 0.0 else 0.0
    g = field(
        Stand(),
        Stand(1, "infantry_skirmisher", y=30.0, x=30.0),
        Stand(1, y=30.0 + behind, x=30.0 + aside),
    )
    assert saves.from_fire(g, 0, 1, r.MUSKET, 2.0, t.OPEN, 0) == count
    assert saves.from_melee(g, 0, 1, t.OPEN) == 0


@pytest.mark.parametrize(
    ("gun", "count"),
    [("very_light_guns", 1), ("light_guns", 1), ("field_guns", 1), ("heavy_guns", 0), ("siege_guns", 0)],
)
def test_unlimbered_guns_from_all_but_heavy_and_siege_guns_RTG_SAV_04(gun: GunKind, count: int) -> None:
    assert from_fire(guns(gun), guns("field_guns")) == count
    assert from_fire(guns(gun), guns("field_guns", limbered=True)) == 0
    assert from_fire(guns(gun), Stand()) == 0
    assert from_fire(Stand(), guns("field_guns")) == 0


def test_cavalry_that_goes_back_RTG_SAV_05() -> None:
    assert from_fire(Stand(), Stand(kind="cavalry_brigade"), retires=1) == 1
    assert from_fire(Stand(), Stand(kind="cavalry_brigade")) == 0
    assert from_fire(Stand(), Stand(), retires=1) == 0


def test_conditions_add_up_or_count_as_one_RTG_SAV_07() -> None:
    skirmisher = Stand(kind="infantry_skirmisher", state=r.DISORDERED)
    assert from_fire(skirmisher, Stand(), t.FOREST) == 3
    assert from_fire(skirmisher, Stand(), t.FOREST, saves_stack="off") == 1
    assert from_fire(Stand(), Stand(), t.OPEN, saves_stack="off") == 0


@pytest.mark.parametrize(
    ("kind", "target", "muskets", "field_guns", "siege", "foot", "horse"),
    [
        (t.BROKEN, "infantry_skirmisher", 1, 1, 1, 0, 0),
        (t.BROKEN, "linear_infantry", 0, 0, 0, 0, 0),
        (t.FOREST, "linear_infantry", 1, 1, 1, 0, 0),
        (t.FOREST, "cavalry_brigade", 0, 0, 0, 0, 0),
        (t.FIELD_WORKS, "linear_infantry", 1, 1, 0, 1, 1),
        (t.FIELD_WORKS, "cavalry_brigade", 0, 0, 0, 0, 0),
        (t.HASTY_WORKS, "linear_infantry", 1, 0, 0, 0, 0),
        (t.SUNKEN_ROAD, "linear_infantry", 1, 1, 0, 0, 1),
        (t.ORCHARD, "linear_infantry", 0, 0, 0, 0, 0),
        (t.TOWN, "linear_infantry", 0, 0, 0, 0, 0),
    ],
)
def test_saves_of_the_ground_RTG_TER_02_04_05_09_13_16(
    kind: int, target: Kind, muskets: int, field_guns: int, siege: int, foot: int, horse: int
) -> None:
    crowded = 1 if "skirmisher" in target else 0  # room around them gives one more
    for firer, count in ((Stand(), muskets), (guns("field_guns"), field_guns), (guns("siege_guns"), siege)):
        assert from_fire(firer, Stand(kind=target), kind) == count + crowded
    assert from_melee(Stand(), Stand(kind=target), kind) == foot
    assert from_melee(Stand(kind="cavalry_brigade"), Stand(kind=target), kind) == horse


@pytest.mark.parametrize("kind", [t.FORT, t.FORTRESS])
def test_what_harms_a_fort_and_what_is_saved_there_RTG_TER_07_08(kind: int) -> None:
    for option, field_guns in (("off", False), ("on", True)):
        for gun, inches, harms in (
            ("siege_guns", 12.0, True),
            ("heavy_guns", 4.0, True),
            ("heavy_guns", 5.0, False),
            ("field_guns", 4.0, field_guns),
            ("field_guns", 5.0, False),
            ("light_guns", 4.0, False),
            ("very_light_guns", 3.0, False),
        ):
            g = field(guns(gun), options={"field_artillery_harms_fort": option})
            assert bool(saves.has_effect(g, g.u[0].weapon, inches, kind, 0)) is harms, gun
    g = field(Stand())
    assert not saves.has_effect(g, r.MUSKET, 2.0, kind, 0)
    assert not saves.has_effect(g, DEDICATED, 2.0, kind, 0)
    assert from_fire(guns("heavy_guns"), Stand(), kind, 4.0) == 1
    assert from_fire(guns("siege_guns"), Stand(), kind, 8.0) == 1
    assert from_fire(guns("siege_guns"), Stand(), kind, 4.0) == 0
    assert from_melee(Stand(), Stand(), kind) == 1


def test_small_arms_do_nothing_to_stone_RTG_TER_23() -> None:
    g = field(Stand())
    assert not saves.has_effect(g, r.MUSKET, 2.0, t.TOWN, 1)
    assert saves.has_effect(g, r.MUSKET, 2.0, t.TOWN, 0)
    assert saves.has_effect(g, r.LIGHT_GUN, 2.0, t.TOWN, 1)
    assert saves.has_effect(g, DEDICATED, 2.0, t.TOWN, 1)


def test_a_dedicated_gun_is_saved_from_as_artillery_RTG_CBT_22_RTG_SAV_04() -> None:
    g = field(Stand(traits=("dedicated_gun",)), Stand(1, GUNS, y=24.0), Stand(1, y=30.0))
    for weapon, at_guns, behind_walls in ((DEDICATED, 1, 0), (r.MUSKET, 0, 1)):
        assert saves.from_fire(g, 0, 1, weapon, 2.0, t.OPEN, 0) == at_guns
        assert saves.from_fire(g, 0, 2, weapon, 2.0, t.HASTY_WORKS, 0) == behind_walls
