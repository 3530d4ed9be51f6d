"""Component names for drf-spectacular."""

from typing import Any

from drf_spectacular.openapi import AutoSchema


class ApiSchema(AutoSchema):
    """Shapes go by their names without the ending."""

    def get_serializer_name(self, serializer: Any, direction: Any) -> str:
        return type(serializer).__name__.removesuffix("Shape")

    def _get_request_for_media_type(self, serializer: Any, direction: Any = "request") -> tuple[Any, bool]:
        """A body is needed too where its shape says so: the library looks at single fields alone."""
        schema, needed = super()._get_request_for_media_type(serializer, direction)
        return schema, needed or getattr(serializer, "needed", False)
