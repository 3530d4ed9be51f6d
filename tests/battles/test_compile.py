"""Where compiled kernels are kept: by the sources they are made of and no others."""

import errno
import os
import pwd
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from numba.core.caching import FunctionCache

from battles.engine import compile
from battles.engine.compile import is_waiting
from battles.engine.kernel_cache import (
    BATTLES,
    PROJECT,
    KernelCache,
    cache_folder,
    ruleset_of,
    sources_digest,
)


def sources(root: Path, **changed: str) -> Path:
    """A tree of an engine and two rulesets, some of whose sources say something else."""
    for name in ("engine/dice.py", "rulesets/awi/fire.py", "rulesets/volley_bayonet/combat.py"):
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(changed.get(path.stem, "pass"))
    return root


def test_a_ruleset_is_compiled_anew_for_itself_and_the_engine_alone(tmp_path: Path) -> None:
    before = sources(tmp_path / "before")
    for changed, awi, other in (("fire", False, True), ("combat", True, False), ("dice", False, False)):
        after = sources(tmp_path / changed, **{changed: "changed"})
        assert (sources_digest("awi", before) == sources_digest("awi", after)) is awi
        same = sources_digest("volley_bayonet", before) == sources_digest("volley_bayonet", after)
        assert same is other
        assert (sources_digest("", before) == sources_digest("", after)) is (changed != "dice")


def test_a_kernel_is_kept_with_its_ruleset() -> None:
    assert ruleset_of("battles.rulesets.awi.sequence") == "awi"
    assert ruleset_of("battles.rulesets.volley_bayonet.combat") == "volley_bayonet"
    assert ruleset_of("battles.engine.dice") == ruleset_of("battles.rulesets.registry") == ""


def test_rules_wait_for_the_compiler_until_code_of_theirs_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWI_VAR", str(tmp_path))
    monkeypatch.setattr(compile, "is_interpreted", lambda: False)
    module = "battles.rulesets.volley_bayonet.rtg.fighting:SYSTEM"
    assert is_waiting(module) and is_waiting("battles.rulesets.awi.fighting")
    kept = tmp_path / "numba" / sources_digest("volley_bayonet") / "volley_bayonet_1"
    kept.mkdir(parents=True)
    assert is_waiting(module), "a folder is no code"
    (kept / "playing.play-1.py311.1.nbc").write_bytes(b"code")
    assert not is_waiting(module) and is_waiting("battles.rulesets.awi.fighting")
    monkeypatch.setattr(compile, "is_interpreted", lambda: True)
    assert not is_waiting("battles.rulesets.awi.fighting"), "as plain Python nothing is compiled"


def test_a_copy_of_the_project_elsewhere_finds_what_is_compiled(tmp_path: Path) -> None:
    """Numba names its folder by the absolute path of the sources: a second checkout compiled all anew."""
    asked = (
        "from battles.engine.geometry import turn_between as kernel;"
        "result, stats = kernel(0.5, 0.25), kernel.stats;"
        "print(result, sum(stats.cache_hits.values()), sum(stats.cache_misses.values()))"
    )
    found = []
    for name in ("first", "second"):
        copy = tmp_path / name
        shutil.copytree(BATTLES, copy / "battles", ignore=shutil.ignore_patterns("__pycache__"))
        environment = {**os.environ, "AWI_VAR": str(tmp_path / "var"), "AWI_ENGINE_STEPS": "1"}
        environment |= {"NUMBA_DISABLE_JIT": "0", "PYTHONPATH": str(copy)}
        ran = subprocess.run(
            [sys.executable, "-c", asked],
            cwd=copy,
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        found.append(ran.stdout.split())
    assert found[0][1:] == ["0", "1"] and found[1][1:] == ["1", "0"] and found[0][0] == found[1][0]


def test_kernels_are_kept_in_the_chosen_folder_or_the_users_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWI_VAR", str(tmp_path / "var"))
    assert cache_folder() == tmp_path / "var" / "numba"
    monkeypatch.delenv("AWI_VAR")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert cache_folder() == tmp_path / "cache" / "awi-campaign" / "engine"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path / "nobody"))
    assert cache_folder() == tmp_path / "nobody" / ".cache" / "awi-campaign" / "engine"
    monkeypatch.setenv("HOME", "no absolute path")
    assert cache_folder() == PROJECT / "var" / "numba"


def test_without_a_home_or_an_entry_for_the_user_kernels_are_kept_beside_the_project(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("AWI_VAR", "XDG_CACHE_HOME", "HOME"):
        monkeypatch.delenv(name, raising=False)

    def getpwuid(uid: int) -> None:
        raise KeyError(f"getpwuid(): uid not found: {uid}")

    monkeypatch.setattr(pwd, "getpwuid", getpwuid)
    assert cache_folder() == PROJECT / "var" / "numba"


@pytest.mark.parametrize("why", [errno.ENOSPC, errno.EROFS, errno.EACCES, errno.EDQUOT])
def test_where_nothing_can_be_kept_the_engine_goes_on_without(
    why: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWI_VAR", str(tmp_path))
    kept = KernelCache(cache_folder)
    tried = []

    def full(self: Any, sig: Any, data: Any) -> None:
        tried.append(sig)
        raise OSError(why, os.strerror(why))

    monkeypatch.setattr(FunctionCache, "save_overload", full)
    kept.save_overload("signature", None)
    assert tried == ["signature"]


def test_where_no_folder_can_be_made_the_engine_goes_on_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "numba").write_text("a file where the folder would be")
    monkeypatch.setenv("AWI_VAR", str(tmp_path))
    KernelCache(cache_folder).save_overload("signature", None)
    assert (tmp_path / "numba").is_file()
