"""The rules on paper: cards of units and commanders, endings, the quick reference."""

from dataclasses import replace

import pytest

from battles.files import battle_read
from battles.rulesets.volley_bayonet.deck import deck_of
from battles.rulesets.volley_bayonet.muster import points_of
from battles.rulesets.volley_bayonet.paper import Paper
from battles.scenario import BattleLeader
from rosters.domain.vocabulary import GunClass, TroopType
from tests.battles.forces import battle, battle_unit, force
from tests.battles.rulesets.volley_bayonet.books import RULES, SCALES

PAPERS = {name: Paper(scale) for name, scale in SCALES.items()}
WING = PAPERS["vb_wing"]


@pytest.mark.parametrize("scale", sorted(SCALES))
def test_every_unit_of_the_actions_has_a_card_with_all_its_points(scale: str) -> None:
    for name in ("freemans-farm", "bennington", "oriskany"):
        for unit in battle_read(name).units:
            terms = PAPERS[scale].unit_terms(unit, {}, "25mm")
            assert sum(len(track.values) for track in terms.tracks) == points_of(unit), unit.name
            assert terms.kind == PAPERS[scale].kind(unit) and dict(terms.facts)["Moves"].endswith("inches")


def test_a_card_says_what_the_tables_say_VBW_COM_02_VBW_HIT_01_VBW_MOV_01() -> None:
    grenadiers = battle_unit("g", "crown", TroopType.BRITISH_GRENADIERS)
    facts = dict(WING.unit_terms(grenadiers, {}, "25mm").facts)
    assert facts["Fires"] == "3 dice a stand, 5 stationary; 8 inches on 6+"
    assert facts["Melee"] == "3 dice a stand, 5 stationary on 6, on 5 when it charges"
    assert (facts["Moves"], facts["Morale"]) == ("16 inches", "6")
    rifles = battle_unit("r", "congress", TroopType.AMERICAN_REGULAR_RIFLES)
    assert dict(WING.unit_terms(rifles, {}, "25mm").facts)["Fires"] == "1 die a stand; 12 inches on 5+"
    gun = battle_unit("x", "crown", TroopType.EUROPEAN_ARTILLERY, gun_class=GunClass.HEAVY)
    facts = dict(WING.unit_terms(gun, {}, "25mm").facts)
    assert facts["Fires"] == "1 die a stand, 2 stationary; 20 inches on 4+, 80 on 6+"
    assert facts["Melee"].endswith("to its front")
    assert (
        dict(WING.unit_terms(battle_unit("w", "crown", TroopType.WAGON), {}, "25mm").facts)["Fires"]
        == "not at all"
    )


def test_a_battalion_of_two_stands_has_a_track_for_each_wing_VBW_GEN_02() -> None:
    unit = battle_unit("l", "crown", TroopType.BRITISH_LINE, sp=5)
    tracks = WING.unit_terms(unit, {}, "25mm").tracks
    assert [(track.label, track.values) for track in tracks] == [
        ("Right wing", ("3", "2", "1")),
        ("Left wing", ("2", "1")),
    ]


@pytest.mark.parametrize("scale", sorted(SCALES))
def test_the_quick_reference_names_rules_there_are_and_what_is_chosen(scale: str) -> None:
    file = battle(force("crown", TroopType.BRITISH_LINE), force("congress", TroopType.MILITIA), ruleset=scale)
    plain = PAPERS[scale].reference(file, "25mm")
    for table in plain:
        assert set(table.rules) <= set(RULES), table.title
        assert len({len(row) for row in table.rows}) == 1 and all(
            all(row) or table.head for row in table.rows
        )
    assert not [table for table in plain if table.title == "Chosen for this battle"]
    chosen = PAPERS[scale].reference(replace(file, options={"save_succeeds_on": 5, "cards": "on"}), "25mm")
    assert ("save succeeds on", "5") in chosen[-1].rows
    (cards,) = [table for table in chosen if table.title == "Fog of war cards"]
    assert sum(int(row[-1]) for row in cards.rows) == len(deck_of())


def test_endings_are_as_the_engine_plays_them_VBW_DEF_23() -> None:
    file = battle(force("crown", TroopType.BRITISH_LINE), force("congress", TroopType.MILITIA))
    told = WING.endings(file, "25mm")
    assert len(told) == 4 and "fewer collapsed brigades" in told[-1] and "8 turns" in told[-1]


def test_a_commander_has_a_card_by_his_rank_VBW_CMD_01_VBW_RLY_02() -> None:
    ranks = [WING.leader_terms(BattleLeader("a", "A", "crown", rank), {}, "25mm").kind for rank in
             ("brigadier", "senior", "commander_in_chief")]  # fmt: skip
    assert ranks == ["Brigade commander", "Wing commander", "Army commander"]
    assert WING.base("25mm") == WING.base("15mm") == pytest.approx((76.2, 38.1))
