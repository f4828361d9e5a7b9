"""Lines of JSON for blocks of boards, written by `enumerator.text.columns`.

The facts of an answer come from its own `to_dict`. A sample of it, with a mark at the place of each fact
that varies from board to board, is the pattern of all lines.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from enumerator.board import Shape
from enumerator.questions.chunks import Names
from enumerator.text import columns
from enumerator.text.columns import Column

if TYPE_CHECKING:
    from enumerator.engines.blocks import Cells, Numbers

MARK = "\0"
"""The character before and after the name of a varying fact, in the pattern of a line."""


def json_columns(
    facts: dict[str, object], varying: dict[str, list[Column]], at_end: Sequence[Column] = ()
) -> list[Column]:
    """Return the columns of lines of JSON.

    `facts` are those of one line. `varying` has the columns of the facts that differ between lines: of
    these, only the type in `facts` matters. The columns `at_end` stand after all facts.
    """
    import json

    marked = {name: f"{MARK}{name}{MARK}" if name in varying else value for name, value in facts.items()}
    text, mark = json.dumps(marked), json.dumps(MARK)[1:-1]
    for name in varying:
        if not isinstance(facts[name], str):
            text = text.replace(f'"{mark}{name}{mark}"', f"{mark}{name}{mark}")
    made: list[Column] = []
    for number, piece in enumerate(text[:-1].split(mark)):
        made += varying[piece] if number % 2 else [columns.text(piece.encode())]
    return [*made, *at_end, columns.text(b"}\n")]


def source_columns(names: Names) -> list[Column]:
    """Return the columns of the name of a file and the line, as they stand in a string of JSON."""
    import json

    return [columns.text(f"{json.dumps(names.source)[1:-1]}:".encode()), columns.counter(names.line)]


def symbol_table(shape: Shape) -> bytes:
    """Return the symbol of each digit, as the column `symbols` takes it. An empty cell is `.`."""
    return f".{shape.symbols}".encode().ljust(256, b"?")


def board_column(cells: Cells | memoryview, shape: Shape) -> Column:
    """Return the column of boards without pencil marks."""
    return columns.symbols(cells, shape.cells, symbol_table(shape))


def solution_columns(counts: Numbers, unique: Cells, shape: Shape) -> list[Column]:
    """Return the columns of the solution of each board with exactly one, as the last fact of a line."""
    return [
        columns.choice(counts, [b"", b', "solution": "', b""]),
        columns.symbols(unique, shape.cells, symbol_table(shape), counts),
        columns.choice(counts, [b"", b'"', b""]),
    ]
