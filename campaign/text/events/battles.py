"""Contacts and battles in words, from the first meeting to the pursuit."""

from battles.grammar import Subject
from campaign.text.battle_measures import rules_title
from campaign.text.event_facts import EventFacts, find_side_subject, format_reason
from campaign.text.event_kinds import EventCategory, EventKind, GazettePrint, Readers


def _battle_loss(facts: EventFacts) -> str:
    lost, captured = facts["sp_lost"], facts["sp_captured"]
    if captured and not lost:  # in a pursuit nothing else is lost, and the battle is over (HR-PUR-01)
        loses = f"{facts['unit']:+loses}"
        return f"{facts['unit']}, {facts['sp_start']} SP strong, {loses} {captured} SP as prisoners"
    taken = f" and {captured} captured" if captured else ""
    return f"{facts['unit']} came into battle with {facts['sp_start']} SP: {lost} lost{taken}"


def _describe_contact(facts: EventFacts) -> str:
    return (
        f"{find_side_subject(facts, 'attacker')} and {find_side_subject(facts, 'defender')} come into "
        f"contact {facts['where']}"
    )


def _describe_battle(facts: EventFacts) -> str:
    by = {"engine": "fought out", "table": "fought on the table", "umpire": "settled by the umpire"}
    how = by.get(str(facts["source"]), "settled")
    held = "holds the field"
    if facts.get("pursuit") == "none" and facts["field_held_by"]:
        held += " and does not pursue"
    return (
        f"battle {facts['where']}, {how}: {find_side_subject(facts, 'attacker')} attacked, "
        f"{find_side_subject(facts, 'field_held_by'):{held}}"
    )


def _describe_escape(facts: EventFacts) -> str:
    done = "slips away" if facts["escaped"] else "cannot slip away"
    return f"{find_side_subject(facts, 'side'):{done}} {facts['where']}"


def _describe_pursuit(facts: EventFacts) -> str:
    side = find_side_subject(facts, "side")
    return f"{side:pursues} with {facts['sp']} SP and {side:+takes} {facts['taken']} SP of prisoners"


def _describe_march_to_guns(facts: EventFacts) -> str:
    moved = "marches to the sound of the guns" if facts["comes"] else "hears the guns and stays"
    return f"{facts['formation']:{moved}} {facts['where']}"


def _describe_annulment(facts: EventFacts) -> str:
    names = facts["names"]
    sides = " and ".join(names.side(facts[key]) for key in ("attacker", "defender") if facts[key])
    result = "; its result does not count" if facts["settled"] else ""
    day = f" on day {facts['day']}"
    return f"the battle of {sides} {facts['where']}{day} falls away: {format_reason(facts)}{result}"


def _describe_kept_result(facts: EventFacts) -> str:
    by = {"engine": "the engine's", "table": "the table's", "umpire": "the umpire's"}
    holder = facts["names"].side(facts["held_by"]) if facts["held_by"] else "neither side"
    losses = [
        f"{row['unit']} {row['lost']} SP lost, {row['captured']} captured"
        + ("" if row["fate"] == "present" else f" ({row['fate'].replace('_', ' ')})")
        for row in facts["losses"] or ()
    ]
    generals = [f"{row['name']} {row['fate']}" for row in facts["generals"] or ()]
    listed = "; ".join([f"{holder} held the field", *losses, *generals])
    whose = by.get(str(facts["source"]), "the")
    return f"{whose} result of the battle {facts['where']} that fell away is kept here: {listed}"


def _format_battle_name(facts: EventFacts) -> str:
    """Name a battle by its sides and its place."""
    names = facts["names"]
    sides = " and ".join(names.side(facts[key]) for key in ("attacker", "defender") if facts[key])
    return f"the battle of {sides} {facts['where']}"


def _battle_way(facts: EventFacts) -> str:
    ways = {
        "engine": "is to be fought out by the engine",
        "table": "is to be fought on the table",
        "word": "is to be settled by the umpire's word",
    }
    chosen = str(facts["ruleset"] or "")
    rules = f", by {rules_title(chosen)}" if chosen else ""
    anew = "; what was entered of it is taken back, to be entered anew" if facts["anew"] else ""
    return (
        f"{_format_battle_name(facts)} "
        f"{ways.get(str(facts['way']), 'waits for the umpire to say how')}{rules}{anew}"
    )


