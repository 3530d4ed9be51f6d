"""Words that accounts and rolls share: names, counts, the hour."""

import re
from collections.abc import Iterable, Sequence

from battles.engine.events import GENERAL_KINDS, STRUCTURE_KINDS, Event
from battles.ground_words import NOUNS, figure
from battles.scenario import BattleFile, Plan
from rosters.domain.vocabulary import TroopType


def counted(count: int, noun: str) -> str:
    """So many of something."""
    return f"{figure(count)} {noun}{'' if count == 1 else 's'}"


def capital(text: str) -> str:
    """The text with a capital at its beginning, the rest untouched."""
    return text[:1].upper() + text[1:]


def possessive(name: str) -> str:
    """Whose something is: the Crown's, the Americans'."""
    return f"{name}'" if name.endswith("s") else f"{name}'s"


#: Names of peoples, with which types of troops begin.
PEOPLES = ("american", "british", "continental", "european", "loyalist")


def troop_words(troop_type: str) -> str:
    """A troop type as it stands beside a unit's name: "British light infantry", "rangers"."""
    if troop_type == TroopType.INDIANS:
        return "Native warriors"
    text = troop_type.replace("_", " ")
    return capital(text) if text.startswith(PEOPLES) else text


#: What a name goes on with after its chief word: "Garrison of Fort Lee", "Posts about Amboy".
_TAIL = re.compile(r" \(| (?:of|about|with|under|from|at|in|near) ")
#: Chief words of names in the plural that have no s, and in the singular that have one.
_PLURAL = re.compile(r"(?:[a-z]*men|bateaux|foot guards|abenaki|cayuga|mississauga|mohawk|oneida|seneca)$")
_SINGULAR = re.compile(r"(?:ss|us|is|'s|corps|massachusetts)$")
#: Persons whose name ends like a plural, for a body may be called by its general's name alone.
_PERSON = re.compile(
    r"\b(?:adams|ames|barnes|brooks|chambers|charles|collins|daniels|edwards|evans|fellows|gates|hawkins|"
    r"higgins|hughes|jacobs|james|jenkins|jones|matthews|mathews|myers|nichols|parsons|perkins|peters|phillips|"
    r"rawlings|roberts|rogers|sanders|saunders|simmons|simonds|stephens|stevens|waters|watkins|williams)$"
)
#: Names of two bodies that share one noun: "1st and 3rd New York", "Cayuga and Onondaga".
_PAIR = re.compile(r"\d+(?:st|nd|rd|th) and \d|(?:Cayuga|Oneida|Abenaki|Seneca) and ")


def is_plural(name: str) -> bool:
    """True for a name that is spoken of as several: the Americans, Provincials and Canadians.

    A part named behind a comma counts alone: "16th Light Dragoons, first wing" is one.
    """
    if _PAIR.match(name):
        return True
    chief = name.strip().rpartition(", ")[2] if "(" not in name else name
    chief = _TAIL.split(chief)[0].strip().lower()
    parts = [chief, *chief.split(" and ")[:-1]]  # "Grenadiers and Light Infantry"
    return any(_is_several(part) for part in parts)


def _is_several(words: str) -> bool:
    if _PLURAL.search(words):
        return True
    return words.endswith("s") and not _SINGULAR.search(words) and not _PERSON.search(words)


#: Words said of one, and of several.
_OF_SEVERAL = {
    "is": "are", "has": "have", "was": "were", "does": "do", "goes": "go",
    "its": "their", "itself": "themselves",
}  # fmt: skip


def said_of_several(words: str) -> str:
    """What is said of one, as it is said of several: a verb comes first and after each "and"."""
    found = words.split(" ")
    said = []
    for before, word in zip(["and", *found], found, strict=False):
        if word in _OF_SEVERAL:
            word = _OF_SEVERAL[word]
        elif before == "and":
            word = re.sub(r"(?<=ch|sh|ss)es$|(?<=[^s])s$", "", re.sub(r"ies$", "ys", word))
        said.append(word)
    return " ".join(said)


class Subject(str):
    """A name that a sentence is about: `{name:arrives}` gives name and verb, agreeing in number.

    `{name:+halts}` gives the verb alone, for a second one; `{name}` is the name as ever.
    """

    __slots__ = ()

    def __format__(self, spec: str) -> str:
        if not spec:
            return str(self)
        words = spec.removeprefix("+")
        said = said_of_several(words) if is_plural(self) else words
        return said if spec.startswith("+") else f"{self} {said}"


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


def plan_told(plan: Plan, side: str = "", turn: str = "") -> str:
    """What a side of that name means to do, after "meant"; `turn` is the plan's as the rules count it."""
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


def told_shorter(paragraphs: Sequence[str], names: Iterable[str]) -> list[str]:
    """The paragraphs with each long name in full where it first comes, and short from then on."""
    short = short_names(names)
    if not short:
        return list(paragraphs)
    longest_first = sorted(short, key=len, reverse=True)
    pattern = re.compile("|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in longest_first))
    seen: set[str] = set()

    def told(found: re.Match[str]) -> str:
        name = found.group()
        if name in seen:
            return short[name]
        seen.add(name)
        return name

    return [pattern.sub(told, paragraph) for paragraph in paragraphs]


class Names:
    """What units, generals and structures of a battle are called.

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

    def actor(self, event: Event) -> str:
        """Who does it: a unit, or a general who is by himself."""
        return self._units.get(event.actor) or self.general(event.actor)

    def target(self, event: Event) -> str:
        """To whom or what it is done, which the kind decides."""
        if event.kind in GENERAL_KINDS:
            return self.general(event.target)
        return self.structure(event.target) if event.kind in STRUCTURE_KINDS else self.unit(event.target)
