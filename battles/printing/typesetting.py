"""Pages for the printer: a typst template and its data, set as PDF or PNG.

A template reads its data with `json(bytes(sys.inputs.data))` and may take `/battles/printing/print.typ`
for the
looks of the house (paths in templates begin at the project). Fonts are those that come with typst, so that
every machine prints alike; nothing is fetched and nothing is written.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import typst

#: Templates and what they import lie below this folder.
ROOT = Path(__file__).resolve().parents[2]

#: What `paper` may be, by the name people use.
PAPERS: Mapping[str, str] = {"a4": "a4", "letter": "us-letter"}


class TypesettingError(RuntimeError):
    """A template that could not be set: which, and why."""


def render_pdf(template: Path, data: Mapping[str, Any]) -> bytes:
    """The document as one PDF; the same data give the same bytes."""
    pages = _compile_template(template, data, "pdf")
    if not isinstance(pages, bytes):
        raise TypesettingError(f"{template.name} came out in parts, not as one PDF.")
    return pages


def render_pngs(template: Path, data: Mapping[str, Any], *, dots_per_inch: float = 96) -> list[bytes]:
    """Each page of the document as a PNG."""
    pages = _compile_template(template, data, "png", dots_per_inch)
    return [pages] if isinstance(pages, bytes) else pages


def _compile_template(
    template: Path, data: Mapping[str, Any], form: Literal["pdf", "png"], dots_per_inch: float | None = None
) -> bytes | list[bytes]:
    """What typst makes of a template, with a sentence when it cannot."""
    compiler = typst.Compiler(
        input=template,
        root=ROOT,
        font_paths=typst.Fonts(include_system_fonts=False),
        sys_inputs={"data": json.dumps(data, ensure_ascii=False)},
    )
    try:
        made = compiler.compile(format=form, ppi=dots_per_inch, timestamp=0)
    except typst.TypstError as error:
        place = f" ({error.hints[0]})" if error.hints else ""
        raise TypesettingError(f"{template.name} cannot be printed: {error.message}{place}.") from error
    if made is None:
        raise TypesettingError(f"{template.name} came out empty.")
    return made
