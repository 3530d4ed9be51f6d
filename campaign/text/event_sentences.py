"""Journal entries as sentences people read. Pure: an event and the names of things go in."""

from collections.abc import Callable
from typing import Any

from battles.grammar import Subject, format_amount
from campaign.rules.dispatches.couriers import inner_event
from campaign.rules.march.marching import LEAST_PERCENT_OVER
from campaign.rules.world.events import Event
from campaign.rules.world.world import Order
from campaign.text.army_events import ARMY_SENTENCES
from campaign.text.place_names import CampaignNames, format_id, join_names
from campaign.text.place_names import names_of as names_of
from campaign.text.place_names import position_text as position_text
from campaign.text.place_names import tint_of as tint_of
from campaign.text.scouting_events import SCOUTING_SENTENCES
from campaign.text.umpire_events import UMPIRE_SENTENCES

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
    "lay_bridge": "lays a bridge of rafts on",
    "obstruct": "fells and breaks",
    "siege": "lays siege",
}
#: Doings that name their route.
OF_A_ROUTE = frozenset({"break_bridge", "repair_bridge", "lay_bridge", "obstruct"})


def order_text(order: Order, names: CampaignNames) -> str:
    """An order in words, as is said of its formation."""
    body = Subject(names.formation(order.formation))
    after = f"; then {len(order.stages)} further stages" if len(order.stages) > 1 else ""
    if len(order.stages) == 1:
        after = f"; then on to {names.place(order.stages[0].via[-1])}"
    stance = f"{body:+is} to {body:+{STANCES[order.stance]}}{after}"
    if not order.via and order.activity in ("march", "rest"):
        return f"{body:+{'rests' if order.activity == 'rest' else 'halts'}} and {stance}"
    return f"{_describe_order(order, body, names)}; {stance}"


def _describe_order(order: Order, body: Subject, names: CampaignNames) -> str:
    if order.activity not in ("march", "rest"):
        doing = f"{body:+{DOINGS[order.activity]}}"
        return f"{doing} {names.route(order.target)}" if order.activity in OF_A_ROUTE else doing
    *between, last = (names.place(place) for place in order.via)
    way = f" by {' and '.join(between)}" if between else ""
    late = f", starting {order.starts // 60} h {order.starts % 60:02} min late" if order.starts else ""
    how = ", in light order" if order.light_order else ""
    how += ", in boats" if order.by_water else ""
    march = f"{body:+marches} to {last}{way}, {PACES[order.pace]}{how}{late}"
    return march if order.activity == "march" else f"{body:+rests} a day, then {march}"


class _Facts(dict[str, Any]):
    """Facts for a sentence; one an event lacks is left blank rather than failing a page."""

    def __missing__(self, key: str) -> str:
        return Subject()


def narrate(event: Event, names: CampaignNames) -> str:
    """One sentence that says what an event was; a change of points stands behind it in brackets."""
    facts = build_event_facts(event, names)
    told = SENTENCES.get(event.kind, _describe_unknown_event)
    text = told(facts) if callable(told) else told.format_map(facts)
    if event.before is not None and event.after is not None:
        if event.before == event.after:
            text += f" (no change, {format_amount(event.after, 'point')})"
        else:
            text += f" ({format_amount(event.before, 'point')}, now {event.after})"
    text = " ".join(text.split())
    return end_sentence(f"{text[:1].upper()}{text[1:]}")


def end_sentence(text: str) -> str:
    """A sentence with its full stop, unless what a person wrote has brought one."""
    return text if text.endswith((".", "!", "?")) else f"{text}."


def build_event_facts(event: Event, names: CampaignNames) -> _Facts:
    """What a sentence about an event may name: its data, and what its ids are called."""
    facts = _Facts(event.data)
    unit = names.unit(event.unit) if event.unit else ""
    pool = names.pool(event.pool) if event.pool else ""
    formation = names.formation(event.formation) if event.formation else ""
    route = names.route(event.route) if event.route else ""
    place = names.place(event.place) if event.place else ""
    facts.update(
        event=event,
        names=names,
        unit=Subject(unit),
        pool=Subject(f"the {pool}" if pool else ""),
        formation=Subject(formation),
        who=unit or pool or formation,
        place=place,
        route=route,
        where=f"at {place}" if place else f"on {route}" if route else "",
        kind=format_id(event.kind),
    )
    return facts


