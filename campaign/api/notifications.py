"""A person's notifications, channels and calendar, and the umpire's list (HR-DUE-06 to HR-DUE-10)."""

from typing import Any

from django.db import transaction
from django.shortcuts import get_object_or_404
from django.urls import reverse
from rest_framework import serializers
from rest_framework.request import Request

from campaign.api.framework.conditions import demand_match
from campaign.api.framework.contract import Scope, endpoint
from campaign.api.framework.pagination import build_page, build_page_shape
from campaign.api.framework.problems import build_refusal_response
from campaign.api.framework.serializers import HourField, PageQuery, Shape
from campaign.api.framework.views import ApiView, UmpireView
from campaign.fog.viewers import campaigns_for
from campaign.models import CalendarFeed, Delivery, Notice, NoticeChannel, User
from campaign.rules.errors import RuleViolation
from campaign.selectors.notifications.notifications import (
    find_unreachable_people,
    list_campaign_notifications,
    notices_of,
    way_line,
    ways_of,
)
from campaign.services.notice_facts import complete_notices
from campaign.services.notifications.calendars import calendar_end, calendar_make
from campaign.services.notifications.channels import (
    LONGEST,
    channel_add,
    channel_confirm,
    channel_remove,
    channel_save,
    channel_secret_new,
    channel_test,
)
from campaign.services.notifications.notifications import build_page_url as page_about
from campaign.services.notifications.notifications import notice_again, notice_text, notices_read

#: Ways a person adds himself; that to his account's address everybody has.
ADDED = [choice for choice in NoticeChannel.Kind.choices if choice[0] != NoticeChannel.Kind.ACCOUNT]


class NoticeShape(Shape):
    """A notice."""

    number = serializers.IntegerField(source="pk")
    campaign = serializers.CharField(source="campaign.slug")
    kind = serializers.ChoiceField(Notice.Kind.choices)
    words = serializers.SerializerMethodField()
    page = serializers.SerializerMethodField(help_text="Where people read what it is about.")
    at = serializers.DateTimeField(source="created_at")
    read_at = serializers.DateTimeField(allow_null=True)
    sent = serializers.SerializerMethodField(help_text="The ways it has arrived by.")
    unreached = serializers.SerializerMethodField(help_text="The ways it could not go.")

    def get_words(self, notice: Notice) -> str:
        return notice_text(notice)[1]

    def get_page(self, notice: Notice) -> str:
        return page_about(notice)

    def get_sent(self, notice: Notice) -> list[str]:
        return _list_channels(notice, Delivery.State.SENT)

    def get_unreached(self, notice: Notice) -> list[str]:
        return _list_channels(notice, Delivery.State.FAILED)


def _list_channels(notice: Notice, state: str) -> list[str]:
    return [str(row.channel) for row in notice.deliveries.all() if row.state == state]


class ReadShape(Shape):
    """The number of notifications that were new."""

    read = serializers.IntegerField(min_value=0)


class NoticeWayShape(Shape):
    """A way one is told by."""

    number = serializers.IntegerField(source="channel.pk")
    kind = serializers.ChoiceField(NoticeChannel.Kind.choices, source="channel.kind")
    name = serializers.CharField()
    label = serializers.CharField(allow_blank=True, source="channel.label")  # type: ignore[assignment]
    address = serializers.CharField(allow_blank=True, help_text="As much of it as is shown.")
    on = serializers.BooleanField(source="channel.on")
    kinds = serializers.SerializerMethodField(help_text="Which notices go by it.")
    daily_at = HourField(
        source="channel.daily_at", allow_null=True, help_text="Hour of the daily digest; null: at once."
    )
    proved = serializers.SerializerMethodField(help_text="Whether it carries notices: its code was told.")
    troubled = serializers.CharField(allow_blank=True, help_text="What is wrong with it; empty: nothing.")

    def get_kinds(self, row: Any) -> list[str]:
        return [kind for kind in Notice.Kind.values if kind not in row.channel.left_out]

    def get_proved(self, row: Any) -> bool:
        channel = row.channel
        return channel.kind == channel.Kind.ACCOUNT or channel.verified_at is not None


class NewNoticeWayShape(Shape):
    """A way to be added."""

    kind = serializers.ChoiceField(ADDED)
    address = serializers.CharField(max_length=LONGEST, help_text="Kept sealed and not shown again.")
    label = serializers.CharField(max_length=60, allow_blank=True, default="")  # type: ignore[assignment]


