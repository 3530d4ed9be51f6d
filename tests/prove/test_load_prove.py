"""Fifty players on two cores while days advance and odds run; two hundred orders in a deadline's last second.

Five campaigns of Saratoga with ten players each; web, worker and beat as `deploy/start` starts them, and a
PostgreSQL that waits for its disk. The limits are for a machine that does nothing else: `make prove PART=load
ARGS="-n 0"`. A calibration loop is measured beside them. LOAD_SECONDS and LOAD_CAMPAIGNS make it shorter.
"""

import json
import os
import statistics
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import left_out_here
from tests.factories.sinks import web_sink
from tests.prove.conftest import Figure
from tests.prove.running_site import PARTS, ROOT, Caller, RunningSite
from tests.prove.test_week_prove import plain_loop
from tests.servers import ServerMissing, rows_of

pytestmark = pytest.mark.prove

CAMPAIGNS = int(os.environ.get("LOAD_CAMPAIGNS", "5"))
SECONDS = int(os.environ.get("LOAD_SECONDS", "180"))
#: Seconds in which the players come, which are not measured: programs read their code, caches fill.
ARRIVING = 20
PAGE_LIMIT, READ_LIMIT = 400, 200
SUBMISSIONS = 200


@pytest.fixture
def site() -> Iterator[RunningSite]:
    try:
        made = RunningSite(NOTICE_PRIVATE_ADDRESSES="true")
    except ServerMissing as missing:
        left_out_here(str(missing))
    with made:
        yield made


def percentile(values: list[float], share: int) -> float:
    """The value below which `share` percent lie."""
    return statistics.quantiles(values, n=100, method="inclusive")[share - 1]


