"""Fight battle files under the AWI rules. Importing this module loads numba; the registry does not."""

from collections.abc import Callable, Sequence
from typing import Any

from battles.engine import running, system
from battles.engine.dtypes import LARGE, SMALL, Size, blank
from battles.engine.fighting import ENGINE_VERSION
from battles.engine.running import Array
from battles.files.initial_positions import Standing
from battles.files.schema import BattleFile, BattleOutcome
from battles.odds.plan_choice import plans_set, plans_weigh
from battles.rulesets.awi.deployment import size_for
from battles.rulesets.awi.sequence import play_many
from battles.rulesets.awi.setup import outcome_read, state_write
from battles.rulesets.awi.standings import standing_read
from battles.skirmish import skirmish


def prepare(battle: BattleFile, size: Size) -> Any:
    """A fresh state record with the battle drawn up, without dice."""
    state = blank(size)
    state_write(state, battle)
    state["dice_n"] = size.dice
    return state


class Ready(running.Ready):
    """One battle drawn up in one layout, to be played from any thread."""

    def __init__(self, battle: BattleFile, size: Size) -> None:
        state = prepare(battle, size)
        g = state[0]
        units, generals = int(g.n), int(g.generals_n)
        used = {"u": units, "generals": generals, "structures": int(g.structures_n)}
        super().__init__(size, state, used, blank, play_many, (units, 3), (generals, 2))


class Fought(system.Fought):
    """One battle file made ready once, to be fought with many seeds, from any thread."""

    def __init__(self, battle: BattleFile) -> None:
        choices = plans_weigh(battle)
        battle = plans_set(battle, choices)
        super().__init__(battle, choices, (SMALL, LARGE) if size_for(battle) == SMALL else (LARGE,))

    def draw_up(self, size: Size) -> Ready:
        """The battle drawn up in a layout."""
        return Ready(self.battle, size)

    def of_units(self, units: Array) -> tuple[Array, Array, Array]:
        """SP lost and captured, and the place of each unit that fights, by runs."""
        return units[:, :, 0], units[:, :, 1], units[:, :, 2]

    def of_leaders(self, leaders: Array) -> tuple[Array, Array]:
        """Fate and wounds of each general, by runs."""
        return leaders[:, :, 0], leaders[:, :, 1]

    def named(self) -> Sequence[int]:
        """All generals are the file's, in its order."""
        return range(len(self.battle.leaders))


class System(system.System):
    """The AWI rules as the registry asks for them."""

    def ready(self, battle: BattleFile) -> Fought:
        """A battle made ready once."""
        return Fought(battle)

    def outcome(self, battle: BattleFile, seed: int, state: Any, units: Any, leaders: Any) -> BattleOutcome:
        """What became of a battle."""
        return outcome_read(state, battle, seed, ENGINE_VERSION)

    def standing(self, battle: BattleFile) -> Standing:
        """How a battle stands drawn up, before the first move."""
        return standing_read(prepare(battle, size_for(battle)), battle)

    def entry_points(self, *, large: bool = False) -> tuple[tuple[str, Callable[[], None]], ...]:
        """What is compiled ahead, by name: the layout for up to 96 units, or the large one for more."""
        size = SMALL.units
        if large:
            battle, name = skirmish("awi", size, 5), f"AWI battles of more than {size} units"
        else:
            battle, name = skirmish("awi", 1, 5), f"AWI battles of up to {size} units"

        def fight_it() -> None:
            Fought(battle).run(1, record=False)

        return ((name, fight_it),)


SYSTEM = System()
#: A ruleset may be asked by its module as well.
ready, fight, standing = SYSTEM.ready, SYSTEM.fight, SYSTEM.standing
fight_many, fight_batch, entry_points = SYSTEM.fight_many, SYSTEM.fight_batch, SYSTEM.entry_points
