"""Archives that somebody's desktop has packed again are the same archives."""

from pathlib import Path

import pytest

from campaign.services.archive.imports import campaign_import
from campaign.services.archive.zip_files import archive_read
from tests.campaign.services.archive.test_export_damage import SOUND, packed

INPUTS = Path(__file__).parents[3] / "inputs" / "archives"
PACKED_AGAIN = {
    "a folder around it": lambda name: f"autumn/{name}",
    "backslashes": lambda name: name.replace("/", "\\"),
    "backslashes and a folder": lambda name: "autumn\\" + name.replace("/", "\\"),
}
LITTER = (
    "worlds/",
    ".DS_Store",
    "__MACOSX/._world.json",
    "._manifest.json",
    "~$notes.docx",
    ".~lock.a.ods#",
    "Thumbs.db",
)


@pytest.mark.parametrize("rename", PACKED_AGAIN.values(), ids=PACKED_AGAIN)
def test_an_archive_packed_again_is_the_same_archive(tmp_path, rename):
    again = {rename(name): data for name, data in SOUND.items()}
    assert archive_read(packed(tmp_path / "a.zip", again)) == archive_read(packed(tmp_path / "b.zip", SOUND))


@pytest.mark.parametrize("litter", LITTER)
def test_what_a_desktop_leaves_in_a_folder_is_passed_over(tmp_path, litter):
    sound = archive_read(packed(tmp_path / "a.zip", SOUND))
    assert archive_read(packed(tmp_path / "b.zip", {**SOUND, litter: b""})) == sound
    around = {f"autumn/{name}": data for name, data in {**SOUND, litter: b""}.items()} | {"autumn/": b""}
    assert archive_read(packed(tmp_path / "c.zip", around)) == sound


@pytest.mark.django_db
def test_an_archive_that_a_mac_packed_again_is_imported(settings, tmp_path):
    """As a club sent it: a folder around it, `.DS_Store` and `__MACOSX` beside its files."""
    settings.VAR_DIR = tmp_path
    found = campaign_import(path=INPUTS / "late-mac.zip")
    assert (found.campaign.slug, found.campaign.title, found.campaign.day) == ("late", "Late", 3)
    head = "44feb51748bfd56cec35ecfb584a61d1f50afe17e36090377325100dfce44a92"
    assert found.campaign.head is not None and found.campaign.head.record_hash == head
