"""Bennington again: Breymann after Baum on one day, however each of the two fights was settled.

By the engine, on the table or by the umpire's word: what the first cost, who comes up while it lasts, who
falls back and who follows is the rules' and not the source's (AWI-C-BAT-04, HR-CON-09, HR-RET-01, HR-PUR-01).
"""

from collections.abc import Callable, Mapping
from itertools import pairwise

import pytest

from campaign.ledger.world_rows import world_load
from campaign.models import Battle, Campaign, JournalEntry, User
from campaign.rules.battles.table_results import UnitResult
from campaign.rules.contact.casualties import battle_charges
from campaign.rules.contact.contact import Settlement
from campaign.rules.umpire import corrections
from campaign.rules.world.settings import RuleSettings
from campaign.rules.world.world import Order, Position
from campaign.services.battles.outcomes import settlement_from_json
from campaign.services.battles.settlement import (
    battle_settle_by_engine,
    battle_settle_by_word,
)
from campaign.services.orders.march_orders import order_submit
from campaign.services.proof.database import campaign_verify
from campaign.services.turns.days import day_advance
from campaign.services.umpire.corrections import act_perform
from rosters.domain.strength import strength_points
from rosters.domain.vocabulary import Mobility
from tests.factories.table_settling import battle_settle_by_table

pytestmark = pytest.mark.django_db

#: Who plays whom: Baum's provincials, Stark and Warner, and Breymann with his grenadiers and guns.
BAUM, STARK, WARNER, BREYMANN = "provincial_corps", "poors_brigade", "patersons_brigade", "reserve_corps"
WAYS = ("engine", "table", "word")
Settle = Callable[[Battle, str, Mapping[str, UnitResult]], None]


def by(way: str) -> Settle:
    """Settles a battle in that way; `held` and what units lost are the people's, not the engine's."""

    def settle(battle: Battle, held: str, results: Mapping[str, UnitResult]) -> None:
        if way == "engine":
            battle_settle_by_engine(battle=battle, actor=None)
        elif way == "table":
            battle_settle_by_table(battle=battle, results=results, field_held_by=held, actor=None)
        else:
            loser = "crown" if held == "rebel" else "rebel"
            lost = {held: 30, loser: 60}
            battle_settle_by_word(battle=battle, field_held_by=held, percent_lost=lost, actor=None)

    return settle


@pytest.fixture
def walloomsac(saratoga: Campaign, carleton: User, gates: User) -> Callable[[str, Order], Campaign]:
    """Baum and Stark face to face at dawn, and Breymann where he is put and with his order."""

    def begin(place: str, order: Order) -> Campaign:
        stands = {BAUM: "walloomsac", STARK: "walloomsac", WARNER: "walloomsac", BREYMANN: place}
        done = [corrections.PlaceFormation(name, Position(place=where)) for name, where in stands.items()]
        for act in (corrections.SetWeather(0, "fair"), corrections.Reinforce("nh1", 18), *done):
            act_perform(campaign=saratoga, act=act, reason="Bennington.", actor=carleton)
        for name in (STARK, WARNER):
            attack = Order(name, stance="attack")
            order_submit(campaign=saratoga, side="rebel", order=attack, actor=gates)
        order_submit(campaign=saratoga, side="crown", order=order, actor=carleton)
        day_advance(campaign=saratoga, actor=None)
        return Campaign.objects.get()

    return begin


def march(pace: str = "plus_half") -> Order:
    return Order(BREYMANN, ("walloomsac",), pace=pace, stance="attack")  # type: ignore[arg-type]


def settled(battle: Battle) -> Settlement:
    return settlement_from_json(Battle.objects.get(pk=battle.pk).settlement or {})


def fighters(battle: Battle) -> dict[str, dict[str, int]]:
    return {one["unit"]: one for one in battle.inputs["contact"]["units"]}


def told(kind: str) -> list[JournalEntry]:
    return list(JournalEntry.objects.filter(kind=kind, record__kind="day"))


