"""Units of a battle file pooled into brigades of 500 men a strength point, and their losses back. No numba.

This is the one place of that mapping and of its inverse. A strength point is 500 men or six guns
(RTG-GEN-01), so units are pooled: by brigade and by who fights alike, and what is too weak for a point
joins others of its kind, in its division if there are any. A side's points of a kind are its men rounded
once, dealt to its pools by largest remainder, so that many small brigades neither gain men nor lose any.
What a pool has lost is counted in points, turned into the file's SP by one rounding, and shared among
its units by largest remainder; so none lost is none, and all lost is every SP there was. Light guns that
are too few for a battery go with the foot of their brigade as its dedicated gun, which adds no point
(RTG-CBT-22) and is lost whole or not at all; where brigades stand as one and their guns are no longer too
few, these are batteries.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import floor
from typing import Any, NamedTuple, get_args

from battles.engine.chain import juniors_of
from battles.files.schema import BattleFile, BattleUnit
from battles.rulesets.volley_bayonet.chain import brigades_of
from battles.rulesets.volley_bayonet.rtg.labels import BrigadeLabel, GunKind, Kind, Trait, Weight
from battles.rulesets.volley_bayonet.rtg.ratings import Pooling, is_light_gun, label_of, pooling_of
from battles.rulesets.volley_bayonet.rtg.tables import GUNS_PER_SP, MEN_PER_SP
from battles.strength_conversion import FILE_GUNS, FILE_MEN, ConvertedStrength, PooledUnit
from rosters.domain.vocabulary import TYPES, TroopType

#: Most SP of a stand: a battalion of guns is two, a battery one (RTG-CBT-20); the others are ours.
MOST_SP: dict[Pooling, int] = {"close": 4, "open": 2, "horse": 4, "guns": 2}
HALF = Fraction(1, 2)


class Losses(NamedTuple):
    """Points a pool has lost and had captured, and of its dedicated gun the one that it is."""

    lost: int
    captured: int
    gun_lost: int = 0
    gun_captured: int = 0


@dataclass(frozen=True, slots=True)
class BrigadePool:
    """A brigade of these rules: plain data, as it is stored with the battle.

    `units` are ids of the battle file and `sps` the SP each has there; `points` are all of them together
    here, `stands` how many each stand has. `guns` are units that are its dedicated gun, with their SP.
    `division` counts the divisions of the battle from 1; `led_by` is the id of the senior it is under, "" for
    a division nobody but its brigadiers leads.
    """

    side: str
    division: int
    kind: Kind
    morale: int
    traits: tuple[Trait, ...]
    gun: GunKind
    weight: Weight
    units: tuple[str, ...]
    sps: tuple[int, ...]
    points: int
    stands: tuple[int, ...]
    guns: tuple[str, ...] = ()
    gun_sps: tuple[int, ...] = ()
    led_by: str = ""

    def labels(self) -> tuple[BrigadeLabel, ...]:
        """A label for each stand: guns of one point are a battery (RTG-CBT-20), the first has the gun."""
        found = []
        for k, points in enumerate(self.stands):
            battery = self.kind == "artillery_battalion" and points == 1
            kind: Kind = "artillery_battery" if battery else self.kind
            more: set[Trait] = {"dedicated_gun"} if self.guns and k == 0 else set()
            found.append(
                BrigadeLabel(kind, self.morale, frozenset(self.traits) | more, self.gun, self.weight)
            )
        return tuple(found)

    @property
    def converted_strength(self) -> ConvertedStrength:
        """It as the campaign keeps it, without its dedicated gun."""
        whole = sum(self.sps)
        back = tuple(
            round_half_up(Fraction(points * whole, self.points)) for points in range(self.points + 1)
        )
        return self._build_strength(self.units, self.sps, self.stands, back)

    @property
    def gun_strength(self) -> ConvertedStrength | None:
        """Its dedicated gun as the campaign keeps it: one point, which is there or gone; None without one."""
        if not self.guns:
            return None
        return self._build_strength(self.guns, self.gun_sps, (1,), (0, sum(self.gun_sps)))

    def _build_strength(
        self, units: tuple[str, ...], sps: tuple[int, ...], stands: tuple[int, ...], back: tuple[int, ...]
    ) -> ConvertedStrength:
        pooled = tuple(PooledUnit(unit, sp) for unit, sp in zip(units, sps, strict=True))
        return ConvertedStrength(units[0], sum(sps), sum(stands), stands, self.division, back, pooled)

    def in_file(
        self, lost: int, captured: int, gun_lost: int = 0, gun_captured: int = 0
    ) -> dict[str, tuple[int, int]]:
        """SP of the file each unit has lost and had captured, for so many points of the pool and of its gun.

        Both are rounded together, so that they never exceed what there was. Raises ValueError for more
        points than the pool has.
        """
        if lost < 0 or captured < 0 or lost + captured > self.points:
            raise ValueError(
                f"{', '.join(self.units)} stand with {self.points} points and cannot lose "
                f"{lost} and {captured}; enter {self.points} at the most."
            )
        guns = self.gun_strength
        return self.converted_strength.by_unit(lost, captured) | (
            guns.by_unit(gun_lost, gun_captured) if guns else {}
        )

    def on_table(self, losses: Mapping[str, tuple[int, int]]) -> Losses:
        """Points on the table that such losses of its units were; the inverse of `in_file`."""
        guns = self.gun_strength
        return Losses(*self.converted_strength.sum_points(losses), *(guns.sum_points(losses) if guns else ()))


class _Division(NamedTuple):
    """A division: its number in the battle, from 1, and the id of the senior it is under, if any."""

    number: int
    led_by: str


@dataclass(slots=True)
class _Group:
    """Units that will be a pool, with their strength in points, not rounded yet."""

    division: _Division
    units: list[BattleUnit]
    guns: list[BattleUnit] = field(default_factory=list)

    @property
    def strength(self) -> Fraction:
        return strength_of_all(self.units)


def round_half_up(number: Fraction) -> int:
    """The nearest whole number, halves up."""
    return floor(number + HALF)


def find_exact_strength(unit: BattleUnit) -> Fraction:
    """Points a unit is, exactly: its men by 500, its guns by six (RTG-GEN-01)."""
    facts = TYPES[unit.troop_type]
    if pooling_of(unit) == "guns":
        return unit.sp * FILE_GUNS / GUNS_PER_SP
    return Fraction(unit.sp * FILE_MEN[facts.arm, facts.order], MEN_PER_SP)


def strength_of_all(units: Iterable[BattleUnit]) -> Fraction:
    """Points of units together, not rounded."""
    return sum((find_exact_strength(unit) for unit in units), Fraction(0))


def deal_points(strengths: Sequence[Fraction]) -> tuple[int, ...]:
    """Points of a side's pools of a kind: all together rounded once, dealt by largest remainder.

    Each has at least one, for which each but a lone one must be a point strong.
    """
    whole = sum(strengths, Fraction(0))
    total = max(1, round_half_up(whole))
    quotas = [total * strength / whole for strength in strengths]
    found = [max(1, floor(quota)) for quota in quotas]
    by_remainder = sorted(range(len(quotas)), key=lambda k: found[k] - quotas[k])
    for k in by_remainder[: total - sum(found)]:
        found[k] += 1
    return tuple(found)


def split_stands(points: int, most: int) -> tuple[int, ...]:
    """Points of each stand, as even as goes, the larger first."""
    count = -(-points // most)
    return tuple(points // count + (1 if k < points % count else 0) for k in range(count))


def pool_brigades(battle: BattleFile, options: Mapping[str, Any]) -> tuple[BrigadePool, ...]:
    """Pool the units that fight into brigades: both sides, the attacker's first. Wagons are in none."""
    units = [unit for unit in battle.units if unit.sp > 0 and unit.troop_type is not TroopType.WAGON]
    groups = _groups_of(battle, units)
    found: list[BrigadePool] = []
    for side in (battle.attacker, battle.defender):
        for pooling in get_args(Pooling):
            own = _join_weak_pools(
                g for g in groups if g.units[0].side == side and pooling_of(g.units[0]) == pooling
            )
            # guns come last, with those that pools of foot have too many of
            groups += _too_many_guns(own)
            if own:
                dealt = deal_points([group.strength for group in own])
                found += [
                    _build_pool(group, points, options) for group, points in zip(own, dealt, strict=True)
                ]
    return tuple(found)


