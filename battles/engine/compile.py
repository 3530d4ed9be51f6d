"""The one place where kernels are compiled.

Every kernel of the engine and of the rulesets is decorated with `jit` from here; `kernel_cache` keeps the
compiled code on disk. With NUMBA_DISABLE_JIT=1 the same functions run as plain Python and give the same
results bit for bit.
"""

from collections.abc import Callable
from typing import Any, cast

import numba

from battles.engine.kernel_cache import STEPS, KernelCache, is_compiled
from battles.engine.linking import EntryCompiler, KernelCompiler, StepCompiler

#: Sums that are alike, as those for the corners of a base, are done side by side: no result changes by it,
#: and a fight takes some hundredths less. Numba leaves it off.
numba.config.SLP_VECTORIZE = 1


def is_interpreted() -> bool:
    """True when kernels run as plain Python (NUMBA_DISABLE_JIT=1)."""
    return bool(numba.config.DISABLE_JIT)


def is_waiting(module: str) -> bool:
    """True when the first fight must compile: no code is kept for the ruleset of a module (dotted path).

    Of one whose code is kept a battle may still be the first beyond the small layout.
    """
    return not is_interpreted() and not is_compiled(module)


#: What kernels and entries have in common: no GIL, bounds checked; never fastmath, which changes results.
COMMON = {"nogil": True, "boundscheck": True, "no_cfunc_wrapper": True}


def jit(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a kernel that only kernels call: no way in from Python, no machine code of its own.

    AWI_ENGINE_STEPS=1 makes every kernel callable and keeps it on disk, for tests of single steps.
    """
    only: dict[str, Any] = {"pipeline_class": StepCompiler}
    if not STEPS:
        only = {"no_cpython_wrapper": True, "pipeline_class": KernelCompiler}
    decorated: Any = numba.njit(**COMMON, **only)(function)
    if is_interpreted():
        return cast(Callable[..., Any], decorated)
    if STEPS:
        decorated._cache = KernelCache(function)
    return cast(Callable[..., Any], _ignore_literal_types(decorated))


def _ignore_literal_types(dispatcher: Any) -> Any:
    """Compile one version of a kernel, whatever constants it is called with.

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
    compiler = StepCompiler if STEPS else EntryCompiler
    decorated: Callable[..., Any] = numba.njit(**COMMON, pipeline_class=compiler)(function)
    if not is_interpreted():
        decorated._cache = KernelCache(function)  # type: ignore[attr-defined]
    return decorated
