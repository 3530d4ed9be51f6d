"""The rules on paper: cards of units and commanders, endings, the quick reference."""

from dataclasses import replace
from typing import Any

import pytest

from battles.files.reading import read_battle
from battles.files.schema import BattleLeader
from battles.printing.sheet_types import ReferenceTable
from battles.rulesets.volley_bayonet.deck import CARDS, deck_of
from battles.rulesets.volley_bayonet.fighting import prepare_state
from battles.rulesets.volley_bayonet.printed_sheets import VolleyBayonetSheetTerms
from battles.rulesets.volley_bayonet.reference import SHOWN
from battles.rulesets.volley_bayonet.setup import size_for
from battles.rulesets.volley_bayonet.strength import count_points
from battles.rulesets.volley_bayonet.tables import GOING
from rosters.domain.vocabulary import GunClass, TroopType
from tests.battles.forces import battle, battle_unit, force
from tests.battles.rulesets.volley_bayonet.books import RULES, SCALES

PAPERS = {name: VolleyBayonetSheetTerms(scale) for name, scale in SCALES.items()}
WING = PAPERS["vb_wing"]


@pytest.mark.parametrize("scale", sorted(SCALES))
def test_every_unit_of_the_actions_has_a_card_with_all_its_points(scale: str) -> None:
    for name in ("freemans-farm", "bennington", "oriskany"):
        for unit in read_battle(name).units:
            terms = PAPERS[scale].unit_terms(unit, {}, "25mm")
            assert sum(boxes for _, boxes in terms.boxes) == count_points(unit), unit.name
            assert terms.kind == PAPERS[scale].kind(unit, {}) and dict(terms.facts)["Moves"].endswith(
                "inches"
            )


def test_a_card_says_what_the_tables_say_VBW_COM_02_VBW_HIT_01_VBW_MOV_01() -> None:
    grenadiers = battle_unit("g", "crown", TroopType.BRITISH_GRENADIERS)
    facts = dict(WING.unit_terms(grenadiers, {}, "25mm").facts)
    assert facts["Fires"] == "3 dice a stand, 5 stationary; 8 inches on 6+"
    assert facts["Melee"] == "3 dice a stand, 5 stationary; on 6, on 5 when it charges"
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


def test_a_battalion_of_two_stands_has_boxes_for_each_VBW_GEN_02() -> None:
    unit = battle_unit("l", "crown", TroopType.BRITISH_LINE, sp=5)
    assert WING.unit_terms(unit, {}, "25mm").boxes == (("Right stand", 3), ("Left stand", 2))


@pytest.mark.parametrize("scale", sorted(SCALES))
@pytest.mark.parametrize("trigger", ["losses_ge_level", "losses_gt_level"])
@pytest.mark.parametrize("name", ["freemans-farm", "bennington", "oriskany"])
def test_the_levels_of_brigades_are_those_the_engine_plays_VBW_EXH_01_VBW_EXH_02(
    scale: str, trigger: str, name: str
) -> None:
    file = replace(read_battle(name), ruleset=scale, options={"exhaustion_trigger": trigger})
    g = prepare_state(file, SCALES[scale], size_for(file, SCALES[scale]))[0]
    played = [
        (int(g.brigades[b].sp_start), int(g.brigades[b].level) + int(g.o.after_level))
        for b in range(g.brigades_n)
        if g.brigades[b].sp_start
    ]
    printed = PAPERS[scale].brigades(file, file)
    assert [(one.sp, one.tires_at) for one in printed] == played
    leaders = {leader.name for leader in file.leaders}
    units = {unit.id: unit for unit in file.units}
    assert all(one.name in leaders or one.name == units[one.units[0]].name for one in printed)
    assert all(units[key].side == one.side for one in printed for key in one.units)


def facts(troop_type: TroopType, scale: str = "vb_wing", **options: Any) -> dict[str, str]:
    """What a card of such troops says under these options."""
    unit = battle_unit("u", "crown", troop_type)
    return dict(PAPERS[scale].unit_terms(unit, options, "25mm").facts)


def test_a_card_and_its_kind_are_of_the_year_chosen_VBW_RAT_04() -> None:
    line = battle_unit("c", "congress", TroopType.CONTINENTAL_LINE)
    assert WING.kind(line, {}) == "slow infantry, morale 5, poorly trained"
    assert WING.kind(line, {"year": 1779}) == "fast infantry, morale 5"
    early, late = (facts(TroopType.CONTINENTAL_LINE, year=year) for year in (1777, 1779))
    assert early["Fires"].startswith("2 dice") and late["Fires"].startswith("3 dice")


def test_guns_of_which_no_more_is_known_are_guns_VBW_RAT_01() -> None:
    unit = battle_unit("x", "crown", TroopType.EUROPEAN_ARTILLERY, gun_class=GunClass.NONE)
    assert WING.kind(unit, {}) == "guns, morale 6"
    assert WING.kind(replace(unit, gun_class=GunClass.HEAVY), {}) == "heavy guns, morale 6"


def test_stationary_dice_of_the_poorly_trained_are_those_chosen_VBW_COM_03() -> None:
    two = {"fire": 2, "melee": 2}
    assert "4 stationary" in facts(TroopType.MILITIA)["Fires"]
    assert "2 stationary" in facts(TroopType.MILITIA, poorly_trained_stationary_dice=two)["Melee"]
    file = battle(force("crown", TroopType.BRITISH_LINE), force("congress", TroopType.MILITIA))
    chosen = replace(file, ruleset="vb_wing", options={"poorly_trained_stationary_dice": two})
    assert ("poorly trained", "2", "2") in rows_of(WING.reference(chosen, "25mm"), "Dice of a stand")


