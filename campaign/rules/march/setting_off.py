"""Departures of columns: in boats, late, or during the day after an enemy (HR-ORD, HR-BOA)."""

from campaign.rules.day.field import DayState
from campaign.rules.errors import RuleViolation
from campaign.rules.map.bridges import build_known_atlas
from campaign.rules.map.paths import MarchPlan
from campaign.rules.march.boats import embark, verify_embark
from campaign.rules.march.columns import Column, Exact, build_column_position
from campaign.rules.march.interception import plan_pursuit
from campaign.rules.orders.labour import lift_of
from campaign.rules.orders.tasks import SEEKING
from campaign.rules.scouting.intelligence import Intelligence
from campaign.rules.world.world import World


def take_boats(field: DayState, column: Column, plan: MarchPlan) -> None:
    """Take boats where there are still enough, after those who embarked before (HR-BOA-02)."""
    if not column.place:
        return
    men = lift_of(field.units_of(column))
    verify_embark(field.atlas, field.boats, column.formation, men, plan.legs, counted=True)
    embark(field.boats, column.formation, men)


def enemy_here(field: DayState, column: Column) -> bool:
    """True if an enemy stands in the morning where a column does."""
    where = field.world.formations
    return any(
        each.side != column.side and each.position == column.formation.position for each in where.values()
    )


def aim_anew(field: DayState, known: Intelligence, now: int) -> None:
    """Redirect columns that pursue an enemy to its latest position (HR-ORD-03, HR-ORD-04)."""
    world: World | None = None
    for key in sorted(field.columns):
        column = field.columns[key]
        order = column.order
        if order is None or order.activity not in SEEKING or not is_free_to_march(column) or column.helping:
            continue
        world = world or known.close(field.world)
        position = build_column_position(column, int(column.yard(now)))
        try:
            plan = plan_pursuit(
                world,
                build_known_atlas(world, column.side),
                order,
                position,
                column.side,
                column.march,
                field.conditions,
            )
        except RuleViolation:  # he is lost from sight: on to where he was
            continue
        path = [(leg.route, leg.origin) for leg in plan.legs]
        if path != column.path:
            field.stand(column, now)
            column.path = path
            field.march(column, now)


def is_free_to_march(column: Column) -> bool:
    """True if a column may march on: not fighting, not facing the enemy, not beaten today."""
    return column.battle is None and not column.waits and not column.retreated


def set_off(field: DayState, key: str, now: Exact) -> None:
    """The hour of a late start has come, if nothing has come between (HR-ORD-05)."""
    column = field.columns.get(key)
    if column is not None and is_free_to_march(column):
        field.march(column, now)
