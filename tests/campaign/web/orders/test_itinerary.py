"""A previewed march in words: forced days, days without rest, and what they may cost."""

from dataclasses import replace
from fractions import Fraction

import pytest

from campaign.fog.visibility import map_view, viewer_of
from campaign.rules.world.world import Order, Position, World
from campaign.selectors.orders.fatigue_warnings import add_fatigue_warnings
from campaign.selectors.orders.orders import SidePapers, formation_orders
from campaign.selectors.orders.preview import OrderPreview, PreviewDay, boat_choice, order_preview
from campaign.text.place_names import names_of, position_text
from campaign.web.orders.itinerary import build_itinerary

LOSS = "about 0.6 SP (12 points), in bad weather about 1.2 SP (25 points)"
FORCED = f"Forced, 50 % over a normal day: expect to lose {LOSS}."
UNRESTED = (
    "Day 5 of marching without rest: each unit rolls as for a forced march, so expect to lose "
    f"{LOSS}. A day of rest avoids it."
)


def march_day(world: World, **values) -> PreviewDay:
    position = world.formations["advanced_corps"].position
    day = PreviewDay(0, position, 50, "AWI-C-MAR-01", Fraction(12), Fraction(25))
    return replace(day, **values)


def shown(world: World, names, *days: PreviewDay):
    start = world.formations["advanced_corps"].position
    return build_itinerary(OrderPreview(Order("advanced_corps"), start, days=days), world, names)


@pytest.fixture
def names(world):
    return names_of(world)


@pytest.mark.parametrize(
    ("values", "risk", "rule"),
    [
        pytest.param({}, FORCED, "AWI-C-MAR-01", id="AWI-C-MAR-01 forced"),
        pytest.param(
            {"percent_over": 1, "unrested": 5}, UNRESTED, "HR-MAR-05, AWI-C-MAR-01", id="HR-MAR-05 unrested"
        ),
        pytest.param({"rule": ""}, "", "", id="normal"),
        pytest.param({"points": 0}, "Forced, 50 % over a normal day.", "AWI-C-MAR-01", id="trains forced"),
        pytest.param({"points": 0, "unrested": 5}, "", "", id="HR-MAR-05 trains unrested"),
    ],
)
def test_risk_of_a_day_in_words(world, names, values, risk, rule):
    (day,) = shown(world, names, march_day(world, **values)).days
    assert (day.risk, day.rule) == (risk, rule)


def test_losses_of_a_whole_march_are_added_up(world, names):
    day = march_day(world)
    assert shown(world, names, day).total == ""
    calm, train = replace(day, rule=""), replace(day, points=Fraction(0))
    march = shown(world, names, day, calm, train, replace(day, points=Fraction(1, 3)))
    lost = "about 0.6 SP (12 points), in bad weather about 2.5 SP (50 points), because the march is forced"
    assert march.total == f"In all expect to lose {lost}" and march.loss == f"Expect to lose {lost}"
    assert march.long and not shown(world, names, day, day, day).long


def test_hr_mar_05_a_folded_march_says_why_a_normal_day_costs_strength_and_what_avoids_it(world, names):
    calm, tired = march_day(world, rule=""), march_day(world, day=5, percent_over=1, unrested=5)
    march = shown(world, names, calm, calm, calm, calm, tired)
    assert march.long
    assert march.loss == f"Expect to lose {LOSS}, because 20 June would be day 5 of marching without rest"
    assert march.total == f"{march.loss}. A day of rest avoids it"
    both = shown(world, names, march_day(world), replace(tired, day=6, unrested=6))
    assert both.total.endswith(
        "because the march is forced and 21 June would be day 6 of marching without rest. "
        "A day of rest avoids it"
    )


def test_a_normal_days_march_after_too_many_is_told_as_want_of_rest(saratoga, world):
    """HR-MAR-05: within the normal day nothing is said of a forced march."""
    tired = replace(world.formations["advanced_corps"], marched=world.settings.rest_every_days - 1)
    world = replace(world, formations={**world.formations, tired.id: tired})
    preview = order_preview(
        campaign=saratoga, side="crown", order=Order(tired.id, ("crown_point",)), world=world
    )
    assert preview.days[0].unrested == world.settings.rest_every_days
    forced = order_preview(
        campaign=saratoga, side="crown", order=Order(tired.id, ("ticonderoga",), pace="double"), world=world
    )
    assert forced.days[0].unrested == 0 < forced.days[0].percent_over


def test_a_long_march_is_folded_up_and_says_where_it_ends(crown):
    data = {
        "formation": "advanced_corps",
        "destination": "albany",
        "pace": "normal",
        "stance": "give_battle",
    }
    text = crown.post("/campaigns/saratoga/orders/preview/", data).content.decode()
    assert "<summary>" in text and "days, to Albany on " in text
    assert "0 miles out of" not in text


