"""Enemies known on the way of a march, and what an order does at works they hold (HR-FOG-01, HR-SIE-01).

All that is known of the enemy comes by the viewer's `MapView`, so a preview tells nothing the map hides.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from campaign.fog.visibility import MapView, SeenFormation
from campaign.rules.map.atlas import CLOSED, Atlas, Fortification
from campaign.rules.world.settings import RuleSettings
from campaign.rules.world.world import Position, Stance, World
from campaign.selectors.orders.preview import OrderPreview, PreviewLeg
from campaign.text.order_text import STANCES
from campaign.text.place_names import CampaignNames, position_text
from campaign.text.sightings import sighting_text, strength_text

#: What an order does at works the enemy holds with troops; "" where he has none.
Outcome = Literal["", "assault", "invest", "fall_back", "battle"]

WORKS: dict[Fortification, str] = {
    "none": "",
    "fieldworks": "field works",
    "stockade": "stockade",
    "fort": "fort",
    "fortress": "fortress",
}
ATTACK = f"\N{LEFT DOUBLE QUOTATION MARK}{STANCES['attack'].capitalize()}\N{RIGHT DOUBLE QUOTATION MARK}"
#: The same in a word or two.
BRIEFLY: dict[Outcome, str] = {
    "": "",
    "assault": "Assaulted",
    "invest": "Invested, not assaulted",
    "fall_back": "Falls back if it can",
    "battle": "Fought over, not invested",
}
#: What comes of it and what decides, with the rules that say so.
OUTCOMES: dict[Outcome, tuple[str, str]] = {
    "": ("", ""),
    "assault": (
        "This order assaults the {works}, because it says {attack}. No other choice assaults.",
        "HR-SIE-01",
    ),
    "invest": (
        "This order invests the {works}; only {attack} assaults. "
        "If the garrison has orders to attack, it comes out and you fight a battle.",
        "HR-SIE-01",
    ),
    "fall_back": (
        "This order tries to fall back before the {works}, because it avoids battle. "
        "Troops that cannot get away invest; only {attack} assaults.",
        "HR-CON-02, HR-SIE-01",
    ),
    "battle": (
        "Nothing is invested at the {works}: a battle is fought as on open ground, and the defender has "
        "cover.",
        "HR-SIE-01, HR-CON-08",
    ),
}


@dataclass(frozen=True, slots=True)
class EnemyOnMarch:
    """A spot on the way of a march where enemies were last seen, or whose works they hold.

    `leg` brings the column there, None where it stands already. `seen` are the enemies, `works` the kind of
    works the side believes they hold, "none" otherwise.
    """

    position: Position
    leg: PreviewLeg | None
    seen: tuple[SeenFormation, ...]
    works: Fortification
    outcome: Outcome


def march_enemies(view: MapView, world: World, preview: OrderPreview) -> list[EnemyOnMarch]:
    """Enemies that the viewer's side knows of on the way of a previewed order, in order of the march."""
    side, atlas = world.formations[preview.order.formation].side, world.theatre.atlas
    enemies = [seen for seen in view.formations if seen.side != side]
    found = []
    for position, leg, seen in _iter_march_spots(preview, enemies, atlas):
        works = _enemy_works(position.place, side, view, atlas)
        if seen or works != "none":
            outcome = _find_outcome(works, preview.order.stance, world.settings)
            found.append(EnemyOnMarch(position, leg, tuple(seen), works, outcome))
    return found


def _iter_march_spots(
    preview: OrderPreview, enemies: Sequence[SeenFormation], atlas: Atlas
) -> Iterator[tuple[Position, PreviewLeg | None, list[SeenFormation]]]:
    """Yield the start's place with its enemies; then for each leg the enemies along it and those at its
    end.
    """

    def at(place: str) -> list[SeenFormation]:
        return [each for each in enemies if each.position.place == place]

    if preview.start.place:
        yield preview.start, None, at(preview.start.place)
    for leg in preview.legs:
        along = [(_yards_to_end(each.position, leg, atlas), each) for each in enemies]
        ahead = [(yards, each) for yards, each in along if yards is not None and yards <= leg.yards]
        for _, each in sorted(ahead, key=lambda pair: (-pair[0], pair[1].id)):
            yield each.position, leg, [each]
        yield Position(place=leg.destination), leg, at(leg.destination)


def _yards_to_end(position: Position, leg: PreviewLeg, atlas: Atlas) -> int | None:
    """Yards from a spot on the leg's route to the leg's end; None for a spot elsewhere."""
    if position.place or position.route != leg.route:
        return None
    towards = position.destination == leg.destination
    return atlas.routes[leg.route].yards - position.yards if towards else position.yards


def _enemy_works(place: str, side: str, view: MapView, atlas: Atlas) -> Fortification:
    """The works of a place the side believes to be its enemy's: those of the map, or thrown up since."""
    if not place or view.holders.get(place, "") in ("", side):
        return "none"
    kind = atlas.places[place].fortification
    dug = view.counters.get("works", {}).get(place)
    return "fieldworks" if kind == "none" and dug is not None and dug.side != side else kind


def _find_outcome(works: Fortification, stance: Stance, settings: RuleSettings) -> Outcome:
    """Return the outcome, by the rules, of an order before works that the enemy holds (HR-SIE-01)."""
    if works == "none":
        return ""
    if works not in CLOSED or settings.sieges == "off":
        return "battle"
    if stance == "attack":
        return "assault"
    return "fall_back" if stance == "avoid" else "invest"


# --- in words ---


def enemy_lines(enemy: EnemyOnMarch, world: World, names: CampaignNames) -> list[str]:
    """Describe the enemies there as last reported, in sentences."""
    if not enemy.seen:
        return ["You have no report of troops there; if it is empty, it falls to you."]
    return [_seen_line(each, world, names) for each in enemy.seen]


def outcome_line(*enemies: EnemyOnMarch) -> tuple[str, str]:
    """Say what the order does at works with one outcome and what decides it; the second value names the
    rules.
    """
    sentence, rules = OUTCOMES[enemies[0].outcome]
    kinds = {WORKS[enemy.works] for enemy in enemies}
    return sentence.format(works=kinds.pop() if len(kinds) == 1 else "works", attack=ATTACK), rules


def outcome_lines(enemies: Sequence[EnemyOnMarch]) -> list[tuple[str, str]]:
    """The same of all works on the way, each outcome once."""
    by_outcome: dict[Outcome, list[EnemyOnMarch]] = {}
    for enemy in enemies:
        if enemy.outcome:
            by_outcome.setdefault(enemy.outcome, []).append(enemy)
    return [outcome_line(*found) for found in by_outcome.values()]


def enemy_where(enemy: EnemyOnMarch, names: CampaignNames) -> str:
    """The spot as a heading: a place with its works, or where on a route."""
    words = names.place(enemy.position.place) or position_text(enemy.position, names)
    works = WORKS[enemy.works]
    return f"{words} ({works})" if works and works not in words.lower() else words


def _seen_line(seen: SeenFormation, world: World, names: CampaignNames) -> str:
    sighting = seen.sighting
    if sighting is None:
        return f"{seen.name}, {seen.sp} SP."
    return (
        f"{seen.name}, {strength_text(seen.sp, sighting.error)}. "
        f"{sighting_text(sighting, world.theatre, names)}."
    )
