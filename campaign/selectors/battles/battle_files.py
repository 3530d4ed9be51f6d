"""A contact as a battle file: forces, generals, and the ground made from the map (HR-BAT-04 to 07)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache, partial
from math import ceil
from typing import Any

from battles.files.other_rulesets import options_of
from battles.files.schema import (
    BattleFile,
    BattleGround,
    BattleLeader,
    BattlePlan,
    BattleUnit,
    GeneralRank,
    PlanKind,
)
from battles.ground.countries import Season
from battles.ground.landscape import FRONTAGE, ground_generate, table_width
from campaign.models import Battle, Campaign
from campaign.rules.army.leaders import commander_today, span_of
from campaign.rules.battles.battle_inputs import RAIN
from campaign.rules.contact.contact import EAGERNESS, Contact
from campaign.rules.contact.siege import WORKS_SP, works_kind, works_sp
from campaign.rules.day.weather import fire_in_rain, parse_weather
from campaign.rules.umpire.battle_corrections import DrawGround
from campaign.rules.world.world import YARDS_PER_MILE, Stance, World
from rosters.domain.dice import AddressedDice
from rosters.models import Leader

#: A battlefield's seed comes from this address: one for each place, whenever it is fought over.
GROUND_DICE = "HR-BAT-06"
#: And that of a ground the umpire has drawn anew from this one.
DRAW_DICE = "HR-TAB-12"
#: SP of works that stand on the table (AWI-T-FOR-01).
WORK_SP = {"fieldwork": 6, "stockade": 8, "redoubt": 10}
WORKS = frozenset(WORK_SP)
#: Works as they stand, and inches of depth of the usual table.
AS_FOUND, DEPTH = -1, 60
#: Wet days after which fords are drowned; a storm drowns them at once.
WET_DAYS = 2
#: Brigadiers a senior general has under him at least (AWI-T-GEN-01).
LEAST_BRIGADIERS = 2


@dataclass(frozen=True, slots=True)
class FieldOfficer:
    """A leader of the roster who can command on the field; `rank` is the scenario's."""

    id: str
    name: str
    side: str
    rank: str


def battle_file(
    world: World,
    contact: Contact,
    *,
    ruleset: str,
    options: Mapping[str, Any] | None = None,
    seed: int | None = None,
    officers: Iterable[FieldOfficer] = (),
) -> BattleFile:
    """The fight of a contact, as any ruleset can settle it. Trains stay off the field (HR-REC-01).

    `options` are those chosen of the ruleset; facts of the day go before them (HR-BAT-13).
    `seed` is the ground's; without one the table is open and the contact's cover is a start line.
    """
    units = tuple(_iter_battle_units(world, contact))
    ground = None if seed is None else _generate_ground(world, contact, units, seed)
    works = ground is not None and any(one.kind in WORKS for one in ground.features)
    return BattleFile(
        title=f"Battle of {_describe_location(world, contact)}",
        attacker=contact.attacker,
        defender=contact.defender,
        units=units,
        cover="none" if works else contact.cover,
        plans={
            contact.attacker: _choose_plan(contact, contact.attacker, "assault"),
            contact.defender: _choose_plan(contact, contact.defender, "hold"),
        },
        turns=contact.turns,
        ruleset=ruleset,
        side_names={side.id: side.name for side in world.theatre.sides},
        leaders=_build_leaders(world, contact, units, officers),
        ground=ground,
        options={**(options or {}), **options_of(ruleset, build_day_facts(world, contact.weather))},
    )


def build_day_facts(world: World, weather: str) -> dict[str, int]:
    """Facts of a day that tactical rules may need: the year, and rain where it is played (HR-WEA-04)."""
    factor = fire_in_rain(world.settings, parse_weather(weather))
    return {"year": world.date.year, **({RAIN: factor} if factor else {})}


def _iter_battle_units(world: World, contact: Contact) -> Iterable[BattleUnit]:
    for fighter in contact.units:
        unit = world.units[fighter.unit]
        if fighter.sp > 0 and not unit.is_train:
            yield BattleUnit(
                id=unit.id,
                name=unit.name,
                side=unit.side,
                troop_type=unit.troop_type,
                sp=fighter.sp,
                gun_class=unit.gun_class,
                poor_militia=unit.poor_militia,
                formation=unit.formation,
                arrives=fighter.arrives,
            )


