"""Set-up steps of the Makefile. Needs nothing but Python 3.11 to 3.13 itself.

house.py environment      create .venv and install what a running site needs, unless that is done
house.py tests            the same with what tests and checks need besides
house.py secret           write the secret key once
house.py static           gather static files, unless nothing has changed
house.py servers          install what the tests drive: a browser, Redis, PostgreSQL (Debian, as root)
house.py lan              refuse an address in LAN that phones of the club could not reach, or anybody could
house.py port             refuse to go on when the address of AWI_BIND is in use
house.py serve            start what the Procfile lists; stop it all when told to, or when nobody listens
house.py keep COMMAND...  run a command and start it again when it dies
"""

import contextlib
import fcntl
import getpass
import hashlib
import ipaddress
import os
import re
import secrets
import select
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import time
import venv
from collections.abc import Iterable, Iterator
from pathlib import Path

# Before any definition: older versions cannot evaluate their annotations. Python 3.6 must parse this file.
if not (3, 11) <= sys.version_info[:2] <= (3, 13):
    sys.exit(
        "This is Python {}.{}.{} ({}); the campaign needs Python 3.11, 3.12 or 3.13. Install one of them "
        "beside the one you have, then run make again, which finds it:\n"
        "  with uv:       uv python install 3.11\n"
        "  with pyenv:    pyenv install 3.11\n"
        "  on Debian 12:  apt-get install python3.11 python3.11-venv\n"
        "If it is somewhere else, name it: make PYTHON=/path/to/python3.11 ...".format(
            *sys.version_info[:3], sys.executable
        )
    )

ROOT = Path(__file__).resolve().parents[1]
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
VAR = Path(os.environ.get("AWI_VAR") or ROOT / "var")

#: program -> Debian package, for what the tests drive
SERVERS = {"chromium": "chromium", "redis-server": "redis-server", "postgres": "postgresql"}

#: Static files between two lines that say how far their gathering is.
GATHERED = 100

#: Seconds a process that is kept may take to stop; honcho itself waits five.
PATIENCE = 4.0


def say(message: str) -> None:
    """Print a line at once, also when the output is a pipe."""
    print(message, flush=True)


def digest(files: Iterable[Path], root: Path = ROOT) -> str:
    """SHA-256 over contents and names from `root` on, so that it is the same wherever a clone lies."""
    total = hashlib.sha256()
    for name, file in sorted((file.relative_to(root).as_posix(), file) for file in files):
        total.update(f"{name}\0".encode() + hashlib.sha256(file.read_bytes()).digest())
    return total.hexdigest()


def done_before(stamp: Path, state: str) -> bool:
    """Whether `stamp` records that the step was finished for this `state`."""
    return stamp.is_file() and stamp.read_text() == state


def verify_owner(folder: Path) -> None:
    """Say what to do when a folder of ours is another account's, as after one run with sudo."""
    if folder.is_dir() and not os.access(folder, os.W_OK | os.X_OK):
        sys.exit(
            f"{folder} belongs to another account, perhaps since it was made with sudo. Give it back, then "
            f"run make again without sudo: sudo chown -R {getpass.getuser()} {shlex.quote(str(folder))}"
        )


def environment() -> None:
    """Create .venv with exactly the versions of requirements.txt."""
    install("installed", "requirements.txt")


def tests() -> None:
    """Create .venv with what tests and checks need, too."""
    install("installed-tests", "requirements.txt", "requirements-tests.txt")


def install(name: str, *files: str) -> None:
    """Install what `files` list into .venv, made where it is missing, unless the stamp `name` says so."""
    verify_owner(VENV)
    requirements = [ROOT / file for file in files]
    stamp, state = VENV / name, f"{sys.version}\n{digest(requirements)}"
    if done_before(stamp, state) and PYTHON.exists():
        return
    if not PYTHON.exists():
        say("Creating .venv")
        try:
            venv.create(VENV, with_pip=True, symlinks=True)
        except subprocess.CalledProcessError:
            shutil.rmtree(VENV, ignore_errors=True)
            sys.exit("Python's venv module is incomplete. On Debian install it: apt-get install python3-venv")
    say(f"Installing {' and '.join(files)} (a few minutes the first time)")
    listed = [part for file in requirements for part in ("-r", file)]
    subprocess.run(
        # Most of the modules are never imported; those that are, Python compiles then.
        [PYTHON, "-m", "pip", "install", "--quiet", "--no-compile", "--disable-pip-version-check", *listed],
        check=True,
    )
    stamp.write_text(state)


