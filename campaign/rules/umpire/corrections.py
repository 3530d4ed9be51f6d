"""Umpire's corrections of a campaign by hand: records and their versioned JSON (HR-UMP).

An act is chained into the journal with its reason like a day. What each does to a world is in
`campaign.rules.umpire.correction_effects`; some change no world, but an order, a deadline or a die.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from campaign.rules.errors import RuleViolation
from campaign.rules.orders.order_json import checked_form, read_record
from campaign.rules.turns.deadline_schedule import Rhythm
from campaign.rules.umpire.battle_corrections import KINDS as BATTLE_ACTS
from campaign.rules.umpire.battle_corrections import (
    Annul,
    BattleAct,
    BattleAdjust,
    BattleSplit,
    BattleTakeBack,
    BattleWay,
    battle_act_to_json,
    to_json_value,
)
from campaign.rules.umpire.settings import ChangeRules, Conduct
from campaign.rules.victory.treaties import KINDS as TREATIES
from campaign.rules.victory.treaties import OfferTerms, Treaty
from campaign.rules.world.markers import Position
from campaign.rules.world.world import Order
from campaign.rules.world.world_json import order_to_json
from rosters.domain.dice import AddressedDice


@dataclass(frozen=True, slots=True)
class ChangePool:
    """Give a replacement `pool` ("nation/arm") points, or take them when negative (HR-UMP-19)."""

    pool: str
    points: int


@dataclass(frozen=True, slots=True)
class SetGeneral:
    """A general's new state, and the `formation` they are with, "" for none (HR-UMP-20).

    `weeks` is how long a wound keeps him away, 0 for one who is not wounded.
    """

    general: str
    state: Literal["well", "wounded", "captured", "dead"]
    formation: str
    weeks: int = 0


@dataclass(frozen=True, slots=True)
class SetHolder:
    """The new holder of `place`: a side, or nobody with "" (HR-UMP-21)."""

    place: str
    side: str


@dataclass(frozen=True, slots=True)
class SetFood:
    """The `rations` in the store at a place, or carried by a formation, whose `id` it is (HR-UMP-22)."""

    of: Literal["store", "formation"]
    id: str
    rations: int


Correction = ChangePool | SetGeneral | SetHolder | SetFood

RULE_CORRECTIONS: dict[str, type[Correction]] = {
    "pool": ChangePool,
    "general": SetGeneral,
    "holder": SetHolder,
    "food": SetFood,
}


#: Version of the JSON of acts.
VERSION = 1
#: Whose form it is, when something is wrong with it.
FORM = "HR-UMP-01"


@dataclass(frozen=True, slots=True)
class PlaceFormation:
    """Put `formation` down elsewhere, at a place or part-way along a route (HR-UMP-02)."""

    formation: str
    position: Position


@dataclass(frozen=True, slots=True)
class Add:
    """A new unit for `formation`; for a formation not yet there, its name and the place it stands at.

    The points come from nowhere unless a `pool` ("nation/arm") gives them (HR-UMP-03).
    """

    id: str
    name: str
    side: str
    nation: str
    troop_type: str
    points: int
    formation: str
    gun_class: str = "none"
    pool: str = ""
    formation_name: str = ""
    place: str = ""


@dataclass(frozen=True, slots=True)
class Split:
    """Units leave `formation` and form another, `id`, at the same spot (HR-UMP-04)."""

    formation: str
    units: tuple[str, ...]
    id: str
    name: str
    commander: str = ""


@dataclass(frozen=True, slots=True)
class Reinforce:
    """Give a unit points, or take them when negative; from or into `pool` when one is named (HR-UMP-05)."""

    unit: str
    points: int
    pool: str = ""


@dataclass(frozen=True, slots=True)
class Rename:
    """Call a unit or a formation otherwise (HR-UMP-06)."""

    of: Literal["unit", "formation"]
    id: str
    name: str


@dataclass(frozen=True, slots=True)
class SetWeather:
    """The weather of a campaign day to come (0 is the first); "" takes it back (HR-UMP-07)."""

    day: int
    weather: Literal["", "fair", "rain", "storm", "fog"]


@dataclass(frozen=True, slots=True)
class CommandFormation:
    """Give a formation a new order, or halt it; its order for the coming day is cancelled (HR-UMP-08)."""

    formation: str
    order: Order | None = None


@dataclass(frozen=True, slots=True)
class CancelOrder:
    """Cancel an order for the coming day; the standing one before it counts (HR-UMP-08).

    `paper` is its kind as `OrderPaper.Kind` has it, `subject` its formation, or for returns its side.
    """

    paper: Literal["activity", "organise", "returns"]
    subject: str
    side: str


@dataclass(frozen=True, slots=True)
class Rumour:
    """Word that reaches a side, true or not (HR-UMP-09)."""

    side: str
    text: str


@dataclass(frozen=True, slots=True)
class Pause:
    """Pause the campaign, or resume it (HR-UMP-10)."""

    on: bool


@dataclass(frozen=True, slots=True)
class Deadline:
    """The deadline for orders of the coming day, ISO 8601 with its zone (HR-UMP-11).

    "" takes the deadline away. It becomes `earlier` than it was only when that is said.
    """

    until: str
    earlier: bool = False


@dataclass(frozen=True, slots=True)
class EnterDie:
    """A real die of `sides` faces for an address of the coming day (HR-UMP-12)."""

    rule: str
    subject: str
    index: int
    value: int
    sides: int = 6


@dataclass(frozen=True, slots=True)
class RewindCampaign:
    """Rewind the campaign from the morning of `from_day` to that of its world (HR-UMP-14).

    `left` is the revision that is left. The course goes on with dice of `dice_revision`; `keep` says
    that a battle that comes about alike keeps the result it had, but for the contacts named in `anew`.
    """

    left: int
    from_day: int
    dice_revision: int
    new_dice: bool = False
    keep: bool = True
    papers: Literal["stand", "draft"] = "stand"
    anew: tuple[str, ...] = ()


Act = (
    PlaceFormation | Add | Split | Reinforce | Rename | SetWeather | CommandFormation | CancelOrder |
    Rumour | Pause | Deadline
    | Rhythm | EnterDie | RewindCampaign | Annul | ChangeRules | Conduct | Treaty | BattleAct | Correction
)  # fmt: skip

#: Kinds by their name in JSON.
KINDS: dict[str, type[Act]] = {
    "place": PlaceFormation,
    "add": Add,
    "split": Split,
    "reinforce": Reinforce,
    "rename": Rename,
    "weather": SetWeather,
    "command": CommandFormation,
    "strike": CancelOrder,
    "rumour": Rumour,
    "pause": Pause,
    "deadline": Deadline,
    "rhythm": Rhythm,
    "die": EnterDie,
    "rewind": RewindCampaign,
    "annul": Annul,
    "rules": ChangeRules,
    "conduct": Conduct,
    **TREATIES,
    **BATTLE_ACTS,
    **RULE_CORRECTIONS,
}

#: Acts that leave troops, weather and orders as they are: possible while a battle waits.
BESIDE = (
    Rumour, Pause, Deadline, Rhythm, Conduct, OfferTerms, BattleWay, BattleAdjust, BattleTakeBack,
    BattleSplit,
)  # fmt: skip


def kind_of(act: Act) -> str:
    """The name of an act's kind."""
    return next(name for name, kind in KINDS.items() if isinstance(act, kind))


