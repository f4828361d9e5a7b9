"""The guard: who may ask, how much may be sent, and the headers of every answer.

The server has no password. It is for the browser of the user who started it, and any web site may try to
reach it through that browser. So a request is refused by one of these rules:

    421   Host is not a name of this server with its port (hosts.py): a foreign name may point to 127.0.0.1
          (DNS rebinding)
    403   Origin or Sec-Fetch-Site names another site; the type of a body is not JSON, as in forms
    411   a body without a length
    413   a body of more than MOST_BYTES
    408   a body that does not arrive within BODY_SECONDS

Browsers ask before they send JSON to another site (CORS). No answer allows it.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator

from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from enumerator.page.answers import Dictionary
from enumerator.page.hosts import Hosts
from enumerator.page.streams import encode, error_line

FOREIGN = "a request of another site"

MOST_BYTES = 64 * 1024
"""The most bytes of a body. A 64×64 board has 4,096 cells."""

LENGTH_DIGITS = 9
"""The most digits of a length that is converted to an integer."""

BODY_SECONDS = 5.0
"""The time in which a body must arrive."""

DRAINED_BYTES, DRAIN_SECONDS = 2**20, 1.0
"""How much of a body that is too long is read, and how long, before it is refused.

A connection that is closed with unread bytes is reset, and the client might not see the refusal.
"""

HEADERS = [
    (
        b"content-security-policy",
        b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        b"base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-frame-options", b"DENY"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cache-control", b"no-store"),
]
"""The headers of every answer: no inline script, no foreign request, no frame."""


class RefusedError(Exception):
    """A request that is refused before it is read as a question."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.response = refuse(status, error_line("request", message))


def refuse(status: int, line: Dictionary) -> Response:
    """Return the answer that tells an error. The connection is closed, as there may be an unread body."""
    return Response(encode(line), status, {"connection": "close"}, "application/json")


class Guard:
    """An ASGI application that passes on the requests that may be answered."""

    def __init__(self, app: ASGIApp, hosts: Hosts) -> None:
        self.app, self.hosts = app, hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message.get("headers", ()), *HEADERS]}
            await send(message)

        try:
            self.check(scope)
        except RefusedError as error:
            await error.response(scope, receive, send_with_headers)
        else:
            await self.app(scope, receive, send_with_headers)

    def check(self, scope: Scope) -> None:
        """Raise RefusedError if a request may not be answered."""
        origins = self.hosts.origins(header(scope, b"host") or "")
        if not origins:
            raise RefusedError(421, "this is not the server of that name and port: --allow-host allows another one")
        if header(scope, b"origin") not in (None, *origins):
            raise RefusedError(403, FOREIGN)
        site = header(scope, b"sec-fetch-site")
        if scope["method"] in ("GET", "HEAD"):
            if site not in (None, "same-origin", "none") and not is_visit(scope):
                raise RefusedError(403, FOREIGN)
            return
        if site not in (None, "same-origin"):
            raise RefusedError(403, FOREIGN)
        kind = (header(scope, b"content-type") or "").partition(";")[0].strip().lower()
        if scope["method"] == "POST" and kind != "application/json":
            raise RefusedError(403, "a question must be of the type application/json")


def is_visit(scope: Scope) -> bool:
    """Return True if the user follows a link of another site to a page of its own, and not to a frame."""
    return header(scope, b"sec-fetch-mode") == "navigate" and header(scope, b"sec-fetch-dest") in (None, "document")


def header(scope: Scope, name: bytes) -> str | None:
    """Return a header of a request; None if there is none. Raise RefusedError if there are several."""
    found = [value for key, value in scope["headers"] if key == name]
    if len(found) > 1:
        raise RefusedError(400, f"more than one header {name.decode()}")
    return found[0].decode("latin-1") if found else None


async def read_body(scope: Scope, receive: Receive) -> bytes:
    """Return the body of a request. Raise RefusedError if it has no length, is too long, or too slow."""
    length = header(scope, b"content-length")
    if length is None or header(scope, b"transfer-encoding") is not None:
        raise RefusedError(411, "a question needs a Content-Length")
    if len(length) > LENGTH_DIGITS or int(length) > MOST_BYTES:
        await _drain(receive)
        raise RefusedError(413, f"the text is too long: {MOST_BYTES:,} bytes at most")
    body = bytearray()
    try:
        async with asyncio.timeout(BODY_SECONDS):
            async for chunk in chunks(receive):
                body += chunk
    except TimeoutError:
        raise RefusedError(408, "the question did not arrive in time") from None
    return bytes(body)


async def chunks(receive: Receive) -> AsyncGenerator[bytes, None]:
    """Yield the parts of a body. Raise RefusedError if the connection is closed before its end."""
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise RefusedError(400, "the question has no end")
        yield message.get("body", b"")
        if not message.get("more_body", False):
            return


async def _drain(receive: Receive) -> None:
    """Read and forget the beginning of a body."""
    left = DRAINED_BYTES
    try:
        async with asyncio.timeout(DRAIN_SECONDS):
            async for chunk in chunks(receive):
                left -= len(chunk)
                if left < 0:
                    return
    except (TimeoutError, RefusedError):
        return
