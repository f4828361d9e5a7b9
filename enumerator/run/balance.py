"""The balance of a divided run: finished shares + open shares = 1, exactly.

Every part of a run is open until its result is merged. Then its share becomes finished, but for the
shares of the parts that were left of it. A part that is merged twice is noticed at once. A part that
is lost is noticed at the end, when the open parts are compared with those that still wait.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from gmpy2 import mpq

from enumerator.board.phrases import plural
from enumerator.engines import Job, Part
from enumerator.engines.shares import WHOLE, describe, exact_shares, total
from enumerator.run.errors import BalanceError
from enumerator.run.local import PartialCount

MOST_NAMED = 3
"""The number of parts that a message names."""


def exact_parts(job: Job, start: PartialCount) -> list[Part]:
    """Return the parts of a partial count with their exact shares."""
    rows = [part[2] if len(part) > 2 else 0 for part in start.parts]
    shares = exact_shares(WHOLE, [(load, share) for load, share, *_ in start.parts])
    return [job.part(load, share, row) for (load, share), row in zip(shares, rows, strict=True)]


class Balance:
    """The shares of the open parts by their loads, and the finished share.

    `name` describes a part for messages.
    """

    __slots__ = ("_name", "_open", "finished")

    def __init__(self, parts: Sequence[Part], name: Callable[[Part], str]) -> None:
        """Open the first parts. All work outside of them is finished."""
        self._name = name
        self._open: dict[bytes, mpq] = {}
        self.finished: mpq = WHOLE
        self._add(parts)

    def _add(self, parts: Sequence[Part]) -> None:
        if not parts:
            return
        shares = self._open
        for part in parts:
            if part.load in shares:
                raise BalanceError(f"a part is there twice: {self._name(part)}")
            shares[part.load] = part.share
        self.finished -= total(part.share for part in parts)
        if self.finished < 0:
            raise BalanceError(f"the shares of all parts add up to {describe(1 - self.finished)}")

    def close(self, part: Part, left: Sequence[Part]) -> None:
        """Finish a part except for `left`; raise BalanceError if it was finished before."""
        share = self._open.pop(part.load, None)
        if share is None:
            raise BalanceError(f"a part was counted twice: {self._name(part)}")
        self.finished += share
        self._add(left)

    def check(self, waiting: Iterable[Part], is_all: bool = True) -> None:
        """Raise BalanceError unless the shares add up to 1, and `waiting` are open parts.

        `waiting` must be all of them, if `is_all` is True.
        """
        missing = dict(self._open)
        for part in waiting:
            if missing.pop(part.load, None) is None:
                raise BalanceError(f"a part waits twice, or was finished before: {self._name(part)}")
        if missing and is_all:
            names = [self._name(Part(0, load, share)) for load, share in list(missing.items())[:MOST_NAMED]]
            more = f" and {len(missing) - MOST_NAMED} more" if len(missing) > MOST_NAMED else ""
            lost = f"{plural(len(missing), 'part')} of the work, a share of {describe(total(missing.values()))},"
            raise BalanceError(f"{lost} got lost: {'; '.join(names)}{more}")
        if (whole := self.finished + total(self._open.values())) != WHOLE:
            raise BalanceError(f"the shares of all work add up to {describe(whole)}")
