"""A person's notifications, their channels and the forms for both (HR-DUE-07, HR-DUE-09, HR-DUE-10)."""

from dataclasses import dataclass
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.cache import get_conditional_response
from django.utils.crypto import salted_hmac
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from campaign.fog.viewers import campaigns_for
from campaign.models import CalendarFeed, Delivery, Notice, NoticeChannel, User, find_person_time_zone
from campaign.models.notifications import MAIL_KINDS
from campaign.rules.errors import RuleViolation
from campaign.selectors.notifications.notifications import notices_of, way_line, ways_of
from campaign.services.notice_facts import complete_notices
from campaign.services.notifications.calendars import calendar_end, calendar_make, calendar_of, calendar_owner
from campaign.services.notifications.channels import (
    channel_add,
    channel_confirm,
    channel_own,
    channel_remove,
    channel_save,
    channel_secret_new,
    channel_test,
)
from campaign.services.notifications.notifications import build_page_url, notice_text, notices_read
from campaign.web.access import signed_in
from campaign.web.forms import SentenceForm, parse_whole_number
from campaign.web.shown_once import secret_keep, secret_take

Kind = Notice.Kind
#: What each kind of notice is about, as its reader chooses.
CHOICES = (
    (Kind.DUE, "Orders are due and mine are missing"),
    (Kind.LATE, "My orders were missed"),
    (Kind.GRACE, "There is more time after an outage"),
    (Kind.STAFF, "My staff wrote the orders"),
    (Kind.BATTLE, "A battle waits for me"),
    (Kind.RESULT, "The result of a battle came in"),
    (Kind.PUBLISHED, "A day has been played"),
    (Kind.BULLETIN, "The week's bulletin"),
    (Kind.LETTER, "A letter for me"),
    (Kind.OFFERED, "A seat is offered to the reserve"),
    (Kind.SEAT, "My seat has been taken from me"),
    (Kind.VACANT, "A seat that concerns me is empty or was taken"),
    (Kind.OVERDUE, "As umpire: a day is overdue"),
    (Kind.AWAY, "As umpire: a commander is away"),
)
WAYS = (
    (NoticeChannel.Kind.MAIL, "Mail to another address"),
    (NoticeChannel.Kind.SERVICE, "Discord, Slack, Telegram and the like"),
    (NoticeChannel.Kind.WEBHOOK, "A program of mine (signed webhook)"),
)

ELSEWHERE = "discord://ID/TOKEN, or https://example.org/hook. It is kept sealed and not shown again."


class ChannelForm(SentenceForm):
    """A new way; by mail only where the site sends mail."""

    way = forms.ChoiceField(
        label="What kind",
        choices=WAYS,
        widget=forms.RadioSelect,
        error_messages={"required": "Say what kind of way it is.", "invalid_choice": "Choose one of these."},
    )
    address = forms.CharField(
        label="Address",
        max_length=500,
        help_text=f"name@example.org, or {ELSEWHERE}",
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
        error_messages={
            "required": "Give the address.",
            "max_length": "An address has 500 characters at most.",
        },
    )
    label = forms.CharField(
        label="What you call it",
        required=False,
        max_length=60,
        help_text="As “the club's Discord”, or nothing.",
        error_messages={"max_length": "A name has 60 letters at most; shorten it."},
    )

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        if not settings.MAIL_IS_SENT:  # asked for all the same, it is refused with a sentence
            offered = [choice for choice in WAYS if choice[0] not in MAIL_KINDS]
            self.fields["way"].widget.choices = offered
            self.fields["address"].help_text = ELSEWHERE


class ChannelTopicsForm(SentenceForm):
    """The notifications sent by a channel, and their timing."""

    on = forms.BooleanField(label="Send me notices this way", required=False)
    kinds = forms.MultipleChoiceField(
        label="Which",
        required=False,
        choices=CHOICES,
        widget=forms.CheckboxSelectMultiple,
        error_messages={"invalid_choice": "There is no such notice."},
    )
    when = forms.ChoiceField(
        label="When",
        choices=(("now", "At once"), ("daily", "Together, once a day")),
        widget=forms.RadioSelect,
        error_messages={"required": "Say when.", "invalid_choice": "Choose one of these."},
    )
    daily_at = forms.TimeField(
        label="At",
        required=False,
        widget=forms.TimeInput(attrs={"type": "time"}, format="%H:%M"),
        error_messages={"invalid": "Give an hour, as 18:00."},
    )
    label = forms.CharField(
        label="What you call it",
        required=False,
        max_length=60,
        error_messages={"max_length": "A name has 60 letters at most; shorten it."},
    )

    def clean(self) -> dict[str, Any]:
        """A digest has an hour."""
        given = super().clean() or self.cleaned_data
        if given.get("when") == "daily" and given.get("daily_at") is None and "daily_at" not in self.errors:
            self.add_error("daily_at", "Give the hour of the day, as 18:00.")
        if given.get("when") == "now":
            given["daily_at"] = None
        return given


