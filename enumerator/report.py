"""What the command has found out about a board, as plain text and as JSON. The terminal's view is terminal.py."""

from __future__ import annotations

from dataclasses import dataclass

from enumerator.board import Board
from enumerator.wording import plural, printable


@dataclass(frozen=True, slots=True)
class Report:
    """The answer to one board."""

    source: str
    board: Board
    solutions: int
    complete: bool
    nodes: int
    seconds: float
    engine: str
    cores: int
    requested_cores: int

    @property
    def title(self) -> str:
        return printable(self.source)

    @property
    def conflicts(self) -> list[str]:
        return [str(conflict) for conflict in self.board.conflicts()]

    @property
    def cores_note(self) -> str:
        """How many cores have worked, and how many were asked for if that is another number."""
        used = plural(self.cores, "core")
        return used if self.requested_cores == self.cores else f"{used} ({self.requested_cores} requested)"


def as_json(report: Report) -> str:
    """One object; integers that may not fit into 53 bits are strings."""
    import json

    board = report.board
    answer: dict[str, object] = {
        "source": report.source,
        "shape": str(board.shape),
        "cells": board.shape.cells,
        "empty_cells": board.empty_cells,
        "filling_factor": round(board.filling_factor, 6),
        "search_space": digits(board),
        "solutions": str(report.solutions),
        "complete": report.complete,
        "engine": report.engine,
        "cores": report.cores,
        "nodes": report.nodes,
        "seconds": round(report.seconds, 6),
    }
    if conflicts := report.conflicts:
        answer["conflicts"] = conflicts
    return json.dumps(answer)


def as_text(report: Report) -> str:
    """One fact a line, for people and for grep; every integer exact."""
    space = digits(report.board)
    figures = facts(report, "{}", f"{space} ({magnitude(space)})" if len(space) >= LONG else space)
    return "\n".join([report.title, *(f"  {name:<16}{value}" for name, value in figures)])


LONG = 10
"""Integers with so many digits are easier to read as powers of ten."""


def facts(report: Report, integer: str, space: str) -> list[tuple[str, str]]:
    """The figures in the order in which they are shown, given how integers and the search space are written."""
    board = report.board
    solutions = integer.format(report.solutions)
    return [
        ("shape", str(board.shape)),
        ("cells", integer.format(board.shape.cells)),
        ("empty cells", integer.format(board.empty_cells)),
        ("filling factor", f"{board.filling_factor:.3f}"),
        ("search space", space),
        *(("conflict", conflict) for conflict in report.conflicts),
        ("solutions", solutions if report.complete else f"at least {solutions} (not complete)"),
        ("time", f"{report.seconds:.3f} s"),
        ("engine", f"{report.engine}, {report.cores_note}, {plural(report.nodes, 'node', integer)}"),
    ]


def digits(board: Board) -> str:
    """The search space, exactly. Python refuses to write more than 4,300 digits, gmpy2 does not."""
    space = board.combinations
    return str(space if space.bit_length() < 10_000 else board.search_space)


def magnitude(digits: str) -> str:
    """A large integer to three figures, cut off: 1.39e40."""
    return f"{digits[0]}.{digits[1:3]}e{len(digits) - 1}"
