"""Columns that hold the same in memory as in the database, and keys of rows that have an order."""

import json
from typing import Any

from django.db import models

from rosters.keys import KeyField, make_row_key


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


class ChainKeyField(KeyField):
    """The same for a row with a `parent`: its key is above its parent's, whatever the machine's clock says.

    To be given as `primary_key=True`.
    """

    def get_pk_value_on_save(self, instance: models.Model) -> int:
        return make_row_key(above=getattr(instance, "parent_id", None) or 0)

    def deconstruct(self) -> Any:
        return _as_by_itself(super().deconstruct())


class CountedKeyField(models.BigAutoField):
    """A key the database counts, for rows in order of making or of dice, and for those written anew each day;
    it stands nowhere outside.

    To be given as `primary_key=True`.
    """

    def deconstruct(self) -> Any:
        return _as_by_itself(super().deconstruct())


def _as_by_itself(found: Any) -> Any:
    """A key as Django makes it by itself, so that no migration sees a difference."""
    options = {"auto_created": True, "primary_key": True, "serialize": False, "verbose_name": "ID"}
    return found[0], "django.db.models.BigAutoField", found[2], options
