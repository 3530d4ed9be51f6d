"""A club outgrows one file: from SQLite to PostgreSQL by a portable backup, and on by PostgreSQL's own."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from campaign.services.backups.files import backup_unpack
from tests.campaign.services.backups.test_backups import manage, site
from tests.conftest import left_out_here
from tests.servers import Postgres, ServerMissing, copy_migrated_file

pytestmark = pytest.mark.slow


@pytest.fixture
def server() -> Iterator[Postgres]:
    try:
        found = Postgres()
    except ServerMissing as missing:
        left_out_here(str(missing))
    with found:
        with psycopg.connect(found.url, autocommit=True) as connection:
            for name in ("large", "copy"):
                connection.execute(f"CREATE DATABASE {name}".encode())
        yield found


def done(folder: Path, *arguments: str, **environment: str) -> str:
    process = manage(folder, *arguments, **environment)
    assert process.returncode == 0, process.stdout + process.stderr
    return process.stdout


def newest(folder: Path) -> Path:
    return max((folder / "backups").glob("campaign-*.zip"))


def test_from_sqlite_to_postgresql_and_to_another_of_it(tmp_path, server):
    small, large, copy = (site(tmp_path / name, f"the key of {name}") for name in ("small", "large", "copy"))
    copy_migrated_file(small / "db.sqlite3")
    done(small, "loadscenario", "saratoga-1777", "--demo")
    done(small, "backup", "--portable")
    here = {"DATABASE_URL": server.address("large")}
    told = done(large, "restore", str(newest(small)), **here)
    assert "saratoga-1777: its chain ends with" in told
    assert done(large, "verifycampaign", "--all", **here).startswith("saratoga-1777: 0 days verified")
    done(large, "advanceday", "saratoga-1777", **here)  # new rows take numbers nobody has

    done(large, "backup", **here)
    own = backup_unpack(newest(large), tmp_path / "look")
    wanted = "database.dump" if shutil.which("pg_dump") else "database.jsonl"
    assert own["database"] == wanted and own["rows"]["campaign_campaign"] == 1
    there = {"DATABASE_URL": server.address("copy")}
    done(copy, "restore", str(newest(large)), **there)
    assert done(copy, "verifycampaign", "--all", **there).startswith("saratoga-1777: 1 days verified, 1 of")
    done(copy, "restore", str(newest(large)), "--force", **there)
    done(copy, "advanceday", "saratoga-1777", **there)

    if wanted == "database.dump":
        refused = manage(small, "restore", str(newest(large)), "--force")
        assert (
            refused.returncode == 1 and "one of PostgreSQL, and this site is set to SQLite" in refused.stderr
        )
