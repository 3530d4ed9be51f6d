"""The queue in a folder, with messages that appear whole.

Kombu's own transport creates a message's file before it has written it, so a worker that looks just then
reads half of it, loses it and dies. Here a message gets its name when it is complete, and its reader takes
it by giving it another.
"""

from pathlib import Path
from queue import Empty
from time import time_ns
from typing import Any
from uuid import uuid4

from kombu.exceptions import ChannelError
from kombu.transport import TRANSPORT_ALIASES, filesystem
from kombu.utils.json import dumps, loads

from campaign.config.broker_messages import Checked, put_aside

#: The scheme of the broker's address.
SCHEME = "folder"


class Channel(filesystem.Channel):
    """Messages as files `<time>_<random>.<queue>.msg`; what is being written ends otherwise."""

    # Kombu's own classes do not agree on the message's name either.
    def _put(self, queue: str, message: Any, **kwargs: Any) -> None:  # type: ignore[override]
        name = Path(self.data_folder_out) / f"{time_ns():020d}_{uuid4().hex}.{queue}.msg"
        unfinished = name.with_suffix(".part")
        try:
            unfinished.write_text(dumps(message), encoding="utf-8")
            unfinished.replace(name)
        except OSError as error:
            raise ChannelError(f"The message could not be written to {name.parent}: {error}") from error

    def _get(self, queue: str, timeout: float | None = None) -> Any:
        for file in sorted(Path(self.data_folder_in).glob(f"*.{queue}.msg")):
            taken = file.with_suffix(".taken")
            try:
                file.rename(taken)
            except FileNotFoundError:
                continue  # another worker was quicker
            text = ""
            try:
                text = taken.read_bytes().decode(errors="surrogateescape")
                taken.unlink()
                return loads(text)
            except (ValueError, RecursionError, OSError) as error:
                # The row says what is to do, and the sweep sends it again; a worker must not die of it.
                put_aside(text, f"{file.name} could not be read ({type(error).__name__})", queue)
        raise Empty


class Transport(Checked, filesystem.Transport):
    Channel = Channel


def register_transports() -> None:
    """Let broker addresses of this scheme mean this transport, and those of Redis the one that checks."""
    TRANSPORT_ALIASES[SCHEME] = f"{__name__}:Transport"
    for scheme in ("redis", "rediss"):
        TRANSPORT_ALIASES[scheme] = "campaign.config.redis_broker:Transport"
