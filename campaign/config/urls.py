"""Addresses of the site."""

from django.contrib import admin
from django.urls import include, path

from campaign.config.health import health

urlpatterns = [
    path("health/", health, name="health"),
    path("admin/", admin.site.urls),
    path("", include("campaign.web.urls")),
]
