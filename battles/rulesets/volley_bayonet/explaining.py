"""Causes that events tell only beside each other: of lost order, of a card's owner, of a card's die.

A stand that loses its order is recorded without a cause. It is told where the events about it leave no
other: of who loses it as he marches, out of command or in bad ground alike, nothing is said. No numba here.
"""

from collections.abc import Sequence
from dataclasses import replace

from battles.engine.events import STEPS, BattleEvent
from battles.files.schema import BattleFile
from battles.rulesets.volley_bayonet.deck import BY_NUMBER
from battles.rulesets.volley_bayonet.positions import unit_id
from battles.rulesets.volley_bayonet.scales import RulesetScale
from battles.rulesets.volley_bayonet.strength import convert_strengths
from battles.rulesets.volley_bayonet.tables import MARSH
from battles.strength_conversion import is_leading
from rosters.domain.vocabulary import TroopType

#: Causes that are the doing of the stand named as the target.
FRIENDS, COMRADES, COLLAPSE = "friends", "comrades", "collapse"
BY_OTHERS = frozenset({FRIENDS, COMRADES, COLLAPSE})
#: Letters of the combat step, and of all in which troops do not move as they please.
_COMBAT = STEPS[6]
_UNMOVED = frozenset({STEPS[4], _COMBAT, STEPS[7]})
#: What comes of checks, melees and collapses before those who have routed or lost go back.
_SETTLED = frozenset({"shaken", "routs", "sp_lost", "eliminated"})
_RUNS = frozenset({"rout_move", "retire"})
#: What befalls a whole brigade.
_BRIGADES = frozenset({"exhausted", "collapse_die", "collapses"})
#: Cards whose die is for officers (VBW-CRD-11, VBW-CRD-41), for a commander (16), for inches (17, 18).
_OFFICERS, _SHARPSHOOTERS, _SLOWER, _FASTER = (11, 41), 16, 17, 18
#: Cards that restore order (VBW-CRD-29, VBW-CRD-30).
_ORDER = (29, 30)
#: Scores of sharpshooters that miss, and that only bring down a horse (VBW-CRD-16).
_MISSED, _UNHORSED = 2, 4


def explain_events(
    battle: BattleFile, events: Sequence[BattleEvent], scale: RulesetScale
) -> list[BattleEvent]:
    """The events in their order, with what each tells only beside the others as its result.

    Cards and their dice have the rule of the card, and of a commander's wound the turns it costs as total.
    What befalls a brigade has its brigadier as the target, where it has one.
    """
    causes = _DisorderCauses(battle, scale, events)
    told: list[BattleEvent] = []
    card, dice = 0, 0
    for number, event in enumerate(events):
        if event.kind == "shaken":
            event = causes.with_cause(number)
        elif event.kind in _BRIGADES:
            event = replace(event, target=causes.brigadiers.get(unit_id(event.actor), ""))
        elif event.kind == "card":
            card, dice = event.total, 0
            event = replace(event, result=str(card), rule=BY_NUMBER[card].rule)
        elif event.kind == "card_die" and card:
            event, dice = _explain_card_die(event, card, dice), dice + 1
        elif event.kind == "recovers" and told and _is_restored_by_card(told[-1], event):
            event = replace(event, rule=told[-1].rule)
        told.append(event)
    return told


def _is_restored_by_card(before: BattleEvent, event: BattleEvent) -> bool:
    """True when a card restored order: right after the card, or after another stand of the unit."""
    if not _is_same_step(before, event) or unit_id(before.actor) != unit_id(event.actor):
        return False
    if before.kind == "card":
        return int(before.result) in _ORDER
    return before.kind == "recovers" and before.rule in {BY_NUMBER[card].rule for card in _ORDER}


