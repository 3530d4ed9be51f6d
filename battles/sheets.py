"""A battle on paper: scenario sheet, map, orders of battle, cards, blinds, quick reference, result slip.

Pure: made from a battle file that holds no more than its reader may know, in the terms of its ruleset.
The PDF (`pack.typ`) and the page set the same contents.
"""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import segno

from battles.blinds import DUMMY, Blind
from battles.ground_words import ground_caption, joined
from battles.landscape import FIRST_LINE
from battles.print_map import Arrival, printed_ground
from battles.rulesets import registry
from battles.scenario import BattleFile, BattleLeader, BattleUnit, Ground
from battles.terms import FIGURES, UNKNOWN, Figures, ReferenceTable, SheetTerms, UnitTerms
from battles.typesetting import PAPERS, pdf, pngs

TEMPLATE = Path(__file__).with_name("pack.typ")
#: Centimetres of an inch, minutes of a game turn (AWI-T-SCA-02).
CENTIMETRES, TURN_MINUTES = 2.54, 10


@dataclass(frozen=True, slots=True)
class Occasion:
    """What a pack tells besides the battle file: where in the campaign, when, in what weather.

    `copy` says whose it is; `formations` and `tints` name them. `minute` of the day is when the battle opens,
    `address` where its result is entered, `notes` are paragraphs of the umpire's or the ruling's.
    """

    campaign: str = ""
    copy: str = ""
    date: str = ""
    minute: int | None = None
    weather: str = ""
    address: str = ""
    footing: str = ""
    notes: tuple[str, ...] = ()
    formations: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Hidden:
    """A side's hidden set-up: its blinds, who sets out first, when a blind is turned up."""

    blinds: tuple[Blind, ...]
    told: str = ""
    turned_up: str = ""


@dataclass(frozen=True, slots=True)
class UnitSheet:
    """A unit in an order of battle and on its card; `terms` is None for one of which only this is known."""

    id: str
    name: str
    kind: str
    formation: str
    commander: str
    sp: int
    arrives: str
    terms: UnitTerms | None = None


@dataclass(frozen=True, slots=True)
class LeaderSheet:
    """A general on his card."""

    id: str
    name: str
    terms: UnitTerms
    commands: str
    starts: str


@dataclass(frozen=True, slots=True)
class ForceSheet:
    """One side. `own`: its cards are in this copy. `key` tells what stands under its blinds."""

    side: str
    name: str
    role: str
    own: bool
    units: tuple[UnitSheet, ...]
    leaders: tuple[LeaderSheet, ...]
    sp: int
    key: tuple[tuple[str, str], ...] = ()
    hidden: str = ""
    turned_up: str = ""


@dataclass(frozen=True, slots=True)
class MapSheet:
    """The ground: the drawing, what lies on it, how large it is for each size of figures."""

    svg: str
    words: str
    sizes: tuple[tuple[str, str], ...]
    arrivals: tuple[tuple[str, str], ...]
    set_out: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Pack:
    """All contents of one copy."""

    title: str
    occasion: Occasion
    figures: Figures
    ruleset: str
    facts: tuple[tuple[str, str], ...]
    endings: tuple[str, ...]
    ground: MapSheet | None
    forces: tuple[ForceSheet, ...]
    reference: tuple[ReferenceTable, ...]
    base: tuple[float, float]
    qr: str

    def to_json(self) -> dict[str, Any]:
        """The contents as plain data for the template."""
        return asdict(self)


def pack(
    battle: BattleFile,
    occasion: Occasion,
    *,
    own: Iterable[str],
    figures: Figures = "25mm",
    hidden: Mapping[str, Hidden] | None = None,
) -> Pack:
    """The pack of a battle for a reader whose cards are those of the sides `own`.

    Of the other side the file must hold no more than he may know; `arrives` is UNKNOWN where it is not told.
    """
    terms, shown = registry.rules(battle.ruleset).sheets, frozenset(own)
    return Pack(
        title=battle.title,
        occasion=occasion,
        figures=figures,
        ruleset=registry.get(battle.ruleset).title,
        facts=_facts(battle, occasion),
        endings=terms.endings(battle, figures),
        ground=_ground(battle, occasion, shown) if battle.ground else None,
        forces=tuple(
            _force(battle, side, terms, occasion, figures, side in shown, (hidden or {}).get(side))
            for side in (battle.attacker, battle.defender)
        ),
        reference=terms.reference(battle, figures),
        base=terms.base(figures),
        qr=qr_svg(occasion.address) if occasion.address else "",
    )


