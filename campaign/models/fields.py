"""Columns that hold the same in memory as in the database."""

import json
from typing import Any

from django.db import models


class JSONField(models.JSONField):
    """A JSON column whose value has, once it is saved, the form in which the database gives it back.

    Django leaves tuples on a row that was just made, and reads lists from one that was stored: two rows that
    say the same would differ.
    """

    def pre_save(self, model_instance: models.Model, add: bool) -> Any:
        value = super().pre_save(model_instance, add)
        if hasattr(value, "resolve_expression"):
            return value
        stored = json.loads(json.dumps(value, cls=self.encoder), cls=self.decoder)
        setattr(model_instance, self.attname, stored)
        return stored

    def deconstruct(self) -> Any:
        """The database knows no difference, so migrations name Django's own column."""
        name, _, arguments, options = super().deconstruct()
        return name, "django.db.models.JSONField", arguments, options
