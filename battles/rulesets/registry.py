"""The rulesets there are: our own, and those of other installed packages.

Numba is loaded only when one of them is asked to fight.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from pkgutil import resolve_name
from typing import Any, cast

from battles.engine.batch import Batch
from battles.engine.fighting import FightResult
from battles.errors import BattleFileError, RulesetPackageError, refuse_all
from battles.files.checks import battle_faults
from battles.files.initial_positions import InitialPositions
from battles.files.schema import BattleFile, BattleOutcome
from battles.files.suggestions import suggest_names
from battles.rulesets.rules import RulesetRules

ROOT = Path(__file__).parents[2]
#: Entry points of packages by which their rulesets are found; each names a `Ruleset`.
GROUP = "awi_campaign.rulesets"


@dataclass(frozen=True, slots=True)
class Ruleset:
    """One system: where its `rules` are, which need no numba, and what fights by them.

    Both are named as `package.module:NAME`, or a module alone. `about` says to who chooses between systems
    what a unit is on the table, how long a turn is, and what the system is best for. `posts` names
    what draws a battle up without numba, to find ground closed to troops and tables
    without room; "" where that is found in the fight.
    """

    id: str
    title: str
    version: str
    rules: str
    fighting: str
    about: str = ""
    posts: str = ""

    def load(self) -> Any:
        """The ruleset's engine, imported on first use."""
        return resolve_name(self.fighting)

    @property
    def catalogue(self) -> Path:
        """The file of all its rules, beside the module of `rules`."""
        spec = find_spec(self.rules.partition(":")[0])
        assert spec is not None and spec.origin is not None, self.rules
        return Path(spec.origin).with_name("catalogue.yaml")


OWN_RULESETS: tuple[Ruleset, ...] = (
    Ruleset(
        "awi",
        "AWI tactical rules",
        "4",
        "battles.rulesets.awi.rules:RULES",
        "battles.rulesets.awi.fighting",
        "A unit stands on two bases and has up to six strength points; a turn is ten minutes, and every "
        "shot, test and charge is diced unit by unit. Best for an evening with up to some twenty units a "
        "side.",
        posts="battles.rulesets.awi.setup:posts_verify",
    ),
    Ruleset(
        "vb_wing",
        "Volley & Bayonet in the Americas, wing scale",
        "4",
        "battles.rulesets.volley_bayonet.wing.rules:RULES",
        "battles.rulesets.volley_bayonet.wing.fighting:SYSTEM",
        "A unit is one stand or several, each half a battalion with up to three strength points, under a "
        "brigade that tires and may collapse; a turn is a quarter of an hour. Best for battles of several "
        "brigades a side, with fog of war cards if you like.",
        posts="battles.rulesets.volley_bayonet.wing.setup:posts_verify",
    ),
    Ruleset(
        "vb_division",
        "Volley & Bayonet in the Americas, division level",
        "4",
        "battles.rulesets.volley_bayonet.division.rules:RULES",
        "battles.rulesets.volley_bayonet.division.fighting:SYSTEM",
        "Stands, brigades and a turn of a quarter of an hour as at wing scale, with fewer exceptions, and "
        "with fog of war cards. Best for large battles that are to be over in an evening.",
        posts="battles.rulesets.volley_bayonet.division.setup:posts_verify",
    ),
    Ruleset(
        "vb_rtg",
        "Volley & Bayonet: Road to Glory",
        "3",
        "battles.rulesets.volley_bayonet.rtg.rules:RULES",
        "battles.rulesets.volley_bayonet.rtg.fighting:SYSTEM",
        "Units are pooled into brigades of 500 men a strength point, under divisions that tire and may "
        "collapse; a turn is an hour. Best for whole armies on a large table.",
        posts="battles.rulesets.volley_bayonet.rtg.setup:posts_verify",
    ),
    Ruleset(
        "regimental",
        "Regimental charts",
        "3",
        "battles.rulesets.regimental.rules:RULES",
        "battles.rulesets.regimental.fighting:SYSTEM",
        "A unit is a block of stands of forty men and two guns, and changes its front with its formation; "
        "what it may do it dices for, and fire wears it down point by point; a turn is ten minutes. Best "
        "for small actions in which each regiment counts.",
        posts="battles.rulesets.regimental.setup:posts_verify",
    ),
)


def find_package_rulesets(
    points: Iterable[EntryPoint], taken: Iterable[Ruleset] = OWN_RULESETS
) -> tuple[Ruleset, ...]:
    """The rulesets that installed packages bring, by id.

    Raises RulesetPackageError for one that cannot be used: a site must not lose the rules of its battles
    without a word.
    """
    found: list[Ruleset] = []
    ids = {ruleset.id for ruleset in taken}
    for point in sorted(points, key=lambda each: each.name):
        ruleset = _load_package_ruleset(point)
        if ruleset.id in ids:
            raise RulesetPackageError(point, f"its id “{ruleset.id}” is taken; it needs one of its own")
        ids.add(ruleset.id)
        found.append(ruleset)
    return tuple(found)


