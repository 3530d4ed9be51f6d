"""Worlds as canonical JSON: written at once, row by row or out of what stood before, it is the same."""

from dataclasses import replace

import pytest

from campaign.rules.umpire import correction_effects
from campaign.rules.umpire.correction_effects import act_apply
from campaign.rules.umpire.corrections import Add, PlaceFormation, Reinforce, Rename, Rumour, SetWeather
from campaign.rules.world.markers import Position
from campaign.rules.world.world_json import (
    Texts,
    text_hash,
    to_canonical_json,
    world_hash,
    world_text,
    world_to_json,
)

#: As orders and names of older releases may hold; today none of it comes in.
ODD = '“Québec” \\ "line"\n\r\t\b\f\x00\x1f\x7f\u2028\ufeff\U0001f341é=\''


@pytest.mark.django_db
def test_worlds_that_follow_one_another_have_the_text_of_each(world, monkeypatch):
    monkeypatch.setattr(correction_effects, "name_fault", lambda name, longest: "")
    units = list(world.units.values())
    acts = [
        Reinforce(units[0].id, -1),
        Rename("unit", units[1].id, ODD),
        Rename("formation", units[1].formation, ODD),
        Rumour("crown", ODD),
        Add("new_1", ODD, "rebel", "continental", "continental_line", 60, "new", formation_name=ODD,
            place="albany"),
        PlaceFormation("new", Position(place="valcour_island")),
        SetWeather(3, "storm"),
        Reinforce(units[0].id, 1),
        Rename("unit", units[1].id, units[1].name),
    ]  # fmt: skip
    texts = Texts()
    worlds = [world]
    for act in acts:
        worlds.append(act_apply(worlds[-1], act, "Why.").world)
    worlds += [
        replace(world, away={ODD: 3}, pools={"british/line": 2**40}, ended=True, warriors={"b": -3, "a": 0}),
        world,
    ]
    for each in worlds:
        plain = to_canonical_json(world_to_json(each))
        assert world_text(each, texts) == world_text(each) == plain
        assert text_hash(plain) == world_hash(each)
    assert len({world_hash(each) for each in worlds}) == len(worlds) - 1
