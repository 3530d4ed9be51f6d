"""A scenario as a zip: read with every care, for it comes from anybody, and unpacked (HR-SCN-01)."""

import io
import re
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from battles.files.suggestions import guess_name
from campaign.ops.upload_checks import Refused, zip_damage, zip_verify
from campaign.scenarios.head import HEAD
from campaign.scenarios.problems import ScenarioError, ScenarioProblem
from rosters.file_kinds import file_kind

#: What a zip may hold at most: bytes of it, files, and bytes unpacked of all of them.
MOST_PACKED, MOST_FILES, MOST_BYTES = 2 * 2**20, 40, 4 * 2**20
#: Lines of a table: a day on a map of thousands of places would keep a worker busy for everybody. Of what is
#: compared with every other row fewer are read; the largest scenario shipped has 285 units.
MOST_LINES = 3_000
MOST_OF = {
    **dict.fromkeys(("places.csv", "units.csv", "units_formations.csv"), 1_500),
    **dict.fromkeys(("formations.csv", "leaders.csv", "alternatives.csv"), 500),
    **dict.fromkeys(("goals.csv", "objectives.csv", "boats.csv", "broken.csv"), 500),
    "types.csv": 200,
    HEAD: 1_000,
}
#: Bytes of the head, and characters of a line of it: a key of thousands of parts takes seconds to read.
LARGEST_HEAD, LONGEST_LINE = 64 * 2**10, 1_000
#: The files a scenario is made of.
NAME = re.compile(r"[a-z][a-z_]{0,40}\.csv|scenario\.toml|SOURCES\.md")
#: Those this version reads, to guess by what is misnamed.
FILES = (
    *(
        "alternatives.csv",
        "boats.csv",
        "flows.csv",
        "formations.csv",
        "goals.csv",
        "history.csv",
        "leaders.csv",
    ),
    *("musters.csv", "objectives.csv", "places.csv", "routes.csv", "supply.csv", "types.csv", "units.csv"),
    *("units_formations.csv", "weather.csv", HEAD, "SOURCES.md"),
)
#: Endings of workbooks, which people put beside or in place of tables.
WORKBOOKS = (".xlsx", ".xls", ".ods", ".numbers")
#: No table of text shrinks to less than one part in so many.
MOST_SHRUNK = 250
#: Years before 1980 cannot be written in a zip; the same files are to give the same bytes.
NO_TIME = (1980, 1, 1, 0, 0, 0)


def scenario_unzip(data: bytes, most_of: Mapping[str, int] = MOST_OF) -> dict[str, bytes]:
    """The files of a zip, by name, without those `left_out`; `most_of` bounds the lines of some.

    Raises ScenarioError for what is not a complete ZIP of a scenario's files,
    before anything large is unpacked.
    """
    with _open_scenario_zip(data) as (archive, infos):
        wrong = next((name for name in infos if _is_misnamed(name)), None)
        if wrong is not None and NAME.fullmatch(_usual_name(PurePosixPath(wrong).name)):
            raise _build_scenario_error(
                wrong, "it lies in a folder; pack the files of one scenario side by side, alone."
            )
        if wrong is not None:
            guess = guess_name(wrong, FILES)
            asked = f"did you mean {guess}?" if guess else "see the template."
            raise _build_scenario_error(wrong, f"no file of a scenario is called so; {asked}")
        if fault := next(_iter_missing_files(infos), None):
            raise ScenarioError([fault])
        named = {name: info for name, info in infos.items() if NAME.fullmatch(name)}
        return _read_contents(archive, named, most_of)


def _usual_name(name: str) -> str:
    """A file's name as scenarios have it, whatever letters are capitals."""
    small = name.lower()
    return "SOURCES.md" if small == "sources.md" else small if NAME.fullmatch(small) else name


def _iter_missing_files(names: Iterable[str]) -> Iterator[ScenarioProblem]:
    """Files that lack their name, or lie there as something else."""
    names = list(names)
    for name in names:
        path = PurePosixPath(name)
        table = f"{path.stem.lower()}.csv"
        if path.suffix.lower() in WORKBOOKS and table in FILES and table not in names:
            yield ScenarioProblem(table, 0, f"the file is missing; save {name[:80]} as CSV UTF-8.")
    if HEAD not in names:
        other = next((name for name in names if name.lower().startswith("scenario.t")), "")
        inner = next((name for name in names if name.lower().endswith(".zip")), "")
        cure = (
            f"rename {other[:80]}" if other else f"unpack {inner[:80]} and choose its files" if inner else ""
        )
        yield ScenarioProblem(HEAD, 0, f"the file is missing; {cure or 'every scenario needs it'}.")


