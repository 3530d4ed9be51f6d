"""Battles that fall away: who is told, and what is kept of them (HR-CAL-14)."""

import json

import pytest

from campaign.rules.army.leaders import GeneralLoss
from campaign.rules.contact.casualties import UnitLoss
from campaign.rules.contact.contact import Settlement
from campaign.rules.umpire.battle_corrections import Annul, Annulled
from campaign.rules.umpire.correction_effects import act_apply
from campaign.rules.umpire.corrections import act_from_json, act_to_json
from campaign.rules.world.world import World
from campaign.rules.world.world_json import world_hash
from campaign.text.event_sentences import narrate
from campaign.text.place_names import names_of
from tests.factories.little_wars import little_world, place, way

WHY = "the days that had run on began from another morning"
RESULT = Settlement(
    "d1/albany/1",
    "crown",
    (UnitLoss("gates_1", 4, 2, 1), UnitLoss("baum_1", 4, 0)),
    "table",
    generals=(GeneralLoss("poor", "Poor", "rebel", "wounded"),),
)
FOUGHT = Annulled("d1/albany/1", 1, 600, "crown", "rebel", "albany", settlement=RESULT)


@pytest.fixture
def world() -> World:
    return little_world(
        [place("albany"), place("saratoga")],
        [way("albany", "saratoga", 30)],
        {"gates": ("rebel", "albany", 3), "baum": ("crown", "saratoga", 2)},
    )


def test_it_is_json_and_back_and_leaves_the_world_hr_cal_14(world):
    act = Annul((FOUGHT, Annulled("d2/x/1", 2, 700, "rebel", "crown", route="albany--saratoga--road")))
    stored = json.loads(json.dumps(act_to_json(act)))
    assert stored == act_to_json(act)  # so that an act done twice is known as the same
    assert act_from_json(stored) == act
    assert world_hash(act_apply(world, act, WHY).world) == world_hash(world)


def test_both_sides_read_that_and_why_and_the_umpire_the_result_hr_cal_14(world):
    told, kept = act_apply(world, Annul((FOUGHT,)), WHY).events
    assert (told.kind, told.sides, kept.kind, kept.sides) == (
        "battle_annulled", ("crown", "rebel"), "result_kept", (),
    )  # fmt: skip
    sentence = narrate(told, names_of(world))
    assert "on day 2 falls away" in sentence and WHY in sentence
    assert "lost" not in json.dumps(dict(told.data))
    result = narrate(kept, names_of(world))
    name = world.units["gates_1"].name
    assert f"{name} 2 SP lost, 1 captured" in result and "Poor wounded" in result
    assert world.units["baum_1"].name not in result  # it lost nothing


def test_a_battle_nobody_had_settled_leaves_no_result_hr_cal_14(world):
    (told,) = act_apply(world, Annul((Annulled("d1/x/1", 1, 600, "crown", "rebel", "albany"),)), WHY).events
    assert told.data["settled"] == 0
