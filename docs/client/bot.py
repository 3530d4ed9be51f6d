"""A bot that plays a seat through the API, for as many weeks as you let it: a beginning for one of your own.

    AWI_TOKEN=awi_… python bot.py https://club.example.org saratoga --weeks 4

Each morning it reads where it stands, drafts an order for each of its columns and submits the drafts that
would be taken. Columns go for the nearest enemy they can beat, fall back from one they cannot, and else march
on the nearest place of the enemy's. It is no Burgoyne: change `choose`.
"""

import argparse
import heapq
import os
import time
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from awi_client import Client, Problem

#: Percent of the enemy's strength points a column wants before it attacks, and below which it falls back.
ATTACK, FALL_BACK = 130, 75
#: Yards within which an enemy is near: two days' march or so.
NEAR = 40_000


@dataclass
class Morning:
    """What the bot has before it: roads and enemies' strength by place, places of the enemy's."""

    day: int
    roads: Mapping[str, list[tuple[str, int]]]
    enemies: Mapping[str, int]
    hostile: set[str]
    columns: dict[str, dict[str, Any]]  # own formations of the map by id
    desk: dict[str, Any]

    def way(self, start: str, goals: set[str]) -> tuple[str, int] | None:
        """The nearest of some places by road and water, and the yards to it."""
        seen: set[str] = set()
        queue = [(0, start)]
        while queue:
            yards, place = heapq.heappop(queue)
            if place in seen:
                continue
            if place in goals:
                return place, yards
            seen.add(place)
            for other, length in self.roads[place]:
                heapq.heappush(queue, (yards + length, other))
        return None


