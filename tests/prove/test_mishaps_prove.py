"""A week in which something goes wrong each day: power, a worker, the machine's time, the database, mail.

Days play themselves at their deadlines, and the staff orders for whoever misses one. Both commanders of each
campaign order every day; what they were told is compared with what stands. Time passes by moving deadlines.
"""

import json
import random
import threading
import time
import urllib.request
import uuid
from collections import Counter
from contextlib import ExitStack
from dataclasses import dataclass, field
from email.message import Message
from typing import Any

import psycopg
import pytest

from tests.conftest import left_out_here
from tests.factories.sinks import mail_sink
from tests.prove.conftest import Figure
from tests.prove.running_site import Caller, RunningSite
from tests.servers import ServerMissing, free_port, rows_of

pytestmark = pytest.mark.prove

CAMPAIGNS, WEEK, PATIENCE = 2, 7, 300.0
#: Seconds between strokes of the clock; ten times as long is a silence.
CLOCK = 3
SILENCE = 10 * CLOCK + 10
#: How long it is looked whether a day is played that must not be.
WATCHED = 5 * CLOCK
HASTE = {
    "JOB_LEASE_SECONDS": "10",
    "JOB_RESEND_SECONDS": "10",
    "JOB_SWEEP_SECONDS": "3",
    "CLOCK_SECONDS": str(CLOCK),
    "METRICS_TOKEN": "of the mishaps",
    "BACKUP_HOURS": "0",
}
PARTS = ("web", "worker", "beat")
#: What beat remembers, as if the machine's time had been a day ahead.
AHEAD = """
import datetime, os, shelve
with shelve.open(os.path.join(os.environ["AWI_VAR"], "beat-schedule"), writeback=True) as store:
    for entry in store["entries"].values():
        entry.last_run_at += datetime.timedelta(days=1)
"""


@dataclass
class Played:
    """The site, its people, and what they were told."""

    site: RunningSite
    players: list[dict[str, Any]]
    orders: dict[tuple[str, int, str], int] = field(default_factory=dict)
    heard: set[tuple[str, int, str]] = field(default_factory=set)
    lost: int = 0
    given: int = 0
    untimely: list[str] = field(default_factory=list)
    waits: dict[str, float] = field(default_factory=dict)

    @property
    def slugs(self) -> list[str]:
        return sorted({player["slug"] for player in self.players})

    def write(self, query: str) -> None:
        with psycopg.connect(self.site.postgres.url, autocommit=True) as connection:
            connection.execute(query)

    def days(self) -> dict[str, int]:
        return dict(rows_of(self.site.postgres.url, "SELECT slug, day FROM campaign_campaign"))

    def order(self) -> None:
        """Each commander gives one of his formations an order."""
        for player in self.players:
            caller = Caller(self.site.port, player["token"], patience=15)
            base = f"campaigns/{player['slug']}/orders/"
            now = caller.until("GET", base, seconds=PATIENCE)[1]
            free = [
                row for row in now["formations"] if row["mine"] and not row["waits"] and not row["garrison"]
            ]
            formation, starts = random.choice(free)["formation"], random.randint(1, 1000)
            body = {
                "order": {"formation": formation, "starts": starts},
                "days_completed": now["days_completed"],
            }
            key = {"Idempotency-Key": uuid.uuid4().hex}
            status, answer, _ = caller.until("POST", base, body, key, seconds=PATIENCE)
            assert status == 201, (status, answer)
            self.given += 1
            self.orders[player["slug"], now["days_completed"], formation] = starts
            self.heard.add((player["slug"], now["days_completed"], player["side"]))

    def nothing_new(self) -> None:
        """Each commander leaves his orders as they are."""
        for player in self.players:
            caller = Caller(self.site.port, player["token"], patience=15)
            status, answer, _ = caller.until(
                "POST", f"campaigns/{player['slug']}/orders/nothing-new/", {}, seconds=PATIENCE
            )
            assert status in (200, 201), (status, answer)
            self.heard.add((player["slug"], answer["day"] - 1, player["side"]))

    def due(self, seconds: int = 0) -> None:
        moment = f"now() + interval '{seconds} seconds'"
        self.write(f"UPDATE campaign_campaign SET deadline = {moment} WHERE slug <> 'table'")

    def play(self, day: int, what: str) -> None:
        """The deadline comes; returns when the day is played everywhere."""
        began = time.monotonic()
        while any(self.days()[slug] < day for slug in self.slugs):
            late = f"slug <> 'table' AND day < {day} AND deadline > now()"
            self.write(f"UPDATE campaign_campaign SET deadline = now() WHERE {late}")
            assert time.monotonic() - began < PATIENCE, f"Day {day} is not played\n{tail(self.site)}"
            self.site.keep()
            time.sleep(0.5)
        self.waits[what] = time.monotonic() - began

    def nothing_is_played(self, day: int, what: str) -> None:
        """Nobody could order meanwhile, so for a while the campaigns stay where they are."""
        until = time.monotonic() + WATCHED
        while time.monotonic() < until:
            self.untimely += [f"{what}: {slug}" for slug in self.slugs if self.days()[slug] != day]
            time.sleep(1)
        near = "slug <> 'table' AND deadline < now() + interval '23 hours'"
        query = f"SELECT count(*) FROM campaign_campaign WHERE {near}"
        left = rows_of(self.site.postgres.url, query)[0][0]
        assert left == 0, f"{what}: {left} campaigns were given no grace\n{tail(self.site)}"