def _load_package_ruleset(point: EntryPoint) -> Ruleset:
    try:
        ruleset = point.load()
    except Exception as error:
        raise RulesetPackageError(point, f"{point.value} cannot be imported ({error})") from error
    if not isinstance(ruleset, Ruleset):
        raise RulesetPackageError(point, f"{point.value} is no Ruleset of battles.rulesets.registry")
    if not re.fullmatch(r"[a-z][a-z0-9_]{1,29}", ruleset.id):
        raise RulesetPackageError(point, f"its id “{ruleset.id}” may have small letters, digits and _ only")
    missing = [name for name in ("title", "version", "about") if not getattr(ruleset, name)]
    if missing:
        raise RulesetPackageError(
            point, f"its {' and '.join(missing)} {'is' if len(missing) == 1 else 'are'} empty"
        )
    try:
        rules = resolve_name(ruleset.rules)
    except Exception as error:
        raise RulesetPackageError(point, f"{ruleset.rules} cannot be imported ({error})") from error
    if not isinstance(rules, RulesetRules):
        raise RulesetPackageError(point, f"{ruleset.rules} is no RulesetRules of battles.rulesets.rules")
    for name in filter(None, (ruleset.fighting, ruleset.posts)):
        if not _is_module(name.partition(":")[0]):  # imported later: it brings the compiler
            raise RulesetPackageError(point, f"{name} cannot be found")
    if not ruleset.catalogue.is_file():
        raise RulesetPackageError(point, f"{ruleset.catalogue.name} is missing beside its rules")
    return ruleset


def _is_module(name: str) -> bool:
    """True if a module can be found; its package is imported for that."""
    try:
        return find_spec(name) is not None
    except ImportError:
        return False


RULESETS = (*OWN_RULESETS, *find_package_rulesets(entry_points(group=GROUP)))


def get_ruleset(ruleset_id: str) -> Ruleset:
    """The ruleset of that id. Raises BattleFileError for an unknown one."""
    for ruleset in RULESETS:
        if ruleset.id == ruleset_id:
            return ruleset
    known = [ruleset.id for ruleset in RULESETS]
    raise BattleFileError(
        "AWI-T-SCA-01", f"There is no ruleset “{ruleset_id}”; {suggest_names(ruleset_id, known)}.", "ruleset"
    )


def get_rules(ruleset_id: str) -> RulesetRules:
    """The rules of a ruleset that need no numba. Raises BattleFileError for an unknown ruleset."""
    return cast(RulesetRules, resolve_name(get_ruleset(ruleset_id).rules))


def verify_battle(battle: BattleFile) -> None:
    """Raise BattleFileError, with every fault, when the battle or an option cannot be."""
    system = get_rules(battle.ruleset)
    faults = list(system.options_faults(battle.options))
    if not faults:
        faults = list(system.traits_faults(battle, system.options_resolve(battle.options)))
    refuse_all(chain(battle_faults(battle), faults))


def posts_verify(battle: BattleFile) -> None:
    """Raise BattleFileError when troops cannot be drawn up, as the fight itself would."""
    if name := get_ruleset(battle.ruleset).posts:
        resolve_name(name)(battle)


def fight_battle(battle: BattleFile, seed: int, *, record: bool = False) -> FightResult:
    """Fight a battle under its own ruleset; `record` keeps the events."""
    result: FightResult = get_ruleset(battle.ruleset).load().fight(battle, seed, record=record)
    return result


def get_initial_positions(battle: BattleFile) -> InitialPositions:
    """The positions of all units and leaders of a battle before the first move."""
    drawn_up: InitialPositions = get_ruleset(battle.ruleset).load().standing(battle)
    return drawn_up


def fight_many(battle: BattleFile, seeds: Iterable[int]) -> list[BattleOutcome]:
    """Outcomes of one battle for many seeds."""
    outcomes: list[BattleOutcome] = get_ruleset(battle.ruleset).load().fight_many(battle, seeds)
    return outcomes


def fight_batch(battle: BattleFile, seeds: Sequence[int]) -> Batch:
    """Results of one battle for many seeds as arrays, a row for each seed."""
    batch: Batch = get_ruleset(battle.ruleset).load().fight_batch(battle, seeds)
    return batch


def make_runner(battle: BattleFile) -> Any:
    """A runner of a battle: its `batch(seeds)` gives arrays and may be called from several threads."""
    return get_ruleset(battle.ruleset).load().ready(battle)


def is_waiting(battle: BattleFile) -> bool:
    """True when a battle's first fight must compile, which takes long: no code is kept for its layout.

    Raises BattleFileError or EngineError when the battle cannot be drawn up under its ruleset.
    """
    waiting: bool = resolve_name("battles.rulesets.compilation:is_waiting")(battle)
    return waiting


def compile_engine(progress: Callable[[str, int, int], None], *, large: bool = False, only: str = "") -> None:
    """Compile the entry points of every ruleset, or of one; `progress` is told the name, number done and all.

    `large` are those for battles beyond the small layout. What is not compiled here is when one comes.
    Raises BattleFileError for a ruleset there is not.
    """
    wanted = (get_ruleset(only),) if only else RULESETS
    points = [point for ruleset in wanted for point in ruleset.load().entry_points(large=large)]
    for done, (name, run) in enumerate(points):
        progress(name, done, len(points))
        run()
    progress("ready", len(points), len(points))
