"""The form of the rhythm of deadlines; that of a single one is among the umpire's acts."""

from typing import Any

from django import forms

from campaign.models import Campaign
from campaign.rules.turns.deadline_schedule import USUAL_GRACE, Rhythm, rhythm_faults
from campaign.web.forms import SentenceForm
from campaign.web.umpire.correction_forms import reason_field

RHYTHM = tuple(Rhythm.__dataclass_fields__)


class RhythmForm(SentenceForm):
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
    run_until = forms.ChoiceField(
        label="Play on each time until",
        choices=Campaign.RunUntil.choices,
        help_text="A battle that waits ends a turn in any case. (HR-CAL-12)",
    )
    days_a_turn = forms.IntegerField(
        label="Campaign days in a turn",
        help_text="Counts only for a turn that ends with its days; until a contact, a sighting or the week's "
        "end as many are played as it takes, and never past the week's end.",
    )
    advance_at_deadline = forms.BooleanField(
        label="The turn is played by itself at the deadline", required=False
    )
    late_orders = forms.ChoiceField(label="Late orders are", choices=Campaign.LateOrders.choices)
    missed_orders = forms.ChoiceField(label="Whoever misses the deadline", choices=())
    run_on_days = forms.IntegerField(
        label="Days the others run on beside a battle that waits", help_text="0: everybody waits. (HR-CAL-11)"
    )
    settle_after_days = forms.IntegerField(
        label="Real days until the engine settles a battle nobody has fought",
        required=False,
        help_text="Empty: it waits as long as you like. (HR-CAL-13)",
    )

    grace_hours = forms.IntegerField(
        label="Grace after an outage (hours)",
        required=False,
        help_text="If the site was down over a deadline, orders are taken so much longer. Empty: "
        f"{USUAL_GRACE}. 0: none. (HR-DUE-12)",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["reason"] = reason_field()
        missed = self.fields["missed_orders"]
        assert isinstance(missed, forms.ChoiceField)
        missed.choices = [
            (Campaign.MissedOrders.CARRY_ON, "carries on with older orders"),
            (Campaign.MissedOrders.HALT, "halts columns that follow or intercept"),
            (Campaign.MissedOrders.STAFF, "is ordered by the staff"),
        ]
        self.fields["grace_hours"].widget.attrs["class"] = "narrow-number"
        self.fields["grace_hours"].error_messages |= {"invalid": "Enter a whole number of hours."}
        for name in ("cadence_days", "days_a_turn", "run_on_days", "settle_after_days"):
            self.fields[name].widget.attrs["class"] = "narrow-number"
            self.fields[name].error_messages |= {
                "required": "Enter a whole number of days.",
                "invalid": "Enter a whole number of days.",
            }

    def clean_grace_hours(self) -> int:
        found: int | None = self.cleaned_data["grace_hours"]
        return USUAL_GRACE if found is None else found

    def clean(self) -> dict[str, Any] | None:
        data = super().clean()
        sound = {name: value for name, value in self.cleaned_data.items() if name in RHYTHM}
        for fault in rhythm_faults(Rhythm(**sound)):  # what is refused already is left as usual
            self.refuse(fault)
        return data

    def act(self) -> Rhythm:
        """The rhythm of a valid form."""
        return Rhythm(**{name: self.cleaned_data[name] for name in RHYTHM})

    @property
    def reason(self) -> str:
        return str(self.cleaned_data["reason"])
