"""Modifiers of morale as they are found on the table, and the danger zone."""

from typing import Any

import pytest

from battles.rulesets.volley_bayonet import danger, morale
from battles.rulesets.volley_bayonet import records as r
from tests.battles.rulesets.volley_bayonet.checks.morale import attack
from tests.battles.rulesets.volley_bayonet.forces import (
    Leader,
    Stand,
    entrench,
    field,
    raise_ground,
    throw,
)


def met(*, target: dict[str, Any], charger: dict[str, Any] | None = None, **more: Any) -> Any:
    """Stand 0 charged by stand 1, five inches from in front of it; the record."""
    depth = 2.25 if target.get("kind") in ("Fd", "Lt") else 1.5
    foe = {"y": 20.0 + depth, "x": 30.0} | (charger or {})
    g = field(Stand(0, **({"face": 0} | target)), Stand(1, **foe), **more)
    attack(g, 1, 0)
    return g


def test_higher_ground_helps_who_stands_still_on_it_VBW_MOR_11_VBW_DEF_16() -> None:
    for still, flags in ((True, morale.HIGHER), (False, 0)):
        g = met(target={"stationary": still})
        raise_ground(g, 20, 1, y=(19, 21))
        assert morale.charged_flags(g, 0, 1) == flags
    level = met(target={"stationary": True})
    raise_ground(level, 20, 1, y=(10, 40))
    attack(level, 1, 0)
    assert morale.charged_flags(level, 0, 1) == 0


def test_a_chargers_contour_is_that_of_his_front_where_he_began_VBW_MOR_11_VBW_DEF_16() -> None:
    g = met(target={"stationary": True})
    raise_ground(g, 20, 1, y=(19, 26))  # his front began at 25.75, his middle at 26.5
    attack(g, 1, 0)
    assert morale.charged_flags(g, 0, 1) == 0


def test_a_gun_counts_by_where_it_stands_now_VBW_MOR_11_VBW_MOR_12_VBW_DEF_16() -> None:
    g = field(Stand(0, stationary=True), Stand(1, kind="Lt", y=30.0))
    raise_ground(g, 20, 1, y=(19, 32))
    entrench(g, 20.9)
    g.u[1].from_y, g.u[1].from_height = 45.0, 0
    assert morale.threat_flags(g, 0, 1) == morale.WORKS, "it has come up on to the same contour"
    g.u[1].from_y, g.u[1].y, g.u[1].face = 45.0, 10.0, 0
    assert morale.threat_flags(g, 0, 1) == morale.HIGHER, "it has gone round the works"


def test_works_help_those_behind_them_VBW_MOR_12() -> None:
    g = met(target={})
    entrench(g, 20.8)
    assert morale.charged_flags(g, 0, 1) == morale.WORKS
    horse = met(target={"kind": "LC"}, charger={"kind": "FI"})
    entrench(horse, 20.8)
    assert morale.charged_flags(horse, 0, 1) == 0


def chain(rank: int, **more: Any) -> Leader:
    return Leader(0, rank, 36.0 - 1.5, 18.5, **more)


@pytest.mark.parametrize(
    ("leader", "helps"),
    [
        (chain(r.BRIGADE_COMMANDER, brigade=0), True),
        (chain(r.BRIGADE_COMMANDER, brigade=1), False),
        (chain(r.WING_COMMANDER), True),
        (chain(r.ARMY_COMMANDER), True),
        (chain(r.UNIT_COMMANDER, unit=0), False),
        (Leader(1, r.ARMY_COMMANDER, 34.5, 18.5), False),
    ],
)
def test_a_superior_helps_the_linked_stands_of_the_unit_he_touches_VBW_MOR_13(
    leader: Leader, helps: bool
) -> None:
    unit = [Stand(x=30.0 + 3 * k, unit="own", brigade=0, wing=0) for k in range(2)]
    far = Stand(x=50.0, unit="own", brigade=0, wing=0)
    g = field(*unit, far, Stand(x=36.5, y=24.0), leaders=(leader,))
    assert [morale.has_superior(g, i) for i in range(3)] == [helps, helps, False]


def test_skirmishers_are_easier_to_close_with_VBW_MOR_14() -> None:
    g = met(target={"abilities": ("detachments",), "form": r.SKIRMISH})
    assert morale.charger_flags(g, 1, 0) == morale.AT_SKIRMISHERS


def test_flank_and_rear_VBW_MOR_15_VBW_DEF_05() -> None:
    spots = {r.FRONT: (30.0, 21.5, 180), r.FLANK: (32.25, 20.0, 270), r.REAR: (30.0, 18.5, 0)}
    for edge, (x, y, face) in spots.items():
        g = met(target={}, charger={"x": x, "y": y, "face": face})
        # a flank charge begins behind the line of the front
        if edge == r.FLANK:
            g.u[1].from_y = 19.0
            g.u[1].edge = morale.find_edge_of_contact(g, 1, 0)
        assert g.u[1].edge == edge
        behind = edge != r.FRONT
        assert morale.charger_flags(g, 1, 0) == (morale.IN_THEIR_FLANK if behind else 0)
        assert morale.charged_flags(g, 0, 1) == (morale.FROM_FLANK if behind else 0)


def test_a_charge_from_before_the_front_meets_no_flank_VBW_DEF_05() -> None:
    g = met(target={}, charger={"x": 32.25, "y": 20.0, "face": 270})
    g.u[1].from_x, g.u[1].from_y = 36.0, 24.0
    assert morale.find_edge_of_contact(g, 1, 0) == r.FRONT


