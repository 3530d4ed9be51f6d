"""Battles that fall away because the campaign went another way, and what is told of them (HR-CAL-14)."""

from dataclasses import dataclass

from campaign.rules.contact.contact import Settlement
from campaign.rules.world.events import Event
from campaign.rules.world.world import World

RULE = "HR-CAL-14"


@dataclass(frozen=True, slots=True)
class Annulled:
    """A battle as it was opened on `day` (0 is the first), and its result if it had one."""

    contact: str
    day: int
    minute: int
    attacker: str
    defender: str
    place: str = ""
    route: str = ""
    settlement: Settlement | None = None


@dataclass(frozen=True, slots=True)
class Annul:
    """Battles of a course the campaign has not taken fall away. The turn does this, not the umpire's hand."""

    battles: tuple[Annulled, ...]


def annul_battles(world: World, act: Annul, reason: str) -> list[Event]:
    """Both sides of each battle are told that it falls away; its result stays for the umpire to read."""
    events = []
    for battle in act.battles:
        place, route = battle.place, battle.route
        sides = tuple(sorted({battle.attacker, battle.defender}))
        told = {
            "contact": battle.contact,
            "day": battle.day + 1,
            "attacker": battle.attacker,
            "defender": battle.defender,
            "settled": int(battle.settlement is not None),
            "reason": reason,
        }
        events.append(Event("battle_annulled", 0, RULE, sides, place=place, route=route, data=told))
        if battle.settlement is not None:
            kept = {"contact": battle.contact, **_build_result_record(world, battle.settlement)}
            events.append(Event("result_kept", 0, RULE, place=place, route=route, data=kept))
    return events


def _build_result_record(world: World, settlement: Settlement) -> dict[str, object]:
    """A result so that it can be read, and entered again by hand."""
    units = world.units
    return {
        "source": settlement.source,
        "held_by": settlement.field_held_by,
        "losses": [
            {
                "unit": units[loss.unit].name if loss.unit in units else loss.unit,
                "lost": loss.sp_lost,
                "captured": loss.sp_captured,
                "fate": loss.fate,
            }
            for loss in settlement.losses
            if loss.sp_lost or loss.sp_captured or loss.fate != "present"
        ],
        "generals": [{"name": general.name, "fate": general.fate} for general in settlement.generals],
    }
