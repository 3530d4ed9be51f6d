"""The posed campaign and its people's browsers."""

from copy import deepcopy
from dataclasses import asdict, replace
from typing import Any

import pytest
from django.test import Client

from battles.files.schema import BattleLeader, BattleUnit
from campaign.ledger.world_rows import world_load
from campaign.models import Battle, Campaign, Seat
from campaign.rules.world.world import present_units
from campaign.scenarios.reading import read_scenario
from campaign.services.setup.campaigns import SeatPlan, campaign_create
from rosters.domain.vocabulary import GunClass, TroopType
from tests.campaign.conftest import SECRET
from tests.campaign.web.posed import SETTINGS, posed_world
from tests.factories.people import signed_in

#: Troops of each side's two brigades with their SP; the first has light guns, too few for a battery.
BRIGADES = (
    ((TroopType.BRITISH_LINE, 9), (TroopType.BRITISH_LINE, 8), (TroopType.BRITISH_LINE, 7), ("gun", 2)),
    ((TroopType.BRITISH_LINE, 10), (TroopType.BRITISH_LINE, 6), (TroopType.BRITISH_LINE, 5)),
)


@pytest.fixture
def posed(burgoyne, gates, carleton, monkeypatch) -> Campaign:
    def changed(path: Any, settings: Any) -> Any:
        scenario = read_scenario(path, settings)
        return replace(scenario, world=posed_world(scenario.world))

    monkeypatch.setattr("campaign.services.setup.campaigns.read_scenario", changed)
    return campaign_create(
        scenario="saratoga-1777",
        slug="posed",
        secret=SECRET,
        settings=SETTINGS,
        seats=(
            SeatPlan(Seat.Role.UMPIRE, user=carleton),
            SeatPlan(Seat.Role.COMMANDER, "crown", "Burgoyne", burgoyne),
            SeatPlan(Seat.Role.COMMANDER, "rebel", "Gates", gates),
        ),
    )


@pytest.fixture
def player(posed, burgoyne) -> Client:
    return signed_in(burgoyne)


@pytest.fixture
def opponent(posed, gates) -> Client:
    return signed_in(gates)


@pytest.fixture
def umpire(posed, carleton) -> Client:
    return signed_in(carleton)


@pytest.fixture
def grand(battle) -> Battle:
    """Two brigades a side under their brigadiers, by Road to Glory: four brigades and two dedicated guns."""
    here = present_units(world_load(battle.campaign))
    every = [unit for rows in here.values() for unit in rows if not unit.is_train]
    units: list[BattleUnit] = []
    leaders: list[BattleLeader] = []
    for side in ("crown", "rebel"):
        own = iter([unit for unit in every if unit.side == side])
        for number, brigade in enumerate(BRIGADES):
            ids = []
            for kind, sp in brigade:
                unit = next(own)
                gun = kind == "gun"
                made = BattleUnit(
                    id=unit.id,
                    name=unit.name,
                    side=side,
                    troop_type=TroopType.EUROPEAN_ARTILLERY if gun else kind,
                    sp=sp,
                    formation="advanced_corps" if side == "crown" else "poors_brigade",
                    gun_class=GunClass.LIGHT if gun else GunClass.NONE,
                )
                units.append(made)
                ids.append(unit.id)
            name = f"Brigadier {side} {number}"
            leaders.append(
                BattleLeader(
                    id=f"led_{side}_{number}", name=name, side=side, rank="brigadier", commands=tuple(ids)
                )
            )
    battle.inputs = deepcopy(battle.inputs)
    battle.inputs["file"] |= {
        "units": [asdict(unit) for unit in units],
        "leaders": [asdict(one) for one in leaders],
    }
    battle.inputs["contact"]["units"] = [
        {"unit": unit.id, "side": unit.side, "points": 20 * unit.sp, "sp": unit.sp, "arrives": 0}
        for unit in units
    ]
    battle.ruleset, battle.way = "vb_rtg", "table"
    battle.save()
    return battle
