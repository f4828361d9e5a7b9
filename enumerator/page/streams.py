"""Questions at work in threads, and the lines that tell about them.

    loop                                       thread
    Work.start() ---------------------------->  ask(watch): … watch(progress) … watch(progress)
    lines(): every 0.1 s the latest progress <-  latest
    connection closed: stop.set() ----------->  watch() raises Stopped
    lines(): the last line <------------------  the answer, or an error

The thread keeps the latest progress only. So a client that does not read takes no memory.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event
from time import monotonic
from traceback import extract_tb
from typing import Any, TypeVar

from enumerator.board.reading import BoardError
from enumerator.engines.stopping import TaskStoppedError, run_until
from enumerator.page.answers import Dictionary
from enumerator.page.requests import RequestError
from enumerator.questions.read import explain
from enumerator.questions.solutions import NoSuchSolutionError
from enumerator.questions.solve import NoSolutionError, NotUniqueError
from enumerator.run.endings import OutOfTimeError, RunLostError, Stopped
from enumerator.run.progress import Progress, Watch

Result = TypeVar("Result")

PROGRESS_SECONDS = 0.1
"""The least time between two lines of progress."""

HEARTBEAT_SECONDS = 2.0
"""The time without another line after which a heartbeat is sent."""

GRACE_SECONDS = 0.5
"""The time that a heavy question waits for a place. One that is being stopped leaves its place by then."""

HEAVY_PLACES, LIGHT_PLACES, QUICK_THREADS = 2, 4, 4
"""The numbers of threads for heavy questions, for verdicts on hard boards, and for what takes milliseconds."""


class BusyError(Exception):
    """Two heavy questions are at work."""

    def __init__(self) -> None:
        super().__init__("busy: two other questions are at work; try again when one of them has ended")


CODES: dict[type[Exception], str] = {
    RequestError: "request",
    BoardError: "board",
    BusyError: "busy",
    NoSolutionError: "none",
    NotUniqueError: "multiple",
    NoSuchSolutionError: "no such solution",
}
"""The codes of errors that are the user's. Any other is `internal`."""


def error_line(code: str, message: str) -> Dictionary:
    """Return the object that tells an error."""
    return {"kind": "error", "code": code, "message": message}


def encode(line: Dictionary) -> bytes:
    """Return a line of JSON."""
    return json.dumps(line, allow_nan=False, separators=(",", ":")).encode() + b"\n"


class Work:
    """A question at work in a thread."""

    def __init__(self, ask: Callable[[Watch], Dictionary]) -> None:
        self._ask = ask
        self.stop = Event()
        self.latest: Progress | None = None
        """The latest progress that was not told yet."""
        self.started = monotonic()

    def watch(self, progress: Progress) -> None:
        """Keep the progress of the question; raise Stopped if its answer is not wanted any more."""
        self.latest = progress
        if self.stop.is_set():
            raise Stopped

    def run(self) -> bytes:
        """Ask the question, and return the last line. It is encoded here, as that may take long."""
        try:
            return encode({"kind": "answer", "answer": run_until(self.stop, self._ask, self.watch)})
        except (OutOfTimeError, RunLostError, Stopped, TaskStoppedError) as error:
            known: Any = getattr(error, "answer", None)
            answer = known.to_dict() if hasattr(known, "to_dict") else None
            return encode({"kind": "stopped", "answer": answer, "message": str(error) or "stopped"})

    def take_progress(self) -> Dictionary | None:
        """Return the latest progress, unless it was told before."""
        latest, self.latest = self.latest, None
        if latest is None:
            return None
        return {"kind": "progress", **latest.to_dict(), "seconds": round(monotonic() - self.started, 3)}


