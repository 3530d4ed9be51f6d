"""Light troops that break up and mounted infantry: in the file, under a commander, in fights and accounts."""

from dataclasses import replace
from typing import Any, get_args

import pytest

from battles.engine.dtypes import ADVANCE, ASSAULT, DELAY, HOLD, WITHDRAW
from battles.files.initial_positions import Form
from battles.files.other_rulesets import document_under
from battles.files.reading import battle_to_json
from battles.files.schema import BattleFile, BattleGround, BattlePlan, Feature, Trait
from battles.replay.account import compose_account
from battles.replay.frames import AWAY, FORMS, build_show, show_to_json
from battles.replay.replay import Replay, pack_replay, unpack_replay
from battles.replay.rolls import list_log_lines
from battles.replay.state import BattleBoard
from battles.rulesets import registry
from battles.rulesets.volley_bayonet import commander, formations, reforming
from battles.rulesets.volley_bayonet import records as r
from battles.rulesets.volley_bayonet.fighting import VolleyBayonetBattleRunner
from battles.rulesets.volley_bayonet.positions import build_table_file, is_half
from battles.rulesets.volley_bayonet.printed_sheets import VolleyBayonetSheetTerms
from battles.rulesets.volley_bayonet.ratings import label_of
from battles.rulesets.volley_bayonet.strength import has_commander, split_stands
from rosters.domain.vocabulary import TYPES, Arm, GunClass, TroopType
from tests.battles.forces import CONGRESS, CROWN, battle, battle_unit, force
from tests.battles.rulesets.volley_bayonet.books import SCALES
from tests.battles.rulesets.volley_bayonet.files import drawn_up
from tests.battles.rulesets.volley_bayonet.forces import Stand, build, field, paint
from tests.battles.rulesets.volley_bayonet.test_fights import verify_places, verify_points

#: Whole fights are compiled in one process: it takes over a minute.
pytestmark = pytest.mark.xdist_group("volley bayonet fights")

T = TroopType
WING = SCALES["vb_wing"]
scales = pytest.mark.parametrize("scale", sorted(SCALES))
LIGHT: dict[str, Any] = {"abilities": ("SK", "formed"), "sp": 3}
RIDERS: dict[str, Any] = {"kind": "MI", "sp": 1}
FAR, NEAR = 60.0, 32.0


def moved(plan: int, own: dict[str, Any], enemy_y: float, *, ground: str = "open", turns: int = 1) -> Any:
    """The record after movement steps of side 0 with one stand at y = 20, its enemy so far up the table."""
    g = field(Stand(y=20.0, **own), Stand(1, y=enemy_y))
    paint(g, ground)
    under(g, plan)
    for u in g.u[: g.n]:
        u.spot_x, u.spot_y = u.x, u.y
    for _ in range(turns):
        commander.run_movement_step(g)
    return g


def under(g: Any, plan: int) -> None:
    g.mover, g.plan[:] = 0, (plan, HOLD)
    g.plans[0].kind_, g.plans[0].boldness = plan, -9.0


def kinds(replay: Replay) -> set[str]:
    return {event.kind for event in replay.events}


# in the file


def refusals(*traits: Trait, troop_type: TroopType, **more: Any) -> list[tuple[str, str]]:
    unit = battle_unit("u", CROWN, troop_type, traits=traits, **more)
    file = battle((unit,), force(CONGRESS, T.CONTINENTAL_LINE), ruleset="vb_wing")
    faults = registry.get_rules("vb_wing").traits_faults(file, WING.options_resolve({}))
    return [(fault.rule_id, fault.field) for fault in faults]


@pytest.mark.parametrize("kind", list(TroopType))
def test_who_may_break_up_and_who_may_ride_VBW_RAT_07_VBW_ORG_10_VBW_ORG_13(kind: TroopType) -> None:
    gun = GunClass.MEDIUM if TYPES[kind].arm is Arm.WHEELED and kind is not T.WAGON else GunClass.NONE
    options = WING.options_resolve({})
    light = label_of(battle_unit("u", CROWN, kind, gun_class=gun), options).has("detachments")
    foot = TYPES[kind].arm is Arm.FOOT and kind is not T.INDIANS
    refused = [("VBW-ORG-10", "units[0].traits")], [("VBW-ORG-13", "units[0].traits")]
    assert refusals("breaks_up", troop_type=kind, gun_class=gun) == ([] if light else refused[0])
    assert refusals("mounted", troop_type=kind, gun_class=gun) == ([] if foot else refused[1])


