"""The site of the week of mishaps: who plays, what they were told, and the mail server that refuses.

Where it has to wait it starts again what has ended, as systemd does.
"""

import html
import random
import time
import urllib.request
import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from email.message import Message
from typing import Any

import psycopg

from tests.factories.sinks import MailSink, mail_sink
from tests.prove.running_site import Caller, RunningSite
from tests.servers import rows_of

#: Seconds for which anything may take, and between strokes of the clock.
PATIENCE, CLOCK = 300.0, 3
#: How long it is looked whether a day is played that must not be.
WATCHED = 5 * CLOCK
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


def tail(site: RunningSite) -> str:
    return site.log.read_text()[-3000:] if site.log.exists() else ""
