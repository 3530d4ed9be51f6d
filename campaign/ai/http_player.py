"""The staff (`campaign.ai.commander`) in a seat of any site: a program outside that speaks HTTP with a token.

No second bot: the site tells what the side knows (`campaign.fog.known_world`), the staff decides as it does
inside, and its orders go in as papers. It opens no database and looks at nothing but the API.
"""

import hashlib
import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from typing import Any

import requests

from campaign.ai.commander import staff_orders
from campaign.fog.known_world import Known, known_from_json, theatre_from
from campaign.rules.world.world import Order, Theatre
from campaign.rules.world.world_json import order_to_json, to_canonical_json

#: Statuses that pass, how often one is tried again, and seconds until then where the site does not say.
PASSING, TRIES, PAUSE = (429, 502, 503, 504), 8, 5.0
NOT_MODIFIED, FIRST_ELSEWHERE, NOT_FOUND = 304, 300, 404
#: Seconds for a connection and for an answer.
PATIENCE = (10, 90)
#: The rule by which an order is refused that was written for a day gone by: think again.
GONE_BY = "HR-CAL-03"


class SiteRefused(Exception):
    """An answer that is an error, with the site's sentence."""

    def __init__(self, status: int, detail: str, rule: str = "") -> None:
        super().__init__(f"{detail} ({rule})" if rule else detail)
        self.status, self.rule = status, rule


class Site:
    """The API of a site: `address` as people open it, `token` from the profile of who holds the seat."""

    def __init__(self, address: str, token: str) -> None:
        if not token.isascii() or not token.isprintable():
            raise SiteRefused(0, "That is no token; copy yours whole, awi_ and what follows.")
        self.site = address.strip().rstrip("/").removesuffix("/api/v1")  # given with it, it is meant the same
        self.address = self.site + "/api/v1/"
        self.session = requests.Session()
        self.session.auth = _Bearer(token)
        self._kept: dict[str, tuple[str, Any]] = {}

    def get(self, path: str) -> Any:
        """Return the content of a path below /api/v1/; unchanged content is not sent again."""
        etag, before = self._kept.get(path, ("", None))
        answer = self._call("GET", path, {"If-None-Match": etag} if etag else {})
        if answer.status_code == NOT_MODIFIED:
            return before
        found = _parse_answer(answer)
        self._kept[path] = (answer.headers.get("ETag", ""), found)
        return found

    def post(self, path: str, body: Any, key: str) -> Any:
        """Do something, once however often it is sent under `key` (HR-API-02)."""
        headers = {"Idempotency-Key": key, "Content-Type": "application/json"}
        return _parse_answer(self._call("POST", path, headers, json.dumps(body)))

    def _call(
        self, method: str, path: str, headers: dict[str, str], data: str | None = None
    ) -> requests.Response:
        for left in reversed(range(TRIES)):
            try:
                answer = self.session.request(
                    method,
                    self.address + path,
                    headers=headers,
                    data=data,
                    timeout=PATIENCE,
                    allow_redirects=method == "GET",  # led on, a POST may become a GET, and do nothing
                )
            except (requests.ConnectionError, requests.Timeout) as error:
                if not left:
                    told = f"{self.site} does not answer: is the address right, and is the site up?"
                    raise SiteRefused(0, told) from error
                time.sleep(PAUSE)
                continue
            except (requests.RequestException, ValueError) as error:  # it could not even be asked
                told = f"“{self.site}” is no address of a site; give one as https://club.example.org."
                raise SiteRefused(0, told) from error
            if answer.status_code in PASSING and left:
                told = answer.headers.get("Retry-After", "")
                time.sleep(float(told) if told.isdecimal() else PAUSE)
                continue
            if answer.status_code >= FIRST_ELSEWHERE and answer.status_code != NOT_MODIFIED:
                raise _build_site_refusal(answer)
            return answer
        raise AssertionError("the last try returns or raises")


