"""Journal entries as sentences people read. Pure: an event and the names of things go in."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from campaign.army_words import ARMY_SENTENCES
from campaign.rules.events import Event
from campaign.rules.knowledge import Sighting
from campaign.rules.world import YARDS_PER_MILE, Order, Position, Theatre, World
from campaign.umpire_words import UMPIRE_SENTENCES

#: The inks the pages are printed with, by name, with their red, green and blue.
TINTS = {"madder": (155, 42, 44), "blue": (36, 66, 122), "forest": (63, 94, 58), "ochre": (138, 90, 18)}

PACES = {
    "normal": "at the normal pace",
    "plus_half": "half as far again a day",
    "double": "by double marches",
}
STANCES = {
    "attack": "attack whatever it meets",
    "give_battle": "give battle",
    "delay": "delay the enemy",
    "avoid": "avoid battle",
}
DOINGS = {
    "follow": "follows the enemy",
    "intercept": "goes to intercept the enemy",
    "entrench": "digs in",
    "dismantle": "takes the works down",
    "break_bridge": "breaks the crossing of",
    "repair_bridge": "mends the crossing of",
    "gather_boats": "gathers boats",
    "siege": "lays siege",
}
ROUTES = {"lake": "lake", "river": "river", "sea": "sea passage", "portage": "carrying place"}


@dataclass(frozen=True, slots=True)
class Names:
    """What ids are called. An unknown id is its own name, tidied."""

    units: Mapping[str, str] = field(default_factory=dict)
    formations: Mapping[str, str] = field(default_factory=dict)
    places: Mapping[str, str] = field(default_factory=dict)
    routes: Mapping[str, str] = field(default_factory=dict)
    sides: Mapping[str, str] = field(default_factory=dict)
    tints: Mapping[str, str] = field(default_factory=dict)

    def unit(self, key: str) -> str:
        return self.units.get(key) or tidy(key)

    def formation(self, key: str) -> str:
        return self.formations.get(key) or tidy(key)

    def place(self, key: str) -> str:
        return self.places.get(key) or tidy(key)

    def route(self, key: str) -> str:
        return self.routes.get(key) or tidy(key)

    def side(self, key: str) -> str:
        return self.sides.get(key) or tidy(key)

    def tint(self, key: str) -> str:
        return self.tints.get(key, "")

    def pool(self, key: str) -> str:
        """A pool's name: "german/line" is the German line pool."""
        nation, _, arm = key.partition("/")
        return f"{nation.title()} {tidy(arm)} pool"


def names_of(world: World) -> Names:
    """Names of all that is in a world. What a viewer may hear of is decided elsewhere."""
    atlas = world.theatre.atlas
    sides = world.theatre.sides
    return Names(
        units={key: unit.name for key, unit in world.units.items()},
        formations={key: formation.name for key, formation in world.formations.items()},
        places={key: place.name for key, place in atlas.places.items()},
        routes={
            key: f"the {ROUTES.get(route.kind, route.kind)} between {atlas.places[route.a].name} "
            f"and {atlas.places[route.b].name}"
            for key, route in atlas.routes.items()
        },
        sides={side.id: side.name for side in sides},
        tints={side.id: tint_of(side.colour) for side in sides},
    )


def tint_of(colour: str) -> str:
    """The ink nearest to a side's colour ("#9b2d30"), or the ink itself when the colour names one."""
    if colour in TINTS:
        return colour
    parts = [int(colour[at : at + 2], 16) for at in (1, 3, 5)]
    return min(TINTS, key=lambda ink: sum((a - b) ** 2 for a, b in zip(parts, TINTS[ink], strict=True)))


def tidy(key: str) -> str:
    """An id as words."""
    return key.replace("_", " ").replace("-", " ").strip()


def position_text(position: Position | None, names: Names) -> str:
    """Where a body stands, with miles from the end it came from."""
    if position is None:
        return "not on the map"
    if position.place:
        return f"at {names.place(position.place)}"
    miles = round(position.yards / YARDS_PER_MILE)
    if miles == 0:
        return f"just outside {names.place(position.origin)} towards {names.place(position.destination)}"
    return (
        f"{miles} {'mile' if miles == 1 else 'miles'} out of {names.place(position.origin)} "
        f"towards {names.place(position.destination)}"
    )


def order_text(order: Order, names: Names) -> str:
    """An order in words."""
    after = f"; then {len(order.stages)} further stages" if len(order.stages) > 1 else ""
    if len(order.stages) == 1:
        after = f"; then on to {names.place(order.stages[0].via[-1])}"
    if not order.via and order.activity in ("march", "rest"):
        return f"{'rests' if order.activity == 'rest' else 'halts'} and is to {STANCES[order.stance]}{after}"
    return f"{_doing(order, names)}; is to {STANCES[order.stance]}{after}"


