"""Sightings of the enemy in a kept fight: units from the event in which they first came into sight.

Who has once been in sight stays on the table, as models do. The line of sight is the engine's (AWI-T-TER-07),
from centre to centre and looked at inch by inch. No numba here.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from functools import lru_cache, partial
from math import hypot

from battles.engine.events import GENERAL_KINDS, STRUCTURE_KINDS, BattleEvent
from battles.files.schema import BattleFile, BattleGround, BattleUnit, Point
from battles.ground.features import find_building_base
from battles.ground.shapes import Rectangle, find_clip_span, is_inside_polygon
from battles.replay.account import compose_account
from battles.replay.replay import Replay
from battles.replay.state import BattleBoard, BoardPiece
from battles.rulesets import registry
from battles.table_pieces import list_piece_groups, pieces_of

#: By side, units and generals of the enemy with the number of the event in which they were seen; 0 for
#: those in sight before the first.
Seen = Mapping[str, Mapping[str, int]]

#: Kinds in which a unit shows itself to whom it does it, or who does it to it.
SHOWS = frozenset(
    {
        "fire", "fire_at_second_charge", "charge", "counter_charge", "contact", "melee_roll",
        "surrender_test", "gun_captured", "wagon_captured", "routs", "evade",
    }
)  # fmt: skip
#: Inches from a unit's centre within which it is seen whatever it stands in.
AT_HAND = 1.0
#: Inches between centres within which a general by himself is seen in any case: he touches whom he is by.
BESIDE = 3.0


class _Country:
    """Heights and woods of a ground, inch by inch."""

    def __init__(self, ground: BattleGround | None) -> None:
        features = ground.features if ground else ()
        self.houses = [find_building_base(one) for one in features if one.kind == "building"]
        self._hills = [one for one in features if one.kind == "hill"]
        self._woods = [one for one in features if one.kind in ("open_woods", "dense_woods")]
        self.bare = not self._hills and not self._woods
        self._spots: dict[tuple[int, int], tuple[int, str]] = {}

    def at(self, x: float, y: float) -> tuple[int, str]:
        """Height and kind of wood at a spot; of woods that overlap the thicker counts."""
        key = (int(x), int(y))
        found = self._spots.get(key)
        if found is None:
            spot = (key[0] + 0.5, key[1] + 0.5)
            height = 0
            for hill in self._hills:  # of hills over one spot the last counts
                height = hill.height if is_inside_polygon(hill.points, spot) else height
            kinds = {one.kind for one in self._woods if is_inside_polygon(one.points, spot)}
            wood = "dense_woods" if "dense_woods" in kinds else "open_woods" if kinds else ""
            found = self._spots[key] = (height, wood)
        return found

    def open_line(
        self, p: Point, q: Point, through: Callable[[str], float] | None, inside: Rectangle | None
    ) -> bool:
        """True when the ground leaves the line from p to q open.

        `through` says how many inches of a kind of woods hide him who is looked for; None: they do not.
        """
        for house in self.houses:
            if house is not inside and find_clip_span(p, q, house) is not None:
                return False
        if self.bare:
            return True
        length = hypot(q[0] - p[0], q[1] - p[1])
        steps = int(length) + 1
        top = max(self.at(*p)[0], self.at(*q)[0])
        thick = 0.0
        for k in range(1, steps):
            share = k / steps
            height, wood = self.at(p[0] + (q[0] - p[0]) * share, p[1] + (q[1] - p[1]) * share)
            if height > top:
                return False
            if wood and through is not None:
                thick += length / steps / through(wood)
            if thick > 1.0:
                return False
        return True


@lru_cache(maxsize=32)
def _get_country(ground: BattleGround | None) -> _Country:
    return _Country(ground)


class BattleLookout:
    """Lines of sight in a battle as the table stands."""

    def __init__(self, battle: BattleFile, board: BattleBoard) -> None:
        self.board, self.country = board, _get_country(battle.ground)
        self.rules = registry.get_rules(battle.ruleset)
        self.troops: dict[str, BattleUnit] = {unit.id: unit for unit in battle.units}

    def sees(self, watcher: BoardPiece, unit: str) -> bool:
        """True when a unit on the table sees another (AWI-T-TER-07)."""
        piece = self.board.units[unit]
        spot = (piece.x, piece.y)
        inches = hypot(watcher.x - piece.x, watcher.y - piece.y)
        if inches <= AT_HAND or (self.country.bare and not self.country.houses):
            return True
        troops = self.troops[unit]
        wood = self.country.at(*spot)[1]
        through: Callable[[str], float] | None = partial(self.rules.seen_through, troops)
        if wood and not piece.inside:
            seen = self.rules.seen_in_woods(troops, wood)
            if not piece.shown and inches > seen + 2.0:  # between centres; a base is some two inches
                return False
            through = None
        return self.country.open_line((watcher.x, watcher.y), spot, through, self._house(piece))

    def sees_rider(self, watcher: BoardPiece, general: str) -> bool:
        """True when a unit on the table sees a general who rides alone: an inch of woods hides him."""
        spot = self.board.place(general)
        if hypot(watcher.x - spot[0], watcher.y - spot[1]) <= BESIDE:
            return True
        wood = self.country.at(*spot)[1]
        return not wood and self.country.open_line((watcher.x, watcher.y), spot, lambda _: 1.0, None)

    def _house(self, piece: BoardPiece) -> Rectangle | None:
        """The house a unit is in, which does not hide it."""
        if not piece.inside:
            return None
        houses = self.country.houses
        return min(houses, key=lambda one: hypot(one.x - piece.x, one.y - piece.y), default=None)


def list_sightings(replay: Replay) -> dict[str, dict[str, int]]:
    """For each side the enemy's units and generals it got to see, and in which event.

    Where pieces of a unit move on their own, pieces are named too; the unit was seen with its first piece.
    """
    battle = replay.table
    board = BattleBoard(battle, replay.standing)
    look = BattleLookout(battle, board)
    seen: dict[str, dict[str, int]] = {battle.attacker: {}, battle.defender: {}}
    alone: dict[str, dict[str, int]] = {battle.attacker: {}, battle.defender: {}}
    unseen = {side: [key for key, piece in board.units.items() if piece.side != side] for side in seen}
    _look_round(look, seen, unseen, board.units, 0)
    _look_for_generals(look, alone, board.units, board.generals, 0)
    for number, event in enumerate(replay.events):
        board.apply(event)
        moved = {event.actor} & board.units.keys()
        rode = {event.target} & board.generals.keys()
        _look_for_generals(look, alone, moved, rode, number)
        if event.kind == "general_captured" and rode:  # who takes him has seen him
            side = other_of(alone, board.generals[event.target].side)
            alone[side].setdefault(event.target, number)
        actor, target = board.units.get(event.actor), board.units.get(event.target)
        if event.kind in SHOWS and actor and target and actor.side != target.side:
            for one, other in ((event.actor, target), (event.target, actor)):
                _note_sighting(seen, unseen, other.side, one, number)
        if actor is not None:
            _look_round(look, seen, unseen, [event.actor], number)
    return {
        side: {
            **_find_seen_units(replay, found),
            **found,
            **_find_seen_generals(replay, side, found, alone[side]),
        }
        for side, found in seen.items()
    }


def _find_seen_units(replay: Replay, pieces: Mapping[str, int]) -> dict[str, int]:
    """The units of pieces that were seen, each with the first of its pieces; who stands as one, together."""
    rules = registry.get_rules(replay.battle.ruleset)
    bodies = list_piece_groups(pieces_of(replay.battle, rules)) if rules.pooled else ()
    together = {unit: body.units for body in bodies for unit in body.units}
    found: dict[str, int] = {}
    for piece, number in pieces.items():
        unit = rules.telling.unit_of(piece)
        for one in together.get(unit, (unit,)):
            found[one] = min(number, found.get(one, number))
    return found


def _note_sighting(
    seen: dict[str, dict[str, int]], unseen: dict[str, list[str]], side: str, unit: str, number: int
) -> None:
    if unit in unseen[side]:
        unseen[side].remove(unit)
        seen[side][unit] = number


def _look_round(
    look: BattleLookout,
    seen: dict[str, dict[str, int]],
    unseen: dict[str, list[str]],
    moved: Iterable[str],
    number: int,
) -> None:
    """Look where something has changed: whom those who moved now see, and who sees them."""
    pieces = look.board.units
    for key in moved:
        mover = pieces[key]
        if not mover.stands:
            continue
        if key in unseen[other_of(seen, mover.side)]:
            side = other_of(seen, mover.side)
            watchers = (one for one in pieces.values() if one.side == side and one.stands)
            if any(look.sees(watcher, key) for watcher in watchers):
                _note_sighting(seen, unseen, side, key, number)
        for hidden in list(unseen[mover.side]):
            if pieces[hidden].stands and look.sees(mover, hidden):
                _note_sighting(seen, unseen, mover.side, hidden, number)


def other_of(sides: Iterable[str], side: str) -> str:
    """The other of two sides."""
    return next(one for one in sides if one != side)


def _look_for_generals(
    look: BattleLookout,
    alone: dict[str, dict[str, int]],
    moved: Collection[str],
    rode: Collection[str],
    number: int,
) -> None:
    """Look for generals by themselves: all whom those who moved now see, and who sees those who rode."""
    pieces, riders = look.board.units, look.board.generals
    for key, rider in riders.items():
        side = other_of(alone, rider.side)
        if key in alone[side] or rider.with_unit or not rider.there:
            continue
        watchers = (pieces[one] for one in (pieces if key in rode else moved))
        if any(one.side == side and one.stands and look.sees_rider(one, key) for one in watchers):
            alone[side][key] = number


def _find_seen_generals(
    replay: Replay, side: str, units: Mapping[str, int], alone: Mapping[str, int]
) -> dict[str, int]:
    """The enemy's generals a side saw: from when they were with troops in its sight, or alone in it."""
    with_unit = {one.id: one.with_unit for one in replay.standing.generals}
    theirs = [leader.id for leader in replay.battle.leaders if leader.side != side]
    found = {one: 0 for one in theirs if units.get(with_unit.get(one, ""), 1) == 0}
    for number, event in enumerate(replay.events):
        if event.kind in GENERAL_KINDS and event.target in theirs:
            with_unit[event.target] = event.actor
        for one in theirs:
            if one not in found and units.get(with_unit.get(one, ""), number + 1) <= number:
                found[one] = number
    return {**found, **{one: min(number, found.get(one, number)) for one, number in alone.items()}}