def test_nobody_is_both_VBW_ORG_10_VBW_ORG_13() -> None:
    assert refusals("breaks_up", "mounted", troop_type=T.RANGERS) == [("VBW-ORG-13", "units[0].traits")]


def test_light_troops_in_one_stand_and_mounted_infantry_VBW_ORG_10_VBW_ORG_12_VBW_ORG_13() -> None:
    options = WING.options_resolve({})
    plain = battle_unit("u", CROWN, T.BRITISH_LIGHT_INFANTRY)
    stands, riders = (label_of(replace(plain, traits=(one,)), options) for one in ("breaks_up", "mounted"))
    assert (stands.kind, stands.morale, stands.has("SK"), stands.is_detachment) == ("FI", 6, True, False)
    assert (riders.kind, riders.morale, riders.is_detachment) == ("MI", 6, False)
    assert split_stands(3, stands) == (3,), "one stand of two or three SP"
    assert split_stands(3, riders) == split_stands(3, label_of(plain, options)) == (1, 1, 1), (
        "a stand a detachment"
    )
    assert not has_commander(plain, 3, stands) and not has_commander(plain, 3, riders)


@scales
def test_a_half_has_its_row_and_riders_in_houses_are_on_foot_VBW_MOV_22_VBW_STD_10(scale: str) -> None:
    house = Feature("building", ((48.0, 50.0),), "house", size="large")
    g = drawn_up(
        battle_unit("l", CROWN, T.BRITISH_LIGHT_INFANTRY, sp=6, traits=("breaks_up",)),
        battle_unit("m", CONGRESS, T.MILITIA, sp=1, traits=("mounted",), inside="house"),
        battle_unit("n", CONGRESS, T.MILITIA, sp=1, traits=("mounted",)),
        features=(house,),
        scale=scale,
    )
    stand, half, inside, outside = g.u[: g.n]
    assert (stand.class_, stand.partner, stand.sp, half.partner) == (r.INFANTRY, 1, 3, 0)
    assert (half.spare, half.place, half.sp, half.brigade) == (1, r.GONE, 0, stand.brigade)
    assert (inside.class_, outside.class_) == (r.DETACHMENT, r.HORSE)
    assert g.o.changes_form == 1
    assert drawn_up(*force(CROWN, T.RANGERS), *force(CONGRESS, T.RANGERS)).o.changes_form == 0


def test_other_rules_leave_these_traits_out_and_say_so_AWI_T_SCA_01() -> None:
    document = battle_to_json(the_fight("vb_wing"))
    for ruleset in ("awi", "vb_rtg", "regimental"):
        made, warnings = document_under(document, ruleset)
        assert not any(unit.get("traits") for unit in made["units"])
        assert any("breaks_up" in said for said in warnings) and any("mounted" in said for said in warnings)
    made, warnings = document_under(document, "vb_division")
    assert [unit.get("traits") for unit in made["units"]] == [
        unit.get("traits") for unit in document["units"]
    ] and not warnings
    for ruleset in ("awi", "vb_rtg", "regimental"):
        rules = registry.get_rules(ruleset)
        faults = list(rules.traits_faults(the_fight(ruleset), rules.options_resolve({})))
        assert [fault.field for fault in faults] == [f"units[{k}].traits" for k in range(3, 7)]
    assert {"breaks_up", "mounted"} <= set(get_args(Trait))


def test_cards_say_what_they_are_when_they_have_changed_VBW_STD_10_VBW_MOV_22() -> None:
    paper = VolleyBayonetSheetTerms(WING)
    riders = battle_unit("m", CONGRESS, T.AMERICAN_REGULAR_RIFLES, traits=("mounted",))
    facts = dict(paper.unit_terms(riders, {}, "25mm").facts)
    assert facts["Fires"] == "not at all" and facts["Moves"] == "24 inches"
    assert facts["On foot"].startswith("detachments of 16 inches; fires 1 die a stand; 12 inches on 5+")
    light = battle_unit("l", CROWN, T.JAEGERS, traits=("breaks_up",))
    assert dict(paper.unit_terms(light, {}, "25mm").facts)["Broken up"].startswith("two detachments a stand")


# the commander


