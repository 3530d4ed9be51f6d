"""One battle under several rulesets: a file as each of them takes it, and their odds in the same measures.

Plain Python: odds are those of `odds_json.py`, wherever they were worked out.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from battles.files.other_rulesets import document_under
from battles.files.reading import battle_from_json
from battles.files.schema import BattleFile
from battles.odds.intervals import Interval, describe_interval, whole_shares
from battles.replay.event_text import FILE_MINUTES
from battles.strength_conversion import count_guns, men_per_sp

#: Men lost are told to so many: a strength point is up to fifty.
NEAREST_MEN = 10


@dataclass(frozen=True, slots=True)
class EndChance:
    """The chance of an end, of 100: `percent` between `low` and `high`, and in words."""

    name: str
    told: str
    percent: float
    low: float
    high: float

    @property
    def band(self) -> float:
        """The width of the interval, in percent."""
        return round(self.high - self.low, 1)


@dataclass(frozen=True, slots=True)
class SideLosses:
    """The losses of a side, captured ones too, each as its mean and the range of nine fights in ten.

    `share` is percent of its strength points; `men` are foot and horse, by each unit's men a strength point,
    "" for a side that has none. `of` is how strong it came.
    """

    side: str
    of: str
    share: str
    men: str


@dataclass(frozen=True, slots=True)
class Figures:
    """The odds of a battle in measures that all rulesets share.

    `ends` are that the attacker, the defender, or neither holds the field, `losses` the attacker's and the
    defender's. `length` is in hours and minutes of the battle, `turns` in the ruleset's own.
    """

    runs: int
    asked: int
    ends: tuple[EndChance, ...]
    losses: tuple[SideLosses, ...]
    length: str
    turns: str

    @property
    def fights(self) -> str:
        """The number of fights counted, with the number asked for where that differs: 370 of 1,000."""
        return f"{self.runs:,}" + (f" of {self.asked:,}" if self.runs != self.asked else "")


@dataclass(frozen=True, slots=True)
class SideDescription:
    """A side as the file has it: its name, and how strong it comes."""

    name: str
    strength: str


def file_under(
    document: Mapping[str, Any], ruleset: str, options: Mapping[str, Any] | None = None
) -> tuple[BattleFile, list[str]]:
    """The battle of a document under a ruleset, with a sentence on each thing of it that is left out.

    `options` take the place of those the ruleset knows of the file's. Raises BattleFileError for what it
    cannot fight.
    """
    made, left_out = document_under(document, ruleset)
    return battle_from_json(made if options is None else {**made, "options": dict(options)}), left_out


def build_side_descriptions(battle: BattleFile) -> tuple[SideDescription, SideDescription]:
    """Attacker and defender with their men, guns and strength points."""
    attacker, defender = battle.attacker, battle.defender
    return _build_side_description(battle, attacker), _build_side_description(battle, defender)


def _build_side_description(battle: BattleFile, side: str) -> SideDescription:
    units = [unit for unit in battle.units if unit.side == side]
    men, guns = sum(unit.sp * men_per_sp(unit) for unit in units), sum(count_guns(unit) for unit in units)
    told = [f"{men:,} men"] * bool(men) + [f"{guns} gun{'s' if guns != 1 else ''}"] * bool(guns)
    sp = f"{sum(unit.sp for unit in units)} SP"
    return SideDescription(battle.side_name(side), ", ".join([*told, sp]))


def build_figures(battle: BattleFile, found: Mapping[str, Any], minutes: int) -> Figures:
    """Odds of a battle in those measures, of a ruleset whose turn has so many `minutes`."""
    runs = found["runs"]
    names = [*(battle.side_name(side) for side in (battle.attacker, battle.defender)), "neither"]
    shares = [Interval(**found[end]) for end in ("win", "loss", "draw")]
    told = zip(names, shares, whole_shares(shares), strict=True)
    return Figures(
        runs=runs,
        asked=found["asked"],
        ends=tuple(_build_chance(name, share, runs, percent) for name, share, percent in told),
        losses=tuple(_build_losses(battle, side, found["units"]) for side in found["sides"]),
        length=_format_length(found["turns"]),
        turns=_format_turns(found["turns"], minutes),
    )


def _build_chance(name: str, share: Interval, runs: int, percent: int) -> EndChance:
    low, high = (round(100 * each, 1) for each in (share.low, share.high))
    return EndChance(name, describe_interval(share, runs, percent), round(100 * share.value, 1), low, high)


def _build_losses(
    battle: BattleFile, side: Mapping[str, Any], units: Sequence[Mapping[str, Any]]
) -> SideLosses:
    """Men are reckoned unit by unit; where nine fights in ten lie, as the strength points do."""
    gone, sp = side["gone"], max(1, side["sp"])
    per_sp = {unit.id: men_per_sp(unit) for unit in battle.units}
    men = sum(unit["gone"]["mean"] * per_sp[unit["id"]] for unit in units if unit["side"] == side["id"])
    there = any(per_sp[unit["id"]] and unit["sp"] for unit in units if unit["side"] == side["id"])
    each = men / gone["mean"] if gone["mean"] else 0.0
    share = [100 * value / sp for value in (gone["mean"], gone["p5"], gone["p95"])]
    scaled = [
        NEAREST_MEN * round(value / NEAREST_MEN) for value in (men, each * gone["p5"], each * gone["p95"])
    ]
    return SideLosses(
        side["name"],
        _build_side_description(battle, side["id"]).strength,
        _format_spread(*share, unit=" % of SP"),
        _format_spread(*scaled, unit=" men") if there else "",
    )


def _format_spread(mean: float, low: float, high: float, *, unit: str) -> str:
    """A mean, and where nine fights in ten lie unless they all agree."""
    ends = (f"{low:,.0f}", f"{high:,.0f}")
    return f"{mean:,.0f}{unit}" + (f" ({ends[0]} to {ends[1]})" if ends[0] != ends[1] else "")


def _format_length(turns: Mapping[str, Any]) -> str:
    mean, low, high = (_format_duration(turns[key] * FILE_MINUTES) for key in ("mean", "p5", "p95"))
    return mean + (f" ({low} to {high})" if low != high else "")


def _format_duration(minutes: float) -> str:
    """Minutes as hours and minutes, to the nearest five: 1 h 20."""
    hours, rest = divmod(5 * round(minutes / 5), 60)
    return f"{hours} h {rest:02d}" if hours else f"{rest} min"


def _format_turns(turns: Mapping[str, Any], minutes: int) -> str:
    """The file's turns as those of rules whose turn has so many minutes."""
    mean, low, high = (turns[key] * FILE_MINUTES / minutes for key in ("mean", "p5", "p95"))
    unit = " turn" if f"{mean:,.0f}" == "1" else " turns"
    return f"{_format_spread(mean, low, high, unit=unit)} of {minutes} minutes"
