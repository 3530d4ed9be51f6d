"""A pack holds every unit with its boxes, fits its paper, and tells what the engine plays."""

import json
import re
from dataclasses import replace
from io import BytesIO

import pytest
import typst
from django.conf import settings
from pypdf import PdfReader

from battles.files.reading import FIXTURES, read_battle
from battles.files.schema import BattleUnit
from battles.ground.names import join_names
from battles.printing.blinds import Blind, blinds_of, format_letters
from battles.printing.map import GREYS, printed_ground
from battles.printing.packs import Hidden, Occasion
from battles.printing.sheet_types import FIGURES, UNKNOWN
from battles.printing.sheets import TEMPLATE, build_pack, typeset_pack
from battles.printing.typesetting import PAPERS, ROOT
from battles.replay.words import troop_words
from battles.rulesets import registry
from battles.rulesets.awi import charge_modifiers, fire, generals, printed_sheets, reference, tables
from battles.rulesets.awi.figures import morale_of
from battles.rulesets.awi.options import options_resolve
from battles.table_pieces import pieces_of
from campaign.fog.battles import file_of_copy
from campaign.rules.battles.hidden_setup import hidden_setup, turned_up
from campaign.rules.world.settings import RuleSettings
from rosters.domain.vocabulary import Arm, GunClass, TroopType
from tests.battles.forces import Stand, table

BOX = "\u2610"
OCCASION = Occasion(
    campaign="Saratoga 1777",
    copy="The umpire's copy",
    date="Friday, 19 September 1777",
    minute=760,
    weather="fair",
    address="http://192.0.2.7:8000/campaigns/saratoga-1777/battles/12/result/",
)


@pytest.fixture(scope="module")
def battle():
    return read_battle(FIXTURES / "bennington.json")


def text_of(contents, paper="a4"):
    pages = PdfReader(BytesIO(typeset_pack(contents.to_json(), paper))).pages
    return pages, [re.sub(r"\s+", " ", page.extract_text()) for page in pages]


@pytest.mark.parametrize(("paper", "size"), [("a4", (595, 842)), ("letter", (612, 792))])
def test_every_unit_and_general_stands_in_the_pack_with_a_box_for_each_sp(battle, paper, size):
    contents = build_pack(battle, OCCASION, own=(battle.attacker, battle.defender))
    pages, words = text_of(contents, paper)
    assert {(round(page.mediabox.width), round(page.mediabox.height)) for page in pages} == {size}
    everything = " ".join(words)
    for one in (*battle.units, *battle.leaders):
        assert everything.count(one.name) >= 2, one.name
    cards = "".join(page for page in words if "Surrenders on" in page and "Quick reference" not in page)
    assert cards.count(BOX) == sum(unit.sp for unit in battle.units) + 2 * len(battle.leaders)
    assert "12:40" in everything and OCCASION.address in everything


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("name", ["bennington.json", "freemans-farm.json"])
def test_the_notes_have_no_page_of_their_own(name, paper):
    """They stand at the head of the slip, so that whatever comes last is of the result itself."""
    fought = read_battle(FIXTURES / name)
    contents = build_pack(fought, OCCASION, own=(fought.attacker, fought.defender))
    _, words = text_of(contents, paper)
    [slip] = [page for page in words if "Result slip" in page]
    assert "Notes:" in slip and sum("Notes:" in page for page in words) == 1
    assert slip.index("Notes:") < slip.index("destroyed", slip.index("Notes:"))
    generals = [one.name for one in fought.leaders if one.side == fought.defender]
    assert len(words[-1]) > 200 and all(name in words[-1] for name in generals), "they stand together"


def test_a_card_tells_what_holds_at_each_strength(battle):
    options = options_resolve(battle.options)
    for unit in battle.units:
        terms = printed_sheets.unit_terms(unit, battle.options, "25mm")
        assert terms.boxes == (("SP", unit.sp),)
        assert all(len(track.values) == unit.sp for track in terms.tracks)
        whole = terms.tracks[0].values[0].replace("\u2212", "-")
        assert int(whole) == unit.sp + morale_of(unit, options)


GUNS = (TroopType.EUROPEAN_ARTILLERY, TroopType.AMERICAN_ARTILLERY)


