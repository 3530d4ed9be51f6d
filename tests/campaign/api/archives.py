"""Archives brought in by programs, and gone through by a worker."""

import io
import zipfile
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile

from campaign.models import Restoration
from campaign.tasks import run_job
from tests.campaign.api.program import Program

RESTORATIONS = "restorations/"


def sent(program: Program, data: bytes, **given: str) -> Any:
    """An archive brought in."""
    files = {"file": SimpleUploadedFile("archive.zip", data, "application/zip"), **given}
    headers = {"Authorization": f"Bearer {program.text}"}
    return program.client.post(f"/api/v1/{RESTORATIONS}", files, headers=headers)


def changed(data: bytes, **parts: bytes | None) -> bytes:
    """The zip with parts replaced, or taken away; dots of their names as double underlines."""
    named = {name.replace("__", "."): part for name, part in parts.items()}
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(stream, "w") as new:
        for name in old.namelist():
            part = named.get(name, old.read(name))
            if part is not None:
                new.writestr(name, part, zipfile.ZIP_DEFLATED)
    return stream.getvalue()


def changed_files(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def worked(program: Program, asked: Any) -> dict[str, Any]:
    """What is told of an archive once a worker has gone through it."""
    assert asked.status_code == 202, asked.content
    row = Restoration.objects.get(pk=asked.json()["number"])
    run_job(row.job_id)
    return dict(program.get(f"{RESTORATIONS}{row.pk}/").json())
