"""Whether a fight must compile first is asked of the layout that holds its battle."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numba
import pytest
from numba.core.registry import cpu_target

from battles.engine.dtypes import LARGE, SMALL
from battles.engine.kernel_cache import KernelCache
from battles.files.schema import BattleFile, BattlePlan
from battles.rulesets import compilation, registry
from battles.rulesets.awi import fighting
from battles.skirmish import build_skirmish

LITTLE, BIG = build_skirmish("awi", 1, 1), build_skirmish("awi", SMALL.units, 1)


class Kernel:
    """A kernel of which code is kept on disk for some layouts, by its own cache."""

    targetctx = cpu_target.target_context

    def __init__(self, *sizes: Any, machine: Any = None) -> None:
        self._cache = KernelCache(fighting.prepare_state)
        made_for = machine or self.targetctx.codegen().magic_tuple()
        kept = {((numba.typeof(fighting.make_blank_state(size)),), made_for, ("",)): "code" for size in sizes}
        Path(self._cache.cache_path).mkdir(parents=True)
        self._cache._cache_file._save_index(kept)


@pytest.fixture(autouse=True)
def as_if_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Kernels are compiled, and some code of the ruleset is kept."""
    monkeypatch.setenv("AWI_VAR", str(tmp_path))
    monkeypatch.setattr(compilation, "is_interpreted", lambda: False)
    monkeypatch.setattr(compilation, "is_ruleset_waiting", lambda module: False)


@pytest.mark.parametrize(
    ("kept", "battle", "waits"),
    [
        ((), LITTLE, True),
        ((SMALL,), LITTLE, False),
        ((SMALL,), BIG, True),
        ((LARGE,), LITTLE, True),
        ((LARGE,), BIG, False),
        ((SMALL, LARGE), BIG, False),
    ],
)
def test_a_battle_waits_until_code_for_its_own_layout_is_kept(
    kept: tuple[Any, ...], battle: BattleFile, waits: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fighting, "play_many", Kernel(*kept))
    assert registry.is_waiting(battle) is waits


def test_code_for_another_processor_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fighting, "play_many", Kernel(SMALL, machine=("another",)))
    assert registry.is_waiting(LITTLE)


def test_to_ask_makes_no_commander_fight_the_battle_in_his_head(monkeypatch: pytest.MonkeyPatch) -> None:
    thinks = replace(LITTLE, plans={"crown": BattlePlan("assault", lookahead=True)})
    monkeypatch.setattr(fighting, "play_many", Kernel(SMALL))  # which cannot be called
    assert not registry.is_waiting(thinks)


def test_nothing_waits_as_plain_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compilation, "is_interpreted", lambda: True)
    assert not registry.is_waiting(BIG)


def test_a_ruleset_of_which_nothing_is_kept_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compilation, "is_ruleset_waiting", lambda module: module.endswith("awi.fighting"))
    assert registry.is_waiting(BIG)
