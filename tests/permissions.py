"""Who gets what at each address: the file `permissions.yaml`, and asking the site for the same.

The file names for each address and method who gets which answer; who is not named gets the usual: signed out
the door (of the API a 401), signed in "nothing", a 404.
"""

import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml
from django.core.cache import cache
from django.db import connection, transaction
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from PIL import Image

from campaign.models import BattlePhoto, Seat, User
from campaign.rules.world.world import Order
from campaign.services.accounts.tokens import token_make
from campaign.services.orders.drafts import order_draft
from campaign.services.orders.march_orders import order_submit
from campaign.services.setup.campaigns import SeatPlan, campaign_create
from campaign.services.setup.scenario_uploads import scenario_upload
from rosters.models import Pool
from tests.campaign.web.addresses import Page, pages, patterns
from tests.factories.demo_course import DemoCourse
from tests.factories.people import signed_in
from tests.factories.scenario_zips import packed, small

FILE = Path(__file__).with_name("permissions.yaml")
#: Everybody who may ask, and what he is.
ROLES = {
    "anonymous": "signed out",
    "newcomer": "an account, and no seat",
    "umpire": "the campaign's umpire",
    "assistant": "his assistant",
    "commander": "commands a side",
    "enemy": "commands the other",
    "column": "commands a column of the first side",
    "deputy": "stands for its commander, who is away",
    "guest": "fights one battle for it",
    "reserve": "waits for a seat",
    "spectator": "looks on, late",
    "former": "an assistant whose seat has not begun",
    "elsewhere": "umpires another campaign",
    "administrator": "may all at /admin/, and has no seat",
}
#: Names for several, the largest first.
GROUPS = {
    "everybody": tuple(ROLES),
    "signed in": tuple(each for each in ROLES if each != "anonymous"),
    "who looks on": ("umpire", "assistant", "commander", "enemy", "column", "deputy", "spectator"),
    "who plays": ("umpire", "assistant", "commander", "enemy", "column", "deputy"),
    "umpires": ("umpire", "assistant"),
    "the side": ("commander", "column", "deputy"),
}
WRITES = ("POST", "PUT", "PATCH", "DELETE")
#: Answers that are no more than "not for you".
NOTHING = ("door", "asks", "forbidden", "nothing", "not allowed")
SIGN_OUT = ("sign-out", "account_logout")
#: What a form must name to be known for one of the page's; nothing else is given, so nothing comes of it.
GIVEN = {
    "campaign-settings": {"kind": "rules"},
    "choose": {"kind": "fill"},
    "organise": {"kind": "detach"},
    "paper-strike": {"line": "1"},
    "seats": {"kind": "open"},
    "treat": {"kind": "concede"},
    "week-desk": {"kind": "place"},
}


def outcome(answer: Any, method: str) -> str:
    """An answer in a word."""
    status = answer.status_code
    words = {401: "asks", 403: "forbidden", 404: "nothing", 405: "not allowed"}
    if status in words:
        return words[status]
    assert status < 500 and status != 429, f"{status}: {answer.content[:200]!r}"
    if 300 <= status < 400 and answer.headers.get("Location", "").startswith(("/sign-in/", "/admin/login/")):
        return "door"
    if method in WRITES:
        return "taken"  # done, or refused with a sentence: who sends it may
    if status >= 400:
        return "refused"
    return "leads" if status >= 300 else "page"


@dataclass
class Matrix:
    """What each role gets, by address and method."""

    rows: dict[str, dict[str, dict[str, str]]] = field(default_factory=dict)

    @classmethod
    def read(cls) -> "Matrix":
        told = yaml.safe_load(FILE.read_text(encoding="utf-8"))
        return cls(
            {
                name: {method: _spread(name, cell) for method, cell in methods.items()}
                for name, methods in told.items()
            }
        )

    def text(self) -> str:
        """The file: one line for each address and method."""
        lines = [HEAD]
        for name in sorted(self.rows):
            lines.append(f"{name}:")
            lines += [f"  {method}: {_cell(name, cell)}" for method, cell in self.rows[name].items()]
        return "\n".join(lines) + "\n"


HEAD = "\n".join(
    [
        "# Who gets what at each address of the site (tests/permissions.py; docs/security.md).",
        "# Who is not named gets the usual: signed out the door (of the API: asks, a 401), signed in",
        "# nothing, a 404. page: 200; leads: sent elsewhere; taken: done, or refused with a sentence;",
        "# not allowed: 405.",
        "# A new address is measured and added by AWI_GOLDEN=write; the difference is then read with care.",
        "# Roles:",
        *(f"#   {role}: {what}" for role, what in ROLES.items()),
        "# Groups:",
        *(f"#   {name}: {', '.join(roles)}" for name, roles in list(GROUPS.items())[2:]),
    ]
)


def usual(name: str, role: str) -> str:
    """What somebody gets whom a line does not name."""
    if role == "anonymous":
        return "asks" if name.startswith("api-") else "door"
    return "nothing"


def _cell(name: str, cell: Mapping[str, str]) -> str:
    if len(set(cell.values())) == 1:
        return next(iter(cell.values()))
    told: dict[str, list[str]] = {}
    for role, word in cell.items():
        if word != usual(name, role):
            told.setdefault(word, []).append(role)
    parts = [f"{word}: [{', '.join(_grouped(roles))}]" for word, roles in told.items()]
    return "{" + ", ".join(parts) + "}"


