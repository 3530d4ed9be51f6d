"""Archives made to keep their first look busy: endless lists, long names, folders in folders, manifests."""

import io
import json
import struct
import zipfile
from collections.abc import Callable, Iterator

MB = 2**20
#: Bytes of the lists that are as long as an upload may be.
LONGEST = 24 * MB
FORMAT = "awi-campaign-archive"


def build_list(count: int, name: Callable[[int], bytes]) -> bytes:
    """A zip whose list names one file of no bytes `count` times, under as many names."""
    local = struct.pack("<4s5H3I2H", b"PK\3\4", 20, 0, 0, 0, 0x21, 0, 0, 0, 1, 0) + b"a"
    entries = bytearray()
    for number in range(count):
        said = name(number)
        fields = (20, 20, 0, 0, 0, 0x21, 0, 0, 0, len(said), 0, 0, 0, 0, 0, 0)
        entries += struct.pack("<4s6H3I5H2I", b"PK\1\2", *fields) + said
    told = min(count, 0xFFFF)
    end = struct.pack("<4s4H2IH", b"PK\5\6", 0, 0, told, told, len(entries), len(local), 0)
    return local + bytes(entries) + end


def build_zip(files: dict[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return stream.getvalue()


def manifest(**more: object) -> bytes:
    return json.dumps({"format": FORMAT, "digest": "x", **more}).encode()


def hostile() -> Iterator[tuple[str, bytes]]:
    yield "a list of 100,000", build_list(100_000, b"%d".__mod__)
    yield "a list of 400,000", build_list(400_000, b"%d".__mod__)
    yield "a list of 9,999", build_list(9_999, b"%d".__mod__)
    yield "names of 60,000", build_list(LONGEST // 60_100, lambda n: (b"%d" % n).ljust(60_000, b"x"))
    yield "folders in folders", build_list(4_900, lambda n: b"a/" * 2_400 + b"%05d" % n)
    yield "many folders", build_list(LONGEST // 60_100, lambda n: b"a/" * 30_000 + b"%05d" % n)
    yield "backslashes", build_list(4_900, lambda n: b"a\\" * 2_400 + b"%05d" % n)
    yield "ways out", build_list(4_900, lambda n: b"../" * 1_600 + b"%05d" % n)
    yield "the same name", build_list(4_900, lambda _: b"a" * 4_800)
    hashes = {f"{n}": {"bytes": 1, "sha256": "0" * 64} for n in range(30_000)}
    yield "a manifest of 30,000 files", build_zip({"manifest.json": manifest(files=hashes)})
    numbers = [n * 7_919 for n in range(300_000)]
    yield "a manifest of numbers", build_zip({"manifest.json": manifest(numbers=numbers)})
    fields = {f"{n * 7_919:07d}": n for n in range(180_000)}
    yield "a manifest of fields", build_zip({"manifest.json": manifest(**fields)})
    texts = [f"{n:x}\u00e9" for n in range(150_000)]
    yield "a manifest of texts", build_zip({"manifest.json": manifest(texts=texts)})
    yield "zeros", build_zip({"manifest.json": manifest(), "x": bytes(64 * MB)})
    yield "a manifest of zeros", build_zip({"manifest.json": bytes(3 * MB)})
    yield (
        "a scenario of zeros",
        build_zip({"manifest.json": manifest(), "scenario/places.csv": bytes(3 * MB)}),
    )
