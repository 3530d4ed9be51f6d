"""Addresses of the site."""

from django.contrib import admin
from django.shortcuts import redirect
from django.templatetags.static import static
from django.urls import include, path

from campaign.config.health import health

urlpatterns = [
    path("health/", health, name="health"),
    # Browsers ask for it on pages that name no icon, as plain answers and files.
    path("favicon.ico", lambda request: redirect(static("img/favicon.svg")), name="favicon"),
    path("admin/", admin.site.urls),
    path("", include("campaign.web.urls")),
]
