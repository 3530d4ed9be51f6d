"""Check whether a battle's fight must compile first, by the layout that holds it. Loads numba."""

from dataclasses import replace
from typing import Any

import numba

from battles.engine.compile import is_interpreted
from battles.engine.compile import is_waiting as is_ruleset_waiting
from battles.files.schema import BattleFile
from battles.rulesets import registry


def is_waiting(battle: BattleFile) -> bool:
    """True when no code is kept for the smallest layout that holds a battle under its ruleset.

    Raises BattleFileError or EngineError when the battle cannot be drawn up.
    """
    ruleset = registry.get_ruleset(battle.ruleset)
    if is_interpreted():
        return False
    if is_ruleset_waiting(ruleset.fighting):
        return True
    # a commander who looks ahead would fight the battle in his head here, and that compiles
    plans = {side: replace(plan, lookahead=False) for side, plan in battle.plans.items()}
    fought = registry.make_runner(replace(battle, plans=plans))
    ready = fought.ready(fought.sizes[0])
    return not is_kept(ready.play_many, ready.state)


def is_kept(kernel: Any, state: Any) -> bool:
    """True when code of a kernel is kept for records like `state`, its first argument, on this processor."""
    wanted = numba.typeof(state)
    machine = kernel.targetctx.codegen().magic_tuple()
    kept = kernel._cache._cache_file._load_index()
    return any(args[0] == wanted and made_for == machine for args, made_for, *_ in kept)