def _choose_plan(contact: Contact, side: str, usual: PlanKind) -> BattlePlan:
    """Choose a side's plan from the most aggressive stance among its columns (HR-BAT-05)."""
    stances: list[Stance] = [item.stance for item in contact.participants if item.side == side]
    eager: Stance = max(stances, key=lambda stance: EAGERNESS[stance])
    plans: dict[Stance, PlanKind] = {"attack": "assault", "delay": "delay", "avoid": "withdraw"}
    return BattlePlan(plans.get(eager, usual))


def _describe_location(world: World, contact: Contact) -> str:
    atlas = world.theatre.atlas
    if contact.place:
        return atlas.places[contact.place].name
    route = atlas.routes[contact.route]
    return f"the {route.kind} from {atlas.places[route.a].name} to {atlas.places[route.b].name}"


# --- the ground (HR-BAT-06) ---


def ground_seed(dice: AddressedDice, contact: Contact, draw: int = 1) -> int:
    """The seed of a battlefield: of its place, or of its mile of the route.

    The country's own is the first drawing; others are the umpire's (HR-TAB-12).
    """
    spot = contact.place or f"{contact.route}@{contact.yards // YARDS_PER_MILE}"
    return dice.seed(GROUND_DICE, spot) if draw == 1 else dice.seed(DRAW_DICE, f"{spot}/{draw}")


#: A day that is run again, or a forecast, comes to the same ground many times.
_ground_made = lru_cache(maxsize=512)(ground_generate)


def drawing_usual(world: World, contact: Contact, units: Sequence[BattleUnit]) -> DrawGround:
    """The default drawing of a contact's ground: season, wetness, works and size of the table."""
    sides = (contact.attacker, contact.defender)
    most = max(sum(unit.side == side for unit in units) for side in sides)
    return DrawGround(
        draw=1,
        season=season_of(world.date),
        wet=contact.weather == "storm" or world.wet_days >= WET_DAYS,
        works=AS_FOUND,
        width=ceil(table_width(most)),
        depth=DEPTH,
    )


def draw_ground(
    world: World, contact: Contact, units: Sequence[BattleUnit], seed: int, drawing: DrawGround
) -> BattleGround:
    """Draw the ground with the umpire's season, rain, works and size of the table (HR-TAB-12)."""
    ground = _generate_ground(world, contact, tuple(units), seed, drawing)
    if drawing.works <= 0:
        return ground
    features = (
        replace(one, sp=min(drawing.works, WORK_SP[one.kind])) if one.kind in WORK_SP else one
        for one in ground.features
    )
    return replace(ground, features=tuple(features))


def _generate_ground(
    world: World,
    contact: Contact,
    units: tuple[BattleUnit, ...],
    seed: int,
    drawing: DrawGround | None = None,
) -> BattleGround:
    atlas = world.theatre.atlas
    usual = drawing_usual(world, contact, units)
    sides = (contact.attacker, contact.defender)
    most = max(sum(unit.side == side for unit in units) for side in sides)
    asked = drawing or usual
    # those who come later count too: both sides see the works, and must not learn who is late (HR-FOG-03)
    holding = sum(unit.side == contact.defender for unit in units)
    first = ceil(2 * holding / 3) if holding > 6 else holding
    made = partial(
        _ground_made,
        season=asked.season,
        wet=asked.wet,
        seed=seed,
        width=table_width(most) if asked.width == usual.width else float(asked.width),
        depth=float(asked.depth),
        front=first * FRONTAGE + 1.0,
    )
    if not contact.place:
        route = atlas.routes[contact.route]
        dug = "fieldworks" if asked.works > 0 else "none"
        return made(terrain=route.terrain, kind=route.kind, crossing=route.crossing, fortification=dug)
    place = atlas.places[contact.place]
    # works are for him who holds the place (HR-CON-08)
    covered = contact.cover != "none" if asked.works == AS_FOUND else asked.works > 0
    kind = works_kind(world, contact.place, contact.defender) if covered else "none"
    if asked.works > 0 and kind == "none":
        kind = "fieldworks"  # what can be thrown up in a night
    ground = made(
        terrain=place.terrain,
        kind=place.kind,
        fortification=kind,
        shore=place.port != "none",
    )
    return _wear_down_works(ground, world, contact) if covered and asked.works == AS_FOUND else ground


