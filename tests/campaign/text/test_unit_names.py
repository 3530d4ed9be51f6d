"""What units are called: arm, nation and kind, how they stand."""

from dataclasses import replace

import pytest

from campaign.rules.world.world import Unit, UnitStatus
from campaign.text.place_names import names_of
from campaign.text.unit_names import arm_words, kind_words, state_words
from rosters.domain.vocabulary import GunClass, Nation, TroopType

UNIT = Unit("u", "A unit", "crown", Nation.BRITISH, TroopType.BRITISH_LINE, 100, "f")


@pytest.mark.parametrize(
    ("nation", "kind", "arm", "text"),
    [
        (Nation.BRITISH, TroopType.BRITISH_LINE, "foot", "British line"),
        (Nation.GERMAN, TroopType.EUROPEAN_GRENADIERS, "foot", "German grenadiers"),
        (Nation.BRITISH, TroopType.BRITISH_LIGHT_INFANTRY, "light foot", "British light infantry"),
        (Nation.CONTINENTAL, TroopType.CONTINENTAL_LINE, "foot", "Continental line"),
        (Nation.AMERICAN_MILITIA, TroopType.MILITIA, "foot", "American militia"),
        (Nation.LOYALIST, TroopType.RANGERS, "light foot", "Loyalist rangers"),
        (Nation.NATIVE, TroopType.INDIANS, "light foot", "Native warriors"),
        (Nation.GERMAN, TroopType.EUROPEAN_LIGHT_CAVALRY, "horse", "German light cavalry"),
        (Nation.BRITISH, TroopType.WAGON, "train", "British wagon"),
    ],
)
def test_arm_and_kind(nation, kind, arm, text):
    unit = replace(UNIT, nation=nation, troop_type=kind)
    assert (arm_words(unit), kind_words(unit)) == (arm, text)


def test_guns_say_their_class_and_poor_militia_that_it_is_poor():
    guns = replace(UNIT, troop_type=TroopType.EUROPEAN_ARTILLERY, gun_class=GunClass.MEDIUM)
    assert (arm_words(guns), kind_words(guns)) == ("guns", "British artillery, medium")
    poor = replace(UNIT, nation=Nation.LOYALIST, troop_type=TroopType.MILITIA, poor_militia=True)
    assert kind_words(poor) == "Loyalist militia, poor"


def test_states_have_their_dates(world):
    names = names_of(world)
    expected = replace(UNIT, status=UnitStatus.EXPECTED, arrives=10, home="quebec")
    assert state_words(expected, world, names) == "expected on 25 June at Quebec"
    late = replace(expected, arrives=0)
    assert "no word of it yet" in state_words(late, world, names)
    assert state_words(replace(UNIT, departs=30), world, names) == "serves until 15 July"
    gone = replace(UNIT, status=UnitStatus.SURRENDERED, since=5)
    assert state_words(gone, world, names) == "in captivity since 20 June"
    assert state_words(UNIT, world, names) == ""
