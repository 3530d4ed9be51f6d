"""Campaigns begun with an older release are played on by a day with this one, from archives and databases.

An archive carries a campaign (`test_archives.py` plays those on); a database all that belongs to a site, and
is migrated as a club's would be. Each release leaves one of both, never written again:

    AWI_GOLDEN=write python -m pytest tests/golden/test_playing_on.py
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from django.db.migrations.loader import MigrationLoader

from campaign.ledger.versions import CAMPAIGN_RULES
from campaign.models import Battle, Campaign
from campaign.services.archive.export import campaign_export
from campaign.services.archive.imports import campaign_import
from campaign.services.archive.schema import SCHEMA
from campaign.services.battles.settlement import battle_settle_by_word
from campaign.services.proof.database import campaign_verify
from campaign.services.turns.days import BattleWaits, day_advance
from tests.campaign.services.backups.test_backups import manage, site
from tests.factories.chronicle import chronicle_in_full

ROOT = Path(__file__).resolve().parents[2]
ARCHIVES, DATABASES = (Path(__file__).parent / name for name in ("archives", "databases"))
WRITE = os.environ.get("AWI_GOLDEN") == "write"
MID_WEEK = ARCHIVES / f"schema-{SCHEMA}-rules-{CAMPAIGN_RULES}-mid-week.zip"
MAKE = """
import django
django.setup()
from tests.factories.chronicle import chronicle_in_full
chronicle_in_full()
"""
PLAY_ON = """
import django
django.setup()
from django.core.management import call_command
call_command("migrate", check_unapplied=True)
from tests.golden.test_playing_on import played_on
from campaign.models import Campaign
for campaign in Campaign.objects.all():
    print(campaign.slug, played_on(campaign))
"""


def played_on(campaign: Campaign) -> int:
    """Play one more day, whatever battle waits, and verify everything; returns the days there are then."""
    day = campaign.day
    while campaign.day == day:
        for battle in Battle.objects.filter(campaign=campaign, state=Battle.State.WAITING):
            lost = {battle.attacker: 20, battle.defender: 10}
            battle_settle_by_word(battle=battle, field_held_by=battle.defender, percent_lost=lost, actor=None)
        try:
            day_advance(campaign=campaign, actor=None)
        except BattleWaits:
            assert Battle.objects.filter(campaign=campaign, state=Battle.State.WAITING).exists()
        campaign.refresh_from_db()
    assert campaign_verify(campaign=campaign).days == campaign.day
    return campaign.day


def test_there_is_an_archive_with_all_a_club_leaves_in_mid_week(db) -> None:
    if WRITE:
        MID_WEEK.unlink(missing_ok=True)
        campaign_export(campaign=chronicle_in_full(), path=MID_WEEK, with_secret=True)
        MID_WEEK.chmod(0o644)
        Campaign.objects.update(slug="elsewhere")
    assert MID_WEEK.is_file()
    campaign = campaign_import(path=MID_WEEK).campaign
    assert campaign.bulletins.count() == 3 and campaign.day % 7
    waiting = campaign.battles.get(state=Battle.State.WAITING)
    assert waiting.way == Battle.Way.TABLE


def last_migration() -> str:
    loader = MigrationLoader(None, load=False)
    loader.load_disk()
    return max(name for app, name in loader.disk_migrations if app == "campaign")[:4]


def test_there_is_a_database_of_a_release(tmp_path: Path) -> None:
    if WRITE:
        here = site(tmp_path / "here", "a key for these tests only")
        assert manage(here, "migrate", "--verbosity", "0").returncode == 0
        environment = {**os.environ, "AWI_VAR": str(here), "AWI_ENGINE_STEPS": "1"}
        environment |= {"DJANGO_SETTINGS_MODULE": "campaign.config.settings"}
        subprocess.run([sys.executable, "-c", MAKE], cwd=ROOT, env=environment, check=True)
        told = manage(here, "backup")
        assert told.returncode == 0, told.stderr
        DATABASES.mkdir(exist_ok=True)
        [made] = (here / "backups").glob("*.zip")
        shutil.copyfile(made, DATABASES / f"migrations-{last_migration()}.zip")
    assert list(DATABASES.glob("migrations-*.zip"))


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(path.name for path in DATABASES.glob("*.zip")))
def test_a_site_of_an_older_release_is_brought_up_to_date_and_plays_on(name: str, tmp_path: Path) -> None:
    there = site(tmp_path / "there", "another key")
    done = manage(there, "restore", str(DATABASES / name))
    assert done.returncode == 0, done.stderr
    environment = {**os.environ, "AWI_VAR": str(there), "NUMBA_DISABLE_JIT": "1"}
    environment |= {"DJANGO_SETTINGS_MODULE": "campaign.config.settings", "DATABASE_URL": ""}
    found = subprocess.run(
        [sys.executable, "-c", PLAY_ON],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.returncode == 0, found.stderr
    assert found.stdout.split()[0] == "saratoga"
