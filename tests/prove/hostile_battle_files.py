"""Battle files made to keep a checker busy: just under every limit, just over it, and far beyond."""

import json
import math
from collections.abc import Iterator
from random import Random
from typing import Any

KB = 1024
Json = dict[str, Any]
Corners = list[list[float]]


def unit(number: int, side: str, **more: Any) -> Json:
    troops = "british_line" if side == "crown" else "continental_line"
    return {"id": f"{side}{number}", "side": side, "troop_type": troops, "sp": 5} | more


def fight(size: int = 2, **more: Any) -> Json:
    """A battle file of `size` units a side, with `more` in place of its fields."""
    sides = [{"id": "crown", "role": "attacker"}, {"id": "rebel", "role": "defender"}]
    units = [unit(number, side) for side in ("crown", "rebel") for number in range(size)]
    whole = {"format": "awi-battle", "version": 1, "title": "Club night", "sides": sides, "units": units}
    return whole | more


def ground(*features: Json, width: float = 96.0, depth: float = 96.0) -> Json:
    return {"width": width, "depth": depth, "features": list(features)}


def area(kind: str, points: Corners, **more: Any) -> Json:
    return {"kind": kind, "points": points} | more


def ring(corners: int, radius: float = 40.0, x: float = 48.0, y: float = 48.0) -> Corners:
    return [
        [round(x + radius * math.cos(turn), 2), round(y + radius * math.sin(turn), 2)]
        for turn in (math.tau * n / corners for n in range(corners))
    ]


def teeth(corners: int, size: float = 96.0, shift: float = 0.0) -> Corners:
    """A course up and down the table."""
    step = (size - 2.0) / corners
    return [
        [round(1 + step * n, 3), round(size * (0.9 if n % 2 else 0.1) + shift, 2)] for n in range(corners)
    ]


def comb(corners: int, size: float = 96.0, shift: float = 0.0) -> Corners:
    """An area with as many teeth as fit."""
    return [*teeth(corners - 2, size, shift), [size, size * 0.95], [0.0, size * 0.95]]


def turned(points: Corners) -> Corners:
    return [[y, x] for x, y in points]


def scattered(corners: int, size: float, seed: int) -> Corners:
    draw = Random(seed)
    return [[round(draw.uniform(0, size), 2), round(draw.uniform(0, size), 2)] for _ in range(corners)]


