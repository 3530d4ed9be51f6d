"""Kernels are linked, once, into the entry above them; single steps and interpreted runs do the same."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]
#: Three levels, one kernel called from two of them, and an index that can lie outside.
KERNELS = """
import sys
import numpy as np
from battles.engine.compile import jit, jit_entry

@jit
def picked(values, index):
    return values[index] * 0.1

@jit
def looked_at(values, index):
    total = values[index] * values[index - 1] * values[index - 2] * values[index - 3] - values[index - 4]
    total += values[2 * index] * values[3 * index] * values[4 * index] / values[5 * index]
    return total - values[6 * index] * values[7 * index] * values[8 * index] * picked(values, 9 * index)

@jit_entry
def looked(values):
    return looked_at(values, 0) + looked_at(values, 1) + looked_at(values, 2) + looked_at(values, 3)

@jit
def summed(values, count):
    total = 0.0
    for index in range(count):
        total += picked(values, index) / 3.0
    return total

@jit_entry
def entered(values, count):
    return summed(values, count) + picked(values, 1)

@jit
def second(g):
    return g.second

@jit_entry
def read(records):
    return second(records[0])

def record_read(size):
    record = np.zeros(1, dtype=np.dtype([("first", np.int64, (size,)), ("second", np.int64)]))
    record["second"] = size
    return int(read(record))

def left():
    looked(np.ones(32))
    (made,) = looked.overloads.values()
    functions = made.library._final_module.functions
    return [f"{one.name} {one.linkage.name}" for one in functions if "__main__" in one.name]

def values_read():
    values = np.array([1.7, 2.3, 3.1])
    print(repr(float(entered(values, 3))))
    try:
        entered(values, 4)
    except IndexError:
        print("outside")
    if "step" in sys.argv:
        print(repr(float(summed(values, 3))))

if __name__ == "__main__":
    sizes = [int(word) for word in sys.argv[1:] if word.isdigit()]
    for size in sizes:
        print(record_read(size))
    if "left" in sys.argv:
        print("\\n".join(left()))
    elif not sizes:
        values_read()
"""


def played(folder: Path, *words: str, **environment: str) -> list[str]:
    """What the kernels print, run in a process of their own with its cache in that folder."""
    module = folder / "kernels.py"
    if not module.exists():
        module.write_text(KERNELS)
    done = subprocess.run(
        [sys.executable, str(module), *words], cwd=PROJECT, check=True, capture_output=True, text=True,
        env={**os.environ, "PYTHONPATH": str(PROJECT), "AWI_VAR": str(folder), **environment},
    )  # fmt: skip
    return done.stdout.splitlines()


def kept(folder: Path) -> list[str]:
    """Names of the kernels whose machine code is on disk."""
    return sorted(path.name.partition("-")[0] for path in folder.rglob("*.nbc"))


@pytest.fixture(scope="module")
def interpreted_lines(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    return played(tmp_path_factory.mktemp("interpreted"), "step", NUMBA_DISABLE_JIT="1")


def test_an_entry_runs_with_all_below_it_and_alone_is_kept(tmp_path, interpreted_lines):
    compiled = {"NUMBA_DISABLE_JIT": "0", "AWI_ENGINE_STEPS": "0"}
    assert played(tmp_path, **compiled) == interpreted_lines[:2]
    assert kept(tmp_path) == ["kernels.entered"]
    assert played(tmp_path, **compiled) == interpreted_lines[:2]  # from the disk


def test_small_kernels_are_written_into_their_callers_and_nobody_else_calls_the_others(tmp_path):
    left = played(tmp_path, "left", NUMBA_DISABLE_JIT="0", AWI_ENGINE_STEPS="0")
    linkages = [line.split()[1] for line in left if "looked_at" in line]
    assert linkages and set(linkages) == {"internal"}
    assert not any("picked" in line for line in left)


def test_two_layouts_made_by_two_processes_are_never_taken_for_each_other(tmp_path):
    compiled = {"NUMBA_DISABLE_JIT": "0", "AWI_ENGINE_STEPS": "0"}
    for size in ("3", "7"):
        assert played(tmp_path, size, **compiled) == [size]
    one, other = (
        set(re.findall(rb"_ZN\w*?8__main__\w+", path.read_bytes())) for path in tmp_path.rglob("*.nbc")
    )
    assert one
    assert not one & other
    assert played(tmp_path, "3", "7", **compiled) == ["3", "7"]


def test_code_kept_under_the_name_of_another_layout_is_not_run(tmp_path):
    # two processes that save at once may number their files alike
    compiled = {"NUMBA_DISABLE_JIT": "0", "AWI_ENGINE_STEPS": "0"}
    assert played(tmp_path, "3", "7", **compiled) == ["3", "7"]
    one, other = tmp_path.rglob("*.nbc")
    texts = one.read_bytes(), other.read_bytes()
    other.write_bytes(texts[0])
    one.write_bytes(texts[1])
    assert played(tmp_path, "3", "7", **compiled) == ["3", "7"]
    mended = one.read_bytes(), other.read_bytes()
    assert played(tmp_path, "3", "7", **compiled) == ["3", "7"]
    assert (one.read_bytes(), other.read_bytes()) == mended, "from the disk again"


def test_single_steps_give_the_same(tmp_path, interpreted_lines):
    assert interpreted_lines[1] == "outside"
    assert played(tmp_path, "step", NUMBA_DISABLE_JIT="0", AWI_ENGINE_STEPS="1") == interpreted_lines
    assert "kernels.summed" in kept(tmp_path)
