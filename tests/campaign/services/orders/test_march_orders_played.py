"""Every kind of order played from its paper, saved, loaded again and verified (HR-ORD, HR-ORG, HR-WRK)."""

import pytest

from campaign.ledger.world_rows import world_load
from campaign.models import Campaign, JournalEntry, OrderPaper
from campaign.rules.army.organisation import Detach, Garrison, Join, Transfer
from campaign.rules.scouting.knowledge import list_known_enemies
from campaign.rules.world.world import Order, Stage, World, present_units
from campaign.rules.world.world_json import world_hash
from campaign.services.orders.day_orders import acts_to_json
from campaign.services.orders.march_orders import order_submit
from campaign.services.proof.database import campaign_verify
from campaign.services.turns.days import day_advance


def organise(campaign: Campaign, side: str, formation: str, *acts) -> None:
    """A paper of organisation, as it stands when the day is played."""
    OrderPaper.objects.create(
        campaign=campaign,
        day=campaign.day,
        kind=OrderPaper.Kind.ORGANISATION,
        formation=formation,
        side=side,
        number=OrderPaper.objects.count() + 1,
        body=acts_to_json(acts),
        state=OrderPaper.State.STANDING,
    )


@pytest.fixture
def quiet(saratoga) -> Campaign:
    """Battles settle themselves."""
    saratoga.battle_policy = "automatic"
    saratoga.save()
    return saratoga


def submit(campaign: Campaign, world: World, *orders: Order) -> None:
    for order in orders:
        side = world.formations[order.formation].side
        order_submit(campaign=campaign, side=side, order=order, actor=None)


def test_every_kind_of_order_is_played_saved_and_verified(quiet) -> None:
    world = world_load(quiet)
    units = present_units(world)
    fraser, first = units["advanced_corps"], units["british_1st_brigade"]
    (seen, *_) = [*list_known_enemies(world, "crown"), None]
    target = str(seen.number) if seen else "1"
    submit(
        quiet,
        world,
        Order("reserve_corps", ("st_johns",), starts=120, stages=(Stage(("isle_aux_noix",), wait=1),)),
        Order("german_1st_brigade", activity="entrench"),
        Order("german_2nd_brigade", activity="rest"),
        Order("provincial_corps", ("bouquet_river",), by_water=True),
        Order("poors_brigade", activity="break_bridge", target="ticonderoga--mount_independence--road"),
        Order("patersons_brigade", activity="lay_bridge", target="crown_point--ticonderoga--track"),
        Order("mcdougalls_brigade", activity="obstruct", target="peekskill--verplancks_point--road"),
        *([Order("native_allies_champlain", activity="follow", target=target)] if seen else []),
    )
    baum = Detach(
        "advanced_corps", (fraser[0].id,), "advanced_corps-d1", "Baum's detachment", "Baum",
        Order("advanced_corps-d1", activity="entrench"),
    )  # fmt: skip
    organise(quiet, "crown", "advanced_corps", baum)
    organise(quiet, "crown", "british_2nd_brigade", Transfer((first[0].id,), "british_2nd_brigade"))
    organise(quiet, "rebel", "poors_brigade", Garrison("poors_brigade"))
    for _ in range(2):
        quiet = Campaign.objects.get(pk=quiet.pk)
        assert day_advance(campaign=quiet, actor=None).records
    quiet = Campaign.objects.get(pk=quiet.pk)
    organise(quiet, "crown", "british_1st_brigade", Join("british_1st_brigade", "british_2nd_brigade"))
    assert day_advance(campaign=quiet, actor=None).records
    after = world_load(Campaign.objects.get(pk=quiet.pk))
    kinds = set(JournalEntry.objects.filter(campaign=quiet).values_list("kind", flat=True))
    assert {"detached", "transferred", "garrisoned", "joined", "entrenched", "bridge_broken"} <= kinds
    assert not kinds & {"order_refused", "organisation_refused"}
    assert after.formations["advanced_corps-d1"].commander == "Baum"
    assert after.units[first[0].id].formation == "british_2nd_brigade"
    assert after.formations["poors_brigade"].garrison
    assert after.bridges["ticonderoga--mount_independence--road"].day == 0
    assert after.rafts["crown_point--ticonderoga--track"].left == 0
    assert after.felled["peekskill--verplancks_point--road"].known_by == "rebel"
    assert after.works["cumberland_head"].sp > 0
    assert campaign_verify(campaign=Campaign.objects.get(pk=quiet.pk)).replayed == 3
    assert world_hash(after) == Campaign.objects.get(pk=quiet.pk).head.world_hash
