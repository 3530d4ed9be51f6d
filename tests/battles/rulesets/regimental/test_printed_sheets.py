"""These rules on paper: cards, endings and the quick reference."""

from typing import Any

import pytest

from battles.files.reading import read_battle
from battles.files.schema import BattleLeader, BattleUnit
from battles.printing.sheet_types import FIGURES
from battles.rulesets.regimental.options import OPTIONS, options_resolve
from battles.rulesets.regimental.printed_sheets import RegimentalSheetTerms
from battles.rulesets.regimental.reference import LINE_WORDS, reference_of
from battles.rulesets.regimental.rules import RULES as SYSTEM
from battles.rulesets.regimental.rules import seen_in_woods
from battles.rulesets.regimental.tables import CHARGE, FIRE, MANEUVER
from rosters.domain.vocabulary import TYPES, GunClass, TroopType, Weapon
from tests.battles.forces import CONGRESS, CROWN, battle_unit
from tests.battles.rulesets.regimental.books import RULES
from tests.battles.rulesets.regimental.files import FOOT, file_of

PAPER = RegimentalSheetTerms()
T = TroopType


def unit(kind: TroopType, sp: int = 5, **more: Any) -> BattleUnit:
    if TYPES[kind].weapon is Weapon.GUN:
        more.setdefault("gun_class", GunClass.MEDIUM)
    return BattleUnit("own", "own", "crown", kind, sp, **more)


def facts(kind: TroopType, **more: Any) -> dict[str, str]:
    options = more.pop("options", {})
    return dict(PAPER.unit_terms(unit(kind, **more), options, "25mm").facts)


@pytest.mark.parametrize("kind", list(TroopType))
def test_every_troop_type_has_a_card(kind: TroopType) -> None:
    terms = PAPER.unit_terms(unit(kind), {}, "25mm")
    assert terms.kind and terms.boxes[0][1] >= 1
    assert all(name and said for name, said in terms.facts)
    assert "_" not in terms.kind + str(terms.facts)


def test_a_card_says_what_a_unit_is_REG_UNI_01_REG_UNI_03_REG_CHG_03() -> None:
    assert facts(T.BRITISH_LINE, sp=6) == {
        "Rated": "veteran",
        "Moves": "10 inches in line, 14 at the double quick",
        "Fires": "points a stand: 1 up to 4 inches",
        "Cold steel": "yes",
        "Worn, spent": "at 6, 4 stands",
    }
    assert facts(T.JAEGERS)["Fires"] == "points a stand: 1 up to 8, 1/2 up to 12 inches"
    assert facts(T.JAEGERS)["Cold steel"] == "no"
    assert facts(T.EUROPEAN_LIGHT_CAVALRY)["Fires"] == "not at all"
    assert (
        facts(T.AMERICAN_ARTILLERY)["Fires"]
        == "points a stand: 5 up to 4, 3 up to 12, 2 up to 24, 1 up to 36 inches"
    )
    assert "Militia" in facts(T.MILITIA)


def test_options_show_on_the_card_REG_FIR_02() -> None:
    assert facts(T.BRITISH_LINE, options={"musket_max_in": 8})["Fires"] == "points a stand: 1 up to 8 inches"


def test_of_an_enemys_guns_the_class_is_not_told() -> None:
    assert PAPER.kind(unit(T.EUROPEAN_ARTILLERY, gun_class=GunClass.NONE), {}) == "veteran guns"
    assert PAPER.kind(unit(T.EUROPEAN_ARTILLERY), {}) == "veteran medium guns"


def test_a_leader_has_boxes_for_what_may_become_of_him_REG_LDR_01() -> None:
    terms = PAPER.leader_terms(BattleLeader("f", "Fraser", CROWN), {}, "25mm")
    assert [name for name, _ in terms.boxes] == ["wounded", "out of the battle", "killed", "captured"]


def test_endings_say_when_a_side_breaks_REG_DEF_08() -> None:
    file = file_of(battle_unit("a", CROWN, FOOT, sp=6), battle_unit("b", CONGRESS, FOOT, sp=1))
    told = PAPER.endings(file, "25mm")
    assert told[0].startswith("Crown, 8 stands in all, breaks off when 4 are lost (50 %)")
    assert "victory points" in told[-1]
    spot = file_of(battle_unit("a", CROWN, FOOT), battle_unit("b", CONGRESS, FOOT), objective=(40, 30))
    assert "spot fought for" in PAPER.endings(spot, "25mm")[-1]


def test_the_table_is_the_same_for_figures_of_any_size_REG_GEN_01_REG_DEF_01() -> None:
    file = read_battle("standard-fight")
    one, two = (PAPER.table(file, figures) for figures in FIGURES)
    assert one == two
    assert one.first_move == "the Provincials has the first turn"
    assert PAPER.cards(file) == ()


def test_the_reference_cites_rules_and_says_what_is_chosen() -> None:
    tables = reference_of(options_resolve({}))
    assert {rule for table in tables for rule in table.rules} <= set(RULES)
    widths = [
        {len(row) for row in table.rows} | ({len(table.head)} if table.head else set()) for table in tables
    ]
    assert all(len(width) == 1 for width in widths)
    assert "Chosen for this battle" not in {table.title for table in tables}
    chosen = reference_of(options_resolve({"year": 1780}))[-1]
    assert (chosen.title, chosen.rows) == ("Chosen for this battle", (("year", "1780"),))


def test_what_the_registry_is_offered() -> None:
    assert SYSTEM.options == OPTIONS and SYSTEM.scope in RULES
    assert SYSTEM.muster is not None and len(SYSTEM.muster(read_battle("standard-fight"))) > 10
    assert seen_in_woods(unit(T.BRITISH_LINE), "dense_woods") == pytest.approx(6.0)
    odd = file_of(battle_unit("a", CROWN, FOOT, traits=("pikes",)), battle_unit("b", CONGRESS, FOOT))
    (fault,) = SYSTEM.traits_faults(odd, options_resolve({}))
    assert "pikes" in str(fault)


def test_lines_that_name_several_things_are_told_with_commas() -> None:
    """The keys of the tables run them together."""
    assert set(LINE_WORDS) <= {*MANEUVER, *FIRE, *CHARGE}
    rows = [row[0] for table in reference_of(options_resolve({})) for row in table.rows]
    assert "outflanked, broken, march column or limbered guns" in rows


def test_the_reference_says_when_fire_is_lively_REG_FIR_07() -> None:
    (row,) = [row for table in reference_of(options_resolve({})) for row in table.rows if row[0] == "lively"]
    assert row[-1].startswith("if guns have half the points or more: ")