def test_an_order_from_an_earlier_day_warns_of_want_of_rest_hr_mar_05(saratoga, burgoyne, world, names):
    """The march goes on by itself, so nobody sees the form's preview; a halt or a fresh column is quiet."""
    every = world.settings.rest_every_days
    viewer = viewer_of(burgoyne, saratoga)

    def warned(marched: int, *via: str) -> str:
        order = Order("advanced_corps", via)
        tired = replace(world.formations[order.formation], marched=marched, order=order)
        moved = replace(world, formations={**world.formations, tired.id: tired})
        rows = formation_orders(viewer, map_view(viewer, moved), names, SidePapers())
        return {row.seen.id: row.tired for row in add_fatigue_warnings(rows, moved, saratoga)}[
            order.formation
        ]

    assert warned(every + 2, "crown_point").startswith(f"Day {every + 3} of marching without rest: about ")
    assert warned(0, "crown_point") == warned(every + 2) == ""


def test_hr_mar_05_rest_a_day_then_march_is_laid_out_as_the_turn_plays_it(saratoga, world, names):
    """One day later, the rest named in the list, the map's bar and its line, and no cost for want of rest."""
    tired = replace(world.formations["advanced_corps"], marched=world.settings.rest_every_days - 1)
    world = replace(world, formations={**world.formations, tired.id: tired})

    def laid(activity: str) -> OrderPreview:
        order = Order(tired.id, ("crown_point",), activity=activity)
        return order_preview(campaign=saratoga, side="crown", order=order, world=world)

    march, rested = laid("march"), laid("rest")
    assert [(leg.day, leg.minute) for leg in rested.legs] == [(leg.day + 1, leg.minute) for leg in march.legs]
    assert rested.days[0] == PreviewDay(0, tired.position, 0, "", Fraction(0), Fraction(0), rests=True)
    assert [day.day for day in rested.days] == list(range(len(march.days) + 1))
    assert march.days[0].unrested and not any(day.unrested or day.points for day in rested.days)
    shown = build_itinerary(rested, world, names)
    assert shown.days[0].rest == f"rests {position_text(tired.position, names)}" and not shown.loss
    assert shown.way.startswith("After a day of rest, by ") or shown.way.startswith(
        "After a day of rest, to "
    )
    assert shown.marks[0]["word"] == "15 June, rests" and shown.marks[0]["kind"] == "night"
    assert not any(day.rest for day in build_itinerary(march, world, names).days)


def test_the_form_shows_the_day_of_rest_before_the_march(crown):
    data = {
        "formation": "advanced_corps", "activity": "rest", "destination": "albany",
        "pace": "normal", "stance": "give_battle",
    }  # fmt: skip
    text = crown.post("/campaigns/saratoga/orders/preview/", data).content.decode()
    assert "15 June: rests at " in text
    assert "days, the first of rest, to Albany on " in text


def laid_out(saratoga, world, formation: str, *via: str, by_water: bool = False, **settings):
    """The march in words, of a column wherever it stands."""
    world = replace(world, settings=replace(world.settings, **settings))
    order = Order(formation, via, by_water=by_water)
    preview = order_preview(campaign=saratoga, side="crown", order=order, world=world)
    return build_itinerary(preview, world, names_of(world), boats=boat_choice(world, "crown", order))


def standing_at(world: World, place: str) -> World:
    """The Advanced Corps is at a place."""
    corps = replace(world.formations["advanced_corps"], position=Position(place=place))
    return replace(world, formations={**world.formations, corps.id: corps})


@pytest.mark.parametrize("by_water", [False, True])
def test_a_march_over_water_alone_says_so_whether_or_not_boats_are_ticked(saratoga, world, by_water):
    world = standing_at(world, "valcour_island")
    shown = laid_out(saratoga, world, "advanced_corps", "bouquet_river", by_water=by_water)
    assert shown.travel == "By boat all the way"
    assert shown.boats == "There is only water between, so the column goes in boats."


def test_a_march_by_land_alone_offers_no_boats(saratoga, world):
    shown = laid_out(saratoga, standing_at(world, "albany"), "advanced_corps", "bennington")
    assert shown.travel == "By land all the way"
    assert shown.boats == "There is no way by water, so the column marches by land."


def test_a_march_by_both_names_where_it_changes(saratoga, world):
    world = standing_at(world, "crown_point")
    shown = laid_out(saratoga, world, "advanced_corps", "ticonderoga", "diamond_island")
    assert shown.travel == (
        "By boat to Ticonderoga, then by land to Lake George Landing, then by boat to Diamond Island"
    )


def test_hr_boa_02_counted_boats_are_a_choice_where_a_road_goes_there_too(saratoga, world):
    world = standing_at(world, "crown_point")
    assert laid_out(saratoga, world, "advanced_corps", "ticonderoga", boats="counted").boats == ""


def test_the_form_has_no_boats_to_tick_where_there_is_only_water(crown):
    data = {"destination": "valcour_island", "pace": "normal", "stance": "give_battle"}
    page = crown.post("/campaigns/saratoga/orders/preview/", {"formation": "advanced_corps", **data})
    assert 'id="boats-note" hx-swap-oob="true">' in page.content.decode()
    assert "By boat all the way, " in page.content.decode()