@pytest.mark.parametrize(
    ("plan", "ground", "enemy_y", "broken"),
    [
        (DELAY, "open", NEAR, True),
        (DELAY, "open", FAR, False),
        (HOLD, "woods", NEAR, True),
        (HOLD, "open", NEAR, False),
        (ADVANCE, "woods", NEAR, True),
        (ASSAULT, "woods", NEAR, False),
        (WITHDRAW, "woods", NEAR, False),
    ],
)
def test_when_light_troops_open_out_VBW_MOV_20_VBW_MOV_22(
    plan: int, ground: str, enemy_y: float, broken: bool
) -> None:
    g = moved(plan, LIGHT, enemy_y, ground=ground)
    assert (g.u[0].class_ == r.DETACHMENT, g.u[2].spare == 0) == (broken, broken)
    if broken:
        assert g.u[0].form == g.u[2].form == r.SKIRMISH
        assert (g.u[0].sp, g.u[2].sp) == (2, 1)
        verify_places(g)


def test_an_advance_opens_out_before_bad_ground_VBW_MOV_22() -> None:
    for y, broken in ((26, True), (40, False)):
        g = field(Stand(y=20.0, **LIGHT), Stand(1, y=36.0))
        paint(g, "woods", y=(y, 60))
        under(g, ADVANCE)
        assert bool(reforming.opens_out(g, 0, 1, 14.5)) is broken


def test_they_form_again_in_the_open_when_no_enemy_is_near_VBW_MOV_21_VBW_MOV_23() -> None:
    for plan, enemy_y, forms in ((HOLD, FAR, True), (HOLD, 40.0, False), (ASSAULT, 56.0, True)):
        g = moved(DELAY, LIGHT, NEAR)
        g.u[1].y = enemy_y
        under(g, plan)
        for _ in range(3):
            commander.run_movement_step(g)
        assert (g.u[0].class_ == r.INFANTRY, g.u[2].spare == 1) == (forms, forms), plan
        assert sum(int(g.u[i].sp) for i in (0, 2)) == 3


def test_halves_apart_come_together_in_some_turns_VBW_MOV_23() -> None:
    g = field(Stand(y=20.0, **LIGHT), Stand(1, y=62.0))
    formations.break_into_detachments(g, 0)
    g.u[2].x, g.u[2].y = 22.0, 14.0
    under(g, HOLD)
    for u in g.u[: g.n]:
        u.spot_x, u.spot_y = u.x, u.y
    for _ in range(reforming.TRIES):
        commander.run_movement_step(g)
        verify_places(g)
    assert (g.u[0].class_, g.u[0].sp, g.u[2].spare) == (r.INFANTRY, 3, 1)


def test_who_cannot_come_together_goes_on_by_himself_VBW_MOV_23() -> None:
    g = field(Stand(y=20.0, **LIGHT), Stand(1, y=62.0))
    formations.break_into_detachments(g, 0)
    g.u[0].waits = reforming.TRIES
    under(g, HOLD)
    assert not reforming.rejoin_first_half(g, 0, 40.0)


def test_partners_change_where_halves_of_two_stands_form_one_VBW_MOV_23() -> None:
    g = field(Stand(x=30.0, unit="l", **LIGHT), Stand(x=33.0, unit="l", **LIGHT))
    for i in (0, 1):
        formations.break_into_detachments(g, i)
    # the right half of the first and the left half of the second stand side by side
    assert formations.form_up(g, 0, 3)
    assert (g.u[0].partner, g.u[3].partner, g.u[1].partner, g.u[2].partner) == (3, 0, 2, 1)
    assert (g.u[0].sp, g.u[3].sp, g.u[3].spare) == (3, 0, 1)
    for i in range(4):
        u = g.u[i]
        assert u.sp + u.lost + u.captured == u.sp_start


def test_no_room_for_the_larger_base_no_skirmish_order_VBW_STD_12_VBW_MOV_20() -> None:
    light = {"abilities": ("detachments",), "sp": 1}
    beside = [Stand(x=30.0 + 1.55 * k, **light) for k in (-1, 0, 1)]
    g = field(*beside)
    assert [bool(formations.enter_skirmish(g, i)) for i in (1, 0)] == [False, True]
    assert g.u[1].form == r.FORMED


