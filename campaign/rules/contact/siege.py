"""Works and sieges: who stands before a fort without storming it, batteries, summons (HR-SIE)."""

from collections.abc import Sequence
from dataclasses import replace

from campaign.rules.contact.contact import COVER, EAGERNESS, Cover
from campaign.rules.contact.retreat import surrender_column
from campaign.rules.day.field import MIDNIGHT, DayState
from campaign.rules.map.atlas import CLOSED, Fortification
from campaign.rules.march.columns import Column
from campaign.rules.supply.supply import count_days_of_food
from campaign.rules.world.events import Event
from campaign.rules.world.markers import Siege
from campaign.rules.world.place_control import claim_place
from campaign.rules.world.settings import RuleSettings
from campaign.rules.world.world import YARDS_PER_MILE, Unit, World, present_units
from rosters.domain.strength import strength_points
from rosters.domain.vocabulary import GunClass, Mobility

#: What is added to a die, by name.
Modifiers = tuple[tuple[str, int], ...]

#: SP of a place's works, those of the tactical rules for their kind (AWI-T-FOR-01).
WORKS_SP: dict[Fortification, int] = {
    "none": 0,
    "fieldworks": 6,
    "stockade": 8,
    "fort": 10,
    "fortress": 10,
}
#: Guns that breach (HR-SIE-02); field guns never do.
SIEGE_GUNS = frozenset({GunClass.HEAVY, GunClass.HOWITZER})
#: Terrain that commands a place beside it.
HEIGHTS = frozenset({"hill", "mountain"})
#: SP of siege guns that take one SP off works in a day [E].
GUNS_FOR_ONE = 2

#: What a summons adds to the die for the works (HR-SIE-03).
SUMMONS_WORKS: dict[Fortification, int] = {"fort": -1, "fortress": -2}


# --- works ---


def works_sp(world: World, place: str, side: str) -> int:
    """SP that works have left for `side`, who holds the place: those of the map, or thrown up since."""
    full = WORKS_SP[world.theatre.atlas.places[place].fortification]
    siege = world.sieges.get(place)
    if siege is not None and siege.side != side:
        full = max(0, full - siege.works_lost)
    dug = world.works.get(place)
    return max(full, dug.sp if dug is not None and dug.side == side else 0)


def works_kind(world: World, place: str, side: str) -> Fortification:
    """The kind of works `side` fights behind at a place it holds."""
    kind = world.theatre.atlas.places[place].fortification
    if not works_sp(world, place, side):
        return "none"
    return "fieldworks" if kind == "none" else kind


def cover_of(world: World, place: str, side: str) -> Cover:
    """Cover of works that may be worn (HR-CON-08): never more than their SP give (AWI-T-FOR-03)."""
    sp = works_sp(world, place, side)
    by_sp: Cover = "fortified" if sp >= 9 else "hard" if sp >= 5 else "soft" if sp >= 2 else "none"
    ranks: tuple[Cover, ...] = ("none", "soft", "hard", "fortified")
    return min(by_sp, COVER[works_kind(world, place, side)], key=ranks.index)


# --- investing (HR-SIE-01) ---


def is_investing(
    field: DayState, place: str, attackers: Sequence[Column], defenders: Sequence[Column]
) -> bool:
    """True if a force besieges a fort instead of storming it, and the garrison does not sally."""
    if field.settings.sieges == "off" or not place:
        return False
    if field.atlas.places[place].fortification not in CLOSED:
        return False
    attack = EAGERNESS["attack"]
    return all(EAGERNESS[column.stance] < attack for column in (*attackers, *defenders))


def lay_siege(field: DayState, place: str, side: str) -> bool:
    """Mark a place as invested by `side`; False if it was so already."""
    siege = field.sieges.get(place)
    if siege is not None and siege.side == side:
        return False
    field.sieges[place] = Siege(side, field.world.day)
    return True


def is_besieged(field: DayState, place: str, side: str) -> bool:
    """True if `side` is shut up in a place that the enemy besieges."""
    siege = field.sieges.get(place)
    return siege is not None and siege.side != side


# --- the evening of a siege ---


def sieges_evening(field: DayState) -> None:
    """Batteries fire, trenches grow, the garrison is summoned; a siege without besiegers is over."""
    for place in sorted(field.sieges):
        siege = field.sieges[place]
        here = field.at(place)
        besiegers = [column for column in here if column.side == siege.side and column.sp]
        garrison = [column for column in here if column.side != siege.side]
        if not besiegers or field.holders.get(place) == siege.side:
            _raise_siege(field, place, siege)
            continue
        digging = any(column.order is not None and column.order.activity == "siege" for column in besiegers)
        siege = replace(siege, form="siege" if digging else "blockade")
        siege, halved = _batter_works(field, place, siege, besiegers)
        field.sieges[place] = siege
        if digging and garrison and _summons_due(siege, field.world.day, halved, field.settings):
            _summon_garrison(field, place, besiegers, garrison)


def given_up(world: World) -> tuple[World, list[Event]]:
    """The world without abandoned sieges and talks: hunger and fever empty camps."""
    if not world.sieges and not world.terms:
        return world, []
    present = present_units(world)
    standing = {
        (body.side, where)
        for key, body in world.formations.items()
        if body.position is not None and key in present
        for where in (body.position.place, body.position.route)
    }
    sieges = {key: siege for key, siege in world.sieges.items() if (siege.side, key) in standing}
    terms = {key: each for key, each in world.terms.items() if (each.side, key) in standing}
    sides = tuple(side.id for side in world.theatre.sides)
    events = [
        Event("siege_raised", MIDNIGHT, "HR-SIE-01", sides, place=key, data={"side": world.sieges[key].side})
        for key in sorted(set(world.sieges) - set(sieges))
    ]
    return replace(world, sieges=sieges, terms=terms), events


