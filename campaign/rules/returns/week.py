"""The end of a week: all weekly rules in the order of AWI-C-POL-04."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from battles.grammar import Subject
from campaign.rules.dispatches.couriers import returns_by_courier
from campaign.rules.errors import RuleViolation
from campaign.rules.returns.attrition import roll_enlistments
from campaign.rules.returns.militia import return_militia, roll_militia
from campaign.rules.returns.places_of_arrival import Placement, verify_placement
from campaign.rules.returns.pools import (
    NEW_UNIT_TYPES,
    Downgrade,
    apply_downgrade,
    cap_unit_points,
    parse_pool,
    raise_units,
    verify_downgrade,
)
from campaign.rules.returns.replacements import (
    BalancingMove,
    LoyalistFill,
    Muster,
    apply_balancing,
    apply_fill,
    send_replacements,
    verify_balancing,
    verify_fills,
)
from campaign.rules.returns.returns import WEEKS_END, WeeklyReturns, counts_in_returns, pool_owners
from campaign.rules.world.events import Event
from campaign.rules.world.outcome import Completed
from campaign.rules.world.world import UnitStatus, World
from rosters.domain.dice import DiceRoller


@dataclass(frozen=True, slots=True)
class RefusedChoice:
    """A choice of `side` that the rules no longer allow at the week's end, and why (HR-PAP-03)."""

    side: str
    rule: str
    reason: str


@dataclass(frozen=True, slots=True)
class WeekChoices:
    """Decisions of the sides and the umpire about a week's returns, made before its dice.

    They are checked against the evening's state. Where the week's dice leave less room than that
    (a giver went home, a regiment was filled from overseas), as much is done as still can be.
    `raised` names a pool once for each unit wanted, and only when units are not raised by
    themselves; `first` the eliminated units that are rebuilt before others (HR-REC-07); `placements`
    are the umpire's, and only when he places units. `refused` are told only.
    """

    fills: tuple[LoyalistFill, ...] = ()
    balancing: tuple[BalancingMove, ...] = ()
    downgrades: tuple[Downgrade, ...] = ()
    raised: tuple[str, ...] = ()
    placements: tuple[Placement, ...] = ()
    refused: tuple[RefusedChoice, ...] = ()
    first: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """JSON values, for the journal."""
        values = asdict(self)
        for name in ("refused", "first"):
            if not values[name]:
                del values[name]
        return values

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "WeekChoices":
        """The inverse of `to_json`."""
        return cls(
            fills=tuple(LoyalistFill(**row) for row in data.get("fills", ())),
            balancing=tuple(BalancingMove(**row) for row in data.get("balancing", ())),
            downgrades=tuple(Downgrade(**row) for row in data.get("downgrades", ())),
            raised=tuple(data.get("raised", ())),
            placements=tuple(Placement(**row) for row in data.get("placements", ())),
            refused=tuple(RefusedChoice(**row) for row in data.get("refused", ())),
            first=tuple(data.get("first", ())),
        )

    def single(self) -> "Iterator[WeekChoices]":
        """Each choice by itself, in the order in which they are made up."""
        for item in fields(self):
            for choice in getattr(self, item.name):
                yield WeekChoices(**{item.name: (choice,)})

    def plus(self, other: "WeekChoices") -> "WeekChoices":
        """These choices, then the other's."""
        joined = {item.name: getattr(self, item.name) + getattr(other, item.name) for item in fields(self)}
        return WeekChoices(**joined)


def verify_choices(world: World, choices: WeekChoices, side: str = "") -> None:
    """Raise RuleViolation for the first choice the rules refuse.

    `side` restricts the choices to that side's units and pools; "" is the umpire, who may choose
    for all.
    """
    verify_owner(world, choices, side)
    muster = Muster(world.units, world.formations, world.settings)
    points = {key: unit.points for key, unit in world.units.items()}
    verify_fills(muster, choices.fills, points)
    verify_balancing(muster, choices.balancing, points)
    _verify_pools(world, choices)
    _verify_first(world, choices.first)
    for placement in choices.placements:
        verify_placement(world, placement, _side_of(world, placement.subject))