@pytest.mark.parametrize("way", WAYS)
def test_breymann_comes_after_baum_and_stark_fights_him_with_what_is_left_awi_c_bat_04(walloomsac, way):
    campaign = walloomsac("cambridge", march())
    first = Battle.objects.get()
    assert first.contact == "d0/walloomsac/1" and BREYMANN not in str(first.inputs["contact"]["participants"])
    by(way)(first, "rebel", {"nh1": UnitResult(2), "lo_kla": UnitResult(0, destroyed=True)})
    assert settled(first).field_held_by == "rebel"
    waits = day_advance(campaign=campaign, actor=None).battles_waiting
    assert [battle.contact for battle in waits] == ["d0/walloomsac/2"]
    (second,) = waits
    assert second.attacker == "crown" and second.minute >= first.inputs["contact"]["ends"]
    before, now = fighters(first), fighters(second)
    rules = RuleSettings.from_json(campaign.settings)
    cost = {
        loss.unit: (sum(points for _, points in battle_charges(loss, rules)), loss.sp_lost)
        for loss in settled(first).losses
    }
    stood = [key for key, one in now.items() if one["side"] == "rebel"]
    assert stood
    for key in stood:
        points, sp_lost = cost[key]
        fights_at = max(0, before[key]["points"] + points - 5 * sp_lost)
        assert now[key]["points"] == fights_at and now[key]["sp"] == strength_points(fights_at)
    if way == "table":
        assert (before["nh1"]["points"], now["nh1"]["points"], now["nh1"]["sp"]) == (120, 100, 5)
    lost_first = {one.general for one in settled(first).generals}
    assert not lost_first & {leader["id"] for leader in second.inputs["file"]["leaders"]}

    by(way)(second, "crown", {"nh1": UnitResult(1), "bw_gren_1": UnitResult(1)})
    day_advance(campaign=campaign, actor=None)
    campaign.refresh_from_db()
    assert campaign.day == 1
    for battle in (first, second):  # for good each cost what it cost; the 5 an SP held for the second only
        for loss in settled(battle).losses:
            if charges := sum(points for _, points in battle_charges(loss, rules)):
                entry = next(one for one in told("battle_loss") if of(one) == (battle.contact, loss.unit))
                assert entry.after == max(0, entry.before + charges)
    units = world_load(campaign).units
    for key in before.keys() | now.keys():
        told_of = [one for one in JournalEntry.objects.filter(unit=key, record__kind="day") if one.before]
        for one, following in pairwise(told_of):
            assert one.after == following.before
        assert not told_of or units[key].points == told_of[-1].after
    assert campaign_verify(campaign=campaign).replayed == 1


def of(entry: JournalEntry) -> tuple[str, str]:
    return entry.contact, entry.unit


@pytest.mark.parametrize("way", WAYS)
def test_breymann_comes_up_while_baum_fights_and_counts_from_his_turn_hr_con_09(walloomsac, way):
    campaign = walloomsac("st_coicks_mill", march("normal"))
    battle = Battle.objects.get()
    came = fighters(battle)
    late = {key: one["arrives"] for key, one in came.items() if one["arrives"]}
    assert late and set(late) <= {unit.id for unit in world_load(campaign).units.values()}
    assert {unit["formation"] for unit in battle.inputs["file"]["units"] if unit["id"] in late} == {BREYMANN}
    gone = {key: UnitResult(1) for key in late}
    by(way)(battle, "rebel", gone)
    day_advance(campaign=campaign, actor=None)
    assert Battle.objects.count() == 1
    assert {entry.formation for entry in told("joins_battle")} == {BREYMANN}
    losses = {loss.unit: loss for loss in settled(battle).losses}
    assert set(late) <= set(losses)
    if settled(battle).field_held_by == "rebel":
        beaten = {entry.formation for entry in told("retreat")} | {
            entry.formation for entry in told("force_surrendered")
        }
        there = {BAUM, BREYMANN}
        gone_whole = {name for name in there if not _units_left(name)}
        assert there - gone_whole <= beaten
    campaign.refresh_from_db()
    assert campaign_verify(campaign=campaign).replayed == 1


def _units_left(formation: str) -> list[str]:
    world = world_load(Campaign.objects.get())
    return [key for key, unit in world.units.items() if unit.formation == formation and unit.points]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("hurt", [False, True])
def test_fresh_light_troops_follow_however_it_was_settled_hr_pur_01(walloomsac, way, hurt):
    campaign = walloomsac("st_johns", Order(BREYMANN))
    battle = Battle.objects.get()
    by(way)(battle, "rebel", {"rangers_wl": UnitResult(1 if hurt else 0), "lo_kla": UnitResult(1)})
    assert settled(battle).field_held_by == "rebel"
    light = {
        key
        for key, unit in world_load(campaign).units.items()
        if unit.formation in (STARK, WARNER) and unit.mobility in (Mobility.LIGHT, Mobility.MOUNTED)
    }
    assert light == {"rangers_wl"}
    tired = {loss.unit for loss in settled(battle).losses if loss.sp_lost or loss.sp_captured}
    day_advance(campaign=campaign, actor=None)
    fell_back = {entry.formation for entry in told("retreat")} == {BAUM}
    assert bool(told("pursuit")) == (fell_back and not light <= tired)
    if way == "table":
        assert bool(told("pursuit")) != hurt
