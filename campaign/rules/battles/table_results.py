"""Table results: what people enter, and where two entries differ (HR-TAB-01 to 08)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, get_args

from campaign.rules.army.leaders import FATES
from campaign.rules.contact.contact import Pursuit
from campaign.rules.errors import RuleViolation

#: Neither side holds the field; "" is that nobody has said who does.
NEITHER = "neither"
#: What an entry may say of the pursuit.
PURSUITS: tuple[str, ...] = get_args(Pursuit)
#: Letters of the notes at most.
LONGEST_NOTES = 2000


@dataclass(frozen=True, slots=True)
class Present:
    """A unit on the table: its name, its side and the SP it came with.

    `stands` are the SP of each of its stands where the rules of the table count in these (HR-BAT-13), and
    `as_campaign` says whether its SP are as many as the campaign counts. Where several stand as one, `units`
    are all of them by id, itself first, and `others` the names of those besides; `kind` is what its card
    calls it, "" where it has none or its enemy looks at it (HR-FOG-03). `apart` is who has no stand there:
    wagons, and guns that go with the unit `goes_with`.
    """

    id: str
    name: str
    side: str
    sp: int
    stands: tuple[int, ...] = ()
    units: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    kind: str = ""
    apart: bool = False
    goes_with: str = ""
    as_campaign: bool = True

    def cost_in_figures(self, cost: "UnitResult", held_by: str) -> "UnitResult":
        """Its losses in figures if that side holds the field ("" is neither).

        Guns that go with others are gone whole, whatever was said of them: captured where the enemy holds the
        field, lost otherwise, as the engine has it (RTG-CBT-22).
        """
        plain = cost.to_figures(self.sp)
        if not self.goes_with or plain == UnitResult():
            return plain
        return (
            UnitResult(0, self.sp, True) if held_by not in ("", self.side) else UnitResult(self.sp, 0, True)
        )


@dataclass(frozen=True, slots=True)
class TableGeneral:
    """A general of the battle file."""

    id: str
    name: str
    side: str


@dataclass(frozen=True, slots=True)
class TableForces:
    """The forces of a battle: units and generals by id, and the sides' names, attacker first."""

    units: Mapping[str, Present]
    generals: Mapping[str, TableGeneral]
    sides: Mapping[str, str]

    def as_seen_by(self, side: str) -> "TableForces":
        """The part that a side may enter: its own generals and cards only. "" is the umpire.

        Guns that go with others are told as such to both: else an entry of theirs could not be right.
        """
        if not side:
            return self
        own = {key: one for key, one in self.generals.items() if one.side == side}
        units = {
            key: one if one.side == side or one.goes_with else replace(one, kind="")
            for key, one in self.units.items()
        }
        return TableForces(units, own, self.sides)

    @property
    def unit_ids(self) -> frozenset[str]:
        """Ids of all units that fought on it, also of those that stood as one with others."""
        return frozenset(unit for one in self.units.values() for unit in one.units or (one.id,))

    @property
    def own_points(self) -> bool:
        """True if SP are counted by the table's rules, and not by the campaign's (HR-BAT-13)."""
        return any(unit.stands for unit in self.units.values())


@dataclass(frozen=True, slots=True)
class UnitResult:
    """The losses that people enter for one unit: SP lost, SP captured; destroyed, all not captured is lost.

    In the SP of the rules of its table (HR-BAT-13). What the campaign counts is `UnitLoss`.
    """

    lost: int = 0
    captured: int = 0
    destroyed: bool = False

    def to_figures(self, sp: int) -> "UnitResult":
        """The same in plain figures for a unit of `sp`, so that two ways to say one thing are one."""
        lost = sp - self.captured if self.destroyed else self.lost
        return UnitResult(lost, self.captured, lost + self.captured == sp)


@dataclass(frozen=True, slots=True)
class Entry:
    """A result as a side, or the umpire, enters it. Units and generals left out are unhurt."""

    units: Mapping[str, UnitResult] = field(default_factory=dict)
    generals: Mapping[str, str] = field(default_factory=dict)
    held_by: str = ""
    pursuit: str = ""
    notes: str = ""

    def cost(self, unit: Present) -> UnitResult:
        """A unit's losses in figures."""
        return unit.cost_in_figures(self.units.get(unit.id, UnitResult()), self.held_by)


def entry_to_json(entry: Entry) -> dict[str, Any]:
    """An entry as it is stored: only what differs from nothing."""
    units = {
        key: {
            name: value
            for name, value in (
                ("lost", cost.lost), ("captured", cost.captured), ("destroyed", cost.destroyed)
            )
            if value
        }
        for key, cost in sorted(entry.units.items())
        if cost != UnitResult()
    }  # fmt: skip
    told = {
        "units": units,
        "generals": {key: fate for key, fate in sorted(entry.generals.items()) if fate},
        "held_by": entry.held_by,
        "pursuit": entry.pursuit,
        "notes": entry.notes.strip(),
    }
    return {key: value for key, value in told.items() if value}


def entry_from_json(body: Mapping[str, Any]) -> Entry:
    """The inverse of `entry_to_json`."""
    return Entry(
        units={key: UnitResult(**row) for key, row in body.get("units", {}).items()},
        generals=dict(body.get("generals", {})),
        held_by=body.get("held_by", ""),
        pursuit=body.get("pursuit", ""),
        notes=body.get("notes", ""),
    )


