"""The form of a battle plan, and what is sent from a battle's page (HR-BAT-09)."""

import html
from pathlib import Path

from campaign.services.battles import battle_settle_by_engine

PAGE = "/campaigns/saratoga/battles/"
SCRIPT = Path(__file__).parents[3] / "static" / "js" / "battle.js"


def page(client, battle) -> str:
    return html.unescape(client.get(f"{PAGE}{battle.pk}/").content.decode())


def test_the_flank_is_asked_for_as_part_of_turning_one(crown, battle):
    text = page(crown, battle)
    assert "<legend>For turning a flank: the enemy is turned by</legend>" in text
    assert text.count("data-turning") == 1 and "js/battle.js" in text
    assert "[data-turning]" in SCRIPT.read_text()


def test_a_fight_that_is_asked_for_says_so_at_once(desk, battle):
    text = page(desk, battle)
    form = text[text.index("settle/engine/") :].partition("</form>")[0]
    assert 'data-working="The engine is being set to the battle' in form and 'role="status"' in form


def test_units_that_are_gone_are_told_in_words_that_are_no_side_of_the_table(crown, battle):
    settled = battle_settle_by_engine(battle=battle, actor=None)
    for loss, fate in zip(settled.settlement["losses"], ("left_table", "eliminated"), strict=False):
        loss["fate"] = fate
    settled.save()
    text = page(crown, battle)
    assert "left the field" in text and ", destroyed" in text and "left table" not in text
    assert '<td class="figure change">' in text or "→" not in text
