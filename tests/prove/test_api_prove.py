"""Schemathesis against the site as it is served, as everybody who may ask: every answer is as documented."""

from base64 import b64decode
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
import requests
import schemathesis

from tests.campaign.api.fuzz import Fuzz
from tests.factories.api_club import BROWSER, EXPIRED, NARROW, WAITING
from tests.factories.api_files import picture, scenario
from tests.permissions import ROLES
from tests.prove.api_site import ApiSite, copied, seeded
from tests.prove.conftest import Figure

pytestmark = pytest.mark.prove

#: Requests in all, and sites that are asked one beside another, as there are cores.
MOST, PARTS = 20_000, 4
#: How often each asks when others do.
SHARES = {
    "umpire": 9, "commander": 8, "assistant": 4, "enemy": 5, "column": 4, "deputy": 3, "spectator": 3,
    "guest": 3, "reserve": 2, BROWSER: 3, NARROW: 2, "newcomer": 1, "anonymous": 1, EXPIRED: 1, "former": 1,
    "elsewhere": 1, "administrator": 4,
}  # fmt: skip
#: What takes away most of what there is to ask about: in the last round over all operations alone.
ENDS = ("standing_treat", "umpire_rewind")
#: What a program without a good token may have.
OPEN = ("schema", "problems", "rules")
#: Seconds; a busy machine is no fault.
TIMEOUT = 300
Club = tuple[str, dict[str, Any]]


def test_everybody_asks() -> None:
    assert set(SHARES) == {*ROLES, BROWSER, NARROW, EXPIRED}


@pytest.fixture(scope="session")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Club]:
    with seeded(tmp_path_factory.mktemp("club")) as found:
        yield found


@pytest.fixture
def site(club: Club, tmp_path: Path) -> Iterator[ApiSite]:
    with (
        copied(club[0], tmp_path) as database,
        ApiSite(database, tmp_path / "site") as found,
    ):
        yield found


def there_is(facts: dict[str, Any]) -> dict[str, list[Any]]:
    """What does not change while one asks, by the names of parameters and fields."""
    bodies, units, places = facts["formations"], facts["units"], facts["places"]
    return {
        "slug": [facts["slug"]] * 3 + [WAITING] * 3 + ["elsewhere", "saratoga-1777"],
        "formation": bodies, "into": bodies, "wagons": bodies,
        "unit": units, "units": units, "giver": units, "receiver": units,
        "via": places, "place": places, "target": facts["routes"],
        "side": facts["sides"], "winner": facts["sides"], "held_by": facts["sides"],
        "book": [*facts["sides"], "umpire"], "rule": ["HR-FOG-01", "AWI-T-MOV-01"], "week": [1, 2],
        "table": ["units", "formations", "pools", "leaders", "journal"],
        "file": [scenario()], "photo": [picture()],
        "restorations_ask": [
            {"file": b64decode(facts["archive"]), "slug": f"brought-{number}"} for number in range(20)
        ],
        "tables_units_preview": tables(facts),
    }  # fmt: skip


def tables(facts: dict[str, Any]) -> list[dict[str, Any]]:
    """Units as tables with the campaign whose they are."""
    return [{"slug": slug, "file": one.encode()} for slug, every in facts["tables"].items() for one in every]


def shown(site: ApiSite, facts: dict[str, Any]) -> list[dict[str, Any]]:
    """The same tables with what the umpire needs to have them done: the digest of their preview."""
    found = []
    for table in tables(facts):
        at = f"{site.url}/api/v1/campaigns/{table['slug']}/umpire/tables/units/preview/"
        sent = {"headers": facts["headers"]["umpire"], "timeout": TIMEOUT}
        answer = requests.post(at, files={"file": ("units.csv", table["file"])}, **sent)
        if answer.ok and (digest := answer.json()["digest"]):  # its unit may be gone, or be called so
            found.append({**table, "digest": digest, "reason": "The club's own returns."})
    return found


def knowing(site: ApiSite, facts: dict[str, Any]) -> Callable[[str], dict[str, list[Any]]]:
    """What there is, before an operation is asked."""
    there = there_is(facts)

    def known(operation: str) -> dict[str, list[Any]]:
        now = site.known()
        together = {operation: shown(site, facts)} if operation == "tables_units_bring" else {}
        return {**there, **now, **together, "photo": [*now["photo"], *there["photo"]]}

    return known


@pytest.mark.parametrize("part", range(PARTS))
def test_every_answer_of_the_served_site_is_as_documented(
    part: int, club: Club, site: ApiSite, figure: Figure
) -> None:
    schema = schemathesis.openapi.from_url(f"{site.url}/api/v1/schema/", timeout=TIMEOUT)
    schema.config.output.sanitization.update(enabled=False)  # so that a line of curl can be sent again
    turns = [role for role, times in SHARES.items() for _ in range(times)]
    Random(part).shuffle(turns)
    people = [(role, club[1]["headers"][role]) for role in turns]
    fuzz = Fuzz(schema, people, knowing(site, club[1]), timeout=TIMEOUT)
    share = MOST // PARTS
    for number, (upto, without) in enumerate(((share // 2, ENDS), (share, ()), (share, ()), (share, ()))):
        if (made := fuzz.found.count()) < upto:
            each = -(-(upto - made) // (2 * len(fuzz.operations)))
            fuzz.go(max(2, each), seed=PARTS * number + part + 1, without=without)
    found = fuzz.found
    for role in SHARES:
        told = ", ".join(f"{status}: {times}" for status, times in found.statuses(role).items())
        figure(f"API, part {part}, as {role}", f"{found.count(role)} requests, {told}", "each as documented")
    figure(
        f"API, part {part}, all", f"{found.count()} requests", f"at least {share}, {MOST} in {PARTS} parts"
    )
    done = len(found.done())
    figure(
        f"API, part {part}, carried out", f"{done} of {len(fuzz.operations)} operations", "as many as may be"
    )
    found.verify()
    assert found.count() >= share
    assert site.counted() >= share
    assert not found.statuses().get(429)
    assert "Traceback" not in site.log("web"), site.log("web")[-8000:]
    wrong = [
        f"{role} {label}: {status}"
        for role, label, status in found.answers
        if role in ("anonymous", EXPIRED) and status not in (401, 404) and not _open(label)
    ]
    assert not wrong, wrong


def _open(label: str) -> bool:
    return label.partition("/v1/")[2].partition("/")[0] in OPEN
