"""The server: its address, uvicorn in a thread, the browser, and the end.

uvicorn runs in a thread of its own. So Ctrl-C reaches the caller as it does everywhere else, and a
notebook, which has an event loop already, can serve the page. The caller's thread waits:

    caller                                  thread
    bind(), start() --------------------->  uvicorn: requests, answers
    print and open the address
    wait … Ctrl-C
    stop() ------------------------------>  questions stop, connections and threads end
    join()
"""

from __future__ import annotations

import asyncio
import errno
import os
import socket
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from threading import Event, Thread
from typing import Any

import uvicorn

from enumerator.page import Settings
from enumerator.page.app import make_app
from enumerator.page.connections import Connection, abort_all, close_idle
from enumerator.page.hosts import LAST_PORT, check_allowed, is_any, is_local, make_hosts
from enumerator.page.streams import QuestionScheduler
from enumerator.questions.checks import check_whole
from enumerator.run.plan import Plan
from enumerator.run.signals import deferred_signals

END_SECONDS = 0.5
"""The time for open connections to end, after Ctrl-C. Answers end by a line that says so."""

SIGNAL_SECONDS = 0.2
"""The longest time until an interrupt is noticed that comes just before the main thread begins to wait."""

STOP_SECONDS = 1.7
"""The time for everything to end, after Ctrl-C."""

BACKLOG = 2_048
"""The number of connections that may wait to be accepted."""

IDLE_SECONDS = 30
"""The time after which a connection without another request is closed."""

MOST_FILES = 4_096
"""The number of open files to ask the system for. Each connection is one."""


class AddressError(OSError):
    """An address that cannot be used. The message says why."""


