"""Archives of every schema and version of the rules, kept for ever: they are read, imported and verified.

Days of the installed rules are played again too. Who changes a rule so that they end otherwise raises
CAMPAIGN_RULES (campaign/ledger/versions.py) and writes an archive of the new version; those of versions
that were released are never written again:

    AWI_GOLDEN=write python -m pytest tests/golden/test_archives.py
"""

import os
from pathlib import Path

import pytest

from campaign.ledger.versions import CAMPAIGN_RULES
from campaign.ledger.world_rows import world_load
from campaign.models import Campaign
from campaign.rules.world.world_json import world_hash
from campaign.services.archive.export import campaign_export
from campaign.services.archive.imports import campaign_import
from campaign.services.archive.schema import MIGRATIONS, SCHEMA, archive_open, archive_verify
from campaign.services.proof.database import campaign_verify
from campaign.services.proof.verifier import NotVerified
from tests.factories.chronicle import chronicle
from tests.golden.test_playing_on import played_on

FOLDER = Path(__file__).parent / "archives"
PRESENT = FOLDER / f"schema-{SCHEMA}-rules-{CAMPAIGN_RULES}.zip"
ARCHIVES = sorted(path.name for path in FOLDER.glob("*.zip"))


def test_there_is_an_archive_of_this_version_and_of_every_schema(db) -> None:
    if os.environ.get("AWI_GOLDEN") == "write":
        PRESENT.unlink(missing_ok=True)
        campaign_export(campaign=chronicle(engine=True), path=PRESENT, with_secret=True)
        PRESENT.chmod(0o644)
    schemas = {int(path.name.split("-")[1]) for path in FOLDER.glob("*.zip")}
    assert PRESENT.is_file() and schemas >= {SCHEMA, *MIGRATIONS}


@pytest.mark.parametrize("name", ARCHIVES)
def test_hr_arc_01_an_old_archive_is_imported_its_chain_verified_and_it_plays_on(
    name: str, db, monkeypatch
) -> None:
    """Read as recorded, whatever the installed rules are: nothing is played again. Then a day more is."""
    with monkeypatch.context() as others:
        others.setattr(
            "campaign.services.proof.verifier.versions_now", lambda ruleset: {"campaign_rules": "others"}
        )
        campaign = verify_import(name)
    before = campaign.day
    assert played_on(campaign) == before + 1


def verify_import(name: str) -> Campaign:
    """The campaign of an archive, imported, with its chain and state as the archive has them."""
    done = campaign_import(path=FOLDER / name)
    campaign = Campaign.objects.get()
    archive = archive_open(FOLDER / name)
    assert campaign.head is not None and campaign.head.record_hash == archive.manifest["head"]
    assert world_hash(world_load(campaign)) == archive.manifest["world"]
    assert campaign_verify(campaign=campaign) == done.verified
    assert done.verified.days == archive.manifest["day"] > 0 and done.verified.superseded
    return campaign


@pytest.mark.slow
def test_the_days_of_this_version_are_played_again_without_a_database() -> None:
    try:
        verified = archive_verify(archive_open(PRESENT))
    except NotVerified as mismatch:
        pytest.fail(f"{mismatch} A rule has changed: see the head of this module.")
    assert verified.replayed == verified.days > 8 and not verified.sealed
