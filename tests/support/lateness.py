"""How long something takes on a machine that others keep busy, too: measured against a control."""

from __future__ import annotations

import threading
import time
from hashlib import pbkdf2_hmac
from typing import Self


class Stopwatch:
    """Measures the seconds of a block, less those in which other programs had the processor.

    A control, a thread that only computes, works during the block. Its processor time is the time that
    the block would have taken on an idle machine. A block that waits too long is late as on any clock.
    """

    seconds: float
    """The time of the block, known at its end."""

    slowness: float
    """How many times longer the block took than on an idle machine, known at its end."""

    def __enter__(self) -> Self:
        self._is_over = False
        self._control = threading.Thread(target=self._compute, name="control")
        self._control.start()
        self._started = time.perf_counter()
        return self

    def __exit__(self, *_: object) -> None:
        self.seconds = self.so_far()
        self.slowness = (time.perf_counter() - self._started) / self.seconds
        self._is_over = True
        self._control.join()

    def so_far(self) -> float:
        """Return the seconds since the start."""
        elapsed = time.perf_counter() - self._started
        if not hasattr(time, "pthread_getcpuclockid") or self._control.ident is None:
            return elapsed
        return min(elapsed, time.clock_gettime(time.pthread_getcpuclockid(self._control.ident)))

    def _compute(self) -> None:
        while not self._is_over:
            pbkdf2_hmac("sha256", b"", b"", 10_000)  # without the GIL
