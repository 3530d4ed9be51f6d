"""The consumer that takes messages from the broker in a worker."""

import logging
from typing import Any

from celery.worker.consumer import Consumer as CeleryConsumer

from campaign.config.broker_messages import put_aside, text_of

logger = logging.getLogger(__name__)


class Consumer(CeleryConsumer):
    """Celery's consumer; what its handler of tasks still fails on is put aside and not given back."""

    def create_task_handler(self, *arguments: Any, **named: Any) -> Any:
        handle = super().create_task_handler(*arguments, **named)

        def on_task_received(message: Any) -> Any:
            try:
                return handle(message)
            except (*self.connection_errors, *self.channel_errors):
                raise
            except Exception as error:
                logger.exception("A message could not be taken up")
                put_aside(text_of(message._raw), f"Celery fails on it ({type(error).__name__})", "tasks")
                message.ack_log_error(logger, self.connection_errors)
                return None

        return on_task_received
