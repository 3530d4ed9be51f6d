"""Templates become PDF and PNG, and faults become sentences."""

from io import BytesIO

import pytest
from pypdf import PdfReader

from battles.printing.typesetting import PAPERS, ROOT, TypesettingError, render_pdf

TEMPLATE = """#import "/battles/printing/print.typ": *
#let data = json(bytes(sys.inputs.data))
#show: house.with(title: data.title, paper: data.paper)
= #data.title
#drawing(data.svg, width: 2cm)
#pagebreak()
#for name in data.names [#tick() #name \\ ]
"""
DATA = {
    "title": "A pack",
    "paper": "a4",
    "names": ["9th Foot", "Régiment Prinz Friedrich", "“Morgan” & #raw *men*"],
    "svg": '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0H9V9Z"/></svg>',
}


@pytest.fixture
def template(tmp_path, monkeypatch):
    monkeypatch.setattr("battles.printing.typesetting.ROOT", tmp_path)
    (tmp_path / "battles/printing").mkdir(parents=True)
    (tmp_path / "battles/printing/print.typ").write_text((ROOT / "battles/printing/print.typ").read_text())
    file = tmp_path / "sheet.typ"
    file.write_text(TEMPLATE)
    return file


@pytest.mark.parametrize(("paper", "size"), [("a4", (595, 842)), ("letter", (612, 792))])
def test_a_template_is_set_as_pdf_on_the_paper_asked_for(template, paper, size):
    made = PdfReader(BytesIO(render_pdf(template, DATA | {"paper": PAPERS[paper]})))
    assert [(round(page.mediabox.width), round(page.mediabox.height)) for page in made.pages] == [size] * 2
    words = made.pages[1].extract_text()
    assert all(name in words for name in DATA["names"]), "text is set as it stands, marks and all"


def test_the_same_data_give_the_same_bytes(template):
    assert render_pdf(template, DATA) == render_pdf(template, DATA)


def test_what_cannot_be_set_is_said_in_a_sentence(template):
    with pytest.raises(TypesettingError, match=r"^sheet\.typ cannot be printed: dictionary does not"):
        render_pdf(template, {"title": "No paper"})