def posted(size: int, **ground_: Any) -> Json:
    """Units told where to stand, four inches apart, on a ground."""
    whole = fight(size, **ground_)
    for number, one in enumerate(whole["units"]):
        one.update(x=2 + 4 * (number % 20), y=2 + 4 * (number // 20))
    return whole


def houses(count: int, **more: Any) -> list[Json]:
    return [area("building", [[4 + 4.5 * (n % 20), 5 + 4.5 * (n // 20)]], **more) for n in range(count)]


def ways(count: int, kind: str = "bridge") -> list[Json]:
    return [area(kind, [[48.0, 48.0]], heading=n) for n in range(count)]


def text(document: Any) -> bytes:
    return json.dumps(document, separators=(",", ":")).encode()


def just_under() -> Iterator[tuple[str, bytes]]:
    """As much as the bounds of a file allow, of every kind of ground, troops and texts."""

    yield (
        "woods of 500 corners",
        text(fight(ground=ground(*[area("open_woods", ring(500)) for _ in range(12)]))),
    )
    yield (
        "combs over combs",
        text(
            fight(
                ground=ground(
                    *[area("hill", comb(300, shift=n / 9)) for n in range(4)],
                    *[area("water", turned(comb(300, shift=n / 9))) for n in range(4)],
                )
            )
        ),
    )
    yield (
        "a road across a stream",
        text(fight(ground=ground(area("road", teeth(500)), area("stream", turned(teeth(500)))))),
    )
    yield (
        "roads across streams under fords",
        text(
            fight(
                ground=ground(
                    *[area("road", [[48, 0], [48, 96]]) for _ in range(60)],
                    *[area("stream", [[40, 48], [56, 48]]) for _ in range(60)],
                    *ways(78, "ford"),
                )
            )
        ),
    )
    yield "bridges over a lake", text(fight(ground=ground(area("water", ring(500)), *ways(199))))
    lakes = [area("water", ring(110, 20 + n / 10)) for n in range(88)]
    yield "bridges over eighty-eight lakes", text(fight(ground=ground(*lakes, *ways(110))))
    rivers = [area("river", teeth(500, 1000, n)) for n in range(18)]
    yield "rivers up and down", text(fight(ground=ground(*rivers, *ways(100), width=1000, depth=1000)))
    yield (
        "a river at random",
        text(
            fight(ground=ground(area("river", scattered(200, 1000, 7)), *ways(190), width=1000, depth=1000))
        ),
    )
    hills = [area("hill", ring(48, 60 + n / 10), grade="steep") for n in range(199)]
    yield "units on hills", text(posted(60, ground=ground(*hills)))
    roads = [area("road", [[0, n], [96, n + 0.5]]) for n in range(96)]
    cliffs = [area("hill", ring(48, 60 + n / 10), grade="impassable") for n in range(100)]
    yield "units on roads up cliffs", text(posted(60, ground=ground(*cliffs, *roads)))
    yield "units among houses", text(posted(60, ground=ground(*houses(200))))
    yield (
        "garrisons",
        text(
            fight(
                units=[unit(n, "crown" if n % 2 else "rebel", inside=f"h{n}") for n in range(110)],
                ground=ground(*[one | {"id": f"h{n}"} for n, one in enumerate(houses(190))]),
            )
        ),
    )
    yield (
        "units on one spot",
        text(fight(units=[unit(n, "crown", x=40 + n / 100, y=40) for n in range(100)] + [unit(0, "rebel")])),
    )
    fences = [area("fence", [[n % 90 + 1, 1], [90 - n % 90, 90]], id=f"f{n}") for n in range(200)]
    yield "fences across each other", text(fight(60, ground=ground(*fences)))
    orders = [
        {"id": f"l{k}", "side": "crown", "commands": [f"crown{n}x" for n in range(80)]} for k in range(250)
    ]
    yield "orders to nobody", text(fight(60, leaders=orders))
    names = [{"id": f"l{n}", "side": "crown", "commands": [f"{'crow' * 9}{n}"]} for n in range(250)]
    yield (
        "orders nearly to somebody",
        text(fight(units=[unit(n, "crown", id=f"{'crow' * 9}x{n}") for n in range(110)], leaders=names)),
    )
    yield (
        "traits that are lists",
        text(fight(units=[unit(n, "crown", traits=[[k] for k in range(400)]) for n in range(110)])),
    )
    yield (
        "commands that are lists",
        text(
            fight(
                leaders=[
                    {"id": "l", "side": "crown", "commands": [[k, "a"] if k % 2 else k for k in range(1000)]}
                ]
            )
        ),
    )
    yield "fields nobody knows", text(fight(units=[{f"sid{k}x": 0 for k in range(190)} for _ in range(100)]))
    yield (
        "fields of ground nobody knows",
        text(fight(ground=ground(*[{f"k{k}": 0 for k in range(120)} for _ in range(190)]))),
    )
    yield "options nobody knows", text(fight(options={f"charge_{n}": n for n in range(190)}))
    yield (
        "troops nobody knows",
        text(fight(units=[unit(n, "crown", troop_type="x" * 2000) for n in range(110)])),
    )
    yield "long names", text(fight(units=[unit(n, "crown", name="ab" * 100, sp=9) for n in range(120)]))
    yield "long sources", text(fight(sources=["x" * 250] * 1000))
    yield (
        "points that are texts",
        text(
            fight(ground=ground(*[area("open_woods", ["a"] * 500) for _ in range(20)]))  # type: ignore[list-item]
        ),
    )


def drawn_up() -> Iterator[tuple[str, bytes]]:
    """Battles just small enough to be drawn up by their check, with hardly a free place on the table."""
    strips: list[Corners] = [
        [[0, 4 * n], [96, 4 * n], [96, 4 * n + 3.4], [0, 4 * n + 3.4]] for n in range(20)
    ]
    walls = [area("wall", [[0, 1 + 1.9 * n], [96, 1.2 + 1.9 * n]]) for n in range(20)]
    yield "walls before every line", text(fight(25, ground=ground(*walls)))
    yield "water all over", text(fight(25, ground=ground(*[area("water", strip) for strip in strips])))
    lake = area("water", [[0.0, 0.0], [96.0, 0.0], [96.0, 30.0], [0.0, 30.0]])
    yield "a lake behind the line", text(fight(25, ground=ground(lake, depth=150.0)))


def far_over() -> Iterator[tuple[str, bytes]]:
    """Far beyond the bounds: what is refused must be refused at once."""
    yield "a wood of 15,000 corners", text(fight(ground=ground(area("open_woods", ring(15_000)))))
    yield "a comb of 15,000 corners", text(fight(ground=ground(area("open_woods", comb(15_000)))))
    yield "a road of 14,000 points", text(fight(ground=ground(area("road", teeth(14_000)))))
    yield (
        "hills of 16,000 corners",
        text(fight(ground=ground(*[area("hill", ring(100)) for _ in range(160)]))),
    )
    yield (
        "points at the end of the world",
        text(fight(ground=ground(area("crops", [[1e308, -1e308]] * 13_000)))),
    )
    yield "120,000 units", text(fight(units=[0] * 120_000))
    yield "20,000 traits", text(fight(units=[unit(0, "crown", traits=[{"a": n} for n in range(20_000)])]))
    yield "26,000 fields", text({f"{n:05d}": 0 for n in range(26_000)})
    yield "one field of 26,000 twice", text({f"{n:05d}": 0 for n in range(26_000)})[:-1] + b',"25999":1}'
    yield "nested 25,000 deep", b'{"a":' * 25_000 + b"1" + b"}" * 25_000
    yield "lists 120,000 deep", b"[" * 120_000 + b"]" * 120_000
    yield "lists 900 deep", b'{"notes":' + b"[" * 900 + b"]" * 900 + b"}"
    yield "a number of 200,000 digits", b'{"turns":' + b"1" * 200_000 + b"}"
    yield "numbers of 4,200 digits", b'{"turns":[' + b",".join([b"9" * 4_200] * 55) + b"]}"
    yield "no numbers", b"[" + b",".join([b"NaN"] * 60_000) + b"]"
    yield "half characters", text(fight(title="\ud800" * 20_000))
    yield "notes of 250,000 characters", text(fight(notes="x" * 250_000))
    yield "comments alone", b"//\n" * 80_000
    yield "random bytes", Random(1).randbytes(256 * KB)