def _describe_unknown_event(facts: _Facts) -> str:
    """For an event nobody has written a sentence for: its kind, who and where."""
    return f"{facts['kind']}{': ' if facts['who'] else ''}{facts['who']} {facts['where']}"


def _battle_loss(facts: _Facts) -> str:
    lost, captured = facts["sp_lost"], facts["sp_captured"]
    if captured and not lost:  # in a pursuit nothing else is lost, and the battle is over (HR-PUR-01)
        loses = f"{facts['unit']:+loses}"
        return f"{facts['unit']}, {facts['sp_start']} SP strong, {loses} {captured} SP as prisoners"
    taken = f" and {captured} captured" if captured else ""
    return f"{facts['unit']} came into battle with {facts['sp_start']} SP: {lost} lost{taken}"


def _forced_march(facts: _Facts) -> str:
    """A tired day within the normal march counts as hardly over it, and the event says no more than that."""
    if facts["percent_over"] != LEAST_PERCENT_OVER:
        return f"{facts['unit']:was} pressed {facts['percent_over']} % beyond a normal day's march"
    return (
        f"{facts['unit']} marched on when a day's rest was due, or hardly beyond a normal day's march: "
        "either counts as a forced march (HR-MAR-05)"
    )


def _militia_return(facts: _Facts) -> str:
    back = "comes back" if facts["returns"] else "stays at home"
    nation = format_id(str(facts["nation"]))
    return f"the {nation} militia gone home, {format_amount(facts['absent'] or 0, 'unit')}, {back}"


def _get_side_subject(facts: _Facts, key: str) -> Subject:
    side = facts[key]
    names: CampaignNames = facts["names"]
    return Subject(names.side(side) if side else "neither side")


def _describe_contact(facts: _Facts) -> str:
    return (
        f"{_get_side_subject(facts, 'attacker')} and {_get_side_subject(facts, 'defender')} come into "
        f"contact {facts['where']}"
    )


def _describe_battle(facts: _Facts) -> str:
    by = {"engine": "fought out", "table": "fought on the table", "umpire": "settled by the umpire"}
    how = by.get(str(facts["source"]), "settled")
    held = "holds the field"
    if facts.get("pursuit") == "none" and facts["field_held_by"]:
        held += " and does not pursue"
    return (
        f"battle {facts['where']}, {how}: {_get_side_subject(facts, 'attacker')} attacked, "
        f"{_get_side_subject(facts, 'field_held_by'):{held}}"
    )


def _describe_general_loss(facts: _Facts) -> str:
    # how badly and for how long only his own side hears, as `general_away`; days of older rules say it here
    fates = {"killed": "is killed", "captured": "is taken prisoner", "disabled": "is wounded"}
    fate = fates.get(str(facts["fate"]), f"is {facts['fate']}")
    return f"{facts['name']}, a general of {_get_side_subject(facts, 'side')}, {fate}"


def _describe_weather(facts: _Facts) -> str:
    sky = {"fair": "fair weather", "rain": "rain", "storm": "storms", "fog": "fog"}
    wind = ", and a foul wind on the lakes" if facts["foul_wind"] else ""
    return f"{sky.get(str(facts['weather']), 'weather unknown')}{wind}"


def _describe_halt(facts: _Facts) -> str:
    names: CampaignNames = facts["names"]
    towards = names.place(str(facts["towards"]))
    return f"{facts['formation']:halts} {facts['where']}, bound for {towards}"


def _describe_place_capture(facts: _Facts) -> str:
    taken = f" from {_get_side_subject(facts, 'from')}" if facts["from"] else ""
    return f"{_get_side_subject(facts, 'side'):takes} {facts['place']}{taken}"


def _format_reason(facts: _Facts) -> str:
    return str(facts["reason"]).rstrip(".")


def _format_units(facts: _Facts, key: str = "units") -> str:
    """Units by name, or how many they are when they are many."""
    names: CampaignNames = facts["names"]
    units = [names.unit(str(unit)) for unit in facts[key] or ()]
    return join_names(units) if len(units) <= 4 else f"{len(units)} units"


def _describe_transfer(facts: _Facts) -> str:
    # several are listed, or counted
    bodies, several = _format_units(facts), len(facts["units"] or ()) != 1
    goes = f"{bodies} go" if several else f"{Subject(bodies):goes}"
    return f"{goes} over to {facts['formation']} {facts['where']}"


def _describe_junction(facts: _Facts) -> str:
    names: CampaignNames = facts["names"]
    return f"{facts['formation']:joins} {names.formation(str(facts['into']))} {facts['where']}"