def _grouped(roles: list[str]) -> list[str]:
    left, found = set(roles), []
    for group, members in GROUPS.items():
        if left >= set(members):
            found.append(group)
            left -= set(members)
    return found + [role for role in roles if role in left]


def _spread(name: str, cell: Any) -> dict[str, str]:
    if isinstance(cell, str):
        return dict.fromkeys(ROLES, cell)
    found = {role: usual(name, role) for role in ROLES}
    for word, named in cell.items():
        for each in named:
            found |= dict.fromkeys(GROUPS.get(each, (each,)), word)
    assert set(found) == set(ROLES), f"{name} names somebody unknown"
    return found


# --- asking ---


@dataclass
class Site:
    """The demo campaign with everybody at it, and every address of it."""

    people: dict[str, User | None]
    pages: list[Page]
    methods: dict[str, tuple[str, ...]]
    clients: dict[str, Client] = field(default_factory=dict)

    def client(self, role: str, name: str = "") -> Client:
        """His browser; a new one where the session ends."""
        user = self.people[role]
        if name in SIGN_OUT or role not in self.clients:
            client = signed_in(user) if user is not None else Client()
            if name in SIGN_OUT:
                return client
            self.clients[role] = client
        return self.clients[role]

    def ask(self, role: str, page: Page, method: str) -> tuple[str, list[str]]:
        """What comes, in a word, and what was written; whatever was done is undone."""
        cache.clear()  # sessions are in the database too; limits of requests a minute are no matter here
        client = self.client(role, page.url_name)
        kind = {"content_type": "application/json"} if page.url_name.startswith("api-") else {}
        if method in ("PUT", "PATCH", "DELETE"):
            kind = {"content_type": "application/json"}
        data: Any = {} if method not in WRITES else "{}" if kind else GIVEN.get(page.url_name, {})
        with transaction.atomic(), CaptureQueriesContext(connection) as asked:
            answer: HttpResponse = getattr(client, method.lower())(page.path, data, **kind)
            word = outcome(answer, method)
            transaction.set_rollback(True)
        written = [each["sql"] for each in asked if each["sql"].startswith(("INSERT", "UPDATE", "DELETE"))]
        return word, written


def site() -> Site:
    """The demo campaign past its first week, with its battle fought, and everybody seated."""
    cache.clear()
    course = DemoCourse(runs=1)
    for stage in ("ordered", "waiting", "fought", "returned", "seated"):
        course.go(stage)
    campaign = course.campaign
    own: dict[str, Any] = {"campaign": campaign, "side": "crown", "actor": course.user("crown")}
    order_submit(**own, order=Order("artillery_park"))
    order_draft(**own, order=Order("german_2nd_brigade"))
    people: dict[str, Any] = {"anonymous": None}
    named = {"newcomer", "deputy", "guest", "reserve", "spectator"}
    people |= {role: User.objects.get(username=role) for role in named}
    people["column"] = User.objects.get(username="fraser")
    people |= {"umpire": course.user(""), "commander": course.user("crown"), "enemy": course.user("rebel")}
    for role in ("assistant", "former", "elsewhere"):
        people[role] = User.objects.create_user(role)
    Seat.objects.create(campaign=campaign, user=people["assistant"], role="assistant")
    later = {"from_day": campaign.day + 20, "until_day": campaign.day + 30}
    Seat.objects.create(campaign=campaign, user=people["former"], role="assistant", **later)
    seats = (SeatPlan(Seat.Role.UMPIRE, user=people["elsewhere"]),)
    campaign_create(scenario="saratoga-1777", slug="elsewhere", title="Quite another war", seats=seats)
    people["administrator"] = User.objects.create_superuser("administrator")
    Image.new("RGB", (8, 8)).save(picture := io.BytesIO(), "JPEG")
    BattlePhoto.objects.create(battle_id=course.facts["battle"], side="crown", image=picture.getvalue())
    # whether a pool holds anything by now is the dice's; its page is asked for whatever they say
    Pool.objects.get_or_create(order_of_battle=campaign.order_of_battle, nation="british", arm="line")
    token_make(user=people["newcomer"], name="a program", scopes=["read"])
    scenario_upload(data=packed(small()), actor=people["newcomer"])
    every = pages(campaign, battle=course.facts["battle"], token=course.facts["token"])
    plain = [page for page in every if "?" not in page.name]
    return Site({role: people[role] for role in ROLES}, plain, methods_of())


def methods_of() -> dict[str, tuple[str, ...]]:
    """The methods that are asked of each address: what a view of the API has; of pages GET and POST."""
    found = {}
    for pattern in patterns():
        view = getattr(pattern.callback, "view_class", None)
        name = str(pattern.name)
        if name.startswith("api-") and view is not None:
            found[name] = tuple(each for each in ("GET", *WRITES) if hasattr(view, each.lower()))
    return found


def methods(name: str, known: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    return known.get(name, ("GET", "POST"))


def cells(site: Site) -> Iterator[tuple[Page, str]]:
    """Every address with each method its line has."""
    for page in site.pages:
        for method in methods(page.name, site.methods):
            yield page, method