class PageServer:
    """A server of the page, in a thread."""

    def __init__(
        self, host: str, port: int, cores: int | None, on_message: Callable[[str], None], allowed: Iterable[str] = ()
    ) -> None:
        """Bind the address; raise AddressError if it cannot be used. `allowed` are further names of the server."""
        self._on_message, self._plan = on_message, Plan(cores, pool=None)  # threads: nothing is left of them
        self._socket = bind(host, port)
        self.host, self.port = host, int(self._socket.getsockname()[1])
        self._hosts = make_hosts(host, self.port, allowed)
        self._thread = Thread(target=self._run, name="page-server", daemon=True)
        self._stop: Callable[[], object] = lambda: None
        self._started, self._ended = Event(), Event()
        self._error: BaseException | None = None

    @property
    def address(self) -> str:
        """The address for the browser of this machine."""
        name = "127.0.0.1" if is_any(self.host) else self.host
        return f"http://{f'[{name}]' if ':' in name else name}:{self.port}/"

    def start(self) -> None:
        """Start the thread. Connections are accepted from now on."""
        allow_files(MOST_FILES)
        with deferred_signals():
            self._thread.start()

    def wait(self) -> None:
        """Wait for the end of the server. Raise the error that has ended it."""
        while not self._ended.wait(SIGNAL_SECONDS):  # not `join`: if interrupted, it takes the thread for ended
            pass
        if self._error:
            raise self._error

    def stop(self) -> bool:
        """Stop all questions and close all connections. Return True when nothing is left.

        Return False if a question has not stopped within STOP_SECONDS. It will, some time later.
        """
        self._started.wait()
        self._stop()
        if not self._ended.wait(STOP_SECONDS):
            return False
        self._thread.join()
        return True

    def _run(self) -> None:
        try:
            asyncio.run(self._serve())
        except BaseException as error:  # noqa: BLE001 - raised again in the caller's thread
            self._error = error
        finally:
            self._socket.close()
            self._started.set()
            self._ended.set()

    async def _serve(self) -> None:
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(self._on_error)
        desk = QuestionScheduler(self._on_message)
        server = uvicorn.Server(
            uvicorn.Config(
                make_app(desk, self._plan, self._hosts),
                http=Connection,
                ws="none",
                lifespan="off",
                interface="asgi3",
                log_config=None,
                log_level="critical",
                access_log=False,
                server_header=False,
                proxy_headers=False,
                backlog=BACKLOG,
                timeout_keep_alive=IDLE_SECONDS,
                timeout_graceful_shutdown=1,  # an integer; all connections are closed before
            )
        )

        def stop() -> None:
            desk.stop()
            server.should_exit = True
            loop.call_later(END_SECONDS, abort_all, connections)

        connections = server.server_state.connections
        self._stop = partial(call_in, loop, stop)
        loop.call_soon(self._started.set)
        idle = asyncio.create_task(close_idle(connections))
        try:
            await server.serve(sockets=[self._socket])
        finally:
            idle.cancel()
            desk.stop()
            abort_all(connections)
            await asyncio.sleep(0)
            desk.close()

    def _on_error(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        if not isinstance(error, ConnectionError):
            self._on_message(f"internal error: {context.get('message')}{f': {error!r}' if error else ''}")


def call_in(loop: asyncio.AbstractEventLoop, function: Callable[[], None]) -> None:
    """Call a function in the thread of a loop, unless the loop has ended."""
    with suppress(RuntimeError):
        loop.call_soon_threadsafe(function)


def bind(host: str, port: int) -> socket.socket:
    """Return a socket that is bound to an address; raise AddressError if it cannot be used."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except (OSError, UnicodeError):
        raise AddressError(f"{host!r} is not an address of this machine") from None
    bound = socket.socket(family, kind, protocol)
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind(address)
        bound.listen(BACKLOG)
    except OSError as error:
        bound.close()
        reasons = {
            errno.EADDRINUSE: f"port {port} is in use: choose another one, or 0 for any that is free",
            errno.EACCES: f"port {port} may not be used: choose one of at least 1024, or 0 for any that is free",
            errno.EADDRNOTAVAIL: f"{host!r} is not an address of this machine",
        }
        raise AddressError(reasons.get(error.errno or 0, f"{host} port {port}: {error.strerror or error}")) from None
    return bound


def allow_files(wanted: int) -> None:
    """Ask the system for `wanted` open files, or as many as it grants."""
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def open_in_browser(address: str, on_message: Callable[[str], None]) -> None:
    """Open the address in the user's browser, in a thread: some browsers return only when they end."""

    def run() -> None:
        import webbrowser

        has_screen = sys.platform == "darwin" or any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")))
        if not (has_screen and webbrowser.open(address)):  # without a screen it would start one in the terminal
            on_message(f"no browser could be opened: open {address} in one")

    Thread(target=run, name="page-browser", daemon=True).start()


def serve_page(settings: Settings, say: Callable[[str], None], on_message: Callable[[str], None]) -> bool:
    """Serve the page until Ctrl-C. `say` prints the address, and `on_message` warnings.

    Return False if a question is still at work, in a thread that will end later. Raise TypeError or
    ValueError for wrong arguments, and AddressError if the address cannot be used.
    """
    port, host, cores, open_browser, board, allow_hosts = settings
    if check_whole("port", port, 0) > LAST_PORT:
        raise ValueError(f"port must be at most {LAST_PORT}, not {port}")
    if cores is not None:
        check_whole("cores", cores, 1)
    allowed = [check_allowed(name) for name in allow_hosts]
    server = PageServer(host, port, cores, on_message, allowed)
    if reachable := [*([] if is_local(host) else [f"{host} port {server.port}"]), *allowed]:
        on_message(f"anyone who can reach {' or '.join(reachable)} may use this page: it asks for no password")
    address = server.address if board is None else f"{server.address}#{board.shape}/{board}"
    is_over = True
    try:
        server.start()
        try:
            say(f"serving {address} (Ctrl-C ends it)")
            if open_browser:
                open_in_browser(address, on_message)
            server.wait()
        finally:
            with deferred_signals():
                is_over = server.stop()
    except KeyboardInterrupt:
        pass
    return is_over
