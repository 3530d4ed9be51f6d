"""Checks of the leaders and tasks of a battle file, and warnings to its designer."""

from collections.abc import Iterable, Iterator

from battles.errors import BattleFileError
from battles.files.limits import BRIGADE, DIVISION, MAXIMUM_CHARGES, MAXIMUM_LEADERS
from battles.files.schema import BattleFile, BattleLeader, BattleUnit
from battles.files.suggestions import suggest_names
from rosters.domain.vocabulary import TYPES, Arm, FormationOrder, TroopType

RANKS = ("brigadier", "senior", "commander_in_chief")
WORKS = ("build", "dismantle", "demolish")
#: Structures that engineering can be done on (AWI-T-ENG-01, AWI-T-FOR-01).
BUILT = ("fieldwork",)
STANDING = ("fence", "wall", "fieldwork", "stockade", "redoubt", "bridge", "building")


def leader_faults(battle: BattleFile) -> Iterator[BattleFileError]:
    """Leaders and tasks that cannot be, with path and reason."""
    if len(battle.leaders) > MAXIMUM_LEADERS:
        yield BattleFileError(
            "AWI-T-GEN-01",
            f"{len(battle.leaders)} generals are too many for one table; the most is {MAXIMUM_LEADERS}.",
            "leaders",
        )
    seen: set[str] = set()
    commanded: dict[str, str] = {}
    for k, leader in enumerate(battle.leaders):
        path = f"leaders[{k}]"
        if leader.id in seen:
            yield BattleFileError(
                "AWI-T-GEN-01", f"The general {leader.id} is there twice; keep one.", f"{path}.id"
            )
        seen.add(leader.id)
        yield from _leader_faults(battle, leader, path)
        yield from _commands_faults(battle, leader, path, commanded)
    for i, unit in enumerate(battle.units):
        if unit.task is not None:
            yield from _task_faults(battle, unit, f"units[{i}].task")


def _leader_faults(battle: BattleFile, leader: BattleLeader, path: str) -> Iterator[BattleFileError]:
    if leader.side not in (battle.attacker, battle.defender):
        yield BattleFileError(
            "AWI-T-GEN-01",
            f"{leader.name} serves “{leader.side}”; "
            f"{suggest_names(leader.side, (battle.attacker, battle.defender))}.",
            f"{path}.side",
        )
        return
    if leader.rank not in RANKS:
        yield BattleFileError(
            "AWI-T-GEN-01",
            f"{leader.name} has the rank “{leader.rank}”; take one of {', '.join(RANKS)}.",
            f"{path}.rank",
        )
    own = [unit.id for unit in battle.units if unit.side == leader.side]
    if leader.with_unit and leader.with_unit not in own:
        yield BattleFileError(
            "AWI-T-GEN-03",
            f"{leader.name} cannot be with “{leader.with_unit}”: {leader.side} has no such unit; "
            f"{suggest_names(leader.with_unit, own)}.",
            f"{path}.with_unit",
        )
    if leader.with_unit and (leader.x is not None or leader.y is not None):
        message = f"{leader.name} is with {leader.with_unit} and stands where it does; leave out x and y."
        yield BattleFileError("AWI-T-GEN-03", message, f"{path}.x")
    if (leader.x is None) != (leader.y is None):
        yield BattleFileError(
            "AWI-T-GEN-03", f"{leader.name} stands nowhere: give both x and y, or neither.", f"{path}.x"
        )
    if leader.x is None or leader.y is None or battle.ground is None:
        return
    if not (0 <= leader.x <= battle.ground.width and 0 <= leader.y <= battle.ground.depth):
        yield BattleFileError(
            "AWI-T-GEN-03",
            f"{leader.name} stands at {leader.x:g}, {leader.y:g}, off the table of "
            f"{battle.ground.width:g} by {battle.ground.depth:g} inches.",
            f"{path}.x",
        )


def _commands_faults(
    battle: BattleFile, leader: BattleLeader, path: str, commanded: dict[str, str]
) -> Iterator[BattleFileError]:
    """A brigadier commands units, a senior brigadiers, all of his own side and no one else's."""
    if leader.rank == "commander_in_chief":
        if leader.commands:
            message = f"{leader.name} commands everything on his side; leave out his commands."
            yield BattleFileError("AWI-T-GEN-02", message, f"{path}.commands")
        return
    if leader.rank == "senior":
        noun = "brigadier"
        known = [
            other.id for other in battle.leaders if other.side == leader.side and other.rank == "brigadier"
        ]
    else:
        noun = "unit"
        known = [unit.id for unit in battle.units if unit.side == leader.side]
    own = set(known)
    for n, named in enumerate(leader.commands):
        if named not in own:
            yield BattleFileError(
                "AWI-T-GEN-02",
                f"{leader.name} cannot command “{named}”: {leader.side} has no such {noun}; "
                f"{suggest_names(named, known)}.",
                f"{path}.commands[{n}]",
            )
            continue
        key = f"{noun} {named}"
        if commanded.setdefault(key, leader.id) != leader.id:
            yield BattleFileError(
                "AWI-T-GEN-02",
                f"The {noun} {named} is under {commanded[key]} and {leader.id}; leave it to one of them.",
                f"{path}.commands[{n}]",
            )