def left_out(data: bytes) -> list[str]:
    """Names of files in a zip that belong to no scenario, as a workbook beside its tables."""
    with _open_scenario_zip(data) as (_, infos):
        return sorted(name[:80] for name in infos if not NAME.fullmatch(name))


@contextmanager
def _open_scenario_zip(data: bytes) -> Iterator[tuple[zipfile.ZipFile, dict[str, zipfile.ZipInfo]]]:
    if len(data) > MOST_PACKED:
        raise _build_scenario_error("", f"it has more than {MOST_PACKED // 2**20} MB; a scenario has less.")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            infos = zip_verify(
                archive, files=MOST_FILES, largest=MOST_BYTES, together=MOST_BYTES, shrunk=MOST_SHRUNK
            )
            named = {_usual_name(name): info for name, info in infos.items()}
            if len(named) < len(infos):
                twice = next(name for name in infos if name not in named)
                raise Refused(f"it holds {_usual_name(twice)!r} twice, in other letters")
            yield archive, named
    except ScenarioError:
        raise
    except Refused as refused:
        raise _build_scenario_error("", f"{refused}; pack the folder again.") from refused
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError) as error:
        raise _build_scenario_error("", f"it is not a complete ZIP file: {zip_damage(data)}.") from error


def _is_misnamed(name: str) -> bool:
    """True when a file looks like one of a scenario's but has none of their names."""
    return not NAME.fullmatch(name) and PurePosixPath(name).suffix.lower() in (".csv", ".toml")


def _read_contents(
    archive: zipfile.ZipFile, infos: Mapping[str, zipfile.ZipInfo], most_of: Mapping[str, int]
) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    left = MOST_BYTES
    for name, info in infos.items():
        with archive.open(info) as stream:  # whatever its entry announces, no more than is left is read
            found[name] = stream.read(left + 1)
        left -= len(found[name])
        if left < 0:
            raise _build_scenario_error(
                "", f"unpacked it has more than {MOST_BYTES // 2**20} MB; a scenario has less."
            )
        if b"\0" in found[name] or not _is_text(found[name]):
            kind = file_kind(found[name])
            what = f"it is {kind}, not CSV; save the sheet as CSV UTF-8." if kind else ""
            raise _build_scenario_error(name, what or "it is not UTF-8 text; save it as UTF-8.")
        most = most_of.get(name, MOST_LINES)
        if len(re.findall(rb"\r\n?|\n", found[name])) > most:
            raise _build_scenario_error(name, f"it has more than {most} lines; make the scenario smaller.")
    head = found[HEAD]
    if len(head) > LARGEST_HEAD or max(map(len, re.split(rb"[\r\n]", head))) > LONGEST_LINE:
        words = (
            f"it has more than {LARGEST_HEAD // 2**10} KB, or a line of more than {LONGEST_LINE} characters"
        )
        raise _build_scenario_error(HEAD, f"{words}; shorten it.")
    return found


def _is_text(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _build_scenario_error(file: str, reason: str) -> ScenarioError:
    return ScenarioError([ScenarioProblem(file[:80] or "the zip", 0, reason)])


def scenario_zip(files: Mapping[str, bytes]) -> bytes:
    """The same files as a zip, the same bytes for the same files."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name in sorted(files):
            archive.writestr(zipfile.ZipInfo(name, NO_TIME), files[name], zipfile.ZIP_DEFLATED, 6)
    return stream.getvalue()


def files_of(folder: Path) -> dict[str, bytes]:
    """The files of a scenario's folder, by name; the site's own marks begin with a dot and are none."""
    found = (file for file in sorted(folder.iterdir()) if file.is_file() and not file.name.startswith("."))
    return {file.name: file.read_bytes() for file in found}


def files_write(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write files into a folder that is there."""
    for name, data in files.items():
        (folder / name).write_bytes(data)
