"""A battle of one turn, fought so that an engine is compiled and ready."""

from battles.files.schema import BattleFile, BattleUnit
from rosters.domain.vocabulary import TroopType


def build_skirmish(ruleset: str, crown: int, sp: int) -> BattleFile:
    """So many units of the Crown, of so many SP each, against one of Congress."""
    return BattleFile(
        title="A skirmish",
        attacker="crown",
        defender="congress",
        units=(
            *(
                BattleUnit(f"a-{number}", f"{number}th Foot", "crown", TroopType.BRITISH_LINE, sp)
                for number in range(1, crown + 1)
            ),
            BattleUnit("b", "2nd New Hampshire", "congress", TroopType.CONTINENTAL_LINE, 5),
        ),
        turns=1,
        ruleset=ruleset,
    )
