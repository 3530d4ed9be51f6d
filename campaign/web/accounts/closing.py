"""The page on which a person closes their own account (HR-SET-16)."""

from typing import Any

from allauth.account.decorators import reauthentication_required
from django import forms
from django.contrib import messages
from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from campaign.models import User
from campaign.rules.errors import RuleViolation
from campaign.services.accounts.closing import account_close, seats_falling_empty, seats_to_hand_over
from campaign.web.access import signed_in
from campaign.web.forms import SentenceForm

WRONG = "This is not your username; type it as it stands above."


class CloseForm(SentenceForm):
    """The username typed once more."""

    username = forms.CharField(
        label="Your username",
        max_length=150,
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
        error_messages={"required": WRONG, "max_length": WRONG},
    )

    def __init__(self, *args: Any, person: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.person = person

    def clean_username(self) -> str:
        typed = str(self.cleaned_data["username"]).strip()
        if typed != self.person.get_username():
            raise forms.ValidationError(WRONG)
        return typed


@signed_in
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@reauthentication_required(allow_get=True)
def close_page(request: HttpRequest) -> HttpResponse:
    """Show the effects of closing the account; posted with the username and then the password, close it."""
    assert isinstance(request.user, User)
    form = CloseForm(request.POST if request.method == "POST" else None, person=request.user)
    if form.is_bound and form.is_valid():
        try:
            account_close(user=request.user, actor=request.user)
        except RuleViolation as violation:
            form.refuse(violation)
        else:
            logout(request)
            messages.success(request, "Your account is closed. You are signed out everywhere.")
            return redirect("front")
    context = {
        "person": request.user,
        "form": form,
        "hand_over": seats_to_hand_over(request.user),
        "seats": seats_falling_empty(request.user),
    }
    return render(request, "campaign/account_close.html", context, status=422 if form.is_bound else 200)
