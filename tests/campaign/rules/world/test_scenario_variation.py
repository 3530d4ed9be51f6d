"""Arrivals by dice and alternative orders of battle."""

from dataclasses import replace

import pytest

from campaign.rules.world.scenario_variation import AlternativeChange, first_morning
from campaign.rules.world.settings import RuleSettings
from campaign.rules.world.world import UnitStatus, World
from campaign.scenarios.reading import read_scenario, scenario_path
from rosters.domain.dice import AddressedDice
from tests.factories.little_wars import battalion, day_dice, little_world, place, told, way


def war(**settings: object) -> World:
    """Rebels wait for a column of two battalions on day 20 and for levies of day 30 to 40."""
    world = little_world(
        [place("a"), place("b")],
        [way("a", "b", 9)],
        {"reds": ("crown", "a", 1), "blues": ("rebel", "b", 1)},
        settings=RuleSettings.from_json(dict(settings)),
    )
    due = {"status": UnitStatus.EXPECTED, "home": "b"}
    late = [battalion(key, "rebel", "blues", arrives=20, **due) for key in ("morgan", "poor")]
    late.append(battalion("levy", "rebel", "levies", arrives=30, departs=40, **due))
    return replace(world, units={**world.units, **{unit.id: unit for unit in late}})


def thrown(world: World, **values: int) -> AddressedDice:
    dice = day_dice(world)
    entered = {}
    for name, value in values.items():
        rule, subject, index = {
            "late": ("HR-ARR-02", "blues/20/b", 0),
            "early": ("HR-ARR-02", "blues/20/b", 1),
            "alternative": ("HR-ARR-03", "kept", 0),
        }[name]
        entered[dice.address(rule, subject, index)] = value
    return AddressedDice(b"a little war", "test", 1, 0, entered)


def test_dated_arrivals_and_no_alternatives_leave_the_world_as_it_is():
    result = first_morning(war(), (AlternativeChange("kept", 5, "morgan", points=0),), day_dice(war()))
    assert result.world == war() and result.events == ()


@pytest.mark.parametrize(
    ("late", "early", "day"), [(6, 1, 30), (1, 6, 10), (3, 3, 20), (4, 3, 22), (2, 3, 18)]
)
def test_a_column_comes_together_early_or_late_hr_arr_02(late, early, day):
    world = war(arrivals="diced")
    result = first_morning(world, (), thrown(world, late=late, early=early))
    assert {result.world.units[key].arrives for key in ("morgan", "poor")} == {day}
    events = told(result.events, "date_settled")
    assert {event.sides for event in events} == {()} and len(events) == 2


def test_a_term_of_service_moves_with_its_beginning_hr_arr_02():
    world = war(arrivals="diced", arrival_spread_days=100)
    levy = first_morning(world, (), day_dice(world)).world.units["levy"]
    assert levy.departs == levy.arrives + 10
    assert 1 <= levy.arrives < world.theatre.days


@pytest.mark.parametrize(("die", "comes"), [(1, True), (2, True), (3, False), (6, False)])
def test_an_alternative_comes_about_on_its_chance_hr_arr_03(die, comes):
    world = war(alternatives=True)
    changes = (
        AlternativeChange("kept", 2, "morgan", points=0),
        AlternativeChange("kept", 2, "poor", points=60, arrives=25, home="a"),
    )
    units = first_morning(world, changes, thrown(world, alternative=die)).world.units
    assert ("morgan" not in units) == comes
    poor = units["poor"]
    assert (poor.points, poor.arrives, poor.home) == ((60, 25, "a") if comes else (100, 20, "b"))


def test_the_alternatives_of_saratoga_name_units_of_their_own_side():
    scenario = read_scenario(scenario_path("saratoga-1777"))
    assert {change.alternative for change in scenario.alternatives} == {
        "morgan_kept", "glover_highlands", "clinton_sooner",
    }  # fmt: skip
    for change in scenario.alternatives:
        assert scenario.world.units[change.unit].status is UnitStatus.EXPECTED
    settings = replace(scenario.world.settings, alternatives=True, arrivals="diced")
    world = replace(scenario.world, settings=settings)
    one = first_morning(world, scenario.alternatives, day_dice(world))
    assert one == first_morning(world, scenario.alternatives, day_dice(world))
    assert len(told(one.events, "alternative")) == 3 and told(one.events, "date_settled")


def test_a_term_of_service_moves_with_an_alternative_date_hr_arr_03():
    world = war(alternatives=True)
    sooner = AlternativeChange("kept", 6, "levy", arrives=20)
    levy = first_morning(world, (sooner,), thrown(world, alternative=1)).world.units["levy"]
    assert (levy.arrives, levy.departs) == (20, 30)
