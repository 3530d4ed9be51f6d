"""The scenarios there are, as somebody chooses among them."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from functools import lru_cache
from typing import Any

from django.db.models import Count

from campaign.drawing.map_svg import sketch_svg
from campaign.models import Campaign, UploadedScenario, User
from campaign.rules.world.settings import RuleSettings
from campaign.rules.world.world import Theatre, World
from campaign.scenarios.armies import armies_table, side_facts
from campaign.scenarios.digest import theatre_digest
from campaign.scenarios.problems import ScenarioError
from campaign.scenarios.reading import Scenario, read_scenario, scenario_list, scenario_path
from campaign.scenarios.uploaded import scenarios_of, scenarios_of_others
from campaign.text.place_names import tint_of

#: Where a scenario tells its sources, and how many lines of that are shown.
SOURCES = "SOURCES.md"


@dataclass(frozen=True, slots=True)
class SideCard:
    """A side: who stands on the map on the first morning, and who is still to come."""

    id: str
    name: str
    tint: str
    points: int
    units: int
    formations: tuple[tuple[str, str], ...]
    later: int

    @property
    def columns(self) -> int:
        return len(self.formations)


@dataclass(frozen=True, slots=True)
class ScenarioCard:
    """A scenario; `fault` says why it cannot be played, and then the rest is empty."""

    slug: str
    title: str
    digest: str = ""
    start: date | None = None
    end: date | None = None
    sides: tuple[SideCard, ...] = ()
    places: int = 0
    routes: int = 0
    settings: RuleSettings = field(default_factory=RuleSettings)
    seats: tuple[tuple[str, str], ...] = ()
    sources: bool = False
    boats: bool = False
    fault: str = ""

    @property
    def days(self) -> int:
        return (self.end - self.start).days + 1 if self.start and self.end else 0

    @property
    def weeks(self) -> int:
        return -(-self.days // 7)

    def side(self, key: str) -> SideCard | None:
        return next((side for side in self.sides if side.id == key), None)


def scenario_cards(user: User) -> list[ScenarioCard]:
    """All scenarios a person may begin with, those that cannot be played last; two queries."""
    scenarios_of(user)  # ready on this machine
    others = scenarios_of_others(user)
    known = [slug for slug in scenario_list() if slug not in others]
    cards = [found for slug in known if (found := scenario_card(slug)) is not None]
    return sorted(cards, key=lambda card: (bool(card.fault), card.title))


@dataclass(frozen=True, slots=True)
class OwnScenario:
    """A scenario a person has put up, and how many campaigns were begun with it."""

    card: ScenarioCard
    made_at: datetime
    campaigns: int


def own_scenarios_of(user: User) -> list[OwnScenario]:
    """List a person's uploaded scenarios, newest first, with their files ready on this machine; three
    queries.
    """
    ready = scenarios_of(user)
    begun = Campaign.objects.filter(scenario__in=ready).values_list("scenario")
    counts = dict(begun.annotate(count=Count("pk")).order_by())
    rows = UploadedScenario.objects.filter(owner=user).order_by("-made_at", "-pk")
    return [
        OwnScenario(card, made_at, counts.get(slug, 0))
        for slug, made_at in rows.values_list("slug", "made_at")
        if (card := scenario_card(slug)) is not None
    ]


def scenario_card(slug: str) -> ScenarioCard | None:
    """One scenario as its files are now; None for a name there is not."""
    if slug not in scenario_list():
        return None
    return _build_scenario_card(slug, read_scenario_mtime(slug))


def find_scenario_card(user: User, slug: str) -> ScenarioCard | None:
    """One scenario a person may begin with; None for any other."""
    return None if slug in scenarios_of_others(user) else scenario_card(slug)


def scenario_sketch(slug: str) -> str:
    """A small map of a scenario, as SVG; "" for one that is not there or not sound."""
    card = scenario_card(slug)
    return "" if card is None or card.fault else _render_sketch(slug, read_scenario_mtime(slug))


def scenario_armies(slug: str) -> str:
    """A sound scenario's order of battle as CSV (HR-SET-18)."""
    return armies_table(read_scenario(scenario_path(slug)).world)


def scenario_sources(slug: str) -> str:
    """Return the scenario's text on its sources."""
    path = scenario_path(slug) / SOURCES
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def read_scenario_mtime(slug: str) -> int:
    """Return the modification time of a scenario's files in nanoseconds, as the key of what is cached of
    them.
    """
    return max(file.stat().st_mtime_ns for file in scenario_path(slug).iterdir())


@lru_cache(maxsize=16)
def _build_scenario_card(slug: str, changed: int) -> ScenarioCard:
    try:
        found = read_scenario(scenario_path(slug))
    except ScenarioError as error:
        return ScenarioCard(slug, slug.replace("-", " ").capitalize(), fault=str(error.problems[0]))
    theatre, world = found.theatre, found.world
    return ScenarioCard(
        slug=slug,
        title=theatre.title,
        digest=theatre_digest(theatre),
        start=theatre.start,
        end=theatre.end,
        sides=tuple(_build_side_card(world, side.id, side.name, side.colour) for side in theatre.sides),
        places=len(theatre.atlas.places),
        routes=len(theatre.atlas.routes),
        settings=world.settings,
        seats=tuple((seat.side, seat.title) for seat in found.demo_seats),
        sources=bool(scenario_sources(slug)),
        boats=_counts_boats(slug),
    )


def _counts_boats(slug: str) -> bool:
    return (scenario_path(slug) / "boats.csv").is_file()


def _build_side_card(world: World, key: str, name: str, colour: str) -> SideCard:
    facts = side_facts(world, key)
    formations = tuple((one, called) for one, called in facts.pop("formations"))
    return SideCard(id=key, name=name, tint=tint_of(colour), formations=formations, **facts)


def with_armies(card: ScenarioCard, sides: Mapping[str, Mapping[str, Any]]) -> ScenarioCard:
    """A card with the sides of armies that take the place of the scenario's, by `side_facts`.

    A side they do not have, as the scenario's files have it by now, stays as it is.
    """
    return replace(
        card,
        sides=tuple(
            replace(
                side,
                **{
                    **sides[side.id],
                    "formations": tuple((one, called) for one, called in sides[side.id]["formations"]),
                },
            )
            if side.id in sides
            else side
            for side in card.sides
        ),
    )


@lru_cache(maxsize=16)
def _render_sketch(slug: str, changed: int) -> str:
    found: Scenario = read_scenario(scenario_path(slug))
    theatre: Theatre = found.theatre
    tints = {side.id: tint_of(side.colour) for side in theatre.sides}
    held = {place: tints.get(side, "") for place, side in theatre.holders.items()}
    return sketch_svg(theatre.base_map, theatre.atlas, held)
