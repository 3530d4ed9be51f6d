"""Names of pieces of ground in drawings, captions and accounts. Plain words, no engine."""

from collections import Counter
from collections.abc import Iterable

from battles.files.schema import BattleGround, Feature
from battles.ground.shapes import is_inside_polygon

#: What a feature is called, one and several.
NOUNS: dict[str, tuple[str, str]] = {
    "rough": ("patch of broken ground", "patches of broken ground"),
    "crops": ("field of standing crops", "fields of standing crops"),
    "swamp": ("swamp", "swamps"),
    "marsh": ("marsh", "marshes"),
    "water": ("pond", "ponds"),
    "open_woods": ("open wood", "open woods"),
    "dense_woods": ("thick wood", "thick woods"),
    "hill": ("hill", "hills"),
    "stream": ("stream", "streams"),
    "river": ("river", "rivers"),
    "road": ("road", "roads"),
    "fence": ("rail fence", "rail fences"),
    "wall": ("stone wall", "stone walls"),
    "fieldwork": ("breastwork", "breastworks"),
    "stockade": ("stockade", "stockades"),
    "redoubt": ("redoubt", "redoubts"),
    "bridge": ("bridge", "bridges"),
    "ford": ("ford", "fords"),
    "building": ("house", "houses"),
}
#: The same in a legend, where it is not the noun.
_SIGNS = {"rough": "broken ground", "crops": "standing crops", "water": "open water"}
_SLOPES = {
    "level": "level height",
    "gentle": "gentle slope",
    "steep": "steep slope",
    "impassable": "impassable slope",
}
_FIGURES = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def join_names(names: Iterable[str]) -> str:
    """Names as a list in a sentence, each once; with semicolons where a name is itself like a list."""
    once = list(dict.fromkeys(names))
    if len(once) < 2:
        return "".join(once)
    if any("," in name or " and " in name for name in once):
        return f"{'; '.join(once[:-1])}; and {once[-1]}"
    return f"{', '.join(once[:-1])} and {once[-1]}"


def spell_number(count: int) -> str:
    """A small number in words."""
    return _FIGURES[count] if count < len(_FIGURES) else str(count)


def describe_feature(feature: Feature, article: str = "The") -> str:
    """The name of a feature in a refusal: its own, or its kind and id."""
    if feature.name:
        return feature.name if article == "the" else feature.name[:1].upper() + feature.name[1:]
    return f"{article} {feature.kind.replace('_', ' ')}" + (f" “{feature.id}”" if feature.id else "")


def sign_of(feature: Feature) -> str:
    """The name of a feature's kind in a legend."""
    if feature.kind == "hill":
        return _SLOPES[feature.grade]
    if feature.kind == "building" and feature.material == "stone":
        return "stone house"
    return _SIGNS.get(feature.kind, NOUNS[feature.kind][0])


def ground_list(ground: BattleGround) -> str:
    """The features of a ground as a list in words; "" for an open field. A hill counts once."""
    hills = [one for one in ground.features if one.kind == "hill"]
    seen = [one for one in ground.features if one.kind != "hill" or not _is_inner_contour(one, hills)]
    parts = [one.name for one in seen if one.name]
    parts += ["open water"] * any(not one.name and _reaches_edge(one, ground) for one in seen)
    plain = Counter(one.kind for one in seen if not one.name and not _reaches_edge(one, ground))
    for kind, count in plain.items():
        one, many = NOUNS[kind]
        article = "an" if one[0] in "aeiou" else "a"
        parts.append(f"{article} {one}" if count == 1 else f"{spell_number(count)} {many}")
    return join_names(parts)


def describe_ground(ground: BattleGround | None) -> str:
    """A sentence on what lay on the table, or none for an open field."""
    told = ground_list(ground) if ground else ""
    return f"On the ground lay {told}." if told else ""


def ground_caption(ground: BattleGround, inch: float = 1.0) -> str:
    """The size of the table and what lies on it; `inch` is how many inches of it one of the ground's is."""
    lies = ground_list(ground) or "open, level ground"
    return f"A table {ground.width * inch:.3g} by {ground.depth * inch:.3g} inches: {lies}."


def _is_inner_contour(hill: Feature, hills: list[Feature]) -> bool:
    """True for a contour within one named before it."""
    x = sum(point[0] for point in hill.points) / len(hill.points)
    y = sum(point[1] for point in hill.points) / len(hill.points)
    before = hills[: next(n for n, one in enumerate(hills) if one is hill)]
    return any(is_inside_polygon(one.points, (x, y)) for one in before)


def _reaches_edge(feature: Feature, ground: BattleGround) -> bool:
    """True for water that goes on beyond the table: a lake's or river's shore, no pond."""
    return feature.kind == "water" and any(
        x in (0.0, ground.width) or y in (0.0, ground.depth) for x, y in feature.points
    )