def _doing(order: Order, names: Names) -> str:
    if order.activity not in ("march", "rest"):
        doing = DOINGS[order.activity]
        return f"{doing} {names.route(order.target)}" if order.activity.endswith("bridge") else doing
    *between, last = (names.place(place) for place in order.via)
    way = f" by {' and '.join(between)}" if between else ""
    late = f", starting {order.starts // 60} h {order.starts % 60:02} min late" if order.starts else ""
    how = ", in light order" if order.light_order else ""
    how += ", in boats" if order.by_water else ""
    march = f"marches to {last}{way}, {PACES[order.pace]}{how}{late}"
    return march if order.activity == "march" else f"rests a day, then {march}"


class _Facts(dict[str, Any]):
    """Facts for a sentence; one an event lacks is left blank rather than failing a page."""

    def __missing__(self, key: str) -> str:
        return ""


def narrate(event: Event, names: Names) -> str:
    """One sentence that says what an event was; a change of points stands behind it in brackets."""
    facts = _facts(event, names)
    told = SENTENCES.get(event.kind, _plain)
    text = told(facts) if callable(told) else told.format_map(facts)
    if event.before is not None and event.after is not None:
        if event.before == event.after:
            text += f" (no change, {event.after} points)"
        else:
            text += f" ({event.before} points, now {event.after})"
    text = " ".join(text.split())
    return f"{text[:1].upper()}{text[1:]}."


def _facts(event: Event, names: Names) -> _Facts:
    facts = _Facts(event.data)
    unit = names.unit(event.unit) if event.unit else ""
    pool = names.pool(event.pool) if event.pool else ""
    formation = names.formation(event.formation) if event.formation else ""
    route = names.route(event.route) if event.route else ""
    place = names.place(event.place) if event.place else ""
    facts.update(
        event=event,
        names=names,
        unit=unit,
        pool=f"the {pool}" if pool else "",
        formation=formation,
        who=unit or pool or formation,
        place=place,
        route=route,
        where=f"at {place}" if place else f"on {route}" if route else "",
        kind=tidy(event.kind),
    )
    return facts


def _plain(facts: _Facts) -> str:
    """For an event nobody has written a sentence for: its kind, who and where."""
    return f"{facts['kind']}{': ' if facts['who'] else ''}{facts['who']} {facts['where']}"


def _battle_loss(facts: _Facts) -> str:
    lost, captured = facts["sp_lost"], facts["sp_captured"]
    taken = f" and {captured} captured" if captured else ""
    return f"{facts['unit']} came into battle with {facts['sp_start']} SP: {lost} lost{taken}"


def _militia_return(facts: _Facts) -> str:
    back = "comes back" if facts["returns"] else "stays at home"
    nation = tidy(str(facts["nation"]))
    return f"the {nation} militia gone home, {facts['absent']} units, {back}"


def _side(facts: _Facts, key: str) -> str:
    side = facts[key]
    names: Names = facts["names"]
    return names.side(side) if side else "neither side"


def _contact(facts: _Facts) -> str:
    return f"{_side(facts, 'attacker')} and {_side(facts, 'defender')} come into contact {facts['where']}"


def _battle(facts: _Facts) -> str:
    by = {"engine": "fought out", "table": "fought on the table", "umpire": "settled by the umpire"}
    how = by.get(str(facts["source"]), "settled")
    return (
        f"battle {facts['where']}, {how}: {_side(facts, 'attacker')} attacked, "
        f"{_side(facts, 'field_held_by')} holds the field"
    )


def _general_lost(facts: _Facts) -> str:
    fates = {
        "killed": "is killed",
        "captured": "is taken prisoner",
        "wounded": "is wounded",
        "disabled": "is badly wounded",
    }
    away = f" and will be away for {facts['weeks']} weeks" if facts["weeks"] else ""
    name, side = facts["name"], _side(facts, "side")
    return f"{name}, a general of {side}, {fates.get(str(facts['fate']), 'is lost')}{away}"


def _weather(facts: _Facts) -> str:
    sky = {"fair": "fair weather", "rain": "rain", "storm": "storms", "fog": "fog"}
    wind = ", and a foul wind on the lakes" if facts["foul_wind"] else ""
    return f"{sky.get(str(facts['weather']), 'weather unknown')}{wind}"


def _halts(facts: _Facts) -> str:
    names: Names = facts["names"]
    towards = names.place(str(facts["towards"]))
    return f"{facts['formation']} halts {facts['where']}, bound for {towards}"


def _place_taken(facts: _Facts) -> str:
    taken = f" from {_side(facts, 'from')}" if facts["from"] else ""
    return f"{_side(facts, 'side')} takes {facts['place']}{taken}"


