"""The routes: the files of static/, and `POST /api/NAME` for each question."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from functools import partial
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request as HttpRequest
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from enumerator.page.answers import QUESTIONS, Asked, Dictionary, PageQuestion
from enumerator.page.guard import Guard, RefusedError, read_body, refuse
from enumerator.page.hosts import Hosts
from enumerator.page.requests import Request
from enumerator.page.streams import QuestionScheduler, encode, error_line
from enumerator.run.plan import Plan
from enumerator.run.progress import Watch, no_progress

STATIC = Path(__file__).parent / "static"

TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ico": "image/x-icon",
}
"""The files that are served, by the end of their names."""

LINES = "application/x-ndjson"

STATUSES = {"request": 400, "board": 400, "busy": 503}
"""The status of a refusal by the code of its error."""


def make_app(desk: QuestionScheduler, plan: Plan, hosts: Hosts) -> ASGIApp:
    """Return the application. `hosts` are the names of the server."""
    files = [path for path in sorted(STATIC.iterdir()) if path.suffix in TYPES]
    routes = [Route(f"/{path.name}", partial(send_file, path)) for path in files]
    routes.append(Route("/", partial(send_file, STATIC / "index.html")))
    for name, question in QUESTIONS.items():
        routes.append(Route(f"/api/{name}", Answers(question, desk, plan), methods=["POST"]))

    async def explain_error(_request: HttpRequest, error: Exception) -> Response:
        return refuse(500, desk.explain(error))

    app = Starlette(routes=routes, exception_handlers={HTTPException: explain_status, Exception: explain_error})
    return Guard(app, hosts)


async def send_file(path: Path, _request: HttpRequest) -> Response:
    """Send a file of static/. Its path is that of a route, and no part of a request."""
    return Response(path.read_bytes(), media_type=TYPES[path.suffix])


async def explain_status(_request: HttpRequest, error: Exception) -> Response:
    """Refuse a request to no route, or by another method."""
    assert isinstance(error, HTTPException)
    response = refuse(error.status_code, error_line("request", error.detail.lower()))
    response.headers.update(error.headers or {})
    return response


class Answers:
    """The answers to one question: an ASGI application."""

    def __init__(self, question: PageQuestion, desk: QuestionScheduler, plan: Plan) -> None:
        self.question, self.desk, self.plan = question, desk, plan

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            request = Request(await read_body(scope, receive))
            asked, answer = await self.desk.at_once(partial(self._begin, request))
            if answer is not None:
                line = encode({"kind": "answer", "answer": answer})
                await Response(line, media_type=LINES)(scope, receive, send)
                return
            if self.question.is_heavy:
                await self.desk.reserve()
        except RefusedError as error:
            await error.response(scope, receive, send)
            return
        except Exception as error:  # noqa: BLE001 - the page is told, and the server goes on
            told = self.desk.explain(error)
            await refuse(STATUSES.get(str(told["code"]), 500), told)(scope, receive, send)
            return
        try:
            await self._stream(asked, receive, send)
        finally:
            if self.question.is_heavy:
                self.desk.release()

    def _begin(self, request: Request) -> tuple[Asked, Dictionary | None]:
        """Read the board and, if that takes milliseconds, answer the question."""
        asked = Asked(request, request.read() if self.question.has_board else None, self.plan, no_progress)
        found = self.question.at_once(asked) if self.question.at_once else asked
        return (found, None) if isinstance(found, Asked) else (asked, found)

    async def _stream(self, asked: Asked, receive: Receive, send: Send) -> None:
        """Send the lines of an answer until it ends or the connection is closed."""
        gone = asyncio.Event()
        ask = self.question.ask
        assert ask is not None, "a question that is answered at once"

        def answer(watch: Watch) -> Dictionary:
            return ask(asked._replace(watch=watch))

        listening = asyncio.create_task(listen(receive, gone))
        try:
            headers = [(b"content-type", LINES.encode())]
            async with aclosing(self.desk.lines(answer, self.question.is_heavy, gone)) as lines:
                await send({"type": "http.response.start", "status": 200, "headers": headers})
                async for line in lines:
                    await send({"type": "http.response.body", "body": line, "more_body": True})
                await send({"type": "http.response.body", "body": b""})
        except OSError:  # the connection was closed meanwhile
            pass
        finally:
            listening.cancel()


async def listen(receive: Receive, gone: asyncio.Event) -> None:
    """Set `gone` when the connection is closed."""
    while (await receive())["type"] != "http.disconnect":
        pass
    gone.set()
