"""Writing orders of battle."""

import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING

from django.core.exceptions import ValidationError
from django.db import transaction

from rosters.bulk import rows_insert
from rosters.domain.vocabulary import GunClass, Nation, TroopType
from rosters.importing import RosterErrors, RosterRow, roster_rows
from rosters.models import Formation, OrderOfBattle, Side, Unit
from rosters.table_faults import RowError

if TYPE_CHECKING:
    from django.contrib.auth.models import AbstractBaseUser

log = logging.getLogger(__name__)


class SideError(ValueError):
    """The title or the sides of a new order of battle will not do; says what to do."""


def order_of_battle_create(
    *,
    title: str,
    sides: Sequence[Side],
    data: bytes | str,
    actor: "AbstractBaseUser | None" = None,
    notes: list[str] | None = None,
) -> OrderOfBattle:
    """A new order of battle that no campaign uses, with `sides` (unsaved) and the units of a table.

    All or nothing; `notes` as in `roster_rows`. Raises SideError for a title or side that will not do,
    RosterErrors with every fault of the table.
    """
    order_of_battle = OrderOfBattle(title=title)
    if len({side.slug for side in sides}) < max(2, len(sides)):
        raise SideError("An order of battle has two sides or more, with different ids; name them.")
    with transaction.atomic():
        for row in (order_of_battle, *sides):
            if isinstance(row, Side):
                row.order_of_battle = order_of_battle
            try:
                row.full_clean()
            except ValidationError as error:
                faults = "; ".join(
                    f"{name}: {' '.join(reasons)}" for name, reasons in error.message_dict.items()
                )
                raise SideError(f"{row or row.__class__.__name__} will not do: {faults}") from error
            row.save()
        order_of_battle_import(order_of_battle=order_of_battle, data=data, actor=actor, notes=notes)
    return order_of_battle


def order_of_battle_import(
    *,
    order_of_battle: OrderOfBattle,
    data: bytes | str,
    actor: "AbstractBaseUser | None" = None,
    notes: list[str] | None = None,
) -> int:
    """Add the units of a table to an order of battle, all or none; gives how many.

    Sides must be there; a formation that is not is made, named after its id. Raises RosterErrors
    with every fault: those of the table alone, else those against what the order of battle holds.
    For orders of battle no campaign has begun with: a running campaign's units change by its days.
    """
    rows = roster_rows(data, notes=notes)
    with transaction.atomic():
        # The row lock keeps a second import from slipping in between check and write.
        OrderOfBattle.objects.select_for_update().get(pk=order_of_battle.pk)
        sides = dict(Side.objects.filter(order_of_battle=order_of_battle).values_list("slug", "id"))
        _check_rows(order_of_battle, rows, sides)
        formations = _create_formations(order_of_battle, rows, sides)
        rows_insert(
            Unit,
            [
                {
                    "order_of_battle_id": order_of_battle.pk,
                    "slug": row.id,
                    "name": row.name,
                    "side_id": sides[row.side],
                    "formation_id": formations[row.formation],
                    "nation": row.nation.value,
                    "troop_type": row.troop_type.value,
                    "gun_class": row.gun_class.value,
                    "regiment": row.regiment,
                    "points": row.points,
                    "status": "present",
                    "since": 0,
                    "arrives": 0,
                    "departs": None,
                    "home": row.place,
                    "poor_militia": row.poor_militia,
                    "static": row.static,
                }
                for row in rows
            ],
        )
    log.info("%s imported %d units into %s", actor or "nobody", len(rows), order_of_battle)
    return len(rows)


def order_of_battle_rows(order_of_battle: OrderOfBattle) -> tuple[RosterRow, ...]:
    """The units of an order of battle as its table had them, in the order of their ids."""
    units = Unit.objects.filter(order_of_battle=order_of_battle).select_related("side", "formation")
    return tuple(
        RosterRow(
            row=number,
            id=unit.slug,
            name=unit.name,
            side=unit.side.slug,
            nation=Nation(unit.nation),
            troop_type=TroopType(unit.troop_type),
            gun_class=GunClass(unit.gun_class),
            points=unit.points,
            formation=unit.formation.slug,
            regiment=unit.regiment,
            poor_militia=unit.poor_militia,
            static=unit.static,
            place=unit.home,
        )
        for number, unit in enumerate(units.order_by("slug"), start=2)
    )


def _check_rows(order_of_battle: OrderOfBattle, rows: tuple[RosterRow, ...], sides: dict[str, int]) -> None:
    taken = set(Unit.objects.filter(order_of_battle=order_of_battle).values_list("slug", flat=True))
    owners = dict(Formation.objects.filter(order_of_battle=order_of_battle).values_list("slug", "side__slug"))
    errors = []
    for row in rows:
        if row.id in taken:
            errors.append(RowError(row.row, "id", f"{row.id} is in the order of battle already."))
        if row.side not in sides:
            listed = ", ".join(sorted(sides)) or "none yet; make the sides first"
            errors.append(RowError(row.row, "side", f"There is no side {row.side}; the sides are {listed}."))
        elif owners.get(row.formation, row.side) != row.side:
            message = f"{row.formation} belongs to side {owners[row.formation]}."
            errors.append(RowError(row.row, "formation", message))
    if errors:
        raise RosterErrors(errors)


def _create_formations(
    order_of_battle: OrderOfBattle, rows: tuple[RosterRow, ...], sides: dict[str, int]
) -> dict[str, int]:
    """Ids of the formations named, by slug, those not yet there being made."""
    mine = Formation.objects.filter(order_of_battle=order_of_battle)
    known = set(mine.values_list("slug", flat=True))
    new = {row.formation: row.side for row in rows if row.formation not in known}
    Formation.objects.bulk_create(
        Formation(
            order_of_battle=order_of_battle,
            slug=slug,
            name=slug.replace("_", " ").replace("-", " ").capitalize(),
            side_id=sides[side],
        )
        for slug, side in new.items()
    )
    return dict(mine.values_list("slug", "id"))
