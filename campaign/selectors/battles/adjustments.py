"""Umpire's adjustments to a waiting battle's frozen file, checked before writing (HR-TAB-12)."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from battles.errors import BattleFileError
from battles.files.reading import decode_battle, decode_value
from battles.files.schema import BattleGround, BattlePlan, BattleUnit
from battles.grammar import Subject
from battles.ground.landscape import FRONTAGE, MARGIN
from battles.rulesets import registry
from battles.table_pieces import stand_count
from campaign.ledger.dice import dice_for
from campaign.ledger.provisional_days import days_ahead
from campaign.ledger.world_rows import snapshot_unpack, world_load
from campaign.models import Battle
from campaign.rules.battles.battle_inputs import RAIN as RAIN_OPTION
from campaign.rules.battles.battle_inputs import apply_adjustment, file_now, knows_rain, pieces_on_table
from campaign.rules.battles.plans import PlanTerms, verify_plan
from campaign.rules.contact.contact import Contact, Fighter, Participant
from campaign.rules.day.weather import FAIR
from campaign.rules.errors import RuleViolation
from campaign.rules.umpire.battle_corrections import (
    ADJUST,
    DrawGround,
    PlanFor,
    PlanLaidDown,
    Rain,
    UnitArrival,
    to_json_value,
)
from campaign.rules.world.world import World
from campaign.scenarios.theatres import theatre_load
from campaign.selectors.battles.battle_files import (
    AS_FOUND,
    WORKS,
    build_day_facts,
    draw_ground,
    drawing_usual,
    ground_seed,
)

#: Drawings to choose from, SP of works at most, and inches of the smallest and the largest table.
MOST_DRAWS, MOST_WORKS = 20, 10
WIDTHS, DEPTHS = (72, 240), (48, 96)
#: What rain costs the fire of muskets and rifles when the umpire says that it rains (HR-WEA-04).
RAIN: Mapping[str, int] = {"none": 0, "rain": -1, "storm": -2}

#: One adjustment.
Change = DrawGround | tuple[UnitArrival, ...] | Rain | PlanFor


def contact_of_battle(battle: Battle) -> Contact:
    """The contact as it was frozen; what it lacks is as its battle has it, and nobody is said to be in it."""
    data = battle.inputs["contact"]
    told = {
        "key": battle.contact,
        "minute": battle.minute,
        "ends": battle.minute,
        "place": battle.place,
        "route": battle.route,
        "yards": 0,
        "attacker": battle.attacker,
        "defender": battle.defender,
        "cover": "none",
        "weather": "",
        "terrain": "",
    }
    return Contact(
        **{
            **told,
            **data,
            "participants": tuple(Participant(**one) for one in data.get("participants", ())),
            "units": tuple(Fighter(**one) for one in data.get("units", ())),
        }
    )


def morning_of(battle: Battle) -> World:
    """The morning of the battle's day: the campaign's, or that of a day which ran on."""
    campaign = battle.campaign
    ahead = [row for row in days_ahead(campaign) if row.day < battle.day]
    if not ahead:
        return world_load(campaign)
    return snapshot_unpack(bytes(ahead[-1].snapshot), theatre_load(campaign))


def facts_of_battle(battle: Battle) -> dict[str, int]:
    """Facts of a waiting battle's day that other tactical rules may need (HR-BAT-13, HR-WEA-04).

    A battle whose weather was not kept with it is fought on a fair day.
    """
    weather = battle.inputs["contact"].get("weather") or FAIR.weather
    return build_day_facts(morning_of(battle), str(weather))


def drawing_now(battle: Battle, world: World) -> DrawGround:
    """The drawing that produced the battle's current ground: season, wetness, works and size of the table."""
    for one in reversed(battle.adjusted):
        if one["what"] == "ground" and "back" not in one:
            return decode_value(DrawGround, one["terms"])
    return drawing_usual(world, contact_of_battle(battle), list_frozen_units(battle))


def list_frozen_units(battle: Battle) -> tuple[BattleUnit, ...]:
    return tuple(decode_battle(battle.inputs["file"]).units)


def ground_for(battle: Battle, world: World, drawing: DrawGround) -> BattleGround:
    """The ground as it would be drawn. Raises RuleViolation with the field at fault."""
    _verify_drawing(battle, drawing)
    contact = contact_of_battle(battle)
    seed = ground_seed(dice_for(battle.campaign, 0, 1), contact, drawing.draw)
    return draw_ground(world, contact, list_frozen_units(battle), seed, drawing)


