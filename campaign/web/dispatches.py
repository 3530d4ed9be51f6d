"""Letters: a sheet of the desk, and a page of its own for people without a desk."""

from datetime import datetime
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from campaign.fog.dispatches import get_correspondent_seat, letters_for, rides_from
from campaign.fog.viewers import DESK, OnlyPublic, campaign_of
from campaign.models import Campaign, Letter, Seat, User
from campaign.rules.errors import RuleViolation
from campaign.scenarios.theatres import theatre_load
from campaign.selectors.dispatches import (
    BOXES,
    find_readable_dispatch,
    first_words,
    list_dispatch_thread,
    list_receivers,
    load_dispatch_box,
)
from campaign.services.dispatches import (
    LONGEST,
    MOST,
    SUBJECT_LONGEST,
    letter_send,
    letter_withdraw,
    letters_read,
)
from campaign.web.access import led_on, mark_form_unsent, signed_in
from campaign.web.forms import SentenceForm, parse_whole_number

SEALS = [
    ("sealed", "Sealed: for those named. The umpires may read it, nobody else."),
    ("open", "Open: your own side and that of those named may read it too."),
]
#: By courier nobody reads a letter where it has not come in (HR-LET-05).
SEALS_RIDDEN = [
    SEALS[0],
    ("open", "Open: for those named, and whoever holds their seats after them."),
]


class LetterForm(SentenceForm):
    """A letter. The service has the last word on its length."""

    to = forms.MultipleChoiceField(
        label="To",
        widget=forms.CheckboxSelectMultiple,
        error_messages={
            "required": "Say to whom the letter goes; name at least one. (HR-LET-01)",
            "invalid_choice": "You cannot write to one of these seats, or nobody sits there any more; "
            "choose of the list. (HR-LET-01)",
        },
    )
    subject = forms.CharField(label="About", required=False)
    text = forms.CharField(
        label="The letter", strip=False, widget=forms.Textarea(attrs={"rows": 8}),
        error_messages={"required": "The letter is empty; write something. (HR-LET-03)"},
    )  # fmt: skip
    sealed = forms.ChoiceField(
        label="Seal",
        choices=SEALS,
        initial="sealed",
        widget=forms.RadioSelect,
    )
    answers = forms.CharField(required=False, widget=forms.HiddenInput)
    opened = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, seats: list[tuple[str, str]], rides: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if rides:
            seal = self.fields["sealed"]
            assert isinstance(seal, forms.ChoiceField)
            seal.choices = SEALS_RIDDEN
        to = self.fields["to"]
        assert isinstance(to, forms.MultipleChoiceField)
        to.choices = seats
        self.fields["subject"].widget.attrs["maxlength"] = SUBJECT_LONGEST
        self.fields["text"].help_text = f"At most {LONGEST:,} characters; {MOST} letters in 24 hours."

    def build_letter(self) -> dict[str, Any]:
        """The letter of a valid form, as `letter_send` takes it."""
        data = self.cleaned_data
        return {
            "to": [int(key) for key in data["to"]],
            "subject": data["subject"],
            "text": data["text"],
            "sealed": data["sealed"] == "sealed",
            "answers": data["answers"],
            "opened": _parse_moment(data["opened"]),
        }


def letters_context(
    campaign: Campaign,
    request: HttpRequest,
    *,
    desk: bool,
    seat: Seat | None = None,
    form: LetterForm | None = None,
) -> dict[str, Any]:
    """Build the dispatches sheet: one dispatch with its thread, or a page of a box; and the form.

    A letter that is shown has been opened.
    """
    assert isinstance(request.user, User)
    seat = seat or get_correspondent_seat(request.user, campaign)
    theatre, letter = theatre_load(campaign), None
    code = request.GET.get("letter", "")
    context: dict[str, Any] = {"letters_at": "?sheet=letters&" if desk else "?", "letters_desk": desk}
    context |= {"letter_seat": seat, "has_others": seat.role in DESK}
    context["rides"] = rides_from(seat, campaign)
    if code:
        rows = list_dispatch_thread(seat, campaign, theatre.start, code)
        if not rows:
            raise Http404("There is no such letter for you.")
        if any(row.unread for row in rows):
            letters_read(letters=[row.letter for row in rows], reader=request.user)
        letter = rows[-1].letter if not rows[-1].captured else None
        context["thread"] = rows
    else:
        name = request.GET.get("box", "in")
        page = parse_whole_number(request.GET.get("page", "")) or 1
        context["box"] = load_dispatch_box(
            seat, campaign, theatre.start, name if name in BOXES else "in", page
        )
    context["answering"] = letter is not None
    context["letter_form"] = form or letter_form(campaign, seat, answers=letter)
    return context


