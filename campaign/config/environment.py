"""What the settings are read from: the environment, a file `.env` beside manage.py, the folder AWI_VAR."""

import os
import sys
from contextlib import suppress
from pathlib import Path

from campaign.config.checked_values import CheckedEnv

BASE_DIR = Path(__file__).resolve().parents[2]

env = CheckedEnv()
if (BASE_DIR / ".env").is_file():  # it may be missing, of which the library would warn at every start
    CheckedEnv.read_env(BASE_DIR / ".env", encoding="utf-8-sig")  # Windows' editors begin it with a mark

VAR_DIR = Path(env.str("AWI_VAR", default=str(BASE_DIR / "var"))).resolve()


def owner_only(folder: Path) -> None:
    """Take all rights of others in a folder away: database, secret key, photographs and backups are in it.

    What an older release left open is shut once; a folder that is shut already is not walked again.
    """
    if not folder.stat().st_mode & 0o077:
        return
    with suppress(PermissionError):  # it belongs to another account, which shuts it
        for above, folders, files in os.walk(folder):
            for name in (*folders, *files):
                path = Path(above, name)
                with suppress(FileNotFoundError):
                    if not path.is_symlink():
                        path.chmod(path.stat().st_mode & 0o7700)
        folder.chmod(folder.stat().st_mode & 0o7700)


# Also for a database or backups elsewhere. Static files are for every account: they hold nothing of anybody.
if "collectstatic" not in sys.argv[1:2]:
    os.umask(0o077)
VAR_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)
owner_only(VAR_DIR)
