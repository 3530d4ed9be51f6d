"""Replacements from overseas, Loyalists in British ranks, and balancing (AWI-C-EUR-01, LOY-01, OVR-02)."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from battles.grammar import Subject
from campaign.rules.errors import RuleViolation
from campaign.rules.returns.returns import WEEKS_END, WeeklyReturns
from campaign.rules.world.events import Event
from campaign.rules.world.settings import RuleSettings
from campaign.rules.world.world import Formation, Position, Unit, UnitStatus
from rosters.domain.strength import MAXIMUM_POINTS
from rosters.domain.vocabulary import EUROPEAN, POOL_NATION, Nation, PoolNation

REPLACED_ON = 6
REPLACEMENT_POINTS = 10

FILL_LIMIT = 10  # points a week and British regiment
FILL_STEP = 5
FILL_COST = 2  # points the Loyalists lose for each the British gain


@dataclass(frozen=True, slots=True)
class LoyalistFill:
    """Loyalist unit `giver` fills British unit `receiver` up by `points`, losing twice as many."""

    giver: str
    receiver: str
    points: int


@dataclass(frozen=True, slots=True)
class BalancingMove:
    """`points` go from one European unit to another of its regiment in the same location."""

    giver: str
    receiver: str
    points: int


@dataclass(frozen=True, slots=True)
class Muster:
    """The positions of units on the evening when the choices are checked."""

    units: Mapping[str, Unit]
    formations: Mapping[str, Formation]
    settings: RuleSettings

    def present(self, unit_id: str, rule: str, field: str) -> Unit:
        """The unit, on the map. Raises RuleViolation if it is not."""
        unit = self.units.get(unit_id)
        if unit is None or unit.status is not UnitStatus.PRESENT:
            raise RuleViolation(rule, f"{unit_id} is not on the map; name a unit that is.", field)
        return unit

    def position(self, unit: Unit) -> Position | None:
        formation = self.formations.get(unit.formation)
        return formation.position if formation else None

    def together(self, first: Unit, second: Unit) -> bool:
        """True when both stand at the same point of the map."""
        position = self.position(first)
        return position is not None and position == self.position(second)


def send_replacements(book: WeeklyReturns) -> None:
    """Step 4: one die a nation; on a 6 each of its units gains 10 points (AWI-C-EUR-01)."""
    by_nation: dict[PoolNation, list[Unit]] = {nation: [] for nation in EUROPEAN}
    for unit in book.iter_counted_units():
        if (nation := POOL_NATION[unit.nation]) in by_nation:
            by_nation[nation].append(unit)
    for nation, units in by_nation.items():
        if units:
            _roll_nation(book, nation, units)


def _roll_nation(book: WeeklyReturns, nation: PoolNation, units: list[Unit]) -> None:
    roll = book.dice.roll("AWI-C-EUR-01", f"replacements/{nation}")
    come = roll.value == REPLACED_ON
    sides = tuple(sorted({unit.side for unit in units}))
    data = {"nation": nation.value, "come": int(come)}
    book.events.append(Event("replacements_roll", WEEKS_END, "AWI-C-EUR-01", sides, rolls=(roll,), data=data))
    if not come:
        return
    points, damped = book.gain(REPLACEMENT_POINTS)
    modifiers = (("AWI-C-EUR-01", REPLACEMENT_POINTS), *damped)
    for unit in units:
        book.change(unit, points, "replacements", "AWI-C-EUR-01", (roll,), modifiers)


def verify_fills(muster: Muster, fills: tuple[LoyalistFill, ...], points: dict[str, int]) -> None:
    """Check the fills in turn against `points`, which they change; raises RuleViolation (AWI-C-LOY-01)."""
    given: Counter[str] = Counter()
    for fill in fills:
        giver, receiver = _fill_parties(muster, fill)
        regiment = regiment_of(receiver)
        given[regiment] += fill.points
        if given[regiment] > FILL_LIMIT:
            _refuse_fill(
                f"{regiment} would take {given[regiment]} points this week; the limit is {FILL_LIMIT}."
            )
        points[giver.id] -= FILL_COST * fill.points
        points[receiver.id] += fill.points
        ceiling = muster.settings.loyalist_fill_ceiling
        if points[receiver.id] > ceiling:
            _refuse_fill(
                f"{receiver.name} would have {points[receiver.id]} points; the ceiling is {ceiling}."
            )
        if points[giver.id] < 0:
            _refuse_fill(
                f"{Subject(giver.name):has} not the {FILL_COST * fill.points} points this costs; give less."
            )


def _fill_parties(muster: Muster, fill: LoyalistFill) -> tuple[Unit, Unit]:
    giver = muster.present(fill.giver, "AWI-C-LOY-01", "fills")
    receiver = muster.present(fill.receiver, "AWI-C-LOY-01", "fills")
    if giver.nation is not Nation.LOYALIST or giver.is_train:
        _refuse_fill(f"{Subject(giver.name):is} no Loyalist unit; only Loyalists fill British regiments.")
    if receiver.nation is not Nation.BRITISH or receiver.is_train:
        _refuse_fill(f"{Subject(receiver.name):is} no British unit; Loyalists fill British regiments only.")
    if giver.side != receiver.side:
        _refuse_fill(f"{giver.name} and {receiver.name} are enemies; choose units of one side.")
    if fill.points <= 0 or fill.points % FILL_STEP:
        _refuse_fill(f"{fill.points} points cannot be moved; give 5 or 10.")
    if muster.settings.loyalist_fill_same_location and not muster.together(giver, receiver):
        _refuse_fill(
            f"{Subject(giver.name):is} not where {Subject(receiver.name):is}; bring them together first."
        )
    return giver, receiver


def _refuse_fill(message: str) -> None:
    raise RuleViolation("AWI-C-LOY-01", message, "fills")


def regiment_of(unit: Unit) -> str:
    """The regiment whose limit counts; a unit without one is a regiment by itself."""
    return unit.regiment or unit.id


def apply_fill(book: WeeklyReturns, fill: LoyalistFill) -> None:
    """Step 5: as many whole fives as the week's dice have left possible (AWI-C-LOY-01)."""
    giver, receiver = book.units[fill.giver], book.units[fill.receiver]
    room = book.settings.loyalist_fill_ceiling - receiver.points
    points = min(fill.points, room, giver.points // FILL_COST) // FILL_STEP * FILL_STEP
    apart = book.settings.loyalist_fill_same_location and not _is_in_same_place(book, giver, receiver)
    if apart or not _on_the_map(giver, receiver) or points <= 0:
        book.tell("choice_lapsed", "AWI-C-LOY-01", receiver)
        return
    book.change(giver, -FILL_COST * points, "loyalist_fill", "AWI-C-LOY-01")
    book.change(receiver, points, "loyalist_fill", "AWI-C-LOY-01")


def verify_balancing(muster: Muster, moves: tuple[BalancingMove, ...], points: dict[str, int]) -> None:
    """Check the moves in turn against `points`, which they change; raises RuleViolation (AWI-C-OVR-02)."""
    for move in moves:
        giver, receiver = _balancing_parties(muster, move)
        points[giver.id] -= move.points
        points[receiver.id] += move.points
        if points[giver.id] < 0:
            _refuse_move(f"{Subject(giver.name):has} not {move.points} points to give; give less.")
        if points[receiver.id] > MAXIMUM_POINTS:
            _refuse_move(f"{receiver.name} would have {points[receiver.id]} points; 120 is the most.")


def _balancing_parties(muster: Muster, move: BalancingMove) -> tuple[Unit, Unit]:
    giver = muster.present(move.giver, "AWI-C-OVR-02", "balancing")
    receiver = muster.present(move.receiver, "AWI-C-OVR-02", "balancing")
    if POOL_NATION[giver.nation] not in EUROPEAN:
        _refuse_move(f"{Subject(giver.name):is} not European; only European regiments balance their units.")
    same = giver.regiment and (giver.regiment, giver.nation, giver.side) == (
        receiver.regiment,
        receiver.nation,
        receiver.side,
    )
    if not same or giver.id == receiver.id or giver.is_train or receiver.is_train:
        _refuse_move(f"{giver.name} and {receiver.name} are not two units of one regiment.")
    if move.points <= 0:
        _refuse_move(f"{move.points} points cannot be moved; give 1 or more.")
    if not muster.together(giver, receiver):
        _refuse_move(
            f"{Subject(giver.name):is} not where {Subject(receiver.name):is}; bring the regiment "
            "together first."
        )
    return giver, receiver


def _refuse_move(message: str) -> None:
    raise RuleViolation("AWI-C-OVR-02", message, "balancing")


def apply_balancing(book: WeeklyReturns, move: BalancingMove) -> None:
    """Step 7: as many points as the week's dice have left possible, the total unchanged (AWI-C-OVR-02)."""
    giver, receiver = book.units[move.giver], book.units[move.receiver]
    points = min(move.points, giver.points, MAXIMUM_POINTS - receiver.points)
    if not _is_in_same_place(book, giver, receiver) or not _on_the_map(giver, receiver) or points <= 0:
        book.tell("choice_lapsed", "AWI-C-OVR-02", receiver)
        return
    book.change(giver, -points, "balanced", "AWI-C-OVR-02")
    book.change(receiver, points, "balanced", "AWI-C-OVR-02")


def _is_in_same_place(book: WeeklyReturns, first: Unit, second: Unit) -> bool:
    """True if both units still stand in one place: returned militia may have come elsewhere."""
    return Muster(book.units, book.formations, book.settings).together(first, second)


def _on_the_map(*units: Unit) -> bool:
    return all(unit.status is UnitStatus.PRESENT for unit in units)