def list_pool_strengths(pools: Sequence[BrigadePool]) -> tuple[ConvertedStrength, ...]:
    """The pools and their dedicated guns as a campaign keeps them with the battle (HR-BAT-13)."""
    rows = (row for pool in pools for row in (pool.converted_strength, pool.gun_strength))
    return tuple(row for row in rows if row is not None)


def _groups_of(battle: BattleFile, units: list[BattleUnit]) -> list[_Group]:
    """Units by brigade and kind; batteries of no brigade are of their side's first division."""
    guns = {k for k, unit in enumerate(units) if pooling_of(unit) == "guns"}
    brigades = brigades_of(battle, units, guns)
    seniors = [leader for leader in battle.leaders if leader.rank == "senior"]
    sides = (battle.attacker, battle.defender)
    # one for each senior, then the rest of each side
    numbers: dict[tuple[str, str], int] = {}

    def division_of(side: str, leader: int) -> _Division:
        name = battle.leaders[leader].id if leader >= 0 else ""
        over = (s.id for s in seniors if s.side == side and name in juniors_of(battle, s))
        led_by = next(over, "")
        return _Division(numbers.setdefault((side, led_by), len(numbers) + 1), led_by)

    found: list[_Group] = []
    taken: set[int] = set()
    for brigade in brigades:
        division = division_of(sides[brigade.side], brigade.leader)
        taken |= set(brigade.units)
        members = [units[k] for k in brigade.units]
        guns_along = _find_dedicated_guns(members)
        for pooling in get_args(Pooling):
            if own := [unit for unit in members if pooling_of(unit) == pooling and unit not in guns_along]:
                found.append(_Group(division, own, guns_along if pooling == "close" else []))
    for k in sorted(guns - taken):
        own_side = [g.division for g in found if g.units[0].side == units[k].side]
        found.append(_Group(min(own_side) if own_side else division_of(units[k].side, -1), [units[k]]))
    return found


