"""What `make prove` shows: every part notes its figures; at the end they stand in one table."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.conf import settings

Figure = Callable[[str, str, str], None]


@pytest.fixture
def figure(record_property: Callable[[str, object], None]) -> Figure:
    """Note a figure: what was measured, what came out and what is asked."""

    def note(what: str, found: str, asked: str) -> None:
        record_property("figure", [what, found, asked])

    return note


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """One table of all figures and of the time each part took; the same in var/prove.json."""
    rows = list(rows_of(terminalreporter))
    if not any(row["asked"] for row in rows):
        return
    terminalreporter.section("what was shown")
    widths = [max(len(str(row[name])) for row in rows) for name in ("what", "found", "asked")]
    for row in rows:
        cells = [str(row[name]).ljust(w) for name, w in zip(("what", "found", "asked"), widths, strict=True)]
        seconds = f"{row['seconds']:7.1f} s" if row["seconds"] else " " * 9
        terminalreporter.write_line(
            "  ".join((*cells, seconds, "" if row["shown"] else "NOT SHOWN")).rstrip()
        )
    settings.VAR_DIR.mkdir(parents=True, exist_ok=True)
    (settings.VAR_DIR / "prove.json").write_text(json.dumps(rows, indent=1, ensure_ascii=False))


def rows_of(terminalreporter: pytest.TerminalReporter) -> Iterator[dict[str, Any]]:
    """A row for each figure, in the order of the tests; the time stands at a test's first."""
    stats = terminalreporter.stats
    reports = [one for kind in ("passed", "failed", "error") for one in stats.get(kind, [])]
    for report in sorted(reports, key=lambda report: report.nodeid):
        figures = [value for name, value in report.user_properties if name == "figure"]
        if not report.passed and not figures:
            figures = [[report.nodeid.partition("::")[2], "failed", ""]]
        if report.when != "call" and report.passed:
            continue
        for number, (what, found, asked) in enumerate(figures):
            seconds = 0.0 if number else round(report.duration, 1)
            yield {"part": report.nodeid, "what": what, "found": found, "asked": asked, "seconds": seconds,
                   "shown": report.passed}  # fmt: skip
