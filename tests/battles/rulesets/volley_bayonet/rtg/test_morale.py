"""Circumstances of checks, and the check itself."""

import pytest

from battles.rulesets.volley_bayonet import records as r
from battles.rulesets.volley_bayonet.rtg import chief, morale
from battles.rulesets.volley_bayonet.rtg.fields import CHIEF, CORPS_COMMANDER
from battles.rulesets.volley_bayonet.rtg.terrain import FIELD_WORKS, FORT, HILL, OPEN, TOWN, VILLAGE
from tests.battles.rulesets.volley_bayonet.rtg.forces import Leader, Stand, ahead_of, field, throw


def charged(stand: Stand, by: Stand, edge: int = r.FRONT, supported: int = 0, secure: int = 0) -> int:
    """The sum of what a stand has that is charged on an edge of its base, its order apart."""
    g = field(stand, by)
    g.u[0].secure = secure
    return int(morale.sum_modifiers(g, morale.charged_flags(g, g.u[0], g.u[1], edge, supported)))


def charging(stand: Stand, at: Stand, edge: int = r.FRONT) -> int:
    g = field(stand, at)
    return int(morale.sum_modifiers(g, morale.charger_flags(g.u[0], g.u[1], edge)))


FOOT, MASSED, SKIRMISHERS = Stand(), Stand(kind="infantry_brigade"), Stand(kind="infantry_skirmisher")
HORSE, RIDERS = Stand(kind="cavalry_brigade"), Stand(kind="cavalry_skirmisher")
GUNS = Stand(kind="artillery_battalion")


@pytest.mark.parametrize(
    ("state", "sum_"), [(r.GOOD, 0), (r.DISORDERED, -1), (r.PERMANENT, -1), (r.ROUTED, -1)]
)
def test_disorder_counts_once_whatever_its_markers_RTG_MOR_03(state: int, sum_: int) -> None:
    g = field(Stand(state=state))
    assert morale.nerve_of(g, g.u[0], 0, 0) == 5 + sum_
    assert morale.nerve_of(g, g.u[0], 0, 1) == 6 + sum_


def test_the_army_commander_and_no_other_is_attached_by_touch_RTG_MOR_03() -> None:
    for rank, away, found in ((CHIEF, 0.0, 0), (CHIEF, 0.5, -1), (CORPS_COMMANDER, 0.0, -1)):
        g = field(FOOT, leaders=(Leader(0, rank, 0.0, 0.0),))
        g.leaders[0].x, g.leaders[0].y = ahead_of(g, 0, away)
        assert chief.chief_with(g, 0) == found


@pytest.mark.parametrize(
    ("stand", "from_lower", "kind", "sum_"),
    [
        (Stand(stationary=True), 1, HILL, 1),
        (Stand(stationary=True), 0, HILL, 0),
        (Stand(), 1, HILL, 0),
        (Stand(kind="artillery_battery", stationary=True), 1, OPEN, 1),
        (Stand(kind="cavalry_brigade", stationary=True), 1, HILL, 0),
        (Stand(stationary=True), 1, FIELD_WORKS, 2),
        (Stand(), 0, TOWN, 1),
        (Stand(kind="infantry_skirmisher"), 0, VILLAGE, 1),
        (Stand(kind="cavalry_brigade"), 0, FORT, 1),
    ],
)
def test_higher_ground_and_shelter_RTG_MOR_04_05(stand: Stand, from_lower: int, kind: int, sum_: int) -> None:
    g = field(stand)
    assert morale.sum_modifiers(g, morale.defence_flags(g.u[0], from_lower, kind)) == sum_


def test_guns_meleed_by_cavalry_RTG_MOR_06() -> None:
    still = Stand(kind="artillery_battalion", stationary=True)
    assert charged(GUNS, HORSE) == charged(GUNS, HORSE, supported=1) == charged(still, HORSE) == -1
    assert charged(still, HORSE, supported=1) == 0
    assert charged(GUNS, FOOT) == 0


def test_foot_meleed_by_cavalry_unless_secure_RTG_MOR_07() -> None:
    assert charged(FOOT, HORSE) == charged(SKIRMISHERS, HORSE) == -1
    assert charged(FOOT, HORSE, secure=1) == 0
    assert charged(FOOT, MASSED) == 0 and charged(HORSE, HORSE) == 0


@pytest.mark.parametrize(
    ("stand", "melee", "fire"),
    [
        (MASSED, -1, -1),
        (FOOT, -2, -1),
        (HORSE, -1, -1),
        (Stand(kind="linear_cavalry"), -1, -1),
        (Stand(kind="infantry_brigade", form=r.ROAD_MARCH), -2, -1),
        (Stand(kind="linear_cavalry", form=r.ROAD_MARCH), -2, -1),
        (GUNS, -1, -1),
    ],
    ids=lambda value: value.kind if isinstance(value, Stand) else "",
)
def test_attacked_in_flank_or_rear_RTG_MOR_08_09(stand: Stand, melee: int, fire: int) -> None:
    g = field(stand)
    for edge in (r.FLANK, r.REAR):
        assert morale.sum_modifiers(g, morale.flank_flag(g, g.u[0], edge, 1)) == melee
        assert morale.sum_modifiers(g, morale.flank_flag(g, g.u[0], edge, 0)) == fire
    assert morale.flank_flag(g, g.u[0], r.FRONT, 1) == 0
    off = field(stand, options={"rear_contact_counts_as_flank_for_defender": "off"})
    assert morale.flank_flag(off, off.u[0], r.REAR, 1) == 0


def test_meleeing_an_enemy_in_his_flank_RTG_MOR_10() -> None:
    assert charging(FOOT, MASSED, r.FLANK) == charging(FOOT, MASSED, r.REAR) == 1
    assert charging(FOOT, MASSED) == 0


def test_close_order_against_skirmishers_RTG_MOR_11() -> None:
    assert charging(FOOT, SKIRMISHERS) == charging(HORSE, RIDERS) == 1
    assert charged(MASSED, RIDERS, secure=1) == 1
    assert charging(RIDERS, SKIRMISHERS) == 0


def test_at_guns_from_their_front_RTG_MOR_12() -> None:
    limbered = Stand(kind="artillery_battery", limbered=True)
    assert charging(FOOT, GUNS) == -1
    assert charging(FOOT, GUNS, r.FLANK) == 1
    assert charging(FOOT, limbered) == 0
    assert charging(FOOT, Stand(traits=("dedicated_gun",))) == 0, "a dedicated gun is none"


def test_heavier_cavalry_RTG_MOR_13() -> None:
    weights = [
        Stand(kind="firearm_cavalry"),
        Stand(kind="cavalry_brigade", weight="light"),
        Stand(kind="cavalry_brigade", weight="medium"),
        Stand(kind="cavalry_brigade", weight="heavy"),
    ]
    for i, one in enumerate(weights):
        for j, other in enumerate(weights):
            assert charging(one, other) == charged(one, other) == (-1 if i < j else 0)
        assert charging(FOOT, one) == 0


@pytest.mark.parametrize("nerve", range(-1, 9))
@pytest.mark.parametrize("auto", ["off", "on"])
def test_a_die_of_at_most_the_modified_morale_passes_RTG_MOR_02(nerve: int, auto: str) -> None:
    g = field(FOOT, options={"auto_pass_fail": auto})
    g.u[0].nerve = nerve
    for die in range(1, 7):
        throw(g, die)
        expected = die <= nerve
        if auto == "on" and die in (1, 6):
            expected = die == 1
        assert bool(morale.roll_check(g, 0)) is expected
