"""Words that accounts and rolls share: names, counts, the hour."""

from battles.engine.events import GENERAL_KINDS, STRUCTURE_KINDS, Event
from battles.ground_words import NOUNS, figure
from battles.scenario import BattleFile


def counted(count: int, noun: str) -> str:
    """So many of something."""
    return f"{figure(count)} {noun}{'' if count == 1 else 's'}"


def capital(text: str) -> str:
    """The text with a capital at its beginning, the rest untouched."""
    return text[:1].upper() + text[1:]


def clock(turn: int) -> str:
    """Time since the first move, at ten minutes a game turn (AWI-T-SCA-02)."""
    hours, minutes = divmod(max(0, turn - 1) * 10, 60)
    return f"{hours} h {minutes:02d}"


class Names:
    """What units, generals and structures of a battle are called."""

    def __init__(self, battle: BattleFile) -> None:
        self._units = {unit.id: unit.name for unit in battle.units}
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