def _find_dedicated_guns(brigade: list[BattleUnit]) -> list[BattleUnit]:
    """Light guns of a brigade with foot in close order, when they are too few for a battery."""
    if not any(pooling_of(unit) == "close" for unit in brigade):
        return []
    light = [unit for unit in brigade if is_light_gun(unit)]
    return light if strength_of_all(light) < 1 else []


def _too_many_guns(pools: list[_Group]) -> list[_Group]:
    """Guns that came together when brigades joined and are no longer too few: batteries of their own."""
    found = []
    for group in pools:
        if strength_of_all(group.guns) >= 1:
            found.append(_Group(group.division, group.guns))
            group.guns = []
    return found


def _join_weak_pools(groups: Iterable[_Group]) -> list[_Group]:
    """Pools of one side and kind: who is too weak for a point joins the strongest, best of his division."""
    found = list(groups)
    while len(found) > 1:
        weakest = min(found, key=lambda group: group.strength)
        if weakest.strength >= 1:
            break
        found.remove(weakest)
        near = [group for group in found if group.division == weakest.division]
        strongest = max(near or found, key=lambda group: group.strength)
        strongest.units.extend(weakest.units)
        strongest.guns.extend(weakest.guns)
    return found


def _build_pool(group: _Group, points: int, options: Mapping[str, Any]) -> BrigadePool:
    """A pool's label: morale is the mean by strength, halves up; traits are those of the greater part."""
    rated = [(label_of(unit, options), find_exact_strength(unit)) for unit in group.units]
    whole = group.strength
    pooling = pooling_of(group.units[0])
    by_gun: dict[GunKind, Fraction] = {}
    by_trait: dict[Trait, Fraction] = {}
    for label, strength in rated:
        by_gun[label.gun] = by_gun.get(label.gun, Fraction(0)) + strength
        for trait in label.traits:
            by_trait[trait] = by_trait.get(trait, Fraction(0)) + strength
    return BrigadePool(
        side=group.units[0].side,
        division=group.division.number,
        kind=rated[0][0].kind,
        morale=round_half_up(
            sum((label.morale * strength for label, strength in rated), Fraction(0)) / whole
        ),
        traits=tuple(sorted(trait for trait, part in by_trait.items() if 2 * part > whole)),
        gun=max(by_gun, key=lambda gun: by_gun[gun]),
        weight=rated[0][0].weight,
        units=tuple(unit.id for unit in group.units),
        sps=tuple(unit.sp for unit in group.units),
        points=points,
        stands=split_stands(points, MOST_SP[pooling]),
        guns=tuple(unit.id for unit in group.guns),
        gun_sps=tuple(unit.sp for unit in group.guns),
        led_by=group.division.led_by,
    )
