"""What fights by the example's rules (docs/add-a-ruleset.md, step 7). Importing this module loads numba."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from battles.engine import dtypes, system
from battles.engine.dice import draw_words
from battles.engine.fighting import ENGINE_VERSION
from battles.engine.reading import field_holder
from battles.engine.running import Array, DeployedBattle
from battles.files.initial_positions import InitialPositions
from battles.files.schema import BattleFile, BattleOutcome, GeneralOutcome, UnitOutcome
from battles.skirmish import build_skirmish
from battles.strength_conversion import fighting_units
from tests.battles.rulesets.example.play import KINDS, RESULTS, play_many
from tests.battles.rulesets.example.record import SIZE, blank, prepare, standing
from tests.battles.rulesets.example.rules import RULES


class Fought(system.BattleRunner):
    """One battle file made ready once."""

    def __init__(self, battle: BattleFile) -> None:
        super().__init__(battle, choices=(), sizes=(SIZE,))

    def draw_up(self, size: Any) -> DeployedBattle:
        """The battle drawn up in the record; nobody asks what becomes of generals."""
        state = prepare(self.battle, RULES.options_resolve(self.battle.options))
        n = len(fighting_units(self.battle))
        return DeployedBattle(size, state, {"u": n}, blank, play_many, (n, 2), (0,))

    def of_units(self, units: Array) -> tuple[Array, Array, Array]:
        """SP lost, none captured, and where each unit is at the end."""
        lost, left = units[:, :, 0], units[:, :, 1]
        return lost, np.zeros_like(lost), np.where(left > 0, dtypes.ON_TABLE, dtypes.ELIMINATED)

    def of_leaders(self, leaders: Array) -> tuple[Array, Array]:
        """Nothing befalls them."""
        return leaders, leaders

    def list_leader_places(self) -> Sequence[int]:
        """None is in the record."""
        return ()


class System(system.RulesetEngine):
    """The example as the registry asks for it."""

    kinds, results = KINDS, RESULTS

    def ready(self, battle: BattleFile) -> Fought:
        return Fought(battle)

    def outcome(self, battle: BattleFile, seed: int, state: Any, units: Any, leaders: Any) -> BattleOutcome:
        came_of = dict(zip((unit.id for unit in fighting_units(battle)), units.tolist(), strict=True))
        return BattleOutcome(
            field_holder(state, battle),
            int(state["turn"][0]),
            tuple(
                UnitOutcome(unit.id, unit.sp, lost, 0, "present" if left or not unit.sp else "eliminated")
                for unit in battle.units
                for lost, left in (came_of.get(unit.id, (0, 0)),)
            ),
            battle.ruleset,
            ENGINE_VERSION,
            seed,
            tuple(GeneralOutcome(leader.id) for leader in battle.leaders),
        )

    def standing(self, battle: BattleFile) -> InitialPositions:
        return standing(battle)

    def entry_points(self, *, large: bool = False) -> tuple[tuple[str, Callable[[], None]], ...]:
        """One layout holds every battle."""
        battle = build_skirmish("example", 1, 1)

        def fight_it() -> None:
            Fought(battle).ready(SIZE).play(draw_words(1, SIZE.dice)[None, :])

        return (("Example", fight_it),)


SYSTEM = System()