def pack_pdf(contents: Pack, paper: str = "a4") -> bytes:
    """The pack as a PDF on "a4" or "letter"."""
    return pack_set(contents.to_json(), paper)


def pack_set(contents: Mapping[str, Any], paper: str) -> bytes:
    """The same of contents that have been turned into plain data."""
    return pdf(TEMPLATE, {"pack": contents, "paper": PAPERS[paper]})


def pack_pngs(contents: Pack, paper: str = "a4", dots_per_inch: float = 96) -> list[bytes]:
    """The pack's pages as PNG, to be looked at."""
    data = {"pack": contents.to_json(), "paper": PAPERS[paper]}
    return pngs(TEMPLATE, data, dots_per_inch=dots_per_inch)


def qr_svg(address: str) -> str:
    """A QR code that opens an address, as SVG with the four modules of quiet about it."""
    code = segno.make(address, error="m", micro=False)
    made: str = code.svg_inline(omitsize=True, border=4, dark="#000000", light="#ffffff")
    return made.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)


# --- the scenario sheet ---


def _facts(battle: BattleFile, occasion: Occasion) -> tuple[tuple[str, str], ...]:
    """When, how long, in what weather, who attacks."""
    attacker, defender = battle.side_name(battle.attacker), battle.side_name(battle.defender)
    length = f"{battle.turns} game turns of ten minutes, {_hours(battle.turns * TURN_MINUTES)}"
    if occasion.minute is not None:
        begins, ends = clock(occasion.minute), clock(occasion.minute + battle.turns * TURN_MINUTES)
        length += f": from {begins} to {ends}"
    told = [
        ("When", occasion.date),
        ("Length", length),
        ("Weather", occasion.weather),
        ("Attacks", attacker),
        ("Stands", defender + (f", in {occasion.footing}" if occasion.footing else "")),
        ("First move", "each side rolls a die, the higher has it; again when they are level"),
    ]
    return tuple((label, words) for label, words in told if words)


def clock(minute: int) -> str:
    """A minute of the day as people write it."""
    return f"{minute // 60 % 24}:{minute % 60:02d}"


def _hours(minutes: int) -> str:
    hours, rest = divmod(minutes, 60)
    parts = [f"{hours} hour{'s' if hours != 1 else ''}"] * bool(hours) + [f"{rest} minutes"] * bool(rest)
    return " ".join(parts)


# --- the ground ---


def _ground(battle: BattleFile, occasion: Occasion, shown: frozenset[str]) -> MapSheet:
    ground = battle.ground
    assert ground is not None
    attacker, defender = battle.side_name(battle.attacker), battle.side_name(battle.defender)
    coming = _coming(battle, shown)
    entries = [
        Arrival(_edge(ground, side == battle.attacker), 0 if side == battle.attacker else 180, _turns(turns))
        for side, turns in coming.items()
    ]
    return MapSheet(
        svg=printed_ground(
            ground,
            near=f"{attacker} attacks from here",
            far=f"{defender} stands here",
            zone=FIRST_LINE,
            arrivals=entries,
            objective=battle.objective,
        ),
        words=ground_caption(ground),
        sizes=tuple((size, _size(ground, size)) for size in FIGURES),
        arrivals=tuple(_arrivals(battle, occasion, shown)),
        set_out=_set_out(battle),
    )


def _edge(ground: Ground, near: bool) -> tuple[float, float]:
    """The middle of a side's edge, where its late troops come on."""
    return ground.width / 2.0, 0.0 if near else ground.depth


def _coming(battle: BattleFile, shown: frozenset[str]) -> dict[str, list[int]]:
    """Turns in which troops come on that the reader knows of, by side."""
    turns: dict[str, set[int]] = {}
    for unit in battle.units:
        if unit.arrives > 0 and unit.side in shown:
            turns.setdefault(unit.side, set()).add(unit.arrives)
    return {side: sorted(found) for side, found in turns.items()}


def _turns(turns: list[int]) -> str:
    return f"turn{'s' if len(turns) > 1 else ''} {joined(map(str, turns))}"


def _arrivals(battle: BattleFile, occasion: Occasion, shown: frozenset[str]) -> Iterable[tuple[str, str]]:
    """Who comes on in which turn, and where."""
    for side, turns in _coming(battle, shown).items():
        edge = "near" if side == battle.attacker else "far"
        for turn in turns:
            units = [unit.name for unit in battle.units if unit.side == side and unit.arrives == turn]
            when = f"Turn {turn}" + (
                f", {clock(occasion.minute + (turn - 1) * 10)}" if occasion.minute is not None else ""
            )
            yield (
                when,
                f"{battle.side_name(side)}, in column at the middle of the {edge} edge: {joined(units)}.",
            )


