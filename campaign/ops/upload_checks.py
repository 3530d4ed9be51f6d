"""Files people send: how large a request may be, and zips that must not unpack to more than they seem."""

import re
import stat
from typing import Protocol
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from rosters.file_kinds import file_kind, text_kind

#: Bytes of a request: usual, and where files are sent (twelve photographs of fifteen MB and their form).
USUAL_REQUEST = 4 * 2**20
LARGEST_REQUEST = 192 * 2**20
#: Addresses of pages that take files, by name. The API's say for themselves how much they take.
TAKE_FILES = {"battle-result": LARGEST_REQUEST, "restorations": 25 * 2**20}


class Refused(ValueError):
    """The file is not taken; the sentence says why."""


class Readable(Protocol):
    """A file as it was sent."""

    def read(self, size: int = ..., /) -> bytes: ...


def bytes_of(file: Readable, largest: int) -> bytes | None:
    """All of a file, None if it is larger than `largest`; no more than that is ever read."""
    data = file.read(largest + 1)
    return data if len(data) <= largest else None


#: Letters of a file's name that a refusal says.
LONGEST_NAME = 80
#: What desktops, spreadsheets and packers leave in a folder: nobody put it there.
_LITTER = re.compile(r"\.DS_Store|Thumbs\.db|desktop\.ini|\._.*|~\$.*|\.~lock\..*#", re.IGNORECASE)


def zip_files(archive: ZipFile) -> dict[str, ZipInfo]:
    """The files in a zip by their names, whichever program packed them. Raises Refused.

    Left out are entries of folders and what a desktop leaves behind; `\\` counts as `/`, and folders around
    all of them as nothing. No name leads out of its folder, none stands there twice.
    """
    found: dict[str, ZipInfo] = {}
    for info in archive.infolist():
        name = info.orig_filename.replace("\\", "/")
        if ":" in name and not re.match("[A-Za-z]:", name):
            raise Refused(f"it holds '{shown_name(name)}', whose name has a colon")
        if info.orig_filename != info.filename or _leads_out(name):
            raise Refused(f"it holds a file called '{shown_name(name)}', which leads out of its folder")
        *folders, last = name.split("/")
        if not last or "__MACOSX" in folders or _LITTER.fullmatch(last):
            continue
        if name in found:
            raise Refused(f"it holds '{shown_name(name)}' twice")
        found[name] = info
    parts = [name.split("/") for name in found]
    within = [each[:-1] for each in parts]
    nothing: list[str] = []
    least, most = min(within, default=nothing), max(within, default=nothing)  # what these share all share
    shared = (at for at, (one, other) in enumerate(zip(least, most, strict=False)) if one != other)
    around = next(shared, min(len(least), len(most)))
    return {"/".join(each[around:]): info for each, info in zip(parts, found.values(), strict=True)}


def shown_name(name: str) -> str:
    """A file's name as refusals say it; in a zip it may have 65,535 letters, and any of all there are."""
    more = "…" if len(name) > LONGEST_NAME else ""
    return "".join(letter if letter.isprintable() else "?" for letter in name[:LONGEST_NAME]) + more


def entries_verify(data: bytes, files: int) -> None:
    """Refuse a zip of far more entries than are read before its list is: half a million take seconds.

    Each entry of the list begins with these four bytes, which stand elsewhere by chance alone.
    """
    if data.count(b"PK\x01\x02") > 2 * files:
        raise Refused(f"it holds more than {2 * files} files, and {files} at most are read")


def zip_verify(
    archive: ZipFile, *, files: int, largest: int, together: int, shrunk: int
) -> dict[str, ZipInfo]:
    """The files in a zip by their names, of which none was unpacked yet. Raises Refused.

    At most `files` entries, `largest` bytes unpacked each and `together` in all, none shrunk to less than one
    part in `shrunk`; no link, nothing enciphered and nothing packed otherwise than every zip is (other ways
    fail with errors of their own); names as `zip_files` takes them.
    """
    infos = archive.infolist()
    if len(infos) > files:
        raise Refused(f"it holds {len(infos)} files, and {files} at most are read")
    for info in infos:
        if info.flag_bits & 1:
            raise Refused(f"{shown_name(info.filename)} is locked with a password")
        if stat.S_ISLNK(info.external_attr >> 16):
            raise Refused(f"{shown_name(info.filename)} is a link")
        if info.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
            raise Refused(f"{shown_name(info.filename)} is packed in an unusual way")
        if info.file_size > largest or info.file_size > max(info.compress_size, 4096) * shrunk:
            raise Refused(f"{shown_name(info.filename)} would be {info.file_size} bytes unpacked")
    if sum(info.file_size for info in infos) > together:
        raise Refused(f"it would be more than {together // 2**20} MiB unpacked")
    return zip_files(archive)


def zip_damage(start: bytes) -> str:
    """Explain why a file that begins with these bytes is no readable zip, and what to do."""
    kind = file_kind(start) or text_kind(start.decode("utf-8", "replace"))
    if not start:
        return "it is empty; choose the file again"
    if start.startswith(b"PK"):
        return "it is damaged or cut off; download or copy it again"
    if kind.endswith("archive"):
        return f"it is {kind}; unpack it and pack the files as ZIP"
    if kind:
        return f"it is {kind}; choose or download the ZIP file itself"
    return "it does not begin as one; choose another, or pack it again"


def _leads_out(name: str) -> bool:
    return ":" in name or name.startswith("/") or ".." in name.split("/") or not name.isprintable()


def part_of(archive: ZipFile, info: ZipInfo) -> bytes:
    """One file of a verified zip; no more than its entry announces, whatever its stream unpacks to."""
    with archive.open(info) as stream:
        data = stream.read(info.file_size + 1)
    if len(data) != info.file_size:
        raise Refused(f"{shown_name(info.filename)} has not the size it is said to have")
    return data


def most_of_request(name: str) -> int:
    """Bytes a request to the address of this name may have."""
    return TAKE_FILES.get(name, USUAL_REQUEST)
