"""How long something takes on a machine that others keep busy, too: measured against a control."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from hashlib import pbkdf2_hmac
from typing import Self, TypeVar

Found = TypeVar("Found")

TIME_LIMITS = (0.1, 0.4, 1.6, 6.4, 25.6)
"""Time limits for a question whose answer depends on how much of the processor it gets, in seconds."""


def within_some_time(ask: Callable[[float], Found], is_enough: Callable[[Found], object]) -> Found:
    """Ask with one time limit after the other, until the answer is enough; return the last answer."""
    answers = map(ask, TIME_LIMITS)
    found = next(answers)
    while not is_enough(found) and (more := next(answers, None)) is not None:
        found = more
    return found


FREE_SECONDS = 0.25
"""Seconds that a block takes without a control: most end before, and limits are larger."""


class Stopwatch:
    """Measures the seconds of a block, less those in which other programs had the processor.

    After `free` seconds a control, a thread that only computes, works until the block ends. Its processor
    time is the time that the rest would have taken on an idle machine. A block that waits too long is late
    as on any clock. A block that has to wait for some time has that as `free`: the control takes a core.
    """

    seconds: float
    """The time of the block, known at its end."""

    slowness: float
    """How many times longer the block took than on an idle machine, known at its end."""

    def __init__(self, free: float = FREE_SECONDS) -> None:
        self._free, self._over = free, threading.Event()

    def __enter__(self) -> Self:
        self._control = threading.Thread(target=self._compute, name="control")
        self._control.start()
        self._started = time.perf_counter()
        return self

    def __exit__(self, *_: object) -> None:
        self.seconds = self.so_far()
        self.slowness = (time.perf_counter() - self._started) / self.seconds
        self._over.set()
        self._control.join()

    def so_far(self) -> float:
        """Return the seconds since the start."""
        elapsed = time.perf_counter() - self._started
        if not hasattr(time, "pthread_getcpuclockid") or self._control.ident is None:
            return elapsed
        return min(elapsed, self._free + time.clock_gettime(time.pthread_getcpuclockid(self._control.ident)))

    def _compute(self) -> None:
        self._over.wait(self._free)
        while not self._over.is_set():
            pbkdf2_hmac("sha256", b"", b"", 10_000)  # without the GIL
