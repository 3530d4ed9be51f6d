"""Events of a battle as an account an officer could have written, and a summary of its result."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from battles.engine.events import GENERAL_KINDS, BattleEvent
from battles.engine.fighting import FightResult
from battles.files.schema import BattleFile, BattleUnit, UnitOutcome
from battles.ground.names import describe_ground, join_names
from battles.replay.event_text import FILE_MINUTES, Telling
from battles.replay.words import (
    BattleNames,
    capitalize_first,
    describe_plan,
    format_count,
    format_possessive,
    is_guns,
    shorten_names,
)
from battles.rulesets import registry
from battles.rulesets.rules import RulesetRules
from battles.strength_conversion import pooled_file
from battles.table_pieces import standing_file

#: Kinds that show a charger, or whom it charged, to have had an outcome of the charge.
_CAME_UP = frozenset({"contact", "melee_roll", "melee_routed", "melee_lost", "melee_repulsed"})
_FLED = frozenset(
    {"routs", "routs_again", "evade", "surrender_test", "gun_captured", "wagon_captured", "eliminated"}
)
#: Kinds in which a unit is engaged: it does it, or it is done to it.
_ENGAGED = frozenset(
    {"fire", "fire_at_second_charge", "fire_at_structure", "charge", "melee_roll", "sp_lost"}
)


def list_idle_units(units: Iterable[BattleUnit], events: Sequence[BattleEvent]) -> list[BattleUnit]:
    """Those of some units that had no part in any fighting; none where nobody had."""
    engaged = {unit for event in events if event.kind in _ENGAGED for unit in (event.actor, event.target)}
    return [unit for unit in units if unit.sp > 0 and unit.id not in engaged] if engaged else []


def list_charge_stops(events: Sequence[BattleEvent], telling: Telling) -> list[str]:
    """For each event, the cause that stopped a charge short of melee or of driving anybody off, else ""."""
    found = []
    for n, charge in enumerate(events):
        ended, shot = charge.kind != "charge", False
        for event in () if ended else events[n + 1 :]:
            if (event.turn, event.side) != (charge.turn, charge.side):
                break
            if event.kind == "charge" and event.actor == charge.actor:
                break
            ended = ended or (event.kind in _CAME_UP and charge.actor in (event.actor, event.target))
            ended = ended or (event.kind in _FLED and event.actor == charge.target)
            wavers = event.kind in telling.wavers or event.result == "fails"
            shot = shot or (wavers and event.actor == charge.actor and not ended)
        missed = telling.stopped if shot else "did not come up with {t}"
        found.append("" if ended else missed)
    return found


def count_fire_hits(events: Sequence[BattleEvent], telling: Telling) -> list[int]:
    """For each event by how many hits it makes fire tell upon its target.

    Where hits are saved, a save takes one from the last fire upon who saves.
    """
    found = [int(event.result == "hit") for event in events]
    if "save_die" not in telling.each:
        return found
    last: dict[str, int] = {}
    for n, event in enumerate(events):
        if event.kind == "melee_roll":
            last.clear()  # what is saved next was no fire
        elif event.kind == "fire":
            found[n], last[event.target] = event.total, n
        elif event.kind == "save_die" and event.result == "passes" and event.actor in last:
            found[last[event.actor]] -= 1
    return found


#: What is said of an event, by kind and result ("" for any): `{a}` is who does it, `{t}` to whom, `{n}` its
#: figure. Those of whom the same is said in one player turn are told of together.
SAYINGS: dict[str, dict[str, str]] = {
    "arrives": {"": "{a} came up and entered the field"},
    "shaken_test": {"retire": "{a} drew back to recover their order", "rout": "{a} broke and ran"},
    "rout_test": {"rallied": "{a} were rallied"},
    "surrender_test": {"surrendered": "{a} laid down their arms"},
    "eliminated": {"": "{a} were destroyed"},
    "left_table": {"": "{a} left the field"},
    "gun_captured": {"": "{t} took the guns of {a}", "named": "{t} took {a}"},
    "wagon_captured": {"": "{t} took {a}"},
    "routed_by_fire": {"": "{a} gave way under the fire and ran"},
    "charge": {"": "{a} charged {t}"},
    "charge_test": {"rout": "{a} did not await the charge, but broke"},
    "routs_again": {"": "{a} were cut up as they ran, and ran on"},
    "counter_charge": {"": "{a} went forward to meet {t}"},
    "evade": {"": "{a} slipped away before {t}"},
    "highland_test": {"highland_charge": "{a} threw down their muskets and rushed on sword in hand"},
    "highland_joins": {"highland_charge": "{a} threw down their muskets and rushed on sword in hand"},
    "melee_draw": {"": "{a} fought {t} hand to hand until both drew off"},
    "melee_lost": {"": "{a} were worsted by {t} and fell back shaken"},
    "melee_routed": {"": "{a} were broken by {t} hand to hand"},
    "melee_repulsed": {"": "{t} flung {a} back with loss"},
    "enters_building": {"": "{a} threw themselves into {t}"},
    "leaves_building": {"": "{a} quitted {t}"},
    "general_under_fire": {
        "wounded": "{t} was wounded at the head of {a}",
        "disabled": "{t} was hit a second time at the head of {a} and led from the field",
        "killed": "{t} fell at the head of {a}",
    },
    "general_in_melee": {
        "wounded": "{t} was wounded in the press with {a}",
        "disabled": "{t} was hit a second time in the press with {a} and led from the field",
        "killed": "{t} fell in the press with {a}",
        "captured": "{t} was taken in the press with {a}",
    },
    "general_captured": {"": "{t} was taken with {a}"},
    "general_driven_off": {"": "{t} had to seek safety among {a}"},
    "general_leaves": {"": "{t} was swept from the field with {a}"},
    "chain_shaken": {"": "{a} were shaken by the loss of {t}"},
    "lays_charge": {"": "{a} laid powder under {t}"},
    "explosion": {"": "{t} was blown up", "miss": "{t} withstood the charges"},
    "blast": {"hit": "{a} were caught by the blast"},
    "structure_hit": {"": "{t} suffered under the guns"},
    "structure_falls": {"": "{t} fell in ruins"},
    "breaks_off": {"": "{a} could get no farther, and fell back to come on again"},
}
#: Kinds that a reader of the day hears of.
TOLD = frozenset({"fire", "fire_at_second_charge", "shaken", *SAYINGS})
#: Kinds an account leaves out: marching, turning, single dice, and what another kind tells already.
UNTOLD = frozenset(
    {
        "first_move", "rout_move", "retire", "sp_lost", "move", "fall_back", "turn", "wheel",
        "change_formation", "limber", "deploy", "recrew", "change_facing", "shot_wasted", "routs",
        "contact", "occupy", "melee_roll", "melee_retire", "marches_off", "battle_ends",
        "turn_refused", "effectiveness", "crossing", "general_joins", "general_moves",
        "builds", "dismantles", "digging_lost", "blast_dice", "fire_at_structure",
        "highland_move", "fire_quality", "morale_quality", "first_move_level",
    }
)  # fmt: skip

#: A saying by what it begins with: words, of whom it is said, what is said of him.
_SUBJECT = re.compile(r"([^{]*)\{([atn])\} ?(.*)")
#: Works a defender stands at.
WORKS = ("fieldwork", "stockade", "redoubt")

ENDINGS = {
    "day_over": "The time for fighting ran out.",
    "nothing_left": "There was nothing left in the field to oppose.",
    "broken": "",
    "no_contact": "The firing died away, and neither side came on again.",
    "no_way": "The attackers found no way through the ground before them, and the fight ended there.",
}


@dataclass(slots=True)
class _Turn:
    """The events of one player turn, gathered for a paragraph.

    `shots` are those who fired, by their side and whom they fired at; `hits` how often it told.
    `told` is what else is said, in order, each with all it is said of, so many `before_fire`; `after` is
    what became of charges that came to nothing.
    """

    shots: dict[tuple[str, str], list[str]] = field(default_factory=lambda: defaultdict(list))
    hits: dict[tuple[str, str], int] = field(default_factory=lambda: defaultdict(int))
    shaken: list[str] = field(default_factory=list)
    told: list[tuple[str, list[str]]] = field(default_factory=list)
    before_fire: int = 0
    after: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))

    def say(self, who: str, what: str) -> None:
        """Say it together with those of whom it was said already, unless he has done something since."""
        for said, all_of_whom in reversed(self.told[self.before_fire :]):
            if said == what:
                all_of_whom.append(who)
                return
            if who in all_of_whom:
                break
        self.told.append((what, [who]))


def _find_saying(
    event: BattleEvent, battle: BattleFile, names: BattleNames, telling: Telling
) -> tuple[str, str] | None:
    """Of whom something is said and what, or None for an event that says nothing."""
    sayings = telling.sayings.get(event.kind) or SAYINGS[event.kind]
    saying = sayings.get(telling.result(event)) or sayings.get("")
    if saying is None:
        return None
    if event.kind == "gun_captured" and is_guns(names.actor(event)):
        saying = sayings["named"]
    if event.kind == "charge":
        saying += {1: " in flank", 2: " in rear"}.get(event.modifier, "")
    actor, target = names.actor(event), names.target(event)
    if event.kind in GENERAL_KINDS and not target:
        return None  # an officer without a name
    words = {"a": actor, "t": target or "the enemy", "n": telling.figure(battle, event)}
    found = _SUBJECT.match(saying)
    if found is None:
        return saying, ""
    before, of, what = found.groups()
    return before + words[of], what.format(**words)


def _gather_turns(
    events: Sequence[BattleEvent],
    stopped: Sequence[str],
    battle: BattleFile,
    names: BattleNames,
    telling: Telling,
) -> dict[tuple[int, str], _Turn]:
    turns: dict[tuple[int, str], _Turn] = {}
    sides = {unit.id: unit.side for unit in battle.units}
    happened = {
        (one.turn, one.side, one.kind, one.actor, target) for one in events for target in ("", one.target)
    }
    hits = count_fire_hits(events, telling)
    for event, why, hit in zip(events, stopped, hits, strict=True):
        if event.kind not in TOLD and event.kind not in telling.sayings:
            continue
        implied = telling.implied.get(event.kind)
        if (event.turn, event.side, implied, event.actor, event.target) in happened:
            continue
        turn = turns.setdefault((event.turn, event.side), _Turn())
        if event.kind in ("fire", "fire_at_second_charge"):
            turn.before_fire = turn.before_fire if turn.shots else len(turn.told)
            shot = sides.get(event.actor, event.side), event.target
            turn.shots[shot].append(names.actor(event))
            turn.hits[shot] += hit
        elif event.kind == "shaken" and "shaken" not in telling.sayings:
            turn.shaken.append(names.actor(event))
        elif saying := _find_saying(event, battle, names, telling):
            turn.say(*saying)
        if why:
            turn.after[why.format(t=names.target(event))].append(names.actor(event))
    return turns


def _describe_turn_fire(turn: _Turn, battle: BattleFile, names: BattleNames) -> list[str]:
    """Sentences on fire that told and fire that did nothing, one for each side that fired."""
    said = []
    sides = list(dict.fromkeys(side for side, _ in turn.shots))
    if len(sides) > 1 and not any(hits > 0 for hits in turn.hits.values()):
        shots = format_count(sum(map(len, turn.shots.values())), "discharge")
        return [f"The fire of both sides, {shots}, did no harm."]
    for side in sides:
        whose, own = battle.side_name(side), [shot for shot in turn.shots if shot[0] == side]
        telling = [shot for shot in own if turn.hits[shot] > 0]
        if telling:
            parts = [f"that of {join_names(turn.shots[shot])} upon {names.unit(shot[1])}" for shot in telling]
            said.append(f"{capitalize_first(format_possessive(whose))} fire told: {'; '.join(parts)}.")
        else:
            shots = format_count(sum(len(turn.shots[shot]) for shot in own), "discharge")
            said.append(f"{capitalize_first(format_possessive(whose))} fire, {shots}, did no harm.")
    return said


def _compose_paragraph(hour: str, side: str, turn: _Turn, battle: BattleFile, names: BattleNames) -> str:
    told = [f"{capitalize_first(f'{join_names(who)} {what}'.strip())}." for what, who in turn.told]
    said = told[: turn.before_fire] + _describe_turn_fire(turn, battle, names)
    if turn.shaken:
        said.append(f"{capitalize_first(join_names(turn.shaken))} wavered.")
    said += told[turn.before_fire :]
    said += [f"{capitalize_first(join_names(who))} {what}." for what, who in turn.after.items()]
    if not said:
        return ""
    return f"{hour}, {battle.side_name(side)} moving: {' '.join(said)}"


def _get_rules(battle: BattleFile) -> RulesetRules:
    return registry.get_rules(battle.ruleset)


def _as_one(battle: BattleFile) -> BattleFile:
    """The battle with one unit for those that stand as one, where its rules pool any; else as it is."""
    muster = _get_rules(battle).muster
    return pooled_file(battle, muster(battle)) if muster else battle


def compose_account(
    battle: BattleFile, result: FightResult, *, reader: str = "", whole: BattleFile | None = None
) -> list[str]:
    """The battle told in paragraphs: how they stood, each turn in which something fell out, the end.

    A `reader`, by his side, is not told what the other side meant to do; the events that he saw have been
    explained before those he did not see were left out. His file holds what he knows, and `whole` is that of
    the fight: who stands as one cannot be told from a part of it.
    """
    whole = whole or battle
    names, telling = (
        BattleNames(replace(battle, units=_as_one(whole).units), battle),
        _get_rules(battle).telling,
    )
    if not reader:
        result = replace(result, events=tuple(telling.explained(battle, result.events)))
    stopped = list_charge_stops(result.events, telling)
    result = _by_units(whole, result, telling)
    paragraphs = []
    for (number, side), turn in _gather_turns(result.events, stopped, battle, names, telling).items():
        if text := _compose_paragraph(telling.clock(number), side, turn, battle, names):
            paragraphs.append(text)
    paragraphs = shorten_names(paragraphs, (unit.name for unit in battle.units))
    return [_compose_opening(battle, result, reader), *paragraphs, compose_summary(battle, result, whole)]


#: What kinds do to how many pieces a unit has on the table.
_COUNTED = {"eliminated": -1, "joins": -1, "detaches": 1}


def _by_units(battle: BattleFile, result: FightResult, telling: Telling) -> FightResult:
    """The fight with units for the pieces they are on the table."""
    there = (piece.id for piece in telling.pieces(battle).units if not telling.is_spare(piece.id))
    left = Counter(map(telling.unit_of, there))
    events = []
    for event in result.events:
        unit = telling.unit_of(event.actor)
        left[unit] += _COUNTED.get(event.kind, 0)
        # a unit is gone with its last piece
        kind = "piece_lost" if event.kind == "eliminated" and left[unit] > 0 else event.kind
        events.append(replace(event, kind=kind, actor=unit, target=telling.unit_of(event.target)))
    return replace(result, events=tuple(events))


def _list_absent_sides(battle: BattleFile) -> list[str]:
    """The sides that have no troops."""
    sides = (battle.attacker, battle.defender)
    return [side for side in sides if not any(unit.side == side for unit in battle.units)]


def _describe_absent_sides(battle: BattleFile) -> str:
    absent = _list_absent_sides(battle)
    return "either side" if len(absent) == 2 else battle.side_name(absent[0])


def _compose_opening(battle: BattleFile, result: FightResult, reader: str) -> str:
    if absent := _list_absent_sides(battle):
        there = [side for side in (battle.attacker, battle.defender) if side not in absent]
        said = f"No troops of {_describe_absent_sides(battle)} stood on the field."
        stood = "".join(
            f" {capitalize_first(_describe_force(battle, side))} had it to itself." for side in there
        )
        return f"{battle.title}. {said}{stood} {describe_ground(battle.ground)}".strip()
    said = (
        f"{battle.title}. {capitalize_first(_describe_force(battle, battle.attacker))} came on; "
        f"{_describe_force(battle, battle.defender)} {_describe_defence(battle)}."
    )
    return f"{said} {_describe_intentions(battle, result, reader)} {describe_ground(battle.ground)}".strip()


def _describe_defence(battle: BattleFile) -> str:
    """The words for how the defender stood: behind his cover, at works on the ground, or in the open."""
    shelter = {"soft": "behind fences", "hard": "behind breastworks", "fortified": "in fortified lines"}
    if battle.cover in shelter:
        return f"stood {shelter[battle.cover]}"
    features = battle.ground.features if battle.ground else ()
    if any(feature.kind in WORKS for feature in features):
        return "stood at their works"
    if battle.plan_of(battle.defender).kind in ("assault", "turn_flank", "advance"):
        return "came to meet them"
    return "awaited them" if features else "stood in the open"


def _describe_intentions(battle: BattleFile, result: FightResult, reader: str) -> str:
    """Both commanders' plans, or the reader's, and whether they were weighed."""
    chosen = {choice.side: choice for choice in result.choices}
    parts = []
    for side in (reader,) if reader else (battle.attacker, battle.defender):
        choice = chosen.get(side)
        plan, name = choice.plan if choice else battle.plan_of(side), battle.side_name(side)
        weighed = (
            f", having weighed {format_count(len(choice.tried), 'plan')}," if choice and choice.tried else ""
        )
        turn = _get_rules(battle).telling.turn_told(plan.until)
        parts.append(f"{name}{weighed} meant {describe_plan(plan, name, turn)}")
    return f"{capitalize_first('; '.join(parts))}."


def _describe_force(battle: BattleFile, side: str) -> str:
    own = [unit for unit in battle.units if unit.side == side]
    sp = sum(unit.sp for unit in own)
    whose = "" if _as_one(battle) is battle else " by the battle file"
    strength = f"{format_count(len(own), 'unit')} of {format_count(sp, 'strength point')} in all{whose}"
    return f"{battle.side_name(side)} with {strength}{_describe_commander(battle, side)}"


def _describe_commander(battle: BattleFile, side: str) -> str:
    """The words for a side's commander: the highest general it has."""
    own = [leader for leader in battle.leaders if leader.side == side]
    ranks = ("commander_in_chief", "senior", "brigadier")
    chief = min(own, key=lambda leader: ranks.index(leader.rank), default=None)
    return f", under {chief.name}," if chief else ""


