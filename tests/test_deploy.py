"""What is written for those who run the site fits the site: image, compose file, units, settings."""

import configparser
import os
import re
import secrets
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[1]
DEPLOY = ROOT / "deploy"
PARTS = ("web", "worker", "beat")
UNITS = [DEPLOY / "systemd" / f"campaign-{part}.service" for part in PARTS]
#: What Compose knows of a service, as far as our file uses it.
SERVICE = {
    "build", "command", "depends_on", "env_file", "environment", "healthcheck", "image", "ports", "restart",
    "stop_grace_period", "volumes",
}  # fmt: skip
CONDITIONS = {"service_healthy", "service_completed_successfully", "service_started"}


def compose() -> dict:
    return yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))


def example() -> dict[str, str]:
    lines = (DEPLOY / "campaign.env.example").read_text(encoding="utf-8").splitlines()
    return dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))


def documented() -> set[str]:
    """Variables in the table of docs/commands.md."""
    rows = re.findall(r"^\| (`[A-Z_`, ]+`) \|", (ROOT / "docs/commands.md").read_text(), re.MULTILINE)
    return {name for row in rows for name in re.findall(r"`([A-Z_]+)`", row)}


def test_the_dockerfile_is_linted():
    linter = Path(sys.executable).parent / "hadolint"
    done = subprocess.run([linter, DEPLOY / "Dockerfile"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")


def test_the_image_copies_what_is_there_and_leaves_secrets_and_tests_behind():
    text = (DEPLOY / "Dockerfile").read_text()
    for line in re.findall(r"^COPY (?!--from)(\S+)", text, re.MULTILINE):
        assert (ROOT / line).exists(), line
    assert "--requirement requirements.txt" in text and "requirements-tests.txt" not in text
    ignored = (DEPLOY / "Dockerfile.dockerignore").read_text().splitlines()
    assert {".env", ".git", ".venv", "var"} <= set(ignored)
    assert re.search(r"^USER \d+$", text, re.MULTILINE), "nothing runs as root"


def test_the_compose_file_names_only_what_there_is():
    found = compose()
    services = found["services"]
    assert set(services) == {"postgres", "redis", "set-up", *PARTS}
    for name, service in services.items():
        assert set(service) <= SERVICE, name
        for other, wait in service.get("depends_on", {}).items():
            assert wait["condition"] in CONDITIONS and other in services, name
            if wait["condition"] == "service_healthy":
                assert "healthcheck" in services[other], other
        for volume in service.get("volumes", ()):
            assert volume.split(":")[0] in found["volumes"], volume
        for port in service.get("ports", ()):
            assert port.startswith("127.0.0.1:"), "only the proxy of this machine reaches it"
        for variable, value in service.get("environment", {}).items():
            assert isinstance(value, str), variable
    for part in PARTS:
        assert services[part]["command"] == [part]
        assert services[part]["image"] == services["set-up"]["image"] == "campaign"
    assert (DEPLOY / services["web"]["env_file"]).with_suffix(".env.example").exists()
    build = services["set-up"]["build"]
    assert (DEPLOY / build["context"] / build["dockerfile"]).is_file()


def test_every_variable_given_is_one_the_site_knows():
    given = set(example()) - {"POSTGRES_PASSWORD"}
    for part in PARTS:
        given |= set(compose()["services"][part]["environment"])
    given |= set(re.findall(r"^Environment=(\w+)=", UNITS[0].read_text(), re.MULTILINE))
    given |= set(re.findall(r"^(?:ENV)? +([A-Z_]+)=", (DEPLOY / "Dockerfile").read_text(), re.MULTILINE))
    assert given - {"PATH", "PYTHONUNBUFFERED", "SECRET_KEY"} <= documented()


def test_the_settings_have_no_variable_that_is_not_told():
    read = set()
    for file in (ROOT / "campaign/config").glob("*.py"):
        read |= set(re.findall(r"""env\.\w+\(\s*"([A-Z_]+)\"""", file.read_text()))
        read |= set(re.findall(r"""os\.environ\.get\("([A-Z_]+)\"""", file.read_text()))
    assert read - documented() == set()


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.stem)
def test_a_unit_starts_a_part_there_is(unit):
    found = configparser.RawConfigParser(strict=False)
    found.optionxform = str
    found.read(unit)
    part = unit.stem.removeprefix("campaign-")
    assert found["Service"]["ExecStart"] == f"/bin/sh deploy/start {part}"
    assert found["Service"]["User"] == "campaign" and found["Service"]["Restart"] == "always"
    assert found["Unit"]["PartOf"] == "campaign.target"
    target = (unit.parent / "campaign.target").read_text()
    assert unit.name in target
    if shutil.which("systemd-analyze"):
        done = subprocess.run(
            ["systemd-analyze", "verify", "--man=no", unit], capture_output=True, text=True, check=False
        )
        assert unit.name not in done.stderr, done.stderr


def test_a_part_is_started_as_the_procfile_does():
    script = (DEPLOY / "start").read_text()
    procfile = dict(line.split(": ", 1) for line in (ROOT / "Procfile").read_text().splitlines())
    assert procfile["web"].removeprefix("exec ") in script
    assert "--app campaign.config beat --loglevel warning --pidfile=" in script
    for part in PARTS:
        assert re.search(rf"^{part}\)", script, re.MULTILINE)
    wrong = subprocess.run(["sh", DEPLOY / "start", "stoker"], capture_output=True, text=True, check=False)
    assert wrong.returncode == 2 and "Unknown part stoker" in wrong.stderr


@pytest.mark.slow
@pytest.mark.parametrize("more", [{}, {"REDIS_URL": "redis://redis:6379/0"}], ids=["one", "several"])
def test_django_s_own_checks_find_nothing_in_the_settings_the_documents_give(tmp_path, more):
    settings = {**example(), "SECRET_KEY": secrets.token_urlsafe(64), **more}
    if more:
        settings["DATABASE_URL"] = "postgres://campaign:secret@postgres/campaign"
    done = subprocess.run(
        [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"],
        cwd=ROOT,
        env={
            "PATH": os.environ["PATH"],
            "AWI_VAR": str(tmp_path),
            "DJANGO_SETTINGS_MODULE": "campaign.config.settings",
            **settings,
        },
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert "no issues" in done.stdout + done.stderr


def test_every_file_the_documents_name_is_there():
    for document in ("deploy.md", "upgrading.md"):
        text = (ROOT / "docs" / document).read_text(encoding="utf-8")
        for name in re.findall(r"`(deploy/[\w./-]+)`", text):
            assert (ROOT / name).exists(), name
        for target in re.findall(r"\]\(([\w.-]+\.md)(?:#[\w-]+)?\)", text):
            assert (ROOT / "docs" / target).exists(), target