class _Bearer(requests.auth.AuthBase):
    """A token, as the API takes it; a password file of the machine's has no say."""

    def __init__(self, token: str) -> None:
        self.token = token

    def __call__(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        request.headers["Authorization"] = f"Bearer {self.token}"
        return request


def _parse_answer(answer: requests.Response) -> Any:
    try:
        return answer.json()
    except ValueError as error:
        told = f"At {answer.url} is not a site of this kind; give the site as https://club.example.org."
        raise SiteRefused(0, told) from error


def _build_site_refusal(answer: requests.Response) -> SiteRefused:
    try:
        told = answer.json()
        return SiteRefused(answer.status_code, str(told["detail"]), str(told.get("rule", "")))
    except (ValueError, KeyError, TypeError, AttributeError):
        if answer.status_code == NOT_FOUND:  # the API's own say what is not there
            told = f"At {answer.url} is not a site of this kind; give the site as https://club.example.org."
            return SiteRefused(answer.status_code, told)
        return SiteRefused(answer.status_code, f"The site answered {answer.status_code} {answer.reason}.")


@dataclass(frozen=True, slots=True)
class Commanded:
    """Orders given for one day."""

    date: date
    orders: tuple[Order, ...]


@dataclass
class StaffSeat:
    """A seat of a campaign, with the staff in it."""

    site: Site
    slug: str
    _thought: dict[str, Any] = field(default_factory=dict)

    @property
    def path(self) -> str:
        return f"campaigns/{self.slug}/"

    @cached_property
    def theatre(self) -> Theatre:
        return theatre_from(self.site.get(f"{self.path}theatre/"))

    def campaign(self) -> dict[str, Any]:
        """Fetch the state of the campaign."""
        found: dict[str, Any] = self.site.get(self.path)
        return found

    def fetch_known(self) -> Known:
        """Return what the side knows this morning."""
        return known_from_json(self.site.get(f"{self.path}situation/"), self.theatre)

    def command(self) -> Commanded | None:
        """Put in what the staff orders this morning, for columns that take orders; say what.

        None, and nothing done, while nothing has changed since it was asked last. Raises SiteRefused.
        """
        while True:
            told = self.site.get(f"{self.path}situation/")
            if told is self._thought.get("told"):
                return None
            desk = self.site.get(f"{self.path}orders/")
            open_to = {row["formation"] for row in desk["formations"] if row["mine"] and not row["waits"]}
            known = known_from_json(told, self.theatre)
            wanted = staff_orders(known.world, known.side, known.enemy_quality)
            orders = tuple(order for order in wanted if order.formation in open_to)
            try:
                for order in orders:
                    self._submit(order, known.world.day)
            except SiteRefused as refused:
                if refused.rule != GONE_BY:
                    raise
                continue  # the day was played while the staff wrote
            self._thought["told"] = told
            return Commanded(known.world.date, orders)

    def _submit(self, order: Order, day: int) -> None:
        body = {"order": json.loads(json.dumps(order_to_json(order))), "days_completed": day}
        revision = self.campaign()["revision"]
        digest = hashlib.sha256(to_canonical_json(body)).hexdigest()[:32]
        self.site.post(f"{self.path}orders/", body, key=f"{self.slug[:30]}-{revision}-{day}-{digest}")


def seat_play(
    seat: StaffSeat,
    *,
    weeks: int | None = None,
    every: float = 60.0,
    say: Callable[[str], None] = print,
    sleep: Callable[[float], None] = time.sleep,
) -> int:
    """Command the seat morning by morning until the campaign ends or `weeks` are over; days seen played.

    Looks every `every` seconds whether it is morning. Raises SiteRefused.
    """
    first: int | None = None
    while True:
        campaign = seat.campaign()
        day = campaign["calendar"]["day"] - 1
        first = day if first is None else first
        if campaign["calendar"]["ended"] or (weeks is not None and day - first >= 7 * weeks):
            return day - first
        done = seat.command()
        if done is not None:
            named = ", ".join(order.formation for order in done.orders) or "nothing new"
            say(f"{done.date}: ordered {named}.")
        sleep(every)
