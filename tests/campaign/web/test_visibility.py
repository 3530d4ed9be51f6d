"""The one door (HR-FOG-01): what a side may see, and nothing else."""

from dataclasses import replace

import pytest
from django.contrib.auth.models import AnonymousUser

from campaign.fog import visibility
from campaign.fog.visibility import NotSeated, viewer_of
from campaign.models import DayRecord, JournalEntry, OrderPaper, User
from rosters.models import Leader


def entry(saratoga, ordinal: int, sides: str, kind: str = "weather", **more) -> JournalEntry:
    return JournalEntry.objects.create(
        campaign=saratoga,
        record=DayRecord.objects.get(campaign=saratoga),
        day=0,
        ordinal=ordinal,
        minute=0,
        kind=kind,
        rule="HR-WEA-01",
        sides=sides,
        **more,
    )


def test_seats_make_viewers(saratoga, burgoyne, carleton):
    assert viewer_of(burgoyne, saratoga).side == "crown"
    assert viewer_of(carleton, saratoga).is_umpire
    with pytest.raises(NotSeated):
        viewer_of(User.objects.create_user("clinton"), saratoga)
    with pytest.raises(NotSeated):
        viewer_of(AnonymousUser(), saratoga)


def test_umpires_seat_goes_before_a_commanders(saratoga, carleton):
    saratoga.seats.filter(role="commander", side="rebel").update(user=carleton)
    assert viewer_of(carleton, saratoga).is_umpire


def test_commander_sees_own_formations_in_full_and_no_hidden_enemy(saratoga, world, burgoyne):
    view = visibility.map_view(viewer_of(burgoyne, saratoga), world)
    own = {seen.id for seen in view.own}
    assert "advanced_corps" in own
    assert {world.formations[key].side for key in own} == {"crown"}
    for seen in view.formations:
        if not seen.own:
            assert seen.units == () and seen.formation is None
            assert seen.id not in world.formations


def test_a_general_who_lies_wounded_is_not_shown_in_command_HR_GEN_01(saratoga, world, burgoyne):
    name = world.formations["advanced_corps"].commander
    leader = Leader.objects.get(order_of_battle=saratoga.order_of_battle_id, name=name)
    for back, shown in ((world.day + 14, ""), (world.day, name)):
        seen = visibility.map_view(viewer_of(burgoyne, saratoga), replace(world, away={leader.slug: back}))
        led = {one.id: one.commander for one in seen.own}
        assert led["advanced_corps"] == shown
        assert sum(bool(commander) for commander in led.values()) > 1, "the others lead on"


def test_umpire_sees_every_formation_on_the_map(saratoga, world, carleton):
    view = visibility.map_view(viewer_of(carleton, saratoga), world)
    on_map = {key for key, formation in world.formations.items() if formation.position}
    assert {seen.id for seen in view.formations} == on_map
    assert view.holders == world.holders


def test_units_and_pools_are_the_sides_own(saratoga, world, burgoyne, carleton):
    crown, umpire = viewer_of(burgoyne, saratoga), viewer_of(carleton, saratoga)
    assert {unit.side for unit in visibility.list_known_units(crown, world)} == {"crown"}
    assert len(visibility.list_known_units(umpire, world)) == len(world.units)
    assert not any(key.startswith("american/") for key in visibility.list_known_pools(crown, world))
    assert visibility.list_known_pools(umpire, world) == dict(world.pools)


def test_journal_by_side(saratoga, burgoyne, gates, carleton):
    for ordinal, sides in enumerate(("|crown|", "|rebel|", "|crown|rebel|", ""), start=10):
        entry(saratoga, ordinal, sides)

    def ordinals(user):
        found = visibility.journal_for(viewer_of(user, saratoga)).filter(ordinal__gte=10)
        return list(found.values_list("ordinal", flat=True))

    assert ordinals(burgoyne) == [10, 12]
    assert ordinals(gates) == [11, 12]
    assert ordinals(carleton) == [10, 11, 12, 13]


def test_a_side_whose_name_is_part_of_anothers_reads_nothing_of_it(saratoga, burgoyne):
    entry(saratoga, 10, "|crown-loyalists|")
    assert not visibility.journal_for(viewer_of(burgoyne, saratoga)).filter(ordinal=10).exists()


def test_orders_and_jobs(saratoga, burgoyne, gates, carleton):
    OrderPaper.objects.create(
        campaign=saratoga, day=0, formation="poors_brigade", side="rebel", number=1, body={}
    )
    assert not visibility.orders_for(viewer_of(burgoyne, saratoga)).exists()
    assert visibility.orders_for(viewer_of(gates, saratoga)).exists()
    assert visibility.orders_for(viewer_of(carleton, saratoga)).exists()
    assert not visibility.jobs_for(viewer_of(burgoyne, saratoga)).exists()


def test_battles_of_the_sides_that_fought(saratoga, battle, burgoyne):
    viewer = viewer_of(burgoyne, saratoga)
    assert list(visibility.battles_for(viewer)) == [battle]
    battle.attacker, battle.defender = "rebel", "rebel"
    battle.save()
    assert not visibility.battles_for(viewer).exists()
