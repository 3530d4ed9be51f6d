"""A week's newspaper, composed of journal entries and of nothing else. Pure.

The mark of an entry chooses its manner of speaking, so a paper reads the same whenever it is printed. Every
sentence says which entry it is from. The words add nothing that the event does not say: no cause, no mood, no
number. A name may be of one or of many ("Abenaki of St Francis and Becancour"), so verbs fit both.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import groupby

from battles.grammar import Subject
from campaign.rules.world.events import Event
from campaign.rules.world.world import Theatre
from campaign.text.event_sentences import build_event_facts, narrate
from campaign.text.place_names import CampaignNames

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


DAYS_A_WEEK = 7
#: Rows of the table of losses.
MOST_LOSSES = 10
#: Every kind that a paper prints.
PRINTED = frozenset(kind for column in COLUMNS for kind in column.kinds) | LOSSES
#: Sides an event names, and what a sentence calls them.
SIDES = {
    "attacker": "attacker_name",
    "defender": "defender_name",
    "field_held_by": "holder_name",
    "side": "side_name",
}


@dataclass(frozen=True, slots=True)
class GazetteItem:
    """A journal entry as the paper has it: the day counts from 0, `mark` is its address in the day."""

    day: int
    mark: str
    event: Event


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence and the entry it is from; `day` counts from 1."""

    text: str
    day: int
    mark: str


@dataclass(frozen=True, slots=True)
class Paragraph:
    """The newspaper's sentences on one day."""

    date: date
    sentences: tuple[Sentence, ...]


@dataclass(frozen=True, slots=True)
class Article:
    """A heading with its paragraphs; `left_out` entries of the week are not printed."""

    id: str
    title: str
    paragraphs: tuple[Paragraph, ...]
    left_out: int = 0


@dataclass(frozen=True, slots=True)
class GazetteLoss:
    """A line of the table of losses: campaign points a unit lost in the week, and what the last loss left.

    Day and mark are those of the last.
    """

    name: str
    points: int
    left: int
    day: int
    mark: str


@dataclass(frozen=True, slots=True)
class Gazette:
    """A week's paper; `headed` is what its head tells. Without articles and losses there was no news."""

    title: str
    week: int
    first: date
    last: date
    head: Sentence | None = None
    lead: Sentence | None = None
    lead_date: date | None = None
    headed: Event | None = None
    articles: tuple[Article, ...] = ()
    losses: tuple[GazetteLoss, ...] = ()

    @property
    def empty(self) -> bool:
        return not (self.articles or self.losses or self.lead)


def format_masthead(theatre: Theatre, side: str) -> str:
    """Return the name of a side's newspaper; a neutral one for readers of no side."""
    names = {each.id: each.name for each in theatre.sides}
    if side not in names:
        return IMPARTIAL
    return f"The {names[side].removeprefix('The ')} Gazette"


def compose_gazette(
    theatre: Theatre, side: str, week: int, items: Sequence[GazetteItem], names: CampaignNames
) -> Gazette:
    """The paper of a week, 1 for the first, from the entries its reader may read."""
    start = theatre.start
    first = start + timedelta(days=(week - 1) * DAYS_A_WEEK)
    days = range((week - 1) * DAYS_A_WEEK, week * DAYS_A_WEEK)
    items = [item for item in items if item.day in days and item.event.kind in PRINTED]
    greatest = _find_greatest_item(items)
    told = [
        item for item in _drop_superseded_items(items) if item is not greatest and not _is_fair_weather(item)
    ]
    title = format_masthead(theatre, side)
    articles = (_compose_article(column, told, names, start, title == IMPARTIAL) for column in COLUMNS)
    return Gazette(
        title=title,
        week=week,
        first=first,
        last=min(first + timedelta(days=DAYS_A_WEEK - 1), theatre.end),
        head=_compose_headline(greatest, names) if greatest else None,
        lead=compose_sentence(greatest, names) if greatest else None,
        lead_date=start + timedelta(days=greatest.day) if greatest else None,
        headed=greatest.event if greatest else None,
        articles=tuple(article for article in articles if article.paragraphs),
        losses=tuple(_list_heaviest_losses(items, names)),
    )


def compose_sentence(item: GazetteItem, names: CampaignNames) -> Sentence:
    """An entry in the manner of a newspaper."""
    event = item.event
    facts = build_event_facts(event, names)
    for key, name in SIDES.items():
        side = _with_article(names.side(str(facts[key]))) if facts[key] else "neither side"
        facts[name] = Subject(side)
    where = str(facts["where"])
    facts["where_first"] = f"{where[:1].upper()}{where[1:]}"
    if event.kind == "weather":
        text = _choose_manner(item, WEATHERS.get(str(facts["weather"]), (narrate(event, names),)))
    elif event.kind in MANNERS and _has_named_facts(event):
        text = _choose_manner(item, MANNERS[event.kind]).format_map(facts)
    else:
        text = _choose_manner(item, OPENINGS) + narrate(event, names)
    text = " ".join(text.split()).replace(" .", ".").replace(" ,", ",")
    if not text.endswith((".", "!", "?")):
        text += "."
    return Sentence(f"{text[:1].upper()}{text[1:]}", item.day + 1, item.mark)


