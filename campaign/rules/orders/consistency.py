"""Checks that a side's orders for one morning agree with each other (HR-PAP-05)."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NoReturn

from campaign.rules.army.organisation import (
    Detach,
    Escort,
    Join,
    Organisation,
    Transfer,
    in_order,
    organisation_apply,
    subject_of,
)
from campaign.rules.errors import RuleViolation
from campaign.rules.world.world import Order, World

RULE = "HR-PAP-05"


def verify_acts_agree(
    world: World,
    acts: Sequence[Organisation],
    others: Sequence[Organisation],
    orders: Mapping[str, Order],
) -> None:
    """Refuses acts that conflict with the side's other orders for that morning.

    `others` are the acts on those, `orders` the marches and works by formation. What disagrees already
    without the new acts is no reason to refuse them.
    """
    for act in acts:
        for other in [*others, *acts]:
            if other != act:
                _verify_pair(world, act, other)
        gone = taken_by(act)
        if gone in orders and _does_something(orders[gone]):
            _raise_violation(_describe_conflict(world, gone, act), "formation")
    failing = _list_failing_acts(world, others)
    for other, why in _list_failing_acts(world, [*others, *acts]):
        if other in others and other not in [each for each, _ in failing]:
            about = _describe_formation(world, subject_of(other))
            _raise_violation(
                f"The paper of {about} could then not be carried out: {why} Strike one of them.", "units"
            )


def verify_order_agrees(world: World, order: Order, acts: Iterable[Organisation]) -> None:
    """Refuses a march or work of a formation that another order of that morning dissolves."""
    for act in acts:
        if taken_by(act) == order.formation and _does_something(order):
            _raise_violation(_describe_conflict(world, order.formation, act), "formation")


def _verify_pair(world: World, act: Organisation, other: Organisation) -> None:
    if isinstance(act, Detach | Transfer) and isinstance(other, Detach | Transfer):
        for key in act.units:
            if key in other.units and key in world.units:
                _raise_violation(
                    f"{world.units[key].name} {_describe_departure(world, act)} by this paper and "
                    f"{_describe_departure(world, other)} by "
                    "another; strike one of them.",
                    "units",
                )
    if taken_by(act) and taken_by(act) == taken_by(other):
        _raise_violation(
            f"{_describe_formation(world, taken_by(act))} goes over into two formations at once; "
            "strike one of them.",
            "formation",
        )


def taken_by(act: Organisation) -> str:
    """The formation that goes into another by an act, "" if none does."""
    match act:
        case Join():
            return act.formation
        case Escort():
            return act.wagons
        case _:
            return ""


def _describe_departure(world: World, act: Detach | Transfer) -> str:
    if isinstance(act, Detach):
        return f"is detached with {act.name}"
    return f"goes over into {_describe_formation(world, act.into)}"


def _describe_conflict(world: World, formation: str, act: Organisation) -> str:
    into = act.into if isinstance(act, Join) else subject_of(act)
    return (
        f"{_describe_formation(world, formation)} has an order of its own for the day on one paper "
        "and goes over into "
        f"{_describe_formation(world, into)} at dawn on another; withdraw one of them."
    )


def _does_something(order: Order) -> bool:
    return bool(order.via or order.stages) or order.activity != "march"


def _list_failing_acts(world: World, acts: Iterable[Organisation]) -> list[tuple[Organisation, str]]:
    """Acts that are refused at dawn, and why."""
    found: list[tuple[Organisation, str]] = []
    for act in in_order(acts):
        try:
            world, _ = organisation_apply(world, act)
        except RuleViolation as violation:
            found.append((act, violation.message))
    return found


def _describe_formation(world: World, key: str) -> str:
    known = world.formations.get(key)
    return known.name if known is not None else "a detachment"


def _raise_violation(message: str, field: str) -> NoReturn:
    raise RuleViolation(RULE, message, field)