def _describe_toll(battle: BattleFile, outcomes: Sequence[UnitOutcome], side: str) -> str:
    own = {unit.id for unit in battle.units if unit.side == side}
    lost = sum(unit.sp_lost for unit in outcomes if unit.id in own)
    taken = sum(unit.sp_captured for unit in outcomes if unit.id in own)
    start = sum(unit.sp_start for unit in outcomes if unit.id in own)
    captured = f" and {taken} captured" if taken else ""
    return f"{battle.side_name(side)} lost {lost} of {start} strength points{captured}"


def compose_summary(battle: BattleFile, result: FightResult, whole: BattleFile | None = None) -> str:
    """The summary: the holder of the field and the cost, in two sentences; `whole` as in `account`."""
    outcome = result.outcome
    if _list_absent_sides(battle):
        held = "nobody" if not outcome.field_held_by else battle.side_name(outcome.field_held_by)
        return f"No troops of {_describe_absent_sides(battle)} stood on the field; {held} held it."
    if outcome.field_held_by:
        held = f"{battle.side_name(outcome.field_held_by)} held the field"
    else:
        held = "Neither side held the field"
    last = result.events[-1].result if result.events else ""
    reason = ENDINGS.get(last, "")
    if last == "broken":
        beaten = [side for side in (battle.attacker, battle.defender) if side != outcome.field_held_by]
        reason = f"{join_names(map(battle.side_name, beaten))} had lost too many to stand, and drew off."
    fought = result.events[-1].turn * _get_rules(battle).telling.minutes if result.events else 0
    hours, minutes = divmod(fought or outcome.turns * FILE_MINUTES, 60)
    tolls = [_describe_toll(battle, outcome.units, side) for side in (battle.attacker, battle.defender)]
    return (
        f"{capitalize_first(reason)}{' ' if reason else ''}{capitalize_first(held)} after {hours} h "
        f"{minutes:02d} of fighting. "
        f"{capitalize_first('; '.join(tolls))}."
        f"{_describe_generals(battle, result)}{_describe_ruins(battle, result)}"
        f"{_describe_idle_units(battle, result, whole or battle)}"
    )


