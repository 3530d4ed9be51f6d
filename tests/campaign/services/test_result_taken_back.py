"""A wrong result is taken back, one figure of it mended, and confirmed again (HR-TAB-08, HR-UMP-14)."""

from dataclasses import replace

import pytest

from campaign.models import Battle, BattleEntry, Campaign
from campaign.rules.battles.table_results import Entry, UnitResult, entry_from_json
from campaign.rules.errors import RuleViolation
from campaign.services.battles.table_results import battle_confirm, battle_entry_save, list_entry_versions
from campaign.services.proof.database import campaign_verify
from campaign.services.turns.days import day_advance
from campaign.services.turns.rewind import campaign_rewind


def fresh(campaign: Campaign) -> Campaign:
    return Campaign.objects.select_related("head").get(pk=campaign.pk)


@pytest.fixture
def played(waiting, burgoyne, gates, carleton) -> Battle:
    """Both have entered, the umpire has confirmed, the day is played."""
    battle = waiting.battles.get()
    unit = next(unit["id"] for unit in battle.inputs["file"]["units"] if unit["side"] == "crown")
    said = Entry({unit: UnitResult(1)}, held_by="crown", pursuit="none")
    for side, actor in (("crown", burgoyne), ("rebel", gates)):
        battle_entry_save(entered=True, battle=battle, side=side, entry=said, version=0, actor=actor)
    battle_confirm(battle=battle, decided=said, seen=list_entry_versions(battle), actor=carleton)
    day_advance(campaign=fresh(waiting), actor=None)
    assert fresh(waiting).day == 1
    return Battle.objects.get(pk=battle.pk)


def back(battle: Battle, carleton, **how: object) -> Campaign:
    campaign = fresh(battle.campaign)
    start = campaign.records.filter(day=0).order_by("-pk")[0]
    campaign_rewind(campaign=campaign, record=start, reason="Miscounted.", actor=carleton, **how)
    day_advance(campaign=fresh(campaign), actor=None)
    return fresh(campaign)


def test_one_figure_is_mended_and_the_rest_stands_as_it_was_entered(played, carleton, gates):
    campaign = back(played, carleton, anew=[played.contact])
    assert campaign.day == 0, "the day waits for the battle again"
    act = campaign.records.filter(revision=campaign.revision, kind="act").get().inputs["act"]
    assert act["anew"] == [played.contact] and act["keep"]
    again = campaign.battles.get(revision=campaign.revision)
    assert (again.state, set(list_entry_versions(again))) == (Battle.State.WAITING, {"", "crown", "rebel"})
    mine = again.entries.get(side="")
    before = entry_from_json(mine.body)
    (unit,) = before.units
    mended = replace(before, units={unit: UnitResult(2)})
    battle_entry_save(entered=True, battle=again, side="", entry=mended, version=mine.version, actor=carleton)
    done = battle_confirm(battle=again, decided=mended, seen=list_entry_versions(again), actor=carleton)
    lost = {loss["unit"]: loss["sp_lost"] for loss in done.settlement["losses"]}
    assert lost[unit] == 2 and done.settlement["pursuit"] == "none"
    day_advance(campaign=campaign, actor=None)
    campaign = fresh(campaign)
    assert campaign.day == 1
    told = campaign.journal.filter(kind="battle", record__revision=campaign.revision).get()
    assert told.data["pursuit"] == "none"
    assert campaign_verify(campaign=campaign).replayed


def test_others_keep_their_result_and_what_was_entered_of_them(played, carleton):
    campaign = back(played, carleton)
    assert campaign.day == 1
    kept = campaign.battles.get(revision=campaign.revision)
    assert kept.settlement == played.settlement and kept.entries.count() == 3


def test_a_battle_that_never_was_cannot_be_taken_back_hr_ump_14(played, carleton):
    with pytest.raises(RuleViolation, match="There was no battle d0/nowhere/1"):
        back(played, carleton, anew=["d0/nowhere/1"])
    assert fresh(played.campaign).revision == 1
    assert BattleEntry.objects.count() == 2


def test_the_page_offers_each_battle_hr_ump_14(played, desk):
    campaign = fresh(played.campaign)
    start = campaign.records.filter(day=0).order_by("-pk")[0]
    page = desk.get(f"/campaigns/saratoga/desk/back/{start.pk}/").content.decode()
    assert f'name="anew" value="{played.contact}"' in page and "settled by the tabletop result" in page
    data = {"head": campaign.head_id, "reason": "Miscounted.", "battles": "keep", "anew": played.contact}
    desk.post(f"/campaigns/saratoga/desk/back/{start.pk}/", data)
    campaign = fresh(campaign)
    assert campaign.revision == 2
    text = desk.get("/campaigns/saratoga/?sheet=journal").content.decode()
    assert "the result of one battle is taken back" in text
