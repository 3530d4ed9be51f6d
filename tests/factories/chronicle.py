"""A campaign with something of everything that an archive holds."""

from campaign.models import Battle, Campaign, Seat, User
from campaign.rules.army.organisation import Detach
from campaign.rules.battles.table_results import Entry, UnitResult
from campaign.rules.umpire import corrections
from campaign.rules.world.world import Order
from campaign.services.battles.methods import battle_way_choose
from campaign.services.battles.settlement import battle_settle_by_engine, battle_settle_by_word
from campaign.services.battles.table_results import battle_entry_save
from campaign.services.jobs.jobs import job_request
from campaign.services.orders.drafts import order_draft
from campaign.services.orders.march_orders import order_submit
from campaign.services.orders.organisation import organisation_submit
from campaign.services.press.bulletins import bulletins_publish, foreword_write
from campaign.services.setup.campaigns import SeatPlan, campaign_create
from campaign.services.turns.days import day_advance
from campaign.services.turns.provisional_play import day_run_on
from campaign.services.turns.rewind import campaign_rewind
from campaign.services.umpire.corrections import act_perform

SECRET = b"the dice of these tests, 32 byte"


def chronicle(slug: str = "saratoga", *, engine: bool = False) -> Campaign:
    """Some days of Saratoga: papers, acts, real dice, a course given up, a battle, another that waits."""
    people = {
        name: User.objects.get_or_create(username=name)[0] for name in ("carleton", "burgoyne", "gates")
    }
    umpire, burgoyne = people["carleton"], people["burgoyne"]
    campaign = campaign_create(
        scenario="saratoga-1777",
        slug=slug,
        secret=SECRET,
        seats=(
            SeatPlan(Seat.Role.UMPIRE, title="The umpire", user=umpire),
            SeatPlan(Seat.Role.COMMANDER, "crown", "Lieutenant General Burgoyne", burgoyne),
            SeatPlan(Seat.Role.COMMANDER, "rebel", "Major General Gates", people["gates"]),
        ),
        actor=umpire,
    )
    start = campaign.head
    attack = Order("advanced_corps", ("ticonderoga",), stance="attack")
    order_submit(campaign=campaign, side="crown", order=Order("advanced_corps"), actor=burgoyne)
    order_submit(campaign=campaign, side="crown", order=attack, actor=burgoyne)
    order_draft(campaign=campaign, side="crown", order=Order("reserve_corps", ("st_johns",)), actor=burgoyne)
    _play(campaign)
    detached = Detach("poors_brigade", ("nh1",), "poors_brigade-d1", "Cilley's detachment")
    organisation_submit(add=True, campaign=campaign, side="rebel", acts=[detached], actor=people["gates"])
    _play(campaign)
    assert start is not None
    campaign_rewind(campaign=campaign, record=start, reason="An order was misread.", actor=umpire)
    for act in (
        corrections.Rename("formation", "advanced_corps", "Fraser's Advanced Corps"),
        corrections.EnterDie("HR-WEA-02", "theatre", 0, 5),
        corrections.Rumour("rebel", "St Leger is on the Mohawk with 3,000 men."),
    ):
        act_perform(campaign=campaign, act=act, reason="At the table.", actor=umpire)
    while not Battle.objects.filter(campaign=campaign).exists():
        _play(campaign)
    first = Battle.objects.get(campaign=campaign)
    if engine:
        battle_settle_by_engine(battle=first, actor=umpire)
    else:
        lost = {"crown": 10, "rebel": 5}
        battle_settle_by_word(battle=first, field_held_by="rebel", percent_lost=lost, actor=umpire)
    _play(campaign)
    order_submit(campaign=campaign, side="crown", order=attack, actor=burgoyne)
    while not Battle.objects.filter(campaign=campaign, state=Battle.State.WAITING).exists():
        assert campaign.day < 14
        _play(campaign)
    day_run_on(campaign=campaign, actor=umpire)
    campaign.refresh_from_db()
    return campaign


def chronicle_in_full(slug: str = "saratoga") -> Campaign:
    """The chronicle in mid-week, as a club leaves it: bulletins out, a result half agreed, a job asked."""
    campaign = chronicle(slug, engine=True)
    umpire, burgoyne, gates = (User.objects.get(username=name) for name in ("carleton", "burgoyne", "gates"))
    foreword_write(campaign=campaign, week=1, side="crown", foreword="Well begun.", before="", actor=umpire)
    bulletins_publish(campaign=campaign, week=1, actor=umpire)
    battle = Battle.objects.get(campaign=campaign, state=Battle.State.WAITING)
    battle_way_choose(battle=battle, way=Battle.Way.TABLE, actor=umpire)
    for side, actor, lost in (("crown", burgoyne, 1), ("rebel", gates, 2)):
        unit = next(unit["id"] for unit in battle.inputs["file"]["units"] if unit["side"] == side)
        entry = Entry({unit: UnitResult(lost)}, held_by="crown")
        battle_entry_save(entered=True, battle=battle, side=side, entry=entry, version=0, actor=actor)
    job_request(kind="battle_odds", key=f"odds of {slug}", payload={"battle": battle.pk}, campaign=campaign)
    campaign.refresh_from_db()
    return campaign


def _play(campaign: Campaign) -> None:
    day_advance(campaign=campaign, actor=None)
    campaign.refresh_from_db()
