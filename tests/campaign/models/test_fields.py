"""A row that was just written and the same row read back say the same."""

import pytest
from django.apps import apps
from django.db import models

from campaign.models import CampaignDraft, User
from campaign.models.fields import JSONField

#: A value with everything that JSON has another form for.
MADE = {"pair": ("a", 1), "rows": [{"of": ({"b": ()},)}], 7: None}
STORED = {"pair": ["a", 1], "rows": [{"of": [{"b": []}]}], "7": None}


def test_every_json_column_has_in_memory_what_the_database_gives_back() -> None:
    columns = [
        field
        for model in apps.get_models()
        if model.__module__.split(".")[0] in ("campaign", "battles", "rosters")
        for field in model._meta.get_fields()
        if isinstance(field, models.JSONField)
    ]
    assert len(columns) > 30
    assert [str(field) for field in columns if not isinstance(field, JSONField)] == []


@pytest.mark.django_db
def test_a_row_saved_one_by_one_or_with_others_is_as_it_is_read_back() -> None:
    user = User.objects.create_user("gates")
    alone = CampaignDraft.objects.create(user=user, body=MADE)
    [among] = CampaignDraft.objects.bulk_create([CampaignDraft(user=user, body=MADE)])
    given, _ = CampaignDraft.objects.get_or_create(pk=900, defaults={"user": user, "body": MADE})
    given.body = MADE
    given.save(update_fields=["body"])
    for row in (alone, among, given):
        assert row.body == STORED == CampaignDraft.objects.get(pk=row.pk).body


@pytest.mark.django_db
def test_an_expression_is_left_to_the_database() -> None:
    user = User.objects.create_user("gates")
    draft = CampaignDraft.objects.create(user=user, body={"a": 1})
    draft.body = models.Value({"b": 2}, output_field=models.JSONField())
    draft.save()
    assert CampaignDraft.objects.get(pk=draft.pk).body == {"b": 2}
