"""Machine code made once for a whole battle, not once for each level of calls.

Left alone, numba links into every kernel all kernels below it, and optimises and emits that whole again
at each level: of 79 MB of machine code two were ever called. Here a kernel that only kernels call stays
as it was lowered, and the entry that Python calls links all kernels below it, each once, and is optimised
and emitted as one whole. That takes less than two fifths of the time and gives code as fast.

Compilers are chosen by `pipeline_class`, numba's own way in; what a library does when it is finished is
numba's internal matter, so a new version of numba is to be tried with tests/battles/test_linking.py.
"""

import ctypes
from hashlib import sha256
from itertools import islice
from typing import Any

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler

#: Numba writes the address of each function's environment where its module says. Only code that raises
#: exceptions made at run time, or handles Python objects, reads it; kernels do neither.
_UNREAD = ctypes.c_void_p()
_ENVIRONMENT = "_ZN08NumbaEnv"
#: Instructions, before any are optimised away, up to which a kernel is written into its callers. Measured:
#: more makes compiling longer and fights no quicker.
SMALL = 150


class KernelLibrary(JITCodeLibrary):  # type: ignore[misc]
    """The code of a kernel that only kernels call: neither linked, optimised nor emitted by itself."""

    def finalize(self) -> None:
        """Close the library; the one thing it must know of an emitted one is its environment's place."""
        for variable in self._final_module.global_variables:
            if variable.name.startswith(_ENVIRONMENT):
                self._codegen._engine.add_global_mapping(variable, ctypes.addressof(_UNREAD))
        self._finalized = True


class EntryLibrary(JITCodeLibrary):  # type: ignore[misc]
    """The code of a kernel that Python calls, with that of every kernel below it."""

    _linking_libraries: list[Any]
    _below: frozenset[str]

    def finalize(self) -> None:
        """Link what the kernels below left unlinked, then optimise and emit the whole."""
        linked = dict.fromkeys(self._linking_libraries)
        waiting = list(linked)
        while waiting:
            library = waiting.pop()
            if isinstance(library, KernelLibrary):
                below = [new for new in dict.fromkeys(library._linking_libraries) if new not in linked]
                linked.update(dict.fromkeys(below))
                waiting.extend(below)
        self._linking_libraries = list(linked)
        self._below = frozenset(
            function.name
            for library in linked
            if isinstance(library, KernelLibrary)
            for function in library._final_module.functions
            if not function.is_declaration
        )
        super().finalize()

    def _optimize_final_module(self) -> None:
        """Tell the optimiser that nobody else calls the kernels below, then optimise the whole.

        Small kernels are written into their callers. Left alone it seldom does so, because it counts what
        each would raise, bounds and all, as if that were ever run: calls then cost a quarter of a fight.
        """
        for function in self._final_module.functions:
            if function.is_declaration or function.linkage.name != "linkonce_odr":
                continue
            function.linkage = "internal"
            if function.name in self._below and _is_small(function):
                function.add_function_attribute("alwaysinline")
        super()._optimize_final_module()


def _is_small(function: Any) -> bool:
    """True for a kernel of at most SMALL instructions."""
    instructions = (one for block in function.blocks for one in block.instructions)
    return next(islice(instructions, SMALL, None), None) is None


class KernelCompiler(Compiler):  # type: ignore[misc]
    """Numba's compiler, writing into a KernelLibrary."""

    library = KernelLibrary

    def define_pipelines(self) -> Any:
        """Choose the library, and name the code by the types it is for; then as numba does.

        Numba numbers code and record types by their order in one process, so code kept on disk by two
        processes for two layouts of a battle could have one name, and the wrong one would run.
        """
        state = self.state
        state.func_id.unique_id = sha256(str(state.args).encode()).hexdigest()[:16]
        state.library = self.library(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        return super().define_pipelines()


class EntryCompiler(KernelCompiler):
    """Numba's compiler, writing into an EntryLibrary."""

    library = EntryLibrary


class StepCompiler(KernelCompiler):
    """Numba's compiler, writing into a library of numba's: each kernel whole, to be called by itself."""

    library = JITCodeLibrary
