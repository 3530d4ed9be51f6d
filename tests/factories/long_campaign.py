"""A campaign as large as the site is made for: 300 units, 105 places, 5,000 journal entries, a battle."""

from dataclasses import asdict, dataclass, replace
from datetime import timedelta
from typing import Any

from django.utils import timezone

from campaign.ai.commander import staff_orders
from campaign.ledger.world_rows import snapshot_pack, world_load
from campaign.models import Battle, Campaign, DayRecord, JournalEntry, OrderPaper, Seat, User
from campaign.rules.world.world import Order, UnitStatus, World
from campaign.scenarios.reading import read_scenario
from campaign.scenarios.theatres import theatre_load
from campaign.services.battles.settlement import battle_settle_by_engine
from campaign.services.dispatches import letter_send
from campaign.services.orders.drafts import order_draft
from campaign.services.orders.march_orders import order_submit
from campaign.services.seats.absences import absence_add
from campaign.services.seats.changes import seat_open
from campaign.services.seats.invitations import invitation_make
from campaign.services.setup.campaigns import SeatPlan, campaign_create
from campaign.services.turns.day_preview import dry_run_ask
from campaign.services.turns.days import day_advance
from tests.factories.five_battalions import five_battalions
from tests.factories.half_made import half_made

UNITS, PLACES, ENTRIES, DAYS, LETTERS = 300, 100, 5_000, 40, 10
SECRET = b"a war as long as any of 1777 was"


@dataclass(frozen=True)
class LongCampaign:
    """The campaign, its people by role, and what its pages are about."""

    campaign: Campaign
    people: dict[str, User]
    battle: Battle
    token: str

    @property
    def places(self) -> int:
        return len(theatre_load(self.campaign).atlas.places)


def larger(world: World) -> World:
    """The world with units of its own kinds added until there are `UNITS`."""
    models = [
        unit for unit in world.units.values() if unit.status is UnitStatus.PRESENT and not unit.is_train
    ]
    more = {
        f"more-{number}": replace(
            models[number % len(models)], id=f"more-{number}", name=f"Further battalion {number}"
        )
        for number in range(max(0, UNITS - len(world.units)))
    }
    return replace(world, units={**world.units, **more})


def long_campaign(monkeypatch: Any) -> LongCampaign:
    """One day of Saratoga with both staffs at work; then as many days of the same as fill the journal."""

    def changed(path: Any, settings: Any = None) -> Any:
        scenario = read_scenario(path, settings)
        return replace(scenario, world=larger(scenario.world))

    people = {
        role: User.objects.create_user(role, is_staff=role == "umpire")
        for role in ("umpire", "crown", "rebel", "spectator", "reserve")
    }
    with monkeypatch.context() as patch:
        patch.setattr("campaign.services.setup.campaigns.read_scenario", changed)
        campaign = campaign_create(
            scenario="saratoga-1777",
            slug="long",
            secret=SECRET,
            settings={"supply": "food"},
            seats=(
                SeatPlan(Seat.Role.UMPIRE, "", "The umpire", people["umpire"]),
                SeatPlan(Seat.Role.COMMANDER, "crown", "Burgoyne", people["crown"]),
                SeatPlan(Seat.Role.COMMANDER, "rebel", "Gates", people["rebel"]),
            ),
            actor=people["umpire"],
        )
    world = world_load(campaign)
    for side in ("crown", "rebel"):
        for order in staff_orders(world, side):
            order_submit(campaign=campaign, side=side, order=order, actor=people[side])
    day_advance(campaign=campaign, actor=None)
    campaign.refresh_from_db()
    _days_fill(campaign)
    battle = _battle(campaign)
    token = _seats(campaign, people)
    _papers(campaign, people)
    _letters(campaign, people)
    dry_run_ask(campaign=campaign, actor=people["umpire"])
    return LongCampaign(campaign, people, battle, token)


def _battle(campaign: Campaign) -> Battle:
    """A fight of three battalions against two, settled by the engine."""
    file = five_battalions(world_load(campaign))
    day = campaign.day - 1
    contact = f"d{day}/ticonderoga/1"
    battle = Battle.objects.create(
        campaign=campaign, day=day, contact=contact, minute=700, place="ticonderoga",
        attacker="crown", defender="rebel", inputs={"contact": {"key": contact}, "file": asdict(file)},
    )  # fmt: skip
    battle_settle_by_engine(battle=battle, actor=None)
    battle.refresh_from_db()
    return battle


def _seats(campaign: Campaign, people: dict[str, User]) -> str:
    """Those who look on and wait, one who is away, an invitation."""
    given: dict[str, Any] = {"campaign": campaign, "actor": people["umpire"]}
    seat_open(role="spectator", user=people["spectator"], **given)
    seat_open(role="reserve", user=people["reserve"], **given)
    half_made(people["umpire"])
    free = seat_open(role="spectator", title="The press", **given)
    campaign.spectator_days = 1  # by no act: the rows of so long a war are not those of its chain
    campaign.save(update_fields=["spectator_days"])
    campaign.seats.filter(side="rebel").update(missed_at=timezone.now())
    today = timezone.now().date()
    absence_add(user=people["crown"], first=today + timedelta(5), last=today + timedelta(9), word="at sea")
    return str(invitation_make(seat=free, **given)[1])


def _papers(campaign: Campaign, people: dict[str, User]) -> None:
    for side in ("crown", "rebel"):
        for order in staff_orders(world_load(campaign), side):
            order_submit(campaign=campaign, side=side, order=order, actor=people[side])
        draft = next(one.id for one in world_load(campaign).formations.values() if one.side == side)
        order_draft(campaign=campaign, side=side, order=Order(draft), actor=people[side])
    assert OrderPaper.objects.filter(campaign=campaign, state=OrderPaper.State.STANDING).exists()


def _letters(campaign: Campaign, people: dict[str, User]) -> None:
    """As many letters to and fro as may be written in a day."""
    seats = {seat.side: seat for seat in campaign.seats.filter(role__in=("umpire", "commander"))}
    for number in range(LETTERS):
        for author, side in (("umpire", "crown"), ("crown", ""), ("rebel", "crown"), ("umpire", "rebel")):
            letter_send(
                campaign=campaign, author=people[author], to=[seats[side].pk],
                subject=f"The news of day {number}", text="Nothing has passed here that is worth a rider.",
            )  # fmt: skip


def _days_fill(campaign: Campaign) -> None:
    """Days after the first that tell of the same, until the journal has `ENTRIES`."""
    first = DayRecord.objects.get(campaign=campaign, kind="day")
    told = list(JournalEntry.objects.filter(record=first))
    missing = ENTRIES - JournalEntry.objects.filter(campaign=campaign).count()
    world = world_load(campaign)
    share = -(-missing // (DAYS - 1))
    head, rows = first, []
    for day in range(2, DAYS + 1):
        snapshot = snapshot_pack(replace(world, day=day))
        head = _copy(first, parent=head, day=day, snapshot=snapshot, record_hash=f"{day:064x}")
        head.save()
        rows += [
            _copy(told[number % len(told)], record=head, day=day - 1, ordinal=number)
            for number in range(min(share, missing - len(rows)))
        ]
    JournalEntry.objects.bulk_create(rows)
    campaign.head, campaign.day = head, DAYS
    campaign.save()


def _copy(row: Any, **changed: Any) -> Any:
    """A row like another, not saved yet."""
    fields = [field for field in row._meta.concrete_fields if not field.primary_key]
    values = {field.name: getattr(row, field.name) for field in fields if field.name not in changed}
    return type(row)(**values, **changed)
