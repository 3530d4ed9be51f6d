"""Forms of the umpire's calendar: the next deadline, and the rhythm of deadlines."""

from typing import Any

from django import forms

from campaign.models import Campaign
from campaign.services.deadlines import Schedule
from campaign.web.forms import SentenceForm


class DeadlineForm(SentenceForm):
    """When orders for the coming day are due, by the club's clock; empty for no deadline."""

    deadline = forms.DateTimeField(
        required=False,
        label="Orders are due",
        error_messages={"invalid": "Give the deadline as a day and an hour, as 2026-12-24 20:00."},
    )


class ScheduleForm(SentenceForm):
    """The rhythm of deadlines (HR-DUE-01, HR-DUE-02)."""

    time_zone = forms.CharField(
        label="The club's time zone",
        max_length=60,
        help_text="As Europe/London or America/New_York.",
        error_messages={"required": "Give a time zone, as Europe/London."},
    )
    cadence_days = forms.IntegerField(
        label="Days from one deadline to the next", required=False, help_text="Empty: you set each by hand."
    )
    run_until = forms.ChoiceField(label="Each time is played until", choices=Campaign.RunUntil.choices)
    days_a_turn = forms.IntegerField(label="Campaign days in a turn")
    advance_at_deadline = forms.BooleanField(label="Play them by itself at the deadline", required=False)
    late_orders = forms.ChoiceField(label="Late orders are", choices=Campaign.LateOrders.choices)
    missed_orders = forms.ChoiceField(label="Who misses the deadline", choices=())
    run_on_days = forms.IntegerField(
        label="Days the others run on beside a battle that waits", help_text="0: everybody waits. (HR-CAL-11)"
    )
    settle_after_days = forms.IntegerField(
        label="Real days until the engine settles a battle nobody has fought",
        required=False,
        help_text="Empty: it waits as long as you like. (HR-CAL-13)",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        missed = self.fields["missed_orders"]
        assert isinstance(missed, forms.ChoiceField)
        missed.choices = [
            (Campaign.MissedOrders.CARRY_ON, "carries on with older orders"),
            (Campaign.MissedOrders.HALT, "halts"),
            (Campaign.MissedOrders.STAFF, "is ordered by the staff"),
        ]
        for name in ("cadence_days", "days_a_turn", "run_on_days", "settle_after_days"):
            self.fields[name].widget.attrs["class"] = "narrow-number"
            self.fields[name].error_messages |= {
                "required": "Enter a whole number of days.",
                "invalid": "Enter a whole number of days.",
            }

    def schedule(self) -> Schedule:
        """The rhythm of a valid form."""
        return Schedule(**self.cleaned_data)
