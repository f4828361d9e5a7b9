"""The state of the run that writes a ledger."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from enumerator import engines
from enumerator.engines import ALMOST_ALL
from enumerator.questions.fields import Field, Style, no_words, to_dict
from enumerator.run.ledger import LedgerContents, read_ledger
from enumerator.text.partial_counts import at_least, number_of_solutions
from enumerator.text.phrases import lasting, percent, plural, printable, time_left


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
        known = number_of_solutions(self.solutions, self.complete)
        return f"<StatusAnswer: {self.state}, {percent(self.share)} done, {known}>"

    @property
    def solutions(self) -> int:
        """The number of solutions found so far."""
        return self.contents.solutions

    @property
    def complete(self) -> bool:
        """True if `solutions` is the number of all solutions."""
        return self.contents.has_all

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
        if "solutions" in self.contents.run:  # the shares are those of other parts
            return False
        return not self.contents.engine or engines.get(self.contents.engine).shares_predict

    def to_dict(self) -> dict[str, object]:
        """Return all facts; integers that may exceed 53 bits are strings."""
        return to_dict(FIELDS, self)


def _of_run(key: str) -> Callable[[StatusAnswer], object]:
    """Return the value of a field that stands in the ledger; None if it does not."""
    return lambda answer: answer.contents.run.get(key) or None


def _words(words: Callable[[StatusAnswer], str]) -> Callable[[StatusAnswer, Field, Style], str]:
    """Return the words of a field without unprintable characters, which a ledger may hold."""
    return lambda answer, *_: printable(words(answer))


def _question(answer: StatusAnswer) -> str:
    run = answer.contents.run
    if run["question"] == "different":
        return f"different: {'those that symmetries fix' if 'solutions' in run else 'all solutions come first'}"
    return f"{run['question']} limit {run['limit']}" if run.get("limit") else run["question"]


def _engine(answer: StatusAnswer) -> str:
    chosen, at_work = answer.contents.run["engine"], answer.contents.engine
    return chosen if at_work in ("", chosen) else f"{chosen}: {at_work}"


def _tasks(answer: StatusAnswer) -> str:
    known = answer.contents.totals
    return f"{plural(known.finished, 'task', '{:,}')} finished, {known.open:,} open"


def _time(answer: StatusAnswer) -> str:
    time = lasting(answer.seconds)
    if answer.share and not answer.contents.finished and answer.predicts:
        time += f" so far, {time_left(answer.seconds, answer.share)}"
    return time


FIELDS = (
    Field("ledger", lambda answer: answer.name, no_words),
    Field("state", lambda answer: answer.state, place=1),
    Field("source", lambda answer: answer.contents.run.get("name", ""), no_words),
    Field("question", _of_run("question"), _words(_question), place=3),
    Field("shape", _of_run("shape"), no_words),
    Field(
        "board",
        _of_run("board"),
        _words(lambda answer: f"{answer.contents.run.get('name', '')}, {answer.contents.run['shape']}"),
        place=2,
    ),
    Field("engine", _of_run("engine"), _words(_engine), place=5),
    Field("at_work", lambda answer: answer.contents.engine, no_words),
    Field(
        "cutoff", _of_run("cutoff"), _words(lambda answer: answer.contents.run.get("cutoff") or "none"), "cut-off", 6
    ),
    Field("limit", _of_run("limit"), no_words),
    Field(
        "output",
        lambda answer: answer.contents.run.get("output"),
        lambda answer, *_: printable(answer.contents.run["output"]) if "output" in answer.contents.run else None,
        place=4,
    ),
    Field("version", _of_run("version"), _words(lambda answer: answer.contents.run["version"]), place=7),
    Field(
        "created",
        lambda answer: answer.contents.run.get("created"),
        _words(lambda answer: answer.contents.run.get("created", "")),
        "started",
        8,
    ),
    Field(
        "solutions",
        lambda answer: str(answer.solutions),
        lambda answer, *_: at_least(f"{answer.solutions:,}", answer.complete),
        place=9,
    ),
    Field("complete", lambda answer: answer.complete, no_words),
    Field("share", lambda answer: answer.share, lambda answer, *_: percent(answer.share), "done", 10),
    Field(
        "tasks",
        lambda answer: {"finished": answer.contents.totals.finished, "open": answer.contents.totals.open},
        _words(_tasks),
        place=11,
        columns=("tasks.finished", "tasks.open"),
    ),
    Field("effort", lambda answer: str(answer.contents.totals.effort), no_words),
    Field("seconds", lambda answer: round(answer.seconds, 6), _words(_time), "time", 12),
    Field("worked_seconds", lambda answer: round(answer.contents.totals.worked, 6), no_words),
)


def status(name: str) -> StatusAnswer:
    """Return the state of a ledger; raise LedgerError if it is not a valid ledger."""
    contents, running = read_ledger(name, lambda _: False)
    return StatusAnswer(name, contents, running)
