"""The crawl of the fog finds what is let out on purpose: else it would prove nothing."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from django.http import HttpRequest, HttpResponse, JsonResponse

from battles.printing.typesetting import render_pdf
from campaign.ledger.world_rows import world_load
from campaign.models import Campaign
from campaign.rules.world.world import World
from tests.campaign.web.crawl import Crawl, body_of
from tests.campaign.web.fog_of_all import (
    another_truth,
    betrayed,
    learned,
    people_make,
    played,
    unmet,
)
from tests.campaign.web.fog_of_all import unknown as secrets_of
from tests.campaign.web.fog_of_programs import filled
from tests.campaign.web.guesses import telling
from tests.campaign.web.other_truths import apart, otherwise, papers_tried
from tests.factories.people import signed_in

pytestmark = pytest.mark.django_db
#: A column the Crown does not know of, far behind the enemy's line.
HIDDEN = "parsons_brigade"
KINDS: dict[str, Callable[[World], object]] = {
    "id": lambda world: HIDDEN,
    "name": lambda world: world.formations[HIDDEN].name,
    "strength": lambda world: sum(unit.points for unit in world.units.values() if unit.formation == HIDDEN),
    "place": lambda world: world.theatre.atlas.places[world.formations[HIDDEN].position.place].name,  # type: ignore[union-attr]
}
letting_out: Callable[[World], object] = KINDS["id"]


def fact() -> str:
    return f"({letting_out(world_load(Campaign.objects.get()))})"


def planted(request: HttpRequest) -> dict[str, str]:
    """A context processor that tells too much."""
    return {"planted": fact()}


def leaking(data: Any, **more: Any) -> JsonResponse:
    """A map with the secret in its data and in a header."""
    return JsonResponse({**data, "note": fact()}, headers={"X-Note": fact()}, **more)


@pytest.fixture
def leaks(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The secret in a fragment that stands on every page of a campaign, in the map and in a header."""
    (engine,) = settings.TEMPLATES
    options = {**engine["OPTIONS"]}
    options["context_processors"] = [*options["context_processors"], f"{__name__}.planted"]
    options["loaders"] = [
        ("django.template.loaders.locmem.Loader", {"campaign/_strip.html": "<p>{{ planted }}</p>"}),
        "django.template.loaders.filesystem.Loader",
        "django.template.loaders.app_directories.Loader",
    ]
    settings.TEMPLATES = [{**engine, "APP_DIRS": False, "OPTIONS": options}]
    monkeypatch.setattr("campaign.web.map.pages.JsonResponse", leaking)


def test_an_id_a_name_a_strength_or_a_place_let_out_is_found(leaks, monkeypatch):
    people = people_make()
    campaign = played(people, 0)
    true, client = world_load(campaign), signed_in(people["crown"])
    page, geojson = "/campaigns/fog/proof/", "/campaigns/fog/map.geojson"
    secrets = secrets_of(campaign, true, "crown")
    assert HIDDEN in secrets
    for kind, told in KINDS.items():
        monkeypatch.setattr(f"{__name__}.letting_out", told)
        crawl = Crawl(client, 1).read(page, geojson)
        found = list(betrayed(crawl.answers, secrets))
        with another_truth(campaign, otherwise("crown", learned(campaign, true, "crown"))):
            found += crawl.differing()
        assert {address for address in (page, geojson) if any(one.startswith(address) for one in found)} == {
            page,
            geojson,
        }, (kind, found)
        heads = {geojson: "\n".join(line for line in crawl.answers[geojson].splitlines() if "X-Note" in line)}
        assert kind in ("strength", "place") or list(betrayed(heads, secrets)), kind


