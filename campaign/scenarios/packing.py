"""A scenario as a zip: read with every care, for it comes from anybody, and unpacked (HR-SCN-01)."""

import io
import re
import stat
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from campaign.scenarios.head import HEAD
from campaign.scenarios.problems import Problem, ScenarioError

#: What a zip may hold at most: bytes of it, files, and bytes unpacked of all of them.
MOST_PACKED, MOST_FILES, MOST_BYTES = 2 * 2**20, 40, 4 * 2**20
#: Lines of a table: a day on a map of thousands of places would keep a worker busy for everybody.
MOST_LINES = 3_000
#: The files a scenario is made of.
NAME = re.compile(r"[a-z][a-z_]{0,40}\.csv|scenario\.toml|SOURCES\.md")
#: Years before 1980 cannot be written in a zip; the same files are to give the same bytes.
NO_TIME = (1980, 1, 1, 0, 0, 0)


def scenario_unzip(data: bytes) -> dict[str, bytes]:
    """The files of a zip, by name; those of one folder at its top count as if they lay there.

    Raises ScenarioError for what is no whole zip of a scenario's files, before anything large is unpacked.
    """
    if len(data) > MOST_PACKED:
        raise _refused("", f"it has more than {MOST_PACKED // 2**20} MB; a scenario has less.")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            infos = [info for info in archive.infolist() if not (info.is_dir() or _left_by_desktop(info))]
            if len(infos) > MOST_FILES:
                raise _refused("", f"it holds {len(infos)} files; a scenario has at most {MOST_FILES}.")
            names = _names(infos)
            return _contents(archive, dict(zip(names, infos, strict=True)))
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError) as error:
        raise _refused("", "it is no whole zip file; pack it again.") from error


def _left_by_desktop(info: zipfile.ZipInfo) -> bool:
    """Whether nobody put it there: what a Mac or Windows keeps of a folder's looks packs itself with it."""
    *folders, name = info.filename.split("/")
    return "__MACOSX" in folders or name in (".DS_Store", "Thumbs.db", "desktop.ini")


def _names(infos: list[zipfile.ZipInfo]) -> list[str]:
    names = []
    for info in infos:
        if stat.S_ISLNK(info.external_attr >> 16):
            raise _refused(info.filename, "it is a link; put the file itself there.")
        if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise _refused(info.filename, "it is packed in an unusual way; pack it as every zip is.")
        if info.orig_filename != info.filename or "\\" in info.filename:
            raise _refused("", "a file's name in it is not plain.")
        names.append(info.filename)
    tops = {name.partition("/")[0] for name in names if "/" in name}
    if len(tops) == 1 and all("/" in name for name in names):
        names = [name.partition("/")[2] for name in names]
    for name in names:
        if not NAME.fullmatch(name) or len(PurePosixPath(name).parts) != 1:
            raise _refused(name, "no file of a scenario is called so; see the template.")
    if len(set(names)) != len(names):
        raise _refused("", "it holds a file twice.")
    if HEAD not in names:
        raise _refused(HEAD, "the file is missing; every scenario needs it.")
    return names


def _contents(archive: zipfile.ZipFile, infos: Mapping[str, zipfile.ZipInfo]) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    left = MOST_BYTES
    for name, info in infos.items():
        with archive.open(info) as stream:  # whatever its entry announces, no more than is left is read
            found[name] = stream.read(left + 1)
        left -= len(found[name])
        if left < 0:
            raise _refused("", f"unpacked it has more than {MOST_BYTES // 2**20} MB; a scenario has less.")
        if b"\0" in found[name] or not _is_text(found[name]):
            raise _refused(name, "it is no text in UTF-8; save it as such.")
        if found[name].count(b"\n") > MOST_LINES:
            raise _refused(name, f"it has more than {MOST_LINES} lines; make the scenario smaller.")
    return found


def _is_text(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _refused(file: str, reason: str) -> ScenarioError:
    return ScenarioError([Problem(file[:80] or "the zip", 0, reason)])


def scenario_zip(files: Mapping[str, bytes]) -> bytes:
    """The same files as a zip, the same bytes for the same files."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name in sorted(files):
            archive.writestr(zipfile.ZipInfo(name, NO_TIME), files[name], zipfile.ZIP_DEFLATED, 6)
    return stream.getvalue()


def files_of(folder: Path) -> dict[str, bytes]:
    """The files of a scenario's folder, by name; the site's own marks begin with a dot and are none."""
    found = (file for file in sorted(folder.iterdir()) if file.is_file() and not file.name.startswith("."))
    return {file.name: file.read_bytes() for file in found}


def files_write(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write files into a folder that is there."""
    for name, data in files.items():
        (folder / name).write_bytes(data)
