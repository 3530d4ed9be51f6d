"""A campaign played by both staffs, and what is true of the enemy that a side has not learned."""

import html
import re
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from django.urls import reverse

from battles.files.reading import decode_battle
from battles.files.schema import BattlePlan
from campaign.ai.commander import staff_orders
from campaign.fog.battles import file_of_copy
from campaign.ledger.hash_chain import event_to_json
from campaign.ledger.journal import event_from_entry
from campaign.ledger.world_rows import snapshot_pack, snapshot_unpack, world_load, world_save
from campaign.models import Battle, Campaign, DayRecord, JournalEntry, Seat, User
from campaign.rules.errors import RuleViolation
from campaign.rules.scouting.knowledge import list_known_enemies
from campaign.rules.world.world import World
from campaign.services.battles.battle_plans import battle_plan_choose
from campaign.services.battles.settlement import battle_settle_by_engine
from campaign.services.dispatches import letter_send, letters_read
from campaign.services.notifications.calendars import calendar_make
from campaign.services.orders.march_orders import order_submit
from campaign.services.press.bulletins import bulletins_publish
from campaign.services.seats.changes import seat_open, spectators_set
from campaign.services.setup.campaigns import SeatPlan, campaign_create
from campaign.services.turns.days import day_advance
from tests.campaign.conftest import SECRET
from tests.campaign.web.crawl import Crawl
from tests.campaign.web.other_truths import Change

SIDES = ("crown", "rebel")
SPECTATORS_DAYS = 1
#: Plans each side chooses where it may; the enemy's are no concern of the other's.
PLANS = (BattlePlan("assault", reserve_percent=25), BattlePlan("hold"))


def people_make() -> dict[str, User]:
    """A person for each seat of `played`, by the seat's name."""
    names = ("umpire", "spectator", "deputy", "reserve", "guest", "captain", *SIDES)
    return {name: User.objects.create_user(name) for name in names}