def _describe_garrison_duty(facts: _Facts) -> str:
    done = "becomes the garrison" if facts["on"] else "is relieved of its garrison duty"
    return f"{facts['formation']:{done}} {facts['where']}"


def _describe_escape(facts: _Facts) -> str:
    done = "slips away" if facts["escaped"] else "cannot slip away"
    return f"{_get_side_subject(facts, 'side'):{done}} {facts['where']}"


def _describe_pursuit(facts: _Facts) -> str:
    side = _get_side_subject(facts, "side")
    return f"{side:pursues} with {facts['sp']} SP and {side:+takes} {facts['taken']} SP of prisoners"


def _describe_siege_start(facts: _Facts) -> str:
    return f"{facts['place']} is invested"


def _describe_bombardment(facts: _Facts) -> str:
    guns = "the battery on the height batters" if facts["from_height"] else "siege guns batter"
    return f"{guns} the works of {facts['place']}: {facts['lost']} SP are down, {facts['left']} stand"


def _describe_summons(facts: _Facts) -> str:
    answer = "the garrison lays down its arms" if facts["accepted"] else "the garrison refuses"
    return f"{_get_side_subject(facts, 'side'):summons} {facts['place']}: {answer}"


def _describe_surrender_talks(facts: _Facts) -> str:
    return f"the force of {_get_side_subject(facts, 'side')} {facts['where']} is shut in and treats for terms"


def _describe_talks_failure(facts: _Facts) -> str:
    return f"the force of {_get_side_subject(facts, 'side')} {facts['where']} breaks off the treaty"


def _warriors_leave(facts: _Facts) -> str:
    cause = f"{facts['unit']:+its} losses" if facts["cause"] == "losses" else "the long siege"
    return f"{facts['unit']:goes} home after {cause}"


def _told_by_courier(facts: _Facts) -> str:
    ago = "yesterday" if facts["ago"] == 1 else f"{facts['ago']} days ago"
    inner = inner_event(facts["event"])
    said = narrate(inner, facts["names"]).rstrip(".") if inner is not None else ""
    return f"{facts['formation']:reports} of {ago}: {said}"


def _describe_march_to_guns(facts: _Facts) -> str:
    moved = "marches to the sound of the guns" if facts["comes"] else "hears the guns and stays"
    return f"{facts['formation']:{moved}} {facts['where']}"