class QuestionScheduler:
    """The places for questions, and the threads that answer them."""

    def __init__(self, on_message: Callable[[str], None]) -> None:
        self._on_message = on_message
        self._heavy, self._light = asyncio.Semaphore(HEAVY_PLACES), asyncio.Semaphore(LIGHT_PLACES)
        self._quick = ThreadPoolExecutor(QUICK_THREADS, "page-quick")
        self._slow = ThreadPoolExecutor(HEAVY_PLACES + LIGHT_PLACES, "page")
        self._at_work: set[Work] = set()
        self.is_closed = False

    async def at_once(self, task: Callable[[], Result]) -> Result:
        """Call a function that takes milliseconds, in a thread."""
        return await asyncio.wrap_future(self._quick.submit(task))

    async def reserve(self) -> None:
        """Wait for a place for a heavy question. Raise BusyError if there is none soon."""
        try:
            await asyncio.wait_for(self._heavy.acquire(), GRACE_SECONDS)
        except TimeoutError:
            raise BusyError from None

    def release(self) -> None:
        """Give back a place that was reserved."""
        self._heavy.release()

    async def lines(
        self, ask: Callable[[Watch], Dictionary], is_heavy: bool, gone: asyncio.Event
    ) -> AsyncGenerator[bytes, None]:
        """Ask a question in a thread, and yield the lines about it until it ends or `gone` is set.

        A heavy question has a reserved place. A light one waits for its place here. When the generator
        is closed, the thread has ended.
        """
        work = Work(ask)
        left: asyncio.Future[bool] = asyncio.ensure_future(gone.wait())
        place: asyncio.Future[Any] | None = None if is_heavy else asyncio.ensure_future(self._light.acquire())
        done: asyncio.Future[bytes] | None = None
        self._at_work.add(work)
        if self.is_closed:
            work.stop.set()
        try:
            if place is not None:
                async for line in self._wait(place, left, work):
                    yield line
                if not place.done():
                    return
            done = asyncio.wrap_future(self._slow.submit(work.run))
            async for line in self._wait(done, left, work):
                yield line
            if done.done():
                yield self._last_line(done)
        finally:
            work.stop.set()
            left.cancel()
            if done is not None:
                await asyncio.wait([done])
                done.cancelled() or done.exception()  # retrieved: nobody is left to be told
            self._at_work.discard(work)
            if place is not None and not place.cancel() and not place.cancelled():
                self._light.release()

    async def _wait(
        self, end: asyncio.Future[Any], left: asyncio.Future[bool], work: Work
    ) -> AsyncGenerator[bytes, None]:
        """Yield progress and heartbeats until `end` or `left` is done."""
        told = monotonic()
        while True:
            await asyncio.wait([end, left], timeout=PROGRESS_SECONDS, return_when=asyncio.FIRST_COMPLETED)
            if end.done() or left.done():
                return
            line = work.take_progress()
            if line is None and monotonic() - told >= HEARTBEAT_SECONDS:
                line = {"kind": "heartbeat"}
            if line is not None:
                yield encode(line)
                told = monotonic()

    def _last_line(self, done: asyncio.Future[bytes]) -> bytes:
        try:
            return done.result()
        except Exception as error:  # noqa: BLE001 - the page is told, and the server goes on
            return encode(self.explain(error))

    def explain(self, error: Exception) -> Dictionary:
        """Return the object that tells an error. One that is not the user's is also told on standard error."""
        for kind, code in CODES.items():
            if isinstance(error, kind):
                return error_line(code, explain(error) if isinstance(error, BoardError) else str(error))
        if isinstance(error, MemoryError):
            return error_line("internal", "not enough memory")
        *_, last = [None, *extract_tb(error.__traceback__)]
        place = f" ({Path(last.filename).name}, line {last.lineno})" if last else ""
        self._on_message(f"internal error: {type(error).__name__}: {error}{place}")
        return error_line("internal", f"internal error: {type(error).__name__}")

    def stop(self) -> None:
        """Stop all questions. Those asked from now on are stopped at once."""
        self.is_closed = True
        for work in self._at_work:
            work.stop.set()

    def close(self) -> None:
        """Wait for the threads."""
        for pool in (self._quick, self._slow):
            pool.shutdown(wait=True, cancel_futures=True)
