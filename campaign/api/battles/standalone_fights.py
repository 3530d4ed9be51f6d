"""Fights without a campaign: a battle file checked, fought once, or many times for its odds (HR-BAT-12)."""

import json
from typing import Any

from django.http import Http404
from django.shortcuts import get_object_or_404
from rest_framework import serializers
from rest_framework.request import Request

from battles.files.reading import find_shipped_battles
from battles.rulesets import registry
from campaign.api.framework.contract import Scope, endpoint
from campaign.api.framework.pagination import build_page, build_page_shape
from campaign.api.framework.problems import KINDS, problem_response
from campaign.api.framework.serializers import PageQuery, Shape
from campaign.api.framework.views import ApiView
from campaign.fog.visibility import fights_of
from campaign.models import Job
from campaign.services.battles.standalone_fights import (
    MOST_FEATURES,
    MOST_RUNS,
    MOST_UNITS,
    MOST_WAITING,
    FightRefused,
    check_fight_document,
    fight_ask,
)
from campaign.services.jobs.jobs import job_stop

OWN = "Your own alone."
LIMITS = f"At most {MOST_UNITS} units and {MOST_FEATURES} pieces of ground."


class RulesetShape(Shape):
    """Tactical rules a battle may be fought under."""

    id = serializers.CharField()
    title = serializers.CharField()
    version = serializers.CharField()
    about = serializers.CharField(help_text="What it is like at the table, and what it is best for.")


class RulesetsShape(Shape):
    """The rules there are."""

    rulesets = RulesetShape(many=True)


class ShippedShape(Shape):
    """A battle that comes with the program."""

    name = serializers.CharField()
    title = serializers.CharField()


class ShippedListShape(Shape):
    """The battles that come with the program."""

    battles = ShippedShape(many=True)


class ShippedFileShape(Shape):
    """A shipped battle's file."""

    name = serializers.CharField()
    file = serializers.JSONField()


class FightFileShape(Shape):
    """A battle file."""

    file = serializers.DictField(help_text=f"As docs/battle-file.md says. {LIMITS}")
    ruleset = serializers.CharField(
        max_length=40,
        allow_blank=True,
        default="",
        help_text="Instead of the file's own; options and traits it does not know are left out.",
    )


class NewFightShape(FightFileShape):
    """The battle to fight, and the number of fights."""

    runs = serializers.IntegerField(
        default=1, help_text=f"1: one fight, told; up to {MOST_RUNS}: the odds of so many."
    )
    seed = serializers.IntegerField(
        required=False, allow_null=True, help_text="The same seed is the same fight; left out: drawn."
    )


class CheckedFileShape(Shape):
    """A file that can be fought."""

    title = serializers.CharField(allow_blank=True)
    ruleset = serializers.CharField()
    units = serializers.IntegerField()
    warnings = serializers.ListField(child=serializers.CharField(), help_text="What to look at again.")


class FightRowShape(Shape):
    """A fight of yours."""

    number = serializers.IntegerField(source="pk")
    title = serializers.SerializerMethodField()
    runs = serializers.IntegerField(source="payload.runs")
    seed = serializers.IntegerField(source="payload.seed")
    state = serializers.ChoiceField(Job.State.choices)
    progress = serializers.IntegerField(min_value=0, max_value=100)
    note = serializers.CharField(allow_blank=True)
    error = serializers.CharField(allow_blank=True)
    asked_at = serializers.DateTimeField(source="created_at")
    finished_at = serializers.DateTimeField(allow_null=True)

    def get_title(self, job: Job) -> str:
        return str(job.payload["file"].get("title", ""))


class FightShape(FightRowShape):
    """A fight with what came of it."""

    figures = serializers.SerializerMethodField(
        help_text="Losses and ends, shares from 0 to 1; one fight as odds of one; empty until done."
    )
    outcome = serializers.SerializerMethodField(help_text="Of one fight: who holds the field, every loss.")
    account = serializers.SerializerMethodField(help_text="Of one fight, as an officer would tell it.")

    def get_figures(self, job: Job) -> dict[str, Any]:
        return {name: value for name, value in (job.result or {}).items() if name not in _APART}

    def get_outcome(self, job: Job) -> dict[str, Any]:
        return (job.result or {}).get("outcome", {})

    def get_account(self, job: Job) -> list[str]:
        return (job.result or {}).get("account", [])


#: What of a result stands beside its figures.
_APART = ("outcome", "account", "seconds")


