"""The umpire's evening through the API, by the client of docs/client."""

from typing import Any

from tests.programs.club import CAMPAIGN

PATH = f"campaigns/{CAMPAIGN}/"


def meeting(umpire: Any) -> None:
    """Fraser at Castleton, Poor at Hubbardton: a day's march apart, with nobody else near."""
    for formation, place in (("advanced_corps", "castleton"), ("poors_brigade", "hubbardton")):
        act = {"version": 1, "kind": "place", "formation": formation, "position": {"place": place}}
        head = umpire.get(f"{PATH}umpire/")["head"]
        body = {"act": act, "reason": "The story begins here.", "head": head}
        umpire.post(f"{PATH}umpire/acts/", body)


def day_played(umpire: Any) -> list[Any]:
    """Ask for the day and wait for it; the battles it waits for."""
    job = umpire.post(f"{PATH}advance/", {"day": umpire.get(f"{PATH}umpire/")["turn_from"]})
    done = umpire.wait_for(CAMPAIGN, job["number"], every=0.3)
    assert done["state"] == "done", done
    return list(umpire.get(PATH)["waiting_battles"])


def settled_by_word(umpire: Any, number: int) -> None:
    """Both lose a tenth, and who was attacked stays."""
    battle = umpire.get(f"{PATH}battles/{number}/")
    lost = {battle["attacker"]: 10, battle["defender"]: 10}
    word = {"by": "word", "held_by": battle["defender"], "percent_lost": lost}
    umpire.post(f"{PATH}battles/{number}/settle/", word)


def day_of(umpire: Any) -> int:
    """Days completed."""
    return int(umpire.get(PATH)["calendar"]["day"]) - 1
