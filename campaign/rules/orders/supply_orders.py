"""Orders about food: two-thirds ration, and a train's load laid down as a depot."""

from dataclasses import replace

from campaign.rules.errors import RuleViolation
from campaign.rules.orders.labour import men_of
from campaign.rules.world.markers import Magazine, Provision
from campaign.rules.world.world import Formation, World, present_units


def set_ration(world: World, formation: Formation, short: bool) -> World:
    """Put a formation on two-thirds ration or back on the full one (HR-SUP-04)."""
    _verify_food(world, "HR-SUP-04")
    known = world.provisions.get(formation.id, Provision(world.day))
    if known.short == short:
        state = "on two-thirds ration already" if short else "on full ration already"
        raise RuleViolation("HR-SUP-04", f"{formation.name} is {state}.", "short")
    provisions = {**world.provisions, formation.id: replace(known, short=short)}
    return replace(world, provisions=provisions)


def lay_depot(world: World, formation: Formation) -> World:
    """Lay the load of a train down where it stands: a magazine that feeds by lines (HR-SUP-05)."""
    _verify_food(world, "HR-SUP-05")
    position = formation.position
    if men_of(present_units(world).get(formation.id, [])):
        raise RuleViolation(
            "HR-SUP-05", f"{formation.name} has troops with it; only a train lays down a depot.", "formation"
        )
    if position is None or not position.place or world.holders.get(position.place) != formation.side:
        raise RuleViolation(
            "HR-SUP-05", f"{formation.name} is at no place of yours; a depot lies at one.", "formation"
        )
    if not formation.rations:
        raise RuleViolation("HR-SUP-05", f"{formation.name} carries no food; load it at a base.", "formation")
    known = world.magazines.get(position.place)
    stored = known.rations if known is not None and known.side == formation.side else 0
    store = Magazine(formation.side, stored + formation.rations)
    return replace(
        world,
        magazines={**world.magazines, position.place: store},
        formations={**world.formations, formation.id: replace(formation, rations=0)},
    )


def _verify_food(world: World, rule: str) -> None:
    if world.settings.supply == "off":
        raise RuleViolation(rule, "Food is not played in this campaign.", "formation")