#: What an adjustment changes, in words.
ADJUSTED = {
    "ground": "the ground",
    "arrivals": "when troops come up",
    "rain": "the rain",
    "plan": "how a side fights",
}


def _describe_battle_adjustment(facts: EventFacts) -> str:
    names = facts["names"]
    if facts["what"] == "arrivals":
        turns = [f"in turn {turn}" if turn else "at once" for turn in facts["turns"] or ()]
        told = [f"{names.unit(key)} {turn}" for key, turn in zip(facts["units"] or (), turns, strict=False)]
        return f"{_format_battle_name(facts)}: by the umpire's word there come up {', '.join(told)}"
    if facts["what"] == "rain":
        sky = {"none": "no rain", "rain": "rain", "storm": "heavy rain"}.get(str(facts["rain"]), "the rain")
        return (
            f"{_format_battle_name(facts)} is fought in {sky}, as the umpire says"
            if facts["rain"] != "none"
            else (f"{_format_battle_name(facts)} is fought in the dry, as the umpire says")
        )
    if facts["what"] == "plan":
        return (
            f"{_format_battle_name(facts)}: the umpire has laid down how "
            f"{Subject(names.side(facts['side'])):fights}"
        )
    return f"{_format_battle_name(facts)} is fought on ground the umpire has had drawn anew"


def _describe_adjustment_undo(facts: EventFacts) -> str:
    what = ADJUSTED.get(str(facts["what"]), "something")
    return f"{_format_battle_name(facts)}: what the umpire changed of {what} does not count any more"


def _describe_sector(facts: EventFacts) -> str:
    units = facts["units"]
    if not units:
        return f"{_format_battle_name(facts)} is fought whole"
    fight = "1 unit fights" if units == 1 else f"{units} units fight"
    return f"{_format_battle_name(facts)} is split: {fight} on the table, and the engine fights beside it"


