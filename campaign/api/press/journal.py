"""The journal, followed by a cursor."""

from datetime import timedelta

from rest_framework import serializers
from rest_framework.request import Request

from campaign.api.framework.contract import endpoint
from campaign.api.framework.problems import ApiProblem
from campaign.api.framework.serializers import Shape
from campaign.api.framework.views import CampaignView
from campaign.models import Seat
from campaign.selectors.press.journal import CursorOvertaken, Stream, StreamedEntry, journal_after


class JournalQuery(Shape):
    """From where, and how many."""

    cursor = serializers.CharField(
        max_length=60, required=False, help_text="Of the last answer: go on there."
    )
    since = serializers.IntegerField(
        min_value=1, max_value=100_000, required=False, help_text="From this day of the campaign on."
    )
    most = serializers.IntegerField(min_value=1, max_value=500, default=100)


class DieShape(Shape):
    """A die as it fell."""

    sides = serializers.IntegerField(min_value=2)
    value = serializers.IntegerField(min_value=1)
    entered = serializers.BooleanField(help_text="Whether it was thrown by hand.")


class EntryShape(Shape):
    """An entry of the journal; a place, formation or unit that it is not about is empty."""

    number = serializers.IntegerField(
        min_value=1, source="line.number", help_text="Among those you may read of this course."
    )
    mark = serializers.CharField(source="line.mark", help_text="Its address on the day's page.")
    day = serializers.IntegerField(min_value=1, source="line.day")
    date = serializers.SerializerMethodField()
    time = serializers.CharField(source="line.time")
    kind = serializers.CharField(source="entry.kind")
    text = serializers.CharField(source="line.text")
    rule = serializers.CharField(source="line.rule")
    routine = serializers.BooleanField(source="line.routine")
    place = serializers.CharField(allow_blank=True, source="entry.place")
    formation = serializers.CharField(allow_blank=True, source="entry.formation")
    unit = serializers.CharField(allow_blank=True, source="entry.unit")
    dice = DieShape(many=True, source="line.faces")
    modifiers = serializers.ListField(child=serializers.CharField(), source="line.modifiers")

    def get_date(self, told: StreamedEntry) -> str:
        start = self.context["start"]
        return (start + timedelta(days=told.line.day - 1)).isoformat()


class StreamShape(Shape):
    """Some entries in order of happening."""

    entries = EntryShape(many=True)
    cursor = serializers.CharField(help_text="Send it to go on from here, now or when more has happened.")
    more = serializers.BooleanField(help_text="Whether there is more already.")
    revision = serializers.IntegerField(min_value=1, help_text="Counts up when the umpire goes back.")


class Journal(CampaignView):
    """The journal."""

    also = (Seat.Role.SPECTATOR,)

    @endpoint(
        "journal_list",
        "The journal",
        answer=StreamShape,
        query=JournalQuery,
        refuses=(409,),
        seen="A side reads its own entries, the umpires all, a spectator late.",
    )
    def get(self, request: Request, slug: str) -> Stream:
        """Entries of the present course in order of happening. When the umpire has gone back, a cursor of
        before is a 409: read from the beginning."""
        reading, asked = self.reading, self.asked
        if "cursor" in asked and "since" in asked:
            raise ApiProblem("invalid", "Send a cursor or since, not both.")
        try:
            return journal_after(
                reading.viewer,
                reading.world,
                reading.names,
                cursor=asked.get("cursor", ""),
                day=asked.get("since", 1) - 1,
                most=asked["most"],
            )
        except ValueError as error:
            raise ApiProblem("invalid", str(error)) from error
        except CursorOvertaken:
            raise ApiProblem(
                "conflict", "The campaign has gone back since; read from the beginning."
            ) from None

    def shape_context(self) -> dict[str, object]:
        return {"start": self.reading.world.theatre.start}
