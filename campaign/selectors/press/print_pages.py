"""Bulletins and the book for the printer: what their pages show, as a template of typst takes it."""

from base64 import b64encode
from io import BytesIO
from pathlib import Path
from re import sub
from typing import Any

from PIL import Image

from battles.printing.typesetting import PAPERS, render_pdf
from campaign.selectors.press.books import CampaignBook
from campaign.selectors.press.bulletin_page import BulletinSheet, Strength

#: Photographs of one battle that are printed, and points of their longer edge.
PHOTOS, EDGE = 6, 1000
TEMPLATES = Path(__file__).parent / "print"


def bulletin_pdf(
    sheet: BulletinSheet, *, campaign: str, copy: str, foreword: str, note: str, paper: str
) -> bytes:
    """A copy of a bulletin on the paper asked for, by a name of PAPERS."""
    return render_pdf(TEMPLATES / "bulletin.typ", bulletin_data(sheet, campaign, copy, foreword, note, paper))


def bulletin_data(
    sheet: BulletinSheet, campaign: str, copy: str, foreword: str, note: str, paper: str
) -> dict[str, Any]:
    """Build the data for the bulletin's typst template."""
    body = sheet.body
    return {
        "paper": PAPERS.get(paper, PAPERS["a4"]),
        "campaign": campaign,
        "copy": copy,
        "note": note,
        "week": body["week"],
        "title": body["title"],
        "dates": f"{sheet.first.day} {sheet.first:%B} to {sheet.last.day} {sheet.last:%B %Y}",
        "foreword": [_make_breakable(part.strip()) for part in foreword.split("\n\n") if part.strip()],
        "head": body["head"],
        "lead": body["lead"],
        "map": str(sheet.drawing),
        "near": str(sheet.near),
        "articles": [
            {
                "title": article["title"],
                "left_out": article["left_out"],
                "paragraphs": [{"day": each["day"], "text": each["text"]} for each in article["paragraphs"]],
            }
            for article in sheet.articles
        ],
        "battles": [
            {key: battle[key] for key in ("title", "day", "clock", "where", "by", "holder", "sides")}
            for battle in sheet.battles
        ],
        "losses": body["losses"],
        "strength": [strength_data(side) for side in sheet.strength],
        "charts": [str(chart) for chart in sheet.charts],
        "weather": [list(each) for each in sheet.weather],
        "seats": body["seats"],
        "record_hash": sheet.record_hash,
        "deadline": f"{sheet.deadline:%A}, {sheet.deadline.day} {sheet.deadline:%B at %H:%M} "
        f"({body['time_zone']})"
        if sheet.deadline
        else "",
    }


def _make_breakable(text: str) -> str:
    """A text whose overlong words may break, or they would run off the page."""
    return sub(r"\S{30}(?=\S)", lambda found: f"{found.group()}\u200b", text)


def strength_data(side: Strength) -> dict[str, Any]:
    """A side's strength for a table."""
    return {
        "name": side.name,
        "units": side.now.units,
        "points": side.now.points,
        "sp": side.now.sp,
        "change": side.change,
        "causes": [[cause.name, cause.gained, cause.lost, cause.net] for cause in side.causes],
    }


def book_pdf(book: CampaignBook, *, paper: str) -> bytes:
    """The campaign's book on the paper asked for, by a name of PAPERS."""
    return render_pdf(TEMPLATES / "book.typ", book_data(book, paper))


def book_data(book: CampaignBook, paper: str) -> dict[str, Any]:
    """Build the data for the book's typst template."""
    body, strength = book.body, book.strength
    kept = ("title", "told", "days", "ended", "endings", "scores", "people", "commitment", "secret", "head")
    return {
        **{key: body[key] for key in (*kept, "steps")},
        "paper": PAPERS.get(paper, PAPERS["a4"]),
        "dates": f"{book.start.day} {book.start:%B %Y} to {book.until.day} {book.until:%B %Y}",
        "strength": [strength_data(side) for side in strength.strength] if strength else [],
        "charts": [str(chart) for chart in strength.charts] if strength else [],
        "weeks": [bulletin_data(sheet, "", "", "", "", paper) for sheet in book.weeks],
        "battles": [
            {
                **field.facts,
                "day": field.day,
                "settled": field.by,
                "ground": str(field.ground),
                "photos": [
                    {"drawing": photo_svg(bytes(photo.image)), "caption": photo.caption}
                    for photo in field.photos[:PHOTOS]
                ],
            }
            for field in book.battles
        ],
        "letters": [
            {**letter, "parts": [part for part in letter["text"].split("\n\n") if part.strip()]}
            for letter in book.letters
        ],
    }


def photo_svg(image: bytes) -> str:
    """A photograph as a drawing, which is how pictures come to a template; no larger than print needs."""
    made = BytesIO()
    with Image.open(BytesIO(image), formats=("JPEG",)) as photo:
        photo.draft("RGB", (EDGE, EDGE))
        photo.thumbnail((EDGE, EDGE))
        photo.convert("RGB").save(made, "JPEG", quality=80)
        width, height = photo.size
    data = b64encode(made.getvalue()).decode()
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}"><image width="{width}" height="{height}" '
        f'href="data:image/jpeg;base64,{data}"/></svg>'
    )
