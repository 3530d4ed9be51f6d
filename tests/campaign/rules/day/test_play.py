"""A campaign played in memory: days, weeks, battles (HR-CAL-01), with a stand-in for the engine."""

from campaign.ai.commander import staff_orders
from campaign.rules.contact.casualties import UnitLoss
from campaign.rules.contact.contact import Contact, Settlement
from campaign.rules.day.play import Played, play_campaign
from campaign.rules.world.world import Order, World
from campaign.rules.world.world_json import world_hash
from rosters.domain.dice import AddressedDice, DiceRoller
from tests.factories.small_war import small_world


def dice_of(day: int) -> AddressedDice:
    return AddressedDice(secret=b"a small war", campaign="small", revision=1, day=day)


def stronger_wins(world: World, contact: Contact, dice: DiceRoller) -> Settlement:
    """Every unit of the weaker side loses a die's worth of SP, up to what it has; the stronger none."""
    attacker, defender = contact.sp_of(contact.attacker), contact.sp_of(contact.defender)
    winner = contact.attacker if attacker > defender else contact.defender
    losses = []
    for fighter in contact.units:
        lost = 0 if fighter.side == winner else min(fighter.sp, dice.roll("HR-CON-10", fighter.unit).value)
        losses.append(UnitLoss(fighter.unit, fighter.sp, lost, 0, "present"))
    return Settlement(contact.key, winner, tuple(losses), "umpire", 60)


def staff(world: World, side: str, dice: DiceRoller) -> list[Order]:
    return staff_orders(world, side)


def a_small_war(weeks: int = 2) -> Played:
    world = small_world(
        {
            "burgoyne": ("crown", "crown_point", 8),
            "st_clair": ("rebel", "ticonderoga", 3),
            "gates": ("rebel", "albany", 4),
        },
        garrisons=("st_clair",),
    )
    return play_campaign(world, dice_of, {"crown": staff, "rebel": staff}, stronger_wins, weeks)


def test_plays_every_day_and_closes_every_week() -> None:
    played = a_small_war()
    assert [world.day for world in played.mornings] == list(range(15))
    assert len(played.events) == 14
    weeks_ends = [any(event.minute == 1440 for event in day) for day in played.events]
    assert weeks_ends[6] and weeks_ends[13]
    assert not any(weeks_ends[:6])


def test_the_same_dice_play_the_same_war() -> None:
    assert world_hash(a_small_war().world) == world_hash(a_small_war().world)


def test_every_battle_kept_belongs_to_the_day_it_was_fought_on() -> None:
    played = a_small_war()
    assert played.battles
    for fought in played.battles:
        assert fought.settlement.contact == fought.contact.key
        assert any(event.contact == fought.contact.key for event in played.events[fought.day])


def test_hr_cal_02_stops_on_the_last_day() -> None:
    world = small_world({"burgoyne": ("crown", "montreal", 2), "gates": ("rebel", "albany", 2)})
    played = play_campaign(world, dice_of, {}, stronger_wins, 30)
    assert played.world.ended
    assert len(played.events) == world.theatre.days == 126
