"""Our modules are served with their importers' names for them, so that no browser mixes two releases."""

import re
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.storage import FileSystemStorage

from campaign.config.static_files import HashedStaticFiles

STATIC = Path(settings.BASE_DIR) / "static"
IMPORT = re.compile(r"""(?m)^(?:import|export)[^"'\n]*["'](\.[^"']+)["'];""")


def hashed_scripts(folder: Path) -> dict[str, str]:
    """Our scripts as they are served: text by name."""
    storage = HashedStaticFiles(location=str(folder), base_url="/static/")
    source = FileSystemStorage(location=str(STATIC))
    found = {}
    for path in sorted((STATIC / "js").rglob("*.js")):
        name = path.relative_to(STATIC).as_posix()
        with source.open(name) as script:
            storage.save(name, script)
        found[name] = (source, name)
    for name, _, done in storage.post_process(found):
        assert not isinstance(done, Exception), (name, done)
    return {storage.url(name): (folder / storage.stored_name(name)).read_text() for name in found}


def test_modules_import_modules_by_their_hashes(tmp_path, settings):
    settings.DEBUG = False
    scripts = hashed_scripts(tmp_path)
    imported = 0
    for address, text in scripts.items():
        for name in IMPORT.findall(text):
            base = Path(address).parent
            target = (base / name).as_posix()
            while "/../" in target:
                target = re.sub(r"/[^/]+/\.\./", "/", target, count=1)
            assert target.replace("/./", "/") in scripts, (address, name)
            imported += 1
    assert imported > 30


def test_another_text_of_a_module_is_another_name_of_all_that_import_it(tmp_path, settings, monkeypatch):
    settings.DEBUG = False
    before = set(hashed_scripts(tmp_path / "before"))
    release = tmp_path / "release"
    for path in (STATIC / "js").rglob("*.js"):
        copy = release / path.relative_to(STATIC)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(path.read_text() + ("// another release\n" if path.name == "form_send.js" else ""))
    monkeypatch.setattr("tests.campaign.config.test_static_files.STATIC", release)
    changed = {address.split(".")[0] for address in set(hashed_scripts(tmp_path / "after")) - before}
    assert changed == {"/static/js/form_send", "/static/js/desk", "/static/js/send"}


def test_every_page_with_htmx_tells_what_fails():
    """One include brings htmx and the script that says what failed or came late."""
    templates = Path(settings.BASE_DIR) / "templates"
    [bringing] = [path for path in templates.rglob("*.html") if "htmx-2.min.js" in path.read_text()]
    assert bringing.name == "_htmx.html" and "js/request_errors.js" in bringing.read_text()
    users = [path for path in templates.rglob("*.html") if "campaign/_htmx.html" in path.read_text()]
    assert len(users) == 12
