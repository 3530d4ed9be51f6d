"""A week in which something goes wrong each day: power, a worker, the machine's time, the database, mail.

Days play themselves at their deadlines, and the staff orders for whoever misses one. Both commanders of each
campaign order every day; what they were told is compared with what stands. On five of the days the mail
server refuses e-mail, each time in another way. Time passes by moving deadlines.
"""

import html
import json
import random
import threading
import time
import urllib.request
import uuid
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from email.message import Message
from typing import Any

import psycopg
import pytest

from tests.conftest import left_out_here
from tests.factories.sinks import MailSink, mail_sink
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


#: What the mail server wants to hear from the site.
PASSWORD = "of the mishaps"
#: What the administrator reads on the site of each refusal, and the state of its deliveries meanwhile.
REFUSALS = {
    "421": ("The mail server takes no e-mail just now (421)", "pending"),
    "dead": ("refuses the connection", "pending"),
    "450": ("", "pending"),
    "535": ("The mail server refuses the site's name and password (535)", "pending"),
    "550": ("some notices reached nobody", "failed"),
}
#: Who the mail server does not know on one of the days.
UNKNOWN = "saratoga-1-crown-0"


class MailServer:
    """The mail server of the week; its letters are kept over its restarts."""

    def __init__(self, port: int) -> None:
        self.port, self._stack = port, ExitStack()
        self._sinks: list[MailSink] = []

    def __enter__(self) -> "MailServer":
        self._sinks.append(self._stack.enter_context(mail_sink(PASSWORD, self.port)))
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    @property
    def letters(self) -> list[tuple[list[str], Message]]:
        return [letter for sink in self._sinks for letter in sink.letters]

    def refuse(self, how: str, *addresses: str) -> None:
        """Answer everybody so; 550 to those addresses."""
        sink = self._sinks[-1]
        if how == "dead":
            self.__exit__()
        elif how == "535":
            sink.password = "another"
        elif how == "550":
            sink.refused |= set(addresses)
        else:
            sink.answers["MAIL" if how == "421" else "RCPT"] = f"{how} Not now"

    def accept(self, how: str) -> None:
        """Take e-mail again."""
        if how == "dead":
            self.__enter__()
        sink = self._sinks[-1]
        sink.password = PASSWORD
        sink.refused.clear()
        sink.answers.clear()


