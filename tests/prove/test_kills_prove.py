"""Worker, web, Redis and PostgreSQL are killed in turn while people play; what was acknowledged stands once.

Forty players read and order as in the test of load (locust). Ten more, the umpires and the table remember
what they were told: orders put in under keys, asked again until there is an answer, days asked for, results
entered. At the end all of it is compared with the database. KILLS is how often each is killed.
"""

import json
import os
import random
import subprocess
import sys
import threading
import time
import uuid
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import left_out_here
from tests.factories.sinks import WebSink, web_sink
from tests.prove.conftest import Figure
from tests.prove.running_site import ROOT, Caller, RunningSite
from tests.servers import ServerMissing, rows_of

pytestmark = pytest.mark.prove

KILLS = int(os.environ.get("KILLS", "10"))
CAMPAIGNS = int(os.environ.get("LOAD_CAMPAIGNS", "5"))
KILLED = ("worker", "web", "redis", "postgres")
#: Seconds within which a site whose part was started again must play a day, however busy the machine is.
PATIENCE = 300.0
#: Seconds between two days of one campaign: there are 126 of them.
DAY_EVERY = 10.0
#: Shorter than a site has them, so that forty kills take minutes.
HASTE = {
    "JOB_LEASE_SECONDS": "10",
    "JOB_RESEND_SECONDS": "10",
    "JOB_SWEEP_SECONDS": "3",
    "CLOCK_SECONDS": "5",
}


@dataclass
class Told:
    """What clients were told and have a right to find again."""

    orders: list[dict[str, Any]] = field(default_factory=list)
    days: dict[tuple[str, int], str] = field(default_factory=dict)
    results: list[tuple[int, str]] = field(default_factory=list)
    over: threading.Event = field(default_factory=threading.Event)
    failed: list[str] = field(default_factory=list)
    asked_again: int = 0

    def running(self, work: Callable[[], None]) -> threading.Thread:
        """A client that does its work again and again until it is over."""

        def go_on() -> None:
            try:
                while not self.over.is_set():
                    work()
            except Exception as error:
                self.failed.append(f"{type(error).__name__}: {error}"[:600])

        thread = threading.Thread(target=go_on)
        thread.start()
        return thread


def ordering(site: RunningSite, told: Told, player: dict[str, Any]) -> Callable[[], None]:
    """Gives one of his formations another order every few seconds."""
    caller, base = Caller(site.port, player["token"], patience=15), f"campaigns/{player['slug']}/orders/"

    def work() -> None:
        time.sleep(random.uniform(2, 6))
        now = caller.until("GET", base, seconds=PATIENCE)[1]
        mine = [row for row in now["formations"] if row["mine"] and not row["waits"] and not row["garrison"]]
        if not mine:
            return
        row = random.choice(mine)
        order = {"formation": row["formation"], "starts": random.randint(1, 1000)}
        body = {"order": order, "days_completed": now["days_completed"]}
        key = {"Idempotency-Key": uuid.uuid4().hex}
        status, paper, _ = caller.until("POST", base, body, key, seconds=PATIENCE)
        assert status in (201, 422), (status, paper)
        if status == 201:
            told.orders.append({**player, **paper, "starts": order["starts"]})

    return work


def advancing(site: RunningSite, told: Told, umpire: dict[str, Any]) -> Callable[[], None]:
    """Asks for the next day, waits until it is played, and remembers its hash."""
    caller, base = Caller(site.port, umpire["token"], patience=15), f"campaigns/{umpire['slug']}/"

    def work() -> None:
        began = time.monotonic()
        day = caller.until("GET", f"{base}umpire/", seconds=PATIENCE)[1]["turn_from"]
        key = {"Idempotency-Key": uuid.uuid4().hex}
        status, answer, _ = caller.until("POST", f"{base}advance/", {"day": day}, key, seconds=PATIENCE)
        if status == 422:  # the campaign has ended
            told.over.wait(DAY_EVERY)
            return
        assert status == 202, (status, answer)
        steps: list[dict[str, Any]] = []  # the proof may be over before he has looked once
        while not told.over.is_set():
            steps = caller.until("GET", f"{base}days/", seconds=PATIENCE)[1]["steps"]
            if any(step["kind"] == "day" and step["days_completed"] == day + 1 for step in steps):
                break
            job = caller.until("GET", f"{base}jobs/{answer['number']}/", seconds=PATIENCE)[1]
            if (
                job["state"] == "failed"
            ):  # its worker was killed once too often: he asks again, as a person would
                told.asked_again += 1
                return
            assert time.monotonic() - began < PATIENCE + 60, (
                f"{base} day {day} was asked for and is not played: {job}"
            )
            time.sleep(2)  # who looks more often takes the processor the day is to be played with
        told.days |= {
            (umpire["slug"], step["days_completed"]): step["hash"] for step in steps if step["kind"] == "day"
        }
        told.over.wait(max(0.0, DAY_EVERY - (time.monotonic() - began)))

    return work


