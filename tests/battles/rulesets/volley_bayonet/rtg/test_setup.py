"""From battle file to record and back: brigades, divisions, commanders, guns, turns, the outcome."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from battles.files.schema import BattleFile
from battles.rulesets.volley_bayonet import records as r
from battles.rulesets.volley_bayonet.events import KINDS as KINDS_OF_CORE
from battles.rulesets.volley_bayonet.rtg import setup
from battles.rulesets.volley_bayonet.rtg.events import KINDS
from battles.rulesets.volley_bayonet.rtg.fields import CHIEF, DIVISION_COMMANDER
from battles.rulesets.volley_bayonet.rtg.fighting import SYSTEM, prepare_state
from battles.rulesets.volley_bayonet.rtg.rules import RULES
from battles.rulesets.volley_bayonet.rtg.scale import ROAD_TO_GLORY
from rosters.domain.vocabulary import GunClass
from rosters.domain.vocabulary import TroopType as T
from tests.battles.forces import CONGRESS, CROWN, battle, battle_unit, leader
from tests.battles.rulesets.volley_bayonet.rtg.books import RULES as CATALOGUED


@given(st.integers(0, 144))
def test_a_turn_is_an_hour_RTG_GEN_01(turns: int) -> None:
    here = setup.turns_here(turns)
    assert 60 * (here - 1) < 10 * turns <= 60 * here
    assert setup.convert_turns_to_file(here) >= turns


def file_of() -> BattleFile:
    """A brigade of the Crown with a light gun, a battery that comes later, and a brigade against them."""
    return battle(
        (
            *(battle_unit(f"foot {k}", CROWN, T.BRITISH_LINE, 6, formation="Fraser") for k in range(5)),
            battle_unit("gun", CROWN, T.EUROPEAN_ARTILLERY, 2, formation="Fraser"),
            battle_unit("train", CROWN, T.WAGON, 2),
        ),
        (
            *(battle_unit(f"line {k}", CONGRESS, T.CONTINENTAL_LINE, 6) for k in range(4)),
            *(battle_unit(f"guns {k}", CONGRESS, T.AMERICAN_ARTILLERY, 6, arrives=9) for k in range(2)),
        ),
        leaders=(leader("Fraser", with_unit="foot 1"), leader("Gates", CONGRESS, rank="commander_in_chief")),
        ruleset=ROAD_TO_GLORY.id,
    )


def test_a_battle_is_drawn_up_in_brigades_and_divisions_RTG_GEN_04_RTG_CBT_22_RTG_MOV_04() -> None:
    file = file_of()
    g = prepare_state(file, ROAD_TO_GLORY, setup.size_for(file, ROAD_TO_GLORY))[0]
    pools = setup.pools_of(file, ROAD_TO_GLORY)
    assert g.n == sum(len(pool.stands) for pool in pools)
    assert g.o.grand == 1
    foot = g.u[0]
    assert (foot.class_, foot.dedicated, foot.sp, foot.markers) == (r.INFANTRY, 1, 3, 2)
    assert foot.gun_row == len(pools) == g.battalions_n - 1
    guns = next(g.u[i] for i in range(g.n) if g.u[i].class_ == r.GUNS)
    assert (guns.due, guns.limbered, guns.rate, guns.rate_horse) == (2, 1, 16.0, 2.0)
    ranks = [
        (int(g.leaders[k].side), int(g.leaders[k].rank), int(g.leaders[k].named)) for k in range(g.leaders_n)
    ]
    assert ranks == [(0, DIVISION_COMMANDER, 0), (1, DIVISION_COMMANDER, -1), (0, CHIEF, -1), (1, CHIEF, 1)]
    for b in range(g.brigades_n):
        own = [g.u[i] for i in range(g.n) if g.u[i].brigade == b]
        assert g.brigades[b].sp_start == sum(int(u.sp) for u in own) > 0 < g.brigades[b].level


@pytest.mark.parametrize(("holder", "gone"), [(0, (2, 0)), (-1, (2, 0)), (1, (0, 2))])
def test_points_come_back_as_sp_of_units_and_a_lost_gun_is_who_holds_the_field_s_RTG_CBT_22(
    holder: int, gone: tuple[int, int]
) -> None:
    file = file_of()
    pools = setup.pools_of(file, ROAD_TO_GLORY)
    units = np.zeros((len(pools) + 1, 5), dtype=np.int64)
    units[:, 2] = 1
    units[len(pools)] = (0, 0, 0, 1, 0)
    state = prepare_state(file, ROAD_TO_GLORY, setup.size_for(file, ROAD_TO_GLORY))
    setup.record_gun_losses(state, np.array([holder]), units[None])
    told = setup.build_unit_outcomes(file, pools, units)
    assert (told["gun"].sp_lost, told["gun"].sp_captured, told["gun"].fate) == (*gone, "eliminated")
    assert all(one.sp_lost == 0 and one.fate == "present" for name, one in told.items() if name != "gun")
    units[0, 0] = pools[0].points
    units[0, 2:] = (0, 0, 1)
    told = setup.build_unit_outcomes(file, pools, units)
    assert all(told[name].sp_lost == 6 and told[name].fate == "eliminated" for name in pools[0].units)


def test_of_a_gun_one_fight_says_what_many_do_RTG_CBT_22() -> None:
    file = replace(file_of(), turns=18)
    seeds = range(2)
    outcomes, batch = SYSTEM.fight_many(file, seeds), SYSTEM.fight_batch(file, seeds)
    for run, outcome in enumerate(outcomes):
        gun = next(one for one in outcome.units if one.id == "gun")
        assert gun.sp_captured == 0 or outcome.field_held_by == CONGRESS
        assert gun.sp_lost == 0 or outcome.field_held_by != CONGRESS
        assert (batch.lost[run, 5], batch.captured[run, 5]) == (gun.sp_lost, gun.sp_captured)


def test_it_stands_and_is_fought_by_stands_of_which_wagons_are_none() -> None:
    file = file_of()
    standing = SYSTEM.standing(file)
    assert {unit.id for unit in standing.units} == set(SYSTEM.pieces(file))
    assert standing.width > 0 and not any(unit.id.startswith("train") for unit in standing.units)
    fought = SYSTEM.fight(replace(file, turns=12), 3, record=True)
    train = next(one for one in fought.outcome.units if one.id == "train")
    assert (train.sp_lost, train.sp_captured, train.fate) == (0, 0, "present")
    catalogued = {rule for _, rule in SYSTEM.kinds}
    assert all(rule.startswith("RTG-") for rule in catalogued - {"HR-BAT-02"})
    assert [event.rule for event in fought.events if not event.rule.startswith("RTG-")] == []


def test_cards_and_tables_are_in_these_rules_own_terms() -> None:
    file = file_of()
    sheets = RULES.sheets
    foot, gun, train = file.units[0], file.units[5], file.units[6]
    assert sheets.kind(foot, {}) == "linear infantry, morale 5"
    facts = dict(sheets.unit_terms(foot, {}, "25mm").facts)
    assert facts["Melee"] == "3 dice a stand, 5 stationary; on 6"
    assert "on 4+" in dict(sheets.unit_terms(gun, {}, "25mm").facts)["Fires"]
    assert "on 6" in dict(sheets.unit_terms(gun, {}, "25mm").facts)["Fires, a battery"]
    assert sheets.unit_terms(train, {}, "25mm").kind == "wagons"
    assert dict(sheets.leader_terms(file.leaders[1], {}, "25mm").facts)["Rallies"].startswith("those")
    with_stand = dict(sheets.leader_terms(file.leaders[1], {}, "25mm").facts)["With a stand"]
    assert with_stand.endswith("killed on a 6 when it loses a strength point"), "RTG-MIS-01"
    assert "Exhaustion" in sheets.reference(file, "25mm")[0].rows[-1][0]
    assert sheets.cards(file) == ()
    assert [one.side for one in RULES.brigades(file, file)] == [CROWN, CONGRESS]  # type: ignore[misc]
    assert all(0 < one.tires_at <= one.sp for one in RULES.brigades(file, file))  # type: ignore[misc]
    assert "500 men" in sheets.endings(file, "25mm")[0]


@pytest.mark.parametrize("score", [6, 4])
def test_a_card_has_a_battery_as_it_is_fought_RTG_CBT_20_RTG_CBT_15(score: int) -> None:
    """Of three points of guns two are a battalion and one is a battery; both are on the card."""
    guns = tuple(
        battle_unit(f"train {k}", CROWN, T.EUROPEAN_ARTILLERY, 5, gun_class=GunClass.MEDIUM) for k in range(4)
    )
    file = replace(file_of(), options={"battery_close_to_hit": score})
    whole = replace(file, units=(*file.units[:5], *guns, *file.units[7:]))
    said = "6" if score == 6 else "4+"
    card = RULES.sheets.pools(whole)["train 1"]
    facts = dict(card.facts)
    assert card.kind == "artillery battalion, field guns, morale 6, and a battery"
    assert facts["Fires"] == "1 die a stand, 2 stationary; 4 inches on 4+, 10 on 6"
    assert facts["Melee"] == "1 die a stand, 2 stationary; on 4+, to its front"
    assert facts["Fires, a battery"] == f"1 die a stand; 4 inches on {said}, 10 on 6"
    assert facts["Melee, a battery"] == f"1 die a stand; on {said}, to its front"
    alone = replace(file, units=(*file.units[:5], guns[0], *file.units[7:]))
    card = RULES.sheets.pools(alone)["train 0"]
    assert card.kind == "artillery battery, field guns, morale 6"
    assert dict(card.facts)["Fires"] == facts["Fires, a battery"]
    notes = [table.note for table in RULES.sheets.reference(file, "25mm") if table.title == "Ranges and hits"]
    assert f"A battery hits on {said} at close range" in notes[0]


def test_it_is_told_in_divisions_and_hours() -> None:
    telling = RULES.telling
    assert telling.minutes == 60 and telling.turns(36) == 6
    assert telling.steps["F"] == "exhaustion"
    fought = SYSTEM.fight(file_of(), 5, record=True)
    for event in fought.events:
        if event.kind in ("exhausted", "collapses", "collapse_die"):
            assert "division" in telling.figure(file_of(), event)


def test_every_kind_of_event_has_a_rule_of_this_card() -> None:
    assert {rule for _, rule in KINDS} - {"HR-BAT-02"} <= set(CATALOGUED), (
        "the house rule of all rulesets aside"
    )
    assert [name for name, _ in KINDS] == [name for name, _ in KINDS_OF_CORE]
