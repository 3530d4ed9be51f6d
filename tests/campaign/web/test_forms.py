"""Forms shape input; refusals of the rules stand beside the field they are about."""

import re
from pathlib import Path
from typing import get_args

import pytest

from campaign.rules.errors import RuleViolation
from campaign.rules.world.world import Activity, Order
from campaign.selectors.battles.battles import Force, ForceUnit
from campaign.web.forms import WordForm
from campaign.web.orders.march_order_forms import ACTIVITY_CHOICES, AT_ROUTES, OrderForm, order_initial

ROOT = Path(__file__).resolve().parents[3]
FORMATIONS = [("fraser", "Advanced Corps"), ("riedesel", "German Reserve Corps")]
PLACES = [("castleton", "Castleton"), ("hubbardton", "Hubbardton"), ("rutland", "Rutland")]
SIDES = (
    Force(
        "crown", "The Crown", "madder", "attacks", (ForceUnit("br_24", "24th Foot", "british line", 4, 0),)
    ),
    Force(
        "rebel", "United States", "blue", "defends", (ForceUnit("ma_1", "Francis's", "continental", 5, 0),)
    ),
)


def order_form(**values: str) -> OrderForm:
    data = {"formation": "fraser", "pace": "normal", "stance": "give_battle", **values}
    return OrderForm(data, formations=FORMATIONS, places=PLACES)


def test_places_in_turn_end_with_the_destination():
    form = order_form(by_1="castleton", by_3="rutland", destination="hubbardton", light_order="on")
    assert form.is_valid(), form.errors
    assert form.order() == Order("fraser", ("castleton", "rutland", "hubbardton"), light_order=True)


def test_no_destination_is_a_halt():
    form = order_form()
    assert form.is_valid()
    assert form.order() == Order("fraser")


def test_a_way_without_a_destination_is_refused():
    form = order_form(by_1="castleton")
    assert not form.is_valid()
    assert "destination" in form.errors


def test_a_formation_that_is_not_offered_is_refused():
    form = order_form(formation="poors_brigade")
    assert not form.is_valid()
    assert "formation" in form.errors


@pytest.mark.parametrize(
    ("field", "shown"), [("via", "destination"), ("light_order", "light_order"), ("", "__all__")]
)
def test_violation_stands_beside_its_field(field, shown):
    form = order_form(destination="rutland")
    assert form.is_valid()
    form.refuse(RuleViolation("HR-MAR-02", "Guns cannot use the trail; go another way.", field))
    assert form.errors[shown] == ["Guns cannot use the trail; go another way. (HR-MAR-02)"]


def test_initial_shows_the_order_a_formation_is_under():
    order = Order("fraser", ("castleton", "rutland"), pace="double", stance="attack")
    initial = order_initial(order, "fraser")
    assert (initial["by_1"], initial["destination"], initial["pace"]) == ("castleton", "rutland", "double")
    assert order_initial(None, "fraser") == {"formation": "fraser"}


def test_word_by_percent_and_neither():
    form = WordForm({"field_held_by": "neither", "percent_crown": "10", "percent_rebel": "25"}, sides=SIDES)
    assert form.is_valid(), form.errors
    assert form.percent_lost() == {"crown": 10, "rebel": 25}
    assert form.find_holder() == ""


@pytest.mark.parametrize("activity", ["break_bridge", "repair_bridge", "lay_bridge", "obstruct"])
def test_work_on_a_route_names_it_hr_brg_04_hr_obs_01(activity):
    form = OrderForm(
        {"formation": "fraser", "activity": activity, "target": "a--b--road", "stance": "give_battle"},
        formations=FORMATIONS,
        places=PLACES,
        crossings=[("a--b--road", "ford on the road from A to B")],
    )
    assert form.is_valid(), form.errors
    assert form.order() == Order("fraser", activity=activity, target="a--b--road")


def test_every_activity_of_the_rules_is_offered():
    assert {name for name, _ in ACTIVITY_CHOICES} == set(get_args(Activity))


def test_the_order_form_shows_each_activity_its_fields():
    template = (ROOT / "templates/campaign/_orders.html").read_text(encoding="utf-8")
    target, stages = (
        set(re.search(pattern, template)[1].split())
        for pattern in (
            r'data-for="([^"]+)">{% include "[^"]+" with field=form.target',
            r'stages"[^>]*data-for="([^"]+)"',
        )
    )
    enemies = {"follow", "intercept"}
    assert target == enemies | set(AT_ROUTES)
    assert stages == set(get_args(Activity)) - enemies