class ConfirmCodeForm(SentenceForm):
    """The code of a test notice."""

    code = forms.CharField(
        label="The code",
        max_length=12,
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "one-time-code"}),
        error_messages={
            "required": "Enter the code of the test notice.",
            "max_length": "It has six figures.",
        },
    )


def carries_initial(channel: NoticeChannel) -> dict[str, Any]:
    """A way's form as it stands."""
    return {
        "on": channel.on,
        "kinds": [kind for kind in Kind.values if kind not in channel.left_out],
        "when": "daily" if channel.daily_at else "now",
        "daily_at": channel.daily_at,
        "label": channel.label,
    }


#: Notices on a page.
ROWS = 30
#: Where the session keeps a way's secret, and the calendar's addresses, until their page shows them.
SECRET, CALENDAR = "way_secret_{}", "calendar_made"


@dataclass(frozen=True, slots=True)
class NoticeLine:
    """A notice in the list: its words, where it leads, and how it went out."""

    notice: Notice
    words: str
    url: str
    sent: str
    unreached: str


@signed_in
@never_cache
@require_safe
def notices_page(request: HttpRequest) -> HttpResponse:
    """The list; what was new is no longer when it has been looked at."""
    assert isinstance(request.user, User)
    pages = Paginator(notices_of(request.user), ROWS)
    page = pages.get_page(parse_whole_number(request.GET.get("page", "")) or 1)
    lines = [_build_notice_line(notice) for notice in complete_notices(page)]
    answer = render(
        request,
        "campaign/notices.html",
        {"lines": lines, "page": page, "zone": find_person_time_zone(request.user).key},
    )
    if request.method == "GET":
        notices_read(user=request.user)
    return answer


def _build_notice_line(notice: Notice) -> NoticeLine:
    rows = list(notice.deliveries.all())
    sent = [str(row.channel) for row in rows if row.state == Delivery.State.SENT]
    failed = [str(row.channel) for row in rows if row.state == Delivery.State.FAILED]
    return NoticeLine(
        notice, notice_text(notice)[1], build_page_url(notice), "; ".join(sent), "; ".join(failed)
    )


@signed_in
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def settings_page(request: HttpRequest) -> HttpResponse:
    """A person's ways and his calendar; a posted form is one of both."""
    assert isinstance(request.user, User)
    asked = request.POST.get("kind", "") if request.method == "POST" else ""
    form = ChannelForm(request.POST if asked == "add" else None)
    if asked == "calendar":
        secret_keep(request.session, CALENDAR, {"links": _make_calendar_addresses(request, request.user)})
        return redirect("notice-settings")
    if asked == "calendar-end":
        calendar_end(user=request.user)
        messages.success(request, "The calendar's address leads nowhere now.")
        return redirect("notice-settings")
    if form.is_bound and form.is_valid():
        given = form.cleaned_data
        try:
            channel, secret = channel_add(
                user=request.user, kind=given["way"], address=given["address"], label=given["label"]
            )
        except RuleViolation as violation:
            form.refuse(violation, {"kind": "way"})
        else:
            _send_test(request, channel)
            if secret:
                secret_keep(request.session, SECRET.format(channel.pk), {"secret": secret})
            return redirect("notice-channel", channel.pk)
    return _render_settings(request, form)


def _render_settings(request: HttpRequest, form: ChannelForm) -> HttpResponse:
    assert isinstance(request.user, User)
    channel_own(user=request.user)
    context = {
        "ways": ways_of(request.user),
        "form": form,
        "mail_is_sent": settings.MAIL_IS_SENT,
        "feed": CalendarFeed.objects.filter(user=request.user).first(),
        "made": (secret_take(request.session, CALENDAR) or {}).get("links"),
        "zone": find_person_time_zone(request.user).key,
    }
    return render(request, "campaign/notice_settings.html", context, status=422 if form.is_bound else 200)


