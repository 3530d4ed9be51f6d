"""Lists: by pages where the list is short-lived, by a cursor where it only grows."""

from collections.abc import Sequence
from typing import Any

from django.db.models import QuerySet
from rest_framework import serializers

from campaign.api.framework.serializers import Shape

_PAGES: dict[type, type[Shape]] = {}


def build_page_shape(row: type[serializers.Serializer[Any]]) -> type[Shape]:
    """The shape of a page of rows."""
    if row not in _PAGES:
        name = row.__name__.removesuffix("Shape") + "PageShape"
        _PAGES[row] = type(
            name,
            (Shape,),
            {
                "__doc__": "A page of a list.",
                "count": serializers.IntegerField(min_value=0, help_text="Rows on all pages."),
                "page": serializers.IntegerField(min_value=1),
                "pages": serializers.IntegerField(min_value=1),
                "results": row(many=True),
            },
        )
    return _PAGES[row]


def build_page(rows: Sequence[Any] | QuerySet[Any], asked: dict[str, Any]) -> dict[str, Any]:
    """One page of a list or a query, as `build_page_shape` has it; beyond the last it is empty."""
    page, size = asked["page"], asked["page_size"]
    count = rows.count() if isinstance(rows, QuerySet) else len(rows)
    return {
        "count": count,
        "page": page,
        "pages": max(1, -(-count // size)),
        "results": list(rows[(page - 1) * size : page * size]),
    }
