"""Campaigns of the same people, each with something of everything that home and the board tell."""

from dataclasses import asdict
from datetime import timedelta

from django.utils import timezone

from campaign.ledger.world_rows import world_load
from campaign.models import (
    Absence,
    Battle,
    BattleEntry,
    Campaign,
    DayRecord,
    Job,
    JournalEntry,
    Notice,
    OrderPaper,
    ProvisionalDay,
    Seat,
    User,
    Visit,
)
from campaign.services.setup.campaigns import SeatPlan, campaign_create
from tests.factories.five_battalions import five_battalions


def another_campaign(number: int, *, umpire: User, player: User, other: User) -> Campaign:
    """A campaign with news, a battle and its entries, orders missed, days run on, faults, and a rewind.

    `player` commands the crown in odd campaigns; in even ones he is the deputy of `other`, who is away.
    """
    held, deputy = (player, None) if number % 2 else (other, player)
    campaign = campaign_create(
        scenario="saratoga-1777",
        slug=f"another-{number}",
        title=f"Another war, {number}",
        seats=(
            SeatPlan(Seat.Role.UMPIRE, title="The umpire", user=umpire),
            SeatPlan(Seat.Role.COMMANDER, "crown", "Burgoyne", held),
            SeatPlan(Seat.Role.COMMANDER, "rebel", "Gates", None),
        ),
    )
    now = timezone.now()
    commander = campaign.seats.get(side="crown")
    if deputy is not None:
        Seat.objects.create(campaign=campaign, user=deputy, role="deputy", side="crown", stands_for=commander)
        first, last = now.date() - timedelta(days=2), now.date() + timedelta(days=2)
        Absence.objects.get_or_create(user=other, first=first, last=last)
    again = _gone_back(campaign)
    campaign.deadline = now - timedelta(hours=2)
    campaign.save()
    campaign.seats.filter(role="commander").update(missed_at=campaign.deadline)
    for user in (umpire, player):
        Visit.objects.create(user=user, campaign=campaign, record=0, seen_at=now)
        Notice.objects.create(campaign=campaign, user=user, kind="due", subject="s", state="failed")
    for ordinal, kind in enumerate(("place_taken", "arrives", "contact", "place_taken", "march")):
        JournalEntry.objects.create(
            record=again, campaign=campaign, day=0, ordinal=100 + ordinal, minute=0, kind=kind,
            sides="|crown|rebel|", rule="HR-MOV-01", place="ticonderoga",
            formation="advanced_corps",
        )  # fmt: skip
    file = five_battalions(world_load(campaign))
    battle = Battle.objects.create(
        campaign=campaign, revision=campaign.revision, day=0, contact="d0/ticonderoga/1", minute=700,
        place="ticonderoga", attacker="crown", defender="rebel",
        inputs={"contact": {"key": "d0/ticonderoga/1"}, "file": asdict(file)},
    )  # fmt: skip
    BattleEntry.objects.create(battle=battle, side="crown", user=player, state="entered")
    BattleEntry.objects.create(battle=battle, side="rebel", state="draft")
    OrderPaper.objects.create(
        campaign=campaign, side="crown", formation="advanced_corps", day=1, state="draft", number=1, body={}
    )
    ProvisionalDay.objects.create(campaign=campaign, revision=campaign.revision, day=0, snapshot=b"")
    for name, state in (("dry_run", "done"), ("forecast", "failed")):
        Job.objects.create(
            kind=name, key=f"{name} {number}", campaign=campaign, state=state, error="It broke.",
            result={"head": campaign.head_id, "dice": [{"entered": True}, {}]},
        )  # fmt: skip
    return campaign


def _gone_back(campaign: Campaign) -> DayRecord:
    """Another revision that follows the start, as after a rewind (HR-UMP-14)."""
    head = campaign.head
    assert head is not None
    again = DayRecord.objects.get(pk=head.pk)
    again.pk, again.parent, again.revision, again.record_hash = None, head, 2, "2" * 64
    again.save(force_insert=True)
    campaign.head, campaign.revision = again, 2
    return again