def _task_faults(battle: BattleFile, unit: BattleUnit, path: str) -> Iterator[BattleFileError]:
    """Close order infantry builds and dismantles, any infantry lays charges (AWI-T-ENG-01, EXP-01)."""
    task = unit.task
    if task is None:
        return
    rule = "AWI-T-EXP-01" if task.work == "demolish" else "AWI-T-ENG-01"
    if task.work not in WORKS:
        yield BattleFileError(
            rule, f"{unit.name} cannot “{task.work}”; take one of {', '.join(WORKS)}.", f"{path}.work"
        )
        return
    facts = TYPES[unit.troop_type]
    if facts.arm is not Arm.FOOT or (task.work != "demolish" and facts.order is not FormationOrder.CLOSE):
        which = (
            "infantry lays charges" if task.work == "demolish" else "close order infantry works with tools"
        )
        yield BattleFileError(rule, f"{unit.name} cannot do this: only {which}.", f"{path}.work")
    features = battle.ground.features if battle.ground is not None else ()
    kinds = BUILT if task.work == "build" else STANDING
    there = [feature.id for feature in features if feature.id and feature.kind in kinds]
    if task.at not in there:
        yield BattleFileError(
            rule,
            f"{unit.name} cannot {task.work} “{task.at}”: no {' or '.join(kinds)} has that id; "
            f"{suggest_names(task.at, there)}.",
            f"{path}.at",
        )
    if not 1 <= task.charges <= MAXIMUM_CHARGES:
        yield BattleFileError(
            "AWI-T-EXP-01",
            f"{unit.name} cannot lay {task.charges} charges; a wagon holds {MAXIMUM_CHARGES}.",
            f"{path}.charges",
        )
    wagons = [other for other in battle.units if other.side == unit.side]
    if not any(other.troop_type is TroopType.WAGON and other.sp > 0 for other in wagons):
        yield BattleFileError(
            rule, f"{unit.name} cannot {task.work} without a wagon; give {unit.side} one.", path
        )


def leader_warnings(battle: BattleFile) -> Iterator[str]:
    """Sentences where the number of generals is not what the rules allow (AWI-T-GEN-01)."""
    for side in (battle.attacker, battle.defender):
        own = [leader for leader in battle.leaders if leader.side == side]
        if not own:
            continue
        for name, ids in _named_twice(own):
            yield (
                f"{battle.side_name(side)} has {len(ids)} generals called {name} ({', '.join(ids)}). Keep "
                "one if they are one person; else tell their names apart (AWI-T-GEN-01)."
            )
        count = {rank: sum(leader.rank == rank for leader in own) for rank in RANKS}
        name = battle.side_name(side)
        units = sum(unit.side == side and unit.troop_type is not TroopType.WAGON for unit in battle.units)
        yield from _iter_proportion_warnings(name, "brigadiers", count["brigadier"], units, "units", BRIGADE)
        if count["senior"]:
            # who is named by no senior answers to somebody off the table, and is not counted
            led = {name for leader in own if leader.rank == "senior" for name in leader.commands}
            yield from _iter_proportion_warnings(
                name,
                "senior generals",
                count["senior"],
                len(led) or count["brigadier"],
                "brigadiers",
                DIVISION,
            )
        if count["commander_in_chief"] > 1 or (count["commander_in_chief"] and count["senior"] < 2):
            chiefs, seniors = count["commander_in_chief"], count["senior"]
            yield (
                f"{name} has {chiefs} commander{'s' * (chiefs != 1)} in chief over {seniors or 'no'} senior "
                f"general{'s' * (seniors != 1)}; one is allowed where there is more than one senior "
                "(AWI-T-GEN-01)."
            )


def _named_twice(leaders: Iterable[BattleLeader]) -> Iterator[tuple[str, list[str]]]:
    """Names that several leaders have, with their ids."""
    ids: dict[str, list[str]] = {}
    for leader in leaders:
        ids.setdefault(leader.name, []).append(leader.id)
    return ((name, several) for name, several in ids.items() if len(several) > 1)


def _iter_proportion_warnings(
    side: str, above: str, leaders: int, troops: int, below: str, allowed: tuple[int, int]
) -> Iterator[str]:
    """A sentence when there is not one leader for so many below him, within one either way."""
    least, most = -(-troops // allowed[1]), max(1, troops // allowed[0])
    if not least <= leaders <= max(least, most):
        yield (
            f"{side} has {leaders or 'no'} {above[:-1] if leaders == 1 else above} for "
            f"{troops or 'no'} {below[:-1] if troops == 1 else below}; "
            f"allow one for every {allowed[0]} to {allowed[1]} (AWI-T-GEN-01)."
        )
