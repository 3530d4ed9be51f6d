"""Who is winning: points of the objectives each side holds (HR-VIC-01)."""

from campaign.rules.world.world import Theatre, World


def objective_points(theatre: Theatre) -> dict[str, int]:
    """What each objective is worth, by place.

    Both sides may list a place, each with its own weight for its staff; it counts once, at the
    larger of the points listed.
    """
    worth: dict[str, int] = {}
    for objective in theatre.objectives:
        worth[objective.place] = max(objective.points, worth.get(objective.place, 0))
    return worth


def scenario_points(world: World) -> dict[str, int]:
    """Points of the objectives each side holds, by side; a side that holds none has 0 (HR-VIC-01)."""
    points = {side.id: 0 for side in world.theatre.sides}
    for place, worth in objective_points(world.theatre).items():
        holder = world.holders.get(place, "")
        if holder in points:
            points[holder] += worth
    return points