def secret() -> None:
    """Write a random key for Django once, readable by its owner only."""
    file = VAR / "secret-key"
    if os.environ.get("SECRET_KEY") or file.exists():
        return
    VAR.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as target:
        target.write(secrets.token_urlsafe(64))


def static() -> None:
    """Gather static files into staticfiles/ when ours or the installed packages' have changed.

    They are gathered as the served site needs them, whoever asks: tests and DEBUG do without the manifest
    that names them, and a site without it answers nothing but faults. Plain names are among them too.
    One process gathers at a time: two would delete each other's files, so the second waits and finds it done.
    """
    target = ROOT / "staticfiles"
    verify_owner(target)
    with hold_directory(ROOT / "static"):
        gather_static(target)


@contextlib.contextmanager
def hold_directory(directory: Path) -> Iterator[None]:
    """Keep other processes that ask for the same directory waiting, until this one is done or dead."""
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def gather_static(target: Path) -> None:
    """Copy, name and compress the static files into `target`, unless it holds them as they are."""
    sources = [file for file in (ROOT / "static").rglob("*") if file.is_file()]
    stamp, state = target / ".gathered", digest([*sources, ROOT / "requirements.txt"])
    if done_before(stamp, state) and (target / "staticfiles.json").is_file():
        return
    say("Gathering static files, then compressing them: a minute or more")
    stamp.unlink(missing_ok=True)
    served = {"DJANGO_SETTINGS_MODULE": "campaign.config.settings", "DEBUG": "false", "PYTHONUNBUFFERED": "1"}
    command = [str(PYTHON), "manage.py", "collectstatic", "--noinput", "--clear", "--verbosity", "2"]
    with subprocess.Popen(
        command,
        cwd=ROOT,
        env={"SECRET_KEY": "nothing is signed here", **os.environ, **served},
        stdout=subprocess.PIPE,
        text=True,
        errors="replace",
    ) as process:
        assert process.stdout is not None
        for told in report_gathering(process.stdout):
            say(told)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    stamp.write_text(state)


def report_gathering(lines: Iterable[str]) -> Iterator[str]:
    """How far the gathering of static files is: a line for every `GATHERED` files copied or made of them."""
    copied = made = 0
    for line in lines:
        copied += line.startswith("Copying ")
        made += line.startswith("Post-processed ")
        if line.startswith(("Copying ", "Post-processed ")) and (copied + made) % GATHERED == 0:
            yield f"  {copied} static files copied, {made} named and compressed"
    yield f"  {copied} static files copied, {made} named and compressed: done"


def installed(program: str) -> bool:
    """Whether it is on the path, or where Debian keeps the programs of PostgreSQL."""
    return bool(shutil.which(program) or list(Path("/usr/lib/postgresql").glob(f"*/bin/{program}")))


def servers() -> None:
    """Install the browser and servers the tests drive, or say which tests will be left out."""
    missing = {program: package for program, package in SERVERS.items() if not installed(program)}
    if not missing:
        return
    if Path("/etc/debian_version").exists() and os.geteuid() == 0:
        say(f"Installing {', '.join(missing.values())}")
        # A package that starts its server at once would take the port a club may use.
        quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive", "RUNLEVEL": "1"}
        for command in (
            ["apt-get", "update", "-qq"],
            ["apt-get", "install", "-y", "-qq", "--no-install-recommends", *missing.values()],
        ):
            subprocess.run(command, env=quiet, stdout=subprocess.DEVNULL, check=False)
        missing = {program: package for program, package in missing.items() if not installed(program)}
    if missing and os.environ.get("CI") == "true":
        sys.exit(f"In CI nothing is left out, but {', '.join(missing)} could not be installed.")
    if missing:
        say(f"Left out: the tests that drive {', '.join(missing)} (not installed here).")