class Rulesets(ApiView):
    """The rules there are."""

    @endpoint("rulesets_list", "Tactical rules", answer=RulesetsShape, seen="Whoever is signed in.")
    def get(self, request: Request) -> dict[str, Any]:
        """The rules battles may be fought under."""
        return {"rulesets": registry.RULESETS}


class ShippedFights(ApiView):
    """Battles that come with the program."""

    @endpoint("fights_shipped", "Battles to try", answer=ShippedListShape, seen="Whoever is signed in.")
    def get(self, request: Request) -> dict[str, Any]:
        """The battles that come with the program."""
        files = find_shipped_battles()
        rows = [{"name": name, "title": _read_shipped_file(name)["title"]} for name in files]
        return {"battles": rows}


class ShippedFile(ApiView):
    """One of them."""

    @endpoint("fights_shipped_file", "A battle to try", answer=ShippedFileShape, seen="Whoever is signed in.")
    def get(self, request: Request, name: str) -> dict[str, Any]:
        """Its file, to be fought or changed."""
        if name not in find_shipped_battles():
            raise Http404
        return {"name": name, "file": _read_shipped_file(name)}


def _read_shipped_file(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(find_shipped_battles()[name].read_text(encoding="utf-8"))
    return found


class BattleFileCheck(ApiView):
    """Checking a battle file."""

    @endpoint(
        "fights_check",
        "Check a battle file",
        answer=CheckedFileShape,
        body=FightFileShape,
        cost=10,
        refuses=(422,),
        seen="Whoever is signed in.",
    )
    def post(self, request: Request) -> Any:
        """Checks that a file can be fought, and lists points to look at again; nothing is kept.

        A refusal lists every fault with its place in `errors`. Rules: HR-BAT-12.
        """
        try:
            battle, warnings = check_fight_document(self.given["file"], ruleset=self.given["ruleset"])
        except FightRefused as refused:
            return refused_in_full(refused)
        return {
            "title": battle.title,
            "ruleset": battle.ruleset,
            "units": len(battle.units),
            "warnings": warnings,
        }


class FightList(ApiView):
    """Fights of one's own."""

    @endpoint("fights_list", "Your fights", answer=build_page_shape(FightRowShape), query=PageQuery, seen=OWN)
    def get(self, request: Request) -> dict[str, Any]:
        """The last of them, the newest first."""
        return build_page(fights_of(self.person, "fight").defer("result"), self.asked)

    @endpoint(
        "fights_ask",
        "Fight a battle file",
        answer=FightRowShape,
        status=202,
        body=NewFightShape,
        scope=Scope.ORDER,
        cost=20,
        seen=f"Whoever is signed in, {MOST_WAITING} at a time.",
    )
    def post(self, request: Request) -> Any:
        """Has a battle fought once, or many times for its odds, by a worker; no campaign is touched.

        Follow it at fights/{number}/. A refusal lists every fault in `errors`. Rules: HR-BAT-12."""
        given = self.given
        try:
            return fight_ask(
                data=given["file"],
                runs=given["runs"],
                seed=given.get("seed"),
                ruleset=given["ruleset"],
                actor=self.person,
            )
        except FightRefused as refused:
            return refused_in_full(refused)


class FightView(ApiView):
    """A view of one fight."""

    def fight(self, number: int) -> Job:
        found: Job = get_object_or_404(fights_of(self.person, "fight"), pk=number)
        return found


class FightDetail(FightView):
    """One fight."""

    @endpoint("fights_read", "A fight", answer=FightShape, seen=OWN)
    def get(self, request: Request, fight: int) -> Job:
        """The progress of a fight, and its outcome once it is done."""
        return self.fight(fight)


class FightCancel(FightView):
    """Stopping a fight."""

    @endpoint("fights_cancel", "Stop a fight", answer=FightRowShape, scope=Scope.ORDER, seen=OWN)
    def post(self, request: Request, fight: int) -> Job:
        """Stops it; what was fought by then is kept. Ended already: HR-JOB-02."""
        return job_stop(job=self.fight(fight), actor=self.person, umpire=False)


def refused_in_full(refused: FightRefused) -> Any:
    """The refusal with every fault of the file."""
    errors = [{"field": field, "detail": words} for field, words in refused.faults]
    return problem_response(
        KINDS["rule"], refused.message, rule=refused.rule_id, field=refused.field, errors=errors
    )
