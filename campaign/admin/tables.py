"""Rows as files: the actions of the umpire's lists that give what is chosen as a table."""

from collections.abc import Callable
from typing import Any

from django.contrib import admin, messages
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.http import content_disposition_header

from campaign.admin.base import DeskAdmin
from campaign.selectors.umpire.tables import MEDIA_TYPES, table_file, table_refusal


def _build_download_action(form: str, words: str) -> Callable[..., HttpResponse | None]:
    def action(desk: DeskAdmin, request: HttpRequest, rows: Any) -> HttpResponse | None:
        if words := table_refusal(rows, form):
            desk.message_user(request, f"{words}; choose fewer.", messages.WARNING)
            return None
        name = f"{desk.opts.verbose_name_plural}-{timezone.now():%Y-%m-%d}.{form}".replace(" ", "-")
        answer = HttpResponse(table_file(rows, form), content_type=MEDIA_TYPES[form])
        answer["Content-Disposition"] = content_disposition_header(True, name) or ""
        return answer

    action.__name__ = f"table_{form}"
    return admin.action(description=f"As a table ({words})", permissions=["view"])(action)


TABLES = [_build_download_action("csv", "CSV"), _build_download_action("xlsx", "XLSX")]
