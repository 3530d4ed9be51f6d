"""No words of a pack lie on others, whichever rules and paper it is printed for."""

from dataclasses import replace

import pytest

from battles.files.other_rulesets import document_under
from battles.files.reading import FIXTURES, battle_from_json, read_document
from battles.printing.packs import Occasion
from battles.printing.sheets import build_pack, typeset_pack
from battles.printing.typesetting import PAPERS
from battles.rulesets import registry
from tests.battles.printed import pages_of, printed_over, runs_of


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("ruleset", [one.id for one in registry.RULESETS])
def test_no_words_are_printed_over_others(ruleset, paper):
    document, _ = document_under(read_document(str(FIXTURES / "freemans-farm.json")), ruleset)
    battle = battle_from_json(document)
    contents = build_pack(battle, Occasion(), own=(battle.attacker, battle.defender))
    contents = replace(contents, ground=None)  # on the map places may be named across one another
    for number, page in enumerate(pages_of(typeset_pack(contents.to_json(), paper)), 1):
        runs, wide = runs_of(page), float(page.mediabox.width)
        assert sum(run.letters for run in runs) > 100, "the widths were found"
        assert not printed_over(runs), f"page {number}"
        assert all(0 < run.left <= run.right < wide for run in runs), f"page {number}"