def letter_form(
    campaign: Campaign, seat: Seat, data: Any = None, *, answers: Letter | None = None
) -> LetterForm:
    """The form of a new letter, or of an answer to one."""
    if data is not None:
        answered = data.get("answers", "")
        answers = find_readable_dispatch(seat, campaign, answered) if answered else None
    sides = {side.id: side.name for side in theatre_load(campaign).sides}
    seats = list_receivers(seat, campaign, sides, answers)
    initial: dict[str, Any] = {"opened": timezone.now().isoformat(timespec="seconds")}
    if answers is not None:
        subject = answers.subject or first_words(answers.text)
        again = subject if subject.startswith("Re: ") else f"Re: {subject}"[:SUBJECT_LONGEST]
        mine = answers.author_id == seat.user_id
        to = [key for key, _ in seats if mine or key == str(answers.seat_id)]
        initial |= {"to": to, "subject": again, "answers": answers.code}
        initial["sealed"] = "sealed" if answers.sealed else "open"
    elif len(seats) == 1:
        initial["to"] = [seats[0][0]]
    return LetterForm(data, seats=seats, rides=rides_from(seat, campaign), initial=initial)


def _parse_moment(text: str) -> datetime | None:
    """Parse the time at which a form was opened; None if the text is no time."""
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    return found if found.tzinfo else None


@signed_in
@led_on
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def letters_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Send a letter; opened as a page, the letters of those who have no desk."""
    assert isinstance(request.user, User)
    campaign = campaign_of(request.user, slug)
    try:
        seat = get_correspondent_seat(request.user, campaign)
    except OnlyPublic:
        return mark_form_unsent(redirect("campaign-public", slug))
    desk = f"{reverse('campaign', args=[slug])}?sheet=letters" if seat.role in DESK else ""
    form: LetterForm | None = None
    if request.method == "POST":
        form = letter_form(campaign, seat, request.POST)
        if form.is_valid():
            try:
                letter = letter_send(campaign=campaign, author=request.user, **form.build_letter())
            except RuleViolation as violation:
                form.refuse(violation)
            else:
                messages.success(request, _describe_sending(letter))
                return redirect(f"{desk}&box=sent" if desk else f"{request.path}?box=sent")
    elif desk:
        return redirect(desk)
    context = letters_context(campaign, request, desk=False, seat=seat, form=form)
    context |= {"campaign": campaign, "desk": desk}
    return render(request, "campaign/letters.html", context, status=422 if form is not None else 200)


def _describe_sending(letter: Letter) -> str:
    if not letter.rides:
        return "The letter is sent."
    return "The letter leaves by courier this evening; until then you may call it back. (HR-LET-05)"


@signed_in
@require_POST
def withdraw_dispatch(request: HttpRequest, slug: str, code: str) -> HttpResponse:
    """Call back a letter before it leaves."""
    assert isinstance(request.user, User)
    campaign = campaign_of(request.user, slug)
    try:
        seat = get_correspondent_seat(request.user, campaign)
    except OnlyPublic:
        return redirect("campaign-public", slug)
    letter = get_object_or_404(letters_for(seat, campaign), code=code)
    try:
        letter_withdraw(letter=letter, author=request.user)
    except RuleViolation as violation:
        messages.error(request, f"{violation.message} ({violation.rule_id})")
    else:
        messages.success(request, "The letter is called back.")
    return redirect(f"{reverse('campaign', args=[slug])}?sheet=letters&box=sent")