def redact_replay(replay: Replay, side: str, seen: Mapping[str, int]) -> Replay:
    """The replay a side may have: of the enemy only who was in sight, and what happened in sight.

    What the enemy meant, weighed and kept in reserve is not in it.
    """
    battle = replay.battle
    known = known_to(battle, side, seen) | known_to(replay.table, side, seen)
    cut = (redact_event(event, known, seen, number) for number, event in enumerate(replay.events))
    return replace(
        replay,
        battle=_redact_battle(battle, side, known),
        outcome=replace(
            replay.outcome,
            seed=None,
            units=tuple(one for one in replay.outcome.units if one.id in known),
            generals=tuple(one for one in replay.outcome.generals if one.id in known),
        ),
        standing=replace(
            replay.standing,
            units=tuple(one for one in replay.standing.units if one.id in known),
            generals=tuple(one for one in replay.standing.generals if one.id in known),
        ),
        events=tuple(event for event in cut if event is not None),
        choices=tuple(choice for choice in replay.choices if choice.side == side),
    )


def compose_redacted_account(replay: Replay, side: str, seen: Mapping[str, int]) -> list[str]:
    """The account a side can give of the fight: of what happened in its sight."""
    telling = registry.get_rules(replay.battle.ruleset).telling
    explained = replace(replay, events=tuple(telling.explained(replay.battle, replay.events)))
    cut = redact_replay(explained, side, seen)
    paragraphs = compose_account(cut.battle, cut.result, reader=side, whole=replay.battle)
    enemy = replay.battle.side_name(other_of((replay.battle.attacker, replay.battle.defender), side))
    if not any(unit.side != side for unit in cut.battle.units):
        return [f"{replay.battle.title}. Nothing was seen of {enemy}.", *paragraphs[1:-1]]
    return paragraphs


