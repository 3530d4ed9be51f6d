"""What holds in every battle, however odd."""

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from battles.engine.compile import is_interpreted
from battles.files.checks import COVERS, PLANS
from battles.files.schema import BattleFile, BattlePlan, BattleUnit
from battles.rulesets.registry import fight_battle, fight_many
from rosters.domain.vocabulary import TYPES, GunClass, TroopType, Weapon
from tests.battles.forces import CONGRESS, CROWN, ODD_OPTIONS

EXAMPLES = 25 if is_interpreted() else 300


@st.composite
def units(draw: st.DrawFn, side: str) -> tuple[BattleUnit, ...]:
    """No to seven units of one side."""
    made = []
    for i, kind in enumerate(draw(st.lists(st.sampled_from(list(TroopType)), max_size=7))):
        battery = TYPES[kind].weapon is Weapon.GUN
        classes = [c for c in GunClass if (c is not GunClass.NONE) == battery]
        made.append(
            BattleUnit(
                id=f"{side} {i}",
                name=f"{side} {i}",
                side=side,
                troop_type=kind,
                sp=draw(st.integers(0 if kind is TroopType.WAGON else 1, 6)),
                gun_class=draw(st.sampled_from(classes)),
                poor_militia=kind is TroopType.MILITIA and draw(st.booleans()),
                formation=draw(st.sampled_from(("", "Fraser", "Riedesel"))),
                arrives=draw(st.sampled_from((0, 0, 1, 4, 50))),
            )
        )
    return tuple(made)


@st.composite
def battles(draw: st.DrawFn) -> BattleFile:
    return BattleFile(
        title="Freeman's Farm",
        attacker=CROWN,
        defender=CONGRESS,
        units=draw(units(CROWN)) + draw(units(CONGRESS)),
        cover=draw(st.sampled_from(COVERS)),
        plans={
            CROWN: BattlePlan(draw(st.sampled_from(PLANS))),
            CONGRESS: BattlePlan(draw(st.sampled_from(PLANS))),
        },
        options=draw(st.sampled_from(ODD_OPTIONS)),
        turns=draw(st.integers(1, 40)),
        break_percent=draw(st.integers(1, 100)),
    )


@given(battles(), st.integers(0, 2**64 - 1))
@settings(max_examples=EXAMPLES, deadline=None)
def test_every_battle_ends_and_strength_is_conserved_AWI_T_STR_03(battle: BattleFile, seed: int) -> None:
    result = fight_battle(battle, seed, record=True)
    outcome = result.outcome
    assert [unit.id for unit in outcome.units] == [unit.id for unit in battle.units]
    assert 0 <= outcome.turns <= battle.turns
    assert outcome.field_held_by in ("", CROWN, CONGRESS)
    losses: Counter[str] = Counter()
    for event in result.events:
        if event.kind == "sp_lost":
            losses[event.actor] += event.total
    for unit, told in zip(outcome.units, battle.units, strict=True):
        left = unit.sp_start - unit.sp_lost - unit.sp_captured
        assert unit.sp_start == told.sp
        assert min(unit.sp_lost, unit.sp_captured, left) >= 0
        assert unit.sp_lost == losses[unit.id], "every SP lost is an event"
        if unit.fate == "eliminated":
            assert unit.sp_lost == unit.sp_start
        elif unit.fate == "surrendered":
            assert left == 0
            assert unit.sp_captured > 0
        else:
            assert unit.sp_captured == 0
            assert left > 0 or told.sp == 0


@given(battles(), st.integers(0, 2**64 - 1))
@settings(max_examples=EXAMPLES // 4, deadline=None)
def test_a_battle_is_the_same_again_watched_or_not_AWI_T_REC_01(battle: BattleFile, seed: int) -> None:
    watched = fight_battle(battle, seed, record=True)
    assert fight_battle(battle, seed, record=True) == watched
    other, unwatched = fight_many(battle, [seed ^ 1, seed])
    assert unwatched == watched.outcome
    assert other.seed == seed ^ 1


@given(battles(), st.integers(0, 2**64 - 1))
@settings(max_examples=EXAMPLES // 4, deadline=None)
def test_whoever_holds_the_field_has_somebody_to_hold_it_with(battle: BattleFile, seed: int) -> None:
    outcome = fight_battle(battle, seed).outcome
    if outcome.field_held_by:
        sides = {unit.id: unit.side for unit in battle.units}
        assert any(sides[u.id] == outcome.field_held_by and u.fate == "present" for u in outcome.units)
