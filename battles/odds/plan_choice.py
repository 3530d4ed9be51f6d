"""A commander chooses his plan by fighting the battle in his head. Numba is not imported here.

He knows his own force, the ground, and of the enemy only what stands on the table in sight, at the
usual strength; what comes later, and what lies hidden in woods, he does not know.
"""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict, replace
from typing import Any

from battles.files.schema import BattleFile, BattlePlan, BattleUnit, PlanChoice, PlanTried, Point
from battles.ground.shapes import is_inside_polygon
from battles.rulesets import registry

#: SP he takes an enemy unit to have.
USUAL_SP = 5
#: Fights for each of his plans against each plan of the enemy, and of those once more for the best.
RUNS, BEST = 24, 3
#: What an undecided day is worth to who attacks, and to who is attacked and not driven off.
DRAWS = (0.25, 0.75)
#: What of a fight's worth hangs on the losses; the rest on who holds the field.
LOSSES = 0.1
#: What he expects the enemy to do.
ENEMY_PLANS = (BattlePlan("assault"), BattlePlan("hold"))
#: Plans that are orders, not ways to win: nobody thinks better of them.
ORDERS = ("withdraw", "advance")


def apply_plan_choices(battle: BattleFile, choices: tuple[PlanChoice, ...]) -> BattleFile:
    """The battle with the plans that were chosen."""
    if not choices:
        return battle
    return replace(battle, plans={**battle.plans, **{choice.side: choice.plan for choice in choices}})


def plans_weigh(battle: BattleFile, seed: int | None = None, *, runs: int = RUNS) -> tuple[PlanChoice, ...]:
    """The choice of each commander who looks ahead, and what he weighed; the same for a seed.

    Without a seed the battle file itself is the seed: who fights it once and who fights it a thousand
    times see the same choice, and the dice of no real fight are looked at.
    """
    thinking = [side for side in (battle.attacker, battle.defender) if battle.plan_of(side).lookahead]
    if thinking and seed is None:
        seed = _derive_seed(json.dumps(asdict(battle), sort_keys=True, default=str))
    return tuple(plan_weigh(battle, side, seed or 0, runs=runs) for side in thinking)


def plan_weigh(battle: BattleFile, side: str, seed: int, *, runs: int = RUNS) -> PlanChoice:
    """The plan that does best for a side in the fights it can imagine; the same for a seed.

    Every candidate meets every likely plan of the enemy with the same dice; the best few are then
    tried again with others. A side told to withdraw or only to advance does so.
    """
    own = replace(battle.plan_of(side), lookahead=False)
    if own.kind in ORDERS:
        return PlanChoice(side, own)
    seen = redact_battle_at_start(battle, side)
    if not all(any(unit.side == one for unit in seen.units) for one in (battle.attacker, battle.defender)):
        return PlanChoice(side, own)
    plans = plan_candidates(own)
    first = _derive_seeds(f"{seed} {side} first", runs)
    worth = {plan: plan_worth(seen, side, plan, first) for plan in plans}
    best = sorted(plans, key=lambda plan: -worth[plan])[:BEST]
    again = _derive_seeds(f"{seed} {side} again", 2 * runs)
    score = {plan: worth[plan] + 2 * plan_worth(seen, side, plan, again) for plan in best}
    chosen = max(best, key=lambda plan: score[plan])
    worth |= {plan: total / 3 for plan, total in score.items()}
    return PlanChoice(side, chosen, tuple(PlanTried(plan, worth[plan]) for plan in plans))


def plan_candidates(own: BattlePlan) -> list[BattlePlan]:
    """The plans a commander weighs, his orders first; of equals the first is taken."""
    spot = own.goal if own.kind == "hold" else None
    ways = [
        own,
        replace(own, kind="assault", boldness=0, reserve_percent=0),
        replace(own, kind="assault", boldness=2, reserve_percent=0),
        replace(own, kind="assault", boldness=0, reserve_percent=25),
        replace(own, kind="turn_flank", flank="left", boldness=0),
        replace(own, kind="turn_flank", flank="right", boldness=0),
        replace(own, kind="hold", boldness=0, reserve_percent=0, goal=spot),
        replace(own, kind="delay", boldness=0, reserve_percent=0),
    ]
    return list(dict.fromkeys(ways))


