"""The form of a battle plan, and what is sent from a battle's page (HR-BAT-09)."""

import html
from pathlib import Path

from campaign.services.battles.settlement import battle_settle_by_engine

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


def test_a_defender_who_attacks_is_said_to_be_both(crown, rebel, desk, battle):
    """Above "United States means to assault" stood "Crown attacks; United States stands"."""
    note = "The rules call it the defender here; it may attack all the same."
    assert note not in page(rebel, battle)
    battle.inputs["file"]["plans"] = {"rebel": {"kind": "assault"}, "crown": {"kind": "hold"}}
    battle.save()
    assert note in page(rebel, battle) and note not in page(crown, battle)
    assert "The rules call it the attacker here; it need not go forward." in page(crown, battle)
    text = page(desk, battle)
    assert note in text and "attacks from here" not in text and "stands here" not in text
    assert "Crown sets out here" in text and "United States sets out here" in text
    assert "Crown, attacker: " in text and "United States, defender: " in text
