"""Orders of a battle: each side's plan and the options of the rules, parts of the record `g`."""

import numpy as np

#: A side's plan as the battle file gives it; its goal is in inches of the table.
PLAN = np.dtype(
    [
        ("kind_", "i8"),
        ("flank", "i8"),  # -1 left, 1 right, as its own troops see it
        ("reserve", "i8"),  # percent
        ("boldness", "f8"),  # taken off the value a charge must have
        ("until", "i8"),
        ("then_", "i8"),
        ("goal", "i8"),
        ("goal_x", "f8"),
        ("goal_y", "f8"),
    ]
)

#: The options of the rules as numbers; see the comment of each.
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
        ("road_bonus", "i8"),  # AWI-T-MOV-11
        ("ford_free", "i8"),  # AWI-T-TER-09
        ("building_flat", "i8"),  # AWI-T-FOR-03
        ("works_by_kind", "i8"),  # AWI-T-FOR-04
        ("dense_seen", "f8", (3,)),  # AWI-T-TER-07, inches by how well a unit hides
        ("open_seen", "f8", (3,)),
        ("variant", "i8"),  # AWI-T-V98-01, AWI-T-V45-01
        ("metric", "i8"),  # 15 mm scale: the Highland die is in centimetres (AWI-T-V45-04)
    ]
)