def killed_and_back(site: RunningSite, part: str) -> None:
    site.kill(part)
    site.start(part)


def tail(site: RunningSite) -> str:
    return site.log.read_text()[-3000:] if site.log.exists() else ""


def ready(site: RunningSite) -> str:
    request = urllib.request.Request(
        f"http://127.0.0.1:{site.port}/ready/", headers={"Authorization": "Bearer of the mishaps"}
    )
    with urllib.request.urlopen(request, timeout=30) as answer:
        return str(answer.read().decode())


def test_a_week_of_mishaps_loses_no_order_and_plays_no_day_nobody_could_order_for(figure: Figure):
    port = free_port()
    mail = {"EMAIL_URL": f"smtp://127.0.0.1:{port}", "DEFAULT_FROM_EMAIL": "umpire@example.org"}
    try:
        made = RunningSite(**HASTE, **mail)
    except ServerMissing as missing:
        left_out_here(str(missing))
    letters: list[tuple[list[str], Message]] = []
    with made as site, ExitStack() as post:
        people = site.people(campaigns=CAMPAIGNS)
        chiefs = [player for player in people["players"] if player["name"].endswith("-0")]
        assert len(chiefs) == 2 * CAMPAIGNS
        played = Played(site, chiefs)
        played.write(
            "UPDATE campaign_campaign SET advance_at_deadline = true, missed_orders = 'staff', "
            "deadline = now() + interval '3 days'"
        )
        played.write("UPDATE campaign_user SET email = username || '@example.org'")
        letters = post.enter_context(mail_sink(port=port)).letters
        for part in PARTS:
            site.start(part)
        played.order()
        played.play(1, "a plain day")

        # the power goes before a deadline and comes back after it
        played.due(10)
        for part in PARTS:
            site.kill(part)
        time.sleep(SILENCE)
        for part in PARTS:
            site.start(part)
        played.nothing_is_played(1, "power cut")
        played.order()
        played.play(2, "a power cut over the deadline")

        # a worker is killed while the day is played; meanwhile the mail server is away
        post.close()
        played.order()
        killer = threading.Timer(random.uniform(1, 4), killed_and_back, (site, "worker"))
        killer.start()
        played.play(3, "a worker killed meanwhile, no mail")
        killer.join()
        again = post.enter_context(mail_sink(port=port)).letters

        # the machine's time was a day ahead, and is set right
        site.kill("beat")
        site.run("-c", AHEAD)
        played.write(
            "UPDATE campaign_heartbeat SET beat_at = beat_at + interval '1 day' WHERE name = 'deadlines'"
        )
        site.start("beat")
        played.order()
        played.play(4, "the machine's time set back by a day")
        told = ready(site)
        assert "clock: warning: The time of this machine was set back" in told, told

        # a backup is put back after the next day was played
        site.run("manage.py", "backup")
        [file] = sorted((site.folder / "backups").glob("campaign-*.zip"))
        before = dict(played.orders), set(played.heard)
        played.order()
        played.lost = len(played.players)
        played.play(5, "the day that is lost")
        for part in PARTS:
            site.kill(part)
        site.run("manage.py", "restore", str(file), "--force")
        played.orders, played.heard = before
        for part in PARTS:
            site.start(part)
        played.nothing_is_played(4, "restore")
        played.order()
        played.play(5, "a restore")

        # nobody has anything new; then all of it at once
        played.nothing_new()
        played.play(6, "nothing new")
        played.order()
        played.due(10)
        for part in (*PARTS, "redis", "postgres"):
            site.kill(part)
        time.sleep(SILENCE)
        for part in ("postgres", "redis", *PARTS):
            site.start(part)
        played.nothing_is_played(6, "all killed")
        played.play(7, "everything killed over the deadline")
        settle(site)
        compare(played, letters + again, figure)
        site.run("manage.py", "verifycampaign", "--all")
        figure("verifycampaign", "green", "green")


