"""The umpire's evening: the day asked for or tried out, battles settled, acts, real dice, the way back."""

import re
from collections.abc import Container, Mapping
from typing import Any

from django.http import Http404
from rest_framework import serializers
from rest_framework.request import Request

from campaign.api.battles.battles import BattleView
from campaign.api.battles.odds import DEAR, FOLLOW, get_new_job_row
from campaign.api.battles.table_results import ConfirmedShape
from campaign.api.framework.contract import Scope, endpoint
from campaign.api.framework.problems import rename_refused_fields
from campaign.api.framework.serializers import Shape
from campaign.api.framework.views import ChiefView, UmpireView
from campaign.api.jobs import JobShape
from campaign.models import Battle, DayRecord
from campaign.rules.battles.table_results import NEITHER
from campaign.rules.errors import RuleViolation
from campaign.rules.umpire.corrections import EnterDie, act_from_json
from campaign.selectors.jobs import JobRow
from campaign.selectors.umpire.corrections import (
    RewindMorning,
    find_day_preview,
    list_requested_days,
    list_rewind_mornings,
    mornings_alike,
)
from campaign.services.battles.settlement import battle_settle_ask, battle_settle_by_word
from campaign.services.turns.day_preview import dry_run_ask
from campaign.services.turns.dice import MOST, DieRefused, dice_enter
from campaign.services.turns.rewind import campaign_rewind, has_day_begun, rewind_targets
from campaign.services.turns.runs import advance_request, find_undone_day, rerun_request
from campaign.services.umpire.corrections import act_perform

#: Acts done here; battles, treaties, conduct and the way back have addresses of their own.
KINDS = (
    "place", "add", "split", "reinforce", "rename", "weather", "command", "strike", "rumour", "pause",
    "deadline", "rhythm", "die", "rules", "pool", "general", "holder", "food",
)  # fmt: skip
UMPIRES = "The umpire and the assistants."
HELD = f"a side's id; empty or “{NEITHER}”: neither."
HEAD = "The head you looked at: refused when the campaign has gone on since."


class MorningShape(Shape):
    """A morning one can go back to."""

    record = serializers.IntegerField(source="record.pk")
    date = serializers.DateField()
    words = serializers.CharField()
    undone = serializers.IntegerField(help_text="Days that would be played again.")


class DeskShape(Shape):
    """The state of the umpire's desk."""

    head = serializers.IntegerField(allow_null=True, help_text="Names what acts are done on.")
    turn_from = serializers.IntegerField(help_text="What to send with `advance` as `day`.")
    day_undone = serializers.IntegerField(help_text="How far had been played before going back; 0: never.")
    mornings = MorningShape(many=True)


