"""Worked checks of what follows a fight: return fire, retreats, friends in the way, advances, muster."""

from fractions import Fraction

from battles.files.schema import BattleUnit
from battles.rulesets.volley_bayonet import combat, forced, strength
from battles.rulesets.volley_bayonet import records as r
from battles.rulesets.volley_bayonet.ratings import label_of
from battles.rulesets.volley_bayonet.tables import MEN_PER_SP
from rosters.domain.strength import strength_points
from rosters.domain.vocabulary import TroopType
from tests.battles.checks.common import set_up
from tests.battles.rulesets.volley_bayonet.books import SCALES
from tests.battles.rulesets.volley_bayonet.checks.common import (
    STATES,
    Facts,
    binomial,
    hit_chance,
    mean,
    returns_at,
)
from tests.battles.rulesets.volley_bayonet.forces import Stand, entrench, field


def check_return_fire(given: Facts, expect: Facts, scale: str) -> None:
    set_up(
        given,
        fired_at=(
            "one of two touching regular stands of a battalion, both moved, both with range, arc and lane"
        ),
    )
    pair = [Stand(x=30.0 + 3 * k, y=20.0, unit="battalion") for k in range(2)]
    g = field(*pair, Stand(1, x=31.5, y=27.0), scale=scale)
    returning_stands = [i for i in range(2) if returns_at(g, i, 0, 2) >= 0.0]
    assert len(returning_stands) == expect["stands_returning"]
    dice = sum(int(combat.fire_dice(g, g.u[i])) for i in returning_stands)
    assert dice == expect["dice"]
    spread = binomial(dice, hit_chance(g, combat.fire_score(g, g.u[0], 5.5)))
    assert mean(spread) == Fraction(expect["expected_sp_hits"])
    assert spread[0] == Fraction(expect["p_no_loss"])


def check_retreat(given: Facts, expect: Facts, scale: str) -> None:
    guns = "artillery" in given["loser"]
    g = field(Stand(kind="Fd" if guns else "FI", y=40.0, sp=3), Stand(1, y=42.0), scale=scale)
    if "in works" in given["loser"]:
        entrench(g, 41.6)
    u = g.u[0]
    forced.lose_melee(g, 0, 30.0, 42.0)
    assert u.state == STATES[expect["state_after"]]
    assert u.face == 0, "it keeps its face"
    if "distance_in" in expect:
        assert 40.0 - u.y == expect["distance_in"]
    if "guns" in expect:
        assert ("abandoned" if u.guns_gone else "kept") == expect["guns"]
    if "sp_lost_extra" in expect:
        assert u.lost == expect["sp_lost_extra"]


def check_friend(given: Facts, expect: Facts, scale: str) -> None:
    gap = float(given["friend_distance_in"])
    friend = Stand(y=40.0 - 1.5 - gap, state=STATES[given["friend_state"]])
    g = field(Stand(y=40.0), Stand(1, y=41.5), friend, scale=scale)
    if "rout" in given["event"]:
        g.u[0].state, g.u[0].runs, g.u[0].away = r.ROUTED, forced.FROM_CHECK, 180
        forced.rout_moves(g)
        assert g.u[0].y == 24.0
    else:
        forced.lose_melee(g, 0, 30.0, 41.5)
        assert g.u[0].y <= 32.0
    b = g.u[2]
    if b.y != 40.0 - 1.5 - gap:
        assert b.y < g.u[0].y and b.lost == 0
        same = "unchanged" if b.state == STATES[given["friend_state"]] else "changed"
        found = f"driven back ahead, state {same}"
    else:
        found = "unaffected" if b.state == STATES[given["friend_state"]] else "disordered"
        assert found == "unaffected" or b.state == r.DISORDERED
    assert found == expect["friend"].partition(":")[0]


def check_advance(given: Facts, expect: Facts, scale: str) -> None:
    ahead = float(given["next_enemy_ahead_in"])
    g = field(Stand(y=20.0), Stand(1, y=21.5 + ahead), scale=scale)
    assert forced.advance_winner(g, 0, 0, float(given["advance_wanted_in"])) == expect["advance_in"]


def check_muster(given: Facts, expect: Facts, scale: str) -> None:
    sp = strength_points(given["campaign_points"])
    kind = {"close-order foot": TroopType.CONTINENTAL_LINE}[given["unit_type"]]
    unit = BattleUnit("own", "own", "crown", kind, sp)
    points = strength.count_points(unit)
    assert points == expect["vb_sp"]
    label = label_of(unit, SCALES[scale].options_resolve({}))
    assert list(strength.split_stands(points, label)) == expect["stands_sp"]
    assert points * MEN_PER_SP == expect["men_represented"]
