"""The set-up tool: the secret key, a free port, and processes that leave none behind."""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.servers import free_port

ROOT = Path(__file__).resolve().parents[1]
HOUSE = ROOT / "tools" / "house.py"
#: Seconds for what takes a moment; the machine may be busy.
PATIENCE = 100.0


def test_the_secret_key_is_written_once_and_for_its_owner_only(tmp_path):
    environment = {"PATH": os.environ["PATH"], "AWI_VAR": str(tmp_path / "var")}
    keys = []
    for _ in range(2):
        subprocess.run([sys.executable, HOUSE, "secret"], env=environment, check=True)
        keys.append((tmp_path / "var" / "secret-key").read_text())
    assert keys[0] == keys[1]
    assert len(keys[0]) > 50
    assert (tmp_path / "var" / "secret-key").stat().st_mode & 0o777 == 0o600


@pytest.mark.slow
def test_static_files_are_gathered_for_the_served_site_whoever_asks(tmp_path):
    for name in ("campaign", "battles", "rosters", "static", "templates", "tools"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("manage.py", "requirements.txt"):
        shutil.copy(ROOT / name, tmp_path / name)
    (tmp_path / ".venv").symlink_to(ROOT / ".venv")
    with (tmp_path / "campaign" / "config" / "settings.py").open(
        "a"
    ) as settings:  # those of packages take a minute
        settings.write('\nSTATICFILES_FINDERS = ["django.contrib.staticfiles.finders.FileSystemFinder"]\n')
    gathered = tmp_path / "staticfiles"

    def gather(**environment: str) -> subprocess.Popen[str]:
        given = {"PATH": os.environ["PATH"], "AWI_VAR": str(tmp_path / "var"), **environment}
        asked = [sys.executable, tmp_path / "tools" / "house.py", "static"]
        return subprocess.Popen(asked, env=given, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    # Two at once: the second waits for the first, and finds everything there.
    both = [gather(DJANGO_SETTINGS_MODULE="campaign.config.settings_test", DEBUG="true"), gather()]
    printed = [process.communicate(timeout=300)[0] for process in both]
    assert [process.returncode for process in both] == [0, 0], printed
    assert sorted("Gathering" in text for text in printed) == [False, True]
    named = json.loads((gathered / "staticfiles.json").read_text())["paths"]
    assert (gathered / named["css/base.css"]).is_file() and (gathered / "css" / "base.css").is_file()
    assert gather().communicate(timeout=60)[0] == "", "what is whole is not gathered again"


def test_a_process_that_dies_is_started_again_and_one_told_to_stop_is_not(tmp_path):
    log = tmp_path / "starts"
    code = f"""
import os, signal, time
with open({str(log)!r}, "a") as log:
    log.write("start\\n")
if open({str(log)!r}).read().count("start") == 1:
    os.kill(os.getpid(), signal.SIGKILL)
time.sleep(600)
"""
    keeper = subprocess.Popen([sys.executable, HOUSE, "keep", sys.executable, "-c", code])
    try:
        deadline = time.monotonic() + PATIENCE
        while not (log.exists() and log.read_text().count("start") == 2):
            assert time.monotonic() < deadline, "the process was not started again"
            time.sleep(0.05)
        keeper.send_signal(signal.SIGTERM)
        keeper.wait(timeout=PATIENCE)
    finally:
        keeper.kill()
        keeper.wait()
    assert log.read_text().count("start") == 2


def test_a_port_in_use_is_told_in_a_sentence_and_nothing_is_started():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        number = taken.getsockname()[1]
        process = subprocess.run(
            ["make", "run", f"PORT={number}"],
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
    assert process.returncode != 0
    assert f"The site cannot open at 127.0.0.1:{number} (Address already in use)" in process.stderr
    assert "Campaign" not in process.stdout and "started" not in process.stdout


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("", "LAN is empty."),
        ("club", "“club” is no address."),
        ("192.168.1.20:8000", "“192.168.1.20:8000” is no address."),
        ("127.0.0.1", "127.0.0.1 is not where phones find this machine."),
        ("0.0.0.0", "0.0.0.0 is not where phones find this machine."),
        ("8.8.8.8", "8.8.8.8 is an address of the open internet, and LAN mode has no https."),
        ("10.255.255.254", "10.255.255.254 is not an address of this machine."),
    ],
)
def test_an_address_phones_could_not_use_is_told_and_nothing_is_started(address, said):
    process = subprocess.run(
        ["make", "run", f"LAN={address}"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert process.returncode != 0
    assert said in process.stderr and "make run LAN=192.168.1.20" in process.stderr
    assert "Installing" not in process.stdout and "open at" not in process.stdout


def test_in_a_club_s_network_the_site_is_no_demo_whatever_is_set_elsewhere():
    """What `make run LAN=` would do, and with what, as make itself has it."""
    process = subprocess.run(
        ["make", "--dry-run", "--print-data-base", "run", "LAN=192.168.1.20", "PORT=8010"],
        cwd=ROOT,
        env={
            **os.environ,
            "AWI_DEMO": "1",
            "ALLOWED_HOSTS": "*",
            "SITE_URL": "https://elsewhere.example.org",
        },
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    given = dict(re.findall(r"^run: (\w+) := (.*)$", process.stdout, re.MULTILINE))
    assert given == {
        "AWI_LAN": "1",
        "AWI_DEMO": "0",
        "HTTPS": "false",
        "AWI_BIND": "192.168.1.20:8010",
        "SITE_URL": "http://192.168.1.20:8010",
        "ALLOWED_HOSTS": "192.168.1.20",
    }
    assert "compileengine" in process.stdout and "loadscenario saratoga-1777 --demo" not in process.stdout


@pytest.mark.parametrize("bind", ["127.0.0.1:ninety", "127.0.0.1:0", "127.0.0.1:99999"])
def test_a_port_that_is_none_is_told(bind):
    process = subprocess.run(
        [sys.executable, HOUSE, "port"],
        env={**os.environ, "AWI_BIND": bind},
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode == 1
    assert "is no port; choose one from 1 to 65535" in process.stderr


@pytest.mark.parametrize("bind", ["127.0.0.1:{}", "0.0.0.0:{}", "unix:/run/campaign.sock"])
def test_a_free_port_is_taken(bind):
    environment = {**os.environ, "AWI_BIND": bind.format(free_port())}
    subprocess.run([sys.executable, HOUSE, "port"], env=environment, check=True)


SLEEPER = """
import os, sys, time
open(f"up-{os.getpid()}", "w").close()
print("up", flush=True)
time.sleep(600)
"""


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize("end", ["the pipe closes", "told to stop"])
def test_serving_leaves_no_process_behind(tmp_path, end):
    (tmp_path / "sleeper.py").write_text(SLEEPER)
    start = f"exec {sys.executable} sleeper.py"
    (tmp_path / "Procfile").write_text(f"web: {start}\nbeat: {start}\n")
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    serving = subprocess.Popen(
        [sys.executable, HOUSE, "serve"],
        cwd=tmp_path,
        env={**os.environ, "PATH": path, "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
    )
    try:
        assert serving.stdout is not None
        printed = b""
        while printed.count(b"up\n") < 2:
            line = serving.stdout.readline()
            assert line, "it ended by itself"
            printed += line
        children = [int(file.name.removeprefix("up-")) for file in tmp_path.glob("up-*")]
        assert len(children) == 2 and all(alive(child) for child in children)
        # From here on nobody prints anything: the closed pipe must be noticed all the same.
        if end == "the pipe closes":
            serving.stdout.close()
        else:
            serving.terminate()
        serving.wait(timeout=PATIENCE)
    finally:
        serving.terminate()
        serving.wait(timeout=PATIENCE)
    assert [child for child in children if alive(child)] == []
