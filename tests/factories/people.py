"""Browsers of people."""

from django.test import Client

from campaign.models import User


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client
