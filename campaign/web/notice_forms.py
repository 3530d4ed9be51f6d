"""Forms of a person's notices."""

from typing import Any

from django import forms
from django.conf import settings

from campaign.models import Notice, NoticeChannel
from campaign.models.notifications import MAIL_KINDS
from campaign.web.forms import SentenceForm

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
    """What goes by a way, and when."""

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
