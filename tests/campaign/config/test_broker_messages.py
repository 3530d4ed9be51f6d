"""A message of the queue that is not as it must be is put aside and told, and the next one is taken."""

import base64
import json
from copy import deepcopy
from typing import Any

import pytest
from kombu import Connection, Consumer, Queue

from campaign.config import file_broker
from campaign.config.broker_messages import KEPT, message_fault, put_aside
from campaign.config.celery import app
from campaign.config.worker_consumer import Consumer as TaskConsumer
from campaign.models import Fault
from campaign.services.jobs.monitoring import watch_keep
from tests.conftest import left_out_here
from tests.servers import Redis, ServerMissing

TASK = "campaign.keep_watch"


def body(value: Any) -> str:
    return base64.b64encode(json.dumps(value).encode()).decode()


@pytest.fixture
def folder(tmp_path, settings):
    settings.VAR_DIR = tmp_path
    file_broker.register_transports()
    queue = tmp_path / "queue"
    queue.mkdir()
    options = {
        "data_folder_in": str(queue),
        "data_folder_out": str(queue),
        "control_folder": str(tmp_path / "c"),
    }
    with Connection(f"{file_broker.SCHEME}://localhost", transport_options=options) as connection:
        yield connection


@pytest.fixture
def redis(tmp_path, settings):
    settings.VAR_DIR = tmp_path
    file_broker.register_transports()
    try:
        server = Redis()
    except ServerMissing as missing:
        left_out_here(str(missing))
    server.start()
    try:
        with Connection(server.url) as connection:
            yield connection
    finally:
        server.stop()


def good(connection: Connection) -> dict[str, Any]:
    """A message as Celery writes it."""
    app.send_task(TASK, connection=connection, task_id="the-good-one")
    message = connection.default_channel._get("celery")
    assert message_fault(message, task=True) == ""
    return message


#: Where a message is changed, and to what; None of the value takes the member away.
DAMAGES = [
    ("headers", []),
    ("headers.task", []),
    ("headers.task", {"a": 1}),
    ("headers.task", "x\u0000y"),
    ("headers.id", 7),
    ("headers.id", None),
    ("headers.timelimit", [1]),
    ("headers.timelimit", "soon"),
    ("headers.retries", "many"),
    ("headers.eta", {"x": 1}),
    ("headers.stamped_headers", "x"),
    ("properties", None),
    ("properties", []),
    ("properties.delivery_tag", None),
    ("properties.delivery_tag", ["x"]),
    ("properties.delivery_info", None),
    ("properties.delivery_info", "x"),
    ("properties.delivery_info.routing_key", None),
    ("properties.body_encoding", "rot13"),
    ("body", None),
    ("body", 7),
    ("body", "not base64!"),
    ("body", body("text")),
    ("body", body([[], {}])),
    ("body", body([{}, [], {}])),
    ("body", base64.b64encode(b"\xff\xfe").decode()),
    ("body", base64.b64encode(b"[" * 100_000).decode()),
    ("content-type", "application/x-python-serialize"),
    ("content-encoding", "binary"),
]  # fmt: skip


def damaged(message: dict[str, Any], where: str, value: Any) -> Any:
    found = deepcopy(message)
    *way, last = where.split(".")
    inner = found
    for name in way:
        inner = inner[name]
    if value is None:
        del inner[last]
    else:
        inner[last] = value
    return found


def taken(connection: Connection) -> list[str]:
    """Ids of tasks that a consumer gets until nothing comes any more."""
    found: list[str] = []

    def take(message: Any) -> None:
        found.append(message.headers["id"])
        message.ack()

    channel = connection.channel()
    with Consumer(channel, [Queue("celery", exchange="celery", routing_key="celery")], on_message=take):
        try:
            while True:
                connection.drain_events(timeout=1)
        except TimeoutError:
            return found


