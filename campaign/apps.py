"""The Django application `campaign`."""

from importlib import import_module

from django.apps import AppConfig


class CampaignConfig(AppConfig):
    name = "campaign"
    default_auto_field = "rosters.keys.KeyField"

    def ready(self) -> None:
        import_module("campaign.web.accounts.audit")  # its receivers listen from now on
