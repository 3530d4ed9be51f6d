"""A person's tokens for programs: made, shown once, revoked (HR-API-01)."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from campaign.models import ApiToken, User
from campaign.rules.errors import RuleViolation
from campaign.services.accounts.tokens import (
    LONGEST,
    LONGEST_NAME,
    USUAL,
    token_make,
    token_revoke,
    tokens_good,
)
from campaign.web.access import form_address, signed_in
from campaign.web.forms import SentenceForm
from campaign.web.shown_once import secret_keep, secret_take

#: Where the session keeps a token, sealed, until the page has shown it.
MADE = "token_made"
Scope = ApiToken.Scope


def build_whole_number_errors(sentence: str) -> dict[str, str]:
    """The one thing a field for whole numbers says to anything else."""
    return dict.fromkeys(("required", "invalid", "min_value", "max_value"), sentence)


class TokenForm(SentenceForm):
    """A token to be made."""

    name = forms.CharField(
        label="What it is for",
        max_length=LONGEST_NAME,
        help_text="As “my bot at home”.",
        error_messages={"required": "Say what the token is for."},
    )
    scopes = forms.MultipleChoiceField(
        label="What it may do",
        choices=[(value, label[0].upper() + label[1:]) for value, label in Scope.choices],
        initial=[Scope.READ],
        widget=forms.CheckboxSelectMultiple,
        help_text="Never more than you may yourself.",
        error_messages={"required": "Say what the token may do; to read at least."},
    )
    days = forms.IntegerField(
        label="Good for how many days",
        initial=USUAL,
        min_value=1,
        max_value=LONGEST,
        error_messages=build_whole_number_errors(f"Enter a whole number of days from 1 to {LONGEST}."),
    )


@signed_in
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def tokens_page(request: HttpRequest) -> HttpResponse:
    """The tokens that are good; posted, one more."""
    assert isinstance(request.user, User)
    form = TokenForm(request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid():
        try:
            token, text = token_make(user=request.user, **form.cleaned_data)
        except RuleViolation as violation:
            form.refuse(violation)
        else:
            secret_keep(request.session, MADE, {"name": token.name, "text": text})
            return redirect("tokens")
    labels: dict[str, Any] = dict(Scope.choices)
    context = {
        "person": request.user,
        "form": form,
        "made": secret_take(request.session, MADE),
        "tokens": [
            {"token": token, "may": "; ".join(str(labels.get(scope, scope)) for scope in token.scopes)}
            for token in tokens_good(request.user)
        ],
    }
    return render(request, "campaign/tokens.html", context, status=422 if form.is_bound else 200)


@signed_in
@form_address(lambda pk: reverse("tokens"))
def revoke_token(request: HttpRequest, pk: int) -> HttpResponse:
    """The token opens nothing any more."""
    assert isinstance(request.user, User)
    token = get_object_or_404(ApiToken, pk=pk, user=request.user)
    token_revoke(token=token, user=request.user)
    messages.success(request, f"{token.name}: revoked. Programs that use it are turned away from now on.")
    return redirect("tokens")