def _enemy_place(facts: _Facts) -> str:
    if facts["place"]:
        return f"at {facts['place']}"
    names: Names = facts["names"]
    position = Position(
        route=facts["event"].route,
        origin=str(facts["origin"]),
        destination=str(facts["destination"]),
        yards=int(facts["yards"] or 0),
    )
    return position_text(position, names)


#: Who saw an enemy, by the source of the report.
SEEN_BY = {"column": "seen by {by}", "post": "seen by {by}", "country": "country people say",
    "battle": "met in battle", "courier": "by courier from {by}"}  # fmt: skip


def seen_by(source: str, by: str, names: Names) -> str:
    """Who saw an enemy, in words."""
    who = names.formations.get(by) or names.place(by)
    return SEEN_BY.get(source, "").format(by=who)


def sighting_text(sighting: Sighting, theatre: Theatre, names: Names) -> str:
    """When an enemy was last seen, and by whom."""
    who = seen_by(sighting.source, sighting.by, names)
    if sighting.in_sight:
        return f"In sight{f', {who}' if who else ''}"
    date = theatre.start + timedelta(days=sighting.day)
    clock = f"{sighting.minute // 60}:{sighting.minute % 60:02d}" if sighting.minute < 1440 else "nightfall"
    return f"Last seen on {date.day} {date:%B} at {clock}{f', {who}' if who else ''}"


def _enemy_sighted(facts: _Facts) -> str:
    by = seen_by(str(facts["source"]), str(facts["by"]), facts["names"])
    by = f" ({by})" if by else ""
    return f"{facts['name']} of {_side(facts, 'side')}, about {facts['sp']} SP, {_enemy_place(facts)}{by}"


def _reason(facts: _Facts) -> str:
    return str(facts["reason"]).rstrip(".")


def _bodies(facts: _Facts, key: str = "units") -> str:
    """Units by name, or how many they are when they are many."""
    names: Names = facts["names"]
    units = [names.unit(str(unit)) for unit in facts[key] or ()]
    return ", ".join(units) if len(units) <= 4 else f"{len(units)} units"


def _joined(facts: _Facts) -> str:
    names: Names = facts["names"]
    return f"{facts['formation']} joins {names.formation(str(facts['into']))} {facts['where']}"


def _garrisoned(facts: _Facts) -> str:
    done = "becomes the garrison" if facts["on"] else "is relieved of its garrison duty"
    return f"{facts['formation']} {done} {facts['where']}"


def _escape(facts: _Facts) -> str:
    done = "slips away" if facts["escaped"] else "cannot slip away"
    return f"{_side(facts, 'side')} {done} {facts['where']}"


def _pursuit(facts: _Facts) -> str:
    return f"{_side(facts, 'side')} pursues with {facts['sp']} SP and takes {facts['taken']} SP of prisoners"


def _siege_laid(facts: _Facts) -> str:
    return f"{facts['place']} is invested"


def _battered(facts: _Facts) -> str:
    guns = "the battery on the height batters" if facts["from_height"] else "siege guns batter"
    return f"{guns} the works of {facts['place']}: {facts['lost']} SP are down, {facts['left']} stand"


def _summons(facts: _Facts) -> str:
    answer = "the garrison lays down its arms" if facts["accepted"] else "the garrison refuses"
    return f"{_side(facts, 'side')} summons {facts['place']}: {answer}"


def _terms(facts: _Facts) -> str:
    return f"the force of {_side(facts, 'side')} {facts['where']} is shut in and treats for terms"


def _terms_broken(facts: _Facts) -> str:
    return f"the force of {_side(facts, 'side')} {facts['where']} breaks off the treaty"


def _warriors_leave(facts: _Facts) -> str:
    cause = "its losses" if facts["cause"] == "losses" else "the long siege"
    return f"{facts['unit']} goes home after {cause}"


def _called(facts: _Facts) -> str:
    moved = "marches to the sound of the guns" if facts["comes"] else "hears the guns and stays"
    return f"{facts['formation']} {moved} {facts['where']}"