class Bot:
    """A seat of one campaign."""

    def __init__(self, club: Client, campaign: str) -> None:
        self.club, self.campaign = club, campaign
        self.path = f"campaigns/{campaign}/"
        self.cursor = ""

    def morning(self) -> Morning:
        """Read the map and the desk."""
        here = self.club.get(self.path)
        side = here["viewer"]["side"]
        roads: dict[str, list[tuple[str, int]]] = defaultdict(list)
        enemies: dict[str, int] = defaultdict(int)
        hostile, columns = set(), {}
        for feature in self.club.get(f"{self.path}map/")["features"]:
            found = feature["properties"]
            if found["feature"] == "route":
                roads[found["a"]].append((found["b"], found["yards"]))
                roads[found["b"]].append((found["a"], found["yards"]))
            elif found["feature"] == "place":
                if found["holder"] not in ("", side):
                    hostile.add(found["id"])
            elif found["feature"] == "formation" and found.get("own"):
                columns[found["id"]] = found
            elif found["feature"] == "formation":
                enemies[found.get("place") or found["destination"]] += found.get("sp", 0)
        desk = self.club.get(f"{self.path}orders/")
        return Morning(desk["days_completed"], roads, enemies, hostile, columns, desk)

    def choose(self, morning: Morning, column: dict[str, Any]) -> dict[str, Any] | None:
        """The order of one column; None leaves it as it is. This is the part to make your own."""
        here, strength = column.get("place"), column.get("sp", 0)
        if not here or not strength:
            return None  # on the march already, or a train, which waits
        found = morning.way(here, {place for place, sp in morning.enemies.items() if sp})
        if found is not None and found[1] <= NEAR:
            place, _ = found
            enemy = morning.enemies[place]
            if strength * 100 >= enemy * ATTACK:
                return {
                    "formation": column["id"],
                    "via": [place] if place != here else [],
                    "stance": "attack",
                }
            if strength * 100 < enemy * FALL_BACK:
                return {"formation": column["id"], "via": [], "stance": "avoid"}
            return {"formation": column["id"], "via": [], "stance": "give_battle"}
        goal = morning.way(here, morning.hostile)
        return {"formation": column["id"], "via": [goal[0]], "stance": "attack"} if goal else None

    def command(self) -> int:
        """Draft an order for each column that is free, and submit those that would be taken; how many."""
        morning, taken = self.morning(), 0
        for row in morning.desk["formations"]:
            column = morning.columns.get(row["formation"])
            if column is None or row["garrison"] or row["waits"] or not row["mine"] or row["paper"]:
                continue
            order = self.choose(morning, column)
            if order is None or self._same(row["order"], order):
                continue
            body = {"order": order, "days_completed": morning.day}
            draft = self.club.post(f"{self.path}orders/drafts/", body)
            number = draft["paper"]["number"]
            if draft["refusal"]:
                print(f"  {row['name']}: {draft['refusal']['detail']}")
                self.club.delete(f"{self.path}orders/{number}/")
                continue
            self.club.post(f"{self.path}orders/{number}/submit/", key=f"{self.campaign}-draft-{number}")
            taken += 1
        return taken

    @staticmethod
    def _same(standing: dict[str, Any] | None, order: dict[str, Any]) -> bool:
        now = standing or {"via": [], "stance": "give_battle"}
        return bool(now["via"] == order["via"] and now["stance"] == order["stance"])

    def answer(self) -> None:
        """What waits for an answer: battles to be fought, and terms the enemy offers."""
        for number in self.club.get(self.path)["waiting_battles"]:
            battle = self.club.get(f"{self.path}battles/{number}/")
            if not battle["may_plan"]:
                continue
            plans = self.club.get(f"{self.path}battles/{number}/plan/")["plans"]
            if any(plan["chosen"] or plan["refusal"] for plan in plans):
                continue
            kind = "assault" if battle["attacker"] == self.side() else "hold"
            plan = {"kind": kind, "reserve_percent": 25, "boldness": 0}
            self.club.put(f"{self.path}battles/{number}/plan/", plan)
            print(f"  {battle['title']}: {kind}")
        if any(offer["ours"] for offer in self.club.get(f"{self.path}standing/")["offers"]):
            self.club.post(f"{self.path}treaties/", {"kind": "answer_terms", "answer": "refuse"})

    def side(self) -> str:
        return str(self.club.get(self.path)["viewer"]["side"])

    def news(self) -> None:
        """Tell what the journal has to say since it was read last."""
        try:
            entries, self.cursor = self.club.journal(self.campaign, self.cursor)
        except Problem as problem:
            if problem.status != 409:
                raise
            entries, self.cursor = self.club.journal(self.campaign)  # the umpire went back: read anew
        for entry in entries:
            if not entry["routine"]:
                print(f"  {entry['date']} {entry['text']}")

    def play(self, weeks: int, every: float) -> int:
        """Play until so many weeks are over or the campaign ends; how many orders were given."""
        first, given, told = self.club.get(self.path)["calendar"]["day"], 0, ""
        while True:
            here = self.club.get(self.path)
            calendar = here["calendar"]
            over = calendar["day"] >= first + 7 * weeks
            if calendar["ended"] or (over and not here["waiting_battles"]):
                return given
            self.news()
            try:
                self.answer()
                ordered = 0 if over else self.command()  # a battle of the last day still waits
                if ordered or calendar["date"] != told:
                    print(f"{calendar['date']}: {ordered} orders given.", flush=True)
                given, told = given + ordered, calendar["date"]
            except Problem as problem:
                if problem.status not in (412, 422):
                    raise
                print(f"  {problem}")  # the day was played meanwhile, or somebody else wrote: look again
            time.sleep(every)


def main() -> None:
    asked = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    asked.add_argument("site")
    asked.add_argument("campaign")
    asked.add_argument("--weeks", type=int, default=1)
    asked.add_argument("--every", type=float, default=60.0, help="Seconds between two looks.")
    given = asked.parse_args()
    token = os.environ.get("AWI_TOKEN", "")
    if not token:
        asked.error("Say who plays: set AWI_TOKEN to a token from your profile (Tokens for programs).")
    try:
        bot = Bot(Client(given.site, token), given.campaign)
        print(f"{bot.play(given.weeks, given.every)} orders in all.")
    except Problem as problem:
        raise SystemExit(str(problem)) from problem


if __name__ == "__main__":
    main()
