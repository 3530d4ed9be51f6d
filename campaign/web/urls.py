"""Addresses of the pages for people."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
