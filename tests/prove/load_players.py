"""Players, umpires and a table at their browsers and programs: what locust runs against a site.

    LOAD_PEOPLE=people.json LOAD_ANSWERS=answers.jsonl locust --headless -f tests/prove/load_players.py ...

A player does something every two to eight seconds: thirteen times in twenty he reads a page or the map's
data, six times he asks the API, once he orders (two of three orders through the API, the third on the page).
An umpire advances the day every twenty seconds. At the table the commanders choose one plan after another
and have the odds of each worked out, one after the other without a pause. Each answer is a line of
LOAD_ANSWERS: what it was, milliseconds, and what was wrong with it, if anything.
"""

import itertools
import json
import os
import random
import re
import time
import uuid
from pathlib import Path
from typing import Any, ClassVar

from locust import HttpUser, between, constant_pacing, events, task
from locust.env import Environment

PEOPLE = json.loads(Path(os.environ["LOAD_PEOPLE"]).read_text())
ANSWERS = Path(os.environ["LOAD_ANSWERS"])
rows: list[str] = []
#: Seconds between two days of one campaign.
DAY_EVERY = float(os.environ.get("LOAD_DAY_SECONDS", "20"))
PAGES = ("", "?sheet=orders", "?sheet=receipts", "map.geojson", "map/list/", "army/", "journal/",
         "orders/overview/", "?sheet=letters", "gazette/", "proof/")  # fmt: skip
READS = ("", "orders/", "map/", "army/", "journal/", "receipts/", "days/", "standing/", "orders/overview/")
STANCES = ("give_battle", "attack", "delay", "avoid")
#: What the rules may answer to an order or plan that came as the day went on.
REFUSED = (409, 412, 422)
players = itertools.cycle(PEOPLE["players"])
umpires = itertools.cycle(PEOPLE["umpires"])


@events.request.add_listener
def note(name: str, response_time: float, exception: Any, response: Any = None, **_: Any) -> None:
    """Keep each answer."""
    address = getattr(getattr(response, "request", None), "path_url", "")
    wrong = f"{name} {address}: {exception!r}" if exception else ""
    row = {"at": time.time(), "name": name, "ms": response_time, "error": wrong}
    rows.append(json.dumps(row))


@events.quitting.add_listener
def done(environment: Environment, **_: Any) -> None:
    ANSWERS.write_text("\n".join(rows))


class Person(HttpUser):
    """Somebody with a seat, his browser's session and his program's token."""

    abstract = True

    def begin(self, person: dict[str, str]) -> None:
        self.person = person
        self.client.cookies.set("sessionid", person["session"])
        self.bearer = {"Authorization": f"Bearer {person['token']}"}
        self.pages = f"/campaigns/{person['slug']}/"
        self.api = f"/api/v1/campaigns/{person['slug']}/"

    def page(self, address: str) -> Any:
        return self.client.get(self.pages + address, name="page")

    def read(self, address: str) -> Any:
        return self.client.get(self.api + address, headers=self.bearer, name="read")

    def write(self, method: str, address: str, body: Any = None, **headers: str) -> Any:
        """A write whose refusal by the rules is an answer, not a fault."""
        named = {name.replace("_", "-"): text for name, text in headers.items()}
        sent = {**self.bearer, **named, "Idempotency-Key": uuid.uuid4().hex}
        if method != "POST":
            del sent["Idempotency-Key"]
        with self.client.request(
            method, self.api + address, json=body, headers=sent, name="write", catch_response=True
        ) as answer:
            if answer.status_code in REFUSED:
                answer.success()
        return answer


class Player(Person):
    """A commander or a column's commander."""

    wait_time = between(2, 8)
    fixed_count = len(PEOPLE["players"])

    def on_start(self) -> None:
        self.begin(next(players))

    @task(13)
    def looks(self) -> None:
        self.page(random.choice(PAGES))

    @task(6)
    def asks(self) -> None:
        self.read(random.choice(READS))

    @task(1)
    def orders(self) -> None:
        answer = self.read("orders/")
        if answer.status_code != 200:
            return
        told = answer.json()
        mine = [row for row in told["formations"] if row["mine"] and not row["waits"] and not row["garrison"]]
        if not mine:
            return
        row = random.choice(mine)
        stance = random.choice(STANCES)
        if random.random() < 1 / 3:
            self.orders_on_the_page(row["formation"], stance)
            return
        order = {"formation": row["formation"], **(row["order"] or {}), "stance": stance}
        self.write("POST", "orders/", {"order": order, "days_completed": told["days_completed"]})

    def orders_on_the_page(self, formation: str, stance: str) -> None:
        """The form of the orders' sheet, filled in to halt."""
        sheet = self.page("?sheet=orders").text
        hidden = dict(
            re.findall(
                r'<input type="hidden" name="(seen|written|csrfmiddlewaretoken)" value="([^"]*)"', sheet
            )
        )
        form = {**hidden, "formation": formation, "destination": "", "pace": "normal", "stance": stance,
                "submit": "1"}  # fmt: skip
        with self.client.post(
            f"{self.pages}orders/", form, headers={"Referer": self.host or ""}, name="form",
            catch_response=True,
        ) as answer:  # fmt: skip
            if answer.status_code in REFUSED:
                answer.success()


class Umpire(Person):
    """He advances the day, and looks until it is played."""

    wait_time = constant_pacing(DAY_EVERY)
    fixed_count = len(PEOPLE["umpires"])

    def on_start(self) -> None:
        self.begin(next(umpires))
        time.sleep(random.random() * DAY_EVERY)

    @task
    def advances(self) -> None:
        began = time.perf_counter()
        day = self.read("umpire/").json()["turn_from"]
        asked = self.write("POST", "advance/", {"day": day})
        if asked.status_code != 202:
            return
        job = asked.json()["number"]
        while self.read(f"jobs/{job}/").json()["state"] in ("queued", "running"):
            time.sleep(1)
        took = 1000 * (time.perf_counter() - began)
        events.request.fire(
            request_type="day", name="day", response_time=took, response_length=0, exception=None, context={}
        )
        self.page("desk/")


class Commander(Person):
    """At the table: a plan, its odds, the next plan."""

    wait_time = between(0.5, 1)
    fixed_count = 2
    sides: ClassVar = itertools.cycle(("crown", "rebel"))

    def on_start(self) -> None:
        self.begin(PEOPLE["table"][next(self.sides)])
        self.at = f"battles/{PEOPLE['table']['battle']}/"

    @task
    def weighs(self) -> None:
        began = time.perf_counter()
        plan = {
            "kind": random.choice(("assault", "turn_flank", "hold", "delay")),
            "boldness": random.randint(-2, 2),
            "reserve_percent": random.choice((0, 15, 25)),
            "until": random.randint(0, 15),
        }
        known = self.read(f"{self.at}plan/")
        if known.status_code != 200:
            return
        if self.write("PUT", f"{self.at}plan/", plan, If_Match=known.headers["ETag"]).status_code != 200:
            return
        asked = self.write("POST", f"{self.at}odds/")
        if asked.status_code != 202:
            return
        while self.read(f"jobs/{asked.json()['number']}/").json()["state"] in ("queued", "running"):
            time.sleep(1)
        took = 1000 * (time.perf_counter() - began)
        events.request.fire(
            request_type="odds",
            name="odds",
            response_time=took,
            response_length=0,
            exception=None,
            context={},
        )
