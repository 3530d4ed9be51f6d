"""Battles the engine fought, to be watched move by move as each side saw them (HR-BAT-10)."""

from collections.abc import Container
from typing import Any

from django.http import Http404
from rest_framework import serializers
from rest_framework.request import Request

from battles.replay.frames import FORMS, show_to_json
from campaign.api.battles.battles import BattleView
from campaign.api.framework.contract import Scope, endpoint
from campaign.api.framework.problems import ApiProblem
from campaign.api.framework.serializers import Shape
from campaign.api.jobs import JobShape
from campaign.models import Battle, Job, Seat
from campaign.selectors.battles.replays import build_visible_replay, replay_of, replay_table
from campaign.selectors.jobs import JobRow, build_job_row
from campaign.services.battles.replays import replay_ask, replay_job_of

Role = Seat.Role
SEEN = "Who sees the battle; a side what it saw of the enemy, and no byte more (HR-BAT-10)."
STATE = f"x, y, facing, form ({', '.join(FORMS)}: 0 to 3), SP, mood (0 to 3, as `moods`)"


class ReplayEventShape(Shape):
    """One event. What is empty is left out; numbers of units begin at 0."""

    k = serializers.CharField(help_text="Its kind.")
    a = serializers.IntegerField(required=False, help_text="The unit that acts.")
    b = serializers.IntegerField(required=False, help_text="The unit it is done to.")
    w = serializers.CharField(required=False, help_text="In words; left out: as the frame's.")
    d = serializers.ListField(child=serializers.IntegerField(), required=False, help_text="Dice.")
    m = serializers.IntegerField(required=False, help_text="The sum of the modifiers.")
    n = serializers.IntegerField(required=False, help_text="The total.")
    r = serializers.CharField(required=False, help_text="What came of it.")
    u = serializers.CharField(required=False, help_text="The rule.")
    c = serializers.ListField(
        child=serializers.JSONField(), required=False, help_text=f"Units changed: number, {STATE}."
    )
    g = serializers.ListField(
        child=serializers.JSONField(),
        required=False,
        help_text="Generals changed: number, the unit he is with (-1: none), x, y, 1 while he is there.",
    )


class ReplayFrameShape(Shape):
    """Everything that is shown at once."""

    t = serializers.IntegerField(help_text="Game turn.")
    s = serializers.IntegerField(help_text="Whose: 0 the attacker, 1 the defender.")
    p = serializers.CharField(help_text="The step; `steps` names it.")
    w = serializers.CharField(help_text="In words.")
    e = ReplayEventShape(many=True)


class ReplayUnitShape(Shape):
    """A unit, by its place in the list."""

    name = serializers.CharField()
    side = serializers.IntegerField()
    type = serializers.CharField()
    arm = serializers.CharField()
    sp = serializers.IntegerField()
    at = serializers.ListField(
        child=serializers.FloatField(), required=False, help_text=f"Where it first stands: {STATE}."
    )


class ReplayGeneralShape(Shape):
    """A general, by his place in the list."""

    name = serializers.CharField()
    side = serializers.IntegerField()
    at = serializers.ListField(child=serializers.FloatField(), required=False)


class ReplayShowShape(Shape):
    """The moves, as the page draws them."""

    title = serializers.CharField()
    sides = serializers.ListField(child=serializers.CharField())
    table = serializers.ListField(child=serializers.FloatField(), help_text="Inches broad and deep.")
    turns = serializers.IntegerField()
    steps = serializers.DictField(child=serializers.CharField())
    minutes = serializers.IntegerField(help_text="Of a turn of its rules.")
    moods = serializers.ListField(
        child=serializers.CharField(), help_text="What its rules call the moods 0 to 3."
    )
    units = ReplayUnitShape(many=True)
    generals = ReplayGeneralShape(many=True)
    frames = ReplayFrameShape(many=True)


class ReplayShape(Shape):
    """A battle to be watched."""

    running = serializers.BooleanField(help_text="It is being written.")
    error = serializers.CharField(allow_blank=True, help_text="Why it could not be.")
    drawing = serializers.CharField(allow_blank=True, help_text="The table as SVG.")
    show = ReplayShowShape(allow_null=True, help_text="Null: none has been kept; ask by POST.")


class ReplayOf(BattleView):
    """The replay of a battle."""

    also: Container[str] = (Role.SPECTATOR, Role.GUEST)

    @property
    def engine_battle(self) -> Battle:
        """The battle, if the engine has fought it."""
        found = self.battle
        if found.state != Battle.State.SETTLED or found.source != "engine":
            raise Http404
        return found

    @endpoint("battles_replay", "Watch a battle", answer=ReplayShape, cost=5, seen=SEEN)
    def get(self, request: Request, slug: str, battle: int) -> dict[str, Any]:
        """Frames with what changes on the table, dice and rules, as the page of the replay draws them."""
        found = self.engine_battle
        kept = replay_of(found)
        if kept is not None:
            return {
                "running": False,
                "error": "",
                "drawing": replay_table(kept, found, self.reading.names),
                "show": show_to_json(build_visible_replay(self.viewer, kept)),
            }
        job = replay_job_of(found)
        state = job.state if job is not None else ""
        running = state in (Job.State.QUEUED, Job.State.RUNNING)
        failed = job.error if job is not None and state == Job.State.FAILED else ""
        return {"running": running, "error": failed, "drawing": "", "show": None}


class ReplayAsk(BattleView):
    """A replay that was not kept."""

    also: Container[str] = ()

    @endpoint(
        "battles_replay_write",
        "Have a replay written",
        answer=JobShape,
        status=202,
        scope=Scope.ORDER,
        cost=10,
        refuses=(409, 422),
        seen="Umpires and commanders; when it is there all may watch.",
    )
    def post(self, request: Request, slug: str, battle: int) -> JobRow:
        """Fights again, with the same dice, a battle from before replays were kept. Rules: HR-BAT-10."""
        if replay_of(self.battle) is not None:
            raise ApiProblem("conflict", "There is a replay of this battle already; read it.")
        return build_job_row(replay_ask(battle=self.battle, actor=self.person), self.viewer)
