"""Letters: boxes, threads, writing and calling back (HR-LET)."""

from functools import cached_property
from typing import Any

from django.http import Http404
from django.shortcuts import get_object_or_404
from rest_framework import serializers
from rest_framework.request import Request

from campaign.api.framework.contract import Scope, endpoint
from campaign.api.framework.serializers import Shape
from campaign.api.framework.views import ApiView
from campaign.fog.dispatches import get_correspondent_seat, letters_for
from campaign.fog.viewers import campaign_of
from campaign.models import Campaign, Seat
from campaign.scenarios.theatres import theatre_load
from campaign.selectors.dispatches import (
    BOXES,
    LAST_PAGE,
    DispatchBox,
    LetterRow,
    find_readable_dispatch,
    letter_row,
    list_dispatch_thread,
    list_receivers,
    load_dispatch_box,
)
from campaign.services.dispatches import LONGEST, SUBJECT_LONGEST, letter_send, letter_withdraw, letters_read

SEEN = "What has come in for your seat, what you wrote, and open letters of your side; the umpires read all."


class BoxQuery(Shape):
    """The box, and the page of it."""

    box = serializers.ChoiceField(BOXES, default="in")
    page = serializers.IntegerField(min_value=1, max_value=LAST_PAGE, default=1)


class LetterRowShape(Shape):
    """A letter, unopened."""

    code = serializers.CharField(source="letter.code")
    writer = serializers.CharField(source="letter.title", help_text="The writer's seat at the time.")
    to = serializers.CharField()
    subject = serializers.CharField(help_text="Or its first words.")
    date = serializers.DateField(help_text="The campaign's.")
    written_at = serializers.DateTimeField(source="letter.written_at")
    sealed = serializers.BooleanField(source="letter.sealed")
    unread = serializers.BooleanField()
    mine = serializers.BooleanField()
    waits = serializers.BooleanField(
        source="letter.waits", help_text="For its courier, so that it may be called back."
    )
    ways = serializers.ListField(child=serializers.CharField(), help_text="What you know of its ride.")
    captured = serializers.BooleanField(help_text="Whether you have it from a courier taken.")


class LetterShape(LetterRowShape):
    """A letter, opened."""

    text = serializers.CharField(source="letter.text")


class BoxShape(Shape):
    """A page of a box."""

    box = serializers.ChoiceField(BOXES, source="name")
    newer = serializers.IntegerField(min_value=0, help_text="The page before, 0 for none.")
    older = serializers.IntegerField(min_value=0, help_text="The page after, 0 for none.")
    letters = LetterRowShape(many=True, source="rows")


class ThreadShape(Shape):
    """The letters of a thread that you may read, the oldest first."""

    letters = LetterShape(many=True)


class ReceiverShape(Shape):
    """A seat you may write to."""

    seat = serializers.IntegerField()
    name = serializers.CharField()


class ReceiversShape(Shape):
    """The people you may write to."""

    receivers = ReceiverShape(many=True)


class NewLetterShape(Shape):
    """A letter to send."""

    to = serializers.ListField(
        child=serializers.IntegerField(min_value=1), min_length=1, max_length=50, help_text="Seats."
    )
    subject = serializers.CharField(max_length=SUBJECT_LONGEST, allow_blank=True, default="")
    text = serializers.CharField(max_length=LONGEST, trim_whitespace=False)
    sealed = serializers.BooleanField(
        default=True, help_text="For those named alone; else both sides' people may read it."
    )
    answers = serializers.CharField(
        max_length=12, allow_blank=True, default="", help_text="The code of the letter it answers."
    )


class AnswerQuery(Shape):
    """The dispatch to be answered, if any."""

    answers = serializers.CharField(max_length=12, default="", help_text="The code of the letter answered.")


class LetterView(ApiView):
    """A view by the seat one writes from, which those without a desk have too."""

    def admit(self) -> None:
        assert self.campaign

    @cached_property
    def campaign(self) -> Campaign:
        return campaign_of(self.person, self.kwargs["slug"], Campaign.objects.select_related("head"))

    @cached_property
    def seat(self) -> Seat:
        """The seat. Raises Http404 for who has none today."""
        return get_correspondent_seat(self.person, self.campaign)


class Letters(LetterView):
    """One's letters."""

    @endpoint("letters_list", "Letters", answer=BoxShape, query=BoxQuery, seen=SEEN)
    def get(self, request: Request, slug: str) -> DispatchBox:
        """A page of a box: what came `in`, what you `sent`, and `others` you may read."""
        seat, start = self.seat, theatre_load(self.campaign).start
        return load_dispatch_box(seat, self.campaign, start, self.asked["box"], self.asked["page"])

    @endpoint(
        "letters_send",
        "Write a letter",
        answer=LetterShape,
        status=201,
        body=NewLetterShape,
        scope=Scope.ORDER,
    )
    def post(self, request: Request, slug: str) -> LetterRow:
        """Sends a letter, at once or by this evening's courier. Rules: HR-LET-01, 03 and 05."""
        seat = self.seat
        letter = letter_send(campaign=self.campaign, author=self.person, **self.given)
        return letter_row(letter, seat, theatre_load(self.campaign).start)


class Receivers(LetterView):
    """The people one may write to."""

    @endpoint("letters_receivers", "Whom I may write to", answer=ReceiversShape, query=AnswerQuery)
    def get(self, request: Request, slug: str) -> dict[str, Any]:
        """The seats you may write to, or send an answer to (HR-LET-01)."""
        seat, code = self.seat, self.asked["answers"]
        answered = find_readable_dispatch(seat, self.campaign, code) if code else None
        if code and answered is None:
            raise Http404
        sides = {side.id: side.name for side in theatre_load(self.campaign).sides}
        found = list_receivers(seat, self.campaign, sides, answered)
        return {"receivers": [{"seat": int(key), "name": name} for key, name in found]}


class DispatchDetail(LetterView):
    """A letter with its thread."""

    @endpoint("letters_read", "A letter with its thread", answer=ThreadShape, seen=SEEN)
    def get(self, request: Request, slug: str, code: str) -> dict[str, Any]:
        """The letters of its thread that you may read. Whoever reads them has opened them, as on the page."""
        rows = list_dispatch_thread(self.seat, self.campaign, theatre_load(self.campaign).start, code)
        if not rows:
            raise Http404
        if any(row.unread for row in rows):
            letters_read(letters=[row.letter for row in rows], reader=self.person)
        return {"letters": rows}


class DispatchWithdraw(LetterView):
    """Calling a letter back."""

    @endpoint("letters_withdraw", "Call a letter back", scope=Scope.ORDER)
    def post(self, request: Request, slug: str, code: str) -> None:
        """Calls back a letter that waits for its courier (HR-LET-05)."""
        letter = get_object_or_404(letters_for(self.seat, self.campaign), code=code)
        letter_withdraw(letter=letter, author=self.person)
