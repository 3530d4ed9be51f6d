"""Method of resolving a waiting battle, and the umpire's adjustments to it beforehand (HR-TAB-11 to 14).

Each is an act in the journal with its reason. Once the engine has been set to a battle, or a result is
there, nothing of it changes any more: nobody looks at a result and then chooses another question.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any, get_args

from django.db import transaction

from battles.errors import BattleFileError
from battles.rulesets import registry
from battles.rulesets.registry import get_ruleset
from campaign.fog.seat_roles import seats_in_force, umpires_of
from campaign.ledger.hash_chain import compute_digest
from campaign.models import Battle, BattleEntry, Campaign, DayRecord, Job, Notice, User
from campaign.rules.battles.ruleset_options import list_chosen_options
from campaign.rules.errors import RuleViolation
from campaign.rules.umpire.battle_corrections import (
    ADJUST,
    BACK,
    SPLIT,
    WAY,
    BattleAct,
    BattleAdjust,
    BattleReference,
    BattleSplit,
    BattleTakeBack,
    BattleWay,
    DrawGround,
    PlanFor,
    Way,
    list_readers,
    to_json_value,
)
from campaign.selectors.battles.adjustments import (
    Change,
    changes_of,
    facts_of_battle,
    morning_of,
    verify_fightable,
)
from campaign.selectors.battles.methods import number_next
from campaign.selectors.battles.sectors import verify_sector
from campaign.services.battles.settlement import KIND as SETTLING
from campaign.services.battles.settlement import battle_now
from campaign.services.notifications.notifications import notices_write
from campaign.services.umpire.corrections import act_perform

FIRST = "So the umpire decided when the battle was met."


def list_rulesets() -> list[tuple[str, str]]:
    """List the tactical rulesets by id and title."""
    return [(ruleset.id, ruleset.title) for ruleset in registry.RULESETS]


def battle_way_choose(
    *, battle: Battle, way: str, ruleset: str = "", reason: str = "", actor: User | None
) -> Battle:
    """Say how a battle is to be settled, and under which rules; "" is those it was opened under (HR-TAB-11).

    Other rules have the campaign's options of them as they are now, and keep these (HR-BAT-13). A choice that
    is changed needs a reason. What was said already is said once. Raises RuleViolation, and
    leaves things as they were.
    """
    if way not in get_args(Way):
        raise RuleViolation(WAY, "Choose the engine, the table or your word.", "way")
    version = _get_ruleset_version(ruleset)
    with transaction.atomic():
        current = _lock_battle(battle, WAY)
        ruleset = "" if ruleset == current.inputs["file"]["ruleset"] else ruleset
        if (current.way, current.ruleset) == (way, ruleset):
            return current
        if (current.way or current.ruleset) and not reason.strip():
            raise RuleViolation(WAY, "You change what was said before; say why.", "reason")
        others, whole = current.ruleset != ruleset, bool(current.sector) and way != Battle.Way.TABLE
        rows = list(current.entries.select_related("user")) if others or whole else []
        anew = [row for row in rows if row.state == BattleEntry.State.ENTERED]
        act = BattleWay(
            _build_field(current),
            way,  # type: ignore[arg-type]
            ruleset,
            version if ruleset else "",
            anew=bool(anew),
        )
        record = _perform_act(current, act, reason.strip() or FIRST, actor)
        _enter_again(rows, others=others)
        _tell_again(current, anew, record, actor)
        current.way, current.ruleset = way, ruleset
        if ruleset and others:
            chosen = list_chosen_options(current.campaign.ruleset_options, ruleset)
            options = {**current.inputs.get("options", {}), ruleset: chosen}
            current.inputs = {**current.inputs, "facts": facts_of_battle(current), "options": options}
        if whole:
            current.sector = []
        if others:
            _verify_split_under(current)
        current.save(update_fields=["way", "ruleset", "inputs", "sector"])
    return current


def _verify_split_under(battle: Battle) -> None:
    """Refuses rules under which the sector chosen before cannot be: they may pool units otherwise."""
    try:
        verify_sector(battle, battle.sector)
    except RuleViolation as violation:
        raise RuleViolation(
            WAY,
            f"The fight is split, and under these rules it cannot be split so: {violation.message} Make it "
            f"whole again first{_how_whole(battle)}, then choose these rules.",
            "ruleset",
        ) from violation


def _how_whole(battle: Battle) -> str:
    """Describe how a split fight can be made whole once somebody has begun to enter its result."""
    return ", by choosing for once that the engine fights it" if battle.entries.exists() else ""


def _enter_again(rows: Sequence[BattleEntry], *, others: bool) -> None:
    """Turn entered results back into drafts with a new version, so that pages opened before are stale.

    Figures of units go when other rules come, which may count in other points (HR-BAT-13).
    """
    for row in rows:
        if others:
            row.body.pop("units", None)
        row.state, row.version = BattleEntry.State.DRAFT, row.version + 1
        row.save(update_fields=["body", "state", "version"])


def _tell_again(current: Battle, rows: Sequence[BattleEntry], record: DayRecord, actor: User | None) -> None:
    """Tell who had entered something, and the umpires who confirm it, that it was taken back (HR-DUE-09)."""
    if not rows:
        return
    people = [row.user for row in rows if row.user] + umpires_of(seats_in_force(current.campaign))
    users = [user for user in dict.fromkeys(people) if user != actor]
    subject = f"anew {current.pk} {record.pk}"
    notices_write(campaign=current.campaign, kind=Notice.Kind.RESULT, subject=subject, users=users)


def _get_ruleset_version(ruleset: str) -> str:
    try:
        return get_ruleset(ruleset).version if ruleset else ""
    except BattleFileError as error:
        raise RuleViolation(WAY, error.message, "ruleset") from error


def battle_adjust(
    *, battle: Battle, change: Change, reason: str, actor: User | None, number: int | None = None
) -> Battle:
    """Adjust ground, arrivals, rain or a side's plan of a battle that waits (HR-TAB-12).

    `number` is what this adjustment was to be when the page was opened: pressed twice it is done once, and
    refused when another came between. Raises RuleViolation with the field, and writes nothing.
    """
    with transaction.atomic():
        current = _lock_battle(battle, ADJUST)
        if done := _find_repeated_adjustment(current, change, reason, number):
            return done
        _verify_unfrozen(current, ADJUST)
        world = morning_of(current)
        changes = changes_of(current, world, change)
        verify_fightable(current, changes)
        entry = {
            "number": number_next(current),
            **_serialize_change(change),
            "changes": changes,
            "reason": reason.strip(),
        }
        act = _build_adjustment(current, change, entry["number"], compute_digest(changes))
        _perform_act(current, act, reason, actor)
        entry["sides"] = list(list_readers(world, act))
        current.adjusted = [*current.adjusted, entry]
        current.save(update_fields=["adjusted"])
    return current


def _find_repeated_adjustment(
    current: Battle, change: Change, reason: str, number: int | None
) -> Battle | None:
    if number is None or number == number_next(current):
        return None
    last = current.adjusted[-1] if current.adjusted else {}
    said = {**_serialize_change(change), "number": number, "reason": reason.strip()}
    if {key: last.get(key) for key in said} == said:
        return current
    raise RuleViolation(
        ADJUST, "The battle has been adjusted since this page was opened; look at it again, then act."
    )


def battle_adjustment_take_back(*, battle: Battle, number: int, reason: str, actor: User | None) -> Battle:
    """An adjustment does not count any more; those made after it stand (HR-TAB-13)."""
    with transaction.atomic():
        current = _lock_battle(battle, BACK)
        _verify_unfrozen(current, BACK)
        standing = (one for one in current.adjusted if "back" not in one)
        entry = next((one for one in standing if one["number"] == number), None)
        if entry is None:
            raise RuleViolation(BACK, "There is no such adjustment; it may have been taken back already.")
        act = BattleTakeBack(_build_field(current), number, entry["what"], tuple(entry["sides"]))
        _perform_act(current, act, reason, actor)
        back = {**entry, "back": reason.strip()}
        current.adjusted = [back if one is entry else one for one in current.adjusted]
        current.save(update_fields=["adjusted"])
    return current


def battle_split(*, battle: Battle, units: Collection[str], reason: str = "", actor: User | None) -> Battle:
    """Choose the units that are fought with on the table; none makes the fight whole again (HR-TAB-14).

    What is left is fought by the engine as it then stands, and told with the table's result.
    """
    with transaction.atomic():
        current = _lock_battle(battle, SPLIT)
        if current.way != Battle.Way.TABLE:
            raise RuleViolation(SPLIT, "Only a battle for the table is split; choose that first.", "units")
        verify_sector(current, units)
        sector = [unit["id"] for unit in current.inputs["file"]["units"] if unit["id"] in set(units)]
        if current.sector == sector:
            return current
        if current.entries.exists():
            raise RuleViolation(
                SPLIT, "Somebody has begun to enter the result; the table's units stay as they are.", "units"
            )
        said = "Too many for the table." if sector else "The whole fight is for the table."
        _perform_act(
            current, BattleSplit(_build_field(current), tuple(sector)), reason.strip() or said, actor
        )
        current.sector = sector
        current.save(update_fields=["sector"])
    return current


# --- what they share ---


def _lock_battle(battle: Battle, rule: str) -> Battle:
    """Lock and return the battle, if it waits and no engine is fighting it. Raises RuleViolation."""
    Campaign.objects.select_for_update().get(pk=battle.campaign_id)
    current = battle_now(battle)
    if current.state == Battle.State.SETTLED:
        raise RuleViolation(
            rule, f"The {current} is settled, and stays so; only going back to a morning before undoes it."
        )
    if is_being_fought(current):
        raise RuleViolation(rule, f"The engine has been set to the {current}; it fights what stood then.")
    return current


def is_being_fought(battle: Battle) -> bool:
    """True while a background task has the engine fight this battle."""
    under_way = (Job.State.QUEUED, Job.State.RUNNING)
    return Job.objects.filter(
        campaign=battle.campaign_id, kind=SETTLING, payload__battle=battle.pk, state__in=under_way
    ).exists()


def _verify_unfrozen(current: Battle, rule: str) -> None:
    if current.sector:
        raise RuleViolation(
            rule,
            f"The {current} is split, and both parts are fought as they stood; make it whole again first.",
        )
    if current.entries.filter(state="entered").exists():
        raise RuleViolation(rule, f"A result of the {current} has been entered; it was fought as it stood.")


def _build_field(battle: Battle) -> BattleReference:
    return BattleReference(battle.contact, battle.attacker, battle.defender, battle.place, battle.route)


def _perform_act(current: Battle, act: BattleAct, reason: str, actor: User | None) -> DayRecord:
    return act_perform(campaign=current.campaign, act=act, reason=reason, actor=actor)


def _serialize_change(change: Change) -> dict[str, Any]:
    """Serialize the subject and terms of an adjustment as JSON values."""
    if isinstance(change, DrawGround):
        return {"what": "ground", "terms": to_json_value(change)}
    if isinstance(change, str):
        return {"what": "rain", "terms": {"rain": change}}
    if isinstance(change, PlanFor):
        return {"what": "plan", "terms": to_json_value(change)}
    return {"what": "arrivals", "terms": {"arrivals": to_json_value(change)}}


def _build_adjustment(current: Battle, change: Any, number: int, made: str) -> BattleAdjust:
    blank = BattleAdjust(_build_field(current), number, made)
    match _serialize_change(change)["what"]:
        case "ground":
            return replace(blank, ground=change)
        case "rain":
            return replace(blank, rain=change)
        case "plan":
            return replace(blank, side=change.side, plan=change.plan)
        case _:
            return replace(blank, arrivals=tuple(change))
