"""Makes a small JPEG of a photograph that somebody sent: a program of its own, with little memory and time.

Run as `python -I photo_decoding.py BOUNDS`: the photograph on standard input, the JPEG on standard output.
BOUNDS is JSON: `edge` and `quality` of what is made, `pixels` by format, `memory` in bytes, CPU `seconds`.

Some formats are unpacked whole before they can be made smaller, which takes hundreds of megabytes. The
server's own process never does that, and the system refuses this one more than it was given. No Django here.
"""

import json
import resource
import sys
import warnings
from io import BytesIO
from typing import Any

from PIL import Image, ImageOps

#: Exit codes, by which the caller knows what to say.
UNREADABLE, TOO_MANY_PIXELS, TOO_MUCH_MEMORY = 3, 4, 5


def decode_photo(data: bytes, bounds: dict[str, Any]) -> bytes:
    """A JPEG of the photograph, upright, without place and time of its taking; of several pictures the first.

    Raises OSError, ValueError, SyntaxError or a Warning for what cannot be read, MemoryError for what takes
    too much, OverflowError for one with too many pixels.
    """
    edge = bounds["edge"]
    pixels = {form.upper(): most for form, most in bounds["pixels"].items()}
    with Image.open(BytesIO(data), formats=tuple(pixels)) as sent:
        most = pixels.get(str(sent.format), pixels["JPEG"])  # MPO is several JPEGs in one file
        if sent.width * sent.height > most:
            raise OverflowError
        share = edge / max(sent.size)
        # a JPEG is read at half, a quarter or an eighth of its size
        sent.draft("RGB", (max(1, int(sent.width * share)), max(1, int(sent.height * share))))
        sent.load()
        turn = sent.getexif().get(0x0112)
        small = _reduce_image(sent, edge)
    made = BytesIO()
    small = small.convert("RGB")
    small.thumbnail((edge, edge))
    if turn is not None:
        small.getexif()[0x0112] = turn
        small = ImageOps.exif_transpose(small)
    small.info.clear()  # a JPEG would be written with the comment of what was sent
    small.save(made, "JPEG", quality=bounds["quality"], optimize=True, exif=b"")
    return made.getvalue()


def _reduce_image(image: Image.Image, edge: int) -> Image.Image:
    """The picture made smaller by a whole factor while it is as it was sent, so that no copy is large."""
    factor = max(1, max(image.size) // (2 * edge))
    if factor == 1 or image.mode not in ("L", "LA", "RGB", "RGBA", "CMYK", "YCbCr"):
        return image
    return image.reduce((min(factor, image.width), min(factor, image.height)))


def main() -> int:
    bounds = json.loads(sys.argv[1])
    resource.setrlimit(resource.RLIMIT_DATA, (bounds["memory"], bounds["memory"]))
    resource.setrlimit(resource.RLIMIT_CPU, (bounds["seconds"], bounds["seconds"] + 1))
    warnings.simplefilter("error")
    Image.MAX_IMAGE_PIXELS = None  # the bounds are ours, by format
    try:
        sys.stdout.buffer.write(decode_photo(sys.stdin.buffer.read(), bounds))
    except OverflowError:
        return TOO_MANY_PIXELS
    except MemoryError:
        return TOO_MUCH_MEMORY
    except (OSError, ValueError, SyntaxError, Warning):
        return UNREADABLE
    return 0


if __name__ == "__main__":
    sys.exit(main())