def _size(ground: Ground, figures: Figures) -> str:
    """The table in inches and centimetres for a size of figures."""
    share = {"25mm": 1.0, "15mm": 2.0 / 3.0}[figures]
    wide, deep = ground.width * share, ground.depth * share
    return (
        f"{wide:.3g} by {deep:.3g} inches, {wide * CENTIMETRES:.0f} by {deep * CENTIMETRES:.0f} cm; "
        f"a square of the grid is {12 * share:g} inches, {12 * share * CENTIMETRES:.1f} cm"
    )


def _set_out(battle: BattleFile) -> tuple[str, ...]:
    attacker, defender = battle.side_name(battle.attacker), battle.side_name(battle.defender)
    return (
        f"{defender[:1].upper()}{defender[1:]} sets out from the far edge, {attacker} from the near one, "
        f"as far as the broken lines: {FIRST_LINE:g} inches for 25 mm figures, {FIRST_LINE * 2 / 3:g} for "
        "15 mm.",
        "Who comes later waits off the table and comes on in his side's turn, beside the arrow if need be.",
    )


# --- forces ---


def _force(
    battle: BattleFile,
    side: str,
    terms: SheetTerms,
    occasion: Occasion,
    figures: Figures,
    own: bool,
    hidden: Hidden | None,
) -> ForceSheet:
    units = [unit for unit in battle.units if unit.side == side and unit.sp > 0]
    leaders = [leader for leader in battle.leaders if leader.side == side]
    heads = {
        unit: leader.name for leader in leaders if leader.rank == "brigadier" for unit in leader.commands
    }
    names = {unit.id: unit.name for unit in units}
    return ForceSheet(
        side=side,
        name=battle.side_name(side),
        role="attacks" if side == battle.attacker else "defends",
        own=own,
        units=tuple(
            _unit(
                unit,
                terms.kind(unit),
                terms.unit_terms(unit, battle.options, figures) if own else None,
                heads.get(unit.id, ""),
                occasion,
            )
            for unit in units
        ),
        leaders=tuple(_leader(battle, one, terms, figures, occasion.formations) for one in leaders)
        if own
        else (),
        sp=sum(unit.sp for unit in units),
        key=tuple((blind.mark, names.get(blind.unit, DUMMY)) for blind in hidden.blinds) if hidden else (),
        hidden=hidden.told if hidden else "",
        turned_up=hidden.turned_up if hidden else "",
    )


def _unit(
    unit: BattleUnit, kind: str, terms: UnitTerms | None, commander: str, occasion: Occasion
) -> UnitSheet:
    arrives = (
        "not known" if unit.arrives == UNKNOWN else f"turn {unit.arrives}" if unit.arrives else "at the start"
    )
    return UnitSheet(
        id=unit.id,
        name=unit.name,
        kind=kind,
        formation=occasion.formations.get(unit.formation, unit.formation),
        commander=commander,
        sp=unit.sp,
        arrives=arrives,
        terms=terms,
    )


_ALL = "everything on his side"


def _commands(
    battle: BattleFile, leader: BattleLeader, names: Mapping[str, str], formations: Mapping[str, str]
) -> str:
    """Whom a general commands: a whole formation by its name, else the units or generals one by one."""
    told: list[str] = []
    of = {unit.id: unit.formation for unit in battle.units}
    for one in leader.commands:
        whole = {
            unit.id for unit in battle.units if unit.formation == of.get(one) and unit.side == leader.side
        }
        named = formations.get(of.get(one, ""), "")
        told.append(f"all of {named}" if named and whole <= set(leader.commands) else names.get(one, one))
    return joined(told)


def _leader(
    battle: BattleFile,
    leader: BattleLeader,
    terms: SheetTerms,
    figures: Figures,
    formations: Mapping[str, str],
) -> LeaderSheet:
    names = {unit.id: unit.name for unit in battle.units} | {one.id: one.name for one in battle.leaders}
    first = next((unit for unit in battle.units if unit.id == leader.with_unit), None)
    starts = f"with {first.name}" if first else "free"
    if first is not None and first.arrives > 0:
        starts += f", who come on in turn {first.arrives}"
    return LeaderSheet(
        id=leader.id,
        name=leader.name,
        terms=terms.leader_terms(leader, battle.options, figures),
        commands=_commands(battle, leader, names, formations) or _ALL,
        starts=starts,
    )