def act_to_json(act: Act) -> dict[str, Any]:
    """An act as JSON values, with its kind and the version of this form."""
    row = battle_act_to_json(act) if isinstance(act, BattleAct) else to_json_value(act)
    if (
        isinstance(act, RewindCampaign) and not act.anew
    ):  # as it was written before single results could be taken back
        del row["anew"]
    if isinstance(act, CommandFormation):
        row["order"] = None if act.order is None else to_json_value(order_to_json(act.order))
    return {"version": VERSION, "kind": kind_of(act), **row}


def act_from_json(data: Any) -> Act:
    """The inverse of `act_to_json`. Raises RuleViolation (HR-UMP-01) with the field that is wrong."""
    values = checked_form(data, FORM, VERSION, "act")
    name = values.pop("kind", None)
    kind = KINDS.get(name) if isinstance(name, str) else None
    if kind is None:
        raise RuleViolation(
            FORM, f"There is no act called {name!r}; choose one of {', '.join(KINDS)}.", "kind"
        )
    return read_record(kind, values, FORM, "act")


def collect_real_dice(acts: Iterable[Mapping[str, Any]], dice: AddressedDice) -> dict[str, int]:
    """Real dice by address out of acts as JSON, in their order: the last one for an address counts."""
    entered = {}
    for row in acts:
        if row["kind"] == "die":
            act = act_from_json(row)
            assert isinstance(act, EnterDie)
            entered[dice.address(act.rule, act.subject, act.index)] = act.value
    return entered