@pytest.mark.django_db
def test_what_celery_would_die_of_is_found(folder):
    message = good(folder)
    passed = [
        (where, value)
        for where, value in DAMAGES
        if not message_fault(damaged(message, where, value), task=True)
    ]
    assert passed == []
    assert [each for each in ([], "x", 7, None, {}) if not message_fault(each, task=True)] == []


@pytest.mark.django_db
@pytest.mark.parametrize("broker", ["folder", "redis"])
def test_damaged_messages_are_put_aside_and_told_and_the_good_one_behind_them_is_taken(
    broker, request, tmp_path, caplog
):
    connection = request.getfixturevalue(broker)
    message = good(connection)
    texts = [json.dumps(damaged(message, where, value)) for where, value in DAMAGES]
    texts += ["", "{", "[]", "7", '"x"', "null", "\xff", "[" * 100_000]
    if broker == "folder":
        texts.append("")  # a folder where a message should be
        for number, text in enumerate(texts):
            path = tmp_path / "queue" / f"{number:020d}_bad.celery.msg"
            path.write_bytes(text.encode("latin-1"))
        path.unlink()
        path.mkdir()
    else:
        client = connection.default_channel.client
        for text in texts:
            client.lpush("celery", text.encode("latin-1"))
    app.send_task(TASK, connection=connection, task_id="the-good-one")
    assert taken(connection) == ["the-good-one"]
    aside = sorted((tmp_path / "broker" / "aside").iterdir())
    # an empty element of Redis is passed over by its own reader
    assert len(aside) in (len(texts), len(texts) - 1)
    assert "was put aside as broker/aside/" in caplog.text
    faults = Fault.objects.filter(kind=Fault.Kind.MESSAGE, over_at=None)
    assert faults and all("was put aside as broker/aside/" in fault.said for fault in faults)
    assert len(faults) <= 2, "told once for a queue"
    watch_keep()
    assert faults.count() == len(faults), "the watch lets it stand while it is news"


def test_no_more_than_a_hundred_are_kept_and_only_so_much_of_each(tmp_path, settings, monkeypatch):
    settings.VAR_DIR = tmp_path
    monkeypatch.setattr("campaign.services.jobs.monitoring.message_tell", lambda **_: None)
    for number in range(KEPT + 5):
        put_aside(f"{number} " + "x" * 100_000, "too long", "celery/../x")
    kept = sorted((tmp_path / "broker" / "aside").iterdir())
    assert len(kept) == KEPT and kept[0].read_text().startswith("5 ")
    assert max(path.stat().st_size for path in kept) <= 64 * 2**10


def test_what_the_handler_of_tasks_fails_on_is_acknowledged_and_put_aside(tmp_path, settings, monkeypatch):
    """Given back it would come again for ever."""
    settings.VAR_DIR = tmp_path
    told = []
    monkeypatch.setattr(
        "campaign.services.jobs.monitoring.message_tell", lambda **said: told.append(said["why"])
    )

    class Handled:
        connection_errors, channel_errors = (ConnectionResetError,), ()

        def create_task_handler(self):
            def fail(message):
                raise message.error

            return fail

    class Ours(TaskConsumer, Handled):
        def __init__(self):
            pass

    monkeypatch.setattr("campaign.config.worker_consumer.CeleryConsumer.create_task_handler",
                        Handled.create_task_handler)  # fmt: skip
    consumer = Ours()
    consumer.connection_errors, consumer.channel_errors = Handled.connection_errors, ()

    class Message:
        def __init__(self, error):
            self.error, self.acknowledged, self._raw = error, False, {"body": "x"}

        def ack_log_error(self, *_):
            self.acknowledged = True

    odd, cut = Message(AttributeError("x")), Message(ConnectionResetError())
    consumer.create_task_handler()(odd)
    assert odd.acknowledged and told == ["Celery fails on it (AttributeError)"]
    with pytest.raises(ConnectionResetError):
        consumer.create_task_handler()(cut)
    assert not cut.acknowledged
