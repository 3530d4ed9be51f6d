"""The kind of a file by its own bytes, whatever its name says, for sentences on unwanted files.

No Django.
"""

import re
from collections.abc import Mapping

#: First bytes of files that nobody takes for a table, an archive or a text.
_BEGINNINGS = (
    (b"%PDF", "a PDF"),
    (b"7z\xbc\xaf'\x1c", "a 7z archive"),
    (b"Rar!\x1a\x07", "a RAR archive"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"BZh", "a bzip2 archive"),
    (b"\xfd7zXZ\0", "an xz archive"),
    (b"\x89PNG\r\n", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"GIF8", "a picture"),
    (b"RIFF", "a picture or a recording"),
    (b"II*\0", "a picture"),
    (b"MM\0*", "a picture"),
    (b"bplist00", "a web archive or settings of a Mac"),
    (b"ID;P", "a table of old programs (SYLK)"),
    (b"TABLE\n0,1", "a table of old programs (DIF)"),
    (b"TABLE\r\n0,1", "a table of old programs (DIF)"),
    (b"[InternetShortcut]", "a link to a page"),
    (b"MIME-Version:", "a saved page or an e-mail"),
    (b"{\\rtf", "a text document (RTF)"),
    (b"SQLite format 3\0", "a database"),
)
_OLD_OFFICE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
#: Names inside a zip by which it is known: they stand unpacked in its list.
_INSIDE = (
    (b"xl/workbook.bin", "a binary workbook (XLSB)"),
    (b"xl/workbook", "a workbook (XLSX)"),
    (b"word/document", "a text document of Word"),
    (b"opendocument.spreadsheet", "a spreadsheet of LibreOffice (ODS)"),
    (b"opendocument.text", "a text document of LibreOffice"),
    (b"Index/Document.iwa", "a document of Apple Numbers or Pages"),
)
#: Names the cells of workbooks that Excel saves as Strict Open XML.
_STRICT = b"http://purl.oclc.org/ooxml/spreadsheetml/main"
ZIP = "a ZIP archive"
#: Bytes in which a text's first sign is looked for.
_LOOKED_AT = 1024


def file_kind(data: bytes) -> str:
    """The kind of the bytes, as “a PDF”; "" for text and for what is not known."""
    if data.startswith(_OLD_OFFICE):
        locked = "EncryptedPackage".encode("utf-16-le") in data
        return "a workbook or document with a password" if locked else "a document of old Office"
    if data.startswith(b"PK\x03\x04"):
        return next((kind for name, kind in _INSIDE if name in data), ZIP)
    if data[4:8] == b"ftyp":
        return "a picture or a film"
    return next((kind for start, kind in _BEGINNINGS if data.startswith(start)), "")


def workbook_fault(parts: Mapping[str, bytes]) -> str:
    """Why a workbook of these parts is not read, as a sentence: its reader trips over it; "" for none."""
    if any(name.startswith("xl/chartsheets/") for name in parts):
        return "A sheet of this workbook is a chart alone; save the table's sheet alone as CSV."
    if any(_STRICT in part for name, part in parts.items() if name.startswith("xl/worksheets/")):
        return "This is a Strict Open XML workbook; save it as Excel Workbook (XLSX) or as CSV."
    return ""


def text_kind(text: str) -> str:
    """The kind of a text that is no table, as “a web page (HTML)”; "" for what may be one."""
    begun = text[:_LOOKED_AT].lstrip("\ufeff \t\r\n")
    if re.match(r"<(!doctype html|html|head|body|table)\b", begun, re.IGNORECASE):
        return "a web page (HTML)"
    if begun.startswith(("<?xml", "<!--")):
        return "XML"
    return "JSON" if begun.startswith(("{", "[{", "[[")) else ""
