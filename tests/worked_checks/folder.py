"""Files of worked checks in a folder, read and looked through."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml


class CheckFilesError(Exception):
    """The files cannot be played; its text is one sentence for the person who asked."""


def read_checks(place: Path) -> list[tuple[str, dict[str, Any]]]:
    """Every check in the YAML files of a folder, or in one file, with the name of its file.

    A file without a list of checks, such as a catalogue of rules beside them, is passed over.
    """
    files = list_files(place)
    found = [(path.name, check) for path in files for check in read_file(path)]
    if not found:
        raise CheckFilesError(f"{place} holds no worked checks: none of its files has a list named checks.")
    return found


def list_files(place: Path) -> list[Path]:
    """The YAML files of a folder, by name; or the file itself."""
    try:
        if place.is_file():
            return [place]
        if not place.is_dir():
            raise CheckFilesError(f"There is no folder {place}: name the folder of the checks in CHECKS.")
        files = sorted(path for path in place.iterdir() if path.suffix.lower() in (".yaml", ".yml"))
    except OSError as error:
        raise CheckFilesError(f"{place} cannot be read: {error.strerror}.") from error
    if not files:
        raise CheckFilesError(f"{place} holds no files of checks: their names end in .yaml or .yml.")
    return files


def read_file(path: Path) -> list[dict[str, Any]]:
    """The checks of a file, each with an id, what is given and what is expected."""
    try:
        content = yaml.safe_load(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise CheckFilesError(f"{path} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise CheckFilesError(f"{path} is not text in UTF-8: save it as UTF-8.") from error
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise CheckFilesError(f"{path} is not YAML{_say_line(error)}.") from error
    checks = content.get("checks") if isinstance(content, dict) else None
    if checks is None and not path.name.startswith("checks"):
        return []
    if not isinstance(checks, list):
        raise CheckFilesError(f"{path} has no list named checks.")
    for number, check in enumerate(checks, 1):
        if fault := find_fault(check):
            raise CheckFilesError(f"{path}: check {number} {fault}.")
    return checks


def find_fault(check: Any) -> str:
    """What keeps an entry from being a check, as the end of a sentence; nothing if it is one."""
    if not isinstance(check, Mapping):
        return "is not a mapping with id, rules, given and expect"
    if not isinstance(check.get("id"), str):
        return "has no id"
    for part in ("given", "expect"):
        if not isinstance(check.get(part), Mapping):
            return f"({check['id']}) has no mapping named {part}"
    if not check["expect"]:
        return f"({check['id']}) expects nothing"
    for part in ("rules", "rulesets"):
        names = check.get(part, [])
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            return f"({check['id']}) has no list of names in {part}"
    return "" if isinstance(check.get("rule", ""), str) else f"({check['id']}) has no name in rule"


def _say_line(error: Exception) -> str:
    mark = getattr(error, "problem_mark", None)
    return f" (line {mark.line + 1}: {getattr(error, 'problem', 'it cannot be read')})" if mark else ""