def plan_worth(battle: BattleFile, side: str, plan: BattlePlan, seeds: list[int]) -> float:
    """Mean worth, 0 to 1, of a plan against what the enemy is likely to do."""
    enemy = battle.defender if side == battle.attacker else battle.attacker
    place = 0 if side == battle.attacker else 1
    ours = [k for k, unit in enumerate(battle.units) if unit.side == side]
    theirs = [k for k, unit in enumerate(battle.units) if unit.side == enemy]
    total = 0.0
    for other in ENEMY_PLANS:
        batch = registry.fight_batch(replace(battle, plans={side: plan, enemy: other}), seeds)
        holds = (batch.holder == place).mean() + DRAWS[place] * (batch.holder == -1).mean()
        gone = batch.lost + batch.captured
        balance = _find_lost_share(gone, theirs, battle.units) - _find_lost_share(gone, ours, battle.units)
        total += (1.0 - LOSSES) * float(holds) + LOSSES * (0.5 + 0.5 * balance)
    return total / len(ENEMY_PLANS)


def _find_lost_share(gone: Any, places: list[int], units: tuple[BattleUnit, ...]) -> float:
    """Mean share of these units' SP that was lost."""
    start = sum(units[k].sp for k in places)
    return float(gone[:, places].sum(axis=1).mean()) / start if start else 0.0


def redact_battle_at_start(battle: BattleFile, side: str) -> BattleFile:
    """The battle as one side knows it before the first shot.

    Of the enemy it sees units where they stand: not their strength, brigades, reserves or tasks, nor
    how much he is ready to lose.
    """
    own = [unit for unit in battle.units if unit.side == side and unit.sp > 0]
    units = [
        unit if unit.side == side else replace(unit, sp=USUAL_SP, task=None, reserve=False, formation="")
        for unit in battle.units
        if unit.side == side or (unit.sp > 0 and unit.arrives == 0 and not is_hidden(battle, unit, own))
    ]
    leaders = tuple(leader for leader in battle.leaders if leader.side == side)
    own_break = {key: percent for key, percent in battle.break_points.items() if key == side}
    return replace(battle, units=tuple(units), leaders=leaders, break_points=own_break)


def is_hidden(battle: BattleFile, unit: BattleUnit, watchers: Iterable[BattleUnit]) -> bool:
    """True for a unit drawn up in woods, further from every watcher than it can be seen (AWI-T-TER-07)."""
    if battle.ground is None or unit.x is None or unit.y is None or unit.inside:
        return False
    spot = (unit.x, unit.y)
    woods = [
        feature.kind
        for feature in battle.ground.features
        if feature.kind in ("open_woods", "dense_woods") and is_inside_polygon(feature.points, spot)
    ]
    if not woods:
        return False
    wood = "dense_woods" if "dense_woods" in woods else "open_woods"
    seen = registry.get_rules(battle.ruleset).seen_in_woods(unit, wood)
    return all(_measure_distance(spot, watcher) > seen for watcher in watchers)


def _measure_distance(spot: Point, watcher: BattleUnit) -> float:
    if watcher.x is None or watcher.y is None:
        return float("inf")
    return float(((spot[0] - watcher.x) ** 2 + (spot[1] - watcher.y) ** 2) ** 0.5)


def _derive_seed(text: str) -> int:
    return int.from_bytes(hashlib.sha256(f"lookahead {text}".encode()).digest()[:8], "big") >> 1


def _derive_seeds(text: str, count: int) -> list[int]:
    """Seeds of fights in the head: by another address than any real battle's."""
    return [_derive_seed(f"{text} {k}") for k in range(count)]