def played(
    people: Mapping[str, User], days: int, *, slug: str = "fog", settings: Mapping[str, Any] | None = None
) -> Campaign:
    """So many days with both staffs giving orders; the engine fights the battles."""
    campaign = campaign_create(
        scenario="saratoga-1777",
        slug=slug,
        secret=SECRET,
        settings=settings,
        seats=(
            SeatPlan(Seat.Role.UMPIRE, "", "The umpire", people["umpire"]),
            *(SeatPlan(Seat.Role.COMMANDER, side, f"The {side}", people[side]) for side in SIDES),
        ),
        actor=people["umpire"],
    )
    seats_more(campaign, people)
    while campaign.day < days and campaign.state == Campaign.State.RUNNING:
        world = world_load(campaign)
        for side in SIDES:
            for order in staff_orders(world, side):
                order_submit(campaign=campaign, side=side, order=order, actor=people[side])
        while waiting := day_advance(campaign=campaign, actor=None).battles_waiting:
            for battle in waiting:
                _plan(battle, people)
                battle_settle_by_engine(battle=battle, actor=None)
        campaign.refresh_from_db()
    for week in range(1, campaign.day // 7 + 1):
        bulletins_publish(campaign=campaign, week=week, actor=people["umpire"])
    letters(campaign, people)
    return campaign


def letters(campaign: Campaign, people: Mapping[str, User]) -> None:
    """Each commander tells the umpire of his columns, and his enemy nothing; both stay so (HR-LET-02)."""
    world = world_load(campaign)
    seats = {seat.user: seat.pk for seat in campaign.seats.all()}
    for side, enemy in (SIDES, SIDES[::-1]):
        own = ", ".join(one.name for one in world.formations.values() if one.side == side)[:4000]
        for to, text in (("umpire", own), (enemy, "Sir, an exchange of prisoners?")):
            letter = letter_send(campaign=campaign, author=people[side], to=[seats[people[to]]], text=text)
            letters_read(letters=[letter], reader=people[to])


def seats_more(campaign: Campaign, people: Mapping[str, User]) -> None:
    """Who looks on, who waits, and who commands a column of the Crown's or stands for its captain."""
    umpire = people["umpire"]
    for role in ("spectator", "reserve"):
        seat_open(campaign=campaign, role=role, user=people[role], actor=umpire)
    spectators_set(campaign=campaign, days=SPECTATORS_DAYS, side="", reason="Late enough.", actor=umpire)
    captain = seat_open(
        campaign=campaign,
        role="column",
        side="crown",
        formations=["advanced_corps"],
        user=people["captain"],
        actor=umpire,
    )
    seat_open(campaign=campaign, role="deputy", stands_for=captain, user=people["deputy"], actor=umpire)


def _plan(battle: Battle, people: Mapping[str, User]) -> None:
    """Each side its own plan, where its rules let it choose one."""
    for side, plan in zip((battle.attacker, battle.defender), PLANS, strict=True):
        try:
            battle_plan_choose(battle=battle, side=side, plan=plan, actor=people[side])
        except RuleViolation:
            continue
    battle.refresh_from_db()


# --- what a side knows ---


def learned(campaign: Campaign, world: World, side: str) -> str:
    """All a side has been told, as one text: reports of today, its journal, its side of battles, its own."""
    told: list[Any] = [list_known_enemies(world, side)]
    for entry in JournalEntry.objects.filter(campaign=campaign, sides__contains=f"|{side}|"):
        told.append(event_to_json(event_from_entry(entry)))
    for battle in Battle.objects.filter(campaign=campaign):
        if side in (battle.attacker, battle.defender):
            told.append(told_of_battle(battle, world, side))
    told += [unit for unit in world.units.values() if unit.side == side]
    told += [one for one in world.formations.values() if one.side == side]
    told.append(world.theatre)
    return repr(told)


def told_of_battle(battle: Battle, world: World, side: str) -> list[Any]:
    """What a side is told of a battle it was in: its copy of the file, whose columns were there (HR-FOG-03).

    Besides, generals of the enemy it took, and whom it saw in the replay (HR-BAT-10).
    """
    file, replay = battle.inputs["file"], getattr(battle, "replay", None)
    there = [*file["units"], *file["leaders"]]
    columns = {unit["formation"] for unit in file["units"]}
    taken = [one for one in (battle.settlement or {}).get("generals", ()) if one["fate"] == "captured"]
    seen = replay.seen.get(side, {}) if replay else {}
    return [
        file_of_copy(decode_battle(file), side),
        [world.formations[key].name for key in columns if key in world.formations],
        [one["name"] for one in taken],
        [(one["id"], one["name"]) for one in there if one["id"] in seen],
    ]


def facts_of(world: World, known: str, sides: Collection[str] = SIDES) -> set[str]:
    """Ids and names of the sides' columns, units and their commanders that do not stand in a text."""
    bodies = [one for one in world.formations.values() if one.side in sides]
    every = [*bodies, *(unit for unit in world.units.values() if unit.side in sides)]
    named = {one.id for one in every} | {one.name for one in every} | {one.commander for one in bodies}
    return {each for each in named if len(each) > 4 and each not in known}


def unknown(campaign: Campaign, world: World, side: str) -> set[str]:
    """What nothing has told a side of its enemy."""
    enemies = [each for each in SIDES if each != side]
    return facts_of(world, learned(campaign, world, side), enemies)


def unmet(battle: Battle, side: str) -> set[str]:
    """Ids and names of the enemies in a battle that a side never had in sight there (HR-BAT-10)."""
    file, seen = battle.inputs["file"], battle.replay.seen.get(side, {})
    there = [*file["units"], *file["leaders"]]
    met = {one[key] for one in there if one["side"] == side or one["id"] in seen for key in ("id", "name")}
    hidden = [one for one in there if one["side"] != side and one["id"] not in seen]
    return {one[key] for one in hidden for key in ("id", "name")} - met


def betrayed(answers: Mapping[str, str], facts: set[str]) -> Iterator[str]:
    """Answers in which one of the facts stands as a word of its own."""
    if not facts:
        return
    sought = re.compile(r"(?<![\w-])(" + "|".join(re.escape(each) for each in sorted(facts)) + r")(?![\w-])")
    for address, text in answers.items():
        for found in sorted(set(sought.findall(read_out(text)))):
            yield f"{address}: {found}"


def read_out(text: str) -> str:
    """An answer with the signs of its names as they are, where HTML or JSON writes others for them."""
    return html.unescape(re.sub(r"\\u([0-9a-f]{4})", lambda found: chr(int(found[1], 16)), text))


def betrayed_in_replays(campaign: Campaign, answers: Mapping[str, str], side: str) -> Iterator[str]:
    """The same of each battle's replay, page and data, with the units a side did not meet there."""
    for battle in Battle.objects.filter(campaign=campaign, replay__isnull=False).select_related("replay"):
        if side in (battle.attacker, battle.defender):
            begins = f"{campaign.get_absolute_url()}battles/{battle.pk}/replay"
            replays = {address: text for address, text in answers.items() if address.startswith(begins)}
            yield from betrayed(replays, unmet(battle, side))


@contextmanager
def another_truth(campaign: Campaign, change: Change, *, since: int = 0, plans: str = "") -> Iterator[None]:
    """Write another truth over the head and all mornings from `since` on, as nothing in play can.

    Where a side is named in `plans`, its enemy's plans for battles are others too.
    """
    true = world_load(campaign)
    after = change(true)
    assert after != true, "nothing is hidden; the crawl would show nothing"
    mornings = list(DayRecord.objects.filter(campaign=campaign, day__gte=since))
    snapshots = {row.pk: bytes(row.snapshot) for row in mornings}
    battles = list(Battle.objects.filter(campaign=campaign))
    chosen = {battle.pk: battle.plans for battle in battles}
    _head_put(campaign, true, after)
    for row in mornings:
        row.snapshot = snapshot_pack(change(snapshot_unpack(snapshots[row.pk], true.theatre)))
    for battle in battles if plans else ():
        battle.plans = {side: plan for side, plan in battle.plans.items() if side == plans}
    _rows_put(mornings, battles)
    try:
        yield
    finally:
        _head_put(campaign, after, true)
        for row in mornings:
            row.snapshot = snapshots[row.pk]
        for battle in battles:
            battle.plans = chosen[battle.pk]
        _rows_put(mornings, battles)


def _rows_put(mornings: list[DayRecord], battles: list[Battle]) -> None:
    DayRecord.objects.bulk_update(mornings, ["snapshot"], batch_size=20)
    Battle.objects.bulk_update(battles, ["plans"])


def _head_put(campaign: Campaign, before: World, after: World) -> None:
    world_save(campaign, before, after)
    campaign.save()


def begin(campaign: Campaign) -> list[str]:
    """Where every reader begins on the site: home, the campaign, and what no page has a link to."""
    page = campaign.get_absolute_url()
    days = range(1, campaign.day + 2)
    return [
        "/", "/account/", "/account/notices/", "/account/away/", page, f"{page}public/", f"{page}forecast/",
        *(f"{page}proof/{side}.json" for side in SIDES),
        *(f"{page}{name}?day={day}" for name in ("map.geojson", "map/list/") for day in days),
    ]  # fmt: skip


def crawled(campaign: Campaign, client: Any, most: int, *more: str) -> Crawl:
    """All that leads on from there, and `more` addresses, as of the API."""
    # so that home's "since you looked in" and the count of new notices say the same both times
    client.get(campaign.get_absolute_url())
    client.get(reverse("notices"))
    token = calendar_make(user=User.objects.get(pk=client.session["_auth_user_id"]))
    feeds = [f"/calendar/{token}.ics", f"/calendar/{token}/{campaign.slug}.ics"]
    # only a battle that waits leads to its pack, and all of a campaign that was played are settled
    packs = [
        reverse("battle-pack", args=[campaign.slug, each.pk]) for each in campaign.battles.order_by("-pk")[:2]
    ]
    return Crawl(client, most).follow(*begin(campaign), *feeds, *packs, *more)
