"""Addresses and forms with the enemy's ids, guessed: they say no more than those with ids of nothing."""

import re
from collections.abc import Collection, Iterator
from typing import Any

from django.test import Client

from campaign.models import Campaign, Job, OrderPaper
from campaign.rules.world.world import World
from tests.campaign.web.crawl import body_of, headers_of, plain

#: Addresses of a campaign that take a formation's id, and a unit's.
OF_FORMATIONS = (
    "orders/of/{}/", "?sheet=orders&formation={}", "reach.geojson?formation={}", "journal/?formation={}",
    "?sheet=journal&formation={}", "?sheet=returns&formation={}", "army/?formation={}",
)  # fmt: skip
OF_UNITS = ("army/{}/", "army/{}/?week=1", "journal/?unit={}")
#: The same of the API.
OF_PROGRAMS = ("orders/of/{}/", "map/reach/?formation={}")
UNITS_OF_PROGRAMS = ("army/units/{}/",)
#: Fields of forms that take an id, by the form's address; the rest of the form is sound.
FORMS: tuple[tuple[str, dict[str, Any]], ...] = (
    (
        "orders/preview/",
        {"formation": "{}", "destination": "albany", "pace": "normal", "stance": "give_battle"},
    ),
    (
        "orders/",
        {"formation": "{}", "destination": "albany", "pace": "normal", "stance": "give_battle", "try": "1"},
    ),
    (
        "orders/preview/",
        {"formation": "{own}", "activity": "follow", "target": "{}", "stance": "give_battle"},
    ),
    ("organisation/", {"kind": "join", "join-formation": "{}", "join-into": "{own}"}),
    ("organisation/", {"kind": "join", "join-formation": "{own}", "join-into": "{}"}),
    ("organisation/", {"kind": "transfer", "transfer-units": "{}", "transfer-into": "{own}"}),
    ("organisation/", {"kind": "detach", "detach-units": "{}", "detach-name": "A party"}),
    ("choices/", {"kind": "balance", "balance-giver": "{}", "balance-receiver": "{}", "balance-points": "5"}),
    ("papers/{}/strike/", {"line": "0"}),
    ("drafts/{}/", {"submit": "1"}),
    ("orders/{}/withdraw/", {}),
)
NOTHING = "no_such_thing"
NOBODYS = "987654"


def telling(
    client: Client, campaign: Campaign, world: World, side: str, secret: Collection[str], most: int
) -> Iterator[str]:
    """Addresses and forms whose answer to an id of the enemy's is another than to an id of nothing."""
    page, enemy = campaign.get_absolute_url(), next(one.id for one in world.theatre.sides if one.id != side)
    own = next(key for key, one in sorted(world.formations.items()) if one.side == side and one.position)
    formations = [key for key in sorted(world.formations) if key in secret][:most]
    units = [key for key in sorted(world.units) if key in secret][:most]
    papers = OrderPaper.objects.filter(campaign=campaign, side=enemy).order_by("-number")
    numbers = [str(number) for number in papers.values_list("number", flat=True)[:3]]
    taken = set(OrderPaper.objects.filter(side=side).values_list("number", flat=True))
    jobs = Job.objects.exclude(payload__side=side).values_list("pk", flat=True)[:3]
    guesses = [
        *((address, key) for address in OF_FORMATIONS for key in formations),
        *((address, key) for address in OF_UNITS for key in units),
        *((f"/api/v1{page}{address}", key) for address in OF_PROGRAMS for key in formations),
        *((f"/api/v1{page}{address}", key) for address in UNITS_OF_PROGRAMS for key in units),
        *((f"/api/v1{page}receipts/{enemy}/{{}}/", number) for number in numbers),
        *((f"receipts/{enemy}/{{}}/", number) for number in numbers),
        *(("receipts/{}/", number) for number in numbers if int(number) not in taken),
        *((f"jobs/{{}}/{more}", str(key)) for key in jobs for more in ("", "stop/")),
    ]
    of_nothing: dict[tuple[str, str, str], str] = {}  # asked for once: it is the same for all ids
    for address, key in guesses:
        nothing = NOBODYS if key.isdecimal() else NOTHING
        whole = address if address.startswith("/api/") else page + address
        said, asked = _got(client, whole.format(key), key), ("GET", address, nothing)
        if asked not in of_nothing:
            of_nothing[asked] = _got(client, whole.format(nothing), nothing)
        if said != (unsaid := of_nothing[asked]):
            yield f"{address.format(key)}: {_first(said, unsaid)}"
    for address, fields in FORMS:
        keys = [*formations[:2], *units[:2]] if "{}" not in address else numbers
        for key in keys:
            if key.isdecimal() and int(key) in taken:
                continue
            nothing = NOBODYS if key.isdecimal() else NOTHING
            said, asked = _sent(client, page + address, fields, own, key), (address, repr(fields), nothing)
            if asked not in of_nothing:
                of_nothing[asked] = _sent(client, page + address, fields, own, nothing)
            if said != (unsaid := of_nothing[asked]):
                yield f"{address.format(key)} {fields}: {_first(said, unsaid)}"


def _got(client: Client, address: str, key: str) -> str:
    return _without(key, client.get(address))


def _sent(client: Client, address: str, fields: dict[str, str], own: str, key: str) -> str:
    form = {name: value.format(key, own=own) for name, value in fields.items()}
    return _without(key, client.post(address.format(key), form))


def _without(key: str, answer: Any) -> str:
    """An answer without the id that was asked for, which a form or a search may show again."""
    told = plain(f"{answer.status_code}\n{headers_of(answer)}\n{body_of(answer)}")
    return told if key.isdecimal() else re.sub(rf"(?<![\w-]){re.escape(key)}(?![\w-])", "…", told)


def _first(one: str, other: str) -> str:
    pairs = zip(one.splitlines(), other.splitlines(), strict=False)
    return next((f"{mine} / {theirs}" for mine, theirs in pairs if mine != theirs), "the one is longer")
