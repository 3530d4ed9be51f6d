"""A battle on paper: scenario sheet, map, orders of battle, cards, blinds, quick reference, result slip.

Pure: made from a battle file that holds no more than its reader may know, in the terms of its ruleset.
The PDF (`pack.typ`) and the page set the same contents.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import segno

from battles.files.schema import BattleFile, BattleGround, BattleLeader, BattleUnit
from battles.grammar import Subject
from battles.ground.landscape import FIRST_LINE
from battles.ground.names import ground_caption, join_names
from battles.printing.blinds import DUMMY
from battles.printing.map import ArrivalMark, printed_ground
from battles.printing.packs import ForceSheet, Hidden, LeaderSheet, MapSheet, Occasion, Pack, UnitSheet
from battles.printing.sheet_types import FIGURES, UNKNOWN, Figures
from battles.printing.typesetting import PAPERS, render_pdf
from battles.replay.words import capitalize_first, troop_words
from battles.rulesets import registry
from battles.rulesets.rules import RulesetRules
from battles.strength_conversion import pooled_file
from battles.table_pieces import TablePiece, describe_piece_count, pieces_of

TEMPLATE = Path(__file__).with_name("pack.typ")
#: What SP are on paper under rules that count them in their own way.
COUNTED = (
    "SP here are strength points as {rules} counts them, and the result is entered in these. The page of the "
    "battle tells its forces in the campaign\u2019s own SP, which are others."
)
#: Centimetres of an inch.
CENTIMETRES = 2.54


def build_pack(
    battle: BattleFile,
    occasion: Occasion,
    *,
    own: Iterable[str],
    figures: Figures = "25mm",
    hidden: Mapping[str, Hidden] | None = None,
    whole: BattleFile | None = None,
) -> Pack:
    """The pack of a battle for a reader whose cards are those of the sides `own`.

    Of the other side the file must hold no more than he may know; `arrives` is UNKNOWN where it is not told.
    `whole` is the file of the whole fight as it truly is, of which this may be a part: by it units are
    mustered, so that all copies and parts have the same rows and SP, and nothing else is taken from it.
    """
    paper = _SheetContext(battle, registry.get_rules(battle.ruleset), figures, occasion, whole or battle)
    terms, shown = paper.terms, frozenset(own)
    return Pack(
        title=battle.title,
        occasion=occasion,
        figures=figures,
        ruleset=registry.get_ruleset(battle.ruleset).title,
        facts=_list_facts(paper),
        endings=paper.endings,
        ground=_build_map_sheet(paper, battle.ground, shown) if battle.ground else None,
        forces=tuple(
            _build_force_sheet(paper, side, side in shown, (hidden or {}).get(side))
            for side in (battle.attacker, battle.defender)
        ),
        reference=terms.reference(battle, figures),
        cards=terms.cards(battle),
        table=paper.table,
        minutes=paper.minutes,
        qr=qr_svg(occasion.address) if occasion.address else "",
        counted=COUNTED.format(rules=registry.get_ruleset(battle.ruleset).title) if paper.points else "",
    )


def typeset_pack(contents: Mapping[str, Any], paper: str) -> bytes:
    """A pack (`Pack.to_json`) as a PDF on "a4" or "letter"."""
    return render_pdf(TEMPLATE, {"pack": contents, "paper": PAPERS[paper]})


def qr_svg(address: str) -> str:
    """A QR code that opens an address, as SVG with the four modules of quiet about it."""
    code = segno.make(address, error="m", micro=False)
    made: str = code.svg_inline(omitsize=True, border=4, dark="#000000", light="#ffffff")
    return made.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)


class _SheetContext:
    """A battle and how its ruleset puts it on paper, for one size of figures."""

    def __init__(
        self, battle: BattleFile, rules: RulesetRules, figures: Figures, occasion: Occasion, whole: BattleFile
    ) -> None:
        self.figures, self.occasion = figures, occasion
        self.terms, self.telling, self.minutes = rules.sheets, rules.telling, rules.telling.minutes
        self.table = self.terms.table(battle, figures)
        there = {unit.id for unit in battle.units}
        every = rules.muster(whole) if rules.muster else ()
        mustered = [one for one in every if one.unit in there]
        self.pieces = {one.unit: one for one in pieces_of(whole, rules, every) if one.unit in there}
        # the enemy's are told by these: what a type is rated hangs on quality and traits besides
        self.types = {unit.id: troop_words(unit.troop_type) for unit in battle.units} if rules.muster else {}
        self.battle = _with_their_foot(pooled_file(battle, mustered), self.pieces.values())
        self.cards = rules.pooled(whole) if rules.pooled else {}
        self.points = {unit.unit: unit.points for unit in mustered}
        self.brigades = rules.brigades(battle, whole) if rules.brigades else ()
        here = replace(whole, units=tuple(unit for unit in whole.units if unit.id in there))
        ends = rules.endings
        self.endings = ends(here, figures, whole) if ends else self.terms.endings(here, figures)

    def sp(self, unit: BattleUnit) -> int:
        """SP a unit has on the table."""
        return self.points.get(unit.id, unit.sp)

    def kind(self, unit: BattleUnit, own: bool) -> str:
        """The kind of troops: a brigade by its card, the enemy's by the types of its units (HR-FOG-03)."""
        piece = self.pieces[unit.id]
        if piece.kind and (own or piece.goes_with):
            return piece.kind
        if self.types and not own:
            return join_names(dict.fromkeys(self.types[one] for one in piece.units))
        return self.terms.kind(unit, self.battle.options)

    def turns(self, turns: int) -> int:
        """Game turns of the rules that so many of the file's are, begun ones counted."""
        return self.telling.turns(turns)


