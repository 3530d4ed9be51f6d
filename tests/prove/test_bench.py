"""`make bench`: what a day, a week, a proof and a battle cost, as ratios to a plain loop."""

import json
import time
from collections.abc import Callable

import pytest
from django.conf import settings

from battles.files.schema import BattleFile, BattlePlan, BattleUnit
from battles.rulesets import registry
from campaign.ledger.dice import dice_for
from campaign.ledger.world_rows import world_load
from campaign.rules.day.day import advance_day
from campaign.rules.world.world_json import world_hash
from campaign.services.proof.database import campaign_verify
from campaign.services.setup.campaigns import campaign_create
from campaign.services.turns.days import day_advance
from rosters.domain.vocabulary import GunClass, TroopType
from tests.prove.test_week_prove import plain_loop

pytestmark = [pytest.mark.bench, pytest.mark.django_db]


def best_of_five(work: Callable[[], object]) -> float:
    times = []
    for _ in range(5):
        started = time.perf_counter()
        work()
        times.append(time.perf_counter() - started)
    return min(times)


def side(name: str, line: TroopType, light: TroopType, horse: TroopType, guns: TroopType) -> list[BattleUnit]:
    """Eight line, two open order, one cavalry, one light battery."""
    types = [line] * 8 + [light] * 2 + [horse, guns]
    return [
        BattleUnit(
            id=f"{name}_{number}",
            name=f"{name} {number}",
            side=name,
            troop_type=troop_type,
            sp=5,
            gun_class=GunClass.LIGHT if troop_type is guns else GunClass.NONE,
        )
        for number, troop_type in enumerate(types)
    ]


def twelve_against_twelve() -> BattleFile:
    crown = side(
        "crown", TroopType.BRITISH_LINE, TroopType.BRITISH_LIGHT_INFANTRY,
        TroopType.EUROPEAN_LIGHT_CAVALRY, TroopType.EUROPEAN_ARTILLERY,
    )  # fmt: skip
    rebel = side(
        "rebel", TroopType.CONTINENTAL_LINE, TroopType.AMERICAN_REGULAR_RIFLES,
        TroopType.AMERICAN_LIGHT_CAVALRY, TroopType.AMERICAN_ARTILLERY,
    )  # fmt: skip
    return BattleFile(
        title="Twelve against twelve", attacker="crown", defender="rebel", units=tuple(crown + rebel),
        plans={"crown": BattlePlan("assault"), "rebel": BattlePlan("assault")},
    )  # fmt: skip


def test_what_things_cost():
    campaign = campaign_create(
        scenario="saratoga-1777", slug="bench", secret=b"b" * 32, battle_policy="automatic"
    )
    for _ in range(7):
        day_advance(campaign=campaign, actor=None)
    campaign.refresh_from_db()
    world = world_load(campaign)
    battle = twelve_against_twelve()
    registry.fight_many(battle, list(range(10)))
    loop = best_of_five(plain_loop)
    figures = {
        "load the world": best_of_five(lambda: world_load(campaign)),
        "hash the world": best_of_five(lambda: world_hash(world)),
        "a day's rules, no orders": best_of_five(
            lambda: advance_day(world, {}, dice_for(campaign, world.day), {})
        ),
        "verify seven days": best_of_five(lambda: campaign_verify(campaign=campaign)),
        "1000 battles of 12 against 12, one core": best_of_five(
            lambda: registry.fight_many(battle, list(range(1000)))
        ),
    }
    report = {
        name: {"ratio": round(seconds / loop, 3), "ms": round(seconds * 1000, 1)}
        for name, seconds in figures.items()
    }
    print(f"\nplain loop {loop * 1000:.0f} ms (ratio 1)")
    for name, row in report.items():
        print(f"{row['ratio']:>9.3f}  {row['ms']:>9.1f} ms  {name}")
    (settings.VAR_DIR / "bench-campaign.json").write_text(json.dumps(report, indent=1))
    assert all(row["ms"] > 0 for row in report.values())
