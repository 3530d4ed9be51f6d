"""Units in words: arm, nation and kind, and state in the campaign."""

from datetime import date, timedelta

from campaign.rules.world.world import Unit, UnitStatus, World
from campaign.text.place_names import CampaignNames, format_id
from rosters.domain.vocabulary import TYPES, Arm, FormationOrder, GunClass, Nation, TroopType


def arm_words(unit: Unit) -> str:
    """Foot, light foot, horse, guns or train."""
    facts = TYPES[unit.troop_type]
    if unit.is_train:
        return "train"
    if facts.arm is Arm.WHEELED:
        return "guns"
    if facts.arm is Arm.MOUNTED:
        return "horse"
    return "light foot" if facts.order is FormationOrder.OPEN else "foot"


def kind_words(unit: Unit) -> str:
    """Nation and quality: "German grenadiers", "American militia, poor", "British artillery, medium"."""
    if unit.troop_type is TroopType.INDIANS:
        return "Native warriors"
    nation, kind = format_id(unit.nation), format_id(unit.troop_type)
    for word in ("european ", "american ", "british ", "continental ", "loyalist "):
        kind = kind.removeprefix(word)
    if unit.nation is Nation.AMERICAN_MILITIA and unit.troop_type is not TroopType.MILITIA:
        nation = "militia"
    text = nation if nation.endswith(kind) else f"{nation} {kind}"
    if unit.gun_class is not GunClass.NONE:
        text += f", {unit.gun_class}"
    if unit.poor_militia:
        text += ", poor"
    return text[:1].upper() + text[1:]


def day_words(start: date, day: int) -> str:
    """A campaign day (0 is the first) as a date: "4 July"."""
    when = start + timedelta(days=day)
    return f"{when.day} {when:%B}"


def state_words(unit: Unit, world: World, names: CampaignNames) -> str:
    """Describe a unit's state when it is not simply with its formation; "" when it is."""
    start = world.theatre.start
    if unit.status is UnitStatus.PRESENT:
        return f"serves until {day_words(start, unit.departs)}" if unit.departs is not None else ""
    if unit.status is UnitStatus.EXPECTED:
        if unit.arrives < world.day or not unit.arrives:
            return "expected; no word of it yet"
        where = f" at {names.place(unit.home)}" if unit.home else ""
        return f"expected on {day_words(start, unit.arrives)}{where}"
    since = f" since {day_words(start, unit.since)}" if unit.since else ""
    words = {
        UnitStatus.ABSENT: "gone home",
        UnitStatus.ELIMINATED: "has no men left",
        UnitStatus.DEPARTED: "has left for good",
        UnitStatus.SURRENDERED: "in captivity",
    }
    return words[unit.status] + since
