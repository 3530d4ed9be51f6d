"""Orders drawn at random, to compare a staff with (HR-BOT-09)."""

from campaign.ai.assessment import NEVER, StaffBody, StaffSituation, assess_situation, march_table
from campaign.rules.errors import RuleViolation
from campaign.rules.orders.orders import verify_order
from campaign.rules.world.world import PACE_PERCENT, Order, Pace, Stance, World
from rosters.domain.dice import DiceRoller

_PACES: tuple[Pace, ...] = tuple(sorted(PACE_PERCENT))
_STANCES: tuple[Stance, ...] = ("attack", "avoid", "delay", "give_battle")


def random_orders(world: World, side: str, dice: DiceRoller) -> list[Order]:
    """Valid orders drawn at random, for formations that have none: one in six halts.

    Dice are thrown at addresses of HR-BOT-09, so the same campaign day gives the same orders.
    """
    situation = assess_situation(world, side)
    orders = []
    for body in situation.free:
        if body.formation.order is None and (order := _random_order(situation, body, dice)) is not None:
            orders.append(order)
    return orders


def _random_order(situation: StaffSituation, body: StaffBody, dice: DiceRoller) -> Order | None:
    if dice.roll("HR-BOT-09", body.id, 0).value == 1:
        return None
    table = march_table(situation.world, body.march)
    open_to = sorted(place for place in table.places if 0 < table.minutes(body.place, place) < NEVER)
    if not open_to:
        return None
    order = Order(
        body.id,
        (open_to[_draw_number(dice, body.id, 1, len(open_to))],),
        _PACES[_draw_number(dice, body.id, 3, len(_PACES))],
        _STANCES[_draw_number(dice, body.id, 5, len(_STANCES))],
    )
    try:
        verify_order(situation.world, order, situation.side)
    except RuleViolation:
        return None
    return order


def _draw_number(dice: DiceRoller, subject: str, index: int, choices: int) -> int:
    """An even draw of 0 to `choices` - 1 for up to 65,536 choices, from two dice of 256 sides."""
    high = dice.roll("HR-BOT-09", subject, index, 256).value - 1
    low = dice.roll("HR-BOT-09", subject, index + 1, 256).value - 1
    return (high * 256 + low) * choices // 65_536