def entering(site: RunningSite, told: Told, table: dict[str, Any]) -> Callable[[], None]:
    """Enters the table's result anew each few seconds; a write whose answer was cut off is looked for."""
    caller = Caller(site.port, table["crown"]["token"], patience=15)
    address, unit = f"campaigns/table/battles/{table['battle']}/result/", table["units"]["crown"][0]

    def work() -> None:
        time.sleep(3)
        _, now, headers = caller.until("GET", address, seconds=PATIENCE)
        notes = uuid.uuid4().hex
        body = {"units": {unit: {"lost": random.randint(0, 3)}}, "held_by": "crown", "notes": notes}
        match = {"If-Match": str(headers["ETag"])}
        status, answer, _ = caller.until("PUT", address, body, match, seconds=PATIENCE)
        if status == 412:  # written, and the answer cut off
            answer = caller.until("GET", address, seconds=PATIENCE)[1]
            assert answer["entry"]["notes"] == notes, "somebody else's result stands"
        else:
            assert status == 200, (status, answer)
        assert answer["version"] == now["version"] + 1, "a result was written twice, or none"
        told.results.append((answer["version"], notes))

    return work


@contextmanager
def crowd(site: RunningSite, people: dict[str, Any], folder: Path) -> Iterator[Path]:
    """Forty more players and the table's commanders, who do not mind what they are answered."""
    (folder / "people.json").write_text(json.dumps(people))
    answers = folder / "answers.jsonl"
    process = subprocess.Popen(
        [
            sys.executable, "-m", "locust", "--headless", "--only-summary", "--skip-log-setup",
            "-f", "tests/prove/load_players.py", "--host", f"http://127.0.0.1:{site.port}",
            "--users", str(len(people["players"]) + 2), "--spawn-rate", "5", "Player", "Commander",
        ],
        cwd=ROOT,
        env={**os.environ, "LOAD_PEOPLE": str(folder / "people.json"), "LOAD_ANSWERS": str(answers)},
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        yield answers
    finally:
        process.terminate()
        process.wait(60)


def days_played(site: RunningSite) -> int:
    query = "SELECT count(*) FROM campaign_dayrecord WHERE kind = 'day'"
    return int(rows_of(site.postgres.url, query)[0][0])


def killed_and_back(site: RunningSite, part: str, told: Told) -> float:
    """Kill a part in the midst of work and start it again; seconds until the next day is played."""
    time.sleep(random.uniform(1, 4))
    site.kill(part)
    time.sleep(random.uniform(0.2, 2))
    site.start(part)
    began, before = time.monotonic(), days_played(site)
    while days_played(site) == before:
        assert not told.failed, "\n".join(told.failed) + tail(site)
        assert time.monotonic() - began < PATIENCE, f"No day is played after {part} was killed\n{tail(site)}"
        site.keep()
        time.sleep(0.3)
    return time.monotonic() - began


def tail(site: RunningSite) -> str:
    """What is to be known of a site that does not go on: its log's end, and its jobs."""
    going = rows_of(
        site.postgres.url,
        "SELECT id, kind, key, state, attempts, max_attempts, progress, lease_until - now(), error "
        "FROM campaign_job WHERE state IN ('queued', 'running', 'failed') ORDER BY id DESC LIMIT 20",
    )
    return site.log.read_text()[-3000:] + "\n".join(map(str, going))


def test_what_was_acknowledged_survives_every_kill(figure: Figure):
    try:
        made = RunningSite(NOTICE_PRIVATE_ADDRESSES="true", **HASTE)
    except ServerMissing as missing:
        left_out_here(str(missing))
    told = Told()
    waits: dict[str, list[float]] = {part: [] for part in KILLED}
    with web_sink() as sink, made as site:
        people = site.people(campaigns=CAMPAIGNS, webhook=sink.url)
        site.up()
        Caller(site.port, people["umpires"][0]["token"]).until("GET", "me/")
        # two of each campaign remember what they are told; their notices come like all others'
        heard = people["players"][::5]
        people["players"] = [player for player in people["players"] if player not in heard]
        with crowd(site, people, site.folder):
            clients = [told.running(ordering(site, told, player)) for player in heard]
            clients += [told.running(advancing(site, told, umpire)) for umpire in people["umpires"]]
            clients.append(told.running(entering(site, told, people["table"])))
            try:
                for _ in range(KILLS):
                    for part in KILLED:
                        waits[part].append(killed_and_back(site, part, told))
            finally:
                told.over.set()
                for client in clients:
                    client.join()
        assert not told.failed, "\n".join(told.failed) + tail(site)
        quiet(site)
        for part, seconds in waits.items():
            figure(
                f"kills of {part}, a day played after", f"{len(seconds)}, at most {max(seconds):.0f} s", "10"
            )
        compare(site, told, heard, sink, figure)
        site.run("manage.py", "verifycampaign", "--all")
        figure("verifycampaign", "green", "green")


def quiet(site: RunningSite) -> None:
    """Return when no job waits and every notice has gone out; a killed worker holds its own 3 minutes."""
    left = (
        "SELECT (SELECT count(*) FROM campaign_job WHERE state IN ('queued', 'running')), "
        "(SELECT count(*) FROM campaign_notice WHERE state IN ('pending', 'sending')), "
        "(SELECT count(*) FROM campaign_delivery WHERE state IN ('pending', 'sending'))"
    )
    deadline = time.monotonic() + 600
    while (found := rows_of(site.postgres.url, left)[0]) != (0, 0, 0):
        assert time.monotonic() < deadline, f"jobs, notices, deliveries left: {found}\n{tail(site)}"
        site.keep()
        time.sleep(1)
    time.sleep(12)  # two more strokes of the clock: the last day is told of
    while rows_of(site.postgres.url, left)[0] != (0, 0, 0):
        assert time.monotonic() < deadline
        time.sleep(1)


#: How many people were told of each campaign's last day.
LAST_DAY_TOLD = """
SELECT c.slug, (
    SELECT count(*) FROM campaign_notice n WHERE n.campaign_id = c.id AND n.kind = 'published' AND n.subject =
    'record ' || (SELECT max(r.id) FROM campaign_dayrecord r WHERE r.campaign_id = c.id AND r.kind = 'day')
) FROM campaign_campaign c WHERE c.slug <> 'table'
"""


def compare(
    site: RunningSite, told: Told, heard: list[dict[str, Any]], sink: WebSink, figure: Figure
) -> None:
    """What was told against what stands."""
    url = site.postgres.url
    days = rows_of(
        url,
        "SELECT c.slug, r.day, r.record_hash, r.inputs->'orders' FROM campaign_dayrecord r "
        "JOIN campaign_campaign c ON c.id = r.campaign_id WHERE r.kind = 'day'",
    )
    stands = {(slug, day): record for slug, day, record, _ in days}
    lost = [key for key, record in told.days.items() if stands.get(key) != record]
    doubled = len(days) - len(stands)
    gaps = [key for key in stands if key[1] > 1 and (key[0], key[1] - 1) not in stands]
    figure("days told of, lost, doubled", f"{len(told.days)}, {len(lost) + len(gaps)}, {doubled}", "0, 0")
    figure("days asked for again, a worker killed over each attempt", str(told.asked_again), "")

    people = ", ".join(f"'{player['name']}'" for player in heard)
    papers = rows_of(
        url,
        "SELECT c.slug, p.side, p.number, p.formation, (p.body->>'starts')::int, p.state, p.day "
        "FROM campaign_orderpaper p JOIN campaign_campaign c ON c.id = p.campaign_id "
        f"JOIN campaign_user u ON u.id = p.submitted_by_id WHERE u.username IN ({people})",
    )
    book = {row[:3]: row[3:] for row in papers}
    missing = [
        order for order in told.orders
        if book.get((order["slug"], order["side"], order["number"]), ())[:2]
        != (order["formation"], order["starts"])
    ]  # fmt: skip
    more = len(papers) - len(told.orders)
    figure("orders told of, lost, doubled", f"{len(told.orders)}, {len(missing)}, {more}", "0, 0")
    played = {(slug, day - 1, order["formation"]): order for slug, day, _, orders in days for order in orders}
    forgotten = [
        key for key, paper in book.items() if paper[2] == "standing" and (key[0], paper[3] + 1) in stands
    ]
    wrongly = [
        key for key, (formation, starts, state, day) in book.items()
        if state == "carried_out" and played[key[0], day, formation].get("starts") != starts
    ]  # fmt: skip
    figure("orders that stood and were not played", str(len(forgotten) + len(wrongly)), "0")

    entry = rows_of(url, "SELECT version, body->>'notes' FROM campaign_battleentry WHERE side = 'crown'")
    versions = [version for version, _ in told.results]
    in_turn = versions == list(range(1, len(versions) + 1)) and entry == [told.results[-1]]
    figure("results told of, lost or doubled", f"{len(versions)}, {'0' if in_turn else 'some'}", "0")

    arrived = Counter(json.loads(each.body)["id"] for each in sink.posted)
    keys = {row[0] for row in rows_of(url, "SELECT key FROM campaign_delivery WHERE state = 'sent'")}
    unsent = rows_of(url, "SELECT count(*) FROM campaign_notice WHERE state <> 'sent'")[0][0]
    again = sum(count - 1 for count in arrived.values())
    figure(
        "notices, not arrived, again by key",
        f"{len(keys)}, {len(keys - set(arrived)) + unsent}, {again}",
        "0",
    )
    untold = rows_of(url, LAST_DAY_TOLD)
    assert not lost and not gaps and not doubled, (lost, gaps, doubled)
    assert not missing and not more, (missing[:3], more)
    assert not forgotten and not wrongly, (forgotten[:3], wrongly[:3])
    assert in_turn, (versions[-3:], entry, told.results[-3:])
    assert keys == set(arrived) and not unsent
    assert {count for _, count in untold} == {11}, untold
