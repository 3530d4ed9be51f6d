"""newseason: the armies of one campaign in the next."""

import pytest
from django.core.management import CommandError, call_command

from campaign.ledger.world_rows import world_load
from campaign.models import Campaign, User
from campaign.rules.victory.treaties import Concede
from campaign.services.orders.treaties import treaty_make
from campaign.services.proof.database import campaign_verify
from campaign.services.seats.changes import seat_open
from campaign.services.turns.days import day_advance


def test_a_new_season_begins_with_the_end_of_the_last_hr_set_06(
    saratoga, burgoyne, carleton, settings, tmp_path
):
    settings.VAR_DIR = tmp_path
    with pytest.raises(CommandError, match="still running"):
        call_command("newseason", "saratoga", "next")
    command, anna = saratoga.seats.get(side="rebel"), User.objects.create_user("anna")
    seat_open(campaign=saratoga, role="deputy", stands_for=command, user=anna, actor=None)
    day_advance(campaign=saratoga, actor=carleton)
    saratoga.refresh_from_db()
    treaty_make(campaign=saratoga, side="crown", treaty=Concede("crown"), actor=burgoyne)
    call_command("newseason", "saratoga", "next", "--title", "The year after")
    season = Campaign.objects.get(slug="next")
    assert season.title == "The year after" and season.day == 0
    assert {seat.user for seat in season.seats.all()} == {seat.user for seat in saratoga.seats.all()}
    assert season.seats.get(role="deputy").stands_for == season.seats.get(role="commander", side="rebel")
    dates = [world_load(each).theatre.start for each in (saratoga, season)]
    assert [day.isoformat() for day in dates] == ["1777-06-15", "1778-06-15"]
    assert season.scenario == "saratoga-1778"
    old, new = world_load(Campaign.objects.get(slug="saratoga")), world_load(season)
    assert {key: unit.points for key, unit in new.units.items()} == {
        key: unit.points for key, unit in old.units.items()
    }
    day_advance(campaign=season, actor=carleton)
    campaign_verify(campaign=Campaign.objects.get(slug="next"))
    with pytest.raises(CommandError, match="already"):
        call_command("newseason", "saratoga", "next")
