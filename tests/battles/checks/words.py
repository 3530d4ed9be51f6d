"""Troops and circumstances by the words of the worked checks; what is not known is not played."""

import re

from battles.engine.dtypes import OVER_OBSTACLE, OVER_WORKS
from battles.rulesets.awi import melee
from rosters.domain.vocabulary import GunClass, TroopType
from tests.battles.checks.common import Facts
from tests.worked_checks.read_whole import NotPlayable

TROOPS: dict[str, TroopType] = {
    **{kind.replace("_", " "): kind for kind in TroopType},
    "american battery": TroopType.AMERICAN_ARTILLERY,
    "american cavalry": TroopType.AMERICAN_LIGHT_CAVALRY,
    "any musket unit": TroopType.CONTINENTAL_LINE,
    "continental": TroopType.CONTINENTAL_LINE,
    "continental-type foot": TroopType.CONTINENTAL_LINE,
    "european battery": TroopType.EUROPEAN_ARTILLERY,
    "european cavalry": TroopType.EUROPEAN_LIGHT_CAVALRY,
}
#: Who charges, as the test of the charged sees them. Horse is close order too.
BY_HORSE = melee.BY_CAVALRY | melee.BY_CLOSE
CHARGERS = {
    "close order foot": melee.BY_CLOSE,
    "open order foot": 0,
    "light infantry": 0,
    "cavalry": BY_HORSE,
}
PLACES = {"a redoubt": melee.FORTIFIED, "building": melee.OBSTACLE, "a building": melee.OBSTACLE}
EDGES = {
    "front": 0,
    "flank": melee.IN_FLANK,
    "rear": melee.IN_REAR,
    "one charger in flank and another in rear": melee.IN_FLANK | melee.IN_REAR,
}
#: What a side of a melee does beside standing there.
MANNERS: dict[str, Facts] = {
    " charging a wall": {"over": OVER_OBSTACLE},
    " charging a redoubt": {"over": OVER_WORKS},
    " charging uphill": {"uphill": True},
    " column attacking over bridge, no overlap": {"column": True, "bridge": True},
    " in rear of continental": {},
    ", attacked in rear": {"turned": True},
    " (open order)": {},
}
_STRENGTH = re.compile(r"\b(\d)[- ]SP\b ?")


def read_troops(words: str) -> TroopType:
    """The type of troops by their words."""
    name = " ".join(words.lower().split())
    if name not in TROOPS:
        raise NotPlayable(f"no troops are called “{words}”")
    return TROOPS[name]


def read_strength(words: str) -> tuple[str, int]:
    """Words without the strength in them, and that; 5 SP where they do not say."""
    found = _STRENGTH.search(words)
    return _STRENGTH.sub("", words, count=1).strip(), int(found[1]) if found else 5


def read_charged(words: str) -> tuple[TroopType, int, int, bool]:
    """Who is charged: troops, strength, flags of how and where, and whether they are shaken."""
    plain, sp = read_strength(words)
    who, *rest = plain.split(", ")
    found = re.fullmatch(r"(.+?)(?: in ([a-z ]+?))?(?: (?:charged )?by ([a-z ]+?)(?: only)?)?", who)
    assert found is not None
    flags = CHARGERS["close order foot"]
    for word, known in ((found[3], CHARGERS), (found[2], PLACES)):
        if word is not None and word not in known:
            raise NotPlayable(f"“{words}”: “{word}” is not known")
    if found[3] is not None:
        flags = CHARGERS[found[3]]
    flags |= PLACES.get(found[2] or "", 0)
    for word in rest:
        if word not in EDGES and word != "shaken":
            raise NotPlayable(f"“{words}”: “{word}” is not known")
        flags |= EDGES.get(word, 0)
    return read_troops(found[1]), sp, flags, "shaken" in rest


def read_shot(words: str) -> tuple[TroopType, int, GunClass | None, str]:
    """Who shoots: troops, strength, gun and range band, which is short where it is not said.

    Of who is shot at only a dense wood matters here: type and strength of a target are given beside.
    """
    shooter, _, target = words.partition(" at ")
    shooter, sp = read_strength(re.sub(r", factor [+-]\d$", "", shooter))
    shooter = re.sub(r" ?\bin line$", "", shooter)
    band = re.search(r" ?\b(short|medium|long)(?: range)?$", shooter)
    shooter = shooter[: band.start()] if band else shooter
    tail = re.sub(r", before_loss$| with \d SP left$| in dense wood \(seen\)$", "", target)
    if tail and tail != "a wagon":
        read_troops(tail)
    if gun := re.fullmatch(r"(\w+) gun|(howitzer)", shooter.lower()):
        name = gun[1] or gun[2]
        if name not in list(GunClass):
            raise NotPlayable(f"“{words}”: no gun is called “{name}”")
        return TroopType.EUROPEAN_ARTILLERY, sp, GunClass(name), band[1] if band else "short"
    return read_troops(shooter), sp, None, band[1] if band else "short"


def read_fighter(words: str) -> Facts:
    """One side of a melee: its troops, and what it does or what is between it and the other."""
    lower = words.lower()
    manner = next((each for each in MANNERS if lower.endswith(each)), "")
    return {"troop_type": read_troops(lower.removesuffix(manner)), **MANNERS.get(manner, {})}
