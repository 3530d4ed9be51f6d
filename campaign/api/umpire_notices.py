"""Notices as the umpire has them: what became of each, and those that failed sent again (HR-DUE-06)."""

from typing import Any

from django.shortcuts import get_object_or_404
from rest_framework import serializers
from rest_framework.request import Request

from campaign.api.framework.contract import Scope, endpoint
from campaign.api.framework.pagination import build_page, build_page_shape
from campaign.api.framework.serializers import PageQuery, Shape
from campaign.api.framework.views import UmpireView
from campaign.models import Delivery, Notice, NoticeChannel
from campaign.selectors.notifications.notifications import list_campaign_notifications
from campaign.services.notifications.notifications import notice_again

SEEN = "The umpire and the assistants; where a way leads is its person's own affair."


class SentWayShape(Shape):
    """One way a notice went."""

    kind = serializers.ChoiceField(NoticeChannel.Kind.choices, source="channel.kind")
    state = serializers.ChoiceField(Delivery.State.choices)


class SentNoticeShape(Shape):
    """A notice to somebody of the campaign, and what became of it."""

    number = serializers.IntegerField(source="pk")
    to = serializers.CharField(source="user", help_text="Whom it is for.")
    kind = serializers.ChoiceField(Notice.Kind.choices)
    state = serializers.ChoiceField(Notice.State.choices)
    ways = SentWayShape(many=True, source="deliveries")
    attempts = serializers.IntegerField(min_value=0)
    error = serializers.CharField(allow_blank=True, help_text="Why it could not be sent; empty: it could.")
    at = serializers.DateTimeField(source="created_at")
    sent_at = serializers.DateTimeField(allow_null=True)
    may_again = serializers.SerializerMethodField(help_text="Whether it failed, and may be sent again.")

    def get_may_again(self, notice: Notice) -> bool:
        return notice.state == Notice.State.FAILED


class SentNoticesQuery(PageQuery):
    """Which of them; left out, all."""

    state = serializers.ChoiceField(Notice.State.choices, required=False)
    kind = serializers.ChoiceField(Notice.Kind.choices, required=False)


class Sent(UmpireView):
    """The campaign's notices."""

    @endpoint(
        "umpire_notices",
        "Notices sent, and those that failed",
        answer=build_page_shape(SentNoticeShape),
        query=SentNoticesQuery,
        seen=SEEN,
    )
    def get(self, request: Request, slug: str) -> dict[str, Any]:
        """To whom, of what kind and what became of it on each way, the newest first."""
        wanted = {name: self.asked[name] for name in ("state", "kind") if name in self.asked}
        return build_page(list_campaign_notifications(self.campaign).filter(**wanted), self.asked)


class SentAgain(UmpireView):
    """A notice that failed."""

    @endpoint(
        "umpire_notice_again", "Send a notice again", answer=SentNoticeShape, scope=Scope.UMPIRE, seen=SEEN
    )
    def post(self, request: Request, slug: str, notice: int) -> Notice:
        """One that could not be sent waits for the clock once more; no other does. Rules: HR-DUE-06."""
        row = get_object_or_404(list_campaign_notifications(self.campaign), pk=notice)
        return notice_again(notice=row, actor=self.person)
