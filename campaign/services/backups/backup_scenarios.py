"""The scenarios a site has beside its database, into a backup and back: none takes another's place unseen."""

import hashlib
import shutil
import tempfile
from pathlib import Path

from django.conf import settings

from campaign.rules.errors import RuleViolation
from campaign.scenarios.problems import ScenarioError
from campaign.scenarios.reading import own_scenarios, scenario_digest
from campaign.scenarios.theatres import get_kept_scenario_path

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
    """SHA-256 of each file below a folder, by its name there."""
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
    """There whole or not at all."""
    target.parent.mkdir(parents=True, exist_ok=True)
    fresh = Path(tempfile.mkdtemp(prefix="_", dir=target.parent))
    shutil.copytree(source, fresh, dirs_exist_ok=True)
    fresh.chmod(0o755)
    fresh.replace(target)