def _with_their_foot(battle: BattleFile, pieces: Iterable[TablePiece]) -> BattleFile:
    """The battle with guns that go with others coming when these do."""
    along = {piece.unit: piece.goes_with for piece in pieces if piece.goes_with}
    comes = {unit.id: unit.arrives for unit in battle.units}
    return replace(
        battle,
        units=tuple(
            replace(unit, arrives=comes.get(along.get(unit.id, unit.id), unit.arrives))
            for unit in battle.units
        ),
    )


# --- the scenario sheet ---


def _list_facts(paper: _SheetContext) -> tuple[tuple[str, str], ...]:
    """The facts of the scenario sheet: date, length, weather, attacker."""
    battle, occasion = paper.battle, paper.occasion
    attacker, defender = battle.side_name(battle.attacker), battle.side_name(battle.defender)
    turns = paper.turns(battle.turns)
    length = f"{turns} game turns of {paper.minutes} minutes, {_format_hours(turns * paper.minutes)}"
    if occasion.minute is not None:
        begins, ends = format_clock(occasion.minute), format_clock(occasion.minute + turns * paper.minutes)
        length += f": from {begins} to {ends}"
    told = [
        ("When", occasion.date),
        ("Length", length),
        ("Weather", occasion.weather),
        ("Attacks", attacker),
        ("Stands", defender + (f", in {occasion.footing}" if occasion.footing else "")),
        ("First move", paper.table.first_move),
    ]
    return tuple((label, words) for label, words in told if words)


def format_clock(minute: int) -> str:
    """A minute of the day as people write it."""
    return f"{minute // 60 % 24}:{minute % 60:02d}"


def _format_hours(minutes: int) -> str:
    hours, rest = divmod(minutes, 60)
    parts = [f"{hours} hour{'s' if hours != 1 else ''}"] * bool(hours) + [f"{rest} minutes"] * bool(rest)
    return " ".join(parts)


# --- the ground ---