class MadeNoticeWayShape(Shape):
    """A way just added; it carries nothing before its test notice's code was told."""

    way = NoticeWayShape()
    secret = serializers.CharField(allow_blank=True, help_text="A webhook's, told this once.")


class CarriedShape(Shape):
    """The notifications a channel sends, and their timing."""

    on = serializers.BooleanField(default=True)
    kinds = serializers.ListField(child=serializers.ChoiceField(Notice.Kind.choices), max_length=50)
    daily_at = HourField(allow_null=True, help_text="By your clock; null: at once.")
    label = serializers.CharField(max_length=60, allow_blank=True, default="")  # type: ignore[assignment]


class WayCodeShape(Shape):
    """The code of a test notice."""

    code = serializers.CharField(max_length=12)


class WaySecretShape(Shape):
    """The secret a webhook signs with."""

    secret = serializers.CharField(allow_blank=True, help_text="Told this once.")


class CalendarAddressShape(Shape):
    """A calendar's address."""

    campaign = serializers.CharField(allow_blank=True, help_text="Empty: all of yours.")
    url = serializers.CharField()


class CalendarMadeShape(Shape):
    """The addresses of one's calendar."""

    addresses = CalendarAddressShape(many=True, help_text="Secret, and told this once.")


class CalendarHadShape(Shape):
    """The presence of a calendar address."""

    made_at = serializers.DateTimeField(allow_null=True, help_text="null: it has none.")


class UnreachedShape(Shape):
    """The people whom no recent notification reached, and the people without any channel, by the names
    shown to others.
    """

    missed = serializers.ListField(child=serializers.CharField())
    without = serializers.ListField(child=serializers.CharField())


class Notices(ApiView):
    """One's notices."""

    @endpoint("me_notices", "My notices", answer=build_page_shape(NoticeShape), query=PageQuery)
    def get(self, request: Request) -> dict[str, Any]:
        """Your notices, the newest first; reading them here marks none as read."""
        page = build_page(notices_of(self.person), self.asked)
        return page | {"results": complete_notices(page["results"])}


class NoticesRead(ApiView):
    """Notices that were seen."""

    @endpoint("me_notices_read", "I have read my notices", answer=ReadShape, scope=Scope.ORDER, refuses=())
    def post(self, request: Request) -> dict[str, int]:
        """Marks all there are as read."""
        return {"read": notices_read(user=self.person)}


class ChannelView(ApiView):
    """A view of one's ways."""

    def admit(self) -> None:
        if "number" in self.kwargs:
            self.channel(self.kwargs["number"])

    def channel(self, number: int) -> NoticeChannel:
        """A way of the person's own. Raises Http404."""
        rows = NoticeChannel.objects.select_related("user")
        return get_object_or_404(rows, pk=number, user=self.person)


class ChannelList(ChannelView):
    """One's ways."""

    @endpoint("me_ways", "The ways I am told by", answer=NoticeWayShape(many=True))
    def get(self, request: Request) -> Any:
        """Mail to your account's address first, then those you have added."""
        return ways_of(self.person)

    @endpoint(
        "me_way_add",
        "Add a way",
        body=NewNoticeWayShape,
        answer=MadeNoticeWayShape,
        status=201,
        scope=Scope.ORDER,
        once=("secret",),
    )
    def post(self, request: Request) -> dict[str, Any]:
        """A way more; ask for its test notice and tell its code. Rules: HR-DUE-07."""
        channel, secret = channel_add(user=self.person, **self.given)
        return {"way": way_line(channel), "secret": secret}


class ChannelDetail(ChannelView):
    """One way."""

    @endpoint("me_way", "A way I am told by", answer=NoticeWayShape)
    def get(self, request: Request, number: int) -> Any:
        """One of your ways."""
        return way_line(self.channel(number))

    @endpoint(
        "me_way_set",
        "Say what goes by a way",
        body=CarriedShape,
        answer=NoticeWayShape,
        scope=Scope.ORDER,
        match=True,
    )
    def put(self, request: Request, number: int) -> Any:
        """Chooses the notifications of a channel, and whether they are sent at once or together once a
        day. Rules: HR-DUE-07.
        """
        with transaction.atomic():
            User.objects.select_for_update().get(pk=self.person.pk)
            channel = self.channel(number)
            demand_match(request, NoticeWayShape(way_line(channel)).data)
            return way_line(channel_save(channel=channel, user=self.person, **self.given))

    @endpoint("me_way_remove", "Remove a way", scope=Scope.ORDER)
    def delete(self, request: Request, number: int) -> None:
        """Forgets a way and its address. Rules: HR-DUE-07."""
        channel_remove(channel=self.channel(number), user=self.person)


