"""What a side may order about its formations besides marches: join, detach, transfer, hand over (HR-ORG).

Records and their versioned JSON, the form that papers, journal and the turn share; what they do is in
`campaign.rules.army.organising`.
"""

import re
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from campaign.rules.errors import RuleViolation
from campaign.rules.orders.order_json import checked_form, read_record
from campaign.rules.world.world import Order, World
from campaign.rules.world.world_json import order_to_json, to_canonical_json

#: Version of the JSON of these records.
VERSION = 1


@dataclass(frozen=True, slots=True)
class Detach:
    """Units leave `formation` and form `id`, a new formation called `name`, with an order of its own.

    `id` is as `detachment_id` says; the new formation does not rejoin by itself.
    """

    formation: str
    units: tuple[str, ...]
    id: str
    name: str
    commander: str = ""
    order: Order | None = None


@dataclass(frozen=True, slots=True)
class Transfer:
    """Whole units go over into the formation `into`, which stands where they do."""

    units: tuple[str, ...]
    into: str


@dataclass(frozen=True, slots=True)
class Escort:
    """`formation` takes the train `wagons` among its own units, until they are detached again."""

    formation: str
    wagons: str


@dataclass(frozen=True, slots=True)
class Join:
    """All units of `formation` go over into the formation `into`."""

    formation: str
    into: str


@dataclass(frozen=True, slots=True)
class Garrison:
    """`formation` becomes the garrison of the place where it stands, or is one no longer."""

    formation: str
    on: bool = True


@dataclass(frozen=True, slots=True)
class HandOver:
    """The general `leader` takes command of `formation`."""

    formation: str
    leader: str


@dataclass(frozen=True, slots=True)
class Ration:
    """`formation` goes on two-thirds ration, or back to the full one (HR-SUP-04)."""

    formation: str
    short: bool = True


@dataclass(frozen=True, slots=True)
class Depot:
    """The train `formation` lays its load down where it stands, as a depot (HR-SUP-05)."""

    formation: str


Organisation = Detach | Transfer | Escort | Join | Garrison | HandOver | Ration | Depot

#: Kinds by their name in JSON, in the order in which a morning carries them out (HR-ORG-07).
KINDS: dict[str, type[Organisation]] = {
    "detach": Detach,
    "transfer": Transfer,
    "escort": Escort,
    "join": Join,
    "garrison": Garrison,
    "hand_over": HandOver,
    "ration": Ration,
    "depot": Depot,
}


def kind_of(act: Organisation) -> str:
    """The name of an act's kind."""
    return next(name for name, kind in KINDS.items() if isinstance(act, kind))


def subject_of(act: Organisation) -> str:
    """The formation an act is about: the one whose paper it stands on."""
    return act.into if isinstance(act, Transfer) else act.formation


def is_in_column(column: Iterable[str], formation: str) -> bool:
    """Whether a column of these formations holds `formation`, one of them or a detachment of one.

    Detachments are called as `detachment_id` calls them.
    """
    return any(re.fullmatch(rf"{re.escape(own)}(-d\d+)*", formation) for own in column)


def in_order(acts: Iterable[Organisation]) -> list[Organisation]:
    """Acts as a morning carries them out, whoever put them in first; the same act twice counts once."""
    ranks = list(KINDS)
    keys = {to_canonical_json(organisation_to_json(act)): act for act in acts}
    ranked = sorted(keys, key=lambda key: (ranks.index(kind_of(keys[key])), subject_of(keys[key]), key))
    return [keys[key] for key in ranked]


def organisation_to_json(act: Organisation) -> dict[str, Any]:
    """An act as JSON values, with its kind and the version of this form."""
    row = asdict(act)
    if "units" in row:
        row["units"] = list(row["units"])
    if isinstance(act, Detach):
        row["order"] = None if act.order is None else order_to_json(act.order)
    return {"version": VERSION, "kind": kind_of(act), **row}


def organisation_from_json(data: Any) -> Organisation:
    """The inverse of `organisation_to_json`, for anything that came in from outside.

    Raises RuleViolation (HR-ORG-07) with the field that is wrong; for points moved between units,
    AWI-C-OVR-02.
    """
    values = checked_form(data, "HR-ORG-07", VERSION)
    name = values.pop("kind", None)
    if name in ("balance", "even_out"):
        raise RuleViolation(
            "AWI-C-OVR-02",
            "Strengths are evened out at the end of a week only; put it among the choices for the returns.",
            "kind",
        )
    kind = KINDS.get(name) if isinstance(name, str) else None
    if kind is None:
        raise RuleViolation(
            "HR-ORG-07", f"There is no order called {name!r}; choose one of {', '.join(KINDS)}.", "kind"
        )
    return read_record(kind, values, "HR-ORG-07")


def detachment_id(world: World, formation: str, taken: Iterable[str] = ()) -> str:
    """The id of the next detachment of a formation; `taken` are ids other papers use already."""
    number = 1
    while (key := f"{formation}-d{number}") in world.formations or key in taken:
        number += 1
    return key
