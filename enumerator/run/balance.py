"""The balance of a divided run: finished shares + open shares = 1, exactly.

Every part of a run is open until its result is merged. Then the shares of the parts that were left of
it take the place of its own, and what they lack is finished. A part that is merged twice, and parts
left that are more than the whole part, are noticed at once. A part that is lost is noticed at the end,
when the open parts are compared with those that still wait.

So the finished share is 1 less the open ones. It is worked out exactly at the ends of a run. In
between it is added up as floats, since a sum of fractions would take a sixth of the driver's time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from gmpy2 import mpq

from enumerator.engines import Job, Part
from enumerator.engines.shares import WHOLE, describe, exact_shares, total
from enumerator.run.endings import BalanceError
from enumerator.run.local import PartialCount
from enumerator.text.phrases import plural

MOST_NAMED = 3
"""The number of parts that a message names."""


def exact_parts(job: Job, start: PartialCount) -> list[Part]:
    """Return the parts of a partial count with their exact shares."""
    rows = [part[2] if len(part) > 2 else 0 for part in start.parts]
    shares = exact_shares(WHOLE, [(load, share) for load, share, *_ in start.parts])
    return [job.part(load, share, row) for (load, share), row in zip(shares, rows, strict=True)]


CANCELLED = 1e-6
"""The finished share of a part, as a part of its own share, below which floats do not tell it."""


class Balance:
    """The shares of the open parts by their loads, and the finished share.

    `progress` is the finished share to about 1 in 10**7 while a run goes on. `name` describes a part
    for messages.
    """

    __slots__ = ("_name", "_open", "progress")

    def __init__(self, parts: Sequence[Part], name: Callable[[Part], str]) -> None:
        """Open the first parts. All work outside of them is finished."""
        self._name = name
        self._open: dict[bytes, mpq] = {}
        self._add(parts)
        if (finished := self.finished) < 0:
            raise BalanceError(f"the shares of all parts add up to {describe(1 - finished)}")
        self.progress = float(finished)

    @property
    def finished(self) -> mpq:
        """The finished share, exactly."""
        return WHOLE - total(self._open.values())

    def _add(self, parts: Sequence[Part]) -> None:
        shares = self._open
        for part in parts:
            if part.load in shares:
                raise BalanceError(f"a part is there twice: {self._name(part)}")
            shares[part.load] = part.share

    def close(self, part: Part, left: Sequence[Part]) -> None:
        """Finish a part except for `left`; raise BalanceError if it was finished before."""
        share = self._open.pop(part.load, None)
        if share is None:
            raise BalanceError(f"a part was counted twice: {self._name(part)}")
        done = whole = float(share)
        if left:
            self._add(left)
            for below in left:
                done -= float(below.share)
            if done <= whole * CANCELLED:
                done = self._finished_of(part, share, left)
        self.progress += done

    def _finished_of(self, part: Part, share: mpq, left: Sequence[Part]) -> float:
        """Return the finished share of a part of which almost all is left."""
        done = share - total(below.share for below in left)
        if done < 0:
            raise BalanceError(f"more is left of a part than it was: {self._name(part)}")
        return float(done)

    def check(self, waiting: Iterable[Part], is_all: bool = True) -> None:
        """Raise BalanceError unless the open parts are those of `waiting`, and less than 1 together.

        `waiting` must be all of them, if `is_all` is True.
        """
        missing = dict(self._open)
        for part in waiting:
            if missing.pop(part.load, None) != part.share:
                raise BalanceError(f"a part waits twice, or was finished before: {self._name(part)}")
        if missing and is_all:
            names = [self._name(Part(0, load, share)) for load, share in list(missing.items())[:MOST_NAMED]]
            more = f" and {len(missing) - MOST_NAMED} more" if len(missing) > MOST_NAMED else ""
            lost = f"{plural(len(missing), 'part')} of the work, a share of {describe(total(missing.values()))},"
            raise BalanceError(f"{lost} got lost: {'; '.join(names)}{more}")
        if not abs(float(finished := self.finished) - self.progress) < CANCELLED or not 0 <= finished <= 1:
            raise BalanceError(f"the finished share is {describe(finished)}, and its sum is {self.progress}")
