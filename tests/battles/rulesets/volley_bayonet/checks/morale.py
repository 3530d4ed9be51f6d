"""Worked checks of morale, fences, brigades that tire, and order states."""

from fractions import Fraction
from typing import Any

from battles.engine.geometry import COS, SIN
from battles.rulesets.volley_bayonet import (
    allowance,
    cards,
    chain,
    command,
    exhaustion,
    formations,
    morale,
    morale_step,
    states,
)
from battles.rulesets.volley_bayonet import records as r
from battles.rulesets.volley_bayonet.cover import height_of
from tests.battles.checks.common import set_up
from tests.battles.rulesets.volley_bayonet.books import SCALES
from tests.battles.rulesets.volley_bayonet.checks.common import D6, STATES, Facts, agree, one
from tests.battles.rulesets.volley_bayonet.forces import (
    Leader,
    Stand,
    entrench,
    field,
    raise_ground,
    throw,
)

FLAGS = {
    "unsupported_artillery": morale.UNSUPPORTED,
    "by_mounted": morale.BY_HORSE,
    "flank": morale.FROM_FLANK,
    "routed": morale.ROUTED_ALREADY,
    "stationary_higher": morale.HIGHER,
    "works": morale.WORKS,
    "superior": morale.SUPERIOR,
    "disordered": morale.DISORDER,
}
#: Cards by the check that plays one.
CARDS = {
    "VBC-MOR-28": (0, cards.STEADY_BRITISH, r.BRITISH),
    "VBC-MOR-29": (1, cards.STEEL_CROWN, r.AMERICAN),
    "VBC-MOR-31": (0, cards.AGAIN_REBEL, r.AMERICAN),
}


def situation(given: Facts, scale: str) -> tuple[Any, int]:
    """The stand whose morale it is, as stand 0 of a record, and the circumstances found from the table."""
    words, level = given["situation"], given["label_morale"]
    mine: Facts = {"morale": level, "sp": 3, "y": 20.0, "face": 0}
    foe: Facts = {"y": 21.5, "face": 180}
    state = STATES[given["state"]]
    charges = "charges" in words or "charge frontally" in words
    if "artillery" in words and not charges:
        mine |= {"kind": "Fd"}
        foe |= {"y": 22.25}
    if "cavalry charges medium" in words:
        mine |= {"kind": "LC"}
        foe |= {"kind": "MC"}
    if "mounted infantry charges" in words:
        mine |= {"kind": "MI"}
        state = r.GOOD  # it needs no marker
    if "by light dragoons" in words:
        foe |= {"kind": "LC", "x": 32.25, "y": 20.0, "face": 270}
    if "raw militia" in words:
        mine |= {"kind": "SI", "abilities": ("MIL",)}
        assert state == r.PERMANENT
    if "Native American" in words:
        mine |= {"morale": level + 1, "abilities": ("native",), "sp": 1}
        foe |= {"y": 21.5}
    if "poorly trained" in words:
        mine |= {"abilities": ("PT",)}
    leaders: tuple[Leader, ...] = ()
    if "brigade commander" in words:
        mine |= {"brigade": 0}
        leaders = (Leader(0, r.BRIGADE_COMMANDER, 30.0, 18.5, brigade=0),)
    if "only its unit commander" in words:
        leaders = (Leader(0, r.UNIT_COMMANDER, 30.0, 18.5, unit=0),)
    zone = "danger zone" in words
    if zone:
        foe |= {"kind": "Fd", "y": 30.0}
        mine |= {"stationary": "stationary" in words}
    g = field(Stand(0, **mine), Stand(1, **foe), scale=scale, leaders=leaders)
    g.u[0].state = state
    if "Native American" in words:
        g.battalions[0].lost_stands = 1
    if "in works" in words:
        entrench(g, 20.9)
    if "on a hill" in words:
        raise_ground(g, 20, 1, y=(19, 22))
    if charges:
        attack(g, 0, 1)
        return g, morale.charger_flags(g, 0, 1)
    if zone:
        return g, morale.threat_flags(g, 0, 1)
    attack(g, 1, 0)
    return g, morale.charged_flags(g, 0, 1)


