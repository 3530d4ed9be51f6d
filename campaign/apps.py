"""The Django application `campaign`."""

from django.apps import AppConfig


class CampaignConfig(AppConfig):
    name = "campaign"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from campaign.web import account_audit  # noqa: F401 - its receivers listen from now on
