"""Addresses of the site."""

from django.contrib import admin
from django.shortcuts import redirect
from django.templatetags.static import static
from django.urls import include, path

from campaign.admin.site import umpire_site
from campaign.config.health import health_page, readiness_page
from campaign.config.metrics import metrics_page
from campaign.web.accounts.admin_sign_in import require_site_sign_in
from campaign.web.accounts.views import letter_sent, reset_sent

admin.autodiscover()
require_site_sign_in(admin.site)

handler404, handler500 = (
    "campaign.web.error_pages.show_missing_page",
    "campaign.web.error_pages.show_server_error",
)

urlpatterns = [
    path("health/", health_page, name="health"),
    path("ready/", readiness_page, name="ready"),
    path("metrics", metrics_page, name="metrics"),
    # Browsers ask for it on pages that name no icon, as plain answers and files.
    path("favicon.ico", lambda request: redirect(static("img/favicon.svg")), name="favicon"),
    path("api/v1/", include("campaign.api.urls")),
    path("admin/", admin.site.urls),
    path("umpire/", umpire_site.urls),
    path("account/confirm-email/", letter_sent, name="account_email_verification_sent"),
    path("account/password/reset/done/", reset_sent, name="account_reset_password_done"),
    path("account/", include("allauth.account.urls")),
    path("account/two-factor/", include("allauth.mfa.urls")),
    path("", include("campaign.web.urls")),
]
