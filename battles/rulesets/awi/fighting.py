"""Fight battle files under the AWI rules. Importing this module loads numba; the registry does not."""

from collections.abc import Callable, Sequence
from typing import Any

from battles.engine import running, system
from battles.engine.dtypes import LARGE, SMALL, AwiRecordSize, make_blank_state
from battles.engine.fighting import ENGINE_VERSION
from battles.engine.running import Array
from battles.files.initial_positions import InitialPositions
from battles.files.schema import BattleFile, BattleOutcome
from battles.odds.plan_choice import apply_plan_choices, plans_weigh
from battles.rulesets.awi.deployment import size_for
from battles.rulesets.awi.positions import find_initial_positions
from battles.rulesets.awi.sequence import play_many
from battles.rulesets.awi.setup import build_outcome, state_write
from battles.skirmish import build_skirmish


def prepare_state(battle: BattleFile, size: AwiRecordSize) -> Any:
    """A fresh state record with the battle drawn up, without dice."""
    state = make_blank_state(size)
    state_write(state, battle)
    state["dice_n"] = size.dice
    return state


class AwiDeployedBattle(running.DeployedBattle):
    """One battle drawn up in one layout, to be played from any thread."""

    def __init__(self, battle: BattleFile, size: AwiRecordSize) -> None:
        state = prepare_state(battle, size)
        g = state[0]
        units, generals = int(g.n), int(g.generals_n)
        used = {"u": units, "generals": generals, "structures": int(g.structures_n)}
        super().__init__(size, state, used, make_blank_state, play_many, (units, 3), (generals, 2))


class AwiBattleRunner(system.BattleRunner):
    """One battle file made ready once, to be fought with many seeds, from any thread."""

    def __init__(self, battle: BattleFile) -> None:
        choices = plans_weigh(battle)
        battle = apply_plan_choices(battle, choices)
        super().__init__(battle, choices, (SMALL, LARGE) if size_for(battle) == SMALL else (LARGE,))

    def draw_up(self, size: AwiRecordSize) -> AwiDeployedBattle:
        """The battle drawn up in a layout."""
        return AwiDeployedBattle(self.battle, size)

    def of_units(self, units: Array) -> tuple[Array, Array, Array]:
        """SP lost and captured, and the place of each unit that fights, by runs."""
        return units[:, :, 0], units[:, :, 1], units[:, :, 2]

    def of_leaders(self, leaders: Array) -> tuple[Array, Array]:
        """Fate and wounds of each general, by runs."""
        return leaders[:, :, 0], leaders[:, :, 1]

    def list_leader_places(self) -> Sequence[int]:
        """All generals are the file's, in its order."""
        return range(len(self.battle.leaders))


class AwiEngine(system.RulesetEngine):
    """The AWI engine as the registry calls it."""

    def ready(self, battle: BattleFile) -> AwiBattleRunner:
        """A runner of a battle (`BattleRunner`)."""
        return AwiBattleRunner(battle)

    def outcome(self, battle: BattleFile, seed: int, state: Any, units: Any, leaders: Any) -> BattleOutcome:
        """The outcome of a battle."""
        return build_outcome(state, battle, seed, ENGINE_VERSION)

    def standing(self, battle: BattleFile) -> InitialPositions:
        """The positions of all units and leaders before the first move."""
        return find_initial_positions(prepare_state(battle, size_for(battle)), battle)

    def entry_points(self, *, large: bool = False) -> tuple[tuple[str, Callable[[], None]], ...]:
        """The kernels compiled ahead, by name: the layout for up to 96 units, or the large one for more."""
        size = SMALL.units
        if large:
            battle, name = build_skirmish("awi", size, 5), f"AWI battles of more than {size} units"
        else:
            battle, name = build_skirmish("awi", 1, 5), f"AWI battles of up to {size} units"

        def fight_it() -> None:
            AwiBattleRunner(battle).run(1, record=False)

        return ((name, fight_it),)


SYSTEM = AwiEngine()
#: A ruleset may be asked by its module as well.
ready, fight, standing = SYSTEM.ready, SYSTEM.fight, SYSTEM.standing
fight_many, fight_batch, entry_points = SYSTEM.fight_many, SYSTEM.fight_batch, SYSTEM.entry_points