def _with_article(side: str) -> str:
    """A side's name within a sentence: "the Crown"."""
    return f"the {side.removeprefix('The ').removeprefix('the ')}"


def _has_named_facts(event: Event) -> bool:
    """True when an event has every fact that its manners of speaking name, such as the place or the route."""
    named = " ".join(MANNERS[event.kind])
    needs = {
        "{where": bool(event.place or event.route),
        "{place}": bool(event.place),
        "{route}": bool(event.route),
        "{formation}": bool(event.formation),
        "{unit}": bool(event.unit),
        "{side_name}": bool(event.data.get("side")),
    }
    return all(given for field, given in needs.items() if field in named)


def _choose_manner(item: GazetteItem, manners: Sequence[str]) -> str:
    """One of some manners of speaking, the same every time."""
    letters = "".join(letter for letter in item.mark[1:9] if letter in "0123456789abcdef")
    return manners[int(letters or "0", 16) % len(manners)]


def _drop_superseded_items(items: Sequence[GazetteItem]) -> list[GazetteItem]:
    """Drop items that a later entry of the week repeats about the same body."""
    last = {_get_body_key(item): number for number, item in enumerate(items)}
    return [
        item
        for number, item in enumerate(items)
        if item.event.kind not in LATEST or last[_get_body_key(item)] == number
    ]


def _get_body_key(item: GazetteItem) -> tuple[str, str, str]:
    return item.event.kind, item.event.formation, str(item.event.data.get("name", ""))


def _is_fair_weather(item: GazetteItem) -> bool:
    return item.event.kind == "weather" and item.event.data.get("weather") not in WEATHERS


def _find_greatest_item(items: Sequence[GazetteItem]) -> GazetteItem | None:
    """The entry that heads the paper: the weightiest kind, then the bloodiest battle, then the latest."""
    weights = {kind: number for number, kind in enumerate(HEADS)}
    fit = [item for item in items if item.event.kind in weights]
    lost = Counter[str]()
    for item in items:
        event = item.event
        if event.kind in LOSSES and event.contact and event.before is not None and event.after is not None:
            lost[event.contact] += event.before - event.after
    return min(
        reversed(fit),
        key=lambda item: (weights[item.event.kind], -lost[item.event.contact] if item.event.contact else 0),
        default=None,
    )


def _compose_headline(item: GazetteItem, names: CampaignNames) -> Sentence:
    facts = build_event_facts(item.event, names)
    text = " ".join(HEADS[item.event.kind].format_map(facts).split())
    return Sentence(f"{text[:1].upper()}{text[1:]}", item.day + 1, item.mark)


def _compose_article(
    column: GazetteColumn, items: Iterable[GazetteItem], names: CampaignNames, start: date, impartial: bool
) -> Article:
    """A column's entries, the weightiest and latest of them, in order of happening."""
    weights = {kind: number for number, kind in enumerate(column.kinds)}
    fit = [item for item in items if item.event.kind in weights]
    ranked = sorted(enumerate(fit), key=lambda each: (weights[each[1].event.kind], -each[0]))
    printed = [item for _, item in sorted(ranked[: column.most], key=lambda each: each[0])]
    paragraphs = tuple(
        Paragraph(start + timedelta(days=day), tuple(compose_sentence(item, names) for item in of_day))
        for day, of_day in groupby(printed, key=lambda item: item.day)
    )
    title = (impartial and column.impartial) or column.title
    return Article(column.id, title, paragraphs, len(fit) - len(printed))


def _list_heaviest_losses(items: Iterable[GazetteItem], names: CampaignNames) -> list[GazetteLoss]:
    """The heaviest losses of the week, a line for each unit, the heaviest first."""
    found: dict[str, GazetteLoss] = {}
    for item in items:
        event = item.event
        if event.kind not in LOSSES or not event.unit or event.before is None or event.after is None:
            continue
        if event.after < event.before:
            lost = event.before - event.after
            lost += found[event.unit].points if event.unit in found else 0
            found[event.unit] = GazetteLoss(
                names.unit(event.unit), lost, event.after, item.day + 1, item.mark
            )
    return sorted(found.values(), key=lambda loss: (-loss.points, loss.day, loss.name))[:MOST_LOSSES]