def _explain_card_die(event: BattleEvent, card: int, before: int) -> BattleEvent:
    """The die of a card, so many of which have fallen before it, with what it means."""
    rule = BY_NUMBER[card].rule
    if card in _OFFICERS:
        return replace(event, rule=rule, result="officers" if event.result == "passes" else "no_officer")
    if card == _SHARPSHOOTERS:
        if before:
            return replace(event, rule=rule, result="out", total=(event.dice[0] + 1) // 2)
        score = event.dice[0]
        result = "missed" if score <= _MISSED else "unhorsed" if score <= _UNHORSED else "struck"
        return replace(event, rule=rule, result=result)
    return replace(event, rule=rule, result={_SLOWER: "slower", _FASTER: "faster"}.get(card, event.result))


class _DisorderCauses:
    """Causes for which stands of a battle lost their order."""

    def __init__(self, battle: BattleFile, scale: RulesetScale, events: Sequence[BattleEvent]) -> None:
        self.events = events
        self.sides = {unit.id: unit.side for unit in battle.units}
        self.natives = {unit.id for unit in battle.units if unit.troop_type is TroopType.INDIANS}
        options = scale.options_resolve(battle.options)
        self.brigades = {one.unit: one.brigade for one in convert_strengths(battle, options) if one.brigade}
        self.brigadiers = {
            unit.id: leader.id
            for leader in reversed(battle.leaders)
            if leader.rank == "brigadier"
            for unit in battle.units
            if is_leading(leader, unit)
        }

    def with_cause(self, number: int) -> BattleEvent:
        """The event with its cause, and with whose doing it was; as it is where the cause is not certain."""
        event = self.events[number]
        own = self._of_its_own(number)
        if own:
            return replace(event, result=own)
        if event.step not in _UNMOVED:
            return event
        if self._has_failed_check(number):
            return replace(event, result="check")
        if (one := self._find_collapse(number)) is not None:
            return replace(event, result=COLLAPSE, target=one.actor)
        one = self._ran(number)
        if one is not None and one.actor == event.actor:
            return replace(event, result="melee") if self._has_lost_melee(number) else event
        if one is not None and self._side(one) == self._side(event):
            comrade = unit_id(one.actor) == unit_id(event.actor)
            return replace(event, result=COMRADES if comrade else FRIENDS, target=one.actor)
        return event

    def _of_its_own(self, number: int) -> str:
        """The cause that an event of the same stand right before or after tells."""
        event = self.events[number]
        before = self.events[number - 1] if number else None
        if before is not None and _is_same_step(before, event) and before.actor == event.actor:
            if before.kind == "marsh_die" and _is_disordering_total(before.total):
                return "marsh"  # VBW-TER-09
            if before.kind == "fence_die" and before.result == "fails":
                return "fence"  # VBW-TER-20
            if before.kind == "breakthrough":
                return "breakthrough"  # VBW-BRK-01
            if before.kind == "morale_check" and before.result == "fails":
                return "check"  # VBW-MOR-05
        after = self.events[number + 1] if number + 1 < len(self.events) else None
        if after is not None and _is_same_step(after, event) and after.actor == event.actor:
            if after.kind in ("enters_building", "leaves_building"):
                return "building"  # VBW-TER-41
            if after.kind == "occupy" and event.step == _COMBAT:
                return "ground"  # VBW-TER-02, VBW-MEL-12
        return ""

    def _has_failed_check(self, number: int) -> bool:
        """True when the stand's last check of this step failed and nobody has run since.

        A charge of Native Americans that fails costs them no order (VBW-NAT-01).
        """
        event = self.events[number]
        for before in reversed(self.events[:number]):
            if not _is_same_step(before, event) or before.kind in _RUNS:
                return False
            if before.kind == "morale_check" and before.actor == event.actor:
                return before.result == "fails" and not self._native_charge(number)
        return False

    def _native_charge(self, number: int) -> bool:
        event = self.events[number]
        if unit_id(event.actor) not in self.natives:
            return False
        for before in reversed(self.events[:number]):
            if (before.turn, before.side) != (event.turn, event.side):
                return False
            if before.kind == "charge" and before.actor == event.actor:
                return True
        return False

    def _find_collapse(self, number: int) -> BattleEvent | None:
        """The collapse of the stand's own brigade right before it, when nobody has run since (VBW-COL-06)."""
        event = self.events[number]
        for before in reversed(self.events[:number]):
            if not _is_same_step(before, event) or before.kind not in _SETTLED | {"collapses"}:
                return None
            if before.kind == "collapses":
                brigade = self.brigades.get(unit_id(before.actor))
                return before if brigade and brigade == self.brigades.get(unit_id(event.actor)) else None
        return None

    def _ran(self, number: int) -> BattleEvent | None:
        """The run or retreat right after: its own, or one through it by a friend (VBW-MOR-07, VBW-MEL-06)."""
        event = self.events[number]
        for after in self.events[number + 1 :]:
            if not _is_same_step(after, event):
                return None
            if after.kind in _RUNS:
                return after
            if after.kind not in _SETTLED:
                return None
        return None

    def _has_lost_melee(self, number: int) -> bool:
        """True when the stand has lost a melee in this step (VBW-MEL-04)."""
        event = self.events[number]
        for before in reversed(self.events[:number]):
            if not _is_same_step(before, event):
                return False
            if before.kind == "melee_lost" and before.actor == event.actor:
                return True
        return False

    def _side(self, event: BattleEvent) -> str:
        return self.sides.get(unit_id(event.actor), "")


def _is_same_step(one: BattleEvent, other: BattleEvent) -> bool:
    """True for two events of the same step of a player's phase."""
    return (one.turn, one.side, one.step) == (other.turn, other.side, other.step)


def _is_disordering_total(total: int) -> bool:
    """True when a marsh die with its modifiers disorders (VBW-TER-09)."""
    return next(disorders for most, _, disorders in MARSH if total <= most)
