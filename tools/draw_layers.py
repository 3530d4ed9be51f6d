"""Draw the layers of the code as a Mermaid flowchart, from the import contracts in pyproject.toml.

`python tools/draw_layers.py` prints the drawing; `python tools/draw_layers.py --write` puts it into
docs/architecture.md. Standard library only. A test compares the document with what is printed.
"""

import re
import sys
import textwrap
import tomllib
from itertools import pairwise
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
DOCUMENT = ROOT / "docs" / "architecture.md"
#: The drawing as it stands in the document, fences included.
DRAWING = re.compile(r"```mermaid\n.*?\n```", re.DOTALL)
#: Letters in a line of a box.
WIDTH = 72


def list_layer_contracts() -> list[dict[str, Any]]:
    """The contracts of type `layers`, in the order of pyproject.toml."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        contracts = tomllib.load(file)["tool"]["importlinter"]["contracts"]
    return [contract for contract in contracts if contract["type"] == "layers"]


def list_subjects(package: Path) -> list[str]:
    """The folders of modules in a layer: its subjects, by name."""
    return sorted(file.parent.name for file in package.glob("*/__init__.py"))


def draw_layer(app: str, number: int, layer: str) -> str:
    """One layer as a box: its modules, and under each the subjects that have a folder there."""
    lines = []
    for name in re.split(r"\s*[|:]\s*", layer):
        subjects = ", ".join(list_subjects(ROOT / app / name))
        lines += [f"<b>{name}</b>", *textwrap.wrap(subjects, WIDTH)]
    return f'{app}{number}["{"<br/>".join(lines)}"]'


def draw_app(app: str, layers: list[str]) -> list[str]:
    """An app as a frame of boxes, each layer above those it may import."""
    boxes = [f"    {draw_layer(app, number, layer)}" for number, layer in enumerate(layers)]
    arrows = [f"    {app}{number} --> {app}{number + 1}" for number in range(len(layers) - 1)]
    return [f"  subgraph {app}", "    direction TB", *boxes, *arrows, "  end"]


def draw_layers() -> str:
    """The whole drawing, without fences: the apps, their layers and subjects."""
    lines = ["flowchart TB"]
    for contract in list_layer_contracts():
        if containers := contract.get("containers"):
            lines += [line for app in containers for line in draw_app(app, contract["layers"])]
        else:
            apps = contract["layers"]
            lines += [f"  {upper} --> {lower}" for upper, lower in pairwise(apps)]
    return "\n".join(lines)


def main(arguments: list[str]) -> None:
    """Print the drawing, or write it into the document."""
    if arguments != ["--write"]:
        print(draw_layers())
        return
    text = DOCUMENT.read_text(encoding="utf-8")
    drawing = f"```mermaid\n{draw_layers()}\n```"
    DOCUMENT.write_text(DRAWING.sub(lambda found: drawing, text, count=1), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
