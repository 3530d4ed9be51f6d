"""The ZIP file of an archive: written with a manifest of hashes, and read whole or refused (HR-ARC-01)."""

import errno
import hashlib
import io
import json
import os
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from campaign.ledger.hash_chain import compute_digest
from campaign.ops.upload_checks import Refused, entries_verify, part_of, shown_name, zip_damage, zip_verify
from campaign.rules.errors import RuleViolation
from rosters.domain.text import first_fault

FORMAT = "awi-campaign-archive"
MANIFEST = "manifest.json"
#: What an archive may hold at most: files, bytes of one file and bytes of all, unpacked.
MOST_FILES = 20_000
MOST_BYTES_A_FILE = 128 * 2**20
MOST_BYTES = 1024 * 2**20
#: JSON of a campaign shrinks to a fifth or a twentieth; what shrinks far more is no campaign.
MOST_SHRUNK = 250
#: Years before 1980 cannot be written in a zip; the same campaign is to give the same bytes.
NO_TIME = (1980, 1, 1, 0, 0, 0)


#: Bytes of a manifest that is looked at alone: a line for each of the most files there may be.
LARGEST_MANIFEST = 4 * 2**20


#: Bytes by which a file that is no zip is known.
START = 4096


@dataclass(frozen=True, slots=True)
class Bounds:
    """Upper limits for reading an archive: number of files, bytes of one file and bytes of all, unpacked."""

    files: int
    largest: int
    together: int


class ArchiveRefused(RuleViolation):
    """The archive is not whole, not ours or not sound; nothing was written."""

    def __init__(self, message: str) -> None:
        super().__init__("HR-ARC-01", message, "archive")


def archive_write(path: Path, files: Mapping[str, bytes], facts: Mapping[str, Any], *, mode: int) -> None:
    """Write `files` as a zip at `path`, with a manifest of `facts` and the files' hashes.

    The file appears whole or not at all, with the permissions of `mode`. Raises ArchiveRefused when
    `path` exists or cannot be written.
    """
    manifest = {
        "format": FORMAT,
        **facts,
        "files": {
            name: {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
            for name, data in sorted(files.items())
        },
    }
    manifest["digest"] = compute_digest(manifest)

    def pack(stream: IO[bytes]) -> None:
        with zipfile.ZipFile(stream, "w") as archive:
            _add_zip_entry(archive, MANIFEST, json.dumps(manifest, indent=1, ensure_ascii=False).encode())
            for each in sorted(files):
                _add_zip_entry(archive, each, files[each])

    _write_whole(path, pack, mode)


def paper_write(path: Path, paper: Mapping[str, Any]) -> None:
    """Write a side's journal as JSON. Raises ArchiveRefused as `archive_write` does."""
    text = json.dumps(paper, indent=1, ensure_ascii=False).encode()
    _write_whole(path, lambda stream: stream.write(text), 0o644)


def _write_whole(path: Path, fill: Callable[[IO[bytes]], object], mode: int) -> None:
    """A file that appears whole or not at all."""
    if path.exists():
        raise ArchiveRefused(f"{path} exists already; choose another name or take it away first.")
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except OSError as error:
        raise ArchiveRefused(f"{path} cannot be written: {error.strerror}.") from error
    try:
        with os.fdopen(handle, "wb") as stream:
            fill(stream)
        Path(name).chmod(mode)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _add_zip_entry(archive: zipfile.ZipFile, name: str, data: bytes) -> None:
    archive.writestr(zipfile.ZipInfo(name, NO_TIME), data, zipfile.ZIP_DEFLATED, 6)


def archive_read(path: Path, bounds: Bounds | None = None) -> tuple[dict[str, Any], dict[str, bytes]]:
    """Read an archive's manifest and files, and check every hash. Raises ArchiveRefused."""
    with _open_zip(path, path.name, bounds) as (archive, infos):
        files = {inside: part_of(archive, info) for inside, info in infos.items()}
    manifest = _parse_manifest(path.name, files.pop(MANIFEST, None), files)
    _check_hashes(manifest, files)
    return manifest, files


def archive_glance(
    data: bytes, name: str, bounds: Bounds, folder: str, most: int
) -> tuple[dict[str, Any], dict[str, bytes]]:
    """The manifest of an archive and the files of one folder in it, at most so many bytes; the rest is left.

    Raises ArchiveRefused.
    """
    with _open_zip(io.BytesIO(data), name, bounds) as (archive, infos):
        found = infos.get(MANIFEST)
        if found is not None and found.file_size > LARGEST_MANIFEST:
            raise Refused(f"{MANIFEST} would be {found.file_size} bytes unpacked")
        manifest = _parse_manifest(name, None if found is None else part_of(archive, found), infos)
        looked = {inside: info for inside, info in infos.items() if inside.startswith(folder)}
        if sum(info.file_size for info in looked.values()) > most:
            raise Refused(f"its {folder} would be more than {most // 2**20} MiB unpacked")
        files = {inside: part_of(archive, info) for inside, info in looked.items()}
    listed = manifest.get("files")
    missing = sorted(listed.keys() - infos.keys()) if isinstance(listed, dict) else [MANIFEST]
    if missing:
        raise ArchiveRefused(f"{shown_name(missing[0])} is missing from the archive.")
    return manifest, files


@contextmanager
def _open_zip(
    source: Path | IO[bytes], name: str, bounds: Bounds | None
) -> Iterator[tuple[zipfile.ZipFile, dict[str, zipfile.ZipInfo]]]:
    """Open an archive's ZIP and list its files by name without unpacking them. Raises ArchiveRefused."""
    bounds = bounds or Bounds(MOST_FILES, MOST_BYTES_A_FILE, MOST_BYTES)
    try:
        if isinstance(source, io.BytesIO):
            entries_verify(source.getvalue(), bounds.files)
        with zipfile.ZipFile(source) as archive:
            infos = zip_verify(
                archive,
                files=bounds.files,
                largest=bounds.largest,
                together=bounds.together,
                shrunk=MOST_SHRUNK,
            )
            yield archive, infos
    except ArchiveRefused:
        raise
    except Refused as refused:
        raise ArchiveRefused(
            f"The archive is not read: {refused}. Download it again, and bring it in as it came."
        ) from refused
    except FileNotFoundError as error:
        raise ArchiveRefused(f"There is no file {source}.") from error
    except OSError as error:
        if error.errno == errno.EINVAL:  # a place before the beginning: what came first was cut off
            raise ArchiveRefused(
                f"{name} is not a complete ZIP file: {zip_damage(_start_of(source))}."
            ) from error
        raise ArchiveRefused(f"{name} cannot be read: {error.strerror or error}.") from error
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError) as error:
        raise ArchiveRefused(
            f"{name} is not a complete ZIP file: {zip_damage(_start_of(source))}."
        ) from error


