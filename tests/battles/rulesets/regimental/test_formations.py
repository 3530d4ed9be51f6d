"""Formations, who may use them, and changing them (REG-UNI-04, REG-SPC, REG-TRP-01 to 04, REG-DEF-01)."""

import pytest

from battles.rulesets.regimental import formations, passing
from battles.rulesets.regimental import records as r
from battles.rulesets.regimental.fire import target_modifier
from battles.rulesets.regimental.footprints import ranks_of
from battles.rulesets.regimental.states import lose_stands
from tests.battles.rulesets.regimental.forces import Unit, field, paint

FORMS = {
    "line": r.LINE,
    "field column": r.FIELD_COLUMN,
    "extended line": r.EXTENDED,
    "mass": r.MASS,
    "march column": r.MARCH_COLUMN,
    "dismounted": r.DISMOUNTED,
}


def allowed(unit: Unit, year: int = 1777) -> set[str]:
    """Names of the formations a unit may use."""
    g = field(unit, options={"year": year})
    return {name for name, form in FORMS.items() if formations.may_form(g, g.u[0], form)}


def test_foot_and_horse_have_their_formations_REG_UNI_04() -> None:
    assert allowed(Unit()) == {"line", "field column", "extended line", "mass", "march column"}
    horse = {"line", "field column", "extended line", "march column", "dismounted"}
    assert allowed(Unit(class_=r.HORSE, stands=3)) == horse
    assert allowed(Unit(gun="light gun", stands=2)) == set()


def test_hessians_but_jaegers_have_no_extended_line_REG_SPC_01() -> None:
    assert "extended line" not in allowed(Unit(nation=r.HESSIAN))
    assert "extended line" in allowed(Unit(nation=r.HESSIAN, marksmen=True, weapon=r.RIFLE))


def test_marksmen_form_no_line_REG_SPC_02() -> None:
    assert "line" not in allowed(Unit(marksmen=True, weapon=r.RIFLE))


def test_militia_has_no_field_column_REG_SPC_03() -> None:
    assert "field column" not in allowed(Unit(militia=True))


@pytest.mark.parametrize(("year", "may"), [(1776, False), (1777, True)])
def test_continentals_have_field_column_from_1777_REG_SPC_04(year: int, may: bool) -> None:
    assert ("field column" in allowed(Unit(continental=True), year)) == may


def test_indians_use_three_formations_REG_SPC_05() -> None:
    assert allowed(Unit(nation=r.INDIAN)) == {"extended line", "march column", "mass"}


@pytest.mark.parametrize(
    ("stands", "wide", "deep"), [(1, 1, 1), (2, 2, 1), (4, 2, 2), (5, 3, 2), (7, 3, 3), (10, 4, 3)]
)
def test_mass_is_as_square_as_can_be_REG_SPC_06(stands: int, wide: int, deep: int) -> None:
    assert ranks_of(stands, r.MASS) == (wide, deep, wide)


@pytest.mark.parametrize(
    ("form", "front", "depth"),
    [
        (r.LINE, 4.0, 0.5),
        (r.FIELD_COLUMN, 1.0, 2.0),
        (r.MARCH_COLUMN, 0.5, 4.0),
        (r.EXTENDED, 7.5, 0.5),
        (r.MASS, 1.5, 1.5),
    ],
)
def test_rectangles_of_eight_stands_REG_UNI_04_REG_DEF_01(form: int, front: float, depth: float) -> None:
    u = field(Unit(form=form)).u[0]
    assert (2 * u.half_width, 2 * u.half_depth) == (front, depth)


def test_a_unit_is_smaller_with_every_stand_lost_REG_DEF_01() -> None:
    g = field(Unit())
    lose_stands(g, 0, 3)
    assert (g.u[0].stands, g.u[0].lost, 2 * g.u[0].half_width) == (5, 3, 2.5)


def test_tardy_troops_change_only_to_what_fights_REG_TRP_04() -> None:
    may = {name for name, form in FORMS.items() if formations.may_change_to(form, r.MAY_BE_TARDY)}
    assert may == {"line", "extended line", "mass"}
    assert all(formations.may_change_to(form, r.MAY_BE_WELL) for form in FORMS.values())
    assert not formations.may_change_to(r.LINE, r.FIRE_ONLY)


def test_raw_troops_are_disordered_by_changing_on_hard_ground_REG_TRP_02() -> None:
    for ground, rating, order in (
        ("woods", r.RAW, r.DISORDERED),
        ("orchard", r.RAW, r.DISORDERED),
        ("open", r.RAW, r.GOOD),
        ("woods", r.TRAINED, r.GOOD),
    ):
        g = field(Unit(rating=rating, form=r.MARCH_COLUMN))
        paint(g, ground)
        assert formations.change_formation(g, 0, r.LINE)
        assert g.u[0].order_ == order, (ground, rating)


def test_a_change_needs_room_REG_TRP_01_REG_DEF_05() -> None:
    g = field(Unit(form=r.MARCH_COLUMN), Unit(x=32.0, stands=2))
    assert not formations.change_formation(g, 0, r.LINE)
    assert g.u[0].form == r.MARCH_COLUMN


@pytest.mark.parametrize(
    ("one", "two", "ground", "order"),
    [
        (Unit(), Unit(y=22), "open", r.GOOD),
        (Unit(rating=r.RAW), Unit(y=22), "open", r.DISORDERED),
        (Unit(), Unit(y=22, order=r.DISORDERED), "open", r.DISORDERED),
        (Unit(), Unit(y=22), "woods", r.DISORDERED),
    ],
)
def test_passage_of_lines_disorders_both_REG_TRP_03(one: Unit, two: Unit, ground: str, order: int) -> None:
    g = field(one, two)
    paint(g, ground)
    passing.pass_lines(g, 0, 1)
    assert [int(g.u[i].order_) for i in range(2)] == [order, order]
    # and the enemy's fire finds them the easier
    assert target_modifier(g, 0, False, False, 30.0, 60.0) == 1 - (ground == "woods")


def test_guns_limber_and_unlimber_where_they_stand_REG_GUN_01_REG_DEF_01() -> None:
    g = field(Unit(gun="light gun", stands=2))
    half = float(g.u[0].half_width)
    formations.toggle_limber(g, 0)
    assert (g.u[0].form, g.u[0].half_width) == (r.LIMBERED, half)
    formations.toggle_limber(g, 0)
    assert g.u[0].form == r.UNLIMBERED
