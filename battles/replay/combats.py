"""What came of charges and of fire, and who had no part in any, found among the events. No numba here."""

from collections.abc import Iterable, Sequence

from battles.engine.events import BattleEvent
from battles.files.schema import BattleUnit
from battles.replay.event_text import Telling

#: Kinds that show a charger, or whom it charged, to have had an outcome of the charge.
_CAME_UP = frozenset({"contact", "melee_roll", "melee_routed", "melee_lost", "melee_repulsed"})
_FLED = frozenset(
    {"routs", "routs_again", "evade", "surrender_test", "gun_captured", "wagon_captured", "eliminated"}
)
#: Kinds in which a unit is engaged: it does it, or it is done to it.
_ENGAGED = frozenset(
    {"fire", "fire_at_second_charge", "fire_at_structure", "charge", "melee_roll", "sp_lost"}
)


def list_idle_units(units: Iterable[BattleUnit], events: Sequence[BattleEvent]) -> list[BattleUnit]:
    """Those of some units that had no part in any fighting; none where nobody had."""
    engaged = {unit for event in events if event.kind in _ENGAGED for unit in (event.actor, event.target)}
    return [unit for unit in units if unit.sp > 0 and unit.id not in engaged] if engaged else []


def list_charge_stops(events: Sequence[BattleEvent], telling: Telling) -> list[str]:
    """What stopped each charge that did not come to blows and drove nobody off; "" for all other events."""
    found = []
    for n, charge in enumerate(events):
        ended, shot = charge.kind != "charge", False
        for event in () if ended else events[n + 1 :]:
            if (event.turn, event.side) != (charge.turn, charge.side):
                break
            if event.kind == "charge" and event.actor == charge.actor:
                break
            ended = ended or (event.kind in _CAME_UP and charge.actor in (event.actor, event.target))
            ended = ended or (event.kind in _FLED and event.actor == charge.target)
            wavers = event.kind in telling.wavers or event.result == "fails"
            shot = shot or (wavers and event.actor == charge.actor and not ended)
        missed = telling.stopped if shot else "did not come up with {t}"
        found.append("" if ended else missed)
    return found


def count_fire_hits(events: Sequence[BattleEvent], telling: Telling) -> list[int]:
    """For each event by how many hits it makes fire tell upon its target.

    Where hits are saved, a save takes one from the last fire upon who saves.
    """
    found = [int(event.result == "hit") for event in events]
    if "save_die" not in telling.each:
        return found
    last: dict[str, int] = {}
    for n, event in enumerate(events):
        if event.kind == "melee_roll":
            last.clear()  # what is saved next was no fire
        elif event.kind == "fire":
            found[n], last[event.target] = event.total, n
        elif event.kind == "save_die" and event.result == "passes" and event.actor in last:
            found[last[event.actor]] -= 1
    return found
