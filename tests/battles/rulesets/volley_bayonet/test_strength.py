"""From the units of a battle file to stands, and their losses back."""

from dataclasses import replace
from typing import Any

import pytest

from battles.files.reading import find_shipped_battles, read_battle
from battles.files.schema import BattleUnit
from battles.rulesets.registry import get_rules
from battles.rulesets.volley_bayonet import records as r
from battles.rulesets.volley_bayonet import strength
from battles.rulesets.volley_bayonet.labels import StandLabel
from battles.rulesets.volley_bayonet.ratings import RATINGS, label_of, nation_of
from battles.strength_conversion import back_of, losses_in_file, lost_in_file
from rosters.domain.vocabulary import TYPES, GunClass, TroopType, Weapon
from tests.battles.rulesets.volley_bayonet.books import RULES, SCALES

T = TroopType


def unit(kind: TroopType, sp: int = 5, **more: Any) -> BattleUnit:
    if TYPES[kind].weapon is Weapon.GUN:
        more.setdefault("gun_class", GunClass.MEDIUM)
    return BattleUnit("own", "own", more.pop("side", "crown"), kind, sp, **more)


def label(kind: TroopType, year: int = 1777, **more: Any) -> StandLabel:
    return label_of(unit(kind, **more), SCALES["vb_wing"].options_resolve({"year": year}))


#: Rows of the catalogue's ratings and who in a battle file they are.
PRINTED = {
    "VBW-RAT-01": {
        "Grenadiers": T.BRITISH_GRENADIERS,
        "Light Company": T.BRITISH_LIGHT_INFANTRY,
        "British Line": T.BRITISH_LINE,
        "Light Dragoons": T.EUROPEAN_LIGHT_CAVALRY,
    },
    "VBW-RAT-02": {"Line": T.LOYALIST_LINE, "Legion Infantry": T.RANGERS, "Trained Militia": T.MILITIA},
    "VBW-RAT-03": {
        "Grenadiers": T.EUROPEAN_GRENADIERS,
        "Musketeers": T.EUROPEAN_LINE,
        "Jaegers": T.JAEGERS,
    },
    "VBW-RAT-04": {"Dragoon or Legion Cavalry": T.AMERICAN_LIGHT_CAVALRY, "Trained Militia": T.MILITIA},
    "VBW-RAT-05": {"Line Infantry": T.EUROPEAN_LINE},
}


@pytest.mark.parametrize("rule", PRINTED)
def test_ratings_are_the_printed_ones_VBW_RAT_01_02_03_04_05_07_VBD_ABS_04(rule: str) -> None:
    rows = {row["unit"]: row for row in RULES[rule]["table"]}
    for name, kind in PRINTED[rule].items():
        side = "rebel" if rule == "VBW-RAT-04" else "crown"
        found, row = label(kind, side=side), rows[name]
        assert (found.kind, found.morale) == (row["type"], row["morale"]), name
        # a rifle is the weapon of the file's troop type
        assert found.abilities - {"R"} == set(row.get("abilities", ())), name


def test_what_an_army_was_in_its_year_VBW_RAT_04() -> None:
    rows = {row["unit"]: row for row in RULES["VBW-RAT-04"]["table"]}
    for year, name in ((1777, "Continentals (Pre 1778)"), (1778, "Continentals (Post 1778)")):
        found = label(T.CONTINENTAL_LINE, year)
        assert (found.kind, found.morale) == (rows[name]["type"], rows[name]["morale"])
        assert found.abilities == set(rows[name].get("abilities", ()))
    late = label(T.CONTINENTAL_LIGHT, 1779)
    assert (late.morale, late.abilities) == (6, {"Sh", "detachments"})
    assert label(T.CONTINENTAL_LIGHT, 1778).morale == 5
    for side in ("crown", "rebel"):
        raw = label(T.MILITIA, side=side, poor_militia=True)
        assert (raw.kind, raw.morale, raw.abilities) == ("SI", 4, {"MIL"})


def test_troops_with_no_rating_VBW_RAT_06() -> None:
    native, rifles = label(T.INDIANS), label(T.AMERICAN_REGULAR_RIFLES)
    assert (native.kind, native.morale, native.abilities) == ("FI", 6, {"native"})
    assert (rifles.kind, rifles.morale, rifles.abilities) == ("FI", 5, {"detachments", "R", "SS"})


@pytest.mark.parametrize(
    ("gun", "kind"),
    [("light", "Lt"), ("medium", "Fd"), ("howitzer", "Ho"), ("heavy", "Hv"), ("galloper", "Lt")],
)
def test_kinds_of_guns_VBW_HIT_02_VBW_ABL_09(gun: str, kind: str) -> None:
    assert label(T.AMERICAN_ARTILLERY, gun_class=GunClass(gun)).kind == kind


@pytest.mark.parametrize("kind", list(TroopType))
def test_every_troop_type_has_a_label_and_a_nation(kind: TroopType) -> None:
    assert label(kind).morale >= 4 or kind is T.WAGON
    assert nation_of(unit(kind)) in range(6)
    assert set(RATINGS) | {T.CONTINENTAL_LINE, T.CONTINENTAL_LIGHT, T.MILITIA} == set(TroopType)


