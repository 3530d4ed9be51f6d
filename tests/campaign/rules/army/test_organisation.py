"""Joining, detaching, transfers, commands: the records, their JSON, what is refused and what is done."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from campaign.rules.army.organisation import (
    Detach,
    Escort,
    Garrison,
    HandOver,
    Join,
    Organisation,
    Transfer,
    detachment_id,
    organisation_from_json,
    organisation_to_json,
    organise_formations,
    verify_organisation,
)
from campaign.rules.errors import RuleViolation
from campaign.rules.world.markers import General
from campaign.rules.world.world import Order, Position, World, present_units
from campaign.rules.world.world_json import world_hash
from rosters.domain.vocabulary import TroopType
from tests.campaign.rules.allowed import is_allowed
from tests.factories.little_wars import completed, day_dice, little_world, place, told, way

ACTS: list[Organisation] = [
    Detach(
        "fraser", ("fraser_1",), "fraser-d1", "Baum's detachment", "Baum", Order("fraser-d1", ("bennington",))
    ),
    Transfer(("fraser_2",), "powell"),
    Escort("fraser", "train"),
    Join("powell", "fraser"),
    Garrison("powell"),
    HandOver("fraser", "phillips"),
]


def camp() -> World:
    """Fraser, Powell and a train in one camp, Gall on the road, Gates far off."""
    world = little_world(
        (place("albany"), place("bennington"), place("castleton")),
        (way("albany", "bennington", 6), way("bennington", "castleton", 30)),
        {
            "fraser": ("crown", "albany", 3),
            "powell": ("crown", "albany", 2),
            "train": ("crown", "albany", 1),
            "gall": ("crown", "bennington", 1),
            "gates": ("rebel", "castleton", 2),
        },
    )
    wagon = replace(world.units["train_1"], troop_type=TroopType.WAGON, points=0)
    fraser = replace(world.formations["fraser"], marched=3, light_days=1, rations=30, leader="fraser_s")
    generals = {
        "fraser_s": General("Simon Fraser", "crown", "brigade", "fraser"),
        "phillips": General("William Phillips", "crown", "wing", "train"),
        "gall": General("Gall", "crown", "brigade", "gall"),
        "skene": General("Skene", "crown", "brigade", "fraser", "wounded"),
        "gates": General("Horatio Gates", "rebel", "army", "gates"),
    }
    return replace(
        world,
        units={**world.units, "train_1": wagon},
        formations={**world.formations, "fraser": fraser},
        generals=generals,
    )


@pytest.mark.parametrize("act", ACTS, ids=lambda act: type(act).__name__)
def test_hr_org_07_an_act_goes_through_json_and_is_done(act: Organisation) -> None:
    row = organisation_to_json(act)
    assert row["version"] == 1
    assert organisation_from_json(row) == act
    verify_organisation(camp(), act, "crown")
    assert is_allowed(verify_organisation, camp(), act)


@pytest.mark.parametrize(
    ("change", "rule", "field"),
    [
        ({"version": 2}, "HR-ORG-07", "version"),
        ({"version": True}, "HR-ORG-07", "version"),
        ({"kind": "march"}, "HR-ORG-07", "kind"),
        ({"kind": ["join"]}, "HR-ORG-07", "kind"),
        ({"into": 3}, "HR-ORG-07", "into"),
        ({"colour": "red"}, "HR-ORG-07", "colour"),
        ({"into": "x" * 201}, "HR-ORG-07", "into"),
        ({"kind": "balance"}, "AWI-C-OVR-02", "kind"),
    ],
)
def test_hr_ord_01_a_form_that_is_wrong_is_refused(change: dict[str, Any], rule: str, field: str) -> None:
    row = {**organisation_to_json(Join("powell", "fraser")), **change}
    with pytest.raises(RuleViolation) as refused:
        organisation_from_json(row)
    assert (refused.value.rule_id, refused.value.field) == (rule, field)


def test_hr_ord_01_a_form_with_a_gap_is_refused_and_so_is_what_is_no_form() -> None:
    row = organisation_to_json(Join("powell", "fraser"))
    with pytest.raises(RuleViolation, match="does not say into"):
        organisation_from_json({key: value for key, value in row.items() if key != "into"})
    for odd in (None, [], "join", 3):
        with pytest.raises(RuleViolation, match="JSON object"):
            organisation_from_json(odd)


@pytest.mark.parametrize(
    ("act", "rule", "field"),
    [
        (Join("gates", "fraser"), "HR-FOR-04", "formation"),
        (Join("fraser", "gates"), "HR-FOR-04", "into"),
        (Join("fraser", "fraser"), "HR-ORG-01", "into"),
        (Join("gall", "fraser"), "HR-ORG-01", "into"),
        (Detach("fraser", (), "fraser-d1", "X"), "HR-ORG-02", "units"),
        (Detach("fraser", ("powell_1",), "fraser-d1", "X"), "HR-ORG-02", "units"),
        (Detach("fraser", ("fraser_1", "fraser_1"), "fraser-d1", "X"), "HR-ORG-02", "units"),
        (Detach("fraser", ("fraser_1", "fraser_2", "fraser_3"), "fraser-d1", "X"), "HR-ORG-02", "units"),
        (Detach("fraser", ("fraser_1",), "gates-d1", "X"), "HR-ORG-02", "id"),
        (Detach("fraser", ("fraser_1",), "fraser-d1", " "), "HR-ORG-02", "name"),
        (Detach("fraser", ("fraser_1",), "fraser-d1", "X", "", Order("powell")), "HR-ORG-02", "order"),
        (
            Detach("fraser", ("fraser_1",), "fraser-d1", "X", "", Order("fraser-d1", ("atlantis",))),
            "HR-MAR-08",
            "via",
        ),
        (Transfer((), "fraser"), "HR-ORG-03", "units"),
        (Transfer(("gates_1",), "fraser"), "HR-ORG-03", "units"),
        (Transfer(("fraser_1",), "fraser"), "HR-ORG-03", "units"),
        (Transfer(("gall_1",), "fraser"), "HR-ORG-03", "units"),
        (Escort("fraser", "powell"), "HR-ORG-06", "wagons"),
        (Garrison("powell", on=False), "HR-ORG-05", "on"),
        (HandOver("fraser", "gates"), "HR-ORG-04", "leader"),
        (HandOver("fraser", "nobody"), "HR-ORG-04", "leader"),
        (HandOver("fraser", "skene"), "HR-ORG-04", "leader"),
        (HandOver("fraser", "fraser_s"), "HR-ORG-04", "leader"),
        (HandOver("fraser", "gall"), "HR-ORG-04", "leader"),
    ],
)
def test_an_act_is_refused_with_its_rule_and_field(act: Organisation, rule: str, field: str) -> None:
    with pytest.raises(RuleViolation) as refused:
        verify_organisation(camp(), act, "crown")
    assert (refused.value.rule_id, refused.value.field) == (rule, field)
    assert refused.value.message.endswith(".")


def test_hr_org_01_joining_hands_on_food_fatigue_and_generals() -> None:
    world, _ = organise_formations(camp(), [Join("fraser", "powell")])
    powell = world.formations["powell"]
    assert (powell.marched, powell.light_days, powell.rations, powell.leader) == (3, 1, 30, "fraser_s")
    assert world.formations["fraser"].position is None
    assert [unit.id for unit in present_units(world)["powell"]] == [
        "fraser_1", "fraser_2", "fraser_3", "powell_1", "powell_2",
    ]  # fmt: skip
    assert world.generals["fraser_s"].formation == "powell"


def test_hr_org_02_a_detachment_marches_off_with_its_own_order_and_does_not_rejoin() -> None:
    world = camp()
    key = detachment_id(world, "fraser")
    act = Detach("fraser", ("fraser_1",), key, "Baum's detachment", "Baum", Order(key, ("bennington",)))
    done = completed_with(world, act)
    baum = done.formations[key]
    assert baum.position == Position(place="bennington")
    assert (baum.name, baum.commander, baum.rations) == ("Baum's detachment", "Baum", 10)
    assert done.formations["fraser"].rations == 20
    assert detachment_id(done, "fraser") == "fraser-d2"
    stays = completed_with(world, replace(act, order=None))
    assert present_units(completed_with(stays))[key]


def completed_with(world: World, *acts: Organisation) -> World:
    return completed(world, {}, day_dice(world), organisation=acts).world


def test_hr_org_05_a_garrison_gives_up_its_march() -> None:
    world = camp()
    marching = replace(world.formations["powell"], order=Order("powell", ("bennington",)))
    world = replace(world, formations={**world.formations, "powell": marching})
    done = completed_with(world, Garrison("powell"))
    assert done.formations["powell"].garrison
    assert done.formations["powell"].position == Position(place="albany")
    freed = completed_with(done, Garrison("powell", on=False))
    assert not freed.formations["powell"].garrison


def test_hr_org_06_an_escort_marches_with_its_wagons() -> None:
    world = camp()
    done = completed(
        world,
        {"powell": Order("powell", ("bennington",))},
        day_dice(world),
        organisation=[Escort("powell", "train")],
    )
    assert done.world.units["train_1"].formation == "powell"
    (told_of,) = told(done.events, "escorted")
    assert told_of.sides == ("crown",)


def test_hr_org_07_what_has_become_impossible_is_told_to_its_owner() -> None:
    acts = [Join("gall", "fraser"), Join("nobody", "fraser"), Transfer(("fraser_1",), "gates")]
    world, events = organise_formations(camp(), acts)
    assert world_hash(world) == world_hash(camp())
    assert {event.kind for event in events} == {"organisation_refused"}
    assert [(event.formation, event.sides) for event in events] == [
        ("", ("crown",)),  # told to whose unit it is, not to who was to get it
        ("gall", ("crown",)),
        ("", ()),
    ]


def test_hr_org_07_a_paper_is_judged_among_the_others_that_stand() -> None:
    """Who is joined to another is no longer there to be handed over; a detachment frees its own units."""
    joins = Join("powell", "fraser")
    assert is_allowed(verify_organisation, camp(), HandOver("powell", "phillips"), "crown")
    assert not is_allowed(verify_organisation, camp(), HandOver("powell", "phillips"), "crown", [joins])
    detach = Detach("fraser", ("fraser_1",), "fraser-d1", "Baum")
    assert is_allowed(verify_organisation, camp(), Transfer(("fraser_1",), "powell"), "crown", [detach])


def test_story_3_two_wings_are_not_evened_out_in_midweek_AWI_C_OVR_02() -> None:
    """80 and 80 stay 80 and 80 whatever is ordered: no act moves points between units."""
    world = camp()
    wings = {key: replace(world.units[key], points=80) for key in ("fraser_1", "fraser_2")}
    world = replace(world, units={**world.units, **wings})
    with pytest.raises(RuleViolation) as refused:
        organisation_from_json(
            {"version": 1, "kind": "balance", "giver": "fraser_2", "receiver": "fraser_1", "points": 10}
        )
    assert refused.value.rule_id == "AWI-C-OVR-02"
    for act in ACTS:
        after, _ = organise_formations(world, [act])
        assert {key: unit.points for key, unit in after.units.items()} == {
            key: unit.points for key, unit in world.units.items()
        }


NAMES = ("fraser", "powell", "train", "gall", "gates", "nobody", "fraser-d1")
UNITS = (*camp().units, "nobody_1")
names, units = st.sampled_from(NAMES), st.lists(st.sampled_from(UNITS), max_size=3).map(tuple)
acts = st.one_of(
    st.builds(Join, names, names),
    st.builds(Detach, names, units, st.sampled_from(("fraser-d1", "powell-d1", "gates-d1")), st.just("X")),
    st.builds(Transfer, units, names),
    st.builds(Escort, names, names),
    st.builds(Garrison, names, st.booleans()),
    st.builds(HandOver, names, st.sampled_from(("phillips", "gall", "gates"))),
)


@settings(max_examples=150, deadline=None)
@given(st.lists(acts, max_size=6), st.randoms())
def test_hr_org_07_no_order_of_submission_matters_and_nothing_is_lost(
    given_acts: list[Organisation], shuffle: Any
) -> None:
    """Points, food and units are conserved; every unit belongs to a formation of its side at its spot."""
    world = camp()
    after, events = organise_formations(world, given_acts)
    shuffled = list(given_acts)
    shuffle.shuffle(shuffled)
    again, told_again = organise_formations(world, shuffled)
    assert world_hash(after) == world_hash(again)
    assert events == told_again
    assert after.units.keys() == world.units.keys()
    spots = {key: world.formations[unit.formation].position for key, unit in world.units.items()}
    for key, unit in after.units.items():
        before = world.units[key]
        assert replace(unit, formation=before.formation) == before
        assert after.formations[unit.formation].side == unit.side
        assert after.formations[unit.formation].position == spots[key]
    assert sum(each.rations or 0 for each in after.formations.values()) == 30
    assert len({each.leader for each in after.formations.values() if each.leader}) == sum(
        1 for each in after.formations.values() if each.leader
    )


def test_hr_org_03_a_garrison_is_not_emptied_by_transfers() -> None:
    world = camp()
    powell = replace(world.formations["powell"], garrison=True)
    world = replace(world, formations={**world.formations, "powell": powell})
    assert is_allowed(verify_organisation, world, Transfer(("powell_1",), "fraser"), "crown")
    with pytest.raises(RuleViolation, match="leave a unit") as refused:
        verify_organisation(world, Transfer(("powell_1", "powell_2"), "fraser"), "crown")
    assert (refused.value.rule_id, refused.value.field) == ("HR-ORG-03", "units")


def test_hr_org_06_a_train_on_garrison_duty_is_not_escorted_off() -> None:
    world = camp()
    train = replace(world.formations["train"], garrison=True)
    world = replace(world, formations={**world.formations, "train": train})
    with pytest.raises(RuleViolation, match="relieve it") as refused:
        verify_organisation(world, Escort("fraser", "train"), "crown")
    assert (refused.value.rule_id, refused.value.field) == ("HR-ORG-06", "wagons")


def test_hr_ldr_04_an_escort_has_no_more_units_than_other_formations() -> None:
    world = camp()
    assert is_allowed(verify_organisation, world, Escort("fraser", "train"), "crown")
    world = replace(world, settings=replace(world.settings, formation_units=3))
    with pytest.raises(RuleViolation, match="has 3 at most") as refused:
        verify_organisation(world, Escort("fraser", "train"), "crown")
    assert (refused.value.rule_id, refused.value.field) == ("HR-LDR-04", "formation")