def test_skirmishers_and_stands_on_the_march_have_no_flank_VBW_DEF_05() -> None:
    for form in (r.SKIRMISH, r.ROAD_MARCH):
        g = met(target={"abilities": ("detachments",), "form": form}, charger={"y": 18.5, "face": 0})
        assert g.u[1].edge == r.FRONT


def test_contact_in_the_rear_may_be_read_as_no_flank_VBW_MOR_15() -> None:
    options = {"rear_contact_counts_as_flank_for_defender": "off"}
    g = met(target={}, charger={"y": 18.5, "face": 0}, options=options)
    assert (g.u[1].edge, morale.charged_flags(g, 0, 1)) == (r.REAR, 0)


def test_road_march_is_a_bad_time_to_be_attacked_VBW_MOR_16() -> None:
    g = met(target={"form": r.ROAD_MARCH})
    assert morale.charger_flags(g, 1, 0) == morale.AT_MARCHERS
    assert morale.charged_flags(g, 0, 1) == morale.MARCHING
    assert morale.sum_modifiers(g, morale.AT_MARCHERS) == 1
    assert morale.sum_modifiers(g, morale.MARCHING) == -2


def test_disorder_counts_once_whatever_the_markers_VBW_MOR_17() -> None:
    for state in (r.DISORDERED, r.PERMANENT, r.ROUTED):
        g = field(Stand(state=state))
        assert morale.nerve_of(g, 0, 0) == 4
    g = field(Stand(state=r.ROUTED), options={"routed_also_counts_disordered_modifier": "off"})
    assert morale.nerve_of(g, 0, 0) == 5


def test_cavalry_shies_at_heavier_cavalry_VBW_MOR_18_VBW_ABL_06_VBD_MOR_05() -> None:
    for scale, flags in (("vb_wing", morale.AT_HEAVIER), ("vb_division", 0)):
        g = met(target={"kind": "LC"}, charger={"kind": "MC"}, scale=scale)
        assert morale.charged_flags(g, 0, 1) == flags
        assert morale.charger_flags(g, 1, 0) == 0
        lighter = met(target={"kind": "MC"}, charger={"kind": "MI"}, scale=scale)
        assert morale.charger_flags(lighter, 1, 0) == flags


def test_guns_are_feared_from_their_front_VBW_MOR_19() -> None:
    assert morale.charger_flags(met(target={"kind": "Fd"}), 1, 0) == morale.AT_GUNS
    for facts in ({"form": r.ROAD_MARCH}, {"state": r.ROUTED}):
        g = met(target={"kind": "Fd"} | facts)
        assert morale.charger_flags(g, 1, 0) & morale.AT_GUNS == 0


def test_guns_want_support_at_side_or_rear_VBW_MOR_20_VBW_DEF_15() -> None:
    for facts, supported in (
        ({"x": 32.25}, True),
        ({"x": 30.0, "y": 17.75}, True),
        ({"x": 32.25, "state": r.DISORDERED}, False),
        ({"x": 32.25, "face": 90}, False),
        ({"x": 33.0}, False),
        ({"x": 32.25, "kind": "LC"}, False),
    ):
        g = field(Stand(kind="Fd"), Stand(**facts))
        assert bool(morale.is_supported(g, 0)) is supported, facts


def test_foot_dreads_horse_that_charges_it_VBW_MOR_21() -> None:
    for facts in ({}, {"abilities": ("detachments",), "form": r.SKIRMISH}, {"abilities": ("native",)}):
        g = met(target=facts, charger={"kind": "LC"})
        assert morale.charged_flags(g, 0, 1) & morale.BY_HORSE
    assert morale.charger_flags(met(target={"kind": "LC"}), 1, 0) == 0


def test_routed_stands_that_are_caught_VBW_MOR_22() -> None:
    g = met(target={"state": r.ROUTED})
    assert morale.nerve_of(g, 0, morale.charged_flags(g, 0, 1)) == 5 - 3 - 1


def test_the_danger_zone_is_a_strip_before_the_barrel_VBW_MOR_02_VBD_MOR_02() -> None:
    for x, y, inside in ((30.0, 20.0, True), (33.4, 20.0, True), (33.6, 20.0, False), (30.0, 28.3, False)):
        g = field(Stand(kind="Fd", y=10.0), Stand(1, x=x, y=y))
        assert bool(danger.depth_of_zone(g, 0, 1) >= 0.0) is inside, (x, y)


def test_formed_stands_screen_and_skirmishers_do_not_VBW_MOR_02() -> None:
    for form, screened in ((r.FORMED, True), (r.SKIRMISH, False)):
        between = Stand(1, y=16.0, abilities=("detachments",), form=form)
        g = field(Stand(kind="Fd", y=10.0), Stand(1, y=20.0), between)
        assert bool(danger.is_screened(g, 0, 1)) is screened


def test_guns_limbered_routed_or_left_have_no_zone_VBW_MOR_02() -> None:
    for facts in ({"form": r.ROAD_MARCH}, {"state": r.ROUTED}):
        assert not danger.commands_zone(field(Stand(kind="Fd", **facts)).u[0])
    g = field(Stand(kind="Fd"))
    assert danger.commands_zone(g.u[0])
    g.u[0].guns_gone = 1
    assert not danger.commands_zone(g.u[0])


def test_the_sum_of_all_that_applies_VBW_MOR_10() -> None:
    g = field(Stand())
    assert morale.sum_modifiers(g, (1 << morale.ENTRIES) - 1) == sum(g.t.morale) == -6


def test_the_fence_test_is_strictly_below_current_morale_VBW_TER_21_VBD_TER_14() -> None:
    g = field(Stand(kind="LC", morale=4))
    for die, holds in ((3, True), (4, False)):
        throw(g, die)
        assert bool(morale.fence_holds(g, 0)) is holds
