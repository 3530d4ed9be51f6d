"""How long the food of a force lasts, where food is played (HR-SUP, HR-SUR-02)."""

from collections.abc import Sequence

from campaign.rules.day.field import DayState
from campaign.rules.march.columns import Column
from campaign.rules.orders.labour import men_of
from campaign.rules.supply.supply import daily_need


def days_of_food(field: DayState, columns: Sequence[Column]) -> int | None:
    """Whole days that the food of these columns lasts them after this evening's meal.

    None where one of them counts no food.
    """
    rations = [column.formation.rations for column in columns]
    if not columns or any(each is None for each in rations):
        return None
    need = max(1, sum(_count_daily_rations(field, column) for column in columns))
    return max(0, sum(each or 0 for each in rations) - need) // need


def _count_daily_rations(field: DayState, column: Column) -> int:
    known = field.world.provisions.get(column.id)
    return daily_need(
        men_of(field.units_of(column)), known.short if known else False, field.settings.short_ration_percent
    )
