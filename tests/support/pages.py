"""The page's server as a process of its own, and requests to it over real sockets."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPConnection, HTTPResponse
from importlib.util import find_spec
from pathlib import Path
from time import sleep
from typing import Any

import pytest
from support.boards import ROOT
from support.lateness import FREE_SECONDS, Stopwatch
from support.processes import PATIENCE, Command, children, seconds_of_work, wait_for

MISSING = [name for name in ("starlette", "uvicorn") if find_spec(name) is None]

needs_web = pytest.mark.skipif(bool(MISSING), reason=f"not installed: {', '.join(MISSING)}")

REST_SECONDS = 0.3
"""The time for which a server is watched to see whether it works."""

EMPTY_16 = "." * 256
"""A board whose count never ends."""

JSON = {"Content-Type": "application/json"}


class Served:
    """A server of the page, in a process of its own, started by the command."""

    def __init__(self, *options: str, **variables: str) -> None:
        line = [sys.executable, "-m", "enumerator", *(options or ("--serve", "0"))]
        self.process = Command(line, cwd=ROOT, env={**os.environ, **variables})
        self.said = self.process.line()
        found = re.search(r"http://(\S+):(\d+)/", self.said)
        assert found, (self.said, self.process.communicate())
        self.address, self.port = found[0], int(found[2])

    # ------------------------------------------------------------------------------------- requests

    def connect(self) -> HTTPConnection:
        return HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)

    def request(
        self, method: str, path: str, body: bytes | str | None = None, headers: dict[str, str] | None = None
    ) -> tuple[int, dict[str, str], bytes]:
        """Send one request; return the status, the headers and the body of its answer."""
        connection = self.connect()
        try:
            connection.request(method, path, body, headers or {})
            answer = connection.getresponse()
            return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()
        finally:
            connection.close()

    def post(self, name: str, body: bytes | str, **headers: str) -> tuple[int, Any]:
        """Send a body as a question; return the status and the last line of the answer."""
        named = {key.replace("_", "-"): value for key, value in headers.items()}
        status, _, data = self.request("POST", f"/api/{name}", body, {**JSON, **named})
        return status, json.loads(data.splitlines()[-1])

    def ask(self, name: str, board: str, **arguments: object) -> Any:
        """Ask a question; return the last line of the answer."""
        return self.post(name, json.dumps({"board": board, **arguments}))[1]

    def answer(self, name: str, board: str, **arguments: object) -> Any:
        """Ask a question that has an answer, and return it."""
        last = self.ask(name, board, **arguments)
        assert last["kind"] == "answer", last
        return last["answer"]

    def begin(self, name: str, board: str, **arguments: object) -> tuple[HTTPConnection, HTTPResponse]:
        """Ask a question, and return when its answer begins."""
        connection = self.connect()
        connection.request("POST", f"/api/{name}", json.dumps({"board": board, **arguments}), JSON)
        return connection, connection.getresponse()

    def open_socket(self, data: bytes = b"") -> socket.socket:
        """Open a connection and send some bytes."""
        opened = socket.create_connection(("127.0.0.1", self.port), PATIENCE)
        opened.sendall(data)
        return opened

    # ------------------------------------------------------------------------------------- the process

    def processor_seconds(self) -> float:
        """Return the processor time of the process so far."""
        return seconds_of_work(self.process.pid)

    def is_at_work(self, seconds: float) -> bool:
        """Return True as soon as the process has worked for two ticks of 0.01 s, if that is within `seconds`."""
        before = self.processor_seconds()
        return wait_for(lambda: self.processor_seconds() - before > 0.015, seconds)

    def is_at_rest(self) -> bool:
        """Return True if the process does nothing for REST_SECONDS: at most one tick of 0.01 s.

        On a busy machine, a process that works gets little time, but more than that.
        """
        before = self.processor_seconds()
        sleep(REST_SECONDS)
        return self.processor_seconds() - before < 0.015

    def seconds_to_rest(self) -> float:
        """Wait until the process does nothing, and return how long that took."""
        with Stopwatch(FREE_SECONDS + REST_SECONDS) as watch:
            assert wait_for(self.is_at_rest)
        return watch.seconds - REST_SECONDS

    def memory(self, kind: str = "VmRSS") -> int:
        """Return the memory of the process in MB."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.findall(rf"{kind}:\s+(\d+) kB", status)[0]) // 1024

    @property
    def sockets(self) -> int:
        """The number of open sockets of the process."""
        found = 0
        for file in Path(f"/proc/{self.process.pid}/fd").iterdir():
            with suppress(FileNotFoundError):  # closed meanwhile
                found += os.readlink(file).startswith("socket:")
        return found

    @property
    def children(self) -> list[int]:
        return list(children(self.process.pid))

    def end(self, number: int = signal.SIGINT) -> tuple[int, float, str]:
        """Interrupt the process; return its status, the seconds that took, and its standard error."""
        with Stopwatch() as watch:
            self.process.send_signal(number)
            status = self.process.wait()
        return status, watch.seconds, self.process.communicate()[1]


@contextmanager
def served(*options: str, **variables: str) -> Iterator[Served]:
    """Serve the page in this block."""
    server = Served(*options, **variables)
    try:
        yield server
    finally:
        server.process.end()  # nothing, if it has ended
        server.process.wait()
        for pipe in (server.process.stdout, server.process.stderr):
            if pipe:
                pipe.close()