def _verify_drawing(battle: Battle, drawing: DrawGround) -> None:
    _verify_within("draw", "The drawings are numbered", drawing.draw, 1, MOST_DRAWS)
    _verify_within("works", "Works have SP from 0 (none)", drawing.works, AS_FOUND, MOST_WORKS)
    _verify_within("depth", "A table is so many inches deep:", drawing.depth, *DEPTHS)
    pieces = pieces_on_table(file_now(battle))
    most = max(stand_count(pieces, side) for side in (battle.attacker, battle.defender))
    if battle.sector:
        most = min(most, battle.campaign.table_units)
    least = max(WIDTHS[0], int(MARGIN + FRONTAGE * -(-most // 3)) + 1)
    _verify_within(
        "width", "A table for these troops is so many inches broad:", drawing.width, least, WIDTHS[1]
    )


def _verify_within(field: str, what: str, value: int, least: int, most: int) -> None:
    if not least <= value <= most:
        raise RuleViolation(ADJUST, f"{what} {least} to {most}, not {value}.", field)


def changes_of(battle: Battle, world: World, change: Change) -> dict[str, Any]:
    """Build a change's effect on the current battle file, as JSON values. Raises RuleViolation."""
    if isinstance(change, DrawGround):
        return _build_ground_change(battle, world, change)
    if isinstance(change, str):
        return _build_rain_change(battle, change)
    if isinstance(change, PlanFor):
        return _build_plan_change(battle, change.side, change.plan)
    return _build_arrivals_change(battle, change)


def _build_ground_change(battle: Battle, world: World, drawing: DrawGround) -> dict[str, Any]:
    ground = ground_for(battle, world, drawing)
    works = any(one.kind in WORKS for one in ground.features)
    bare = works or drawing.works == 0
    cover = "none" if bare else battle.inputs["contact"]["cover"]
    return {"ground": to_json_value(ground), "cover": cover}


def _build_rain_change(battle: Battle, rain: str) -> dict[str, Any]:
    if rain not in RAIN:
        raise RuleViolation(ADJUST, f"Rain is {', '.join(RAIN)}, not {rain}.", "rain")
    file = file_now(battle)
    if not knows_rain(file["ruleset"]):
        rules = registry.get_ruleset(file["ruleset"]).title
        raise RuleViolation(
            ADJUST, f"{rules} has no rule for rain; leave it, or choose other rules for this battle.", "rain"
        )
    if file.get("options", {}).get(RAIN_OPTION, 0) == RAIN[rain]:
        raise RuleViolation(ADJUST, "That is how wet it is already; choose another.", "rain")
    return {"rain": RAIN[rain]}


def _build_plan_change(battle: Battle, side: str, given: PlanLaidDown) -> dict[str, Any]:
    if side not in (battle.attacker, battle.defender):
        raise RuleViolation(ADJUST, f"{side} does not stand in this battle; choose a side of it.", "side")
    plan = BattlePlan(**asdict(given))
    try:
        verify_plan(plan, PlanTerms(side, (), battle.inputs["file"]["turns"]))
    except RuleViolation as refusal:
        raise RuleViolation(ADJUST, refusal.message, refusal.field) from refusal
    return {"plans": {side: asdict(plan)}}


def _build_arrivals_change(battle: Battle, arrivals: Sequence[UnitArrival]) -> dict[str, Any]:
    units = {unit["id"]: unit for unit in file_now(battle)["units"]}
    turns = battle.inputs["file"]["turns"]
    for one in arrivals:
        if one.unit not in units:
            raise RuleViolation(ADJUST, f"{one.unit} was not in this battle; take it out.", one.unit)
        if not 0 <= one.turn < turns:
            name = units[one.unit]["name"]
            raise RuleViolation(
                ADJUST,
                f"{Subject(name):comes} up in turn 0 (at once) to {turns - 1}, not {one.turn}.",
                one.unit,
            )
    changed = {one.unit: one.turn for one in arrivals if units[one.unit]["arrives"] != one.turn}
    if not changed:
        raise RuleViolation(ADJUST, "They come up in these turns already; change one.", "arrivals")
    left = {**{key: unit["arrives"] for key, unit in units.items()}, **changed}
    for side in (battle.attacker, battle.defender):
        own = [key for key, unit in units.items() if unit["side"] == side]
        if all(left[key] for key in own):
            name = battle.inputs["file"].get("side_names", {}).get(side) or side
            field = next((key for key in own if key in changed), "arrivals")
            raise RuleViolation(ADJUST, f"{Subject(name):needs} a unit on the field from the start.", field)
    return {"arrives": changed}


def verify_fightable(battle: Battle, changes: Mapping[str, Any]) -> None:
    """Refuses an adjustment with which the battle could not be fought."""
    try:
        registry.verify_battle(decode_battle(apply_adjustment(file_now(battle), changes)))
    except BattleFileError as error:
        raise RuleViolation(ADJUST, error.message, error.field) from error
