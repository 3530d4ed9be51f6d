"""The rulesets there are. Numba is loaded only when one of them is asked to fight."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from importlib import import_module
from types import ModuleType
from typing import Any, cast

from battles.engine.batch import Batch
from battles.engine.fighting import FightResult
from battles.errors import BattleFileError, refuse_all
from battles.scenario import BattleFile, BattleOutcome, BattleUnit
from battles.standing import Standing
from battles.terms import SheetTerms
from battles.verification import battle_faults


@dataclass(frozen=True, slots=True)
class Ruleset:
    """One system: dotted paths of the modules that fight (`module`), check options and files, and print.

    `hiding` says from how far off troops in woods are seen.
    """

    id: str
    title: str
    version: str
    module: str
    options: str
    checks: str
    sheets: str
    hiding: str

    def load(self) -> ModuleType:
        """The module, imported on first use."""
        return import_module(self.module)


RULESETS: tuple[Ruleset, ...] = (
    Ruleset(
        "awi",
        "AWI tactical rules",
        "3",
        "battles.rulesets.awi.fighting",
        "battles.rulesets.awi.options",
        "battles.rulesets.awi.variants",
        "battles.rulesets.awi.sheets",
        "battles.rulesets.awi.hiding",
    ),
)


def get(ruleset_id: str) -> Ruleset:
    """The ruleset of that id. Raises BattleFileError for one there is not."""
    for ruleset in RULESETS:
        if ruleset.id == ruleset_id:
            return ruleset
    known = ", ".join(ruleset.id for ruleset in RULESETS)
    raise BattleFileError(
        "AWI-T-SCA-01", f"There is no ruleset “{ruleset_id}”; choose one of {known}.", "ruleset"
    )


def verify(battle: BattleFile) -> None:
    """Raise BattleFileError, with every fault, when the battle or an option cannot be. Needs no numba."""
    ruleset = get(battle.ruleset)
    options, checks = import_module(ruleset.options), import_module(ruleset.checks)
    faults = list(options.options_faults(battle.options))
    if not faults:
        faults = list(checks.traits_faults(battle, options.options_resolve(battle.options)))
    refuse_all([*battle_faults(battle), *faults])


def sheets(ruleset_id: str) -> SheetTerms:
    """How a ruleset speaks of a battle on paper. Needs no numba."""
    return cast(SheetTerms, import_module(get(ruleset_id).sheets))


def seen_in_woods(ruleset_id: str, unit: BattleUnit, wood: str) -> float:
    """Inches from which a unit is seen that stands in open or dense woods. Needs no numba."""
    return float(import_module(get(ruleset_id).hiding).seen_in_woods(unit, wood))


def fight(battle: BattleFile, seed: int, *, record: bool = False) -> FightResult:
    """Fight a battle under its own ruleset; `record` keeps the events."""
    result: FightResult = get(battle.ruleset).load().fight(battle, seed, record=record)
    return result


def standing(battle: BattleFile) -> Standing:
    """How a battle stands drawn up, before the first move."""
    drawn_up: Standing = get(battle.ruleset).load().standing(battle)
    return drawn_up


def fight_many(battle: BattleFile, seeds: Iterable[int]) -> list[BattleOutcome]:
    """Outcomes of one battle for many seeds."""
    outcomes: list[BattleOutcome] = get(battle.ruleset).load().fight_many(battle, seeds)
    return outcomes


def fight_batch(battle: BattleFile, seeds: Sequence[int]) -> Batch:
    """Results of one battle for many seeds as arrays, a row for each seed."""
    batch: Batch = get(battle.ruleset).load().fight_batch(battle, seeds)
    return batch


def ready(battle: BattleFile) -> Any:
    """A battle made ready once: its `batch(seeds)` gives arrays and may be called from several threads."""
    return get(battle.ruleset).load().Fought(battle)


def compile_engine(progress: Callable[[str, int, int], None], *, large: bool = False) -> None:
    """Compile every ruleset's entry points; `progress` is told the name, the number done and all.

    `large` are those for battles beyond the small layout, which are else compiled when one comes.
    """
    points = [point for ruleset in RULESETS for point in ruleset.load().entry_points(large=large)]
    for done, (name, run) in enumerate(points):
        progress(name, done, len(points))
        run()
    progress("ready", len(points), len(points))
