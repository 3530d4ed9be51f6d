"""Scenarios as people put them up: zips of their files."""

import io
import zipfile

from django.core.files.uploadedfile import SimpleUploadedFile

from campaign.scenarios.making import template_files
from campaign.scenarios.packing import NO_TIME

Files = dict[str, bytes]


def packed(files: Files, prefix: str = "", how: int = zipfile.ZIP_DEFLATED) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", how) as archive:
        for name, data in files.items():
            # of one time, else two of the same files differ when a clock has moved on between them
            archive.writestr(zipfile.ZipInfo(prefix + name, NO_TIME), data, how)
    return stream.getvalue()


def as_sent(data: bytes) -> SimpleUploadedFile:
    return SimpleUploadedFile("scenario.zip", data, "application/zip")


def small(slug: str = "bennington-1777", title: str = "Bennington 1777") -> Files:
    """A small sound scenario."""
    return template_files(slug, title)


def faulty() -> Files:
    """The same with faults in two files, three in all."""
    files = small()
    files["routes.csv"] += b"nowhere,yorktown,road,ten,farmland,none,yes,\n"
    files["places.csv"] += b"yorktown,Yorktown,37.2,-76.5,castle,open,none,none,none,\n"
    return files
