"""Throw-away servers for tests: PostgreSQL and Redis in temporary folders, on free ports of loopback.

    python -m tests.servers COMMAND...   run a command with a PostgreSQL of its own in DATABASE_URL

Which database tests use is said by DATABASE_URL alone; nothing of what is kept here outlives the run.
"""

import contextlib
import fcntl
import hashlib
import os
import pwd
import random
import secrets
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Self

import psycopg

#: Where Debian keeps what `apt-get install postgresql` brings; PATH is looked at first.
DEBIAN = Path("/usr/lib/postgresql")
#: Who runs PostgreSQL when we are root, which it refuses to be run by: the first of these there is.
OTHERS = ("postgres", "nobody")
SECONDS = 60.0
ROOT = Path(__file__).resolve().parents[1]
TEST_SETTINGS = {"DJANGO_SETTINGS_MODULE": "campaign.config.settings_test"}
#: Name of the database with every table that others are copied from, and the variable that says it is there.
MIGRATED, TEMPLATE = "migrated", "AWI_TESTS_TEMPLATE"
#: Ports of the tests' servers: none of those the system gives to who asks for any, or calls somewhere.
PORTS = range(20_000, 30_000)
_given: list[IO[str]] = []


class ServerMissing(Exception):
    """A program the tests drive is not installed."""

    def __init__(self, program: str) -> None:
        super().__init__(f"{program} is not installed; as root on Debian `make test` installs it.")


def free_port() -> int:
    """A TCP port of loopback that nobody uses, and that is given to no other test while this process lives.

    A server may come up on it a minute later, or be stopped and started: a lock on a file keeps it.
    """
    folder = Path(tempfile.gettempdir()) / f"awi-ports-{os.getuid()}"
    folder.mkdir(exist_ok=True)
    for port in random.SystemRandom().sample(PORTS, len(PORTS)):
        mine = (folder / str(port)).open("w")
        with socket.socket() as probe, contextlib.suppress(OSError):
            fcntl.flock(mine, fcntl.LOCK_EX | fcntl.LOCK_NB)
            probe.bind(("127.0.0.1", port))
            _given.append(mine)
            return port
        mine.close()
    raise RuntimeError(f"All ports from {PORTS[0]} to {PORTS[-1]} are taken.")


def wait_for_port(port: int, seconds: float = SECONDS) -> None:
    """Return once something listens on `port` of loopback; raise TimeoutError after `seconds`."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise TimeoutError(f"Nothing listens on port {port} after {seconds:.0f} s.")


def postgres_program(name: str) -> str:
    """Path of one of PostgreSQL's programs, of the newest version where there are several."""
    if path := shutil.which(name):
        return path
    found = sorted(DEBIAN.glob(f"*/bin/{name}"), key=lambda path: float(path.parts[-3]))
    if not found:
        raise ServerMissing(f"PostgreSQL ({name})")
    return str(found[-1])


class Server:
    """A program that is started, stopped, killed and started again in the same folder, on the same port."""

    def __init__(self) -> None:
        self.port = free_port()
        self.folder = Path(tempfile.mkdtemp(prefix="awi-"))
        self.process: subprocess.Popen[bytes] | None = None

    def command(self) -> list[str]:
        raise NotImplementedError

    def owner(self) -> dict[str, str | int]:
        """As whom it runs: arguments of `subprocess`."""
        return {}

    def start(self) -> Self:
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                self.command(),
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,  # interrupts of the terminal are for the tests, not for it
                **self.owner(),  # type: ignore[call-overload]
            )
        wait_for_port(self.port)
        return self

    def stop(self) -> None:
        """Tell it to end at once, in order."""
        if self.process is not None:
            self.process.send_signal(signal.SIGINT)  # to PostgreSQL: do not wait for connections
            self.process.wait(SECONDS)
            self.process = None

    def kill(self) -> None:
        """End it as a power cut would: every process of it, with nothing said before."""
        assert self.process is not None
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(SECONDS)
        self.process = None

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)


class Redis(Server):
    """A Redis (or Valkey) that keeps nothing, unless `keep`: then each write is on disk once answered."""

    def __init__(self, *, keep: bool = False) -> None:
        program = shutil.which("redis-server") or shutil.which("valkey-server")
        if program is None:
            raise ServerMissing("redis-server")
        super().__init__()
        self.program, self.keep = program, keep

    def command(self) -> list[str]:
        kept = ["--appendonly", "yes", "--appendfsync", "always"] if self.keep else []
        place = ["--port", str(self.port), "--bind", "127.0.0.1", "--dir", str(self.folder)]
        return [self.program, *place, "--save", "", *kept]

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"


