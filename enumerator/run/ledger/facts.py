"""The facts about a run in its ledger, as names and values. A new fact is a line of FACTS."""

from __future__ import annotations

from collections.abc import Callable
from time import strftime
from typing import TYPE_CHECKING, NamedTuple

from enumerator import __version__

if TYPE_CHECKING:
    from enumerator.board import Board
    from enumerator.run.plan import Plan

AT_WORK = "at work"
"""The fact with the name of the engine at work."""

ENGINE_VERSION = "engine version"
"""The fact with the version of the order and cut of the engine at work."""


class Fact(NamedTuple):
    """The declaration of a fact."""

    name: str
    value: Callable[[str, Board, Plan], str] | None = None
    """Returns its value for a question, a board and a plan; None: it is noted by those who know it."""
    difference: str = ""
    """What a ledger with another value belongs to; empty if any run may resume it."""
    pattern: str = ".*"
    """The pattern that its value must match, as the file is not trusted."""
    needed_by: tuple[str, ...] = ()
    """The questions whose ledgers must have it."""


ALL, LIST, DIFFERENT = ("count", "list", "different"), ("list",), ("different",)

FACTS = (
    Fact("version", lambda *_: __version__, needed_by=ALL),
    Fact("created", lambda *_: strftime("%Y-%m-%d %H:%M:%S%z")),
    Fact("question", lambda question, *_: question, "another question", needed_by=ALL),
    Fact("shape", lambda _, board, __: str(board.shape), "a board of another shape", needed_by=ALL),
    Fact("board", lambda _, board, __: str(board), "another board", needed_by=ALL),
    Fact("engine", lambda *run: run[-1].engine, "another engine", needed_by=ALL),
    Fact("cutoff", lambda *run: _number(run[-1].cutoff), "another cut-off", needed_by=ALL),
    Fact("limit", lambda *run: _number(run[-1].limit), "another limit", r"\d{0,2000}", ALL),
    Fact("form", None, "solutions in another form", needed_by=LIST),
    Fact("output", None, "another file of solutions", needed_by=LIST),
    Fact("source", None, "a board of another name"),
    Fact("name"),
    Fact(AT_WORK, needed_by=LIST),
    Fact(ENGINE_VERSION),
    Fact("seconds", pattern=r"\d{1,12}(\.\d+)?(e-\d+)?", needed_by=ALL),
    Fact("bytes", pattern=r"\d{1,18}", needed_by=LIST),
    Fact("tail", pattern=r"([0-9a-f]{2}){0,64}", needed_by=LIST),
    Fact("changes", pattern=r"\d{1,3}"),
    Fact("search", None, "another version of the search for fixed solutions", needed_by=DIFFERENT),
    Fact("solutions", pattern=r"\d{1,4000}"),
)

PATTERNS = {fact.name: fact.pattern for fact in FACTS}


def _number(number: int | None) -> str:
    return "" if number is None else str(number)


def run_identity(question: str, board: Board, plan: Plan) -> dict[str, str]:
    """Return the facts about a run that are known before it.

    A ledger is resumed only by a run without a `difference`. Another version of this package may resume it:
    `check_engine_version` compares that of the engine.
    """
    return {fact.name: fact.value(question, board, plan) for fact in FACTS if fact.value}


def required_facts(question: str) -> set[str]:
    """Return the names of the facts that the ledger of a question must have; of an unknown one, those of all."""
    return {fact.name for fact in FACTS if fact.needed_by == ALL or question in fact.needed_by}