#: A sentence by kind of event, without its full stop. Fields are those of `facts_of`.
SENTENCES: dict[str, str | Callable[[_Facts], str]] = {
    "campaign_begins": "{title} begins; the fingerprint of the secret behind its dice is {commitment}",
    # --- contact and battle ---
    "contact": _describe_contact,
    "stand_off": "the two sides face each other {where} and do not fight",
    "flight": _describe_escape,
    "escape": _describe_escape,
    "contact_at_dusk": "the two sides meet {where} as it grows dark and wait for dawn",
    "put_off_by_rain": "heavy rain: the two sides face each other {where} and wait for dawn",
    "truce": "the arms rest {where} while terms are made",
    "pursuit": _describe_pursuit,
    "siege_laid": _describe_siege_start,
    "siege_raised": "the siege of {place} is raised",
    "works_battered": _describe_bombardment,
    "summons": _describe_summons,
    "terms_begun": _describe_surrender_talks,
    "terms_broken": _describe_talks_failure,
    "warriors_leave": _warriors_leave,
    "warriors_stay": "{unit:stays} another week",
    "joins_battle": "{formation:comes} up to the battle {where}",
    "called_to_battle": _describe_march_to_guns,
    "battle": _describe_battle,
    "retreat": "{formation:falls} back {where}",
    "force_surrendered": "{formation}, cut off, {formation:+lays down its arms}",
    "unit_surrendered": "{unit:goes} into captivity",
    "battle_loss": _battle_loss,
    "general_lost": _describe_general_loss,
    "general_away": lambda facts: (
        f"{facts['name']}'s wound is {'grave' if facts['fate'] == 'disabled' else 'not grave'}: "
        f"he will be away for {format_amount(facts['weeks'] or 0, 'week')}"
    ),
    **SCOUTING_SENTENCES,
    "told_by_courier": _told_by_courier,
    **UMPIRE_SENTENCES,
    **ARMY_SENTENCES,
    # --- comings and goings ---
    "arrived": "{unit:arrives} {where}",
    "arrival_waits": "{unit:is} due {where} and {unit:+waits}: the enemy holds the place",
    "rejoined": lambda facts: (
        f"{facts['formation']:rejoins} {facts['names'].formation(facts['parent'])} {facts['where']}"
    ),
    # --- work, boats, bridges ---
    "entrenched": "{formation:digs} in {where}: works of {sp} SP, {men} men at work",
    "works_dismantled": "{formation:takes} works down {where}: {sp} SP are left",
    "bridge_broken": "{formation:breaks} the crossing of {route}",
    "bridge_mended": "{formation:is} mending the crossing of {route}, {men} men at work",
    "bridge_repaired": "{formation:has} mended the crossing of {route}",
    "crossing_broken": lambda facts: (
        f"{facts['formation']:finds} the crossing of {facts['route']} broken"
        + f" and {facts['formation']:{'+halts' if facts['closed'] else '+fords it'}}"
    ),
    "raft_begun": "{formation:is} laying a bridge of rafts on {route}, {men} men at work",
    "raft_laid": "{formation:has} laid a bridge of rafts on {route}",
    "raft_breaks": "the rain carries away the bridge of rafts on {route}",
    "raft_holds": "the bridge of rafts on {route} holds in the rain",
    "road_felled": "{formation:fells} and {formation:+breaks} {yards} yards of {route}, {men} men at work",
    "road_found_felled": "{formation:finds} {route} felled and broken, and must clear {formation:+its} way",
    "road_cleared": "{formation:is} through the felled part of {route}; the road is open",
    "boats_gathered": "{formation:gathers} boats at {place}: they carry {men} men now",
    "no_trace": "{formation:stands} where the enemy was last known and {formation:+finds} no trace of him",
    # --- organisation ---
    "detached": lambda facts: (
        f"{Subject(facts['name']):is} detached from {facts['formation']} {facts['where']}: "
        f"{_format_units(facts)}"
    ),
    "transferred": _describe_transfer,
    "escorted": lambda facts: (
        f"{facts['formation']:takes} {_format_units(facts)} under escort {facts['where']}"
    ),
    "joined": _describe_junction,
    "garrisoned": _describe_garrison_duty,
    "command_taken": "{name} takes command of {formation}",
    "organisation_refused": lambda facts: (
        f"{facts['formation']} cannot be reorganised as ordered: {_format_reason(facts)}"
    ),
    "levy_stays": "{unit:has served its time} and {unit:+stays} another day",
    # --- marches ---
    "weather": _describe_weather,
    "arrives": "{formation:arrives} at {place}",
    "passes": "{formation:passes} {place}",
    "halts": _describe_halt,
    "march_held_up": lambda facts: f"{facts['formation']:is} held up: {_format_reason(facts)}",
    "order_refused": lambda facts: f"{facts['formation']} cannot do as ordered: {_format_reason(facts)}",
    "place_taken": _describe_place_capture,
    "wheels_abandoned": "{unit} cannot follow the retreat and {unit:+is} left behind",
    "forced_march": _forced_march,
    # --- the week's returns ---
    "enlistments": "terms run out and recruits come in to {unit}{pool}",
    "recruits": "recruits come in to {unit}{pool}",
    "attrition": "sickness and expiring terms thin {unit}{pool}",
    "militia": "militia come and go in {unit}{pool}",
    "militia_went_home": "{unit:has} gone home",
    "militia_return_roll": _militia_return,
    "militia_returned": "{unit:has} come back {where}",
    "levy_departed": "{unit:has served its time} and {unit:+leaves}",
    "replacements_roll": "word from Europe of replacements",
    "replacements": "replacements from Europe reach {unit}{pool}",
    "loyalist_fill": "Loyalists fill the ranks: {unit}{pool}",
    "balanced": "strengths are evened out: {unit}{pool}",
    "choice_refused": lambda facts: f"a choice for the week's returns is refused: {_format_reason(facts)}",
    "choice_lapsed": "what was ordered for {unit} could not be done at the week's end",
    "overstrength": lambda facts: (
        f"{facts['unit'] or facts['pool']:has} men over establishment, who go to the pool"
    ),
    "unit_eliminated": "{unit:has} no men left",
    "unit_rebuilt": "{unit:is} raised again {where}",
    "unit_raised": "{unit:is} raised {where}",
    "pool_spent": "men are drawn from {pool}",
    "downgraded": "line replacements serve as militia: {pool}",
    "muster_waits": "{unit:finds} no place to muster and {unit:+waits}",
}