@pytest.mark.parametrize("figures", FIGURES)
@pytest.mark.parametrize("troop_type", TroopType)
def test_every_kind_of_troops_has_a_card(troop_type, figures):
    classes = [one for one in GunClass if one is not GunClass.NONE] if troop_type in GUNS else [GunClass.NONE]
    for gun in classes:
        unit = BattleUnit(
            "u", "Unit", "crown", troop_type, 5, gun, poor_militia=troop_type is TroopType.MILITIA
        )
        terms = printed_sheets.unit_terms(unit, {}, figures)
        facts = dict(terms.facts)
        assert facts["Moves"] and facts["Fires"] and terms.kind and terms.arm
        assert (facts["Fires"] == "not at all") == (len(terms.tracks) == 1)
        assert ("Charges" in facts) == (terms.arm not in ("artillery", "train"))


def test_what_a_gun_reaches_is_told_with_its_factors_and_its_gap():
    howitzer = BattleUnit("h", "Howitzer", "crown", TroopType.EUROPEAN_ARTILLERY, 5, GunClass.HOWITZER)
    told = dict(printed_sheets.unit_terms(howitzer, {}, "25mm").facts)["Fires"]
    assert told == "ball and canister to 9 (canister +1), 15 to 24 (\u22121) and 36 (\u22122)"


@pytest.mark.parametrize("ruleset", ["vb_wing", "vb_division"])
def test_the_levels_of_ones_own_brigades_stand_with_the_order_of_battle_VBW_EXH_01(battle, ruleset):
    own, other = battle.attacker, battle.defender
    contents = build_pack(replace(battle, ruleset=ruleset, options={}), OCCASION, own=(own,))
    forces = {force.side: force for force in contents.forces}
    assert forces[own].brigades and not forces[other].brigades
    _, words = text_of(contents)
    everything = " ".join(words)
    assert "Exhausted at" in everything and everything.count(contents.counted) == 2
    assert contents.counted.startswith("SP here are strength points as Volley & Bayonet")
    for one in forces[own].brigades:
        assert f"{one.name} {len(one.units)} {one.sp} {one.tires_at}" in everything


def test_rules_without_brigades_or_points_of_their_own_print_neither(battle):
    contents = build_pack(battle, OCCASION, own=(battle.attacker, battle.defender))
    _, words = text_of(contents)
    assert not contents.counted and not any("Exhausted" in page or "SP here" in page for page in words)


def test_a_fight_on_an_open_table_has_a_pack_without_a_map(battle):
    contents = build_pack(replace(battle, ground=None, objective=None), OCCASION, own=(battle.attacker,))
    _, words = text_of(contents)
    assert contents.ground is None and not any("The ground" in page for page in words)
    assert any("neither side holds the field" in page for page in words)


def test_a_side_s_copy_has_no_cards_generals_or_arrivals_of_its_enemy(battle):
    own, other = battle.attacker, battle.defender
    known = replace(
        battle,
        units=tuple(
            replace(unit, arrives=UNKNOWN) if unit.side == other else replace(unit, arrives=3 if n % 2 else 0)
            for n, unit in enumerate(battle.units)
        ),
        leaders=tuple(leader for leader in battle.leaders if leader.side == own),
    )
    contents = build_pack(known, OCCASION, own=(own,))
    enemy = next(force for force in contents.forces if force.side == other)
    assert not enemy.own and not enemy.leaders and not enemy.key
    assert all(unit.terms is None and unit.arrives == "not known" for unit in enemy.units)
    assert contents.ground is not None
    assert [when for when, _ in contents.ground.arrivals] == ["Turn 3, 13:00"]
    assert all(other not in words for words in contents.ground.arrivals)