def locust(site: RunningSite, people: dict[str, Any], folder: Path) -> list[dict[str, Any]]:
    """What every request was answered, once all had come."""
    (folder / "people.json").write_text(json.dumps(people))
    answers = folder / "answers.jsonl"
    everybody = len(people["players"]) + len(people["umpires"]) + 2
    done = subprocess.run(
        [
            sys.executable, "-m", "locust", "--headless", "--only-summary", "--skip-log-setup",
            "-f", "tests/prove/load_players.py", "--host", f"http://127.0.0.1:{site.port}",
            "--users", str(everybody), "--spawn-rate", str(everybody / ARRIVING),
            "--run-time", f"{SECONDS + ARRIVING}s", "--stop-timeout", "60", "--exit-code-on-error", "0",
        ],
        cwd=ROOT,
        env={**os.environ, "LOAD_PEOPLE": str(folder / "people.json"), "LOAD_ANSWERS": str(answers)},
        capture_output=True, text=True, timeout=SECONDS + 300, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    rows = [json.loads(line) for line in answers.read_text().splitlines()]
    assert rows, done.stderr[-3000:]
    return rows


def test_fifty_players_while_days_advance_and_odds_run(site: RunningSite, figure: Figure):
    loop = plain_loop()
    with web_sink() as sink:
        people = site.people(campaigns=CAMPAIGNS, webhook=sink.url)
        site.up()
        Caller(site.port, people["players"][0]["token"]).until("GET", "me/")
        used = {part: site.cpu(part) for part in PARTS}
        rows = locust(site, people, site.folder)
        used = {part: site.cpu(part) - before for part, before in used.items()}
    began = min(row["at"] for row in rows) + ARRIVING
    measured = [row for row in rows if row["at"] >= began]
    by_kind = {name: [row["ms"] for row in measured if row["name"] == name] for name in
               ("page", "read", "write", "form", "day", "odds")}  # fmt: skip
    wrong = Counter(row["error"] for row in rows if row["error"])
    figure("players", str(len(people["players"])), "50")
    figure("requests a second", f"{sum(map(len, by_kind.values())) / SECONDS:.1f}", "")
    figure("errors", f"{sum(wrong.values())} of {len(rows)}", "0")
    for name, limit in (("page", PAGE_LIMIT), ("read", READ_LIMIT), ("write", 0), ("form", 0), ("day", 0),
                        ("odds", 0)):  # fmt: skip
        if len(by_kind[name]) > 1:
            told = " / ".join(f"{percentile(by_kind[name], share):.0f}" for share in (50, 95, 99))
            figure(
                f"{name}: {len(by_kind[name])}, p50 / p95 / p99",
                f"{told} ms",
                f"p95 ≤ {limit}" if limit else "",
            )
    requests = [row for row in rows if row["name"] not in ("day", "odds")]
    figure("processor a request, web alone", f"{1000 * used['web'] / len(requests):.0f} ms", "")
    told = ", ".join(f"{part} {seconds / (SECONDS + ARRIVING):.2f}" for part, seconds in used.items())
    figure("cores used", told, "")
    figure("calibration loop, before and after", f"{1000 * loop:.0f}, {1000 * plain_loop():.0f} ms", "")
    assert not wrong and not site.faults(), (wrong.most_common(5), site.faults()[:5])
    assert len(by_kind["day"]) >= CAMPAIGNS and len(by_kind["odds"]) >= 2
    assert percentile(by_kind["page"], 95) < PAGE_LIMIT
    assert percentile(by_kind["read"], 95) < READ_LIMIT


# --- the last second ---


def last_second(site: RunningSite, people: dict[str, Any], deadline: datetime) -> list[dict[str, Any]]:
    """Two hundred orders of all players, spread over the second before `deadline`; what each was told."""
    told: list[dict[str, Any]] = []
    calls = []
    for number in range(SUBMISSIONS):
        player = people["players"][number % len(people["players"])]
        mine = player["formations"]
        # what it starts with tells one submission from all others
        order = {"formation": mine[number % len(mine)], "via": [], "starts": number + 1}
        caller = Caller(site.port, player["token"], patience=120)
        calls.append((deadline.timestamp() - 1 + number / SUBMISSIONS, caller, player, order))

    def send(at: float, caller: Caller, player: dict[str, Any], order: dict[str, Any]) -> None:
        time.sleep(max(0.0, at - time.time()))
        sent = time.time()
        try:
            status, body, _ = caller.call("POST", f"campaigns/{player['slug']}/orders/", {"order": order})
        except Exception as error:
            status, body = 0, repr(error)
        told.append({"player": player, "order": order, "status": status, "body": body, "sent": sent})

    threads = [threading.Thread(target=send, args=call) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return told


def formations_of(site: RunningSite, people: dict[str, Any]) -> None:
    """Note what each player may order."""
    for player in people["players"]:
        orders = Caller(site.port, player["token"]).until("GET", f"campaigns/{player['slug']}/orders/")[1]
        player["formations"] = [
            row["formation"] for row in orders["formations"] if row["mine"] and not row["garrison"]
        ]


def test_two_hundred_orders_in_the_last_second_are_each_counted_or_refused(site: RunningSite, figure: Figure):
    people = site.people(campaigns=CAMPAIGNS)
    site.up()
    formations_of(site, people)
    umpires = {umpire["slug"]: Caller(site.port, umpire["token"]) for umpire in people["umpires"]}
    site.run("-c", PLAYS_ITSELF)
    deadline = (datetime.now(UTC) + timedelta(seconds=45)).replace(microsecond=0)
    act = {"version": 1, "kind": "deadline", "until": deadline.isoformat(), "earlier": False}
    for slug, umpire in umpires.items():
        body = {"act": act, "reason": "The week is over."}
        assert umpire.until("POST", f"campaigns/{slug}/umpire/acts/", body)[0] == 201
    told = last_second(site, people, deadline)
    late = time.time() + 120
    for slug, umpire in umpires.items():
        while umpire.until("GET", f"campaigns/{slug}/umpire/")[1]["turn_from"] == 0:
            assert time.time() < late, f"{slug} was not played after its deadline"
            time.sleep(0.5)
    counted, refused = sort_out(told)
    figure("submissions in the last second", str(len(told)), str(SUBMISSIONS))
    figure("counted, each with a receipt", str(len(counted)), "")
    figure("refused", str(len(refused)), "")
    lost, between = compare(site, counted, refused)
    figure("lost, or in between", f"{lost}, {between}", "0, 0")
    assert len(counted) + len(refused) == len(told) == SUBMISSIONS, [
        (row["status"], row["body"]) for row in told if row["status"] not in (201, 422)
    ][:3]
    assert counted and not lost and not between
    site.run("manage.py", "verifycampaign", "--all")


#: The day is played by the clock once the deadline is past.
PLAYS_ITSELF = """
import django
django.setup()
from campaign.models import Campaign
Campaign.objects.filter(slug__startswith="saratoga").update(advance_at_deadline=True)
"""


def sort_out(told: list[dict[str, Any]]) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Those with a receipt, and those refused for being late."""
    counted = [row for row in told if row["status"] == 201 and row["body"]["receipt"]]
    late = ("HR-CAL-03", "HR-CAL-04", "HR-CAL-05")
    refused = [row for row in told if row["status"] == 422 and row["body"]["rule"] in late]
    return counted, refused


def compare(
    site: RunningSite, counted: list[dict[str, Any]], refused: list[dict[str, Any]]
) -> tuple[int, int]:
    """How many receipts are not in the book and the day's orders, and how many refused orders are."""
    papers = rows_of(
        site.postgres.url,
        "SELECT c.slug, p.side, p.number, p.formation, p.body->>'starts', p.state FROM campaign_orderpaper p "
        "JOIN campaign_campaign c ON c.id = p.campaign_id WHERE p.author = 'commander'",
    )
    book = {(slug, side, number): (formation, int(starts or 0), state)
            for slug, side, number, formation, starts, state in papers}  # fmt: skip
    days = dict(
        rows_of(
            site.postgres.url,
            "SELECT c.slug, r.inputs->'orders' FROM campaign_dayrecord r JOIN campaign_campaign c "
            "ON c.id = r.campaign_id WHERE r.kind = 'day' AND r.day = 1",
        )
    )
    last: dict[tuple[str, str], tuple[int, int]] = {}
    lost = 0
    for row in counted:
        slug, side = row["player"]["slug"], row["player"]["side"]
        number, order = row["body"]["number"], row["order"]
        known = book.get((slug, side, number))
        if known is None or known[:2] != (order["formation"], order["starts"]):
            lost += 1
        at = (slug, order["formation"])
        last[at] = max(last.get(at, (0, 0)), (number, order["starts"]))
    for (slug, formation), (number, starts) in last.items():
        side = next(key[1] for key, paper in book.items() if key[0] == slug and paper[0] == formation)
        played = {order["formation"]: order for order in days[slug]}
        if book[slug, side, number][2] != "carried_out" or played[formation].get("starts") != starts:
            lost += 1
    written = {(key[0], paper[0], paper[1]) for key, paper in book.items() if paper[1]}
    between = sum(
        (row["player"]["slug"], row["order"]["formation"], row["order"]["starts"]) in written
        for row in refused
    )
    return lost, between + (len(written) - len(counted))
