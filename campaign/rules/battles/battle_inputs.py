"""A battle as it is fought: the file frozen when it opened, with plans chosen and what the umpire adjusted.

Pure: rows of the database and lines of an archive alike. A fight too big for the table is two files, the
sector that is fought there and the rest (HR-TAB-14).
"""

import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Protocol

from battles.errors import BattleFileError
from battles.files.other_rulesets import adapt_document, options_of
from battles.files.reading import decode_battle, decode_value
from battles.files.schema import BattleFile
from battles.rulesets import registry
from battles.rulesets.rules import RulesetRules
from battles.strength_conversion import ConvertedStrength
from battles.table_pieces import TablePiece, list_piece_groups, piece_alone, pieces_of

File = Mapping[str, Any]

#: The option of rulesets in which rain spoils muskets (HR-WEA-04).
RAIN = "rain_on_muskets"
#: Options that the facts of a battle's day set, and nobody chooses (HR-BAT-13).
FACTS = ("year", RAIN)
#: What a stored settlement has beside its own where strength is counted in points: how units stood.
MUSTER = "muster"


class StoredBattle(Protocol):
    """The columns of a battle in the database that are read here."""

    inputs: Any
    plans: Any
    adjusted: Any
    ruleset: Any
    sector: Any


def apply_plans(file: File, plans: Mapping[str, Any]) -> dict[str, Any]:
    """A frozen battle file with the plans that commanders chose in place of the usual (HR-BAT-09)."""
    return {**file, "plans": {**file.get("plans", {}), **plans}}


def file_final(
    inputs: Mapping[str, Any],
    plans: Mapping[str, Any],
    adjusted: Sequence[Mapping[str, Any]],
    ruleset: str = "",
) -> dict[str, Any]:
    """The frozen battle file under its rules, with the plans chosen and the adjustments in order (HR-TAB-12).

    A plan the umpire laid down goes before the commander's. Rules chosen for this battle alone have the
    campaign's options as they were then, and what they know of the facts of its day.
    """
    made = apply_plans(inputs["file"], plans)
    if ruleset:
        chosen = inputs.get("options", {}).get(ruleset, {})
        made = _apply_ruleset(made, ruleset, chosen, inputs.get("facts", {}))
    for one in adjusted:
        if "back" not in one:  # it has been taken back
            made = apply_adjustment(made, one["changes"])
    return made


def _apply_ruleset(
    file: dict[str, Any], ruleset: str, chosen: Mapping[str, Any], facts: Mapping[str, int]
) -> dict[str, Any]:
    """A file under other rules: options chosen for those it was opened under are none of theirs."""
    if find_ruleset(ruleset) is None:
        return {**file, "ruleset": ruleset, "options": {}}
    of_day = {name: value for name, value in file.get("options", {}).items() if name in FACTS}
    options = {**of_day, **chosen, **options_of(ruleset, facts)}
    made, _ = adapt_document({**file, "options": options}, ruleset)
    return made


def find_ruleset(ruleset: str) -> RulesetRules | None:
    """A ruleset, or None: an archive may name one that is not installed."""
    try:
        return registry.get_rules(ruleset)
    except BattleFileError:
        return None


