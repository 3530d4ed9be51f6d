"""Layout of the state record `g` that every kernel is given whole.

All fields are i8 or f8: narrower types compute differently compiled and interpreted. Lengths are
inches at the 25 mm scale, headings whole degrees clockwise from the table's far edge (+y), strength
in strength points. Shapes are part of the type, so there are only two sizes.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray


class Size(NamedTuple):
    """Capacities of one state record."""

    units: int
    dice: int
    events: int


SMALL = Size(units=96, dice=8192, events=8192)
LARGE = Size(units=400, dice=65536, events=65536)

#: Morale of a unit on the table (AWI-T-STA-01).
STEADY, SHAKEN, ROUTING = 0, 1, 2
#: Where a unit is.
ON_TABLE, WAITING, ELIMINATED, SURRENDERED, LEFT_TABLE = 0, 1, 2, 3, 4
#: Formations (AWI-T-UNI-02); wagons are always limbered.
LINE, COLUMN, LIMBERED, DEPLOYED = 0, 1, 2, 3
FOOT, MOUNTED, WHEELED = 0, 1, 2
CLOSE, OPEN, ARTILLERY = 0, 1, 2
#: Plans of a side's commander.
ASSAULT, HOLD, DELAY, WITHDRAW = 0, 1, 2, 3
#: Reasons why a run is void.
NO_ERROR, DICE_OVERRUN, EVENT_OVERRUN = 0, 1, 2
#: Ends of a battle.
GOES_ON, DAY_OVER, NOTHING_LEFT, BROKEN, NO_CONTACT = 0, 1, 2, 3, 4

UNIT = np.dtype(
    [
        # what it is
        ("side", "i8"),
        ("arm", "i8"),
        ("order_", "i8"),
        ("european", "i8"),
        ("grenadier", "i8"),
        ("militia", "i8"),
        ("indian", "i8"),
        ("wagon", "i8"),
        ("gun", "i8"),  # 1 for a battery
        ("howitzer", "i8"),
        ("shoots", "i8"),  # has a musket, rifle or gun
        ("morale", "i8"),  # modifier of basic morale
        ("fire", "i8"),  # modifier of its fire
        ("surrender_on", "i8"),
        ("turn_on", "i8"),  # die a gun needs to turn when guns dice for it
        ("due", "i8"),  # game turn in which it comes on
        ("rate_line", "f8"),  # deployed, for guns
        ("rate_column", "f8"),  # limbered, for guns
        ("rate_rout", "f8"),
        ("short_max", "f8"),
        ("medium_min", "f8"),
        ("medium_max", "f8"),
        ("long_max", "f8"),
        ("short_factor", "i8"),
        ("medium_factor", "i8"),
        ("long_factor", "i8"),
        # how it stands
        ("sp_start", "i8"),
        ("sp", "i8"),
        ("lost", "i8"),
        ("captured", "i8"),
        ("place", "i8"),
        ("mood", "i8"),
        ("form", "i8"),
        ("x", "f8"),
        ("y", "f8"),
        ("face", "i8"),
        ("post_x", "f8"),  # where it was drawn up
        ("post_y", "f8"),
        ("gun_left", "i8"),  # crew has run from its gun
        ("gun_x", "f8"),
        ("gun_y", "f8"),
        ("immobile", "i8"),  # wagon that has routed
        ("rout_turn", "i8"),  # player turn of its last rout
        # what it does in this player turn
        ("busy", "i8"),  # may not act in step C
        ("retires", "i8"),
        ("target", "i8"),
        ("aim", "i8"),  # fire modifier of the declared shot
        ("had_target", "i8"),
        ("shakes", "i8"),
        ("charges", "i8"),  # unit charged, or -1
        ("zone", "i8"),  # zone of the target it strikes
        ("reach", "f8"),  # inches to its target when it declared
        ("over", "i8"),  # SP of the work it charges over
        ("old_x", "f8"),  # where its target stood
        ("old_y", "f8"),
        ("contact", "i8"),
        ("counter", "i8"),
        ("won", "i8"),
        ("score", "i8"),
        ("tested", "i8"),
        ("fought", "i8"),
    ]
)

#: Room for the generals of issue 3 (AWI-T-GEN).
GENERAL = np.dtype(
    [("side", "i8"), ("rank", "i8"), ("unit", "i8"), ("wounds", "i8"), ("x", "f8"), ("y", "f8")]
)

#: A straight work or obstacle; its SP give its class of cover (AWI-T-FOR-03).
WORK = np.dtype([("x0", "f8"), ("y0", "f8"), ("x1", "f8"), ("y1", "f8"), ("sp", "i8"), ("kind_", "i8")])

OPTIONS = np.dtype(
    [
        ("shaken_quality", "i8"),  # AWI-T-MOR-06: 0 off, 1 militia -1, 2 and grenadiers +1
        ("irregulars_rout", "i8"),  # AWI-T-MOR-04
        ("shakes_to_rout", "i8"),  # AWI-T-MOR-07: 0 off, 2, 3
        ("pin_flat_6", "i8"),  # AWI-T-FAC-01
        ("guns_dice_to_turn", "i8"),  # AWI-T-FAC-03
        ("one_at_a_time", "i8"),  # AWI-T-FIR-03
        ("before_loss", "i8"),  # AWI-T-FIR-12
        ("ball_factor", "i8"),  # AWI-T-FIR-09
        ("evade", "i8"),  # AWI-T-CHG-09
        ("stay_put", "i8"),  # AWI-T-CHG-10
        ("swap_obstacle_columns", "i8"),  # AWI-T-MEL-03
        ("column_either", "i8"),  # AWI-T-MEL-06
        ("repulse_either", "i8"),  # AWI-T-MEL-09
        ("randomised", "i8"),  # AWI-T-OPT-01
    ]
)

EVENT = np.dtype(
    [
        ("turn", "i8"),
        ("mover", "i8"),
        ("step", "i8"),
        ("what", "i8"),
        ("actor", "i8"),
        ("other", "i8"),
        ("die1", "i8"),
        ("die2", "i8"),
        ("modifier", "i8"),
        ("total", "i8"),
        ("result", "i8"),
        ("face", "i8"),
        ("x", "f8"),
        ("y", "f8"),
    ]
)

GROUND_CELLS = (30, 48)
WORKS = 8
GENERALS = 32


def layout(size: Size) -> np.dtype[Any]:
    """Dtype of a state record of the given capacities."""
    return np.dtype(
        [
            ("n", "i8"),
            ("turn", "i8"),
            ("turns", "i8"),
            ("player_turn", "i8"),
            ("mover", "i8"),
            ("first", "i8"),
            ("step", "i8"),
            ("error", "i8"),
            ("ending", "i8"),
            ("holder", "i8"),
            ("quiet", "i8"),  # game turns without a shot or a charge
            ("break_percent", "i8"),
            ("width", "f8"),
            ("depth", "f8"),
            ("plan", "i8", (2,)),
            ("sp_start", "i8", (2,)),
            ("o", OPTIONS),
            ("u", UNIT, (size.units,)),
            ("near", "i8", (size.units,)),
            ("near_n", "i8"),
            ("queue", "i8", (size.units,)),
            ("works_n", "i8"),
            ("works", WORK, (WORKS,)),
            ("generals_n", "i8"),
            ("generals", GENERAL, (GENERALS,)),
            ("ground", "i8", GROUND_CELLS),
            ("cursor", "i8"),
            ("dice", "i8", (size.dice,)),
            ("recording", "i8"),
            ("events_n", "i8"),
            ("events", EVENT, (size.events,)),
        ]
    )


def blank(size: Size) -> NDArray[Any]:
    """A zeroed state as an array of one record, readable by field name in both modes."""
    return np.zeros(1, dtype=layout(size)).view(np.recarray)