def merge_choices(world: World, by_side: Mapping[str, WeekChoices]) -> WeekChoices:
    """All sides' choices as one, by side, whoever put them in first; "" is the umpire (HR-PAP-03).

    One that the rules refuse on the evening of `world` is left out and told to its side.
    """
    merged = WeekChoices()
    refused: list[RefusedChoice] = []
    for side in sorted(by_side):
        for choice in by_side[side].single():
            try:
                verify_owner(world, choice, side)
                verify_choices(world, merged.plus(choice))
            except RuleViolation as violation:
                refused.append(RefusedChoice(side, violation.rule_id, violation.message))
            else:
                merged = merged.plus(choice)
    return replace(merged, refused=tuple(refused))


def close_week(world: World, choices: WeekChoices, dice: DiceRoller) -> Completed:
    """The world after the week's returns, and their events, every die among them (AWI-C-POL-04).

    `world` stands on the morning after a seventh day. Raises RuleViolation at any other time, and
    for a wrong choice, in which case nothing is done.
    """
    if not world.week_is_over:
        raise RuleViolation(
            "AWI-C-POL-04",
            f"Day {world.day} does not end a week; returns are made up after every seventh day.",
        )
    verify_choices(world, choices)
    book = WeeklyReturns(world, dice)
    placements = {placement.subject: placement.place for placement in choices.placements}
    if world.settings.recruitment != "off":  # HR-REC-04
        roll_enlistments(book)
        roll_militia(book)
        return_militia(book, placements)
        send_replacements(book)
    for fill in choices.fills:
        apply_fill(book, fill)
    cap_unit_points(book)
    for move in choices.balancing:
        apply_balancing(book, move)
    for downgrade in choices.downgrades:
        apply_downgrade(book, downgrade)
    raise_units(book, choices.raised, placements, choices.first)
    told = (
        Event("choice_refused", WEEKS_END, each.rule, (each.side,) if each.side else (), data=asdict(each))
        for each in choices.refused
    )
    closed, events = returns_by_courier(book.close(world), book.events)
    return Completed(closed, (*events, *told))


def verify_owner(world: World, choices: WeekChoices, side: str) -> None:
    """Refuses a choice about what is not the side's; "" is the umpire, who may choose for all."""
    if not side:
        return
    if choices.placements:
        raise RuleViolation(
            "AWI-C-POL-05", "Only the umpire places units; leave the places out.", "placements"
        )
    moves: tuple[LoyalistFill | BalancingMove, ...] = (*choices.fills, *choices.balancing)
    subjects = [subject for move in moves for subject in (move.giver, move.receiver)]
    subjects += [move.source for move in choices.downgrades]
    subjects += [*choices.raised, *choices.first]
    for subject in subjects:
        if _side_of(world, subject) != side:
            raise RuleViolation("AWI-C-POL-04", f"{subject} is not yours; choose among your own.", "side")


def _verify_pools(world: World, choices: WeekChoices) -> None:
    pools = dict(world.pools)
    for move in choices.downgrades:
        verify_downgrade(move, pools)
        pools[move.source] -= move.points
    if choices.raised and world.settings.auto_raise_units:
        raise RuleViolation(
            "AWI-C-POL-03", "Units are raised by themselves in this campaign; name no pools.", "raised"
        )
    for pool in choices.raised:
        nation, arm = parse_pool(pool, "raised")
        if arm not in NEW_UNIT_TYPES.get(nation, {}):
            raise RuleViolation("HR-REC-03", f"{pool} raises no units; leave it out.", "raised")


def _verify_first(world: World, first: tuple[str, ...]) -> None:
    for number, key in enumerate(first):
        unit = world.units.get(key)
        if unit is None or unit.status is not UnitStatus.ELIMINATED or not counts_in_returns(unit, world.day):
            raise RuleViolation(
                "HR-REC-07",
                f"{unit.name if unit else key} is not waiting to be rebuilt; leave it out.",
                "first",
            )
        if key in first[:number]:
            raise RuleViolation("HR-REC-07", f"{Subject(unit.name):is} named twice; name it once.", "first")


def _side_of(world: World, subject: str) -> str:
    unit = world.units.get(subject)
    if unit is not None:
        return unit.side
    return pool_owners(world).get(subject.partition("/")[0], "")