@pytest.mark.parametrize(
    ("kind", "sp", "points", "stands"),
    [
        (T.BRITISH_LINE, 6, 6, (3, 3)),
        (T.BRITISH_LINE, 3, 3, (3,)),
        (T.MILITIA, 4, 4, (2, 2)),
        (T.RANGERS, 5, 2, (1, 1)),  # 120 men
        (T.RANGERS, 1, 1, (1,)),
        (T.INDIANS, 6, 3, (1, 1, 1)),
        (T.EUROPEAN_LIGHT_CAVALRY, 5, 2, (1, 1)),  # 80 men
        (T.AMERICAN_ARTILLERY, 5, 4, (2, 2)),  # four guns
        (T.AMERICAN_ARTILLERY, 2, 2, (2,)),
        (T.WAGON, 0, 0, (0,)),
    ],
)
def test_points_and_stands_VBW_GEN_02_VBW_GEN_03_VBW_ORG_01_02_04_06_09_11_14_15_16(
    kind: TroopType, sp: int, points: int, stands: tuple[int, ...]
) -> None:
    assert strength.count_points(unit(kind, sp)) == points
    found = strength.split_stands(points, label(kind))
    assert found == stands
    assert sum(found) == points


@pytest.mark.parametrize(
    ("kind", "stands", "has"),
    [
        (T.BRITISH_LINE, 2, True),
        (T.BRITISH_LINE, 1, False),
        (T.CONTINENTAL_LINE, 2, False),
        (T.CONTINENTAL_LINE, 3, True),
        (T.EUROPEAN_LINE, 2, False),
        (T.MILITIA, 4, False),
        (T.RANGERS, 3, False),
        (T.AMERICAN_LIGHT_CAVALRY, 2, True),
        (T.AMERICAN_ARTILLERY, 3, False),
    ],
)
def test_unit_commanders_VBW_ORG_03_05_07_08_12_14(kind: TroopType, stands: int, has: bool) -> None:
    assert strength.has_commander(unit(kind), stands, label(kind)) is has


@pytest.mark.parametrize("kind", list(TroopType))
def test_losses_come_back_whole_VBW_GEN_03(kind: TroopType) -> None:
    for sp in range(0 if kind is T.WAGON else 1, 7):
        one = unit(kind, sp)
        points = strength.count_points(one)
        back = [lost_in_file(one, lost, points) for lost in range(points + 1)]
        assert back[0] == 0 and back == sorted(back)
        if points:
            assert back[-1] == sp, "who has lost all has lost all"
        for lost in range(points + 1):
            for captured in range(points + 1 - lost):
                killed, taken = losses_in_file(one, lost, captured, points)
                assert killed >= 0 and taken >= 0
                assert killed + taken == back[lost + captured]


@pytest.mark.parametrize("kind", list(TroopType))
def test_a_table_of_losses_says_what_each_loss_is_VBW_GEN_03(kind: TroopType) -> None:
    for sp in range(0 if kind is T.WAGON else 1, 7):
        one = unit(kind, sp)
        points = strength.count_points(one)
        table = back_of(one, points)
        assert len(table) == points + 1
        assert (table[0], table[-1]) == (0, sp if points else 0)


def test_close_order_foot_has_the_files_own_points_VBC_CAM_01() -> None:
    for sp in range(1, 7):
        one = unit(T.CONTINENTAL_LINE, sp)
        points = strength.count_points(one)
        assert points == sp
        assert [lost_in_file(one, lost, points) for lost in range(sp + 1)] == list(range(sp + 1))


def test_nations_for_the_cards_VBW_SEQ_05() -> None:
    nations = {T.BRITISH_LINE: r.BRITISH, T.JAEGERS: r.GERMAN, T.RANGERS: r.LOYALIST, T.MILITIA: r.AMERICAN}
    for kind, nation in nations.items():
        assert nation_of(unit(kind, side="rebel" if nation == r.AMERICAN else "crown")) == nation
    assert nation_of(unit(T.MILITIA)) == r.LOYALIST, "the Crown's militia (VBW-RAT-02)"


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("name", sorted(find_shipped_battles()))
def test_a_battle_is_mustered_into_points_stands_and_brigades_VBW_GEN_03_VBW_CMD_02(
    name: str, scale: str
) -> None:
    """What is shown and stored is what is fought with."""
    file = replace(read_battle(name), ruleset=scale)
    mustered = get_rules(scale).muster
    assert mustered is not None
    found = {one.unit: one for one in mustered(file)}
    options = SCALES[scale].options_resolve({})
    for one in file.units:
        if one.sp == 0:
            assert one.id not in found
            continue
        stood = found[one.id]
        assert stood.points == strength.count_points(one) and stood.sp == one.sp
        assert stood.stands == strength.split_stands(stood.points, label_of(one, options))
        for lost in range(stood.points + 1):
            assert stood.in_file(lost, 0) == losses_in_file(one, lost, 0, stood.points)
    for side in (file.attacker, file.defender):
        led = {stood.brigade for one in file.units if one.side == side and (stood := found.get(one.id))} - {0}
        others = {stood.brigade for one in file.units if one.side != side and (stood := found.get(one.id))}
        assert led and not led & others, "a brigade is of one side"
