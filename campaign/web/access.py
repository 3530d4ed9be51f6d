"""At the door of a page: signed in or not, a form too old, a form's address opened as a page."""

from collections.abc import Callable
from functools import wraps
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.http.response import HttpResponseBase, HttpResponseRedirectBase
from django.shortcuts import redirect, render
from django.utils.http import url_has_allowed_host_and_scheme

from campaign.fog.viewers import SeatEnded
from campaign.rules.errors import RuleViolation

View = Callable[..., HttpResponseBase]

OLD_FORM = (
    "This page is old, or you have signed in anew since it was opened. Load it again and try once more."
)

SIGNED_OUT = "You have been signed out since this page was opened."
UNSENT = (
    "You had been signed out, so what you wrote was not sent. Sign in again: this window has kept it and "
    "offers it to you there."
)
#: Letters of a text that took time to write: it is shown again when its form cannot be taken.
WORTH_KEEPING = 30


def is_fragment(request: HttpRequest) -> bool:
    """True if a script asks for one piece of a page that is already open."""
    return "HX-Request" in request.headers


def mark_form_unsent(answer: HttpResponse) -> HttpResponse:
    """An answer to a script whose form was not taken: the script keeps what was written, and offers it."""
    answer["Form-Unsent"] = "yes"
    return answer


def led_on(view: View) -> View:
    """A form's address. Where it leads on, the whole window goes: a script that followed would take up the
    message that stands on the next page, and leave the old page standing."""

    @wraps(view)
    def answer_form(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        answer = view(request, *args, **kwargs)
        if not is_fragment(request):
            return answer
        if not isinstance(answer, HttpResponseRedirectBase):
            if answer.status_code == 422:  # to the script, which is answered, a refusal is no failure
                answer.status_code = 200
            return answer
        gone = HttpResponse(status=204, headers={"HX-Redirect": answer.url})
        return mark_form_unsent(gone) if "Form-Unsent" in answer else gone

    return answer_form


def signed_in(view: View) -> View:
    """Only for people who have signed in; others are sent to the sign-in page, and come back.

    A script that follows a redirect would put the sign-in page inside the open one, so it is told
    to send the whole window there.
    """
    usual = login_required(view)

    @wraps(view)
    def demand_sign_in(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if is_fragment(request) and not request.user.is_authenticated:
            elsewhere = redirect_to_login(_open_page(request), settings.LOGIN_URL)
            if {"submit", "draft", "publish"} & request.POST.keys():
                messages.warning(request, UNSENT)
            return mark_form_unsent(HttpResponse(status=204, headers={"HX-Redirect": elsewhere.url}))
        if not request.user.is_authenticated and (written := _list_long_texts(request)):
            back = redirect_to_login(_referring_page(request), settings.LOGIN_URL).url
            context = {"sentence": SIGNED_OUT, "back": back, "written": written, "word": "Sign in"}
            return render(request, "campaign/old_form.html", context, status=403)
        return usual(request, *args, **kwargs)

    return demand_sign_in


def form_address(back: Callable[..., str]) -> Callable[[View], View]:
    """An address that takes a form. Opened as a page, as from the address bar, it leads back to the
    form's page, which `back` names from the address's parts."""

    def decorate(view: View) -> View:
        @wraps(view)
        def answer_form(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            if request.method in ("GET", "HEAD"):
                return redirect(back(*args, **kwargs))
            if request.method != "POST":
                return HttpResponseNotAllowed(["GET", "HEAD", "POST"])
            try:
                return view(request, *args, **kwargs)
            except SeatEnded as ended:
                raise RuleViolation(
                    "HR-SET-07",
                    f"{ended} What you wrote has not been put in; go back in your browser to copy it, "
                    "and ask your umpire.",
                ) from ended

        return answer_form

    return decorate


def show_csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """A form whose token is no longer good; the sentence alone for a script."""
    if is_fragment(request):
        return HttpResponse(OLD_FORM, status=403, content_type="text/plain; charset=utf-8")
    context = {"sentence": OLD_FORM, "back": _referring_page(request), "written": _list_long_texts(request)}
    return render(request, "campaign/old_form.html", context, status=403)


def _open_page(request: HttpRequest) -> str:
    """Path and query of the page a script runs on."""
    return _own_path(request, request.headers.get("HX-Current-URL", "")) or "/"


def _referring_page(request: HttpRequest) -> str:
    return _own_path(request, request.headers.get("Referer", "")) or "/"


def _list_long_texts(request: HttpRequest) -> list[str]:
    """The longer texts of a form that cannot be taken, if it was sent from a page of this site."""
    if request.method != "POST" or not _own_path(request, request.headers.get("Referer", "")):
        return []
    return [
        text
        for name, texts in request.POST.lists()
        for text in texts
        if len(text) >= WORTH_KEEPING and name != "csrfmiddlewaretoken" and "password" not in name
    ]


def _own_path(request: HttpRequest, address: str) -> str:
    """Path and query of an address of this site, "" for any other."""
    if not url_has_allowed_host_and_scheme(address, {request.get_host()}):
        return ""
    parts = urlsplit(address)
    if parts.path.startswith("//"):  # as a link this would lead to another site
        return ""
    return f"{parts.path}?{parts.query}" if parts.query else parts.path