@pytest.mark.parametrize(
    ("plan", "enemy_y", "mounted"),
    [(ASSAULT, 62.0, True), (ASSAULT, 38.0, False), (HOLD, 62.0, False), (DELAY, 38.0, False)],
)
def test_mounted_infantry_gets_off_where_it_fights_VBW_MOV_19_VBW_ORG_13(
    plan: int, enemy_y: float, mounted: bool
) -> None:
    g = moved(plan, RIDERS, enemy_y, turns=2 if plan == ASSAULT and enemy_y < 40.0 else 1)
    assert bool(g.u[0].class_ == r.HORSE) is mounted
    assert g.u[0].charged == 0
    if plan == ASSAULT:
        assert g.u[0].y > 20.0, "it rides up"


@pytest.mark.parametrize(
    ("plan", "enemy_y", "mounted"),
    [
        (WITHDRAW, 40.0, True),
        (DELAY, 30.0, True),
        (DELAY, 40.0, False),
        (ASSAULT, 62.0, True),
        (ASSAULT, 30.0, False),
        (HOLD, 62.0, False),
    ],
)
def test_it_gets_on_to_ride_home_back_or_far_VBW_MOV_19(plan: int, enemy_y: float, mounted: bool) -> None:
    g = field(Stand(y=20.0, **RIDERS), Stand(1, y=enemy_y))
    formations.dismount(g, 0)
    under(g, plan)
    g.u[0].spot_x, g.u[0].spot_y, g.u[0].left, g.u[0].moved = 30.0, 20.0, 1.0, 0
    reforming.changes_first(g)
    assert bool(g.u[0].class_ == r.HORSE) is mounted


def test_riders_do_not_charge_and_get_off_where_no_horse_goes_VBW_COM_07_VBW_TER_01() -> None:
    g = moved(ASSAULT, RIDERS, 30.0)
    assert (g.u[0].class_, g.u[0].charged) == (r.DETACHMENT, 0)
    g = field(Stand(y=20.0, **RIDERS), Stand(1, y=38.0))
    paint(g, "forest", y=(24, 60))
    under(g, ASSAULT)
    reforming.changes_first(g)
    assert g.u[0].class_ == r.DETACHMENT


def test_nobody_mounts_in_a_house_in_forest_or_without_room_VBW_MOV_19_VBW_DEF_21() -> None:
    riders = Stand(**RIDERS)
    for spoil in ("house", "forest", "room"):
        g = field(riders, Stand(x=31.6, abilities=("detachments",), sp=1))
        g.u[1].place = r.ON_TABLE if spoil == "room" else r.GONE
        formations.dismount(g, 0)
        g.u[0].left = 1.0
        if spoil == "house":
            g.u[0].inside = build(g, 30.0, 20.0)
        elif spoil == "forest":
            paint(g, "forest")
        assert not formations.mount(g, 0), spoil
        assert (g.u[0].class_, g.u[0].left) == (r.DETACHMENT, 1.0)


def test_a_stand_whose_half_would_be_off_the_table_stays_one_VBW_MOV_22_VBW_DEF_14() -> None:
    for x, breaks in ((0.7, False), (0.8, True), (111.3, False)):
        g = field(Stand(x=x, y=20.0, **LIGHT), Stand(1, y=36.0))
        assert bool(formations.break_into_detachments(g, 0) >= 0) is breaks, x


# whole fights


def the_fight(ruleset: str) -> BattleFile:
    """Light troops in woods and mounted riflemen who delay, and then assault, against a line."""
    wood = Feature("open_woods", ((30, 38), (66, 38), (66, 50), (30, 50)), "wood")
    line = tuple(battle_unit(f"c{k}", CROWN, T.BRITISH_LINE, sp=6) for k in range(3))
    light = tuple(
        battle_unit(f"l{k}", CONGRESS, T.CONTINENTAL_LIGHT, sp=6, traits=("breaks_up",)) for k in range(2)
    )
    riders = tuple(
        battle_unit(f"m{k}", CONGRESS, T.AMERICAN_REGULAR_RIFLES, sp=4, traits=("mounted",)) for k in range(2)
    )
    plans = {CROWN: BattlePlan("assault"), CONGRESS: BattlePlan("delay", until=3, then="assault")}
    ground = BattleGround(96, 60, (wood,))
    return battle(line, (*light, *riders), ruleset=ruleset, ground=ground, plans=plans)


def kept(ruleset: str) -> Replay:
    file = the_fight(ruleset)
    return unpack_replay(pack_replay(file, registry.fight_battle(file, 3, record=True)))


