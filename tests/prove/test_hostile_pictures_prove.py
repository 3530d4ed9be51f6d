"""Hostile pictures, for `make prove`: what is accepted never takes more than 200 MB, what is not is told."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from campaign.ops import photo_decoding
from campaign.services.battles import photos
from tests.prove.conftest import Figure
from tests.prove.hostile_pictures import hostile_pictures

pytestmark = pytest.mark.prove

#: Bytes of memory that the decoding of any picture may take, the program itself counted.
MOST_MEMORY = 200 * 2**20
CODES = {0, photo_decoding.UNREADABLE, photo_decoding.TOO_MANY_PIXELS, photo_decoding.TOO_MUCH_MEMORY}
#: Runs the program as the site does, and says its peak in kilobytes.
PEAK = (
    "import resource, subprocess, sys; done = subprocess.run(sys.argv[1:]); "
    "print('PEAK', resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file=sys.stderr); "
    "sys.exit(done.returncode)"
)


def test_hostile_pictures_take_little_memory(figure: Figure, tmp_path: Path) -> None:
    bounds = json.dumps(
        {
            "edge": photos.EDGE,
            "quality": photos.QUALITY,
            "pixels": photos.MOST_PIXELS,
            "memory": photos.MEMORY,
            "seconds": photos.SECONDS,
        }
    )
    file, peaks, taken = tmp_path / "picture", dict[str, int](), 0
    decode = [sys.executable, "-I", photo_decoding.__file__, bounds]
    for name, data in hostile_pictures():
        assert len(data) <= photos.LARGEST, f"{name}: {len(data)} bytes"
        file.write_bytes(data)
        with file.open("rb") as sent:
            done = subprocess.run(
                [sys.executable, "-c", PEAK, *decode], stdin=sent, capture_output=True, check=False
            )
        assert done.returncode in CODES, f"{name}: {done.returncode} {done.stderr.decode()}"
        assert (done.returncode == 0) == done.stdout.startswith(b"\xff\xd8"), name
        found = re.search(rb"PEAK (\d+)", done.stderr)
        assert found is not None
        peaks[name], taken = int(found[1]) * 1024, taken + (done.returncode == 0)
    assert len(peaks) >= 40
    worst = max(peaks, key=lambda name: peaks[name])
    figure(f"{len(peaks)} hostile pictures: taken", f"{taken}, the others refused", "")
    figure(f"peak memory, {worst}", f"{peaks[worst] // 10**6} MB", f"at most {MOST_MEMORY // 2**20} MiB")
    assert peaks[worst] <= MOST_MEMORY
