"""The figures of recruitment are worked out once, whoever asks at the same time (HR-REC-04)."""

from threading import Thread
from time import sleep

from campaign.selectors import recruitment
from campaign.selectors.scenarios import ScenarioCard


def test_several_who_ask_at_once_wait_for_one_reckoning_hr_rec_04(monkeypatch) -> None:
    """Each thread of a process ran through the season by itself."""
    asked: list[str] = []

    def reckoned(world) -> dict[str, int]:
        asked.append(world.settings.recruitment)
        sleep(0.05)  # so that the others are there meanwhile
        return {side.id: 1 for side in world.theatre.sides}

    monkeypatch.setattr(recruitment, "strength_expected", reckoned)
    recruitment._sides.cache_clear()
    card = ScenarioCard("saratoga-1777", "Saratoga")
    threads = [Thread(target=recruitment.recruitment_of, args=(card,)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    recruitment._sides.cache_clear()
    assert sorted(asked) == ["damped", "draft", "off"]
