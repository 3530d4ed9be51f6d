"""Words that accounts and rolls share: names, counts, the hour."""

import re
from collections.abc import Iterable, Sequence

from battles.engine.events import GENERAL_KINDS, STRUCTURE_KINDS, BattleEvent
from battles.files.schema import BattleFile, BattlePlan
from battles.grammar import is_plural as is_plural
from battles.ground.names import NOUNS, spell_number
from rosters.domain.vocabulary import TroopType


def format_count(count: int, noun: str) -> str:
    """So many of something."""
    return f"{spell_number(count)} {noun}{'' if count == 1 else 's'}"


def capitalize_first(text: str) -> str:
    """The text with a capital at its beginning, the rest untouched."""
    return text[:1].upper() + text[1:]


def format_possessive(name: str) -> str:
    """The possessive of a name: the Crown's, the Americans'."""
    return f"{name}'" if name.endswith("s") else f"{name}'s"


#: Names of peoples, with which types of troops begin.
PEOPLES = ("american", "british", "continental", "european", "loyalist")


def troop_words(troop_type: str) -> str:
    """A troop type as it stands beside a unit's name: "British light infantry", "rangers"."""
    if troop_type == TroopType.INDIANS:
        return "Native warriors"
    text = troop_type.replace("_", " ")
    return capitalize_first(text) if text.startswith(PEOPLES) else text


def is_guns(name: str) -> bool:
    """True for a unit that is called guns, whose guns need no telling: the redoubt's guns."""
    return "gun" in name.lower()


_MEANT = {
    "assault": "to assault",
    "turn_flank": "to turn the flank on {its} {flank}",
    "hold": "to hold {its} ground",
    "delay": "to fire and fall back",
    "withdraw": "to withdraw",
    "advance": "to walk straight at the enemy",
}


def describe_plan(plan: BattlePlan, side: str = "", turn: str = "") -> str:
    """The words for a side's plan, after "meant"; `turn` is the plan's as the rules count it."""
    its = "their" if is_plural(side) else "its"
    said = _MEANT[plan.kind].format(flank=plan.flank, its=its)
    if plan.boldness:
        said += " boldly" if plan.boldness > 0 else " warily"
    if plan.reserve_percent:
        said += f" with {plan.reserve_percent} % of the foot in reserve"
    if plan.until:
        when, then = turn or f"turn {plan.until}", _MEANT[plan.then].format(flank=plan.flank, its=its)
        said += f" and after {when} {then}"
    return said


#: Letters beyond which a name is told in full only once, and what ends its short form, the first found.
LONG = 24
_ENDS = (" of ", " (")


def _within_name(name: str, end: str) -> bool:
    """True where the first `end` does not close a name: "Prince of Wales's Americans"."""
    head, _, tail = name.partition(end)
    return end == " of " and (" " not in head or ("'" in tail and "'" not in head))


def short_names(names: Iterable[str]) -> dict[str, str]:
    """Short forms of long names by the full ones; none where a short form could mean another as well."""
    every = list(dict.fromkeys(names))
    short = {}
    for name in every:
        ends = [end for end in _ENDS if not _within_name(name, end)]
        heads = sorted({name.partition(end)[0] for end in ends} - {name}, key=len)
        clear = (head for head in heads if not any(one != name and one.startswith(head) for one in every))
        if len(name) > LONG and (head := next(clear, "")):
            short[name] = head
    return short


def shorten_names(paragraphs: Sequence[str], names: Iterable[str]) -> list[str]:
    """The paragraphs with each long name in full where it first comes, and short from then on."""
    short = short_names(names)
    if not short:
        return list(paragraphs)
    longest_first = sorted(short, key=len, reverse=True)
    pattern = re.compile("|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in longest_first))
    seen: set[str] = set()

    def shorten_name(found: re.Match[str]) -> str:
        name = found.group()
        if name in seen:
            return short[name]
        seen.add(name)
        return name

    return [pattern.sub(shorten_name, paragraph) for paragraph in paragraphs]


class BattleNames:
    """The names of units, generals and structures of a battle.

    Where its units are pieces of those of another battle file, `whole`, these have names too.
    """

    def __init__(self, battle: BattleFile, whole: BattleFile | None = None) -> None:
        self._units = {unit.id: unit.name for file in (whole, battle) if file for unit in file.units}
        self._generals = {leader.id: leader.name for leader in battle.leaders}
        self._works: dict[str, str] = {}
        for k, feature in enumerate(battle.ground.features if battle.ground else ()):
            for known in (feature.id, f"{feature.kind} {k + 1}"):
                self._works.setdefault(known, feature.name or f"the {NOUNS[feature.kind][0]}")

    def unit(self, id: str) -> str:
        return self._units.get(id, id)

    def general(self, id: str) -> str:
        return self._generals.get(id, id)

    def structure(self, id: str) -> str:
        return self._works.get(id) or id or "the work"

    def actor(self, event: BattleEvent) -> str:
        """The name of the actor: a unit, or a general who is by himself."""
        return self._units.get(event.actor) or self.general(event.actor)

    def target(self, event: BattleEvent) -> str:
        """To whom or what it is done, which the kind decides."""
        if event.kind in GENERAL_KINDS:
            return self.general(event.target)
        return self.structure(event.target) if event.kind in STRUCTURE_KINDS else self.unit(event.target)
