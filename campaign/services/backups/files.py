"""A backup as one file: a zip of the database, the site's scenarios and the secret key, and its checks."""

import hashlib
import json
import os
import re
import shutil
import tempfile
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.conf import settings

from campaign.rules.errors import RuleViolation
from campaign.scenarios.problems import ScenarioError
from campaign.scenarios.reading import own_scenarios, scenario_digest
from campaign.scenarios.theatres import get_kept_scenario_path

FORMAT, VERSION = "campaign backup", 1
MANIFEST = "manifest.json"
#: What a file inside may be called; nothing leads out of the folder it is unpacked in.
NAMES = re.compile(r"secret-key|database\.(sqlite3|dump|jsonl)|scenarios/[\w-]+(/[\w.-]+)+")


class BackupRefused(Exception):
    """A backup cannot be made or used; the sentence says why and what to do."""


def backup_write(path: Path, files: Mapping[str, Path], facts: Mapping[str, Any]) -> None:
    """Write the backup whole, readable by its owner only, or not at all."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-", suffix=".part")
    except OSError as error:
        raise BackupRefused(f"The backup could not be written to {path.parent}: {error.strerror}.") from error
    part = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
                held = {}
                for inside, file in sorted(files.items()):
                    archive.write(file, inside)
                    held[inside] = {"bytes": file.stat().st_size, "sha256": _hash_file(file)}
                manifest = {"format": FORMAT, "version": VERSION, **facts, "files": held}
                archive.writestr(MANIFEST, json.dumps(manifest, indent=1, sort_keys=True))
            stream.flush()
            os.fsync(stream.fileno())
        part.replace(path)
    except OSError as error:
        raise BackupRefused(f"The backup could not be written to {path.parent}: {error.strerror}.") from error
    finally:
        part.unlink(missing_ok=True)


def backup_unpack(path: Path, folder: Path) -> dict[str, Any]:
    """Unpack a backup into an empty folder and return its manifest; every file is what was written."""
    try:
        with zipfile.ZipFile(path) as archive:
            manifest = _read_manifest(archive)
            held = manifest["files"]
            inside = {info.filename for info in archive.infolist()} - {MANIFEST}
            if inside != set(held) or len(archive.infolist()) != len(held) + 1:
                raise BackupRefused("The backup is damaged: it does not hold the files it says it holds.")
            for name, facts in held.items():
                if not NAMES.fullmatch(name) or ".." in name:
                    raise BackupRefused(f"The backup is no backup of ours: it holds a file {name}.")
                _unpack_file(archive, name, facts, folder / name)
    except FileNotFoundError as error:
        raise BackupRefused(f"There is no file {path}.") from error
    except (zipfile.BadZipFile, EOFError, KeyError, TypeError, ValueError) as error:
        raise BackupRefused(f"{path.name} is no backup, or a damaged one: {error}.") from error
    except OSError as error:
        raise BackupRefused(f"{path.name} could not be read or unpacked: {error.strerror}.") from error
    return manifest


def backups_prune(*, folder: Path, keep: int) -> list[Path]:
    """Remove all but the newest `keep` backups that were named by this program; nothing else is touched."""
    named = [(found, file) for file in folder.glob("campaign-*.zip") if (found := NAMED.fullmatch(file.name))]
    named.sort(key=lambda one: (one[0]["second"], int(one[0]["number"] or 1)))
    old = [file for _, file in (named[:-keep] if keep > 0 else [])]
    for file in old:
        file.unlink(missing_ok=True)
    return old


#: Names sort by time, which is UTC; a second one in the same second takes a number.
NAMED = re.compile(r"campaign-(?P<second>\d{8}T\d{6}Z)(-(?P<number>\d+))?\.zip")


def _read_manifest(archive: zipfile.ZipFile) -> dict[str, Any]:
    info = archive.getinfo(MANIFEST)
    if info.file_size > 2**24:
        raise BackupRefused("The backup is no backup of ours: its list of contents is too large.")
    manifest = json.loads(archive.read(info))
    if manifest.get("format") != FORMAT:
        raise BackupRefused("The file is no backup of a campaign site.")
    if manifest["version"] > VERSION:
        raise BackupRefused("The backup was made by a newer release. Install that release first.")
    found: dict[str, Any] = manifest
    return found


def _unpack_file(archive: zipfile.ZipFile, name: str, facts: Mapping[str, Any], target: Path) -> None:
    if archive.getinfo(name).file_size != facts["bytes"]:
        raise BackupRefused(f"The backup is damaged: {name} has not the length it had.")
    target.parent.mkdir(parents=True, exist_ok=True)
    with archive.open(name) as source, target.open("wb") as stream:
        shutil.copyfileobj(source, stream, 2**20)
    if _hash_file(target) != facts["sha256"]:
        raise BackupRefused(f"The backup is damaged: {name} is not what was written.")


def _hash_file(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


#: Folders of the backup, and of a site, below which they lie.
FOLDER = "scenarios"


def scenarios_beside() -> dict[str, Path]:
    """Their files by the names they have in a backup."""
    var = Path(settings.VAR_DIR)
    return {str(file.relative_to(var)): file for file in (var / FOLDER).glob("*/**/*") if file.is_file()}


def scenarios_back(work: Path) -> list[str]:
    """Put back those of a backup unpacked in `work`, which the campaigns of its database were begun with.

    A scenario made or put up here goes by its name, and another of that name may lie here. That one is kept
    by the digest campaigns know it by, or aside. Gives what the site's keeper should know of it.
    """
    notes = []
    for source in sorted(path for path in (work / FOLDER).glob("*") if path.is_dir()):
        target = own_scenarios() / source.name
        if target.exists():
            if hash_folder_files(target) == hash_folder_files(source):
                continue
            aside = _set_aside(target)
            notes.append(f"The scenario {source.name} here was another than the backup's; it is {aside} now.")
        _copy_folder(source, target)
    return notes


def hash_folder_files(folder: Path) -> dict[str, str]:
    """SHA-256 of each file below a folder, by relative path."""
    return {
        str(file.relative_to(folder)): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in sorted(folder.rglob("*"))
        if file.is_file()
    }


def _set_aside(folder: Path) -> str:
    """Move a folder out of the way; gives its new name, under which a campaign of an archive finds it too."""
    try:
        kept = get_kept_scenario_path(scenario_digest(folder))
    except (RuleViolation, ScenarioError):  # not sound: nobody plays by it
        kept = folder
    if kept.exists():
        kept = Path(tempfile.mkdtemp(prefix=f"_{folder.name}-", dir=folder.parent))
    folder.replace(kept)
    return kept.name


def _copy_folder(source: Path, target: Path) -> None:
    """Copy a folder whole or not at all."""
    target.parent.mkdir(parents=True, exist_ok=True)
    fresh = Path(tempfile.mkdtemp(prefix="_", dir=target.parent))
    shutil.copytree(source, fresh, dirs_exist_ok=True)
    fresh.chmod(0o755)
    fresh.replace(target)
