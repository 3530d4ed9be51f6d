"""Files that programs send: a scenario of one's own, and a photograph."""

import io
import zipfile

from PIL import Image

from campaign.scenarios.reading import SCENARIOS


def scenario() -> bytes:
    """Saratoga under another name, as a zip."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted((SCENARIOS / "saratoga_1777").iterdir()):
            if path.is_file():
                data = path.read_bytes()
                if path.name == "scenario.toml":
                    data = data.replace(b'"saratoga-1777"', b'"stillwater-1777"', 1)
                archive.writestr(path.name, data)
    return stream.getvalue()


def picture() -> bytes:
    """A small JPEG."""
    Image.new("RGB", (8, 8)).save(stream := io.BytesIO(), "JPEG")
    return stream.getvalue()
