"""Maps made to keep their reader busy: more parts than any map has, deep, long, and of many keys."""

import json
from collections.abc import Iterator
from typing import Any

GRAPHML = '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">'
WORDS = {"kind": "town", "terrain": "farmland", "fortification": "none", "port": "none", "note": ""}
WAY = {"kind": "road", "yards": 900_000, "terrain": "farmland", "crossing": "none", "wheeled": True}


def place(number: int) -> dict[str, Any]:
    spot = [-76 - number % 100 / 1000, 37 + number // 100 / 1000]
    named = {"id": f"p{number}", "name": f"Place {number}", **WORDS}
    return {"type": "Feature", "geometry": {"type": "Point", "coordinates": spot}, "properties": named}


def way(number: int, **more: Any) -> dict[str, Any]:
    ends = {"a": f"p{number}", "b": f"p{number + 1}", **WAY, **more}
    line = {"type": "LineString", "coordinates": [[0, 0], [1, 1]]}
    return {"type": "Feature", "geometry": line, "properties": ends}


def collection(*features: Any) -> str:
    return json.dumps({"type": "FeatureCollection", "features": features}, separators=(",", ":"))


def graph(inside: str, keys: str = "") -> str:
    return f'{GRAPHML}{keys}<graph edgedefault="undirected">{inside}</graph></graphml>'


def hostile() -> Iterator[tuple[str, str]]:
    """GraphML begins with `<`, GeoJSON with `{`."""
    yield "10,000 places and routes", collection(*map(place, range(10_001)), *map(way, range(9_999)))
    yield "20,000 places apart", collection(*map(place, range(20_000)))
    yield "45,000 places", collection(*map(place, range(45_000)))
    yield "600,000 features", collection(*[{}] * 600_000)
    yield "a line of 500,000 points", collection({"geometry": {"coordinates": [[0, 0]] * 500_000}})
    yield "nested", '{"type":"FeatureCollection","features":' + "[" * 1_000_000
    yield "nested properties", collection(place(1) | {"properties": json.loads("[" * 900 + "]" * 900)})
    yield "numbers of 4,200 figures", collection(*[way(n, yards=10**4200) for n in range(2_000)])
    yield "texts for numbers", collection(*[way(n, yards="9" * 4_000) for n in range(2_000)])
    yield "entities", '<!DOCTYPE a [<!ENTITY a "aa"><!ENTITY b "&a;&a;&a;">]>' + graph("&b;")
    yield "100,000 nodes", graph("".join(f'<node id="n{n}"/>' for n in range(100_000)))
    yield "200,000 edges", graph('<node id="a"/>' + '<edge source="a" target="a"/>' * 200_000)
    yield "20,000 edges of one place", graph('<node id="a"/>' + '<edge source="a" target="a"/>' * 19_999)
    yield "tags in tags", GRAPHML + "<a>" * 100_000 + "</a>" * 100_000 + "</graphml>"
    keys = (f'<key id="k{n}" for="node" attr.name="k{n}" attr.type="string"/>' for n in range(50_000))
    yield "50,000 keys", graph('<node id="a"/>' * 10, "".join(keys))
    yield "attributes", GRAPHML + 'attr.type="' * 800_000