def _build_map_sheet(paper: _SheetContext, ground: BattleGround, shown: frozenset[str]) -> MapSheet:
    battle = paper.battle
    attacker, defender = battle.side_name(battle.attacker), battle.side_name(battle.defender)
    coming = _map_arrival_turns(paper, shown)
    entries = [
        ArrivalMark(
            _find_edge_middle(ground, side == battle.attacker),
            0 if side == battle.attacker else 180,
            _format_turns(turns),
        )
        for side, turns in coming.items()
    ]
    return MapSheet(
        svg=printed_ground(
            ground,
            near=f"{Subject(attacker):sets} out here",
            far=f"{Subject(defender):sets} out here",
            zone=FIRST_LINE,
            arrivals=entries,
            objective=battle.objective,
            inch=paper.table.inch,
        ),
        words=ground_caption(ground, paper.table.inch),
        sizes=_list_sizes(paper, ground),
        arrivals=tuple(_iter_arrivals(paper, shown)),
        set_out=_set_out(paper),
    )


def _find_edge_middle(ground: BattleGround, near: bool) -> tuple[float, float]:
    """The middle of a side's edge, where its late troops come on."""
    return ground.width / 2.0, 0.0 if near else ground.depth


def _map_arrival_turns(paper: _SheetContext, shown: frozenset[str]) -> dict[str, list[int]]:
    """Turns in which troops come on that the reader knows of, by side."""
    turns: dict[str, set[int]] = {}
    for unit in paper.battle.units:
        if unit.arrives > 0 and unit.side in shown:
            turns.setdefault(unit.side, set()).add(paper.turns(unit.arrives))
    return {side: sorted(found) for side, found in turns.items()}


def _format_turns(turns: list[int]) -> str:
    return f"turn{'s' if len(turns) > 1 else ''} {join_names(map(str, turns))}"


def _iter_arrivals(paper: _SheetContext, shown: frozenset[str]) -> Iterable[tuple[str, str]]:
    """Lines on arrivals: the turn, the troops and their edge."""
    battle, opens = paper.battle, paper.occasion.minute
    for side, turns in _map_arrival_turns(paper, shown).items():
        edge = "near" if side == battle.attacker else "far"
        for turn in turns:
            units = [
                unit.name
                for unit in battle.units
                if unit.side == side and unit.arrives > 0 and paper.turns(unit.arrives) == turn
            ]
            when = f"Turn {turn}" + (
                f", {format_clock(opens + (turn - 1) * paper.minutes)}" if opens is not None else ""
            )
            yield (
                when,
                f"{battle.side_name(side)}, {paper.table.late} of the {edge} edge: {join_names(units)}.",
            )


def _for_each_size(paper: _SheetContext) -> tuple[tuple[str, float], ...]:
    """Inches of the table for one of the file, for whom: once where the figures' size makes no difference."""
    inches = {size: paper.terms.table(paper.battle, size).inch for size in FIGURES}
    if len(set(inches.values())) == 1:
        return (("figures of any size", paper.table.inch),)
    return tuple((size.replace("mm", " mm figures"), inch) for size, inch in inches.items())


def _list_sizes(paper: _SheetContext, ground: BattleGround) -> tuple[tuple[str, str], ...]:
    """The table in inches and centimetres, for whom."""
    return tuple((size, _format_size(ground, inch)) for size, inch in _for_each_size(paper))


def _format_size(ground: BattleGround, inch: float) -> str:
    wide, deep = ground.width * inch, ground.depth * inch
    return (
        f"{wide:.3g} by {deep:.3g} inches, {wide * CENTIMETRES:.0f} by {deep * CENTIMETRES:.0f} cm; "
        f"a square of the grid is {12 * inch:g} inches, {12 * inch * CENTIMETRES:.1f} cm"
    )


def _set_out(paper: _SheetContext) -> tuple[str, ...]:
    battle = paper.battle
    attacker, defender = battle.side_name(battle.attacker), battle.side_name(battle.defender)
    far = join_names(f"{FIRST_LINE * inch:g} inches for {size}" for size, inch in _for_each_size(paper))
    return (
        f"{Subject(capitalize_first(defender)):sets} out from the far edge, {attacker} from the near one, "
        f"as far as the broken lines: {far}.",
        "Troops that come later wait off the table and come on in their side's turn, near the arrow.",
    )


