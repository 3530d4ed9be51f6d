"""The queue in Redis, whose messages are checked before Celery has them."""

from typing import Any

from kombu.transport import redis

from campaign.config.broker_messages import Checked, put_aside, text_of


class Channel(redis.Channel):
    """Puts aside what is no JSON, too."""

    def _brpop_read(self, **options: Any) -> Any:
        try:
            return super()._brpop_read(**options)
        except (ValueError, RecursionError) as error:
            raw = getattr(error, "doc", None) or getattr(error, "object", b"")
            put_aside(text_of(raw), f"it is no JSON ({type(error).__name__})", "of Redis")
            raise redis.Empty from error


class Transport(Checked, redis.Transport):
    Channel = Channel