def _make_calendar_addresses(request: HttpRequest, user: User) -> list[tuple[str, str]]:
    """A new calendar's addresses: of all campaigns, and of each."""
    token = calendar_make(user=user)
    found = [("All campaigns", request.build_absolute_uri(reverse("calendar-feed", args=[token])))]
    for campaign in campaigns_for(user):
        address = reverse("calendar-feed-campaign", args=[token, campaign.slug])
        found.append((campaign.title, request.build_absolute_uri(address)))
    return found if len(found) > 2 else found[:1]


@signed_in
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def channel_page(request: HttpRequest, pk: int) -> HttpResponse:
    """One way: its code, what goes by it, its end."""
    assert isinstance(request.user, User)
    channel = get_object_or_404(NoticeChannel.objects.select_related("user"), pk=pk, user=request.user)
    asked = request.POST.get("kind", "") if request.method == "POST" else ""
    if asked == "test":
        _send_test(request, channel)
        return redirect("notice-channel", pk)
    if asked == "secret":
        secret = channel_secret_new(channel=channel, user=request.user)
        secret_keep(request.session, SECRET.format(pk), {"secret": secret})
        return redirect("notice-channel", pk)
    if asked == "remove":
        channel_remove(channel=channel, user=request.user)
        messages.success(request, "The way is removed, and its address forgotten.")
        return redirect("notice-settings")
    return _save_channel(request, channel, request.user, asked)


def _save_channel(request: HttpRequest, channel: NoticeChannel, user: User, asked: str) -> HttpResponse:
    carried = ChannelTopicsForm(request.POST if asked == "save" else None, initial=carries_initial(channel))
    code = ConfirmCodeForm(request.POST if asked == "confirm" else None)
    bound: SentenceForm | None = {"save": carried, "confirm": code}.get(asked)
    if bound is not None and bound.is_valid():
        given: dict[str, Any] = dict(bound.cleaned_data)
        try:
            if bound is code:
                channel_confirm(channel=channel, user=user, code=given["code"])
                messages.success(request, "It is yours: notices go this way from now on.")
            else:
                given.pop("when")
                channel_save(channel=channel, user=user, **given)
                messages.success(request, "It is noted.")
            return redirect("notice-channel", channel.pk)
        except RuleViolation as violation:
            bound.refuse(violation)
    return _render_channel(request, channel, carried=carried, code=code, status=422 if bound else 200)


def _render_channel(
    request: HttpRequest,
    channel: NoticeChannel,
    *,
    carried: ChannelTopicsForm | None = None,
    code: ConfirmCodeForm | None = None,
    status: int = 200,
) -> HttpResponse:
    own = channel.kind == NoticeChannel.Kind.ACCOUNT
    context = {
        "way": way_line(channel),
        "own": own,
        "nowhere": channel.goes_nowhere,
        "proved": own or channel.verified_at is not None,
        "form": carried or ChannelTopicsForm(initial=carries_initial(channel)),
        "code_form": code or ConfirmCodeForm(),
        "secret": (secret_take(request.session, SECRET.format(channel.pk)) or {}).get("secret", ""),
        "zone": find_person_time_zone(channel.user).key,
        "webhook": channel.kind == NoticeChannel.Kind.WEBHOOK,
    }
    return render(request, "campaign/notice_channel.html", context, status=status)


def _send_test(request: HttpRequest, channel: NoticeChannel) -> None:
    assert isinstance(request.user, User)
    try:
        channel_test(channel=channel, user=request.user)
    except RuleViolation as violation:
        messages.error(request, f"{violation.message} ({violation.rule_id})")
    else:
        messages.success(request, "A test notice is sent. Its code, entered here, shows that it arrived.")


@require_safe
def calendar_feed(request: HttpRequest, token: str, slug: str = "") -> HttpResponse:
    """The calendar at its secret address; programs that fetch it often are told when nothing is new."""
    owner = calendar_owner(token)
    body = calendar_of(owner, slug) if owner is not None else None
    if body is None:
        raise Http404("There is no such calendar.")
    etag = f'"{salted_hmac("calendar", body).hexdigest()}"'
    answer = HttpResponse(body, content_type="text/calendar; charset=utf-8")
    answer["ETag"], answer["Cache-Control"] = etag, "private, no-cache"
    answer["X-Robots-Tag"] = "noindex"
    return get_conditional_response(request, etag=etag, response=answer) or answer
