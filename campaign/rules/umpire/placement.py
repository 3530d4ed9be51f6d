"""Positions at which the umpire may place a formation by hand (HR-UMP-02)."""

from campaign.rules.orders.orders import list_formation_units
from campaign.rules.umpire.calendar import raise_violation
from campaign.rules.umpire.corrections import PlaceFormation
from campaign.rules.world.world import World


def verify_put_down(world: World, act: PlaceFormation) -> None:
    """Refuses to put a formation down among enemies who hold a place: no battle would come of it.

    Asked of a new act only, so that acts done before are read as they were done.
    """
    formation, place = world.formations.get(act.formation), act.position.place
    if formation is None or not place or world.holders.get(place, "") in ("", formation.side):
        return
    enemy = next(
        (
            each
            for _, each in sorted(world.formations.items())
            if each.side != formation.side
            and each.position is not None
            and each.position.place == place
            and not all(unit.is_train for unit in list_formation_units(world, each.id))
        ),
        None,
    )
    if enemy is not None:
        name = world.theatre.atlas.places[place].name
        raise_violation(
            "HR-UMP-02",
            f"{name} is held by the enemy, {enemy.name} among them; put {formation.name} down at a place "
            "beside it and let it march there.",
            "position",
        )
