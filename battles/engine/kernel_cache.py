"""Compiled kernels on disk: their folder, and how they are found again.

Code is kept under a digest of the sources it is made from: those of the engine and of the kernel's own
ruleset, with numba's version. Numba's own caches notice a change in the kernel's file alone, and name
their folder by its absolute path. Here any change of a source gives another folder, a change of one ruleset
leaves what is compiled of another, and a second checkout or a copy elsewhere finds what is compiled already.
"""

import hashlib
import os
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, Self

import numba
from filelock import FileLock
from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator

BATTLES = Path(__file__).resolve().parent.parent
PROJECT = BATTLES.parent

#: True when Python may call every kernel, not only whole battles: for tests of single steps.
STEPS = os.environ.get("AWI_ENGINE_STEPS") == "1"


def cache_folder() -> Path:
    """Folder of all compiled kernels: `numba/` in AWI_VAR where that is set, else in the user's cache.

    Without a home that can be written in it is `var/numba/` beside the project.
    """
    if chosen := os.environ.get("AWI_VAR"):
        return Path(chosen) / "numba"
    home = Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache")
    with suppress(RuntimeError):  # neither HOME nor an entry in the list of users
        home = home.expanduser()
    folder = home / "awi-campaign" / "engine"
    nearest = next((one for one in (folder, *folder.parents) if one.exists()), None)
    if home.is_absolute() and nearest and os.access(nearest, os.W_OK):
        return folder
    return PROJECT / "var" / "numba"


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


def is_compiled(module: str) -> bool:
    """True when code is kept for the ruleset of a module, given by its dotted path."""
    folder = cache_folder() / sources_digest(ruleset_of(module))
    return next(folder.rglob("*.nbc"), None) is not None


class KernelLocator(_CacheLocator):  # type: ignore[misc]
    """Tells numba where the code of one kernel is kept, and whether what is there is of the same sources."""

    def __init__(self, kernel: Callable[..., Any], file: Path) -> None:
        ours = file.is_relative_to(BATTLES)
        place = file.relative_to(BATTLES).with_suffix("").as_posix() if ours else file.as_posix()
        digest = sources_digest(ruleset_of(kernel.__module__))
        self._folder = cache_folder() / digest / place.strip("/").replace("/", ".")
        self._stamp = digest if ours else hashlib.sha256(file.read_bytes()).hexdigest()
        self._line = kernel.__code__.co_firstlineno

    @classmethod
    def from_function(cls, kernel: Callable[..., Any], file: str) -> Self | None:
        """The locator of a kernel that stands in a file; None where numba was given something else."""
        path = Path(file).resolve()
        return cls(kernel, path) if path.is_file() else None

    def get_cache_path(self) -> str:
        """Folder of the code and its index."""
        return str(self._folder)

    def get_source_stamp(self) -> str:
        """The digest of the sources; an index must give the same to be read."""
        return self._stamp

    def get_disambiguator(self) -> str:
        """The line of a kernel, to tell apart two of one name in a file."""
        return str(self._line)


class _KernelCacheFiles(CompileResultCacheImpl):  # type: ignore[misc]
    _locator_classes = (KernelLocator,)


class KernelCache(FunctionCache):  # type: ignore[misc]
    """Numba's cache of code on disk, for several processes that compile at the same time.

    Left alone, two that save at once may give two layouts of a battle one file. One saves after the other
    here, and what is read is looked at: were it for another layout, it is compiled anew. Where nothing
    can be written, or the disk is full, what is kept is read and nothing is added.
    """

    _impl_class = _KernelCacheFiles

    def save_overload(self, sig: Any, data: Any) -> None:
        folder = Path(self.cache_path)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with FileLock(folder / "lock"):
                super().save_overload(sig, data)
        except OSError:
            return

    def _load_overload(self, sig: Any, target_context: Any) -> Any:
        kept = self._cache_file.load(self._index_key(sig, target_context.codegen()))
        return self._impl.rebuild(target_context, kept) if kept and _args_of(kept) == tuple(sig) else None


def _args_of(kept: tuple[Any, ...]) -> tuple[Any, ...]:
    """Types of the arguments of kept code: its fourth part is the signature."""
    args: tuple[Any, ...] = kept[3].args
    return args
