"""A week in which something goes wrong each day: power, a worker, the machine's time, the database, mail.

Days play themselves at their deadlines, and the staff orders for whoever misses one. Both commanders of each
campaign order every day; what they were told is compared with what stands. On five of the days the mail
server refuses e-mail, each time in another way. Time passes by moving deadlines.
"""

import json
import random
import threading
import time
import urllib.request
from collections import Counter

import pytest

from tests.conftest import left_out_here
from tests.prove.conftest import Figure
from tests.prove.running_site import RunningSite
from tests.prove.week_of_mishaps import CLOCK, PASSWORD, REFUSALS, MailServer, Played
from tests.servers import ServerMissing, free_port, rows_of

pytestmark = pytest.mark.prove

CAMPAIGNS, WEEK = 2, 7
#: Ten times as long as between strokes of the clock is a silence.
SILENCE = 10 * CLOCK + 10
#: How long before a deadline the backup is made.
BEFORE = 60
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


def killed_and_back(site: RunningSite, part: str) -> None:
    site.kill(part)
    site.start(part)


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
            "cadence_days = 3, deadline = now() + interval '3 days'"
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

        # a backup is put back after the next day was played, and after the deadline it was made before
        played.order()
        played.due(BEFORE)
        passed = time.monotonic() + BEFORE
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
        time.sleep(max(0.0, passed - time.monotonic()))
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
    told = rows_of(
        url,
        "SELECT count(*) FROM campaign_notice n JOIN campaign_campaign c ON c.id = n.campaign_id "
        "WHERE n.kind = 'grace' AND c.slug <> 'table'",
    )[0][0]
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
