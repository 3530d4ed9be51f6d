"""The log: JSON, an object a line, where LOG_FORMAT=json; else lines for people.

What belongs to a request or a task is bound once and stands on each of its lines: `request_id`, the person's
number (`user_id`), `campaign`, `job`. No name, address, query or key of a link is written: a request is told
by its method and route.
"""

import logging
from typing import Any

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

FORMATS = ("line", "json")

#: What every line goes through, also those of libraries that know only Python's own logging.
COMMON: list[Processor] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    structlog.processors.format_exc_info,
]

#: Told once for each request and task; on a terminal only when something went wrong.
EACH = ("django_structlog.middlewares.request", "django_structlog.celery.receivers", "campaign.tasks")


def render_log_line(logger: WrappedLogger, name: str, event: EventDict) -> str:
    """One line for people: when, how grave, where, what, and the rest in brackets; a traceback below."""
    trace = event.pop("exception", "")
    when, level, where, what = (str(event.pop(key, "")) for key in ("timestamp", "level", "logger", "event"))
    more = " ".join(f"{key}={value}" for key, value in event.items() if value not in (None, ""))
    told = f"{when[:19].replace('T', ' ')} {level.upper()} {where}: {what}{f' [{more}]' if more else ''}"
    one = told.replace("\r", "\\r").replace("\n", "\\n")
    return f"{one}\n{trace}" if trace else one


def logging_settings(form: str, level: str) -> dict[str, Any]:
    """Django's LOGGING; the same for gunicorn's own lines."""
    last: Processor = (
        structlog.processors.JSONRenderer(ensure_ascii=False) if form == "json" else render_log_line
    )
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "told": {
                "()": structlog.stdlib.ProcessorFormatter,
                "processors": [structlog.stdlib.ProcessorFormatter.remove_processors_meta, last],
                "foreign_pre_chain": COMMON,
            }
        },
        "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "told"}},
        "root": {"handlers": ["console"], "level": level},
        "loggers": {
            **({} if form == "json" else {name: {"level": "WARNING"} for name in EACH}),
            # Says again what RequestLogMiddleware has told, with addresses that may hold the key of a link.
            "django.request": {"level": "CRITICAL"},
            "axes": {"level": "WARNING"},  # who signs in stands in the audit
            "apprise": {"level": "CRITICAL"},  # it tells keys out of addresses that are wrong
            "urllib3": {"level": "ERROR"},  # it tells addresses whole, keys and all
            "waitress": {"level": "ERROR"},  # it tells addresses whole, and each request that waits
            "celery": {"level": "WARNING"},  # a banner, and each message that comes and goes
        },
    }


def structlog_configure() -> None:
    """Send structlog's entries and Python's warnings through the same log as everything else."""
    logging.captureWarnings(True)
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *COMMON,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