# --- what cannot be ---


def list_entry_faults(entry: Entry, table: TableForces, *, whole: bool) -> list[RuleViolation]:
    """All that cannot be in an entry, each with its field; a `whole` one says who holds the field.

    Fields are `lost-ID`, `captured-ID`, `general-ID`, `held_by`, `pursuit` and `notes`.
    """
    return [*_of_units(entry, table), *_of_generals(entry, table), *_of_the_end(entry, table, whole)]


def verify_entry(entry: Entry, table: TableForces, *, whole: bool) -> None:
    """Refuses an entry that cannot be: raises the first of its faults."""
    for fault in list_entry_faults(entry, table, whole=whole):
        raise fault


def _of_units(entry: Entry, table: TableForces) -> Iterable[RuleViolation]:
    rule = "HR-TAB-02"
    for key, cost in sorted(entry.units.items()):
        unit = table.units.get(key)
        if unit is None:
            yield RuleViolation(rule, f"{key} was not in this battle; take it out.", f"lost-{key}")
            continue
        for name, figure in (("lost", cost.lost), ("captured", cost.captured)):
            if figure < 0:
                yield RuleViolation(rule, f"{unit.name} cannot lose fewer than 0 SP.", f"{name}-{key}")
        gone = cost.captured if cost.destroyed else cost.lost + cost.captured
        if gone > unit.sp:
            where = "lost" if cost.lost and not cost.destroyed else "captured"
            yield RuleViolation(
                rule,
                f"{unit.name} came with {unit.sp} SP and cannot lose {gone}; enter {unit.sp} at most, lost "
                "and captured together.",
                f"{where}-{key}",
            )


def _of_generals(entry: Entry, table: TableForces) -> Iterable[RuleViolation]:
    rule = "HR-TAB-02"
    for key, fate in sorted(entry.generals.items()):
        if key not in table.generals:
            yield RuleViolation(
                rule, f"{key} is no general of yours in this battle; take him out.", f"general-{key}"
            )
        elif fate not in ("", *FATES):
            yield RuleViolation(
                rule,
                f"{table.generals[key].name} cannot be {fate!r}; say unhurt or one of {', '.join(FATES)}.",
                f"general-{key}",
            )


def _of_the_end(entry: Entry, table: TableForces, whole: bool) -> Iterable[RuleViolation]:
    held = entry.held_by
    if held not in ("", NEITHER, *table.sides):
        first, second = (f"{name} ({side})" for side, name in table.sides.items())
        yield RuleViolation(
            "HR-TAB-03",
            f"{held} was not in this battle; the field is held by {first}, by {second} or by {NEITHER}.",
            "held_by",
        )
    elif whole and not held:
        yield RuleViolation("HR-TAB-03", "Say who holds the field, or that neither side does.", "held_by")
    if entry.pursuit not in PURSUITS:
        yield RuleViolation(
            "HR-TAB-06", "Say that the pursuit was pressed, or that there was none.", "pursuit"
        )
    elif entry.pursuit == "pressed" and held == NEITHER:
        yield RuleViolation(
            "HR-TAB-06", "Where neither side holds the field nobody pursues; mend one of the two.", "pursuit"
        )
    if len(entry.notes) > LONGEST_NOTES:
        yield RuleViolation(
            "HR-TAB-02", f"The notes are longer than {LONGEST_NOTES} letters; shorten them.", "notes"
        )


# --- two entries side by side ---


@dataclass(frozen=True, slots=True)
class Differences:
    """The points at which entries differ: unit ids, general ids, holder of the field, pursuit."""

    units: tuple[str, ...] = ()
    generals: tuple[str, ...] = ()
    held_by: bool = False
    pursuit: bool = False

    @property
    def count(self) -> int:
        return len(self.units) + len(self.generals) + self.held_by + self.pursuit

    def describe(self) -> str:
        """ "in 1 unit and in who holds the field"; "" where they agree."""
        parts = [
            _format_count(len(self.units), "unit"),
            _format_count(len(self.generals), "general"),
            "who holds the field" if self.held_by else "",
            "the pursuit" if self.pursuit else "",
        ]
        said = [part for part in parts if part]
        return "in " + " and ".join(filter(None, (", ".join(said[:-1]), said[-1]))) if said else ""


def _format_count(number: int, word: str) -> str:
    return "" if not number else f"{number} {word}" if number == 1 else f"{number} {word}s"


def compare_entries(entries: Mapping[str, Entry], table: TableForces) -> Differences:
    """Compare entries, by who entered them ("" is the umpire), and list the differences.

    A side speaks of its own generals only; who says nothing of the pursuit does not differ.
    """
    every = list(entries.values())
    return Differences(
        units=tuple(key for key, unit in table.units.items() if len({one.cost(unit) for one in every}) > 1),
        generals=tuple(
            key
            for key, general in table.generals.items()
            if len({one.generals.get(key, "") for one in _list_entries_for_side(entries, general.side)}) > 1
        ),
        held_by=len({one.held_by for one in every}) > 1,
        pursuit=len({one.pursuit for one in every if one.pursuit}) > 1,
    )


def _list_entries_for_side(entries: Mapping[str, Entry], side: str) -> list[Entry]:
    """The entries that can speak of a side's generals."""
    return [entry for by, entry in entries.items() if by in ("", side)]