class Postgres(Server):
    """A PostgreSQL that sorts as people do (a club's server may), which plain bytes would not.

    It does not wait for the disk unless `keep`: then what it answered survives a kill.
    """

    def __init__(self, *, keep: bool = False) -> None:
        self.programs = {name: postgres_program(name) for name in ("initdb", "postgres")}
        super().__init__()
        self.keep, self.password = keep, secrets.token_hex(16)
        self._set_up()

    def owner(self) -> dict[str, str | int]:
        if os.geteuid():
            return {}
        for name in OTHERS:
            with contextlib.suppress(KeyError):
                entry = pwd.getpwnam(name)
                return {"user": entry.pw_uid, "group": entry.pw_gid}
        raise ServerMissing("A user other than root, who may run PostgreSQL,")

    def _set_up(self) -> None:
        owner = self.owner()
        words = self.folder / "password"
        words.write_text(self.password)
        for path in (self.folder, words):
            if owner:
                os.chown(path, int(owner["user"]), int(owner["group"]))
        place = ["--pgdata", str(self.folder / "data"), "--no-sync", "--username", "awi"]
        access = ["--auth", "scram-sha-256", "--pwfile", str(words)]
        sorting = ["--encoding", "UTF8", "--locale", "C.UTF-8", "--locale-provider", "icu"]
        sorting += ["--icu-locale", "en-GB"]
        made = subprocess.run(
            [self.programs["initdb"], *place, *access, *sorting],
            cwd=self.folder,
            capture_output=True,
            text=True,
            check=False,
            **owner,  # type: ignore[call-overload]
        )
        if made.returncode:
            raise RuntimeError(f"PostgreSQL could not be set up:\n{made.stdout}{made.stderr}")

    def command(self) -> list[str]:
        options = {
            "port": self.port,
            "listen_addresses": "127.0.0.1",
            "unix_socket_directories": "",
            "max_connections": 200,
            "fsync": "on" if self.keep else "off",
            "synchronous_commit": "on" if self.keep else "off",
            "full_page_writes": "on" if self.keep else "off",
        }
        told = [f"--{name}={value}" for name, value in options.items()]
        return [self.programs["postgres"], "-D", str(self.folder / "data"), *told]

    def start(self) -> Self:
        """It listens before it answers: while it mends itself after a kill it sends callers away."""
        super().start()
        deadline = time.monotonic() + SECONDS
        while True:
            try:
                with psycopg.connect(self.address("postgres")):
                    return self
            except psycopg.OperationalError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.1)

    def kill(self) -> None:
        """Its processes lead groups of their own, so each is killed by itself."""
        assert self.process is not None
        family = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        children = [int(pid) for pid in family.read_text().split()]
        super().kill()
        for pid in children:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    def address(self, name: str) -> str:
        """The address of one of its databases."""
        return f"postgres://awi:{self.password}@127.0.0.1:{self.port}/{name}"

    @property
    def url(self) -> str:
        """A database that is there and empty; tests make others beside it."""
        return self.address("postgres")


def migrate_database(url: str) -> None:
    """Bring the database at an address up to date, in a process of its own."""
    with tempfile.TemporaryDirectory() as var:
        environment = {**os.environ, "DATABASE_URL": url, "AWI_VAR": var, **TEST_SETTINGS}
        command = [sys.executable, "manage.py", "migrate", "--skip-checks", "--verbosity", "0"]
        subprocess.run(command, cwd=ROOT, env=environment, check=True)


def migrated_file() -> Path:
    """An SQLite database with every table and nothing else: made once for these migrations, and copied.

    Whoever uses a copy migrates it as they would an empty one, and finds nothing to apply.
    """
    total = hashlib.sha256((ROOT / "requirements.txt").read_bytes())
    for app in ("campaign", "rosters"):
        for source in sorted((ROOT / app / "migrations").glob("*.py")):
            total.update(source.name.encode() + source.read_bytes())
    kept = Path(tempfile.gettempdir()) / f"awi-databases-{os.getuid()}"
    kept.mkdir(mode=0o700, exist_ok=True)
    file = kept / f"{total.hexdigest()[:16]}.sqlite3"
    with (kept / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not file.is_file():
            for old in kept.glob("*.sqlite3*"):
                if time.time() - old.stat().st_mtime > 24 * 3600:  # a branch beside this one may use it
                    old.unlink()
            making = file.with_suffix(".making")
            making.unlink(missing_ok=True)
            migrate_database(f"sqlite:///{making}")
            making.rename(file)
    return file


def copy_migrated_file(target: Path) -> Path:
    """A new SQLite database at `target` with every table."""
    shutil.copyfile(migrated_file(), target)
    return target


@contextlib.contextmanager
def own_database(folder: Path) -> Iterator[str]:
    """The address of a new database of the kind DATABASE_URL names: a file, or one beside it.

    Its tables are there already: copied, but on a PostgreSQL that was not started here.
    """
    name = f"own_{secrets.token_hex(6)}"
    url = os.environ.get("DATABASE_URL", "")
    if not url.startswith("postgres"):
        yield f"sqlite:///{copy_migrated_file(folder / f'{name}.sqlite3')}"
        return
    server = url.rpartition("/")[0]
    with psycopg.connect(url, autocommit=True) as connection:
        template = f" TEMPLATE {MIGRATED}" if os.environ.get(TEMPLATE) else ""
        connection.execute(f"CREATE DATABASE {name}{template}".encode())
    try:
        if not os.environ.get(TEMPLATE):
            migrate_database(f"{server}/{name}")
        yield f"{server}/{name}"
    finally:
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())


def rows_of(url: str, query: str) -> list[tuple]:
    """What a query finds in a database others write to, without Django."""
    if url.startswith("postgres"):
        with psycopg.connect(url) as connection:
            return connection.execute(query.encode()).fetchall()
    file = url.removeprefix("sqlite:///")
    with contextlib.closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True, timeout=20)) as connection:
        return connection.execute(query).fetchall()


def main(command: list[str]) -> int:
    """Run `command` with a PostgreSQL of its own; its answer is ours."""
    if not command:
        sys.exit(__doc__)
    with Postgres() as postgres:
        with psycopg.connect(postgres.url, autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {MIGRATED}".encode())
        migrate_database(postgres.address(MIGRATED))
        given = {"DATABASE_URL": postgres.url, TEMPLATE: MIGRATED}
        return subprocess.run(command, env={**os.environ, **given}, check=False).returncode


if __name__ == "__main__":
    # Told to stop, it still stops what it started.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        sys.exit(main(sys.argv[1:]))
    except ServerMissing as missing:
        sys.exit(str(missing))
