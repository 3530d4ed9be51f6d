"""The administrators' pages have no door of their own: who comes in has passed the site's."""

from collections.abc import Callable

from allauth.account.decorators import secure_admin_login
from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.contrib import messages
from django.contrib.admin import AdminSite
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

ASKED = "The administrators' pages open to who has a second factor. Set one up, then go there again."


def require_site_sign_in(site: AdminSite) -> None:
    """Have a site of lists entered by the site's own door, where asked for with a second factor only."""
    usual: Callable[[HttpRequest], bool] = site.has_permission
    login = secure_admin_login(site.login)

    def has_permission(request: HttpRequest) -> bool:
        return usual(request) and not _factor_missing(request)

    def door(request: HttpRequest, extra_context: dict[str, object] | None = None) -> HttpResponse:
        if usual(request) and _factor_missing(request):
            messages.warning(request, ASKED)
            return redirect("mfa_activate_totp")
        answer: HttpResponse = login(request, extra_context)
        return answer

    site.has_permission = has_permission  # type: ignore[method-assign]
    site.login = door  # type: ignore[method-assign]


def _factor_missing(request: HttpRequest) -> bool:
    return bool(settings.ADMIN_TWO_FACTOR) and not is_mfa_enabled(request.user)