CATEGORY = EventCategory(
    "battles",
    "Battles and contacts",
    (
        EventKind(
            "contact",
            rules=("HR-CON-01",),
            readers=Readers.BOTH_SIDES,
            sentence=_describe_contact,
            headline_weight=2,
            gazette=GazettePrint(
                "war",
                rank=14,
                head="The armies meet {where}",
                head_rank=9,
                manners=(
                    "The troops of {attacker_name} and those of {defender_name} have fallen in with each"
                    " other {where}.",
                    "{attacker_name} and {defender_name} are come into contact {where}.",
                ),
            ),
        ),
        EventKind(
            "stand_off",
            rules=("HR-CON-03", "HR-CON-06"),
            readers=Readers.BOTH_SIDES,
            sentence="the two sides face each other {where} and do not fight",
            headline_weight=1,
            gazette=GazettePrint(
                "war",
                rank=15,
                manners=(
                    "The two sides faced each other {where}, and did not fight.",
                    "{where_first} the two sides stood within sight of each other without coming to blows.",
                ),
            ),
        ),
        EventKind(
            "flight",
            rules=("HR-CON-06",),
            readers=Readers.BOTH_SIDES,
            sentence=_describe_escape,
            headline_weight=1,
            gazette=GazettePrint("war", rank=17),
        ),
        EventKind(
            "escape",
            rules=("HR-CON-02", "HR-CON-04"),
            readers=Readers.BOTH_SIDES,
            sentence=_describe_escape,
            headline_weight=1,
            gazette=GazettePrint("war", rank=18),
        ),
        EventKind(
            "contact_at_dusk",
            rules=("HR-CON-05",),
            readers=Readers.BOTH_SIDES,
            sentence="the two sides meet {where} as it grows dark and wait for dawn",
        ),
        EventKind(
            "put_off_by_rain",
            rules=("HR-CON-14",),
            readers=Readers.BOTH_SIDES,
            sentence="heavy rain: the two sides face each other {where} and wait for dawn",
        ),
        EventKind(
            "truce",
            rules=("HR-SUR-02",),
            readers=Readers.BOTH_SIDES,
            sentence="the arms rest {where} while terms are made",
        ),
        EventKind(
            "pursuit",
            rules=("HR-PUR-01",),
            readers=Readers.BOTH_SIDES,
            sentence=_describe_pursuit,
            headline_weight=2,
            gazette=GazettePrint(
                "war",
                rank=13,
                manners=(
                    "{side_name} pursued with {sp} SP, and took {taken} SP of prisoners.",
                    "In the pursuit {side_name}, with {sp} SP, took {taken} SP of prisoners.",
                ),
            ),
        ),
        EventKind(
            "joins_battle",
            rules=("HR-CON-09",),
            readers=Readers.BOTH_SIDES,
            sentence="{formation:comes} up to the battle {where}",
            gazette=GazettePrint("war", rank=19, manners=("{formation} came up to the battle {where}.",)),
        ),
        EventKind(
            "called_to_battle",
            rules=("HR-CON-09",),
            readers=Readers.ONE_SIDE,
            sentence=_describe_march_to_guns,
        ),
        EventKind(
            "battle",
            rules=("HR-CON-10",),
            readers=Readers.BOTH_SIDES,
            sentence=_describe_battle,
            headline_weight=3,
            gazette=GazettePrint(
                "war",
                rank=2,
                head="Battle {where}",
                head_rank=3,
                manners=(
                    "An engagement was fought {where}: the troops of {attacker_name} attacked, and"
                    " {holder_name:is} left in possession of the field.",
                    "We have accounts of an action {where}, in which {attacker_name} attacked;"
                    " {holder_name:holds} the field.",
                    "Battle was joined {where} upon the attack of {attacker_name}, and the field remains with"
                    " {holder_name}.",
                ),
            ),
        ),
        EventKind(
            "retreat",
            rules=("HR-CON-02", "HR-CON-03", "HR-CON-06", "HR-CON-07", "HR-RET-01", "HR-RET-03"),
            readers=Readers.ONE_SIDE,
            sentence="{formation:falls} back {where}",
            headline_weight=2,
            gazette=GazettePrint(
                "war",
                rank=16,
                head="Retreat of {formation}",
                head_rank=10,
                manners=(
                    "{formation} fell back, and halted {where}.",
                    "{formation} retired, and halted {where}.",
                ),
            ),
        ),
        EventKind(
            "force_surrendered",
            rules=("HR-SUR-01",),
            readers=Readers.BOTH_SIDES,
            sentence="{formation}, cut off, {formation:+lays down its arms}",
            headline_weight=3,
            gazette=GazettePrint(
                "war",
                rank=3,
                head="Surrender of {formation}",
                head_rank=2,
                manners=(
                    "{formation}, being cut off, laid down arms.",
                    "It is our duty to record that {formation}, cut off, laid down arms.",
                ),
            ),
        ),
        EventKind(
            "unit_surrendered",
            rules=("HR-SUR-01",),
            readers=Readers.ONE_SIDE,
            cause="battle",
            sentence="{unit:goes} into captivity",
            gazette=GazettePrint(is_loss=True),
        ),
        EventKind(
            "battle_loss",
            rules=("AWI-C-BAT-01", "AWI-C-BAT-02", "AWI-C-BAT-03"),
            readers=Readers.ONE_SIDE,
            cause="battle",
            sentence=_battle_loss,
            gazette=GazettePrint(is_loss=True),
        ),
        EventKind(
            "wheels_abandoned",
            rules=("HR-RET-02",),
            readers=Readers.ONE_SIDE,
            cause="battle",
            sentence="{unit} cannot follow the retreat and {unit:+is} left behind",
            gazette=GazettePrint(is_loss=True),
        ),
        EventKind(
            "battle_annulled",
            rules=("HR-CAL-14",),
            readers=Readers.BOTH_SIDES,
            sentence=_describe_annulment,
            gazette=GazettePrint("notices", rank=4),
        ),
        EventKind(
            "result_kept",
            rules=("HR-CAL-14",),
            readers=Readers.UMPIRE,
            sentence=_describe_kept_result,
        ),
        EventKind(
            "battle_way",
            rules=("HR-TAB-11",),
            readers=Readers.BOTH_SIDES,
            sentence=_battle_way,
        ),
        EventKind(
            "battle_adjusted",
            rules=("HR-TAB-12",),
            readers=Readers.BOTH_SIDES,
            sentence=_describe_battle_adjustment,
        ),
        EventKind(
            "adjustment_undone",
            rules=("HR-TAB-13",),
            readers=Readers.BOTH_SIDES,
            sentence=_describe_adjustment_undo,
        ),
        EventKind(
            "battle_split",
            rules=("HR-TAB-14",),
            readers=Readers.BOTH_SIDES,
            sentence=_describe_sector,
        ),
    ),
)
