"""Worker processes on one campaign in a database of their own, to be killed or set against one another.

Run as a program: `python -m tests.campaign.services.theatre_of_war COMMAND ...` with DATABASE_URL set.
"""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[3]
#: Day on which the worker stops, and how many days run on beside a battle before it is settled.
LAST_DAY, BESIDE = 6, 2
#: Who meets where on the first morning: (formation, place, order).
MEETINGS = (
    ("advanced_corps", "castleton", "hubbardton"),
    ("poors_brigade", "hubbardton", ""),
    ("german_1st_brigade", "fort_edward", "half_moon"),
    ("patersons_brigade", "half_moon", ""),
)


def environment(database: str) -> dict[str, str]:
    return {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "campaign.config.settings_test",
        "DATABASE_URL": database,
    }


def worker(database: str, *command: object) -> "subprocess.Popen[str]":
    """A worker at its task; it says a line when it is ready, and one for each thing done."""
    return subprocess.Popen(
        [sys.executable, "-m", __name__, *map(str, command)],
        cwd=ROOT,
        env=environment(database),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def run(database: str, *command: object) -> str:
    """What a worker says from beginning to end."""
    done = worker(database, *command)
    said, _ = done.communicate(timeout=600)
    assert done.returncode == 0, said
    return said


# --- what workers do ---


def _create(secret: str = "k") -> None:
    """A war in which two battles wait for people from the first two days on."""
    from campaign.models import Campaign
    from campaign.rules.umpire import corrections
    from campaign.rules.world.world import Order, Position
    from campaign.services.setup.campaigns import campaign_create
    from campaign.services.umpire.corrections import act_perform

    campaign_create(
        scenario="saratoga-1777", slug="war", secret=secret[0].encode() * 32, settings={"tiny_fights": "ask"}
    )
    for formation, place, goal in MEETINGS:
        order = Order(formation, (goal,) if goal else (), stance="attack" if goal else "give_battle")
        for act in (
            corrections.PlaceFormation(formation, Position(place=place)),
            corrections.CommandFormation(formation, order),
        ):
            act_perform(campaign=Campaign.objects.get(), act=act, reason="Here it begins.", actor=None)


def _step() -> bool:
    """Do what comes next: a turn, a day beside the battle that waits, or that battle's result."""
    from campaign.ledger.provisional_days import days_ahead
    from campaign.models import Battle, Campaign
    from campaign.services.battles.settlement import battle_settle_by_word
    from campaign.services.turns.days import battles_of_day
    from campaign.services.turns.runs import turn_advance

    campaign = Campaign.objects.get()
    if campaign.day >= LAST_DAY:
        return False
    waiting = battles_of_day(campaign).filter(state=Battle.State.WAITING).first()
    if waiting is not None and len(days_ahead(campaign)) >= BESIDE:
        lost = {waiting.attacker: 20, waiting.defender: 30}
        battle_settle_by_word(battle=waiting, field_held_by=waiting.attacker, percent_lost=lost, actor=None)
    else:
        turn_advance(campaign=campaign, actor=None)
    return True


def _campaign_on() -> None:
    """Say first what whoever was killed before has left."""
    print(_sound(), flush=True)
    print("ready", flush=True)
    while _step():
        print("done", flush=True)


def _race() -> None:
    """At each word do one turn, from where the word says that it begins."""
    from campaign.models import Campaign
    from campaign.services.turns.days import AlreadyAdvanced
    from campaign.services.turns.runs import Begun, turn_advance

    print("ready", flush=True)
    for line in sys.stdin:
        day, ahead, waited = map(int, line.split())
        try:
            turn_advance(campaign=Campaign.objects.get(), actor=None, begun=Begun(day, ahead, bool(waited)))
            print("played", flush=True)
        except AlreadyAdvanced:
            print("late", flush=True)


def _begun() -> None:
    """The umpire's desk in a race: settle what has waited long enough, and say where the turn begins."""
    print("ready", flush=True)
    for _ in sys.stdin:
        print(_desk(), flush=True)


def _desk() -> str:
    from campaign.models import Battle, Campaign
    from campaign.services.battles.settlement import battle_settle_by_word
    from campaign.services.turns.days import battles_of_day
    from campaign.services.turns.runs import get_turn_start

    begun = get_turn_start(Campaign.objects.get())
    if begun.waited and begun.ahead >= BESIDE:
        campaign = Campaign.objects.get()
        for battle in battles_of_day(campaign).filter(state=Battle.State.WAITING):
            lost = {battle.attacker: 20, battle.defender: 30}
            battle_settle_by_word(battle=battle, field_held_by=battle.attacker, percent_lost=lost, actor=None)
        begun = get_turn_start(campaign)
    return f"{begun.day} {begun.ahead} {int(begun.waited)} {_sound()}"


def _sound() -> str:
    """ "sound" when each day exists once, in turn, and rows and chain agree; else what is wrong."""
    from campaign.ledger.provisional_days import days_ahead
    from campaign.ledger.world_rows import world_load
    from campaign.models import Campaign, DayRecord, ProvisionalDay
    from campaign.rules.world.world_json import world_hash

    campaign = Campaign.objects.select_related("head").get()
    assert campaign.head is not None
    days = list(DayRecord.objects.filter(kind="day").order_by("pk").values_list("day", flat=True))
    told = set(campaign.journal.filter(record__kind="day").values_list("day", flat=True))
    kept = list(ProvisionalDay.objects.order_by("pk").values_list("day", flat=True))
    ahead = [row.day for row in days_ahead(campaign)]
    problems: list[Any] = []
    if days != list(range(1, campaign.day + 1)) or told != set(range(campaign.day)):
        problems.append(("days", days, sorted(told)))
    if len(set(kept)) != len(kept) or ahead != list(range(campaign.day, campaign.day + len(ahead))):
        problems.append(("provisional", kept, ahead))
    if world_hash(world_load(campaign)) != campaign.head.world_hash:
        problems.append("rows")
    return repr(problems) if problems else "sound"


def _state() -> None:
    from campaign.ledger.hash_chain import compute_digest
    from campaign.models import Campaign

    campaign = Campaign.objects.select_related("head").get()
    assert campaign.head is not None
    # not the records' own hashes, which cover the moment each was written
    told = list(campaign.records.order_by("pk").values_list("day", "kind", "events_hash", "world_hash"))
    print(campaign.day, len(told), compute_digest(told), _sound())


def _verify() -> None:
    from campaign.models import Campaign
    from campaign.services.proof.database import campaign_verify

    print(campaign_verify(campaign=Campaign.objects.get()).replayed)


if __name__ == "__main__":
    import django

    django.setup()
    {
        "create": _create,
        "go": _campaign_on,
        "race": _race,
        "desk": _begun,
        "state": _state,
        "verify": _verify,
    }[sys.argv[1]](*sys.argv[2:])