def file_now(battle: StoredBattle, *, plans: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """A battle's file as it stands, with `plans` in place of those chosen where they are given."""
    chosen = battle.plans if plans is None else plans
    return file_final(battle.inputs, chosen, battle.adjusted, battle.ruleset)


def options_under(
    battle: StoredBattle, ruleset: str, facts: Mapping[str, int], chosen: Mapping[str, Any]
) -> dict[str, Any]:
    """The options a battle has, or would have were it fought under that ruleset (HR-BAT-13).

    `facts` are those of its day, `chosen` the campaign's options of that ruleset: a battle keeps both only
    once other rules were chosen for it.
    """
    kept = battle.inputs.get("options", {}) if ruleset == battle.ruleset else {ruleset: chosen}
    inputs = {**battle.inputs, "facts": facts, "options": kept}
    other = "" if ruleset == battle.inputs["file"]["ruleset"] else ruleset
    return dict(file_final(inputs, {}, battle.adjusted, other).get("options", {}))


def ruleset_of(battle: StoredBattle) -> str:
    """The tactical rules a battle is fought under: its own, or those it was opened under."""
    return str(battle.ruleset or battle.inputs["file"]["ruleset"])


def knows_rain(ruleset: str) -> bool:
    """True when a ruleset has rules for rain on muskets (HR-WEA-04)."""
    rules = find_ruleset(ruleset)
    return rules is not None and RAIN in rules.options


Muster = Callable[[BattleFile], Iterable[ConvertedStrength]]


def _as_text(file: File) -> str:
    return json.dumps(file, sort_keys=True)


@lru_cache(maxsize=8)
def battle_of(text: str) -> BattleFile:
    """The battle of a frozen battle file given as text: a page asks for it and its muster several times."""
    return decode_battle(json.loads(text))


@lru_cache(maxsize=8)
def _muster_battle(text: str, muster: Muster) -> tuple[ConvertedStrength, ...]:
    return tuple(muster(battle_of(text)))


@lru_cache(maxsize=8)
def _build_pieces(text: str, muster: Muster) -> tuple[TablePiece, ...]:
    battle = battle_of(text)
    return pieces_of(battle, registry.get_rules(battle.ruleset), _muster_battle(text, muster))


def muster_units(file: File, sector: Collection[str] = ()) -> dict[str, ConvertedStrength]:
    """Return the strength of units by id under rules that count it in points of their own; {} under other
    rules.

    Of a fight that is split those of its sector, as `file_mustering` has them.
    """
    rules = find_ruleset(file["ruleset"])
    if rules is None or rules.muster is None:
        return {}
    found = _muster_battle(_as_text(file_mustering(file, sector)), rules.muster)
    return {one.unit: one for one in found if not sector or one.unit in sector}


def by_unit(mustered: Iterable[ConvertedStrength]) -> dict[str, ConvertedStrength]:
    """The same by every unit's id, also of those that stand as one with others."""
    return {unit: one for one in mustered for unit in one.units}


def pieces_on_table(file: File, sector: Collection[str] = ()) -> tuple[TablePiece, ...]:
    """List the table's pieces: units that stand as one, and their strength (HR-BAT-13); else each unit alone.

    Of a fight that is split those of its sector, as `file_mustering` has them.
    """
    if sector:
        pieces = pieces_on_table(file_mustering(file, sector))
        return tuple(piece for piece in pieces if piece.unit in sector)
    rules = find_ruleset(file["ruleset"])
    if rules is None or rules.muster is None:
        return tuple(piece_alone(one["id"], one["side"], one["sp"]) for one in file["units"])
    return _build_pieces(_as_text(file), rules.muster)


def read_settlement_muster(settlement: Mapping[str, Any]) -> dict[str, ConvertedStrength]:
    """Return the strength of units by id as it was stored with a settlement."""
    found: tuple[ConvertedStrength, ...] = decode_value(
        tuple[ConvertedStrength, ...], settlement.get(MUSTER, ())
    )
    return {one.unit: one for one in found}


def apply_adjustment(file: File, changes: Mapping[str, Any]) -> dict[str, Any]:
    """A battle file with one adjustment: ground and cover, rain, turns of arrival, plans.

    Rain falls on no muskets under rules that do not know it.
    """
    made = {**file, **{key: changes[key] for key in ("ground", "cover") if key in changes}}
    if "rain" in changes and knows_rain(file["ruleset"]):
        options = {key: value for key, value in file.get("options", {}).items() if key != RAIN}
        made["options"] = {**options, **({RAIN: changes["rain"]} if changes["rain"] else {})}
    if "plans" in changes:
        made = apply_plans(made, changes["plans"])
    if "arrives" in changes:
        turns = changes["arrives"]
        made["units"] = [
            {**unit, "arrives": turns.get(unit["id"], unit["arrives"])} for unit in made["units"]
        ]
        made["leaders"] = [_led_there(leader, made["units"]) for leader in made.get("leaders", ())]
    return made


def _led_there(leader: Mapping[str, Any], units: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """A general whose command comes up later comes with the first of it; else he is there and free."""
    arrives = {unit["id"]: unit["arrives"] for unit in units}
    own = [key for key in leader["commands"] if key in arrives]
    kept = leader.get("with_unit", "")
    if own:
        first = min(own, key=lambda key: arrives[key])
        kept = first if arrives[first] else ""
    elif kept and not arrives.get(kept, 0):
        kept = ""
    return {**leader, "with_unit": kept}


# --- a fight in two parts (HR-TAB-14) ---


def file_part(file: File, units: Collection[str], leaders: Collection[str]) -> dict[str, Any]:
    """The fight of some of the units under some of the generals, on the same ground."""
    own = [unit for unit in file["units"] if unit["id"] in units]
    staff = [
        {**one, "commands": [key for key in one["commands"] if key in units or key in leaders]}
        for one in file.get("leaders", ())
        if one["id"] in leaders
    ]
    return {
        **file,
        "units": own,
        "leaders": [_led_there(_free_absent_leader(one, units), own) for one in staff],
    }


def _free_absent_leader(leader: Mapping[str, Any], units: Collection[str]) -> Mapping[str, Any]:
    """A general whose unit is in the other part is free."""
    return leader if leader.get("with_unit", "") in units else {**leader, "with_unit": ""}


def leaders_with(file: File, units: Collection[str]) -> frozenset[str]:
    """The generals who go with some of the units: where most of a command is, there its general is.

    Of equal parts he is with these; a senior goes with most of his brigadiers, a commander in chief stays.
    """
    leaders = file.get("leaders", ())
    here = {
        one["id"]
        for one in leaders
        if one["rank"] == "brigadier" and _is_majority_here(one["commands"], units)
    }
    seniors = {
        one["id"] for one in leaders if one["rank"] == "senior" and _is_majority_here(one["commands"], here)
    }
    chiefs = {one["id"] for one in leaders if one["rank"] == "commander_in_chief"}
    return frozenset(here | seniors | chiefs)


def _is_majority_here(commands: Sequence[str], here: Collection[str]) -> bool:
    return 2 * sum(key in here for key in commands) >= len(commands)


def file_of_sector(file: File, sector: Collection[str]) -> dict[str, Any]:
    """Return the battle file for the table: the whole battle, or the sector of a split one."""
    return file_part(file, sector, leaders_with(file, sector)) if sector else dict(file)


def file_mustering(file: File, sector: Collection[str]) -> File:
    """The file by which who fights on the table is mustered: that of the whole fight.

    A sector that cuts a brigade which stands as one is mustered by itself: only earlier versions split a
    fight so, and what was entered of it counts in these points.
    """
    bodies = list_piece_groups(pieces_on_table(file))
    cut = any(0 < sum(unit in sector for unit in body.units) < len(body.units) for body in bodies)
    return file_of_sector(file, sector) if cut else file


def file_of_rest(file: File, sector: Collection[str]) -> dict[str, Any] | None:
    """Return the battle file that the engine fights beside the table; None when it is empty or a side has
    no unit there.
    """
    if not sector:
        return None
    rest = {unit["id"] for unit in file["units"]} - set(sector)
    staff = {one["id"] for one in file.get("leaders", ())} - leaders_with(file, sector)
    sides = {unit["side"] for unit in file["units"] if unit["id"] in rest}
    return file_part(file, rest, staff) if len(sides) > 1 else None
