"""Pages for the printer: a typst template and its data, set as PDF.

A template reads its data with `json(bytes(sys.inputs.data))` and may take `/battles/printing/print.typ`
for the looks of the house (paths in templates begin at the project). Fonts are those that come with typst,
so that every machine prints alike; nothing is fetched and nothing is written.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import typst

#: Templates and what they import lie below this folder.
ROOT = Path(__file__).resolve().parents[2]

#: What `paper` may be, by the name people use.
PAPERS: Mapping[str, str] = {"a4": "a4", "letter": "us-letter"}


class TypesettingError(RuntimeError):
    """A template that could not be set: which, and why."""


def render_pdf(template: Path, data: Mapping[str, Any]) -> bytes:
    """The document as one PDF; the same data give the same bytes.

    Raises TypesettingError with a sentence where the template cannot be set.
    """
    compiler = typst.Compiler(
        input=template,
        root=ROOT,
        font_paths=typst.Fonts(include_system_fonts=False),
        sys_inputs={"data": json.dumps(data, ensure_ascii=False)},
    )
    try:
        made = compiler.compile(format="pdf", timestamp=0)
    except typst.TypstError as error:
        place = f" ({error.hints[0]})" if error.hints else ""
        raise TypesettingError(f"{template.name} cannot be printed: {error.message}{place}.") from error
    if made is None:
        raise TypesettingError(f"{template.name} came out empty.")
    if not isinstance(made, bytes):
        raise TypesettingError(f"{template.name} came out in parts, not as one PDF.")
    return made
