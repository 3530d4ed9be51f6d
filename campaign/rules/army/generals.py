"""What becomes of generals lost in battle (HR-GEN-01); the tactical rules end with the battle."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from campaign.rules.world.events import Event
from campaign.rules.world.world import World

RULE = "HR-GEN-01"
GeneralFate = Literal["killed", "captured", "wounded", "disabled"]
FATES: tuple[GeneralFate, ...] = ("killed", "captured", "wounded", "disabled")

#: Weeks for which a wound keeps a general from his command; who is killed or captured never returns.
WEEKS_AWAY: dict[GeneralFate, int] = {"wounded": 2, "disabled": 6}


@dataclass(frozen=True, slots=True)
class GeneralLoss:
    """A general lost in a battle; `general` is the id of his leader's row."""

    general: str
    name: str
    side: str
    fate: GeneralFate


def build_general_loss_events(
    loss: GeneralLoss, minute: int, contact: str, sides: tuple[str, ...]
) -> list[Event]:
    """What is heard of a general's fate: both sides that he is killed, taken or wounded, his own besides
    for how many weeks a wound keeps him (HR-GEN-01)."""
    told = {"general": loss.general, "name": loss.name, "side": loss.side}
    weeks = WEEKS_AWAY.get(loss.fate)
    seen = loss.fate if weeks is None else "wounded"
    events = [
        Event("general_lost", minute, RULE, sides, contact=contact, data={**told, "fate": seen}),
    ]
    if weeks is not None:
        data = {**told, "fate": loss.fate, "weeks": weeks}
        events.append(Event("general_away", minute, RULE, (loss.side,), contact=contact, data=data))
    return events


def generals_apply(world: World, losses: Iterable[GeneralLoss]) -> World:
    """The world on the evening of a day that cost these generals; those healed by tomorrow are back."""
    morning = world.day + 1
    formations, away = dict(world.formations), dict(world.away)
    for loss in losses:
        if loss.general in world.generals:
            continue  # `campaign.rules.army.leaders` keeps him
        if weeks := WEEKS_AWAY.get(loss.fate):
            away[loss.general] = max(away.get(loss.general, 0), world.day + 7 * weeks)
            continue
        away.pop(loss.general, None)
        for key, formation in formations.items():
            if formation.side == loss.side and formation.commander == loss.name:
                formations[key] = replace(formation, commander="")
    away = {general: back for general, back in sorted(away.items()) if back > morning}
    return replace(world, formations=formations, away=away)