# --- forces ---


def _build_force_sheet(paper: _SheetContext, side: str, own: bool, hidden: Hidden | None) -> ForceSheet:
    battle = paper.battle
    units = [unit for unit in battle.units if unit.side == side and unit.sp > 0]
    leaders = [leader for leader in battle.leaders if leader.side == side]
    heads = {
        unit: leader.name for leader in leaders if leader.rank == "brigadier" for unit in leader.commands
    }
    names = {unit.id: unit.name for unit in units}
    return ForceSheet(
        side=side,
        name=battle.side_name(side),
        role="attacker" if side == battle.attacker else "defender",
        own=own,
        units=tuple(_build_unit_sheet(paper, unit, heads.get(unit.id, ""), own) for unit in units),
        leaders=tuple(_build_leader_sheet(paper, one) for one in leaders) if own else (),
        sp=sum(paper.sp(unit) for unit in units),
        counted=describe_piece_count([piece for piece in paper.pieces.values() if piece.sp > 0], side),
        brigades=tuple(one for one in paper.brigades if one.side == side) if own else (),
        key=_list_blind_key(hidden, names) if hidden else (),
        hidden=hidden.told if hidden else "",
        turned_up=hidden.turned_up if hidden else "",
    )


def _list_blind_key(hidden: Hidden, names: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """The key to the blinds: each mark with the unit under it."""
    return tuple((blind.mark, names[blind.unit] if blind.unit else DUMMY) for blind in hidden.blinds)


def _build_unit_sheet(paper: _SheetContext, unit: BattleUnit, commander: str, own: bool) -> UnitSheet:
    options = paper.battle.options
    turn = paper.turns(unit.arrives)
    card = paper.cards.get(unit.id) if own else None
    return UnitSheet(
        id=unit.id,
        name=unit.name,
        kind=paper.kind(unit, own),
        formation=paper.occasion.formations.get(unit.formation, unit.formation),
        commander=commander,
        sp=paper.sp(unit),
        arrives="not known" if unit.arrives == UNKNOWN else f"turn {turn}" if turn else "at the start",
        terms=(card or paper.terms.unit_terms(unit, options, paper.figures)) if own else None,
        taken_whole=bool(paper.pieces[unit.id].goes_with),
    )


_ALL = "everything on the side"


def _describe_commands(
    battle: BattleFile, leader: BattleLeader, names: Mapping[str, str], formations: Mapping[str, str]
) -> str:
    """The troops a general commands: a whole formation by its name, else units or generals one by one."""
    told: list[str] = []
    of = {unit.id: unit.formation for unit in battle.units}
    for one in leader.commands:
        whole = {
            unit.id for unit in battle.units if unit.formation == of.get(one) and unit.side == leader.side
        }
        named = formations.get(of.get(one, ""), "")
        told.append(f"all of {named}" if named and whole <= set(leader.commands) else names.get(one, one))
    return join_names(told)


def _build_leader_sheet(paper: _SheetContext, leader: BattleLeader) -> LeaderSheet:
    battle = paper.battle
    names = {unit.id: unit.name for unit in battle.units} | {one.id: one.name for one in battle.leaders}
    first = next((unit for unit in battle.units if unit.id == leader.with_unit), None)
    starts = f"with {first.name}" if first else "free"
    if first is not None and first.arrives > 0:
        starts += f", who come on in turn {paper.turns(first.arrives)}"
    return LeaderSheet(
        id=leader.id,
        name=leader.name,
        terms=paper.terms.leader_terms(leader, battle.options, paper.figures),
        commands=_describe_commands(battle, leader, names, paper.occasion.formations) or _ALL,
        starts=starts,
    )
