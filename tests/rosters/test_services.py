"""Importing an order of battle writes all units or none."""

import pytest
from pytest_django import DjangoAssertNumQueries

from rosters.importing import RosterErrors
from rosters.models import Formation, OrderOfBattle, Side, Unit
from rosters.services import order_of_battle_import

pytestmark = pytest.mark.django_db

HEADER = "id,name,side,nation,troop_type,gun_class,points,formation\n"
GRENADIERS = "br_gren,Grenadiers,crown,british,british_grenadiers,,100,advanced_corps\n"
STARK = "nh_stark,Stark's militia,rebel,american_militia,militia,,110,starks_brigade\n"


@pytest.fixture
def bennington() -> OrderOfBattle:
    order_of_battle = OrderOfBattle.objects.create(title="Bennington")
    for slug, name in (("crown", "Crown"), ("rebel", "United States")):
        Side.objects.create(order_of_battle=order_of_battle, slug=slug, name=name, colour="#444444")
    return order_of_battle


def test_units_and_new_formations_are_written(bennington: OrderOfBattle) -> None:
    assert order_of_battle_import(order_of_battle=bennington, data=HEADER + GRENADIERS + STARK) == 2
    stark = Unit.objects.select_related("side", "formation").get(slug="nh_stark")
    assert (stark.side.slug, stark.points, stark.strength_points, stark.status) == (
        "rebel",
        110,
        6,
        "present",
    )
    assert (stark.formation.slug, stark.formation.name) == ("starks_brigade", "Starks brigade")


def test_a_formation_that_is_there_is_used(bennington: OrderOfBattle) -> None:
    order_of_battle_import(order_of_battle=bennington, data=HEADER + GRENADIERS)
    more = GRENADIERS.replace("br_gren", "br_light")
    order_of_battle_import(order_of_battle=bennington, data=HEADER + more)
    assert Formation.objects.get(slug="advanced_corps").units.count() == 2


@pytest.mark.parametrize(
    ("row", "column"),
    [
        (GRENADIERS, "id"),
        (GRENADIERS.replace("br_gren", "x").replace("crown", "tory"), "side"),
        (GRENADIERS.replace("br_gren", "x").replace("crown", "rebel"), "formation"),
        (GRENADIERS.replace("br_gren", "x").replace("100", "121"), "points"),
    ],
)
def test_nothing_is_written_unless_every_row_is_valid(
    bennington: OrderOfBattle, row: str, column: str
) -> None:
    order_of_battle_import(order_of_battle=bennington, data=HEADER + GRENADIERS)
    with pytest.raises(RosterErrors) as refused:
        order_of_battle_import(order_of_battle=bennington, data=HEADER + STARK + row)
    assert [(error.row, error.column) for error in refused.value.errors] == [(3, column)]
    assert list(Unit.objects.values_list("slug", flat=True)) == ["br_gren"]
    assert not Formation.objects.filter(slug="starks_brigade").exists()


def test_queries_do_not_grow_with_the_rows(
    bennington: OrderOfBattle, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    text = HEADER + "".join(STARK.replace("nh_stark", f"nh_{number}") for number in range(1500))
    with django_assert_max_num_queries(12):
        assert order_of_battle_import(order_of_battle=bennington, data=text) == 1500