class AdvanceShape(Shape):
    """The day the person has seen."""

    day = serializers.IntegerField(
        min_value=0, help_text="Days completed and run on (`turn_from`), so that asked twice it is done once."
    )
    until = serializers.IntegerField(
        min_value=0, required=False, help_text="After going back: play undone days again up to this morning."
    )
    one_day = serializers.BooleanField(
        default=False,
        help_text="One day instead of the whole turn. While a battle waits, or days have run on, it changes "
        "nothing.",
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if attrs["one_day"] and "until" in attrs:
            raise serializers.ValidationError({"one_day": ["Send `one_day` or `until`, not both."]})
        return attrs


class TriedMoveShape(Shape):
    """The place of a formation in the evening of the preview."""

    formation = serializers.CharField()
    before = serializers.CharField(allow_blank=True)
    after = serializers.CharField(allow_blank=True)


class TriedPointsShape(Shape):
    """Points of a formation."""

    formation = serializers.CharField()
    before = serializers.IntegerField()
    after = serializers.IntegerField()


class TriedHolderShape(Shape):
    """The holder of a place in the preview."""

    place = serializers.CharField()
    before = serializers.CharField(allow_blank=True)
    after = serializers.CharField(allow_blank=True)


class DryRunShape(Shape):
    """The day as it was last tried out."""

    job = serializers.IntegerField(allow_null=True, source="job.pk", help_text="Null: nobody has asked.")
    running = serializers.BooleanField()
    stale = serializers.BooleanField(help_text="Whether the campaign has gone on since.")
    number = serializers.IntegerField(help_text="Which set of dice; 0: there is nothing yet.")
    morning = serializers.DateField(allow_null=True)
    weather = serializers.CharField(allow_blank=True)
    moves = TriedMoveShape(many=True)
    points = TriedPointsShape(many=True)
    holders = TriedHolderShape(many=True)
    battles = serializers.ListField(child=serializers.CharField())
    refused = serializers.ListField(child=serializers.CharField())
    dice = serializers.ListField(child=serializers.DictField())


class WordShape(Shape):
    """The resolution of a battle: by the engine, as a job, or by the umpire's decision."""

    by = serializers.ChoiceField(["engine", "word"])
    held_by = serializers.CharField(
        max_length=60, allow_blank=True, default="", help_text=f"For the word: {HELD}"
    )
    percent_lost = serializers.DictField(
        child=serializers.IntegerField(min_value=0, max_value=100), default=dict, help_text="By side's id."
    )


class SettlingShape(Shape):
    """A battle that is being settled, or has been."""

    job = JobShape(allow_null=True, help_text="The fight, if the engine fights it.")
    battle = ConfirmedShape(allow_null=True, help_text="The battle, if it was settled by word.")


class ReasonShape(Shape):
    """The reason, and the head that the correction is made on."""

    reason = serializers.CharField(max_length=300, help_text="Stands in the journal.")
    head = serializers.IntegerField(min_value=0, required=False, help_text=HEAD)


class UmpireActShape(ReasonShape):
    """An act of the umpire's."""

    act = serializers.DictField(help_text=f"Its `version` 1, its `kind` ({', '.join(KINDS)}) and its terms.")


class RealDieShape(Shape):
    """The value of a real die."""

    rule = serializers.CharField(max_length=60)
    subject = serializers.CharField(max_length=200, allow_blank=True)
    index = serializers.IntegerField(min_value=0)
    value = serializers.IntegerField(min_value=1)
    sides = serializers.IntegerField(min_value=2, default=6)


class DiceShape(ReasonShape):
    """Several real dice for the coming day."""

    dice = serializers.ListField(child=RealDieShape(), min_length=1, max_length=MOST)


class RewindShape(ReasonShape):
    """Back to which morning, and how."""

    record = serializers.IntegerField(min_value=1, help_text="Of `mornings`.")
    new_dice = serializers.BooleanField(default=False)
    keep = serializers.BooleanField(default=True, help_text="Results of battles that come about alike.")
    anew = serializers.ListField(
        child=serializers.CharField(max_length=200),
        default=list,
        help_text="Contacts fought again all the same.",
    )
    papers = serializers.ChoiceField(["stand", "draft"], default="stand")


class MadeStepShape(Shape):
    """A step of the chain, just made."""

    record = serializers.IntegerField(source="pk", help_text="The head an act after it is done on.")
    days_completed = serializers.IntegerField(source="day")
    revision = serializers.IntegerField()
    hash = serializers.CharField(source="record_hash")
    reason = serializers.CharField(allow_blank=True)


class RecordsShape(Shape):
    """Steps of the chain, just made, in their order."""

    records = MadeStepShape(many=True)


class UmpireDesk(UmpireView):
    """The umpire's desk."""

    @endpoint("umpire_desk", "Where the umpire stands", answer=DeskShape, seen=UMPIRES)
    def get(self, request: Request, slug: str) -> dict[str, Any]:
        """The head acts are done on, the day to advance from, and the mornings one can go back to."""
        reading, campaign = self.reading, self.campaign
        waits = any(row.waiting for row in reading.battles)
        course = rewind_targets(campaign)
        start, begun = reading.world.theatre.start, has_day_begun(campaign)
        listed: list[RewindMorning] = (
            list_rewind_mornings(course, start, reading.names, begun=begun) if course else []
        )
        return {
            "head": campaign.head_id,
            "turn_from": campaign.day + len(reading.outlook.days) * waits,
            "day_undone": find_undone_day(campaign),
            "mornings": listed,
        }


class Advance(UmpireView):
    """The coming day, or turn."""

    @endpoint(
        "umpire_advance",
        "Play the coming turn",
        answer=JobShape,
        status=202,
        body=AdvanceShape,
        scope=Scope.UMPIRE,
        cost=5,
        seen=f"{UMPIRES} {FOLLOW}",
    )
    def post(self, request: Request, slug: str) -> JobRow:
        """Asks for the turn or `one_day` of it as a job; with `until`, for undone days. HR-CAL, HR-UMP-14."""
        viewer, until = self.umpire(), self.given.get("until")
        asked: dict[str, Any] = {"campaign": self.campaign, "actor": self.person, "day": self.given["day"]}
        if until is None:
            job = advance_request(**asked, one_day=self.given["one_day"])
        else:
            job = rerun_request(**asked, until=until)
        return get_new_job_row(viewer, job)


class DryRunView(UmpireView):
    """The coming day tried out (HR-UMP-13)."""

    @endpoint("umpire_trial", "The day as it was tried out", answer=DryRunShape, seen=UMPIRES)
    def get(self, request: Request, slug: str) -> dict[str, Any]:
        """The preview of the day by the dice of the last trial, which are never those of the day."""
        viewer, reading = self.umpire(), self.reading
        tries = [job for job in list_requested_days(viewer) if job.kind == "dry_run"]
        heads = mornings_alike(rewind_targets(self.campaign))
        run = find_day_preview(viewer, tries, reading.names, reading.world.theatre.start, heads)
        names = ("moves", "points", "holders", "battles", "refused", "dice")
        if run is None:
            plain = {"job": None, "running": False, "stale": False, "number": 0, "morning": None}
            return plain | {"weather": ""} | {name: [] for name in names}
        shown = ("job", "running", "stale", "number", "morning", "weather", *names)
        told = {name: getattr(run, name) for name in shown}
        for name, what in (("moves", "formation"), ("points", "formation"), ("holders", "place")):
            told[name] = [dict(zip((what, "before", "after"), row, strict=True)) for row in told[name]]
        return told

    @endpoint(
        "umpire_try",
        "Try the coming day out",
        answer=JobShape,
        status=202,
        scope=Scope.UMPIRE,
        cost=DEAR,
        seen=f"{UMPIRES} {FOLLOW}",
    )
    def post(self, request: Request, slug: str) -> JobRow:
        """Plays the coming day with dice of its own; nothing of it counts. Rules: HR-UMP-13."""
        viewer = self.umpire()
        return get_new_job_row(viewer, dry_run_ask(campaign=self.campaign, actor=self.person))


def _word_field(field: str) -> str:
    """A field of `WordShape` by the name the service has for it."""
    if field == "field_held_by":
        return "held_by"
    return re.sub("^percent_", "percent_lost.", field)


class Settle(UmpireView, BattleView):
    """Settling a battle that waits."""

    also: Container[str] = ()

    @endpoint(
        "umpire_settle",
        "Settle a battle",
        answer=SettlingShape,
        body=WordShape,
        scope=Scope.UMPIRE,
        cost=5,
        seen=UMPIRES,
    )
    def post(self, request: Request, slug: str, battle: int) -> dict[str, Any]:
        """By the engine, as a job, or by the umpire's word. Rules: HR-CON-11, HR-CON-12, HR-TAB-11."""
        viewer, given = self.umpire(), self.given
        if given["by"] == "engine":
            job = battle_settle_ask(battle=self.battle, actor=self.person)
            return {"job": get_new_job_row(viewer, job), "battle": None}
        held = "" if given["held_by"] == NEITHER else given["held_by"]
        with rename_refused_fields(_word_field):
            settled: Battle = battle_settle_by_word(
                battle=self.battle,
                field_held_by=held,
                percent_lost=given["percent_lost"],
                actor=self.person,
            )
        return {"job": None, "battle": settled}


def _verify_kind(sent: Mapping[str, Any]) -> None:
    """Refuses an act that is not done here, before all else that may be wrong with it."""
    kind = sent.get("kind")
    if kind in KINDS:
        return
    wrong = f"“{kind}” is no act that is done here" if kind is not None else "The act does not say its kind"
    raise RuleViolation("HR-UMP-01", f"{wrong}; send one of {', '.join(KINDS)}.", "act.kind")


def _act_field(field: str) -> str:
    """A field of a refusal as the body has it: those of the act stand in it."""
    return field if field in ("", "reason", "head") else f"act.{field}"


class Acts(UmpireView):
    """Acts of the umpire's (HR-UMP)."""

    @endpoint(
        "umpire_act",
        "Do an act",
        answer=MadeStepShape,
        status=201,
        body=UmpireActShape,
        scope=Scope.UMPIRE,
        seen=UMPIRES,
    )
    def post(self, request: Request, slug: str) -> DayRecord:
        """Does an act on the coming morning and chains it. Rules: HR-UMP-01 to 12, HR-UMP-19 to 22."""
        sent, seen = self.given["act"], self.given.get("head")
        _verify_kind(sent)
        with rename_refused_fields(_act_field):
            act, reason = act_from_json(sent), self.given["reason"]
            return act_perform(campaign=self.campaign, act=act, reason=reason, actor=self.person, seen=seen)


class RealDiceEntry(UmpireView):
    """Real dice (HR-UMP-12)."""

    @endpoint(
        "umpire_dice",
        "Enter real dice",
        answer=RecordsShape,
        status=201,
        body=DiceShape,
        scope=Scope.UMPIRE,
        seen=UMPIRES,
    )
    def post(self, request: Request, slug: str) -> dict[str, Any]:
        """Enters the values of real dice for the coming day, all of them or none. Rules: HR-UMP-12."""
        dice = [EnterDie(**die) for die in self.given["dice"]]
        given = {"reason": self.given["reason"], "seen": self.given.get("head")}
        try:
            return {"records": dice_enter(campaign=self.campaign, dice=dice, actor=self.person, **given)}
        except DieRefused as refused:
            field = f"dice.{refused.number}.{refused.field}".rstrip(".")
            raise RuleViolation(refused.rule_id, refused.message, field) from refused


class CampaignRewind(ChiefView):
    """The way back (HR-UMP-14)."""

    @endpoint(
        "umpire_rewind",
        "Go back to a morning",
        answer=MadeStepShape,
        status=201,
        body=RewindShape,
        scope=Scope.UMPIRE,
        seen="The umpire alone; an assistant asks the umpire.",
    )
    def post(self, request: Request, slug: str) -> DayRecord:
        """Undoes what came after a morning; it stays in the journal. Rules: HR-UMP-14, HR-SET-08."""
        asked = dict(self.given)
        key, seen = asked.pop("record"), asked.pop("head", None)
        record = next((each for each in rewind_targets(self.campaign) if each.pk == key), None)
        if record is None:
            raise Http404
        return campaign_rewind(campaign=self.campaign, record=record, actor=self.person, seen=seen, **asked)
