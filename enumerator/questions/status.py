"""The state of the run that writes a ledger."""

from __future__ import annotations

from dataclasses import dataclass

from enumerator import engines
from enumerator.engines import ALMOST_ALL
from enumerator.run.ledger import LedgerContents, read_ledger
from enumerator.text.phrases import percent, whole


@dataclass(frozen=True, slots=True, repr=False)
class StatusAnswer:
    """The contents of a ledger. `running` is True if a process is using it.

    >>> number = en.count("1234 3412 .... ....", checkpoint="run.db")
    >>> en.status("run.db").state
    'finished'
    """

    name: str
    contents: LedgerContents
    running: bool

    def __repr__(self) -> str:
        least = "" if self.complete else "at least "
        known = f"{least}{whole(self.solutions, '{:,}')} solution{'' if self.solutions == 1 else 's'}"
        return f"<StatusAnswer: {self.state}, {percent(self.share)} done, {known}>"

    @property
    def solutions(self) -> int:
        """The number of solutions found so far."""
        return self.contents.totals.solutions

    @property
    def complete(self) -> bool:
        """True if `solutions` is the number of all solutions."""
        return self.contents.complete

    @property
    def seconds(self) -> float:
        """The time of the run, and of earlier runs that it has resumed."""
        return self.contents.seconds

    @property
    def state(self) -> str:
        """The state of the run: `finished`, `running` or `stopped`."""
        if self.contents.finished:
            return "finished"
        return "running" if self.running else "stopped"

    @property
    def share(self) -> float:
        """The share of the work that is done, between 0 and 1."""
        share = self.contents.totals.share
        return float(share) if share == 1 else min(float(share), ALMOST_ALL)

    @property
    def predicts(self) -> bool:
        """True if the share predicts the time that is left."""
        return not self.contents.engine or engines.get(self.contents.engine).shares_predict

    def to_dict(self) -> dict[str, object]:
        """Return all facts; integers that may exceed 53 bits are strings."""
        run, known = self.contents.run, self.contents.totals
        return {
            "ledger": self.name,
            "state": self.state,
            "source": run.get("name", ""),
            "question": run["question"],
            "shape": run["shape"],
            "board": run["board"],
            "engine": run["engine"],
            "at_work": self.contents.engine,
            "cutoff": run.get("cutoff") or None,
            "limit": run.get("limit") or None,
            "output": run.get("output"),
            "version": run["version"],
            "created": run.get("created"),
            "solutions": str(known.solutions),
            "complete": self.contents.complete,
            "share": self.share,
            "tasks": {"finished": known.finished, "open": known.open},
            "effort": str(known.effort),
            "seconds": round(self.contents.seconds, 6),
            "worked_seconds": round(known.worked, 6),
        }


def status(name: str) -> StatusAnswer:
    """Return the state of a ledger; raise LedgerError if it is not a valid ledger."""
    contents, running = read_ledger(name, lambda _: False)
    return StatusAnswer(name, contents, running)
