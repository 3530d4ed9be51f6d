"""The one place where kernels are compiled.

Every kernel of the engine and of the rulesets is decorated with `jit` from here. Compiled code is
kept on disk in a folder named by a digest of the engine's sources and the ruleset's own, because numba's
cache notices neither a change in another module nor one in a global. A change of one ruleset leaves
what is compiled of another, which it does not import. With NUMBA_DISABLE_JIT=1 the
same functions run as plain Python and give the same results bit for bit.
"""

import hashlib
import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, cast

import numba

from battles.engine.linking import EntryCompiler, KernelCache, KernelCompiler, StepCompiler

#: Sums that are alike, as those for the corners of a base, are done side by side: no result changes by it,
#: and a fight takes some hundredths less. Numba leaves it off.
numba.config.SLP_VECTORIZE = 1

BATTLES = Path(__file__).resolve().parent.parent
PROJECT = BATTLES.parent


#: True when Python may call every kernel, not only whole battles: for tests of single steps.
STEPS = os.environ.get("AWI_ENGINE_STEPS") == "1"


def var_folder() -> Path:
    """Folder for files the program makes for itself: AWI_VAR, or `var/` beside the project."""
    return Path(os.environ.get("AWI_VAR") or PROJECT / "var")


@cache
def sources_digest(ruleset: str, battles: Path = BATTLES) -> str:
    """Digest of the sources of the engine and of one ruleset (none: "") with numba's version."""
    digest = hashlib.sha256(f"{numba.__version__} {STEPS}".encode())
    for folder in ("engine", f"rulesets/{ruleset}") if ruleset else ("engine",):
        for path in sorted((battles / folder).rglob("*.py")):
            digest.update(path.relative_to(battles).as_posix().encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def ruleset_of(module: str) -> str:
    """The folder of a kernel's ruleset, by the dotted path of its module; "" for the engine's own."""
    parts = module.split(".")
    return parts[2] if parts[:2] == ["battles", "rulesets"] and len(parts) > 3 else ""


def _keep_with_ruleset(function: Callable[..., Any]) -> None:
    """Choose where a kernel's code is kept; the decorator that follows fixes it."""
    folder = var_folder() / "numba" / sources_digest(ruleset_of(function.__module__))
    numba.config.CACHE_DIR = str(folder)


def interpreted() -> bool:
    """True when kernels run as plain Python (NUMBA_DISABLE_JIT=1)."""
    return bool(numba.config.DISABLE_JIT)


def is_waiting(module: str) -> bool:
    """Whether the first fight must compile: of the ruleset of a module, by its dotted path, no code is kept.

    Of one whose code is kept a battle may still be the first beyond the small layout.
    """
    folder = var_folder() / "numba" / sources_digest(ruleset_of(module))
    return not interpreted() and next(folder.rglob("*.nbc"), None) is None


#: What kernels and entries have in common: no GIL, bounds checked; never fastmath, which changes results.
COMMON = {"nogil": True, "boundscheck": True, "no_cfunc_wrapper": True}


def jit(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a kernel that only kernels call: no way in from Python, no machine code of its own.

    AWI_ENGINE_STEPS=1 makes every kernel callable and keeps it on disk, for tests of single steps.
    """
    _keep_with_ruleset(function)
    only = {"cache": True, "pipeline_class": StepCompiler}
    if not STEPS:
        only = {"no_cpython_wrapper": True, "pipeline_class": KernelCompiler}
    decorated: Any = numba.njit(**COMMON, **only)(function)
    if interpreted():
        return cast(Callable[..., Any], decorated)
    if STEPS:
        decorated._cache = KernelCache(function)
    return cast(Callable[..., Any], _widened(decorated))


def _widened(dispatcher: Any) -> Any:
    """One version of a kernel whatever constants it is called with.

    Left alone, the compiler makes a version for every constant integer: eighty of `note` alone.
    """
    find = dispatcher.get_call_template

    def get_call_template(args: Any, kws: Any) -> Any:
        plain = {name: numba.types.unliteral(value) for name, value in kws.items()}
        return find(tuple(numba.types.unliteral(value) for value in args), plain)

    dispatcher.get_call_template = get_call_template
    return dispatcher


def jit_entry(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a kernel that Python calls, and keep it on disk."""
    _keep_with_ruleset(function)
    compiler = StepCompiler if STEPS else EntryCompiler
    decorated: Callable[..., Any] = numba.njit(**COMMON, cache=True, pipeline_class=compiler)(function)
    if not interpreted():
        decorated._cache = KernelCache(function)  # type: ignore[attr-defined]
    return decorated
