"""Which versions of Python run the campaign, and how the Makefile finds one (tools/find-python)."""

import ast
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
HOUSE = ROOT / "tools" / "house.py"


def folder_of_commands(folder: Path, **scripts: str) -> Path:
    """A folder with the given shell scripts as commands, and the system's shell and make."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("sh", "make"):
        (folder / name).symlink_to(shutil.which(name) or name)
    for name, script in scripts.items():
        (folder / name).write_text(f"#!/bin/sh\n{script}\n")
        (folder / name).chmod(0o755)
    return folder


def run_with(commands: Path, home: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """A command of the project where no other commands can be found than those of a folder."""
    return subprocess.run(
        command,
        cwd=ROOT,
        env={"PATH": str(commands), "HOME": str(home)},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def pretend(version: tuple[int, ...]) -> str:
    """A Python that says it has another version."""
    lines = f"import runpy, sys; sys.version_info = {version}; sys.executable = '$0'"
    lines += "; code = sys.argv[1:]; sys.argv = code"
    run = "exec(code[1]) if code[0] == '-c' else runpy.run_path(code[0], run_name='__main__')"
    return f'exec {sys.executable} -c "{lines}; {run}" "$@"'


def test_the_set_up_steps_parse_on_old_versions_of_python():
    ast.parse(HOUSE.read_text(), feature_version=(3, 6))


@pytest.mark.parametrize("version", [(3, 6, 15), (3, 10, 13), (3, 14, 0)])
def test_another_python_is_told_which_is_needed_and_how_to_get_it(tmp_path, version):
    commands = folder_of_commands(tmp_path / "bin", python3=pretend(version))
    process = run_with(commands, tmp_path, "make", "help")
    assert process.returncode != 0 and "Traceback" not in process.stderr
    assert f"This is Python {'.'.join(map(str, version))}" in process.stderr
    assert "the campaign needs Python 3.11, 3.12 or 3.13. Install one of them" in process.stderr
    for way in ("uv python install 3.11", "pyenv install 3.11", "apt-get install python3.11 python3.11-venv"):
        assert way in process.stderr


@pytest.mark.parametrize("version", [(3, 11, 2), (3, 12, 1), (3, 13, 0)])
def test_each_supported_python_runs_the_set_up_steps(tmp_path, version):
    """What pyproject.toml, the README and the set-up say are the same three versions."""
    process = run_with(
        folder_of_commands(tmp_path / "bin", python3=pretend(version)), tmp_path, "make", "help"
    )
    assert process.returncode == 0, process.stderr
    assert "make run" in process.stdout
    asked = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["requires-python"]
    assert asked == ">=3.11,<3.14"
    assert "needs Python 3.11, 3.12 or 3.13" in (ROOT / "README.md").read_text()


def test_a_machine_without_python_is_told_how_to_get_it(tmp_path):
    process = run_with(folder_of_commands(tmp_path / "bin"), tmp_path, "make", "help")
    assert process.returncode != 0
    assert "There is no Python on this machine" in process.stderr
    assert "uv python install 3.11" in process.stderr


@pytest.mark.parametrize("keeper", ["path", "uv", "pyenv"])
@pytest.mark.parametrize("version", ["3.11.7", "3.12.1", "3.13.0"])
def test_make_finds_a_python_of_the_path_of_uv_or_of_pyenv_and_3_11_first(tmp_path, keeper, version):
    """A newer one that is supported stands first on the path each time, and one that is not."""
    minor, parts = version.rpartition(".")[0], tuple(map(int, version.split(".")))
    kept = tmp_path / ".pyenv" / "versions" / version / "bin"
    wanted = kept / "python" if keeper == "pyenv" else tmp_path / "bin" / "found"
    wanted.parent.mkdir(parents=True)
    wanted.write_text(f"#!/bin/sh\n{pretend(parts)}\n")
    wanted.chmod(0o755)
    scripts = {"python3": pretend((3, 13, 5) if version < "3.13" else (3, 14, 0))}
    # a shim for a version that is not chosen
    scripts[f"python{minor}"] = "echo 'pyenv: command not found' >&2; exit 127"
    if keeper == "path":
        scripts[f"python{minor}"] = f'exec {wanted} "$@"'
    if keeper == "uv":
        scripts["uv"] = f'[ "$*" = "python find {minor}" ] && echo {wanted}'
    commands = folder_of_commands(tmp_path / "bin", **scripts)
    found = run_with(commands, tmp_path, "sh", "tools/find-python")
    assert (found.returncode, found.stdout.split()) == (0, [str(wanted)])