@scales
def test_a_fight_with_both_is_told_and_shown_VBW_ORG_10_VBW_ORG_13_VBD_MOV_16_to_19(scale: str) -> None:
    replay = kept(scale)
    assert kinds(replay) >= {
        "breaks_up", "detaches", "skirmishes", "closes_up", "joins", "forms_stand", "mounts", "dismounts",
    }  # fmt: skip
    told = " ".join(compose_account(replay.battle, replay.result)).lower()
    for said in ("broke up into detachments", "formed up again", "mounted", "dismounted"):
        assert said in told
    lines = "\n".join(list_log_lines(replay.battle, replay.result))
    assert "l0 (left half) part from l0 (VBW-MOV-22)" in lines.replace("right stand", "")
    assert "_" not in lines and "\x1f" not in lines
    frames = show_to_json(build_show(replay))
    halves = [n for n, unit in enumerate(frames["units"]) if unit["name"].endswith("(left half)")]
    assert halves and not any("at" in frames["units"][n] for n in halves)
    changes = [change for frame in frames["frames"] for line in frame["e"] for change in line.get("c", ())]
    for n in halves:
        moods = [change[6] for change in changes if change[0] == n]
        assert moods and moods[0] != AWAY
    assert any(change[6] == AWAY for change in changes)
    assert frames["units"][halves[0]]["bases"][str(FORMS.index("skirmish"))] == pytest.approx([4.5, 2.25])


@scales
def test_the_board_is_the_record_in_form_and_strength_VBW_MOV_22_VBW_MOV_23(scale: str) -> None:
    file, rules = the_fight(scale), SCALES[scale]
    forms: dict[tuple[int, int], Form] = {
        (r.DETACHMENT, r.FORMED): "half",
        (r.DETACHMENT, r.SKIRMISH): "skirmish",
        (r.HORSE, r.FORMED): "mounted",
        (r.INFANTRY, r.FORMED): "line",
    }
    for turns in (1, 2, 3, 4, 6, 8, 12, 36):
        short = replace(file, turns=turns)
        state, units, _ = VolleyBayonetBattleRunner(short, rules).run(3, record=True)
        g, table = state[0], build_table_file(short, rules)
        verify_points(g, units, short)
        verify_places(g)
        board = BattleBoard(table, registry.get_initial_positions(short))
        for event in registry.fight_battle(short, 3, record=True).events:
            board.apply(event)
        for i, unit in enumerate(table.units):
            u, piece = g.u[i], board.units[unit.id]
            if u.place == r.ON_TABLE:
                assert (piece.stands, piece.sp) == (True, u.sp), (turns, unit.id)
                if u.form != r.ROAD_MARCH:
                    assert piece.form == forms[int(u.class_), int(u.form)], (turns, unit.id)
            elif u.spare == 1:
                assert not piece.stands and is_half(unit.id)


def test_the_table_shows_the_base_of_native_americans_who_form_to_fight_VBW_MOV_24() -> None:
    natives = tuple(battle_unit(f"n{k}", CROWN, T.INDIANS, sp=6) for k in range(3))
    militia = (battle_unit("m", CONGRESS, T.MILITIA, sp=2),)
    plans = {CROWN: BattlePlan("assault", boldness=2), CONGRESS: BattlePlan("hold")}
    file = battle(natives, militia, ruleset="vb_wing", plans=plans)
    replay = unpack_replay(pack_replay(file, registry.fight_battle(file, 1, record=True)))
    assert "forms_to_fight" in kinds(replay)
    assert "form to fight hand to hand (VBW-MOV-24)" in "\n".join(
        list_log_lines(replay.battle, replay.result)
    )
    half, skirmish = (str(FORMS.index(form)) for form in ("half", "skirmish"))
    bases = next(
        unit["bases"] for unit in show_to_json(build_show(replay))["units"] if unit["name"].startswith("n0")
    )
    assert bases[half] == pytest.approx([2.25, 2.25])
    assert bases[skirmish] == pytest.approx([4.5, 2.25])


@scales
def test_many_runs_of_it_are_what_each_is_alone(scale: str) -> None:
    fought = VolleyBayonetBattleRunner(the_fight(scale), SCALES[scale])
    batch = fought.batch([1, 2, 3])
    for run, seed in enumerate((1, 2, 3)):
        state, units, _ = fought.run(seed, record=False)
        assert batch.holder[run] == state["holder"][0]
        assert batch.lost[run].tolist() == fought.of_units(units[None])[0][0].tolist()
