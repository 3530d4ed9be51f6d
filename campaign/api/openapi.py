"""How drf-spectacular names what it finds."""

from typing import Any

from drf_spectacular.openapi import AutoSchema


class ApiSchema(AutoSchema):
    """Shapes go by their names without the ending."""

    def get_serializer_name(self, serializer: Any, direction: Any) -> str:
        return type(serializer).__name__.removesuffix("Shape")
