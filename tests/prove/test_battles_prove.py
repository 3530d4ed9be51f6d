"""Commanders over thousands of battles, for `make prove`: fair, no fools, better for looking ahead."""

from dataclasses import replace
from functools import cache

import pytest

from battles.files.schema import BattleFile, BattlePlan
from battles.odds.plan_choice import apply_plan_choices, plans_weigh
from battles.rulesets.registry import fight_batch
from tests.battles.mirrored import mirrored_fight
from tests.prove.conftest import Figure

pytestmark = pytest.mark.prove

ASSAULT, ADVANCE = BattlePlan("assault"), BattlePlan("advance")
#: Fights of each pair, with the same seeds.
PAIRS = 4_000


def scores(battle: BattleFile, fights: int) -> list[float]:
    """What the attacker gets of each fight: 1, a half for a draw, or 0."""
    holders = fight_batch(battle, range(fights)).holder
    return [{0: 1.0, 1: 0.0}.get(int(holder), 0.5) for holder in holders]


def share(battle: BattleFile, fights: int) -> float:
    """The attacker's wins and half the draws."""
    return sum(scores(battle, fights)) / fights


def test_a_mirrored_fight_is_even_over_ten_thousand(figure: Figure) -> None:
    even = share(mirrored_fight(ASSAULT, ASSAULT), 10_000)
    figure("mirrored standard fight, 10,000", f"{100 * even:.1f} %", "48 to 52 %")
    assert 0.48 <= even <= 0.52


def test_the_commander_beats_walking_at_the_nearest_enemy(figure: Figure) -> None:
    near = share(mirrored_fight(ASSAULT, ADVANCE), PAIRS)
    far = 1.0 - share(mirrored_fight(ADVANCE, ASSAULT), PAIRS)
    what = f"commander against walking at the nearest, {2 * PAIRS:,}"
    figure(what, f"{50 * (near + far):.1f} %", "70 % or more, from either side")
    assert near > 0.7 and far > 0.7


@pytest.mark.parametrize("kind", ["assault", "hold", "turn_flank"])
def test_looking_ahead_beats_the_same_plan_without(kind: str, figure: Figure) -> None:
    """Against a plan that waits, too: who looks ahead need not win more, but never does worse."""
    plain = BattlePlan(kind)  # type: ignore[arg-type]
    thinking = replace(plain, lookahead=True)
    near, far = (
        apply_plan_choices(file := mirrored_fight(*plans), plans_weigh(file, 1777))
        for plans in ((thinking, plain), (plain, thinking))
    )
    better = (share(near, 1_000) + 1.0 - share(far, 1_000)) / 2
    least = 0.55 if kind == "assault" else 0.5
    chosen = f"{near.plans[near.attacker].kind}, {far.plans[far.defender].kind}"
    figure(
        f"lookahead against {kind} without, 2,000; it chose {chosen}", f"{100 * better:.1f} %",
        f"{100 * least:.0f} % or more",
    )  # fmt: skip
    assert better >= least


@cache
def whole_scores() -> list[float]:
    """The attacker's of the whole mirrored fight, which all pairs share."""
    return scores(mirrored_fight(ASSAULT, ASSAULT), PAIRS)


def paired(weak: BattleFile) -> tuple[float, float]:
    """Mean gain of the attacker when whole, with the same seeds, and its standard error."""
    gains = [b - a for a, b in zip(scores(weak, PAIRS), whole_scores(), strict=True)]
    mean = sum(gains) / PAIRS
    variance = sum((gain - mean) ** 2 for gain in gains) / (PAIRS - 1)
    return mean, float((variance / PAIRS) ** 0.5)


@pytest.mark.parametrize("place", range(12))
def test_an_sp_or_a_unit_more_never_harms(place: int, figure: Figure) -> None:
    """For every unit of a side in turn: without it, with one SP less, and whole."""
    whole = mirrored_fight(ASSAULT, ASSAULT)
    unit = whole.units[place]
    weaker = replace(
        whole, units=(*whole.units[:place], replace(unit, sp=unit.sp - 1), *whole.units[place + 1 :])
    )
    commands = tuple(
        replace(leader, commands=tuple(one for one in leader.commands if one != unit.id))
        for leader in whole.leaders
    )
    without = replace(whole, units=(*whole.units[:place], *whole.units[place + 1 :]), leaders=commands)
    for name, less in (("an SP", weaker), ("the unit", without)):
        gain, error = paired(less)
        found = f"{100 * gain:+.1f} ± {100 * error:.1f} %"
        figure(f"{unit.troop_type} {place}: {name} more, 4,000 pairs", found, "over -3 sigma")
        assert gain > -3.0 * error
