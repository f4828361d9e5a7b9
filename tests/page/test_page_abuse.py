"""Abuse of the page's server: then a good request is answered at once, and memory has not grown."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest
from support.boards import BOARDS, PUZZLE, regular
from support.lateness import Stopwatch
from support.pages import EMPTY_16, Served, needs_web, served
from support.processes import PATIENCE, wait_for

from enumerator.board import Shape

pytestmark = [needs_web, pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="no /proc")]

QUESTION = json.dumps({"board": PUZZLE}).encode()

MOST_MEGABYTES = 110


@pytest.fixture(scope="module")
def server() -> Iterator[Served]:
    """A server whose memory and standard error are looked at when all tests are over."""
    with served() as server:
        yield server
        assert server.memory("VmHWM") < MOST_MEGABYTES
        status, seconds, errors = server.end()
        assert (status, errors) == (0, "")
        assert seconds < 2


@pytest.fixture(autouse=True)
def goes_on(server: Served) -> Iterator[None]:
    """Check after each test that a good request is answered within 0.1 s: at least one of some, on a busy machine."""
    yield

    def is_fast() -> bool:
        with Stopwatch() as watch:
            assert server.answer("classify", PUZZLE)["verdict"] == "unique"
        return watch.seconds < 0.1

    assert any(is_fast() for _ in range(20))
    assert server.memory() < MOST_MEGABYTES


def message(server: Served, name: str, body: bytes, length: int | None = None) -> bytes:
    """Return the bytes of a question."""
    size = len(body) if length is None else length
    return (
        f"POST /api/{name} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {size}\r\n\r\n"
    ).encode() + body


def status_of(connection: socket.socket) -> int:
    """Return the status of an answer; 0 if the connection was closed without one."""
    connection.settimeout(PATIENCE)
    with suppress(ConnectionError):
        if data := connection.recv(4096):
            return int(data.split()[1])
    return 0


def at_once(server: Served, questions: list[bytes]) -> list[int]:
    """Open a connection for each question before the first is sent; return the statuses of the answers."""

    async def ask_all() -> list[int]:
        opened = [await asyncio.open_connection("127.0.0.1", server.port) for _ in questions]
        for (_, writer), question in zip(opened, questions, strict=True):
            writer.write(question)
        heads = [await reader.readline() for reader, _ in opened]
        for _, writer in opened:
            writer.close()
        return [int(head.split()[1]) if head else 0 for head in heads]

    return asyncio.run(asyncio.wait_for(ask_all(), PATIENCE))


def test_fifty_megabytes_are_refused_and_not_kept(server: Served) -> None:
    with server.open_socket(message(server, "count", b"", 50_000_000)) as connection:
        part = b"." * 100_000
        with suppress(ConnectionError):  # closed early: the rest is not read
            for _ in range(500):
                connection.sendall(part)
        assert status_of(connection) in (413, 0)


@pytest.mark.slow
def test_requests_without_an_end_are_given_up(server: Served) -> None:
    """200 bodies that do not arrive, and connections that send half a head, or nothing."""
    half = [message(server, "count", b"{", 60_000)] * 200 + [b"GET / HTTP/1.1\r\nHo", b"", b"\xff" * 1_000]
    with ExitStack() as stack:
        opened = [stack.enter_context(server.open_socket(data)) for data in half]
        with Stopwatch(free=6) as watch:  # the server waits for 5 s
            for connection in opened[:200]:
                connection.sendall(b" ")
            statuses = [status_of(connection) for connection in opened]
        assert watch.seconds < 15
    assert statuses == [408] * 200 + [0, 0, 0]


@pytest.mark.parametrize("data", [b"", b"GET / HTTP/1.1\r\nHo", b"\x00\x01", b"POST /api/count HTTP/1.1\r\n"], ids=repr)
def test_half_open_connections_do_not_keep_others_out(server: Served, data: bytes) -> None:
    with ExitStack() as stack:
        for _ in range(200):
            stack.enter_context(server.open_socket(data))
        with Stopwatch() as watch:
            assert server.answer("classify", PUZZLE)["verdict"] == "unique"
        assert watch.seconds < 1


@pytest.mark.slow
@pytest.mark.parametrize("name", ["classify", "count"])
def test_a_thousand_requests_at_once_are_answered(server: Served, name: str) -> None:
    board = EMPTY_16 if name == "count" else PUZZLE
    questions = [message(server, name, json.dumps({"board": board}).encode())] * 1_000
    statuses = at_once(server, questions)
    assert statuses.count(200) == (2 if name == "count" else 1_000)
    assert set(statuses) <= {200, 503}
    assert server.seconds_to_rest() < 2


def test_more_connections_than_there_is_room_for_are_closed(server: Served) -> None:
    with ExitStack() as stack:
        for _ in range(1_300):
            stack.enter_context(server.open_socket())
        assert server.answer("classify", PUZZLE)["verdict"] == "unique"


@pytest.mark.slow
@pytest.mark.parametrize("part", ["head", "body"])
def test_a_thousand_large_requests_without_an_end_are_not_all_kept(server: Served, part: str) -> None:
    """60 MB in all: the limit of the memory is looked at after each test and, at its highest, at the end."""
    head, body = b"GET / HTTP/1.1\r\nX: " + b"x" * 60_000, message(server, "read", b" " * 60_000, 65_000)
    with ExitStack() as stack:
        for _ in range(1_000):
            with suppress(ConnectionError):
                stack.enter_context(server.open_socket(head if part == "head" else body))
        assert server.answer("classify", PUZZLE)["verdict"] == "unique"


@pytest.mark.slow
def test_answers_that_are_not_read_do_not_pile_up(server: Served) -> None:
    """Clients that ask for 4 MB and read nothing: the server keeps little, and closes them after a while."""
    sockets = server.sockets
    question = message(server, "sample", json.dumps({"board": str(regular(Shape(8, 8))), "number": 1_000}).encode())
    with ExitStack() as stack:
        for _ in range(10):  # two of them have an answer, the others are told that the server is busy
            connection = stack.enter_context(socket.socket())
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            connection.connect(("127.0.0.1", server.port))
            connection.sendall(question)
        assert wait_for(lambda: server.sockets >= sockets + 2)
        assert wait_for(lambda: server.sockets <= sockets)


def test_requests_that_do_not_wait_for_answers_are_not_kept(server: Served) -> None:
    question = message(server, "read", json.dumps({"board": "." * 4096}).encode())
    with server.open_socket() as connection, pytest.raises(ConnectionError):
        connection.sendall(question * 10_000)


@pytest.mark.slow
def test_a_count_whose_progress_is_not_read_ends(server: Served) -> None:
    question = message(server, "count", json.dumps({"board": EMPTY_16, "seconds": 0.5}).encode())
    with server.open_socket(question) as connection:
        assert connection.recv(12, socket.MSG_PEEK).startswith(b"HTTP/1.1")  # the answer has begun
        assert server.seconds_to_rest() < 10


@pytest.mark.slow
def test_hard_verdicts_do_not_keep_others_out(server: Served) -> None:
    """Four hard boards are judged at a time; others wait, and easy ones are judged at once."""
    hard = json.dumps({"board": (BOARDS / "large" / "25x25-b.txt").read_text(), "seconds": 20}).encode()
    with ExitStack() as stack:
        for _ in range(30):
            stack.enter_context(server.open_socket(message(server, "classify", hard)))
        with Stopwatch() as watch:
            assert server.answer("classify", PUZZLE)["verdict"] == "unique"
        assert watch.seconds < 3
    assert server.seconds_to_rest() < 5


@pytest.mark.parametrize(
    "data", [b"\r\n" * 50_000, b"GET /" + b"x" * 100_000, b"\xff" * 1_000 + b"\r\n\r\n"], ids=["lines", "long", "noise"]
)
def test_noise_is_refused(server: Served, data: bytes) -> None:
    with ExitStack() as stack:
        for _ in range(20):
            with suppress(ConnectionError):
                assert status_of(stack.enter_context(server.open_socket(data))) in (0, 400, 431)