def attack(g: Any, i: int, j: int) -> None:
    """Stand i has moved into contact with stand j from five inches straight back."""
    a = g.u[i]
    x, y = float(a.x), float(a.y)
    a.x, a.y = x - 5.0 * SIN[a.face], y - 5.0 * COS[a.face]
    a.from_x, a.from_y, a.from_height = a.x, a.y, height_of(g, a)
    a.x, a.y = x, y
    a.charged, a.charges = 1, j
    a.edge = morale.find_edge_of_contact(g, i, j)


def check_morale(given: Facts, expect: Facts, scale: str, key: str = "") -> None:
    g, flags = situation(given, scale)
    nerve = morale.nerve_of(g, 0, flags)
    assert nerve == expect["modified_morale"]
    found = flags | morale.order_flags(g, g.u[0]) | (morale.SUPERIOR if morale.has_superior(g, 0) else 0)
    assert found == sum(FLAGS[name] for name in given["modifiers"])
    assert nerve - given["label_morale"] == sum(given["modifiers"].values())
    g.u[0].nerve = nerve
    if key in CARDS:
        side, card, nation = CARDS[key]
        g.crown = int(nation == r.AMERICAN)
        g.battalions[0].nation = nation
        g.hands[side, 0], g.hand_n[side] = card, 1
        assert cards.play_card(g, side, 0, 0)
        assert g.battalions[0].die + g.battalions[0].step_die == given.get("die_modifier", 0)
    elif "die_modifier" in given:
        g.battalions[0].step_die = given["die_modifier"]
    passed = 0
    for die in D6:
        for again in D6:
            throw(g, die, again)
            passed += bool(morale.roll_check(g, 0))
    assert Fraction(passed, 36) == Fraction(expect["p_pass"]) == 1 - Fraction(expect["p_fail"])
    if expect["on_fail"] in STATES:
        after = int(states.find_next_state(states.FAIL_MORALE, states.state_now(g.u[0])))
        assert {number: name for name, number in STATES.items()}[after] == expect["on_fail"]
        return
    set_up(expect, on_fail="stays in skirmish order half way; not disordered")
    u, half = g.u[0], (float(g.u[0].from_y) + float(g.u[0].y)) / 2
    morale_step.stop_half_way(g, 0)
    assert (u.form, u.state, float(u.y)) == (r.SKIRMISH, r.GOOD, half)


def check_morale_table(given: Facts, expect: Facts, scale: str) -> None:
    assert list(expect["p_pass"]) == given["modified"]
    for nerve, chance in expect["p_pass"].items():
        assert Fraction(sum(bool(morale.is_passing_die(die, nerve)) for die in D6), 6) == Fraction(chance)


def check_morale_chain(given: Facts, expect: Facts, scale: str) -> None:
    # nobody recovers, and nobody's rout takes him out of the zone
    if "recovery" in given:
        set_up(given, recovery=False)
    if "rout_moves_out" in given:
        set_up(given, rout_moves_out="no, for the test")
    g = one(scale, morale=given["label_morale"], sp=6)
    start = STATES[given["state"].split()[0]]
    chances = {start: Fraction(1)}
    for _ in range(given["danger_zone_checks"]):
        after: dict[int, Fraction] = {}
        for state, chance in chances.items():
            g.u[0].state = state
            nerve = morale.nerve_of(g, 0, 0)
            for die in D6:
                end = (
                    state
                    if morale.is_passing_die(die, nerve)
                    else states.find_next_state(states.FAIL_MORALE, state)
                )
                after[int(end)] = after.get(int(end), Fraction(0)) + chance / 6
        chances = after
    names = {number: name for name, number in STATES.items()}
    agree(expect["states"], {names[state]: chance for state, chance in chances.items()})


def check_fence(given: Facts, expect: Facts, scale: str) -> None:
    set_up(given, mounted=True, state="good", entering_melee=True)
    abilities = ("PT",) if given["poorly_trained"] else ()
    g = one(scale, kind="LC", morale=given["current_morale"], abilities=abilities)
    held = 0
    for die in D6:
        throw(g, die)
        held += bool(morale.fence_holds(g, 0))
    assert Fraction(held, 6) == Fraction(expect["p_stays_in_order"])