@dataclass
class Played:
    """The site, its people, and what they were told."""

    site: RunningSite
    players: list[dict[str, Any]]
    people: dict[str, Any]
    mail: MailServer
    refused: dict[str, int] = field(default_factory=dict)
    late: dict[str, float] = field(default_factory=dict)
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

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        return rows_of(self.site.postgres.url, query)

    def amiss(self) -> str:
        """What an administrator reads on the first page of the site."""
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.site.port}/",
            headers={"Cookie": f"sessionid={self.people['keeper']['session']}"},
        )
        with urllib.request.urlopen(request, timeout=60) as answer:
            page = html.unescape(answer.read().decode())
        assert "keeper" in page, "signed out"
        return page.partition("This site needs your attention")[2].partition("</section>")[0]

    def until(self, what: str, is_so: Callable[[], Any]) -> None:
        began = time.monotonic()
        while not is_so():
            assert time.monotonic() - began < PATIENCE, f"{what}\n{tail(self.site)}"
            self.site.keep()
            time.sleep(1)

    @contextmanager
    def mail_refused(self, how: str) -> Iterator[None]:
        """Meanwhile the mail server answers so. Afterwards all that waits arrives, or its sender was told."""
        keeper_reads, state = REFUSALS[how]
        before = f"error <> '' AND state = '{state}'"
        began = self.rows("SELECT coalesce(max(id), 0) FROM campaign_notice")[0][0]
        guest = f"guest-{how}@example.org"
        self.mail.refuse(how, guest, f"{UNKNOWN}@example.org")
        umpire = self.people["umpires"][0]
        body = {"seat": self.people["empty"].pop(), "email": guest}
        status, answer, _ = Caller(self.site.port, umpire["token"]).until(
            "POST", f"campaigns/{umpire['slug']}/invitations/", body, {"Idempotency-Key": uuid.uuid4().hex}
        )
        assert (status, answer["sent"]) == (201, False), (status, answer)
        yield
        met = f"SELECT count(*) FROM campaign_delivery WHERE {before} AND notice_id > {began}"
        self.until(f"{how}: nothing was refused", lambda: self.rows(met)[0][0])
        time.sleep(2 * CLOCK)  # others may still be on their way to it
        self.refused[how] = self.rows(met)[0][0]
        if keeper_reads:
            self.until(f"{how}: the administrator is not told", lambda: keeper_reads in self.amiss())
        else:
            assert "mail server" not in self.amiss(), self.amiss()
        self.mail.accept(how)
        again = time.monotonic()
        if how == "550":
            self.send_again()
            said = self.rows(f"SELECT letter FROM campaign_invitation WHERE email = '{guest}'")
            assert "Check the address and enter it again." in said[0][0], said
        self.all_goes_out()
        self.late[how] = time.monotonic() - again
        if how in ("421", "dead", "535"):
            self.until(f"{how}: the fault is not over", lambda: keeper_reads not in self.amiss())

    def send_again(self) -> None:
        """The umpires have what reached nobody sent once more."""
        for umpire in self.people["umpires"]:
            caller, base = (
                Caller(self.site.port, umpire["token"]),
                f"campaigns/{umpire['slug']}/umpire/notices/",
            )
            for row in caller.until("GET", f"{base}?state=failed")[1]["results"]:
                status, answer, _ = caller.until("POST", f"{base}{row['number']}/again/", {})
                assert status == 200, (status, answer)

    def all_goes_out(self) -> None:
        """The pauses between attempts pass; returns when no e-mail waits any more."""
        waits = (
            "SELECT (SELECT count(*) FROM campaign_delivery WHERE state IN ('pending', 'sending')) + "
            "(SELECT count(*) FROM campaign_notice WHERE state = 'pending') + "
            "(SELECT count(*) FROM campaign_mailwaiting)"
        )

        def none_waits() -> bool:
            self.write(
                "UPDATE campaign_delivery SET due_at = now() WHERE state = 'pending' AND due_at > now()"
            )
            self.write("UPDATE campaign_mailwaiting SET due_at = now() WHERE due_at > now()")
            return not self.rows(waits)[0][0]

        self.until("e-mail is left", none_waits)

    def clock_goes(self) -> bool:
        fresh = f"beat_at BETWEEN now() - interval '{3 * CLOCK} seconds' AND now() + interval '1 minute'"
        beats = f"SELECT count(*) FROM campaign_heartbeat WHERE name = 'deadlines' AND {fresh}"
        return bool(self.rows(beats)[0][0])

    def nothing_is_played(self, day: int, what: str) -> None:
        """Nobody could order meanwhile, so for a while the campaigns stay where they are.

        It is watched from the clock's first stroke, which may come late on a busy machine.
        """
        self.until(f"{what}: the clock stands still", self.clock_goes)
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
    mail = {
        "EMAIL_URL": f"smtp://club:{PASSWORD.replace(' ', '%20')}@127.0.0.1:{port}",
        "DEFAULT_FROM_EMAIL": "umpire@example.org",
    }
    try:
        made = RunningSite("awi", **HASTE, **mail)
    except ServerMissing as missing:
        left_out_here(str(missing))
    with made as site, MailServer(port) as server:
        people = site.people(campaigns=CAMPAIGNS, empty=len(REFUSALS))
        chiefs = [player for player in people["players"] if player["name"].endswith("-0")]
        assert len(chiefs) == 2 * CAMPAIGNS
        played = Played(site, chiefs, people, server)
        played.write(
            "UPDATE campaign_campaign SET advance_at_deadline = true, missed_orders = 'staff', "
            "deadline = now() + interval '3 days'"
        )
        played.write("UPDATE campaign_user SET email = username || '@example.org'")
        for part in PARTS:
            site.start(part)
        played.order()
        played.play(1, "a plain day")

        # the power goes before a deadline and comes back after it
        with played.mail_refused("421"):
            played.due(10)
            for part in PARTS:
                site.kill(part)
            time.sleep(SILENCE)
            for part in PARTS:
                site.start(part)
            played.nothing_is_played(1, "power cut")
            played.order()
            played.play(2, "a power cut over the deadline")

        # a worker is killed while the day is played
        with played.mail_refused("dead"):
            played.order()
            killer = threading.Timer(random.uniform(1, 4), killed_and_back, (site, "worker"))
            killer.start()
            played.play(3, "a worker killed meanwhile, no mail")
            killer.join()

        # the machine's time was a day ahead, and is set right
        with played.mail_refused("450"):
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
        with played.mail_refused("535"):
            played.nothing_is_played(4, "restore")
            played.order()
            played.play(5, "a restore")

        # nobody has anything new; then all of it at once
        with played.mail_refused("550"):
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
        time.sleep(5 * CLOCK)  # the clock tells of the last day
        played.all_goes_out()
        compare(played, figure)
        site.run("manage.py", "verifycampaign", "--all")
        figure("verifycampaign", "green", "green")


