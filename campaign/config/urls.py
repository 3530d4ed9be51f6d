"""Addresses of the site."""

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.shortcuts import redirect
from django.templatetags.static import static
from django.urls import include, path

from campaign.admin.site import umpire_site
from campaign.config.health import health
from campaign.web.account_views import letter_sent

# The administrators' pages have no door of their own: who comes in has passed the site's, with both factors.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]

urlpatterns = [
    path("health/", health, name="health"),
    # Browsers ask for it on pages that name no icon, as plain answers and files.
    path("favicon.ico", lambda request: redirect(static("img/favicon.svg")), name="favicon"),
    path("admin/", admin.site.urls),
    path("umpire/", umpire_site.urls),
    path("account/confirm-email/", letter_sent, name="account_email_verification_sent"),
    path("account/", include("allauth.account.urls")),
    path("account/two-factor/", include("allauth.mfa.urls")),
    path("", include("campaign.web.urls")),
]
