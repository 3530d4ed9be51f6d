"""Odds as tables for a terminal: what the rules that were fought under can tell."""

from collections.abc import Sequence

from rich.box import SIMPLE
from rich.markup import escape
from rich.table import Table

from battles.files.schema import BattleFile, GeneralFate
from battles.odds.intervals import POINTS_STEP, Distribution, describe_interval, whole_shares
from battles.odds.odds import FightOdds, SideOdds
from battles.odds.ruleset_comparison import Figures, SideDescription
from battles.rulesets import registry

#: What stands in brackets.
BANDS = (
    "In brackets: 95 % intervals of the shares, and where nine fights in ten lie. Men lost are reckoned by "
    "each unit's men a strength point (SP), guns in SP alone."
)
#: What a general's fate is called where it is not its name.
_FATES = {"disabled": "wounded twice"}


def odds_tables(battle: BattleFile, found: FightOdds) -> list[Table]:
    """Result, sides, units and generals of a battle, each a table."""
    rules = registry.get_rules(found.ruleset)
    tables = [
        _build_result_table(battle.title, found),
        _build_sides_table(found, captures=rules.captures),
        _build_units_table(found),
    ]
    fates = rules.fates(battle.options)
    return tables if not found.generals else [*tables, _build_general_odds_table(found, fates)]


def comparison_table(
    title: str, sides: Sequence[SideDescription], systems: Sequence[tuple[str, Figures | str]]
) -> Table:
    """A battle under every ruleset: each by its title with its figures, or why it has none."""
    table = _start_table(title, "", *(escape(name) for name, _ in systems))
    labels = [f"the field is held by {side.name}" for side in sides] + ["by neither"]
    labels += [label for side in sides for label in (f"{side.name}: lost of {side.strength}", "")]
    labels += ["length", "", "fights"]
    columns = [
        _list_column_cells(found) if isinstance(found, Figures) else [""] * len(labels)
        for _, found in systems
    ]
    for label, *cells in zip(labels, *columns, strict=True):
        table.add_row(escape(label), *cells)
    refused = [f"{name}: {found}" for name, found in systems if isinstance(found, str)]
    table.caption = escape("\n".join([*refused, BANDS]))
    return table


def _list_column_cells(found: Figures) -> list[str]:
    """The cells under a ruleset's title."""
    ends = [end.told for end in found.ends]
    losses = [told for loss in found.losses for told in (loss.share, loss.men)]
    return [*ends, *losses, found.length, found.turns, f"{found.runs:,}"]


def _start_table(title: str, *columns: str) -> Table:
    table = Table(title=escape(title), box=SIMPLE, title_justify="left")
    for k, column in enumerate(columns):
        table.add_column(column, justify="left" if k == 0 else "right")
    return table


def _build_result_table(title: str, found: FightOdds) -> Table:
    attacker, defender = (side.name for side in found.sides)
    under = f"{title}, under {registry.get_ruleset(found.ruleset).title}"
    table = _start_table(under, "the field is held by", "of all battles, with 95 % interval")
    names = f"{escape(attacker)} (attacker)", "neither", f"{escape(defender)} (defender)"
    shares = found.win, found.draw, found.loss
    for name, share, percent in zip(names, shares, whole_shares(shares), strict=True):
        table.add_row(name, describe_interval(share, found.runs, percent))
    hours, minutes = divmod(round(found.turns.mean * 10), 60)
    table.caption = f"It lasts {hours} h {minutes:02d} on the average."
    return table


def _format_middle(found: Distribution) -> str:
    """The central 90 %."""
    return f"{found.percentile(5)} to {found.percentile(95)}"


def _build_sides_table(found: FightOdds, *, captures: bool) -> Table:
    too = ("captured too",) if captures else ()
    table = _start_table(
        "Strength points lost", "side", "of", "mean", "9 of 10 battles", *too, "campaign points"
    )
    for side in found.sides:
        table.add_row(*_list_side_cells(side, captures=captures))
    return table


def _list_side_cells(side: SideOdds, *, captures: bool) -> tuple[str, ...]:
    points = side.points.mean * POINTS_STEP
    captured = (f"{side.captured.mean:.1f}",) if captures else ()
    return (
        escape(side.name),
        str(side.sp),
        f"{side.lost.mean:.1f}",
        _format_middle(side.lost),
        *captured,
        f"{points:.0f}",
    )


def _build_units_table(found: FightOdds) -> Table:
    table = _start_table(
        "Units", "unit", "SP", "gone, mean", "9 of 10 battles", "destroyed", "left the field"
    )
    for unit in found.units:
        table.add_row(
            escape(unit.name),
            str(unit.sp),
            f"{unit.gone.mean:.1f}",
            _format_middle(unit.gone),
            f"{unit.destroyed.value:.0%}",
            f"{unit.left_table.value:.0%}",
        )
    return table


def _build_general_odds_table(found: FightOdds, fates: Sequence[GeneralFate]) -> Table:
    table = _start_table("Generals", "general", *(_FATES.get(fate, fate) for fate in fates))
    for one in found.generals:
        table.add_row(escape(one.name), *(f"{getattr(one, fate).value:.1%}" for fate in fates))
    return table
