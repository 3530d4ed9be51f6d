"""Journal entries as sentences people read. Pure: an event and the names of things go in."""

from collections.abc import Callable, Mapping
from typing import Any

from battles.grammar import Subject, format_amount
from campaign.rules.dispatches.couriers import inner_event
from campaign.rules.march.marching import LEAST_PERCENT_OVER
from campaign.rules.world.events import Event
from campaign.rules.world.world import Order
from campaign.text.place_names import CampaignNames, format_id, join_names
from campaign.text.place_names import names_of as names_of
from campaign.text.place_names import position_text as position_text
from campaign.text.place_names import tint_of as tint_of
from campaign.text.scouting_events import SCOUTING_SENTENCES
from campaign.text.umpire_events import UMPIRE_SENTENCES

#: An event's data, and what its ids are called; a fact an event lacks is "".
Facts = Mapping[str, Any]


def _find_side_subject(facts: Facts, key: str = "side") -> Subject:
    side = facts[key]
    return Subject(facts["names"].side(side) if side else "neither side")


def _describe_supply_cut(facts: Facts) -> str:
    """Describe the place where a line of food is cut."""
    if facts["source"]:
        return f"too little comes from {facts['names'].place(str(facts['source']))}"
    if not facts["broken"]:
        return "no magazine is near enough"
    return f"the enemy bars the way of the food at {facts['names'].place(str(facts['broken']))}"


def _line_open(facts: Facts) -> str:
    source = f" from {facts['names'].place(str(facts['source']))}" if facts["source"] else ""
    return f"food comes to {facts['formation']} again{source}"


def _describe_ration(facts: Facts) -> str:
    ration = "two-thirds ration" if facts["short"] else "the full ration"
    return f"{facts['formation']:is} put on {ration}"


def _describe_magazine_capture(facts: Facts) -> str:
    loser = _find_side_subject(facts, "from")
    rations = format_amount(facts["rations"] or 0, "ration")
    return f"{_find_side_subject(facts):takes} the magazine of {loser} {facts['where']}, {rations}"


def _general_arrives(facts: Facts) -> str:
    with_whom = f" and joins {facts['formation']}" if facts["formation"] else ""
    return f"{facts['name']} arrives{with_whom}"


def _format_side_points(facts: Facts) -> str:
    points = facts["points"] or {}
    return ", ".join(f"{facts['names'].side(side)} {points[side]}" for side in sorted(points))


def describe_campaign_end(facts: Facts) -> str:
    """Describe the end of a campaign: its cause, the winner, and the points."""
    winner = _find_side_subject(facts, "winner") if facts["winner"] else Subject()
    sides = facts["points"] or facts["names"].sides  # without goals nobody scores
    loser = Subject(
        next((facts["names"].side(side) for side in sides if side != facts["winner"]), "one side")
    )
    how = {
        "beaten": f"{loser:has} nothing left",
        "place": f"{winner:holds} what {winner:+it was} to seize",
        "army": f"the army of {loser} is destroyed",
        "conceded": f"{loser:concedes}",
        "terms": "terms are agreed",
        "umpire": "the umpire closes it",
    }.get(str(facts["cause"]), "")
    clear = "clearly " if facts["margin"] == "decisive" else ""
    won = f"{winner:has} {clear}won" if winner else "neither side has won" if facts["cause"] else ""
    told = "; ".join(part for part in (how, won) if part)
    points = f" ({_format_side_points(facts)} points)" if facts["points"] else ""
    return f"the campaign is over{': ' if told else ''}{told}{points}"


def _describe_chapter_end(facts: Facts) -> str:
    leads = f"{_find_side_subject(facts, 'leader'):leads}" if facts["leader"] else "neither side leads"
    return f"chapter {facts['chapter']} ends: {_format_side_points(facts)} points; {leads}"