class ChannelTest(ChannelView):
    """A test notice."""

    @endpoint(
        "me_way_test", "Send a test notice", answer=NoticeWayShape, scope=Scope.ORDER, together=False, cost=10
    )
    def post(self, request: Request, number: int) -> Any:
        """Sends a notice with a code by a way, at once. Rules: HR-DUE-07."""
        channel_test(channel=self.channel(number), user=self.person)
        return way_line(self.channel(number))


class ChannelConfirm(ChannelView):
    """The code of a test notice."""

    @endpoint(
        "me_way_confirm",
        "Tell a test notice's code",
        body=WayCodeShape,
        answer=NoticeWayShape,
        scope=Scope.ORDER,
    )
    def post(self, request: Request, number: int) -> Any:
        """Told rightly, the way is yours and carries notices. Rules: HR-DUE-07."""
        try:
            channel_confirm(channel=self.channel(number), user=self.person, code=self.given["code"])
        except RuleViolation as violation:
            return build_refusal_response(
                violation
            )  # as an answer, so that a wrong guess counts with a key as well
        return way_line(self.channel(number))


class ChannelSecret(ChannelView):
    """A webhook's secret."""

    @endpoint(
        "me_way_secret", "Have another secret", answer=WaySecretShape, scope=Scope.ORDER, once=("secret",)
    )
    def post(self, request: Request, number: int) -> dict[str, str]:
        """Another secret for a webhook; the old one signs nothing from now on. Rules: HR-DUE-07."""
        return {"secret": channel_secret_new(channel=self.channel(number), user=self.person)}


class CalendarView(ApiView):
    """One's calendar of deadlines (HR-DUE-10)."""

    @endpoint("me_calendar", "My calendar", answer=CalendarHadShape)
    def get(self, request: Request) -> dict[str, Any]:
        """Shows whether your calendar has an address; the address itself cannot be shown again."""
        feed = CalendarFeed.objects.filter(user=self.person).first()
        return {"made_at": feed.made_at if feed else None}

    @endpoint(
        "me_calendar_make",
        "Have an address for my calendar",
        answer=CalendarMadeShape,
        status=201,
        scope=Scope.ORDER,
        once=("addresses",),
        refuses=(),
    )
    def post(self, request: Request) -> dict[str, Any]:
        """New addresses of your calendar, of all campaigns and each; older are void. Rules: HR-DUE-10."""
        token = calendar_make(user=self.person)
        slugs = ["", *campaigns_for(self.person).values_list("slug", flat=True)]
        return {"addresses": [{"campaign": slug, "url": self._address(token, slug)} for slug in slugs]}

    def _address(self, token: str, slug: str) -> str:
        name, parts = ("calendar-feed-campaign", [token, slug]) if slug else ("calendar-feed", [token])
        return self.request.build_absolute_uri(reverse(name, args=parts))

    @endpoint("me_calendar_end", "Make my calendar's address void", scope=Scope.ORDER, refuses=())
    def delete(self, request: Request) -> None:
        """The address leads nowhere from now on."""
        calendar_end(user=self.person)


class Unreached(UmpireView):
    """The people notifications do not reach (HR-DUE-08)."""

    @endpoint(
        "umpire_unreached", "Who is not reached", answer=UnreachedShape, seen="The umpire and the assistants."
    )
    def get(self, request: Request, slug: str) -> dict[str, list[str]]:
        """The people whom no channel has reached for a fortnight, and the commanders without any channel."""
        missed, without = find_unreachable_people(self.campaign)
        return {"missed": _list_person_names(missed), "without": _list_person_names(without)}


def _list_person_names(people: list[User]) -> list[str]:
    return [person.get_full_name() or person.get_username() for person in people]


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
    """Filter for notifications; all if left out."""

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
