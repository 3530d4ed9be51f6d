"""Scenarios people have put up, as folders on this machine: written from their rows when asked for."""

import io
import shutil
import tempfile
from pathlib import Path
from zipfile import ZipFile

from campaign.models import KeptScenario, UploadedScenario, User
from campaign.rules.errors import RuleViolation
from campaign.scenarios.packing import files_write
from campaign.scenarios.reading import SCENARIOS, own_scenarios

#: In a folder written from a row: the digest of what it was written from.
MARK = ".uploaded"


def scenario_verify(slug: str, user: User) -> None:
    """Refuses to begin with a scenario somebody else has put up (HR-SCN-01)."""
    if UploadedScenario.objects.filter(slug=slug).exclude(owner=user).exists():
        raise RuleViolation("HR-SCN-01", "There is no such scenario for you; choose another.", "scenario")


def scenarios_of_others(user: User) -> set[str]:
    """Slugs of the scenarios somebody else has put up, or had."""
    rows = dict(UploadedScenario.objects.values_list("slug", "owner"))
    return {slug for slug, owner in rows.items() if owner != user.pk} | (
        _list_marked_scenarios() - rows.keys()
    )


def list_stray_scenarios() -> set[str]:
    """Slugs whose folder lies here and whose row is gone: removed from another machine."""
    return _list_marked_scenarios() - set(UploadedScenario.objects.values_list("slug", flat=True))


def _list_marked_scenarios() -> set[str]:
    return {mark.parent.name.replace("_", "-") for mark in own_scenarios().glob(f"[!_]*/{MARK}")}


def scenarios_of(user: User) -> set[str]:
    """Slugs of the person's own, each ready on this machine. One query while it has them all."""
    own = dict(UploadedScenario.objects.filter(owner=user).values_list("slug", "digest"))
    for slug in own:
        scenario_ready(slug, own[slug])
    return set(own)


def scenario_ready(slug: str, digest: str | None = None) -> None:
    """Have an uploaded scenario's folder on this machine; nothing for those that are there without a row.

    `digest` is its row's, if that has been read.
    """
    rows = UploadedScenario.objects.filter(slug=slug)
    digest = digest or rows.values_list("digest", flat=True).first()
    folder = own_scenarios() / slug.replace("-", "_")
    mark = folder / MARK
    if digest is None or (mark.is_file() and mark.read_text() == digest):
        return
    folder_write(folder, bytes(rows.values_list("data", flat=True).get()), digest)


def scenario_hold(slug: str) -> None:
    """Keep an uploaded scenario from being removed before the transaction ends that begins with it.

    Raises RuleViolation (HR-SCN-01) for one that is gone by now, though its folder may still lie here.
    """
    if (
        slug in _list_marked_scenarios()
        and not UploadedScenario.objects.select_for_update().filter(slug=slug).exists()
    ):
        raise RuleViolation("HR-SCN-01", "The scenario was removed just now; choose another.", "scenario")


def scenario_everywhere(slug: str, folder: Path) -> bool:
    """True when every machine has the scenario in this folder: it comes with the site, or has a row of
    its own.

    Such a row is held until the transaction ends, so that nobody removes the scenario meanwhile.
    """
    if folder.name != slug.replace("-", "_"):
        return False  # one that came with an archive
    return (
        folder.parent == SCENARIOS or UploadedScenario.objects.select_for_update().filter(slug=slug).exists()
    )


def scenario_here(slug: str) -> None:
    """The same for a campaign that goes on: nothing is asked where a folder is there, whosever it is."""
    folder = slug.replace("-", "_")
    if not ((SCENARIOS / folder).is_dir() or (own_scenarios() / folder).is_dir()):
        scenario_ready(slug)


def renew_scenario(slug: str) -> bool:
    """Write an uploaded scenario's folder again where its row has other files by now; return whether it
    was written.

    So it is after a backup was put back on another machine, whose folder of this name was of another upload.
    """
    mark = own_scenarios() / slug.replace("-", "_") / MARK
    digest = UploadedScenario.objects.filter(slug=slug).values_list("digest", flat=True).first()
    if digest is None or not mark.is_file() or mark.read_text() == digest:
        return False
    scenario_ready(slug, digest)
    return True


def scenario_fetch(digest: str, folder: Path) -> bool:
    """Write a scenario that came with an archive where it is kept, from its row; False: there is none."""
    data = KeptScenario.objects.filter(digest=digest).values_list("data", flat=True).first()
    if data is None:
        return False
    folder.parent.mkdir(parents=True, exist_ok=True)
    fresh = Path(tempfile.mkdtemp(prefix="_", dir=folder.parent))
    files_write(fresh, _files_in(bytes(data)))
    fresh.chmod(0o755)
    try:
        fresh.replace(folder)
    except OSError:  # somebody else was quicker
        shutil.rmtree(fresh, ignore_errors=True)
    return folder.is_dir()


def _files_in(data: bytes) -> dict[str, bytes]:
    """The files of a zip of our own making: its bounds were those of the version that took it in."""
    with ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def folder_write(folder: Path, data: bytes, digest: str) -> None:
    """A folder with the files of a zip, there whole or not at all."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    fresh = Path(tempfile.mkdtemp(prefix="_", dir=folder.parent))
    try:
        files_write(fresh, _files_in(data))
        (fresh / MARK).write_text(digest)
        fresh.chmod(0o755)
        if folder.exists():
            shutil.rmtree(folder)
        fresh.replace(folder)
    except OSError:
        shutil.rmtree(fresh, ignore_errors=True)
        if not folder.exists():  # else somebody else was quicker
            raise


def folder_remove(slug: str) -> None:
    """Take an uploaded scenario's folder away."""
    folder = own_scenarios() / slug.replace("-", "_")
    if (folder / MARK).is_file():
        shutil.rmtree(folder, ignore_errors=True)