def _start_of(source: Path | IO[bytes]) -> bytes:
    """The first bytes of an archive."""
    if isinstance(source, Path):
        with source.open("rb") as stream:
            return stream.read(START)
    source.seek(0)
    return source.read(START)


def _parse_manifest(name: str, data: bytes | None, others: Iterable[str]) -> dict[str, Any]:
    if data is None:
        cure = next((words for other in others if (words := _describe_other_file(other))), "")
        raise ArchiveRefused(f"{name} has no {MANIFEST}; it is not a campaign archive.{cure}")
    try:
        manifest = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise ArchiveRefused(f"{MANIFEST} is not JSON; the archive was altered.") from error
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        raise ArchiveRefused(f"{name} is not a campaign archive: its {MANIFEST} does not say {FORMAT}.")
    if first_fault(manifest):
        raise ArchiveRefused(f"{MANIFEST} holds characters that cannot be kept; the archive was altered.")
    told = manifest.pop("digest", None)
    if told != compute_digest(manifest):
        raise ArchiveRefused(f"{MANIFEST} does not match its own digest; the archive was altered.")
    return manifest


def _describe_other_file(other: str) -> str:
    """Advise on a zip that holds such a file and no manifest; "" where the file says nothing."""
    if other.endswith(f"/{MANIFEST}"):
        return (
            f" The archive lies in it as a folder beside others: pack {other.rpartition('/')[0][:80]} alone."
        )
    if other.endswith(".zip"):
        return f" Unpack it and choose {shown_name(other)}, which lies in it."
    return " It is a scenario; bring it in as one." if other == "scenario.toml" else ""


def _check_hashes(manifest: Mapping[str, Any], files: Mapping[str, bytes]) -> None:
    """The files are those of the manifest, byte for byte."""
    listed = manifest.get("files")
    if not isinstance(listed, dict):
        raise ArchiveRefused(f"{MANIFEST} lists no files; the archive was altered.")
    for name in sorted(listed.keys() - files.keys()):
        raise ArchiveRefused(f"{shown_name(name)} is missing from the archive.")
    for name in sorted(files.keys() - listed.keys()):
        raise ArchiveRefused(f"{shown_name(name)} is in the archive, but not in its {MANIFEST}; take it out.")
    for name, data in sorted(files.items()):
        if not isinstance(listed[name], dict) or listed[name].get("sha256") != _hash_bytes(data):
            raise ArchiveRefused(
                f"{shown_name(name)} is not the file whose hash {MANIFEST} lists; the archive was altered. "
                "Bring it in as it was downloaded."
            )


def _hash_bytes(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