def test_what_warriors_and_horse_have_of_their_own_stands_on_their_cards_VBW_NAT_02_03_VBW_COM_08() -> None:
    warriors = facts(TroopType.INDIANS)
    assert warriors["Morale"] == "6, 1 less for each stand lost"
    assert warriors["Melee"].endswith("on 6, on 5 when it charges with morale 6 or more")
    division = facts(TroopType.INDIANS, "vb_division")
    assert division["Morale"] == "6" and division["Melee"].endswith("on 6")
    assert facts(TroopType.AMERICAN_LIGHT_CAVALRY)["Melee"].endswith("on 5 when it charges the disordered")


def test_raw_militia_is_told_to_start_in_disorder_VBW_ABL_08_VBD_ABL_04() -> None:
    raw = battle_unit("m", "congress", TroopType.MILITIA, poor_militia=True)
    told = {scale: dict(PAPERS[scale].unit_terms(raw, {}, "25mm").facts) for scale in SCALES}
    assert told["vb_wing"]["Order"] == "permanently disordered" and "Order" not in told["vb_division"]


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


def rows_of(tables: tuple[ReferenceTable, ...], title: str) -> tuple[tuple[str, ...], ...]:
    """The rows of the table whose title begins so."""
    return next(table.rows for table in tables if table.title.startswith(title))


@pytest.mark.parametrize("scale", sorted(SCALES))
def test_only_what_is_played_with_is_printed_VBW_SAV_03_04_VBW_MOR_15_18_VBW_MOV_20(scale: str) -> None:
    """Wing scale plays with all of it and division level with none of it."""
    file = battle(force("crown", TroopType.BRITISH_LINE), force("congress", TroopType.MILITIA), ruleset=scale)
    whole = scale == "vb_wing"
    tables = PAPERS[scale].reference(file, "25mm")
    saves = " ".join(name for name, _ in rows_of(tables, "Saves"))
    assert ("block" in saves) == ("forest, thicket or woods" in saves) == whole
    assert ("heavier horse" in " ".join(row[0] for row in rows_of(tables, "Morale"))) == whole
    assert ("horse skirmishers" in {row[0] for row in rows_of(tables, "Ground")}) == whole
    assert ("mounted skirmisher" in {row[0] for row in rows_of(tables, "Bases")}) == whole
    assert ("poorly trained infantry" in {row[0] for row in rows_of(tables, "Moves")}) != whole
    (ranges,) = [table for table in tables if table.title.startswith("Ranges")]
    assert ("Only who is shot at" in ranges.note) != whole


def test_a_rear_that_is_no_flank_is_not_printed_as_one_VBW_MOR_15_17() -> None:
    file = battle(force("crown", TroopType.BRITISH_LINE), force("congress", TroopType.MILITIA))
    chosen = replace(
        file,
        ruleset="vb_wing",
        options={
            "rear_contact_counts_as_flank_for_defender": "off",
            "routed_also_counts_disordered_modifier": "off",
        },
    )
    for battle_file, flank, note in (
        (file, "meleed from flank or rear", "too."),
        (chosen, "meleed from flank", "not"),
    ):
        tables = WING.reference(battle_file, "25mm")
        assert flank in {row[0] for row in rows_of(tables, "Morale")}
        assert note in next(table.note for table in tables if table.title.startswith("Morale"))


def test_ground_left_out_of_the_table_is_as_its_note_says_VBW_TER_01_VBW_TER_12() -> None:
    assert GOING["swamp"] == GOING["forest"]
    assert set(GOING) - set(SHOWN) == {"open", "crops", "swamp", "water"}
    assert set(GOING["crops"].costs) == {1}


def test_every_card_says_when_and_what_VBW_CRD_11_to_18_VBW_CRD_21_to_32_VBW_CRD_41_to_49() -> None:
    for card in CARDS:
        assert card.rule in RULES and card.when and card.does.endswith("."), card.title
        title = RULES[card.rule]["title"]
        assert title.startswith(card.title), title
        assert card.does not in RULES[card.rule]["rule"]
    on, off = (
        WING.cards(
            battle(force("crown", TroopType.BRITISH_LINE), (), ruleset="vb_wing", options={"cards": cards})
        )
        for cards in ("on", "off")
    )
    assert sum(card.copies for card in on) == len(deck_of()) == 40 and off == ()
    assert {card.whose for card in on} == {"either side", "the Crown", "the Rebels"}


def test_endings_are_as_the_engine_plays_them_VBW_DEF_23() -> None:
    file = battle(force("crown", TroopType.BRITISH_LINE), force("congress", TroopType.MILITIA))
    told = WING.endings(file, "25mm")
    assert len(told) == 4 and "fewer collapsed brigades" in told[-1] and "8 turns" in told[-1]


def test_a_commander_has_a_card_by_his_rank_VBW_CMD_01_VBW_RLY_02() -> None:
    ranks = [WING.leader_terms(BattleLeader("a", "A", "crown", rank), {}, "25mm").kind for rank in
             ("brigadier", "senior", "commander_in_chief")]  # fmt: skip
    assert ranks == ["Brigade commander", "Wing commander", "Army commander"]


def test_the_table_is_alike_for_all_figures_and_says_who_begins_VBW_GEN_03_VBW_STD_12_VBW_SEQ_01() -> None:
    file = battle(force("crown", TroopType.BRITISH_LINE), force("congress", TroopType.MILITIA))
    assert WING.table(file, "25mm") == WING.table(file, "15mm")
    told = WING.table(file, "25mm")
    assert told.base == pytest.approx((76.2, 38.1)) and told.inch == pytest.approx(2 / 3)
    assert told.first_move == "Crown has the first phase of every turn"
    rebels = WING.table(replace(file, options={"first_player": "rebel"}), "25mm")
    assert rebels.first_move.startswith("Congress")