@pytest.mark.parametrize("ruleset", [one.id for one in registry.RULESETS])
def test_of_the_enemys_troops_a_copy_tells_the_type_and_no_rating_hr_tab_23(battle, ruleset):
    """A type is rated by year, quality and traits, which the other side does not know."""
    other, rules = battle.defender, registry.get_rules(ruleset)
    fought = replace(battle, ruleset=ruleset, options={})
    pieces = [piece for piece in pieces_of(fought, rules) if piece.side == other]
    types = {
        unit.id: troop_words(unit.troop_type)
        if rules.muster
        else printed_sheets.kind(replace(unit, gun_class=GunClass.NONE, poor_militia=False, traits=()), {})
        for unit in battle.units
    }
    contents = build_pack(
        file_of_copy(fought, battle.attacker), OCCASION, own=(battle.attacker,), whole=fought
    )
    own, enemy = (
        next(force for force in contents.forces if force.side == side) for side in (battle.attacker, other)
    )
    assert {unit.id: unit.kind for unit in enemy.units} == {
        piece.unit: piece.kind
        if piece.goes_with
        else join_names(dict.fromkeys(types[one] for one in piece.units))
        for piece in pieces
    }
    said = " ".join(unit.kind for unit in enemy.units)
    assert not re.search(r"morale|trained|veteran|poor|slow|linear|musketry", said), said
    rated = " ".join(unit.kind for unit in own.units)
    assert ruleset == "awi" or re.search(r"morale \d|veteran|trained|green", rated), rated


@pytest.mark.parametrize("figures", FIGURES)
def test_the_reference_names_every_factor_of_the_catalogue(battle, figures):
    found = {table.title: table for table in reference.reference(battle, figures)}
    rules = reference._load_rule_tables()
    assert len(found["Step E, fire: 2d6 and"].rows) == len(rules["AWI-T-FIR-08"]["factors"])
    assert len(found["Steps F and G, charged: 1d6 and"].rows) == len(rules["AWI-T-CHG-03"])
    assert len(found["Step J, melee: 1d6 and"].rows) == len(rules["AWI-T-MEL-02"]) - 1
    for printed in found.values():
        assert (
            printed.rows
            and printed.rules
            and all(rule in rules or rule.startswith("HR-") for rule in printed.rules)
        )
        assert len({len(row) for row in printed.rows} | ({len(printed.head)} if printed.head else set())) == 1


def test_distances_are_two_thirds_for_15_mm_AWI_T_SCA_02(battle):
    moves = {
        figures: next(one for one in reference.reference(battle, figures) if one.title == "Moves in inches")
        for figures in FIGURES
    }
    assert moves["25mm"].rows[0][1:] == ("6", "9", "12")
    assert moves["15mm"].rows[0][1:] == ("4", "6", "8")
    assert printed_sheets.table(battle, "15mm").base == (60.0, 30.0)


def test_the_map_is_told_in_inches_of_the_table_AWI_T_SCA_02(battle):
    small = build_pack(battle, OCCASION, own=(battle.attacker,), figures="15mm")
    assert small.ground is not None
    assert small.ground.words.startswith("A table 80 by 53.3 inches")
    assert "200 yards, 8 inches" in small.ground.svg
    assert [size for size, _ in small.ground.sizes] == ["25 mm figures", "15 mm figures"]


def test_options_of_the_battle_are_told_and_reckoned_with(battle):
    wet = replace(battle, options={"rain_on_muskets": -1, "galloper_long_max": 27})
    found = {table.title: table for table in reference.reference(wet, "25mm")}
    assert ("rain on muskets", "\u22121") in found["Options of this battle"].rows
    assert any("HR-WEA-04" in row[0] for row in found["Step E, fire: 2d6 and"].rows)
    assert next(row for row in found["Ranges in inches"].rows if row[0] == "galloper")[-1] == "27"


def test_what_is_printed_is_what_the_kernels_play():
    assert [fire.strength_factor(sp) for sp in range(1, 7)] == [
        tables.strength_fire(sp) for sp in range(1, 7)
    ]
    assert generals.CHAIN_RADIUS == tables.CHAIN

    stood = table(
        Stand(0, TroopType.CONTINENTAL_LINE, 10, 10), Stand(0, TroopType.AMERICAN_LIGHT_CAVALRY, 30, 10)
    )
    assert [charge_modifiers.charge_reach(unit) for unit in stood.u[:2]] == [
        tables.REACH[Arm.FOOT],
        tables.REACH[Arm.MOUNTED],
    ]


