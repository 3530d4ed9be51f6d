"""The table of terrain by kind of troops: movement, sight and saves (RTG-TER). No numba here.

A cell of the table is a set of effects, written as one number of bits. `MOVES` has a row for each kind
of ground and a column for each kind of troops.
"""

#: Columns of the table (RTG-TER-00).
COLUMNS: tuple[str, ...] = ("inf_bde", "cav_bde", "arty", "inf_skirm", "cav_skirm", "cmdr")
INF_BDE, CAV_BDE, ARTY, INF_SKIRM, CAV_SKIRM, CMDR = 0, 1, 2, 3, 4, 5

#: Codes of the card as bits (RTG-TER-00), and what single rows add to them.
HALF_MOVE, TWICE, FOURFOLD, ENTERING, INSIDE, LEAVING, PROHIBITED, UPHILL = 1, 2, 4, 8, 16, 32, 64, 128
BLOCKS_ROAD, NO_ATTACK, NO_UNLIMBERING, LOSES_GUN, BY_DIE, BY_ENTRANCE, BY_BREACH = (
    256, 512, 1024, 2048, 4096, 8192, 16384,
)  # fmt: skip
CODES: dict[str, int] = {
    "-": 0,
    "HALF": HALF_MOVE,
    "2x": TWICE,
    "4x": FOURFOLD,
    "DE": ENTERING,
    "DI": INSIDE,
    "DL": LEAVING,
    "XX": PROHIBITED,
    "up": UPHILL,
    "BR": BLOCKS_ROAD,
    "NA": NO_ATTACK,
    "no_unlimber": NO_UNLIMBERING,
    "lose_dedicated_gun": LOSES_GUN,
    "roll": BY_DIE,
    "entrance_march_column_only": BY_ENTRANCE,
    "breach_only": BY_BREACH,
}
#: Against what ground saves: fire and melee, with small arms' fire apart from that of guns.
SAVES_SMALL_ARMS, SAVES_GUNS, SAVES_MELEE = 1, 2, 4
SAVES_FIRE, SAVES_ALL = SAVES_SMALL_ARMS | SAVES_GUNS, SAVES_SMALL_ARMS | SAVES_GUNS | SAVES_MELEE
#: Siege guns are not saved from; nor is the melee of infantry, nor siege guns at close range only.
NOT_SIEGE, NOT_INFANTRY_MELEE, NOT_CLOSE_SIEGE = 8, 16, 32
#: Kinds of ground by number, in the order of the rules (RTG-TER-02 to 22).
KINDS: tuple[str, ...] = (
    "open", "broken", "crops", "field_works", "forest", "fort", "fortress", "hasty_works", "hill", "marsh",
    "marshy_stream", "orchard", "river", "road", "sunken_road", "stream", "swamp", "town", "tree_line",
    "village",
)  # fmt: skip
(
    OPEN, BROKEN, CROPS, FIELD_WORKS, FOREST, FORT, FORTRESS, HASTY_WORKS, HILL, MARSH,
    MARSHY_STREAM, ORCHARD, RIVER, ROAD, SUNKEN_ROAD, STREAM, SWAMP, TOWN, TREE_LINE, VILLAGE,
) = range(20)  # fmt: skip

Cells = tuple[int, int, int, int, int, int]


def _parse_cells(*columns: str) -> Cells:
    """Cells of a row, each of codes apart by blanks."""
    inf, cav, arty, skirm, horse, cmdr = (sum(CODES[code] for code in cell.split()) for cell in columns)
    return inf, cav, arty, skirm, horse, cmdr


_FREE = _parse_cells("-", "-", "-", "-", "-", "-")
_WORKS = _parse_cells("-", "DE DL", "-", "-", "DE DL", "-")
#: Effects on movement. A hill's are of the one contour or two (`HILLS`), a marsh's of a die (`MARSH_ROWS`).
MOVES: dict[str, Cells] = {
    "open": _FREE,
    "broken": _parse_cells("2x", "2x DI", "2x", "-", "2x", "-"),
    "crops": _FREE,
    "field_works": _WORKS,
    "forest": _parse_cells("2x", "2x DI", "2x no_unlimber", "-", "2x", "-"),
    "fort": _parse_cells(
        "DE",
        "entrance_march_column_only",
        "entrance_march_column_only",
        "DE",
        "entrance_march_column_only",
        "-",
    ),
    "fortress": _parse_cells(*("breach_only DE",) * 6),
    "hasty_works": _FREE,
    "hill": _FREE,
    "marsh": _parse_cells("roll", "roll", "roll", "-", "roll", "-"),
    "marshy_stream": _parse_cells("HALF DI lose_dedicated_gun", "XX", "XX", "HALF DI", "HALF DI", "HALF"),
    "orchard": _parse_cells("-", "2x DI", "-", "-", "-", "-"),
    "river": _parse_cells(*("XX",) * 6),
    "road": _FREE,
    "sunken_road": _WORKS,
    "stream": _parse_cells(*("HALF",) * 6),
    "swamp": _parse_cells("XX", "XX", "XX", "2x", "XX", "2x"),
    "town": _parse_cells("DE DL", "DI BR NA", "DI BR NA", "-", "DI BR NA", "-"),
    "tree_line": _FREE,
    "village": _FREE,
}
#: One contour in the move and two (RTG-TER-10).
HILLS: tuple[Cells, Cells] = (
    _parse_cells("-", "-", "HALF up", "-", "-", "-"),
    _parse_cells("HALF DE", "HALF DE", "XX", "-", "-", "-"),
)
#: Totals of the die up to which a row of the table of marsh holds, with its effects (RTG-TER-11).
MARSH_ROWS: tuple[tuple[int, int], ...] = ((2, 0), (4, TWICE), (99, FOURFOLD | INSIDE))
MARSH_GUNS, MARSH_TRODDEN = 1, 1

_NONE: Cells = (0, 0, 0, 0, 0, 0)
_IN_WORKS = SAVES_ALL | NOT_SIEGE
#: A fort's guns and men are safe from what has no effect on them, which is no save (RTG-TER-07).
_IN_FORT = SAVES_GUNS | SAVES_MELEE | NOT_CLOSE_SIEGE
#: Saves of who stands there. A sunken road saves as field works but from the melee of infantry (RTG-TER-16).
SAVES: dict[str, Cells] = {
    **dict.fromkeys(KINDS, _NONE),
    "broken": (0, 0, 0, SAVES_FIRE, SAVES_FIRE, 0),
    "field_works": (_IN_WORKS, 0, _IN_WORKS, _IN_WORKS, 0, 0),
    "forest": (SAVES_FIRE, 0, 0, SAVES_FIRE, 0, 0),
    "fort": (_IN_FORT,) * 6,
    "fortress": (_IN_FORT,) * 6,
    "hasty_works": (SAVES_SMALL_ARMS, 0, SAVES_SMALL_ARMS, SAVES_SMALL_ARMS, 0, 0),
    "sunken_road": (
        _IN_WORKS | NOT_INFANTRY_MELEE,
        0,
        _IN_WORKS | NOT_INFANTRY_MELEE,
        _IN_WORKS | NOT_INFANTRY_MELEE,
        0,
        0,
    ),
}
#: Where a defender has the modifier of a building or works (RTG-MOR-05).
SHELTERS: frozenset[str] = frozenset(
    ("town", "village", "field_works", "hasty_works", "fort", "fortress", "sunken_road")
)