#: A sentence by kind of event, without its full stop. Fields are the event's data and `_facts`.
SENTENCES: dict[str, str | Callable[[_Facts], str]] = {
    "campaign_begins": "{title} begins; the fingerprint of the secret behind its dice is {commitment}",
    "campaign_ended": "the campaign is over",
    # --- contact and battle ---
    "contact": _contact,
    "stand_off": "the two sides face each other {where} and do not fight",
    "flight": _escape,
    "escape": _escape,
    "contact_at_dusk": "the two sides meet {where} as it grows dark and wait for dawn",
    "put_off_by_rain": "heavy rain: the two sides face each other {where} and wait for dawn",
    "truce": "the arms rest {where} while terms are made",
    "pursuit": _pursuit,
    "siege_laid": _siege_laid,
    "siege_raised": "the siege of {place} is raised",
    "works_battered": _battered,
    "summons": _summons,
    "terms_begun": _terms,
    "terms_broken": _terms_broken,
    "warriors_leave": _warriors_leave,
    "warriors_stay": "{unit} stays another week",
    "joins_battle": "{formation} comes up to the battle {where}",
    "called_to_battle": _called,
    "battle": _battle,
    "retreat": "{formation} falls back {where}",
    "force_surrendered": "{formation}, cut off, lays down its arms",
    "unit_surrendered": "{unit} goes into captivity",
    "battle_loss": _battle_loss,
    "general_lost": _general_lost,
    # --- scouting ---
    "enemy_sighted": _enemy_sighted,
    "enemy_gone": lambda facts: (
        f"{facts['name']} of {_side(facts, 'side')} is no longer {_enemy_place(facts)}"
    ),
    **UMPIRE_SENTENCES,
    **ARMY_SENTENCES,
    # --- comings and goings ---
    "arrived": "{unit} arrives {where}",
    "arrival_waits": "{unit} is due {where} and waits: the enemy holds the place",
    "rejoined": lambda facts: (
        f"{facts['formation']} rejoins {facts['names'].formation(facts['parent'])} {facts['where']}"
    ),
    # --- work, boats, bridges ---
    "entrenched": "{formation} digs in {where}: works of {sp} SP, {men} men at work",
    "works_dismantled": "{formation} takes works down {where}: {sp} SP are left",
    "bridge_broken": "{formation} breaks the crossing of {route}",
    "bridge_mended": "{formation} is mending the crossing of {route}, {men} men at work",
    "bridge_repaired": "{formation} has mended the crossing of {route}",
    "crossing_broken": lambda facts: (
        f"{facts['formation']} finds the crossing of {facts['route']} broken"
        + (" and halts" if facts["closed"] else " and fords it")
    ),
    "boats_gathered": "{formation} gathers boats at {place}: they carry {men} men now",
    "no_trace": "{formation} stands where the enemy was last known and finds no trace of him",
    # --- organisation ---
    "detached": lambda facts: (
        f"{facts['name']} is detached from {facts['formation']} {facts['where']}: {_bodies(facts)}"
    ),
    "transferred": lambda facts: f"{_bodies(facts)} go over to {facts['formation']} {facts['where']}",
    "escorted": lambda facts: f"{facts['formation']} takes {_bodies(facts)} under escort {facts['where']}",
    "joined": _joined,
    "garrisoned": _garrisoned,
    "command_taken": "{name} takes command of {formation}",
    "organisation_refused": lambda facts: (
        f"{facts['formation']} cannot be reorganised as ordered: {_reason(facts)}"
    ),
    "levy_stays": "{unit} has served its time and stays another day",
    # --- marches ---
    "weather": _weather,
    "arrives": "{formation} arrives at {place}",
    "passes": "{formation} passes {place}",
    "halts": _halts,
    "march_held_up": lambda facts: f"{facts['formation']} is held up: {_reason(facts)}",
    "order_refused": lambda facts: f"{facts['formation']} cannot do as ordered: {_reason(facts)}",
    "place_taken": _place_taken,
    "wheels_abandoned": "{unit} cannot follow the retreat and is left behind",
    "forced_march": "{unit} was pressed {percent_over} % beyond a normal day's march",
    # --- the week's returns ---
    "enlistments": "terms run out and recruits come in to {unit}{pool}",
    "recruits": "recruits come in to {unit}{pool}",
    "attrition": "sickness and expiring terms thin {unit}{pool}",
    "militia": "militia come and go in {unit}{pool}",
    "militia_went_home": "{unit} has gone home",
    "militia_return_roll": _militia_return,
    "militia_returned": "{unit} has come back {where}",
    "levy_departed": "{unit} has served its time and leaves",
    "replacements_roll": "word from Europe of replacements",
    "replacements": "replacements from Europe reach {unit}{pool}",
    "loyalist_fill": "Loyalists fill the ranks: {unit}{pool}",
    "balanced": "strengths are evened out: {unit}{pool}",
    "choice_refused": lambda facts: f"a choice for the week's returns is refused: {_reason(facts)}",
    "choice_lapsed": "what was ordered for {unit} could not be done at the week's end",
    "overstrength": "{unit}{pool} has men over establishment, who go to the pool",
    "unit_eliminated": "{unit} has no men left",
    "unit_rebuilt": "{unit} is raised again {where}",
    "unit_raised": "{unit} is raised {where}",
    "pool_spent": "men are drawn from {pool}",
    "downgraded": "line replacements serve as militia: {pool}",
    "muster_waits": "{unit} finds no place to muster and waits",
}
