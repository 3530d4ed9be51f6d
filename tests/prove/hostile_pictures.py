"""Pictures made to take a reader's memory or time, of every kind a phone or a joker sends."""

import struct
import zlib
from collections.abc import Iterator
from io import BytesIO
from typing import Any

from PIL import Image, ImageCms
from PIL.PngImagePlugin import PngInfo

Size = tuple[int, int]
MB = 2**20


def picture(form: str, size: Size, mode: str = "RGB", color: Any = 0, **how: Any) -> bytes:
    """A plain picture: tiny when packed, as large as any other once it is read."""
    made = BytesIO()
    Image.new(mode, size, color).save(made, form, **how)
    return made.getvalue()


def several(form: str, size: Size, count: int, **how: Any) -> bytes:
    frames = [Image.new("RGB", size, (n, n, n)) for n in range(count)]
    made = BytesIO()
    frames[0].save(made, form, save_all=True, append_images=frames[1:], **how)
    return made.getvalue()


def noisy(form: str, size: Size, **how: Any) -> bytes:
    """One that packs badly, so that the file is as large as its picture."""
    made = BytesIO()
    Image.effect_noise(size, 90).convert("RGB").save(made, form, **how)
    return made.getvalue()


def png_of(size: Size, rows: bytes, *chunks: tuple[bytes, bytes]) -> bytes:
    """A PNG of 8-bit greys written by hand, with what it says of itself whether true or not."""
    head = struct.pack(">IIBBBBB", *size, 8, 0, 0, 0, 0)
    parts = [(b"IHDR", head), *chunks, (b"IDAT", zlib.compress(rows, 9)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in parts
    )


def scans_apart(data: bytes) -> bytes:
    """A JPEG that says of itself that it is larger than it is: 60,000 by 1,000."""
    place = data.index(b"\xff\xc0")
    return data[: place + 5] + struct.pack(">HH", 1_000, 60_000) + data[place + 9 :]


def jpegs() -> Iterator[tuple[str, bytes]]:
    for name, size in (
        ("60 million", (7_700, 7_700)),
        ("panorama", (60_000, 1_000)),
        ("tower", (900, 64_000)),
    ):
        yield f"JPEG {name}", picture("JPEG", size)
    yield "JPEG 108 million", picture("JPEG", (12_000, 9_000))
    yield "JPEG progressive 24 million", picture("JPEG", (6_000, 4_000), progressive=True)
    yield "JPEG progressive 50 million", picture("JPEG", (8_160, 6_120), progressive=True)
    yield "JPEG progressive, no halving", picture("JPEG", (7_700, 7_700), progressive=True, subsampling=0)
    yield "JPEG CMYK", picture("JPEG", (7_700, 7_700), "CMYK")
    yield "JPEG CMYK progressive", picture("JPEG", (7_700, 7_700), "CMYK", progressive=True)
    yield "JPEG grey", picture("JPEG", (7_700, 7_700), "L")
    yield "JPEG of noise", noisy("JPEG", (3_000, 3_000), quality=95)
    yield "JPEG larger than it is", scans_apart(picture("JPEG", (400, 400)))
    yield "JPEG with notes of 60 kB", picture("JPEG", (400, 400), comment=b"x" * 60_000)
    yield "JPEG with a profile of 8 MB", picture("JPEG", (400, 400), icc_profile=b"p" * 8 * MB)
    exif = Image.Exif()
    exif[0x010E] = "x" * 60_000
    yield "JPEG with EXIF of 60 kB", picture("JPEG", (400, 400), exif=exif)
    yield "JPEG of nothing", picture("JPEG", (1, 1))
    yield "JPEG of one line", picture("JPEG", (65_000, 1))
    yield "JPEG cut off", picture("JPEG", (4_000, 3_000))[:2_000]
    yield "MPO of two", several("MPO", (4_000, 3_000), 2)
    yield "MPO of thirty", several("MPO", (2_000, 1_500), 30)


def pngs() -> Iterator[tuple[str, bytes]]:
    yield "PNG 16 million", picture("PNG", (4_000, 4_000))
    yield "PNG 16 million with alpha", picture("PNG", (4_000, 4_000), "RGBA")
    yield "PNG 60 million", picture("PNG", (7_700, 7_700))
    yield "PNG of a palette", picture("PNG", (4_000, 4_000), "P")
    yield "PNG of a palette with alpha", picture("PNG", (4_000, 4_000), "P", transparency=0)
    yield "PNG black and white", picture("PNG", (4_000, 4_000), "1")
    yield "PNG of 16 bits", picture("PNG", (4_000, 4_000), "I;16")
    yield "PNG grey with alpha", picture("PNG", (4_000, 4_000), "LA")
    yield "PNG of one line", picture("PNG", (1_000_000, 10))
    yield "PNG of noise", noisy("PNG", (2_000, 1_900))
    yield "PNG animated", several("PNG", (2_000, 2_000), 12)
    yield "PNG larger than it is", png_of((4_000, 4_000), b"\0" * 4_001)
    yield "PNG of 300 MB in few bytes", png_of((100, 100), b"\0" * 300 * MB)
    text = PngInfo()
    for number in range(12):
        text.add_text(f"note {number}", "x" * MB, zip=True)
    yield "PNG with notes of 12 MB", picture("PNG", (400, 400), pnginfo=text)
    bomb = b"note\0\0" + zlib.compress(b"x" * 200 * MB, 9)
    yield "PNG with a note of 200 MB", png_of((100, 100), b"\0" * 10_100, (b"zTXt", bomb))
    profile = b"profile\0\0" + zlib.compress(b"p" * 200 * MB, 9)
    yield "PNG with a profile of 200 MB", png_of((100, 100), b"\0" * 10_100, (b"iCCP", profile))
    srgb = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    yield "PNG with a profile", picture("PNG", (400, 400), icc_profile=srgb)


def others() -> Iterator[tuple[str, bytes]]:
    yield "WebP 8 million", picture("WEBP", (2_828, 2_828), lossless=True)
    yield "WebP 8 million with alpha", picture("WEBP", (2_828, 2_828), "RGBA", lossless=True)
    yield "WebP 12 million", picture("WEBP", (4_000, 3_000))
    yield "WebP 60 million", picture("WEBP", (7_700, 7_700))
    yield "WebP animated", several("WEBP", (1_600, 1_600), 8)
    yield "GIF", picture("GIF", (4_000, 4_000), "P")
    yield "GIF animated", several("GIF", (1_000, 1_000), 20)
    yield "TIFF", picture("TIFF", (4_000, 4_000), compression="tiff_deflate")
    yield "BMP", picture("BMP", (2_000, 1_000))
    yield "nothing", b""
    yield "words", b"not a picture"


def hostile_pictures() -> Iterator[tuple[str, bytes]]:
    """All of them, one at a time: together they would not fit."""
    yield from jpegs()
    yield from pngs()
    yield from others()