def test_a_unit_out_of_sight_in_a_replay_is_found():
    units = [
        {"id": "foot_9", "name": "9th Foot", "side": "crown"},
        {"id": "rifles", "name": "Morgan's Rifles", "side": "rebel"},
        {"id": "levy_1", "name": "Berkshire levy", "side": "rebel"},
        {"id": "levy_2", "name": "Berkshire levy", "side": "rebel"},
    ]
    seen = {"crown": {"levy_1": 3}}
    battle: Any = SimpleNamespace(
        inputs={"file": {"units": units, "leaders": []}}, replay=SimpleNamespace(seen=seen)
    )
    hidden = unmet(battle, "crown")
    assert hidden == {"rifles", "Morgan's Rifles", "levy_2"}
    told = {"/replay.json": '{"name":"Morgan\'s Rifles"}', "/replay/": "<li>Berkshire levy fires.</li>"}
    assert list(betrayed(told, hidden)) == ["/replay.json: Morgan's Rifles"]


def test_a_name_in_a_pdf_is_found(tmp_path, monkeypatch):
    monkeypatch.setattr("battles.printing.typesetting.ROOT", tmp_path)
    sheet = tmp_path / "sheet.typ"
    sheet.write_text("#set page(width: 3cm)\n#json(bytes(sys.inputs.data)).name")
    made = HttpResponse(
        render_pdf(sheet, {"name": "Berkshire County Militia"}), content_type="application/pdf"
    )
    assert b"Berkshire" not in made.content
    told = {"/pack.pdf": body_of(made)}
    assert list(betrayed(told, {"Berkshire County Militia"})) == ["/pack.pdf: Berkshire County Militia"]


def test_programs_ask_with_all_that_must_be_asked():
    def of(name: str, *, must: bool) -> dict[str, Any]:
        return {"name": name, "in": "query", "required": must}

    said = {"parameters": [of("formation", must=True), of("pace", must=True), of("week", must=False)]}
    known = {"slug": ["fog"], "formation": ["a b"], "pace": ["double"], "week": [1, 2]}
    reach = "/fog/reach/?formation=a+b&pace=double"
    assert list(filled("/{slug}/reach/", said, known)) == [reach, f"{reach}&week=1", f"{reach}&week=2"]
    plain = {"parameters": [of("week", must=False)]}
    assert list(filled("/{slug}/army/", plain, known)) == [
        "/fog/army/", "/fog/army/?week=1", "/fog/army/?week=2",
    ]  # fmt: skip


def test_an_answer_that_knows_an_id_is_found(saratoga, world):
    class Knowing:
        """Answers that there is no such page, or that it is not the reader's."""

        def get(self, address: str) -> HttpResponse:
            return HttpResponse("", status=403 if HIDDEN in address else 404)

        def post(self, address: str, form: dict[str, str]) -> HttpResponse:
            return HttpResponse("Not yours." if HIDDEN in form.values() else "There is no such column.")

    client: Any = Knowing()
    found = list(telling(client, saratoga, world, "crown", {HIDDEN}, 1))
    assert any(one.startswith(f"orders/of/{HIDDEN}/: 403 / 404") for one in found)
    assert any(one.startswith("organisation/") for one in found)


@pytest.mark.parametrize("side", ["crown", "rebel"])
def test_counters_at_far_columns_seen_live_are_found(side, monkeypatch):
    """Maps, situation and trials of papers that read the present world where old reports name a place."""
    people = people_make()
    campaign = played(people, 0, settings={"couriers": True})
    true, page = world_load(campaign), campaign.get_absolute_url()
    razing = [
        paper for paper in papers_tried(true, side) if paper.get("order", {}).get("activity") == "dismantle"
    ]
    asked = {"map": f"/api/v1{page}map/", "situation": f"/api/v1{page}situation/"}

    def found() -> set[str]:
        crawl = Crawl(signed_in(people[side]), 1).read(*asked.values())
        crawl.ask(f"/api/v1{page}orders/validate/", *razing)
        with another_truth(campaign, apart(side)):
            return {each.partition(": ")[0].partition(" {")[0] for each in crawl.differing()}

    assert not found()
    monkeypatch.setattr("campaign.rules.scouting.knowledge.list_reported_counters", lambda world, side: {})
    assert found() == {*asked.values(), f"/api/v1{page}orders/validate/"}
