"""Provisional days stored while a battle waits: the morning orders are for, and the locked formations."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from battles.grammar import Subject
from campaign.ledger.world_rows import snapshot_unpack, world_load
from campaign.models import Battle, Campaign, ProvisionalDay
from campaign.rules.day.locks import Part, part_from_json
from campaign.rules.day.provisional import find_definitive_division, groups_of
from campaign.rules.errors import RuleViolation
from campaign.rules.world.partition import Apart
from campaign.rules.world.world import Theatre, World
from campaign.rules.world.world_json import to_canonical_json
from campaign.scenarios.theatres import theatre_load


@dataclass(frozen=True, slots=True)
class Outlook:
    """A campaign with the days that have run on: `world` is the morning after the last of them.

    Without such days it is the morning after the head day. `locked` says for each locked formation
    which contacts it waits for.
    """

    days: tuple[ProvisionalDay, ...]
    world: World
    locked: Mapping[str, tuple[str, ...]]

    @property
    def provisional(self) -> bool:
        return bool(self.days)


def days_ahead(campaign: Campaign) -> list[ProvisionalDay]:
    """The provisional days that stand, in order: from the head day on, not yet played definitively."""
    rows = ProvisionalDay.objects.filter(
        campaign=campaign, revision=campaign.revision, day__gte=campaign.day, record=None
    )
    found = list(rows.order_by("day"))
    return found if found and found[0].day == campaign.day else []


def coming_day(campaign: Campaign) -> int:
    """The campaign day that orders are for."""
    return coming_days([campaign])[campaign.pk]


def coming_days(campaigns: Iterable[Campaign]) -> dict[int, int]:
    """The campaign day that orders are for in each of several campaigns, by key, in one query."""
    heads = {campaign.pk: campaign for campaign in campaigns}
    ran_on: dict[int, list[int]] = {key: [] for key in heads}
    rows = ProvisionalDay.objects.filter(campaign__in=heads, record=None).order_by("day")
    for key, revision, day in rows.values_list("campaign", "revision", "day"):
        if revision == heads[key].revision and day >= heads[key].day:
            ran_on[key].append(day)
    return {  # as `days_ahead`: from the head day on
        key: campaign.day + (len(ran_on[key]) if campaign.day in ran_on[key] else 0)
        for key, campaign in heads.items()
    }


def load_outlook(campaign: Campaign, load: Callable[[Campaign], World] = world_load) -> Outlook:
    """Load the morning that orders are for, and the locked formations. `load` reads the head day's world."""
    days = days_ahead(campaign)
    if not days:
        return Outlook((), load(campaign), {})
    world = snapshot_unpack(bytes(days[-1].snapshot), theatre_load(campaign))
    return Outlook(tuple(days), world, locked_by(parts_of(days[-1])))


def parts_of(day: ProvisionalDay) -> tuple[Part, ...]:
    return tuple(part_from_json(row) for row in day.parts)


def locked_by(parts: tuple[Part, ...]) -> dict[str, tuple[str, ...]]:
    """Formations locked, with the contacts each waits for."""
    return {key: part.contacts for part in parts for key in part.formations}


def verify_free(campaign: Campaign, formation: str, found: Outlook) -> None:
    """Refuses an order for a formation that waits for the outcome of a battle (HR-CAL-10)."""
    if formation not in found.locked:
        return
    battles = Battle.objects.filter(
        campaign=campaign, revision=campaign.revision, contact__in=found.locked[formation]
    )
    name = found.world.formations[formation].name
    waiting = battles.filter(state=Battle.State.WAITING).first()
    if waiting is not None:
        sentence = (
            f"{Subject(name):waits} for the outcome of the {waiting}; order it again when that is settled."
        )
    else:
        sentence = f"The {battles.first()} is settled; order {name} again when its day has been played."
    raise RuleViolation("HR-CAL-10", sentence, "formation")


def find_day_partition(campaign: Campaign, found: World, inputs: Mapping[str, object]) -> Apart | None:
    """Find how the coming day is split into groups that are played apart; None when it is played whole.

    `found` is its morning, `inputs` the papers it is to be played with. Days that have run on are void
    where the umpire has changed the rest of the theatre or its papers since.
    """
    days = days_ahead(campaign)
    if not days or to_canonical_json(days[0].inputs) != to_canonical_json(inputs):
        return None
    theatre = found.theatre
    known = _load_morning(days[0], found, theatre)
    apart = Apart(groups_of(parts_of(days[0])), tuple(days[0].halted))
    evenings = (snapshot_unpack(bytes(day.snapshot), theatre) for day in days)
    return find_definitive_division(known, found, apart, *evenings)


def _load_morning(day: ProvisionalDay, found: World, theatre: Theatre) -> World:
    """Load the morning from which a provisional day was played."""
    return found if day.follows is None else snapshot_unpack(bytes(day.follows.snapshot), theatre)
