"""Scenarios made to keep their check busy: as large as is taken, and with a fault in every row."""

import io
import zipfile
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any

Tables = dict[str, str]

START = date(1777, 1, 1)
HEAD = """id = "hostile"
title = "A very large war"
start = 1777-01-01
end = {end}
[[sides]]
id = "red"
name = "Red"
colour = "#9b2d30"
[[sides]]
id = "blue"
name = "Blue"
colour = "#1e4b7a"
[holders]
red = "red"
blue = "blue"
none = ""
"""
HEADERS = {
    "places": "id,name,lat,lon,kind,terrain,fortification,port,control",
    "routes": "a,b,kind,miles,terrain,crossing,wheeled",
    "flows": "a,b,kind,flow",
    "formations": "id,name,side,parent,commander,start,kind,garrison,static",
    "leaders": "id,name,side,rank,historical_rank,command,start_place,rating,"
    "arrival_date,departure_date,date_of_rank",
    "musters": "nation,place",
    "objectives": "place,side,points,weight,from_day",
    "supply": "side,place",
    "types": "source_nation,source_type,unit,nation,troop_type,gun_class",
    "units": "id,name,nation,side,troop_type,campaign_points,start_place,"
    "arrival_date,departure_date,quality,parent_unit",
    "units_formations": "unit,formation",
    "weather": "row_type,id,start_date,end_date,place,weather,fair,rain,storm,fog",
    "alternatives": "alternative,chance,unit,points,arrival_date,start_place",
}


def side_of(number: int) -> str:
    return "red" if number % 2 else "blue"


def scenario(rows: dict[str, int], days: int = 3660, name: str = "p", **other: list[str]) -> Tables:
    """The files of a scenario with so many rows in each table; `other` replaces rows of a table."""
    end = START + timedelta(days=days - 1)
    count = {**dict.fromkeys(HEADERS, 2), "flows": 0, **rows}
    places, units, formations = (
        count["places"],
        count["units"],
        max(2, min(count["formations"], count["units"])),
    )
    periods = min(count["weather"], days)
    step = days // periods
    kinds = ("highway", "road", "track", "trail")
    found = {
        "places": [
            f"{name}{n},Place {n},{40 + n % 60 / 50:.3f},{-75 + n // 60 / 50:.3f},town,open,none,none,"
            f"{side_of(n)}"
            for n in range(places)
        ],
        "routes": [
            f"{name}{n % (places - 1)},{name}{n % (places - 1) + 1},{kinds[n // (places - 1) % 4]},"
            f"{90 if n % (places - 1) % 60 == 59 else 2},open,none,yes"
            for n in range(max(places - 1, count["routes"]))
        ],
        "flows": [f"{name}{n},{name}{n + 1},highway,ab" for n in range(count["flows"])],
        "formations": [
            f"f{n},Formation {n},{side_of(n)},,l{n % count['leaders']},{name}{n % 2},brigade,no,no"
            if n % count["leaders"] % 2 == n % 2
            else f"f{n},Formation {n},{side_of(n)},,,{name}{n % 2},brigade,no,no"
            for n in range(formations)
        ],
        "leaders": [
            f"l{n},General {n},{side_of(n)},brigade,Colonel,,{name}{n % 2},good,,,1777-01-01"
            for n in range(count["leaders"])
        ],
        "musters": [f"american,{name}{n}" for n in range(count["musters"])],
        "objectives": [f"{name}{n},{side_of(n)},5,1,0" for n in range(count["objectives"])],
        "supply": [f"{side_of(n)},{name}{n}" for n in range(count["supply"])],
        "types": [
            *(f"british,line{n},*a*b*c*d*e,british,british_line,none" for n in range(count["types"] - 1)),
            "british,line,*,british,british_line,none",
        ],
        "units": [
            f"u{n},Regiment {n},british,{side_of(n % formations)},line,100,{name}{n % formations % 2},,,,"
            for n in range(units)
        ],
        "units_formations": [f"u{n},f{n % formations}" for n in range(units)],
        "weather": [
            f"probability,w{n},{START + timedelta(days=step * n)},"
            f"{end if n == periods - 1 else START + timedelta(days=step * (n + 1) - 1)},,,1,0,0,0"
            for n in range(periods)
        ],
        "alternatives": [f"a{n},1,u{n},50,," for n in range(count["alternatives"])],
    } | other
    files = {f"{key}.csv": "\n".join([HEADERS[key], *found[key]]) + "\n" for key in HEADERS}
    return {"scenario.toml": HEAD.format(end=end.isoformat()), **files}