def _describe_goal(facts: Facts) -> str:
    side = _find_side_subject(facts)
    what = {
        "hold": f"to hold {facts['place']} today",
        "strength": f"to have {side:+its} strength in the field",
        "reduce": "to reduce the enemy's army",
    }.get(str(facts["goal"]), f"to reach {side:+its} goal")
    done = f"reached, {format_amount(facts['points'] or 0, 'point')}" if facts["met"] else "missed"
    return f"{side:was} {what}: {done}"


def _describe_score(facts: Facts) -> str:
    side, points = _find_side_subject(facts), format_amount(facts["points"] or 0, "point")
    return f"{side:scores} {points} for the posts {side:+it holds}, {facts['total']} in all"


def _describe_arrival_date(facts: Facts) -> str:
    units, come = format_amount(facts["units"] or 0, "unit"), "comes" if facts["units"] == 1 else "come"
    due = f"due {facts['where']} on day {facts['due']}"
    return f"{units} of {facts['formation']} {due} {come} on day {facts['comes']}"


def _describe_terms_offer(facts: Facts) -> str:
    winner = (
        f"{_find_side_subject(facts, 'winner')} to have won"
        if facts["winner"]
        else "neither side to have won"
    )
    return f"{_find_side_subject(facts):offers} terms, {winner}: {str(facts['text']).rstrip('.')}"


def _describe_alternative(facts: Facts) -> str:
    comes = "comes about" if facts["comes"] else "does not come about"
    return f"what might have been, {str(facts['alternative']).replace('_', ' ')}, {comes}"


#: A sentence by kind of event, without its full stop, as in `campaign.text.event_sentences`.
ARMY_SENTENCES: dict[str, str | Callable[[Any], str]] = {
    # --- food ---
    "hungry": lambda facts: (
        f"{facts['formation']:lacks} {format_amount(facts['missing'] or 0, 'ration')}: "
        f"{_describe_supply_cut(facts)}"
    ),
    "hunger_loss": lambda facts: f"{facts['unit']:goes} hungry, for {_describe_supply_cut(facts)}",
    "line_broken": lambda facts: f"no more food comes to {facts['formation']}: {_describe_supply_cut(facts)}",
    "line_open": _line_open,
    "magazine_taken": _describe_magazine_capture,
    "ration_set": _describe_ration,
    "depot_laid": "{formation:lays} down a depot of {rations} rations {where}",
    # --- generals ---
    "general_captured": lambda facts: (
        f"{facts['name']}, a general of {_find_side_subject(facts)}, is taken prisoner with his force"
    ),
    "general_healed": "{name} has recovered and takes up his command again",
    "general_arrives": _general_arrives,
    "general_leaves": "{name} is called away and leaves the campaign",
    "command_passes": "{name} follows {was} in command of {formation}",
    "exchange_offered": lambda facts: (
        f"{_find_side_subject(facts):offers} {facts['for']} in exchange for {facts['name']}"
    ),
    "generals_exchanged": "{name} and {for} are exchanged and go home",
    # --- victory ---
    "campaign_ended": describe_campaign_end,
    "chapter_ends": _describe_chapter_end,
    "points_scored": _describe_score,
    "goal_reckoned": _describe_goal,
    "terms_offered": _describe_terms_offer,
    "terms_refused": lambda facts: f"{_find_side_subject(facts):refuses} the terms",
    "terms_withdrawn": lambda facts: f"{_find_side_subject(facts):withdraws its} terms",
    # --- hindsight ---
    "alternative": _describe_alternative,
    "date_settled": _describe_arrival_date,
}


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
    """Add a full stop to a sentence, unless it ends in one or in "!" or "?"."""
    return text if text.endswith((".", "!", "?")) else f"{text}."


def build_event_facts(event: Event, names: CampaignNames) -> _Facts:
    """Collect the facts that a sentence about an event may name: its data, and the names of its ids."""
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
    """Describe an event without a sentence of its own: its kind, who and where."""
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