def compare(played: Played, figure: Figure) -> None:
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
    failed = rows_of(url, "SELECT count(*) FROM campaign_notice WHERE state <> 'sent'")[0][0]
    astray = letters_astray(played, figure)
    figure(
        "deliveries refused by the mail server, by its answer",
        ", ".join(f"{how} {count}" for how, count in played.refused.items()),
        "all arrived later",
    )
    slowest = max(played.late.items(), key=lambda wait: wait[1])
    figure("longest until all refused e-mail had arrived", f"{slowest[1]:.0f} s ({slowest[0]})", "")
    longest = max(played.waits.items(), key=lambda wait: wait[1])
    figure("longest from a deadline to the day played", f"{longest[1]:.0f} s ({longest[0]})", "")
    assert not missing and not unheard and not played.untimely and not staff and not failed, json.dumps(
        [missing, sorted(unheard), played.untimely, staff, failed], default=str
    )
    assert not astray, astray
    assert set(stands) == wanted and len(rows) == len(stands)


def letters_astray(played: Played, figure: Figure) -> list[str]:
    """What is wrong with the e-mail that arrived: none for a notice, or at another person's address."""
    rows = played.rows(
        "SELECT d.key, u.email FROM campaign_delivery d JOIN campaign_notice n ON n.id = d.notice_id "
        "JOIN campaign_user u ON u.id = n.user_id WHERE d.state = 'sent'"
    )
    deliveries = dict(rows)
    arrived = Counter[str]()
    wrong, lost, guests = [], 0, set()
    for to, letter in played.mail.letters:
        key = letter["X-Notice-Id"]
        if key is None:
            guests |= set(to)
        elif key not in deliveries:  # of the day that the backup undid
            lost += 1
        else:
            arrived[key] += 1
            if to != [deliveries[key]] or letter["To"] != deliveries[key]:
                wrong.append(f"{key}: to {to}, not {deliveries[key]}")
    wrong += [f"{key}: no e-mail to {address}" for key, address in deliveries.items() if not arrived[key]]
    invited = {f"guest-{how}@example.org" for how in REFUSALS if how != "550"}
    wrong += [f"invited: {sorted(guests)}"] if guests != invited else []
    again = sum(arrived.values()) - len(arrived)
    figure(
        "notices delivered, not arrived or at a wrong address, arrived twice, of the day undone",
        f"{len(deliveries)}, {len(wrong)}, {again}, {lost}",
        "0 wrong",
    )
    return wrong