def settle(site: RunningSite) -> None:
    """Return when every notice has gone out: what failed is tried again after a minute, then after five."""
    left = "SELECT count(*) FROM campaign_delivery WHERE state IN ('pending', 'sending')"
    began = time.monotonic()
    while time.monotonic() - began < 5 * CLOCK or rows_of(site.postgres.url, left)[0][0]:
        assert time.monotonic() - began < 600, f"notices are left\n{tail(site)}"
        site.keep()
        time.sleep(1)


def compare(played: Played, letters: list[tuple[list[str], Message]], figure: Figure) -> None:
    """What was told against what stands."""
    url = played.site.postgres.url
    rows = rows_of(
        url,
        "SELECT c.slug, r.day, r.inputs->'orders' FROM campaign_dayrecord r "
        "JOIN campaign_campaign c ON c.id = r.campaign_id WHERE r.kind = 'day' AND c.slug <> 'table'",
    )
    stands = {(slug, day - 1): {order["formation"]: order for order in orders} for slug, day, orders in rows}
    wanted = {(slug, day) for slug in played.slugs for day in range(WEEK)}
    figure(
        f"days of {CAMPAIGNS} campaigns, missing, doubled",
        f"{len(rows)}, {len(wanted - set(stands))}, {len(rows) - len(stands)}",
        "0, 0",
    )
    missing = [
        key for key, starts in played.orders.items()
        if stands.get(key[:2], {}).get(key[2], {}).get("starts") != starts
    ]  # fmt: skip
    figure("orders told of, lost", f"{played.given - played.lost}, {len(missing)}", "0")
    figure("orders after the backup, of which their senders were told", str(played.lost), "")
    sides = {(player["slug"], player["side"]) for player in played.players}
    unheard = [
        (slug, day, side)
        for slug, side in sides
        for day in range(WEEK)
        if (slug, day, side) not in played.heard
    ]
    figure("days played that nobody could order for", str(len(unheard) + len(played.untimely)), "0")
    staff = rows_of(
        url,
        "SELECT count(*) FROM campaign_orderpaper p JOIN campaign_campaign c ON c.id = p.campaign_id "
        "WHERE p.author = 'staff' AND p.day > 0 AND c.slug <> 'table'",
    )[0][0]
    figure("orders the staff wrote over a commander's", str(staff), "0")
    seats = rows_of(
        url,
        "SELECT count(DISTINCT (campaign_id, user_id)) FROM campaign_seat WHERE user_id IS NOT NULL AND "
        "campaign_id IN (SELECT id FROM campaign_campaign WHERE slug <> 'table')",
    )[0][0]
    told = rows_of(url, "SELECT count(*) FROM campaign_notice WHERE kind = 'grace'")[0][0]
    figure("people told of more time, each of three outages", str(told), str(3 * seats))
    sent = rows_of(url, "SELECT count(*) FROM campaign_delivery WHERE state = 'sent'")[0][0]
    failed = rows_of(url, "SELECT count(*) FROM campaign_notice WHERE state <> 'sent'")[0][0]
    names = Counter(message["Message-ID"] for _, message in letters)
    figure(
        "letters sent, not arrived, again by their name",
        f"{sent}, {failed}, {sum(names.values()) - len(names)}",
        "0",
    )
    longest = max(played.waits.items(), key=lambda wait: wait[1])
    figure("longest from a deadline to the day played", f"{longest[1]:.0f} s ({longest[0]})", "")
    assert not missing and not unheard and not played.untimely and not staff and not failed, json.dumps(
        [missing, sorted(unheard), played.untimely, staff, failed], default=str
    )
    assert set(stands) == wanted and len(rows) == len(stands)
