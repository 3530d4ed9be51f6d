"""Where the crawl of the fog begins at the API, and the packs it finds printed."""

import re
from collections.abc import Callable, Iterator
from itertools import islice, product
from typing import Any
from urllib.parse import urlencode

from django.test import Client
from django.urls import reverse

from campaign.api.framework.document import build_document
from campaign.models import Battle, Campaign, Job
from campaign.tasks import run_job

#: Addresses a reader of a campaign may ask the API for, by campaign and side ("" for who has none).
Programs = Callable[[Campaign, str], list[str]]
#: What tells most, by the end of its address.
CHIEF = (
    "", "map/", "army/", "army/prospects/", "returns/", "supply/", "journal/", "battles/", "situation/",
    "theatre/",
)  # fmt: skip
#: The same for everybody, and as published: the document's examples, other people's campaigns to begin.
PUBLISHED = ("/api/v1/schema/", "/api/v1/scenarios/", "/api/v1/fights/shipped/")
#: Values of one parameter that are tried.
EACH = 8
#: Battles whose packs are printed.
PRINTED = 2


def chief(campaign: Campaign, side: str) -> list[str]:
    """A handful, for the short version."""
    packs = [f"battles/{key}/pack/" for key in campaign.battles.values_list("pk", flat=True)]
    return [f"/api/v1/campaigns/{campaign.slug}/{part}" for part in (*CHIEF, *packs)]


def every(campaign: Campaign, side: str) -> list[str]:
    """All that the document says can be read, with what is a side's own or everybody's in the address.

    Ids and numbers of the enemy's are guessed elsewhere (`guesses.py`).
    """
    known = values_of(campaign, side)
    return [
        address
        for path, said in build_document()["paths"].items()
        if "get" in said and not path.startswith(PUBLISHED)
        for address in filled(path, said["get"], known)
    ]


def values_of(campaign: Campaign, side: str) -> dict[str, list[Any]]:
    """What stands for a parameter of an address or a query, by its name."""
    army = campaign.order_of_battle
    papers = campaign.order_papers.filter(side=side).order_by("-pk")
    sides = list(army.sides.values_list("slug", flat=True))
    weeks = list(range(1, campaign.day // 7 + 2))
    return {
        "slug": [campaign.slug],
        "battle": list(campaign.battles.values_list("pk", flat=True)),
        "unit": list(army.units.filter(side__slug=side).values_list("slug", flat=True)),
        "formation": list(army.formations.filter(side__slug=side).values_list("slug", flat=True)),
        "number": list(papers.values_list("number", flat=True)),
        "book": [side] if side else sides,
        "side": sides,
        "copy": ["", *sides],
        "week": weeks,
        "day": list(range(1, campaign.day + 2)),
        "seat": list(campaign.seats.values_list("pk", flat=True)),
        "job": list(campaign.jobs.values_list("pk", flat=True)),
        "code": list(campaign.letters.values_list("code", flat=True)),
        "table": ["units", "formations", "journal", "papers"],
        "box": ["sent", "others"],
        "rule": ["HR-FOG-01"],
    }


def filled(path: str, said: dict[str, Any], known: dict[str, list[Any]]) -> Iterator[str]:
    """A path with values in it, and with one question at a time that changes what is told."""
    asked = {each["name"]: each for each in said.get("parameters", ()) if each["in"] == "query"}
    must = [name for name, each in asked.items() if each.get("required")]
    names = [*re.findall(r"{(\w+)}", path), *must]
    values = [_spread(known.get(name) or [1]) for name in names]
    for given in islice(product(*values), EACH * EACH):
        filled = dict(zip(names, given, strict=True))
        at, always = path.format(**filled), {name: filled[name] for name in must}
        yield _with(at, always)
        for name in sorted(set(asked) & {"week", "day", "copy", "box"}):
            yield from (_with(at, {**always, name: value}) for value in _spread(known[name]))


def _with(at: str, asked: dict[str, Any]) -> str:
    """An address with its query."""
    return f"{at}?{urlencode(asked)}" if asked else at


def _spread(values: list[Any]) -> list[Any]:
    """So many of the values, the last among them."""
    return values if len(values) <= EACH else [*values[: EACH // 2], *values[-EACH // 2 :]]


def packs_print(campaign: Campaign, client: Client) -> int:
    """Have a reader's packs of his last battles made as PDFs; how many there are."""
    made = 0
    for battle in Battle.objects.filter(campaign=campaign).order_by("-pk"):
        address = reverse("battle-pack-pdf", args=[campaign.slug, battle.pk])
        if made < PRINTED and client.post(address).status_code == 302:
            for job in Job.objects.filter(kind="battle_pack", state=Job.State.QUEUED):
                run_job(job.pk)
            made += client.get(address)["Content-Type"] == "application/pdf"
    return made