def check_collapse(given: Facts, expect: Facts, scale: str) -> None:
    g = field(Stand(brigade=0, sp=6), scale=scale)
    e = g.brigades[0]
    if "level" in given:
        e.level, e.lost = given["level"], given["losses_before_step"]
        e.lost += given["hits_this_combat_step"] + given["rout_sp_lost"]
        e.hits = given["hits_this_combat_step"]
        assert exhaustion.tire_brigade(g, 0) is expect["exhausted_after_step"]
        assert e.hits == expect["hits_counted"]
        assert chance_of_collapse(g) == Fraction(expect["p_collapse"])
        return
    e.exhausted = int(given["exhausted"])
    if "hits_in_three_successive_steps" in given:
        holds = Fraction(1)
        for hits in given["hits_in_three_successive_steps"]:
            e.hits = hits
            holds *= 1 - chance_of_collapse(g)
        assert holds == Fraction(expect["p_never_collapsed"])
        return
    e.hits = given["hits_this_combat_step"]
    assert chance_of_collapse(g) == Fraction(expect["p_collapse"]) == 1 - Fraction(expect["p_holds"])


def chance_of_collapse(g: Any) -> Fraction:
    found = 0
    for die in D6:
        throw(g, die)
        found += bool(exhaustion.roll_collapse(g, 0))
    return Fraction(found, 6)


def check_collapse_effect(given: Facts, expect: Facts, scale: str) -> None:
    stands = []
    for k, words in enumerate(given["stands"]):
        state, sp, _ = words.split()
        stands.append(Stand(x=10.0 + 5 * k, brigade=0, sp=int(sp), state=STATES[state]))
    g = field(*stands, scale=scale)
    exhaustion.collapse_brigade(g, 0)
    for k, words in enumerate(expect["after"]):
        state, *rest = words.split()
        assert g.u[k].state == STATES[state]
        if rest:
            assert [f"{g.u[k].sp}", "SP"] == rest


def check_exhaustion(given: Facts, expect: Facts, scale: str) -> None:
    rules = SCALES[scale]
    stands = [(row["sp"], row["morale"]) for row in given["stands"]]
    share = rules.tables.exhaustion_per_morale
    assert sum(sp for sp, _ in stands) == expect["sp_total"]
    assert sum(sp * level * share for sp, level in stands) == Fraction(expect["exact_sum"])
    level = chain.find_exhaustion_level(stands, share, rules.options["exhaustion_rounding"].default)
    assert level == expect["level"]
    for lost, tired in expect["exhausted_at_losses"].items():
        g = field(Stand(brigade=0), scale=scale)
        g.brigades[0].level, g.brigades[0].lost = level, lost
        assert bool(exhaustion.tire_brigade(g, 0)) is tired


def check_state(given: Facts, expect: Facts, scale: str) -> None:
    if given.get("event") == "breaks up":
        set_up(given, stand="light infantry 3 SP with SK")
        g = field(Stand(sp=3, abilities=("SK",)), scale=scale)
        second = formations.break_into_detachments(g, 0)
        assert [int(g.u[0].sp), int(g.u[second].sp)] == expect["detachments_sp"]
        dice = g.t.dice[g.u[0].dice_row, 0, 0] + g.t.dice[g.u[second].dice_row, 0, 0]
        assert dice == expect["dice_total_fire"]
        return
    if "card" in given:
        set_up(
            given,
            stand="British line 3 SP, disordered, fails morale",
            card="God Save the King!! played at once",
        )
        g = one(scale, sp=3, state=r.DISORDERED)
        g.hands[0, 0], g.hand_n[0] = cards.RALLY_CROWN, 1
        states.change_order(g, 0, states.FAIL_MORALE)
        assert (g.u[0].state, g.u[0].runs) == (r.ROUTED, 1)
        assert cards.play_card(g, 0, 0, 0)
        assert (g.u[0].state, g.u[0].sp) == (STATES[expect["state_after"]], expect["sp_after"])
        assert g.u[0].runs == expect["moved_in"] == 0
        return
    state = STATES[given["state"]]
    if "event" in given:
        set_up(given, event="enters forest formed")
        g = one(scale, state=state)
        allowance.enter_ground(g, 0, r.FOREST)
        assert g.u[0].state == STATES[expect["state_after"]]
        return
    ranks = {"own UC": r.UNIT_COMMANDER, "BC of another brigade": r.BRIGADE_COMMANDER}
    (rank,) = [ranks[words] for words in given["touching"]]
    leader = Leader(0, rank, 30.0, 18.5, brigade=1, unit=0)
    g = field(Stand(brigade=0, state=state), Stand(x=60, brigade=1), scale=scale, leaders=(leader,))
    assert command.rally_all(g, 0) == 0
    assert g.u[0].state == STATES[expect["state_after"]]
