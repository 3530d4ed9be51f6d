"""The Django application `rosters`."""

from django.apps import AppConfig


class RostersConfig(AppConfig):
    name = "rosters"
    verbose_name = "The armies"
    default_auto_field = "rosters.keys.KeyField"
