"""Pages of a person rather than of a campaign: the front page, the demo doors, the profile."""

from datetime import timedelta

from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.safestring import mark_safe
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from battles.sheets import qr_svg
from campaign.config.demo import TOKEN, doors_near, doors_open, doors_token, token_matches
from campaign.models import Seat, User
from campaign.rules.errors import RuleViolation
from campaign.selectors.faults import faults_open
from campaign.selectors.setup import draft_rows
from campaign.services.invitations import invitations_for
from campaign.services.people import profile_save
from campaign.services.setup import drafts_of, may_set_up
from campaign.services.tokens import tokens_good
from campaign.web.access import signed_in
from campaign.web.account_forms import SignInForm
from campaign.web.home_rows import home_rows
from campaign.web.profile_form import ProfileForm

#: How long a browser that opened the printed address may use the demo doors.
DEMO_DAYS = timedelta(days=30)


@never_cache
@require_safe
def front(request: HttpRequest) -> HttpResponse:
    """A person's own page; signed out, the door: sign in, sign up, or enter a demo seat."""
    if doors_near(request) and token_matches(request.GET.get(TOKEN, "")):
        answer = redirect("front")  # so that the token stays in no history and on no photograph of the screen
        answer.set_cookie(TOKEN, doors_token(), httponly=True, samesite="Lax", max_age=DEMO_DAYS)
        return answer
    doors = _demo_seats() if doors_open(request) else []
    if isinstance(request.user, User):
        invited = invitations_for(request.user)
        rows = home_rows(request.user)
        context = {"rows": rows, "invited": invited, "doors": doors}
        if may_set_up(request.user):
            context |= {"may_set_up": True, "drafts": draft_rows(drafts_of(request.user))}
        if request.user.is_superuser:
            context["amiss"] = faults_open(request.user)
        if settings.LAN and any(row.umpires for row in rows):
            # nothing in it but the address
            context["club"] = {"address": settings.SITE_URL, "qr": mark_safe(qr_svg(settings.SITE_URL))}
        return render(request, "campaign/home.html", context)
    entrance = {
        "form": SignInForm(request=request),
        "doors": doors,
        "doors_shut": doors_near(request) and not doors_open(request),
    }
    return render(request, "campaign/front.html", entrance)


def _demo_seats() -> QuerySet[Seat]:
    """Seats of demo campaigns whose people have no password; an account somebody made is his own."""
    seats = Seat.objects.filter(campaign__demo=True, user__password__startswith=UNUSABLE_PASSWORD_PREFIX)
    return seats.select_related("campaign", "user").order_by("campaign_id", "-role", "side")


@require_POST
def demo_enter(request: HttpRequest) -> HttpResponse:
    """Take a demo seat without a password; only where the demo doors are open."""
    if not doors_open(request):
        raise Http404("The demo doors are open on a demo and on this machine only.")
    wanted = request.POST.get("seat", "")
    seat = get_object_or_404(_demo_seats(), pk=wanted if wanted.isdecimal() else None)
    assert seat.user is not None
    login(request, seat.user, backend=settings.AUTHENTICATION_BACKENDS[-1])
    return redirect("campaign", seat.campaign.slug)


@signed_in
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def profile(request: HttpRequest) -> HttpResponse:
    """The name the others see, the time zone, and the ways to e-mail, password and second factor."""
    assert isinstance(request.user, User)
    person = User.objects.get(pk=request.user.pk)  # what the page's head shows stays as it is if refused
    given = {"name": person.get_full_name(), "time_zone": person.time_zone}
    form = ProfileForm(request.POST if request.method == "POST" else None, initial=given)
    if form.is_bound and form.is_valid():
        try:
            profile_save(actor=person, **form.cleaned_data)
        except RuleViolation as violation:
            form.refuse(violation)
        else:
            messages.success(request, "Your profile is kept.")
            return redirect("profile")
    context = {
        "form": form,
        "authenticated": is_mfa_enabled(request.user),
        "tokens": len(tokens_good(request.user)),
    }
    return render(request, "campaign/profile.html", context, status=422 if form.is_bound else 200)