def lan() -> None:
    """End with a sentence when LAN is given and is no private address of this machine."""
    wanted = os.environ.get("LAN")
    if wanted is None:
        return
    how = "Give this machine's own address in the club's network, as in: make run LAN=192.168.1.20"
    try:
        address = ipaddress.IPv4Address(wanted)
    except ValueError:
        sys.exit(f"“{wanted}” is no address. {how}" if wanted else f"LAN is empty. {how}")
    if address.is_loopback or address.is_unspecified or address.is_multicast:
        sys.exit(f"{address} is not where phones find this machine. {how}")
    if not address.is_private:
        sys.exit(
            f"{address} is an address of the open internet, and LAN mode has no https. {how}; for the "
            "internet see “Settings by environment” in docs/commands.md."
        )
    with socket.socket() as probe:
        try:
            probe.bind((wanted, 0))
        except OSError:
            sys.exit(f"{address} is not an address of this machine. {how}")


def port() -> None:
    """End with a sentence when the address the site is to answer at cannot be had."""
    bind = os.environ.get("AWI_BIND", "127.0.0.1:8000")
    if bind.startswith(("unix:", "fd:")):
        return
    host, _, number = bind.rpartition(":")
    host = host.strip("[]") or "0.0.0.0"
    if not number.isdecimal() or len(number) > 5 or not 0 < int(number) < 65536:
        sys.exit(f"{number} is no port; choose one from 1 to 65535: make run PORT=8001")
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        # As gunicorn does, so that a port closed a moment ago counts as free.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, int(number)))
            probe.listen()
        except OSError as error:
            sys.exit(
                f"The site cannot open at {bind} ({error.strerror}). Stop what runs there, or choose "
                "another port: make run PORT=8001"
            )


def serve(command: tuple[str, ...] = ("honcho", "--no-prefix", "start")) -> None:
    """Run `command` and pass on what it prints, until it ends or nobody reads our output any more.

    Its children lead sessions of their own, so it must be told to end them: killed by a broken
    pipe it would leave them behind. Interrupts of the terminal reach it without us.
    """
    process = subprocess.Popen(command, stdout=subprocess.PIPE)
    assert process.stdout is not None
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: process.terminate())
    source, target = process.stdout.fileno(), sys.stdout.fileno()
    watch = select.poll()
    watch.register(source, select.POLLIN)
    watch.register(target, 0)  # tells of a closed pipe even while nothing is printed
    listening = True
    while True:
        ready = dict(watch.poll())
        if listening and target in ready:
            listening = False
            watch.unregister(target)
            process.terminate()
        if source in ready:
            printed = os.read(source, 65536)
            if not printed:
                break
            if listening:
                # What cannot be written will be told by the next poll.
                with contextlib.suppress(BrokenPipeError):
                    os.write(target, printed)
    sys.exit(process.wait())


def targets() -> None:
    """Print each target of the Makefile with what its `##` says."""
    for name, text in re.findall(r"^([a-z-]+):.*?## (.+)$", (ROOT / "Makefile").read_text(), re.MULTILINE):
        say(f"  make {name:<12} {text}")


def keep(command: list[str]) -> None:
    """Run `command` until it ends well or we are told to stop; when it dies, start it again.

    It runs in a process group of its own, so that a signal meant for all of ours reaches a worker
    once, and through us: its children may then finish what they do, for PATIENCE seconds.
    """
    stopping = False
    process: subprocess.Popen[bytes] | None = None

    def stop(number: int, frame: object) -> None:
        nonlocal stopping
        if not stopping and process is not None:
            process.terminate()
        stopping = True
        signal.setitimer(signal.ITIMER_REAL, PATIENCE)

    def kill(number: int, frame: object) -> None:
        if process is not None and process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)
    signal.signal(signal.SIGALRM, kill)
    while not stopping:
        process = subprocess.Popen(command, process_group=0)
        code = process.wait()
        if code == 0 or stopping:
            break
        say(f"{command[0]} ended with code {code}; starting it again in 2 s")
        time.sleep(2)


STEPS = {
    "environment": environment,
    "tests": tests,
    "secret": secret,
    "static": static,
    "servers": servers,
    "lan": lan,
    "port": port,
    "serve": serve,
    "targets": targets,
}


def main(arguments: list[str]) -> None:
    """Do the steps named, in order."""
    if arguments[:1] == ["keep"] and arguments[1:]:
        keep(arguments[1:])
        return
    if not arguments or any(name not in STEPS for name in arguments):
        sys.exit(__doc__)
    for name in arguments:
        STEPS[name]()


if __name__ == "__main__":
    main(sys.argv[1:])
