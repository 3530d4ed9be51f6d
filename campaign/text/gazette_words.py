"""How a newspaper of the time tells an event: manners of speaking for each kind, and its columns.

Nothing may stand here that the event does not say: no cause, no mood, no number of its own. A name may be
of one or of many ("Abenaki of St Francis and Becancour"), so verbs are such as fit both.
"""

from collections.abc import Mapping
from dataclasses import dataclass

#: The paper of those who are of no side; a side's is called by the side's name.
IMPARTIAL = "The Impartial Gazette"
MOTTO = "Containing the freshest Advices received of the Army"

#: Manners of speaking, by kind. Fields are those of `narration.facts_of` and the names of sides.
MANNERS: Mapping[str, tuple[str, ...]] = {
    "battle": (
        "An engagement was fought {where}: the troops of {attacker_name} attacked, and {holder_name:is} left"
        " in possession of the field.",
        "We have accounts of an action {where}, in which {attacker_name} attacked; {holder_name:holds} the"
        " field.",
        "Battle was joined {where} upon the attack of {attacker_name}, and the field remains with"
        " {holder_name}.",
    ),
    "campaign_begins": ("{title} begins.",),  # without the fingerprint of its secret, which is no news
    "contact": (
        "The troops of {attacker_name} and those of {defender_name} have fallen in with each other {where}.",
        "{attacker_name} and {defender_name} are come into contact {where}.",
    ),
    "stand_off": (
        "The two sides faced each other {where}, and did not fight.",
        "{where_first} the two sides stood within sight of each other without coming to blows.",
    ),
    "pursuit": (
        "{side_name} pursued with {sp} SP, and took {taken} SP of prisoners.",
        "In the pursuit {side_name}, with {sp} SP, took {taken} SP of prisoners.",
    ),
    "retreat": (
        "{formation} fell back, and halted {where}.",
        "{formation} retired, and halted {where}.",
    ),
    "siege_laid": ("{place} is invested.", "The siege of {place} is begun."),
    "siege_raised": ("The siege of {place} is raised.", "We hear that the siege of {place} is given up."),
    "force_surrendered": (
        "{formation}, being cut off, laid down arms.",
        "It is our duty to record that {formation}, cut off, laid down arms.",
    ),
    "place_taken": (
        "{side_name:has} taken {place}.",
        "{place} is in the hands of {side_name}.",
        "By the latest advices {place} has been taken by {side_name}.",
    ),
    "arrives": (
        "{formation} arrived at {place}.",
        "We learn of the arrival of {formation} at {place}.",
        "{formation} came to {place}.",
    ),
    "arrived": (
        "{unit} arrived {where}.",
        "{where_first} there arrived {unit}.",
        "{unit} came in {where}.",
    ),
    "unit_raised": ("Raised {where}: {unit}.", "{where_first} there came under arms {unit}."),
    "unit_rebuilt": ("Raised again {where}: {unit}.",),
    "militia_returned": ("{unit} returned {where}.", "{unit} came back {where}."),
    "militia_went_home": (
        "{unit} went home.",
        "{unit} quitted the army and went home.",
    ),
    "levy_departed": ("Their time being served, the men of {unit} left the army.",),
    "unit_eliminated": ("No men are left of {unit}.", "Of {unit} no men remain."),
    "bridge_broken": (
        "{formation} broke the crossing of {route}.",
        "The crossing of {route} is broken by {formation}.",
    ),
    "bridge_repaired": ("{formation} made good the crossing of {route}.",),
    "raft_laid": ("A bridge of rafts is laid on {route} by {formation}.",),
    "entrenched": ("{formation} dug in {where}: works of {sp} SP.",),
    "boats_gathered": ("{formation} gathered boats at {place}, to carry {men} men.",),
    "rumour": ("It is said: {text}", "It is said, we know not upon what authority: {text}"),
    "general_healed": ("{name} is recovered, and has taken up his command again.",),
    "joins_battle": ("{formation} came up to the battle {where}.",),
}
#: Openings for what has no manner of its own; the journal's words follow.
OPENINGS = ("", "", "", "It is reported: ")
#: Kinds of which a week prints only the latest of each body.
LATEST = frozenset({"arrives", "enemy_sighted", "report_received"})
WEATHERS = {
    "rain": ("Rain.", "It rained."),
    "storm": ("Storms.", "Stormy weather."),
    "fog": ("Fog.", "A fog lay upon the country."),
}


@dataclass(frozen=True, slots=True)
class GazetteColumn:
    """A column of the paper: its heading, the kinds it prints, by weight, and how many at the most."""

    id: str
    title: str
    kinds: tuple[str, ...]
    most: int = 10
    #: What the paper of those who are of no side calls it, where that is otherwise.
    impartial: str = ""


COLUMNS = (
    GazetteColumn(
        "war",
        "The War",
        (
            "campaign_ended", "battle", "force_surrendered", "general_lost", "general_captured", "summons",
            "siege_raised", "siege_laid", "magazine_taken", "terms_begun", "terms_broken", "place_taken",
            "pursuit", "contact", "stand_off", "retreat", "flight", "escape", "joins_battle",
            "works_battered",
        ),
        14,
    ),
    GazetteColumn(
        "marches",
        "Movements of the Army",
        ("arrives", "bridge_broken", "bridge_repaired", "raft_laid", "entrenched", "boats_gathered",
         "road_felled", "road_cleared", "told_by_courier", "depot_laid"),
    ),
    GazetteColumn(
        "enemy", "Intelligence of the Enemy", ("enemy_sighted", "report_received", "dispatch_taken"), 8,
        "Intelligence of the Armies",
    ),
    GazetteColumn(
        "arrivals",
        "Arrivals",
        ("general_arrives", "arrived", "unit_raised", "unit_rebuilt", "militia_returned",
         "general_healed"),
        8,
    ),
    GazetteColumn(
        "departures",
        "Deserters, and Men gone home",
        ("unit_eliminated", "warriors_leave", "militia_went_home", "levy_departed", "hungry",
         "general_leaves"),
        8,
    ),
    GazetteColumn("said", "It is said", ("rumour",), 5),
    GazetteColumn("weather", "The Weather", ("weather",), 7),
    GazetteColumn(
        "notices",
        "Notices",
        ("chapter_ends", "campaign_begins", "rewound", "battle_annulled", "campaign_paused",
         "campaign_resumed", "deadline_moved", "deadline_dropped", "terms_offered", "terms_refused",
         "generals_exchanged", "exchange_offered"),
        6,
    ),
)  # fmt: skip
#: Kinds that lose a unit men, for the table of losses.
LOSSES = frozenset(
    {"battle_loss", "unit_surrendered", "forced_march", "hunger_loss", "attrition", "wheels_abandoned"}
)
#: What may head the paper, by weight, and the head it makes.
HEADS: Mapping[str, str] = {
    "campaign_ended": "The campaign is over",
    "force_surrendered": "Surrender of {formation}",
    "battle": "Battle {where}",
    "general_captured": "{name} taken prisoner",
    "general_lost": "The loss of {name}",
    "siege_raised": "The siege of {place} raised",
    "siege_laid": "The siege of {place}",
    "place_taken": "{place} taken",
    "contact": "The armies meet {where}",
    "retreat": "Retreat of {formation}",
    "arrived": "Arrival of {unit}",
    "arrives": "{formation} at {place}",
    "enemy_sighted": "The enemy seen",
}
