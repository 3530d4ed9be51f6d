"""Messages of the queue that are not as Celery writes them: put aside, told, and work goes on.

A worker dies of some of them, gives them back as it dies, and the next worker dies of them too. So each is
checked before Celery has it. Work asked for is a row of the database and is sent again: no work is lost.
"""

import base64
import binascii
import json
import logging
import re
import time
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

logger = logging.getLogger(__name__)

#: Messages kept for whoever looks, and characters of each.
KEPT, LONGEST = 100, 64 * 2**10
UNSAFE = re.compile(r"[^\w-]")
#: Every message, of whichever queue.
ENVELOPE: dict[str, Any] = {
    "type": "object",
    "required": ["body", "headers", "properties"],
    "properties": {
        "body": {"type": "string"},
        "headers": {"type": "object"},
        "properties": {
            "type": "object",
            "required": ["delivery_tag", "delivery_info"],
            "properties": {
                "delivery_tag": {"type": "string"},
                "delivery_info": {
                    "type": "object",
                    "required": ["exchange", "routing_key"],
                    "properties": {"exchange": {"type": "string"}, "routing_key": {"type": "string"}},
                },
                "body_encoding": {"enum": ["base64", None]},
            },
        },
    },
}
#: A task's, beside that.
TEXT_OR_NONE = {"type": ["string", "null"]}
TASK: dict[str, Any] = {
    "type": "object",
    "required": ["content-type", "content-encoding"],
    "properties": {
        "content-type": {"const": "application/json"},
        "content-encoding": {"const": "utf-8"},
        "headers": {
            "type": "object",
            "required": ["task", "id"],
            "properties": {
                "task": {"type": "string", "pattern": r"^[\w.-]{1,255}$"},
                "id": {"type": "string", "pattern": r"^[\w.-]{1,255}$"},
                "eta": TEXT_OR_NONE,
                "expires": {"type": ["string", "number", "null"]},
                "retries": {"type": ["integer", "null"], "minimum": 0},
                "timelimit": {
                    "type": ["array", "null"],
                    "items": {"type": ["number", "null"]},
                    "minItems": 2,
                    "maxItems": 2,
                },
                "root_id": TEXT_OR_NONE,
                "parent_id": TEXT_OR_NONE,
                "group": TEXT_OR_NONE,
                "stamps": {"type": ["object", "null"]},
                "stamped_headers": {"type": ["array", "null"], "items": {"type": "string"}},
            },
        },
    },
}  # fmt: skip
#: What is sent to a task: places, names, and what belongs to a chain.
BODY = {
    "type": "array",
    "prefixItems": [{"type": "array"}, {"type": "object"}, {"type": "object"}],
    "minItems": 3,
    "maxItems": 3,
}
ENVELOPES, TASKS, BODIES = (Draft202012Validator(each) for each in (ENVELOPE, TASK, BODY))


def message_fault(message: Any, *, task: bool) -> str:
    """Describe the fault of a message from the broker; empty for one that Celery can read."""
    checks = (ENVELOPES, TASKS) if task else (ENVELOPES,)
    for check in checks:
        for error in check.iter_errors(message):
            return f"{error.json_path} is not as it must be"
    try:
        body: Any = message["body"]
        if message["properties"].get("body_encoding") == "base64":
            body = base64.b64decode(body, validate=True).decode()
        if task:
            for error in BODIES.iter_errors(json.loads(body)):
                return f"the body's {error.json_path} is not as it must be"
    except (binascii.Error, UnicodeDecodeError, ValueError, RecursionError) as error:
        return f"the body cannot be read ({type(error).__name__})"
    return ""


def put_aside(raw: str, why: str, queue: str) -> None:
    """Keep a message for whoever looks, and tell the keeper of the site: log, /admin/ and mail."""
    name = f"{time.time_ns():020d}.{UNSAFE.sub('_', queue)[:80]}.message"
    try:
        from django.conf import settings

        folder = Path(settings.VAR_DIR) / "broker" / "aside"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(raw[:LONGEST], encoding="utf-8", errors="replace")
        for old in sorted(folder.glob("*.message"))[:-KEPT]:
            old.unlink(missing_ok=True)
    except OSError as error:
        logger.warning("A message that was put aside could not be kept: %s", error)
    logger.error("A message of the queue %s was put aside as broker/aside/%s: %s", queue, name, why)
    try:
        from django.db import connection

        from campaign.services.jobs.monitoring import message_tell  # once Django is set up

        message_tell(queue=queue, name=name, why=why)
        connection.close()
    except Exception as error:
        logger.warning("Of the message only the log tells: %s", error)


class Checked:
    """A transport that delivers no message Celery would die of."""

    def _deliver(self, message: Any, queue: str) -> None:
        from celery import current_app

        why = message_fault(message, task=queue == current_app.conf.task_default_queue)
        if why:
            put_aside(text_of(message), why, str(queue))
            return
        super()._deliver(message, queue)  # type: ignore[misc]


def text_of(raw: Any) -> str:
    """A message as it is kept."""
    if isinstance(raw, bytes):
        return raw.decode("utf-8", "replace")
    return raw if isinstance(raw, str) else json.dumps(raw, default=repr)
