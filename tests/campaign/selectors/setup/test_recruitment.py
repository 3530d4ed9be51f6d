"""The figures of recruitment are worked out once, whoever asks at the same time (HR-REC-04)."""

from threading import Thread
from time import sleep

from campaign.scenarios.armies import armies_table, rows_to_json
from campaign.scenarios.reading import read_scenario, scenario_path
from campaign.selectors.setup import recruitment
from campaign.selectors.setup.scenarios import ScenarioCard
from rosters.importing import roster_rows


def test_several_who_ask_at_once_wait_for_one_reckoning_hr_rec_04(monkeypatch) -> None:
    """Each thread of a process ran through the season by itself."""
    asked: list[str] = []

    def reckoned(world) -> dict[str, int]:
        asked.append(world.settings.recruitment)
        sleep(0.05)  # so that the others are there meanwhile
        return {side.id: 1 for side in world.theatre.sides}

    monkeypatch.setattr(recruitment, "estimate_final_points", reckoned)
    recruitment._find_side_strengths.cache_clear()
    card = ScenarioCard("saratoga-1777", "Saratoga")
    threads = [Thread(target=recruitment.recruitment_of, args=(card,)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    recruitment._find_side_strengths.cache_clear()
    assert sorted(asked) == ["damped", "draft", "off"]


def test_armies_too_large_to_wait_for_say_so_hr_rec_04_hr_set_18(monkeypatch) -> None:
    """Their strength was left out without a word."""
    scenario = read_scenario(scenario_path("saratoga-1777"))
    rows = rows_to_json(roster_rows(armies_table(scenario.world)))
    card = ScenarioCard("saratoga-1777", "Saratoga")
    found = recruitment.recruitment_of(card, armies=rows)
    assert found.sides == recruitment.recruitment_of(card).sides and not found.without_strength
    monkeypatch.setattr(recruitment, "is_affordable", lambda world: False)
    recruitment._find_side_strengths.cache_clear()
    large = recruitment.recruitment_of(card, armies=rows)
    recruitment._find_side_strengths.cache_clear()
    assert large.sides == () and "armies so large is not worked out" in large.describe_choice("damped")
    bare = recruitment.recruitment_of(card, bare=True)
    assert (
        bare.sides == ()
        and bare.without_strength == ""
        and "worked out" not in bare.describe_choice("damped")
    )


def test_armies_that_no_longer_fit_their_scenario_have_no_strength_hr_set_18() -> None:
    scenario = read_scenario(scenario_path("saratoga-1777"))
    rows = rows_to_json(roster_rows(armies_table(scenario.world)))
    rows[0] |= {"formation": "new_one", "place": "nowhere"}
    found = recruitment.recruitment_of(ScenarioCard("saratoga-1777", "Saratoga"), armies=rows)
    assert found.sides == () and found.without_strength == ""
