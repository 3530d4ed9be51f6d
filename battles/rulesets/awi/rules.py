"""The AWI tactical rules as the registry names them. No numba here."""

from typing import cast

from battles.printing.sheet_types import SheetTerms
from battles.replay.event_text import FIGURES, Telling
from battles.rulesets.awi import printed_sheets
from battles.rulesets.awi.hiding import seen_in_woods
from battles.rulesets.awi.options import HOUSE_OPTIONS, OPTIONS, SCOPE
from battles.rulesets.awi.variants import list_known_traits, traits_faults
from battles.rulesets.awi.words import format_event_inches
from battles.rulesets.rules import RulesetRules

RULES = RulesetRules(
    options=OPTIONS | HOUSE_OPTIONS,
    scope=SCOPE,
    traits=list_known_traits,
    traits_faults=traits_faults,
    seen_in_woods=seen_in_woods,
    seen_through=seen_in_woods,
    sheets=cast(SheetTerms, printed_sheets),
    telling=Telling(
        steps={
            "-": "before the first move",
            "A": "tests of morale",
            "B": "retreats and routs",
            "C": "movement",
            "D": "facing",
            "E": "fire",
            "F": "charges",
            "G": "tests of the charged",
            "H": "routs before the charge",
            "I": "contact",
            "J": "hand to hand",
            "K": "second charges",
        },
        figures=dict.fromkeys(FIGURES, format_event_inches),
        compared=frozenset({"first_move", "first_move_level"}),
    ),
)