def known_to(battle: BattleFile, side: str, seen: Mapping[str, int]) -> set[str]:
    """Units and generals a side knows after the battle: its own, and the enemy's it saw."""
    own = {unit.id for unit in battle.units if unit.side == side}
    return own | {leader.id for leader in battle.leaders if leader.side == side} | set(seen)


def redact_event(
    event: BattleEvent, known: set[str], seen: Mapping[str, int], number: int
) -> BattleEvent | None:
    """An event as a side saw it: None for one out of its sight."""

    def in_sight(one: str) -> bool:
        return one in known and seen.get(one, 0) <= number

    if event.actor and not in_sight(event.actor):
        return None
    if not event.target or event.kind in STRUCTURE_KINDS or in_sight(event.target):
        return event
    if not event.actor or event.kind in GENERAL_KINDS:
        return None
    return replace(event, target="")


def _redact_battle(battle: BattleFile, side: str, known: set[str]) -> BattleFile:
    """A battle file with the enemies in `known`, without what only their commander knew."""
    units = tuple(
        unit if unit.side == side else replace(unit, task=None, reserve=False, formation="", arrives=0)
        for unit in battle.units
        if unit.id in known
    )
    leaders = tuple(
        leader if leader.side == side else replace(leader, commands=())
        for leader in battle.leaders
        if leader.id in known
    )
    return replace(
        battle,
        units=units,
        leaders=leaders,
        plans={key: plan for key, plan in battle.plans.items() if key == side},
        break_points={key: points for key, points in battle.break_points.items() if key == side},
    )
