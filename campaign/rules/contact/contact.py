"""A meeting of hostile columns that must be settled, and the settlement that answers it (HR-CON)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from campaign.rules.army.leaders import FATES, GeneralLoss
from campaign.rules.contact.casualties import UnitLoss
from campaign.rules.errors import RuleViolation
from campaign.rules.map.atlas import Fortification
from campaign.rules.world.settings import RuleSettings
from campaign.rules.world.world import Stance, Unit
from rosters.domain.vocabulary import Mobility

Cover = Literal["none", "soft", "hard", "fortified"]
Source = Literal["engine", "table", "umpire"]
#: Whether the victor followed; "" leaves it to the rules (HR-TAB-06).
Pursuit = Literal["", "pressed", "none"]

#: Bodies on one route no farther apart than this are at hand to each other, yards (HR-CON-01).
AT_HAND_YARDS = 440
#: A contact later than this before dark waits for dawn, minutes (HR-CON-05).
LEAST_DAYLIGHT = 60
#: Minutes of one game turn (AWI-T-SCA-02).
TURN_MINUTES = 10

#: What works give to a defender who holds the place (HR-CON-08).
COVER: dict[Fortification, Cover] = {
    "none": "none",
    "fieldworks": "soft",
    "stockade": "hard",
    "fort": "fortified",
    "fortress": "fortified",
}

#: From the least to the most eager: the more eager side attacks (HR-CON-04).
EAGERNESS: dict[Stance, int] = {"avoid": 0, "delay": 1, "give_battle": 2, "attack": 3}


@dataclass(frozen=True, slots=True)
class Participant:
    """A formation in a contact; `minute` of the day is when it came up."""

    formation: str
    side: str
    minute: int
    stance: Stance


@dataclass(frozen=True, slots=True)
class Fighter:
    """A unit in a contact: `points` it fights with (AWI-C-BAT-04) and their `sp` (AWI-C-STR-02).

    `arrives` is the game turn in which it comes up, 0 for the start.
    """

    unit: str
    side: str
    points: int
    sp: int
    arrives: int = 0


@dataclass(frozen=True, slots=True)
class Contact:
    """A battle to be settled, as it stands when its window closes.

    `key` depends on the day and on where, never on what happens elsewhere. It lasts from `minute`
    to `ends`; at `place`, or `yards` from the first end of `route`. `cover` protects the defender.
    """

    key: str
    minute: int
    ends: int
    place: str
    route: str
    yards: int
    attacker: str
    defender: str
    participants: tuple[Participant, ...]
    units: tuple[Fighter, ...]
    cover: Cover
    weather: str
    terrain: str
    tiny: bool = False

    @property
    def turns(self) -> int:
        """Length of the battle in game turns, at least one."""
        return max(1, (self.ends - self.minute) // TURN_MINUTES)

    def sp_of(self, side: str) -> int:
        """SP a side brings, those still on the way counted."""
        return sum(fighter.sp for fighter in self.units if fighter.side == side)


@dataclass(frozen=True, slots=True)
class Settlement:
    """The outcome of a contact. `field_held_by` is a side, or "" when neither holds the field.

    Units of the contact that are not in `losses` lost nothing. `pursuit` is said of fights on the table
    only; it stands in no JSON where nothing was said.
    """

    contact: str
    field_held_by: str
    losses: tuple[UnitLoss, ...] = ()
    source: Source = "engine"
    minutes: int = 0
    generals: tuple[GeneralLoss, ...] = ()
    pursuit: Pursuit = ""


def verify_settlement(contact: Contact, settlement: Settlement) -> None:
    """Refuses a settlement that does not fit its contact (HR-CON-11).

    Raises RuleViolation with the field: `contact`, `field_held_by`, or the id of the unit or general.
    """
    if settlement.contact != contact.key:
        raise RuleViolation(
            "HR-CON-11", f"The settlement is for {settlement.contact}, not for {contact.key}.", "contact"
        )
    if settlement.field_held_by not in ("", contact.attacker, contact.defender):
        raise RuleViolation(
            "HR-CON-11",
            f"{settlement.field_held_by} is no side in this battle; name {contact.attacker}, "
            f"{contact.defender} or nobody.",
            "field_held_by",
        )
    if settlement.pursuit not in get_args(Pursuit):
        raise RuleViolation(
            "HR-TAB-06", f"The victor cannot follow in the way {settlement.pursuit!r}.", "pursuit"
        )
    came: Mapping[str, int] = {fighter.unit: fighter.sp for fighter in contact.units}
    seen: set[str] = set()
    for loss in settlement.losses:
        if loss.unit not in came or loss.unit in seen:
            raise RuleViolation(
                "HR-CON-11", f"{loss.unit} was not in this battle, or is listed twice.", loss.unit
            )
        seen.add(loss.unit)
        if loss.sp_start != came[loss.unit] or min(loss.sp_lost, loss.sp_captured, loss.sp_left) < 0:
            raise RuleViolation(
                "HR-CON-11",
                f"{loss.unit} came with {came[loss.unit]} SP; lost and captured must add up to no more.",
                loss.unit,
            )

    for general in settlement.generals:
        if general.side not in (contact.attacker, contact.defender) or general.fate not in FATES:
            raise RuleViolation(
                "HR-GEN-01",
                f"{general.name} of {general.side} cannot be {general.fate}; name a general of a side in "
                f"this battle, and one of {', '.join(FATES)}.",
                general.general,
            )


def is_tiny(first: int, second: int, works: bool, settings: RuleSettings) -> bool:
    """True if a fight of `first` against `second` SP is too small to ask people (HR-CON-07)."""
    less, more = sorted((first, second))
    return less < settings.tiny_fight_sp or (not works and more > settings.tiny_fight_odds * less)


def is_light(units: list[Unit]) -> bool:
    """True if a force is all light troops or cavalry, and so escapes easily (HR-CON-02)."""
    return bool(units) and all(unit.mobility in (Mobility.LIGHT, Mobility.MOUNTED) for unit in units)


def escapes_on(own: list[Unit], enemy: list[Unit], settings: RuleSettings) -> int:
    """The least die on which a force that avoids battle escapes (HR-CON-02)."""
    lighter = is_light(own) and not is_light(enemy)
    return settings.avoid_lighter_on if lighter else settings.avoid_on