def zip_files(files: dict[str, str], how: int = zipfile.ZIP_DEFLATED) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", how) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return stream.getvalue()


def hostile() -> Iterator[tuple[str, bytes]]:
    """Scenarios just under the bounds of every table, and far over them."""
    many = {
        "places": 1400, "routes": 2800, "units": 1400, "formations": 499, "leaders": 499, "types": 199,
        "musters": 1400, "objectives": 499, "supply": 1400, "weather": 2900, "alternatives": 499,
        "flows": 1399,
    }  # fmt: skip
    for key, number in many.items():
        least = {"places": 1400} if key in ("routes", "musters", "objectives", "supply", "flows") else {}
        least |= {"units": 1400} if key in ("formations", "leaders", "types", "alternatives") else {}
        yield f"as many {key} as are read", zip_files(scenario({**least, key: number}))
    yield "as many of everything as is read", zip_files(scenario(many))
    yield "more units than are read", zip_files(scenario({"units": 9_000}))
    long = "crow" * 9
    lost = [f"{long}x{n},{long}y{n},road,2,open,none,yes" for n in range(2900)]
    yield (
        "routes to places nearly of that name",
        zip_files(scenario({"places": 1400}, name=long, routes=lost)),
    )
    odd = [f"p{n},P,40,-75,{'x' * 500},y,z,w,v" for n in range(1400)]
    yield "words nobody knows", zip_files(scenario({}, places=odd))
    yield "patterns of types", zip_files(scenario({"units": 1400}, **patterns()))
    sound = scenario({})
    for name, head in (
        ("a key of thirty thousand parts", "a" + ".a" * 30_000 + " = 1\n"),
        ("a thousand keys of as many parts", "".join("a." * 900 + f"b{n} = 1\n" for n in range(1_000))),
        ("keys of five hundred parts", "".join("a." * 480 + f"b{n} = 1\n" for n in range(60))),
        ("tables in tables", "".join("[" + "a." * 480 + f"b{n}]\n" for n in range(60))),
        ("holders", "".join(f'h{n:05d} = "red"\n' for n in range(900))),
        ("lists in lists", "a = " + "[" * 490 + "]" * 490 + "\n"),
        ("a text of four megabytes", 'a = """' + "x" * 4_000_000 + '"""\n'),
        ("marks on one letter", 'a = "' + "\u0301\u0323" * 450 + '"\n'),
    ):
        yield name, zip_files(sound | {"scenario.toml": sound["scenario.toml"] + head})
    history = "date,end_date,place,event"
    for name, rest in (
        ("marks on one letter of a table", "\n,,," + "\u0301\u0323" * 450_000),
        ("columns by the thousand", "," + ",".join(f"c{n}" for n in range(250_000))),
        ("a table of commas", "," * 1_900_000),
        ("a table of quotes", "\n" + '"' * 1_900_000),
        ("a name of two megabytes", "\u00e9" * 900_000),
        ("returns alone", "\r" * 1_900_000),
    ):
        yield name, zip_files(sound | {"history.csv": history + rest}, zipfile.ZIP_STORED)


def patterns() -> dict[str, Any]:
    """Units whose types are told by patterns that nearly fit."""
    types = [f"british,line,{'*a' * 55}{n},british,british_line,none" for n in range(198)]
    return {
        "types": [*types, "british,line,*,british,british_line,none"],
        "units": [f"{'a' * 100}{n},Regiment,british,{side_of(n)},line,100,p0,,,," for n in range(1400)],
        "units_formations": [f"{'a' * 100}{n},f{n % 2}" for n in range(1400)],
    }
