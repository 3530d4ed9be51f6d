"""What a side's program is told of the morning: what its side knows, to seats of the side alone."""

import pytest

from campaign.ai.commander import staff_orders
from campaign.fog.known_world import known_from_json, theatre_from
from campaign.ledger.world_rows import world_load
from campaign.services.turns.days import day_advance
from tests.campaign.api.program import problem

pytestmark = pytest.mark.django_db
SITUATION = "campaigns/saratoga/situation/"
THEATRE = "campaigns/saratoga/theatre/"


def test_the_staff_orders_from_it_as_inside(crown_program, rebel_program, saratoga):
    for _ in range(2):
        world = world_load(saratoga)
        for program, side in ((crown_program, "crown"), (rebel_program, "rebel")):
            theatre = theatre_from(program.get(THEATRE).json())
            known = known_from_json(program.get(SITUATION).json(), theatre)
            assert known.side == side and known.world.day == world.day
            assert staff_orders(known.world, side, known.enemy_quality) == staff_orders(world, side) != []
        day_advance(campaign=saratoga, actor=None)
        saratoga.refresh_from_db()


def test_it_is_for_seats_of_a_side(umpire_program, spectator_program, stranger_program):
    for address in (SITUATION, THEATRE):
        for program in (umpire_program, spectator_program, stranger_program):
            problem(program.get(address), 404, "not-found")


def test_each_side_is_told_its_own(crown_program, rebel_program):
    crown, rebel = (program.get(SITUATION).json() for program in (crown_program, rebel_program))
    assert (crown["side"], rebel["side"]) == ("crown", "rebel")
    assert {unit["side"] for unit in crown["world"]["units"]} == {"crown"}
    assert not {unit["id"] for unit in crown["world"]["units"]} & {u["id"] for u in rebel["world"]["units"]}
    aims = [program.get(THEATRE).json()["objectives"] for program in (crown_program, rebel_program)]
    assert [{row["side"] for row in each} for each in aims] == [{"crown"}, {"rebel"}]


def test_what_has_not_changed_is_not_sent_again(crown_program):
    etag = crown_program.get(SITUATION)["ETag"]
    assert crown_program.get(SITUATION, If_None_Match=etag).status_code == 304
