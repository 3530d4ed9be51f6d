"""A whole site on this machine as docs/deploy.md has it: PostgreSQL, Redis, web, worker, beat.

Each part can be killed as a power cut would and started again, as systemd does; what servers had answered
is on disk. Seen from outside only: by HTTP, and by scripts that end.
"""

import contextlib
import http.client
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Self

from battles.engine.kernel_cache import cache_folder
from tests.servers import Postgres, Redis, free_port, wait_for_port

ROOT = Path(__file__).resolve().parents[2]
PARTS = ("web", "worker", "beat")
#: What a test sets for itself and a site has not.
NOT_OURS = ("NUMBA_DISABLE_JIT", "AWI_ENGINE_STEPS", "AWI_DEMO", "HTTPS", "CI")
SECONDS = 120.0
#: For what is done before and after, however busy the machine is.
PREPARING = 1800.0


class RunningSite:
    """The servers and the three parts; `environment` is what the settings are given beside the usual.

    A site whose battles are all of one `ruleset` waits for that alone to be compiled.
    """

    def __init__(self, ruleset: str = "", **environment: str) -> None:
        self.ruleset = ruleset  # "": all
        self.folder = Path(tempfile.mkdtemp(prefix="awi-site-"))
        self.postgres, self.redis = Postgres(keep=True), Redis()
        self.port = free_port()
        self.running: dict[str, subprocess.Popen[bytes]] = {}
        self.ended: list[str] = []
        self.log = self.folder / "log"
        # the engine compiled for one site serves the next
        compiled = cache_folder()
        compiled.mkdir(parents=True, exist_ok=True)
        (self.folder / "numba").symlink_to(compiled)
        kept = {name: text for name, text in os.environ.items() if name not in NOT_OURS}
        self.environment = {
            **kept,
            "DJANGO_SETTINGS_MODULE": "campaign.config.settings",
            "SECRET_KEY": "only for this test, and long enough for what signs with it",
            "AWI_VAR": str(self.folder),
            "AWI_BIND": f"127.0.0.1:{self.port}",
            "SITE_URL": f"http://127.0.0.1:{self.port}",
            "HTTPS": "false",
            "WEB_WORKERS": "4",
            "WEB_THREADS": "1",
            "WORKERS": "2",
            "LOG_LEVEL": "WARNING",
            "PYTHONUNBUFFERED": "1",
            "ENGINE_RULESET": ruleset,
            **environment,
        }

    # --- the whole ---

    def __enter__(self) -> Self:
        self.postgres.start()
        self.redis.start()
        self.environment |= {"DATABASE_URL": self.postgres.url, "REDIS_URL": self.redis.url}
        try:
            self.run("tools/house.py", "static")
            self.run("manage.py", "migrate", "--verbosity", "0")
            self.run("manage.py", "compileengine", *(("--ruleset", self.ruleset) if self.ruleset else ()))
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        for part in reversed(self.running):
            self._end(self.running[part])
        for server in (self.redis, self.postgres):
            if server.process is not None:
                server.stop()
            shutil.rmtree(server.folder, ignore_errors=True)
        shutil.rmtree(self.folder, ignore_errors=True)

    def up(self) -> None:
        """Start all parts; returns when pages are served."""
        for part in PARTS:
            self.start(part)

    # --- parts ---

    def start(self, part: str) -> None:
        """Start a part as systemd does (`deploy/start`), or a server, and wait until it listens."""
        if part in ("postgres", "redis"):
            getattr(self, part).start()
            return
        with self.log.open("ab") as log:
            self.running[part] = subprocess.Popen(
                ["/bin/sh", "deploy/start", part],
                cwd=ROOT,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        if part == "web":
            wait_for_port(self.port, SECONDS)

    def kill(self, part: str) -> None:
        """SIGKILL to a part and all its processes at once."""
        if part in ("postgres", "redis"):
            getattr(self, part).kill()
        else:
            self._end(self.running.pop(part), signal.SIGKILL)

    def keep(self) -> None:
        """Start again what has ended by itself, as systemd does; each is noted in `ended`."""
        for part, process in list(self.running.items()):
            if process.poll() is not None:
                self.ended.append(part)
                self.start(part)

    def _end(self, process: subprocess.Popen[bytes], how: signal.Signals = signal.SIGTERM) -> None:
        if process.poll() is None:
            os.killpg(process.pid, how)
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    # --- looking and doing ---

    def run(self, *arguments: str, given: str = "", patience: float = PREPARING) -> str:
        """Run a Python program beside the site; what it printed."""
        done = subprocess.run(
            [sys.executable, *arguments],
            cwd=ROOT,
            env=self.environment,
            input=given,
            capture_output=True,
            text=True,
            timeout=patience,
            check=False,
        )
        assert done.returncode == 0, f"{arguments}\n{done.stdout[-2000:]}\n{done.stderr[-4000:]}"
        return done.stdout

    def people(self, **wanted: Any) -> dict[str, Any]:
        """Set up campaigns with people in their seats (`tests.prove.site_people`)."""
        told = self.run("-m", "tests.prove.site_people", given=json.dumps(wanted))
        found: dict[str, Any] = json.loads(told.splitlines()[-1])
        return found

    def cpu(self, part: str) -> float:
        """Seconds of processor a part has used since it was started, its children's too."""
        leader, ticks = self.running[part].pid, 0
        for file in Path("/proc").glob("[0-9]*/stat"):
            with contextlib.suppress(OSError):
                row = file.read_text().rpartition(") ")[2].split()
                # process group; user and system time, own and of children that have ended
                if int(row[2]) == leader:
                    ticks += sum(map(int, row[11:15]))
        return ticks / os.sysconf("SC_CLK_TCK")

    def faults(self) -> list[str]:
        """Lines of the log that tell of errors nobody caught."""
        if not self.log.exists():
            return []
        return re.findall(r".*(?:Traceback|Internal Server Error|ERROR).*", self.log.read_text())


class Caller:
    """A program with a token: one connection kept open, opened anew when it was cut."""

    def __init__(self, port: int, token: str, patience: float = 60.0) -> None:
        self.port, self.token, self.patience = port, token, patience
        self.connection: http.client.HTTPConnection | None = None

    def open(self) -> None:
        """Connect now, so that the next call does not wait for it."""
        self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=self.patience)
        self.connection.connect()

    def call(
        self, method: str, address: str, body: Any = None, headers: dict[str, str] | None = None
    ) -> tuple[int, Any, http.client.HTTPMessage]:
        """Status, JSON and headers of one answer. Raises OSError or HTTPException when there is none."""
        if self.connection is None:
            self.open()
        assert self.connection is not None
        sent = {"Authorization": f"Bearer {self.token}", **(headers or {})}
        data = None
        if body is not None:
            data, sent["Content-Type"] = json.dumps(body), "application/json"
        try:
            self.connection.request(method, f"/api/v1/{address}", data, sent)
            answer = self.connection.getresponse()
            text = answer.read()
        except (OSError, http.client.HTTPException):
            self.connection.close()
            self.connection = None
            raise
        shown = answer.headers.get_content_type().endswith("json") and text
        return answer.status, json.loads(text) if shown else None, answer.headers

    def until(self, method: str, address: str, body: Any = None, headers: dict[str, str] | None = None,
              *, seconds: float = SECONDS) -> tuple[int, Any, http.client.HTTPMessage]:  # fmt: skip
        """The same asked again until the site answers with something other than that it cannot now."""
        deadline = time.monotonic() + seconds
        while True:
            try:
                found = self.call(method, address, body, headers)
                if found[0] < 500 and not (found[0] == 409 and found[1]["type"].endswith("/in-work/")):
                    return found
                said = f"{found[0]} {found[1]}"
            except (OSError, http.client.HTTPException) as error:
                said = repr(error)
            assert time.monotonic() < deadline, f"{method} {address}: {said}"
            time.sleep(0.3)