def test_the_map_needs_no_colours(battle):
    assert battle.ground is not None
    svg = printed_ground(battle.ground, near="A", far="B", zone=15.0)
    inks = set(re.findall(r"#[0-9a-fA-F]{6}\b", svg))
    assert inks and all(ink[1:3] == ink[3:5] == ink[5:7] for ink in inks), inks - set(GREYS.values())
    assert svg.count('class="grid"') == 1


def test_blinds_cover_who_stands_there_and_dummies_and_can_be_printed_again(battle):
    late = replace(battle, units=(replace(battle.units[0], arrives=4), *battle.units[1:]))
    side = battle.units[0].side
    made = blinds_of(late, side, 3, seed=77)
    here = {unit.id for unit in late.units if unit.side == side and not unit.arrives}
    assert {blind.unit for blind in made} == here | {""}
    assert sum(not blind.unit for blind in made) == 3
    assert [blind.mark for blind in made[:3]] == ["A", "B", "C"]
    assert made == blinds_of(late, side, 3, seed=77) != blinds_of(late, side, 3, seed=78)
    assert [format_letters(n) for n in (25, 26, 27, 52)] == ["Z", "AA", "AB", "BA"]


@pytest.mark.screenshots
@pytest.mark.parametrize("figures", FIGURES)
@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize(
    ("name", "ruleset"), [("hubbardton", "awi"), ("freemans-farm", "awi"), ("freemans-farm", "vb_wing")]
)
def test_photograph_the_packs(name, ruleset, paper, figures):
    """Every page of a small and of a large fight, to be looked at: nothing overlaps or is cut off."""
    fight = read_battle(FIXTURES / f"{name}.json")
    if ruleset != "awi":
        fight = under(ruleset, cards="on")
    sides = (fight.attacker, fight.defender)
    setups = hidden_setup(fight.units, *sides, RuleSettings(), "farmland")
    table = registry.get_rules(fight.ruleset).sheets.table(fight, figures)
    hidden = {
        side: Hidden(blinds_of(fight, side, setup.dummies(8), 1777), setup.told, turned_up(table))
        for side, setup in setups.items()
    }
    contents = build_pack(fight, OCCASION, own=sides, figures=figures, hidden=hidden)
    folder = settings.VAR_DIR / "screenshots" / "packs"
    folder.mkdir(parents=True, exist_ok=True)
    data = json.dumps({"pack": contents.to_json(), "paper": PAPERS[paper]})
    pages = typst.compile(TEMPLATE, root=ROOT, format="png", ppi=96, sys_inputs={"data": data})
    for number, page in enumerate(pages if isinstance(pages, list) else [pages], 1):
        (folder / f"{name}-{ruleset}-{figures}-{paper}-{number:02}.png").write_bytes(page)


def test_the_key_is_told_in_names(battle):
    side = battle.attacker
    unit = next(unit for unit in battle.units if unit.side == side)
    hidden = {side: Hidden((Blind("A", unit.id), Blind("B", "")), "You scout better.")}
    contents = build_pack(battle, OCCASION, own=(side,), hidden=hidden)
    force = next(force for force in contents.forces if force.side == side)
    assert force.key == (("A", unit.name), ("B", "dummy"))
    _, words = text_of(contents)
    assert any("Key to the blinds" in page and unit.name in page for page in words)
    assert not any("Blinds of" in page and unit.name in page for page in words), "blinds tell nothing"


# --- Volley & Bayonet ---

SCALES = ("vb_wing", "vb_division")


def under(ruleset, **options):
    """Freeman's Farm by the rules of a scale."""
    return replace(read_battle(FIXTURES / "freemans-farm.json"), ruleset=ruleset, options=options)


@pytest.mark.parametrize("copy", ["umpire", "attacker", "defender"])
@pytest.mark.parametrize("ruleset", SCALES)
def test_a_battle_of_stands_has_a_whole_pack_for_everybody_VBW_STD_12(ruleset, copy):
    fight = under(ruleset, cards="off")
    own = (fight.attacker, fight.defender)
    if copy != "umpire":
        own = (getattr(fight, copy),)
        fight = file_of_copy(fight, *own)
    contents = build_pack(fight, OCCASION, own=own)
    _, words = text_of(contents)
    everything = " ".join(words)
    for one in (*(unit for unit in fight.units if unit.side in own), *fight.leaders):
        assert everything.count(one.name) >= 2, one.name
    points = {one.unit: one.points for one in registry.get_rules(ruleset).muster(fight)}
    cards = "".join(page for page in words if "Moves" in page and "Quick reference" not in page)
    owned = sum(points[unit.id] for unit in fight.units if unit.side in own)
    assert cards.count(BOX) == owned + 2 * len(fight.leaders)
    assert [force.sp for force in contents.forces] == [
        sum(points[unit.id] for unit in fight.units if unit.side == side)
        for side in (fight.attacker, fight.defender)
    ]