def _raise_siege(field: DayState, place: str, siege: Siege) -> None:
    """End a siege: the damage to the works is repaired when the guns are gone."""
    del field.sieges[place]
    if field.holders.get(place) != siege.side:
        field.log("siege_raised", MIDNIGHT, "HR-SIE-01", field.both, place=place, data={"side": siege.side})


def _batter_works(
    field: DayState, place: str, siege: Siege, besiegers: Sequence[Column]
) -> tuple[Siege, bool]:
    """A battery on a commanding height halves the works in two days; siege guns wear them (HR-SIE-02)."""
    settings = field.settings
    left = WORKS_SP[field.atlas.places[place].fortification] - siege.works_lost
    if left <= 0:
        return siege, False
    days, lost, halved = siege.batteries, 0, False
    if _on_height(field, place, siege.side):
        days += 1
        halved = days % settings.siege_height_days == 0
        lost = -(-left // 2) if halved else 0
    dug_in = siege.form == "siege" and field.world.day - siege.day >= settings.siege_trench_days
    if dug_in:
        lost += _siege_guns(field, besiegers) // GUNS_FOR_ONE
    lost = min(left, lost)
    if lost:
        field.log(
            "works_battered",
            MIDNIGHT,
            "HR-SIE-02",
            field.both,
            place=place,
            data={"side": siege.side, "lost": lost, "left": left - lost, "from_height": halved},
        )
    return replace(siege, batteries=days, works_lost=siege.works_lost + lost), halved


def _on_height(field: DayState, place: str, side: str) -> bool:
    """True if guns of a side have stood all day on a height beside a place."""
    limit = field.settings.siege_height_miles * YARDS_PER_MILE
    for route in field.atlas.routes_at(place):
        height = route.other(place)
        if route.yards > limit or field.atlas.places[height].terrain not in HEIGHTS:
            continue
        columns = field.at(height)
        if any(column.side != side for column in columns):
            continue
        if any(
            _has_guns(unit)
            for column in columns
            if _has_stood_still(column)
            for unit in field.units_of(column)
        ):
            return True
    return False


def _has_guns(unit: Unit) -> bool:
    return unit.gun_class is not GunClass.NONE and unit.mobility in (Mobility.GUNS, Mobility.WAGONS)


def _siege_guns(field: DayState, columns: Sequence[Column]) -> int:
    """SP of siege guns that have stood all day."""
    return sum(
        strength_points(unit.points)
        for column in columns
        if _has_stood_still(column)
        for unit in field.units_of(column)
        if unit.gun_class in SIEGE_GUNS
    )


def _has_stood_still(column: Column) -> bool:
    """True if a column has neither marched nor fallen back today."""
    return not column.marched and not column.retreated


# --- summons (HR-SIE-03) ---


def _summons_due(siege: Siege, day: int, halved: bool, settings: RuleSettings) -> bool:
    return siege.summoned is None or halved or day - siege.summoned >= settings.summons_every_days


def _summon_garrison(
    field: DayState, place: str, besiegers: Sequence[Column], garrison: Sequence[Column]
) -> None:
    """Summon a garrison: on a die of `summons_on` or more it surrenders with all its points."""
    siege = field.sieges[place]
    modifiers = _list_summons_modifiers(field, place, siege, besiegers, garrison)
    roll = field.dice.roll("HR-SIE-03", place)
    accepted = roll.value + sum(value for _, value in modifiers) >= field.settings.summons_on
    field.sieges[place] = replace(siege, summoned=field.world.day)
    for sides, known in _list_modifiers_by_reader(field, siege.side, modifiers):
        field.log(
            "summons",
            MIDNIGHT,
            "HR-SIE-03",
            sides,
            place=place,
            rolls=(roll,),
            modifiers=known,
            data={"side": siege.side, "accepted": accepted, "needed": field.settings.summons_on},
        )
    if accepted:
        for column in garrison:
            surrender_column(field, column, MIDNIGHT, "")
        claim_place(field, place, MIDNIGHT)
        del field.sieges[place]


def _list_modifiers_by_reader(
    field: DayState, besieger: str, modifiers: Modifiers
) -> list[tuple[tuple[str, ...], Modifiers]]:
    """The modifiers of a summons by reader: hunger is shown to the garrison's side only (HR-FOG-01)."""
    known = tuple((name, value) for name, value in modifiers if name != "hunger")
    if known == modifiers:
        return [(field.both, modifiers)]
    others = tuple(side for side in field.both if side != besieger)
    return [(others, modifiers), ((besieger,), known)]


def _list_summons_modifiers(
    field: DayState, place: str, siege: Siege, besiegers: Sequence[Column], garrison: Sequence[Column]
) -> Modifiers:
    """Odds of 4 and 8 to 1, works half or wholly down, weeks of siege, hunger, and the kind of works."""
    kind = field.atlas.places[place].fortification
    full = WORKS_SP[kind]
    left = full - siege.works_lost
    odds = sum(column.sp for column in besiegers) // max(1, sum(column.sp for column in garrison))
    food = count_days_of_food(field, garrison)
    hungry = food is not None and food <= field.settings.surrender_food_days
    listed = (
        ("odds", 2 if odds >= 8 else 1 if odds >= 4 else 0),
        ("breach", 3 if left <= 1 else 1 if 2 * left <= full else 0),
        ("weeks", min(2, (field.world.day - siege.day) // 7)),
        ("hunger", 3 if hungry else 0),
        ("works", SUMMONS_WORKS.get(kind, 0)),
    )
    return tuple((name, value) for name, value in listed if value)
