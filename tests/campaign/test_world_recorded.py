"""The world that pages are drawn from, out of the head's record."""

from campaign.ledger.world_rows import load_recorded_world, world_load
from campaign.services.turns.days import day_advance


def test_the_record_has_the_world_the_rows_have(saratoga, carleton, django_assert_num_queries):
    assert load_recorded_world(saratoga) == world_load(saratoga)
    for _ in range(2):
        day_advance(campaign=saratoga, actor=carleton)
        saratoga.refresh_from_db()
    with django_assert_num_queries(1):
        world = load_recorded_world(saratoga)
    assert world == world_load(saratoga)
    assert world.day == saratoga.day == 2