def _describe_idle_units(battle: BattleFile, result: FightResult, whole: BattleFile) -> str:
    """Sentences on units that had no part in fire or charges, one for each side."""
    said, names = "", {unit.id: unit.name for unit in whole.units}
    stood = list_idle_units(standing_file(whole, whole, _get_rules(whole)).units, result.events)
    known = {unit.id for unit in battle.units}
    for side in (battle.attacker, battle.defender):
        idle = [one for one in stood if one.side == side and one.id in known]
        if idle:
            alone = len({one.name for one in idle}) == 1 and idle[0].name == names[idle[0].id]
            was = "was" if alone else "were"
            said += f" Of {battle.side_name(side)}, {join_names(one.name for one in idle)} {was} not engaged."
    return said


def _describe_generals(battle: BattleFile, result: FightResult) -> str:
    """Sentences on the generals who came to harm."""
    fates = {
        "wounded": "was wounded",
        "disabled": "was disabled by wounds",
        "killed": "was killed",
        "captured": "was made prisoner",
    }
    names = BattleNames(battle)
    told = [
        f"{capitalize_first(names.general(one.id))} {fates[one.fate]}."
        for one in result.outcome.generals
        if one.fate in fates
    ]
    return "".join(f" {sentence}" for sentence in told)


def _describe_ruins(battle: BattleFile, result: FightResult) -> str:
    names = BattleNames(battle)
    fallen = [names.structure(one.id) for one in result.outcome.structures if one.sp == 0 < one.sp_start]
    if not fallen:
        return ""
    return f" {capitalize_first(join_names(fallen))} {'was' if len(set(fallen)) == 1 else 'were'} destroyed."
