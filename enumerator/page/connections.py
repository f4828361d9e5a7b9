"""Connections: how many there may be, and how long one stays that asks nothing or reads nothing.

uvicorn closes a connection that is idle after a request. It does not close one that never sends a whole
request, nor one that does not read its answer. This module does.
"""

from __future__ import annotations

import asyncio
from heapq import nsmallest
from time import monotonic
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

MOST_CONNECTIONS = 1_100
"""The most open connections. For another one, those that have been idle for longest are closed."""

MOST_HELD = 4 * 2**20
"""The most bytes of requests that have not arrived as a whole, of all connections. They take three times as much."""

SMALL_REQUEST = 8 * 1024
"""The size up to which a request is not counted: that of the usual ones."""

EVICTED = 50
"""The number of connections that are closed at a time. To find them takes 0.5 ms, whatever their number."""

REQUEST_SECONDS = 5.0
"""The time in which the head of a request must arrive."""

WRITE_SECONDS = 5.0
"""The time for which a client may read nothing while an answer waits for it."""

CHECK_SECONDS = 1.0
"""The time between two looks at all connections."""


class Connection(H11Protocol):
    """A connection that knows since when it has been idle, or has not been read."""

    idle_since: float = 0.0
    """The time since which it has had no request at work, or since which the head of one has been arriving."""
    unread_since: float | None = None
    """The time since which an answer has been waiting to be read; None if none is."""
    held: int = 0
    """The number of bytes of a request that has not arrived as a whole."""

    @property
    def is_idle(self) -> bool:
        """True if no request is at work."""
        return self.cycle is None or self.cycle.response_complete

    @property
    def is_evictable(self) -> bool:
        """True if no whole request has arrived, and the connection is not being closed already."""
        return (self.is_idle or self.cycle.more_body) and not self.transport.is_closing()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        self.idle_since = monotonic()
        is_full = len(self.connections) >= MOST_CONNECTIONS and not self._make_room()
        super().connection_made(transport)
        if is_full:
            transport.abort()

    def _make_room(self) -> bool:
        """Close the oldest connections that wait for the rest of a request; return False if there is none."""
        idle = [each for each in self.connections if isinstance(each, Connection) and each.is_evictable]
        for each in nsmallest(EVICTED, idle, key=lambda each: each.idle_since):
            each.drop()
        return bool(idle)

    def drop(self) -> None:
        """Close the connection, and forget the part of a body that has arrived."""
        self.held = 0
        if self.cycle is not None:
            self.cycle.body = self.cycle.body[:0]  # now: `connection_lost` comes later
        self.transport.abort()

    def shutdown(self) -> None:
        """End the connection when its answer has ended."""
        try:
            super().shutdown()
        except h11.ProtocolError:  # after an invalid request
            self.transport.abort()

    def data_received(self, data: bytes) -> None:
        """Take in what has arrived. Abort a connection that sends a request before the last is answered.

        Browsers do not do that, and uvicorn would buffer such requests without a limit.
        """
        if self.timeout_keep_alive_task is not None:  # the first bytes of another request
            self.idle_since = monotonic()
        super().data_received(data)
        if not self.is_idle and not self.cycle.more_body and self.conn.trailing_data[0]:
            self.transport.abort()
        self.held = self.held + len(data) if self.is_evictable else 0
        if self.held > SMALL_REQUEST and sum(getattr(each, "held", 0) for each in self.connections) > MOST_HELD:
            self._make_room()

    def on_response_complete(self) -> None:
        self.idle_since = monotonic()
        super().on_response_complete()

    def pause_writing(self) -> None:
        self.unread_since = monotonic()
        super().pause_writing()

    def resume_writing(self) -> None:
        self.unread_since = None
        super().resume_writing()

    def is_overdue(self, now: float) -> bool:
        """Return True if the connection has been idle, or unread, for too long."""
        if self.unread_since is not None and now - self.unread_since > WRITE_SECONDS:
            return True
        waits = self.timeout_keep_alive_task is None  # otherwise uvicorn closes it
        return self.is_idle and waits and now - self.idle_since > REQUEST_SECONDS


async def close_idle(connections: set[Any]) -> None:
    """Close connections that are overdue, until this task is cancelled."""
    while True:
        await asyncio.sleep(CHECK_SECONDS)
        now = monotonic()
        for each in list(connections):
            if each.is_overdue(now):
                each.transport.abort()


def abort_all(connections: set[Any]) -> None:
    """Close all connections at once, whatever they wait for."""
    for each in list(connections):
        each.transport.abort()
