"""The queue in a folder: messages are whole, each is read once, and a damaged one stops nobody."""

import threading
from queue import Empty

import pytest
from kombu import Connection

from campaign.config import file_broker

MESSAGES, WRITERS = 150, 2


@pytest.fixture
def opened(tmp_path):
    """Makes channels on one folder, as processes of their own would."""
    file_broker.register_transports()
    options = {f"data_folder_{way}": str(tmp_path) for way in ("in", "out")}
    options["control_folder"] = str(tmp_path / "control")
    connections = []

    def channel():
        connections.append(Connection(f"{file_broker.SCHEME}://localhost", transport_options=options))
        return connections[-1].channel()

    yield channel
    for connection in connections:
        connection.release()


def test_what_is_written_while_two_read_arrives_whole_and_once(opened):
    read, faults, done = [], [], threading.Event()
    channels = [opened() for _ in range(WRITERS + 2)]

    def write(channel, number):
        for each in range(MESSAGES):
            channel._put("celery", {"n": number * MESSAGES + each, "filling": "x" * 200_000})

    def look(channel):
        while True:
            over = done.is_set()
            try:
                read.append(channel._get("celery")["n"])
            except Empty:
                if over:
                    return
            except Exception as fault:
                faults.append(fault)

    readers = [threading.Thread(target=look, args=[each]) for each in channels[WRITERS:]]
    writers = [
        threading.Thread(target=write, args=[each, number]) for number, each in enumerate(channels[:WRITERS])
    ]
    for each in (*readers, *writers):
        each.start()
    for each in writers:
        each.join()
    done.set()
    for each in readers:
        each.join()
    assert not faults
    assert sorted(read) == list(range(WRITERS * MESSAGES))


def test_messages_come_in_the_order_they_were_sent_and_each_queue_has_its_own(opened, tmp_path):
    channel = opened()
    for number in range(5):
        channel._put("celery", {"n": number})
        channel._put("other", {"n": -number})
    assert channel._size("celery") == 5
    assert [channel._get("celery")["n"] for _ in range(5)] == [0, 1, 2, 3, 4]
    with pytest.raises(Empty):
        channel._get("celery")
    assert channel._purge("other") == 5 and not list(tmp_path.glob("*.msg"))


def test_a_damaged_message_is_left_out_and_the_next_one_read(opened, tmp_path, caplog):
    channel = opened()
    (tmp_path / f"{0:020d}_broken.celery.msg").write_text("")
    channel._put("celery", {"n": 1})
    assert channel._get("celery") == {"n": 1}
    assert "_broken.celery.msg could not be read" in caplog.text