def test_a_pack_is_in_turns_and_inches_of_its_rules_VBW_GEN_03():
    fight = under("vb_wing")
    contents = build_pack(fight, OCCASION, own=(fight.attacker, fight.defender))
    facts = dict(contents.facts)
    assert fight.turns == 26
    assert facts["Length"] == "18 game turns of 15 minutes, 4 hours 30 minutes: from 12:40 to 17:10"
    assert facts["First move"] == "Burgoyne's army has the first phase of every turn"
    assert contents.ground is not None and contents.ground.words.startswith("A table 88 by 48 inches")
    assert [size for size, _ in contents.ground.sizes] == ["figures of any size"]
    assert "200 yards, 8 inches" in contents.ground.svg and "10 inches" in contents.ground.set_out[0]
    late = next(unit for unit in fight.units if unit.arrives == 12)
    sheet = next(unit for force in contents.forces for unit in force.units if unit.id == late.id)
    assert sheet.arrives == "turn 8" and ("Turn 8, 14:25") in dict(contents.ground.arrivals)


def test_six_rows_of_cards_are_on_a_page():
    """Nine units and three generals of Hubbardton, under any rules."""
    fight = read_battle(FIXTURES / "hubbardton.json")
    for ruleset in ("awi", "vb_wing"):
        _, words = text_of(build_pack(replace(fight, ruleset=ruleset), OCCASION, own=(fight.attacker,)))
        [cards] = [page for page in words if "Cut along the broken lines" in page]
        own = [one.name for one in (*fight.units, *fight.leaders) if one.side == fight.attacker]
        assert len(own) == 12 and all(name in cards for name in own), ruleset


@pytest.mark.parametrize(("paper", "ruleset"), [("a4", "vb_wing"), ("letter", "vb_division")])
def test_the_deck_is_printed_whole_nine_a_page_VBW_CRD_10(paper, ruleset):
    fight = under(ruleset, cards="on")
    contents = build_pack(fight, OCCASION, own=(fight.attacker,))
    assert sum(card.copies for card in contents.cards) == 40
    _, words = text_of(contents, paper)
    found = [len(re.findall(r"VBW-CRD-[1-4]\d", page)) for page in words]
    assert [count for count in found if count > 1] == [9, 9, 9, 9, 4]
    everything = " ".join(words)
    for card in contents.cards:
        assert card.does in everything, card.name
    assert not build_pack(under(ruleset, cards="off"), OCCASION, own=()).cards


def test_brigades_have_a_card_each_and_add_up_to_their_side_RTG_GEN_01():
    fight = under("vb_rtg")
    contents = build_pack(fight, OCCASION, own=(fight.attacker, fight.defender))
    mustered = {one.unit: one for one in registry.get_rules("vb_rtg").muster(fight)}
    sheets_of = {unit.id: unit for force in contents.forces for unit in force.units}
    assert sheets_of.keys() == mustered.keys()
    for key, one in mustered.items():
        sheet = sheets_of[key]
        assert sheet.sp == one.points == sum(count for _, count in sheet.terms.boxes)
        assert sheet.name.endswith(f" and {len(one.units) - 1} more") == (len(one.units) > 1)
    assert any(len(one.units) > 1 for one in mustered.values())
    everything = " ".join(text_of(contents)[1])
    assert all(sheet.name in everything for sheet in sheets_of.values())
    assert everything.count(contents.counted) == 2


def test_rules_without_cards_have_no_deck(battle):
    contents = build_pack(battle, OCCASION, own=(battle.attacker,))
    assert contents.cards == () and not any("The cards" in page for page in text_of(contents)[1])