def _wear_down_works(ground: BattleGround, world: World, contact: Contact) -> BattleGround:
    """Reduce works to the strength a siege has left or troops have dug so far (HR-SIE-02, HR-WRK-01)."""
    place, side = contact.place, contact.defender
    left = works_sp(world, place, side)
    full = WORKS_SP[world.theatre.atlas.places[place].fortification]
    if left == full:
        return ground
    features = (
        replace(one, sp=left if not full else max(1, WORK_SP[one.kind] - (full - left)))
        if one.kind in WORK_SP
        else one
        for one in ground.features
    )
    return replace(ground, features=tuple(features))


def season_of(day: date) -> Season:
    """The season of a day: winter from December to February, and so on by threes."""
    seasons: tuple[Season, ...] = ("winter", "spring", "summer", "autumn")
    return seasons[day.month % 12 // 3]


# --- generals (HR-BAT-07) ---


def campaign_officers(campaign: Campaign) -> tuple[FieldOfficer, ...]:
    """All leaders of a campaign, for battles fought in memory."""
    rows = Leader.objects.filter(order_of_battle=campaign.order_of_battle_id).order_by("slug")
    return tuple(FieldOfficer(*row) for row in rows.values_list("slug", "name", "side__slug", "rank"))


def officers_with(campaign: Campaign, world: World, contact: Contact) -> list[FieldOfficer]:
    """Leaders of the formations in a contact who were not lost earlier that day.

    A detachment that came to the map this very day has none.
    """
    here = (item.formation for item in contact.participants if item.formation in world.formations)
    led = {commander_today(world, world.formations[key]) for key in here} - {""}
    lost = {
        general["general"]
        for settlement in Battle.objects.filter(
            campaign=campaign, revision=campaign.revision, day=world.day, state=Battle.State.SETTLED
        ).values_list("settlement", flat=True)
        for general in (settlement or {}).get("generals", [])
    }
    rows = Leader.objects.filter(order_of_battle=campaign.order_of_battle_id, name__in=led)
    return [
        FieldOfficer(row["slug"], row["name"], row["side__slug"], row["rank"])
        for row in rows.order_by("slug").values("slug", "name", "side__slug", "rank")
        if row["slug"] not in lost
    ]


def _build_leaders(
    world: World, contact: Contact, units: tuple[BattleUnit, ...], officers: Iterable[FieldOfficer]
) -> tuple[BattleLeader, ...]:
    """Build the leaders with their commands. An officer who is away or leads no unit here is left out."""
    known = {
        (officer.side, officer.name): officer
        for officer in officers
        if world.away.get(officer.id, 0) <= world.day
    }
    commands: dict[str, list[BattleUnit]] = {}
    for unit in units:
        officer = known.get((unit.side, commander_today(world, world.formations[unit.formation])))
        if officer is not None:
            commands.setdefault(officer.id, []).append(unit)
    here = [officer for officer in known.values() if officer.id in commands]
    ranks = dict(
        pair for side in (contact.attacker, contact.defender) for pair in _iter_field_ranks(here, side)
    )
    found = []
    for officer in sorted(here, key=lambda one: one.id):
        own, rank = commands[officer.id], ranks[officer.id]
        juniors = tuple(
            one.id
            for one in sorted(here, key=lambda one: one.id)
            if one.side == officer.side and ranks[one.id] == "brigadier"
        )
        commanded = {
            "brigadier": tuple(unit.id for unit in own[: span_of(officer.rank, world.settings)]),
            "senior": juniors,
            "commander_in_chief": (),
        }[rank]
        # who comes up later comes with his column, attached to its first unit
        first = min(own, key=lambda unit: unit.arrives)
        with_unit = first.id if first.arrives else ""
        found.append(BattleLeader(officer.id, officer.name, officer.side, rank, commanded, with_unit))
    return tuple(found)


def _iter_field_ranks(here: list[FieldOfficer], side: str) -> Iterable[tuple[str, GeneralRank]]:
    """Iterate over ranks on the field: commander-in-chief, at most one senior a side, and brigadiers."""
    own = sorted((one for one in here if one.side == side), key=lambda one: one.id)
    chief = next((one for one in own if one.rank == "army commander"), None)
    wing = next((one for one in own if one.rank == "wing"), None)
    if len([one for one in own if one not in (chief, wing)]) < LEAST_BRIGADIERS:
        wing = None  # he leads his own units like the others
    for officer in own:
        if officer is chief:
            yield officer.id, "commander_in_chief"
        else:
            yield officer.id, "senior" if officer is wing else "brigadier"


# --- and back ---
