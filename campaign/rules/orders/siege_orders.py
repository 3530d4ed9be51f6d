"""Orders before a fort, and water passages that enemy works command (HR-SIE-01, HR-WAT-04)."""

from campaign.rules.errors import RuleViolation
from campaign.rules.map.atlas import CLOSED, WATER_KINDS
from campaign.rules.map.paths import MarchPlan
from campaign.rules.world.world import Formation, World


def verify_siege(world: World, formation: Formation) -> None:
    """Refuses a siege where no fort of the enemy's is (HR-SIE-01, field `activity`)."""
    place = formation.position.place if formation.position is not None else ""
    works = place and world.theatre.atlas.places[place].fortification in CLOSED
    if not works or world.holders.get(place, "") in ("", formation.side):
        raise RuleViolation(
            "HR-SIE-01",
            f"{formation.name} stands before no stockade, fort or fortress of the enemy's; march it to one.",
            "activity",
        )


def verify_water(world: World, formation: Formation, plan: MarchPlan) -> None:
    """Refuses to take boats under works the enemy holds with troops (HR-WAT-04, field `via`).

    Who stands before them sees them, so the refusal tells nothing new.
    """
    position = formation.position
    if not world.settings.works_command_water or position is None or not position.place or not plan.legs:
        return
    atlas = world.theatre.atlas
    place = atlas.places[position.place]
    if atlas.routes[plan.legs[0].route].kind not in WATER_KINDS or place.fortification == "none":
        return
    if world.holders.get(place.id, "") in ("", formation.side):
        return
    if any(each.side != formation.side and each.position == position for each in world.formations.values()):
        raise RuleViolation(
            "HR-WAT-04",
            f"The enemy's guns at {place.name} command the water; take the works first, or march by land.",
            "via",
        )
