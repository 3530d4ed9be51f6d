"""The one place where kernels are compiled.

Every kernel of the engine and of the rulesets is decorated with `jit` from here. Compiled code is
kept on disk in a folder named by a digest of all engine and ruleset sources, because numba's own
cache notices neither a change in another module nor one in a global. With NUMBA_DISABLE_JIT=1 the
same functions run as plain Python and give the same results bit for bit.
"""

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba

BATTLES = Path(__file__).resolve().parent.parent
PROJECT = BATTLES.parent


#: True when Python may call every kernel, not only whole battles: for tests of single steps.
STEPS = os.environ.get("AWI_ENGINE_STEPS") == "1"


def var_folder() -> Path:
    """Folder for files the program makes for itself: AWI_VAR, or `var/` beside the project."""
    return Path(os.environ.get("AWI_VAR") or PROJECT / "var")


def sources_digest() -> str:
    """Digest of all engine and ruleset sources with numba's version; names the cache folder."""
    digest = hashlib.sha256(f"{numba.__version__} {STEPS}".encode())
    for folder in ("engine", "rulesets"):
        for path in sorted((BATTLES / folder).rglob("*.py")):
            digest.update(path.relative_to(BATTLES).as_posix().encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def interpreted() -> bool:
    """True when kernels run as plain Python (NUMBA_DISABLE_JIT=1)."""
    return bool(numba.config.DISABLE_JIT)


# Set before anything is decorated: the decorator fixes each function's cache place.
numba.config.CACHE_DIR = str(var_folder() / "numba" / sources_digest())


def jit(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a kernel: no GIL, bounds checked, cached; never fastmath, which changes results.

    Kernels that only kernels call need no entry from Python, and leaving it out saves a fifth of the
    time to compile. AWI_ENGINE_STEPS=1 gives every kernel one, for tests of single steps.
    """
    decorated: Callable[..., Any] = numba.njit(
        nogil=True, boundscheck=True, cache=True, no_cpython_wrapper=not STEPS, no_cfunc_wrapper=True
    )(function)
    return decorated if interpreted() else _widened(decorated)


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
    """Compile a kernel that Python calls."""
    decorated: Callable[..., Any] = numba.njit(nogil=True, boundscheck=True, cache=True)(function)
    return decorated
