"""Sources of the settings: the environment, a file `.env` beside manage.py, the folder AWI_VAR."""

import os
import pwd
import shlex
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

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


#: What may be in the folder and is another account's for a reason, or too much to be looked through.
NOT_ENTERED = ("lost+found", "backups", "media")


def _iter_contents(folder: Path) -> Iterator[Path]:
    yield folder
    for above, folders, files in os.walk(folder):
        yield from (Path(above, name) for name in (*folders, *files) if name != "lost+found")
        folders[:] = [name for name in folders if name not in NOT_ENTERED]


def verify_writable(folder: Path) -> None:
    """Raise ImproperlyConfigured where this account cannot use a file or folder, as after a run with sudo."""
    for path in _iter_contents(folder):
        if os.access(path, os.R_OK | os.W_OK) or not path.exists():
            continue
        me, owner = os.geteuid(), path.stat().st_uid
        mine, theirs = (_find_account_name(number) for number in (me, owner))
        if owner == me:
            raise ImproperlyConfigured(
                f"{path} cannot be written. Allow it: chmod -R u+rwX {shlex.quote(str(folder))}"
            )
        raise ImproperlyConfigured(
            f"{path} belongs to {theirs}, as after a run with sudo, and {mine} cannot write it. "
            f"Give it back: sudo chown -R {mine} {shlex.quote(str(folder))}"
        )


def _find_account_name(number: int) -> str:
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return str(number)


# Also for a database or backups elsewhere. Static files are for every account: they hold nothing of anybody.
if "collectstatic" not in sys.argv[1:2]:
    os.umask(0o077)
try:
    VAR_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)
except OSError as error:
    raise ImproperlyConfigured(
        f"The folder {VAR_DIR} cannot be made ({error.strerror}). Name another in AWI_VAR, or allow it there."
    ) from error
owner_only(VAR_DIR)
verify_writable(VAR_DIR)
