"""The verdicts on blocks of boards in print."""

from __future__ import annotations

import sys
from functools import lru_cache
from typing import TYPE_CHECKING

from enumerator.board import Board, Shape
from enumerator.command.csv_lines import csv_columns, csv_source_columns
from enumerator.command.json_lines import (
    board_column,
    json_columns,
    solution_columns,
    source_columns,
    symbol_table,
)
from enumerator.command.views import DRAWINGS, FACT_FORMS, Text
from enumerator.command.views.classify import named_line
from enumerator.questions.chunks import Names
from enumerator.questions.classify import BoardCodes, Classifier, make_answer
from enumerator.questions.verdict import UNDECIDED, VERDICTS
from enumerator.text import columns
from enumerator.text.columns import write_lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from enumerator.command.request import Request
    from enumerator.command.views import View
    from enumerator.engines.blocks import BoardBlock
    from enumerator.questions.classify import ClassifyAnswer


class ClassifyText:
    """The verdict on each board: a line of JSON or CSV, a bare word or, on a terminal, after the name of the board."""

    def __init__(self, view: View[ClassifyAnswer], request: Request) -> None:
        self.view, self.form, self.time_limit = view, request.form, request.options.time_limit
        self.has_facts = self.form in FACT_FORMS
        self.classifier = Classifier(request.plan, self.has_facts, self.time_limit)
        self._lines = [f"{verdict}\n".encode() for verdict in VERDICTS]

    def render(self, names: Names, block: BoardBlock, found: BoardCodes) -> Text:
        """Return the verdicts on a block in print."""
        boards = len(found.codes)
        if self.form in DRAWINGS:
            return Text(self._name(names, found))
        if not self.has_facts:
            return Text(write_lines(boards, [columns.choice(found.codes, self._lines)]))
        if names.listed or max(found.codes, default=0) >= UNDECIDED:
            some = [block.board(at) for at in range(boards)]
            return Text(self._render(names, some, found))
        shape = block.shape
        varying = {
            "source": source_columns(names) if self.form == "json" else csv_source_columns(names),
            "board": [board_column(block.cells, shape)],
            "verdict": [columns.choice(found.codes, [verdict.value.encode() for verdict in VERDICTS])],
        }
        sample = sample_facts(shape)
        if self.form == "json":
            made = json_columns(sample, varying, solution_columns(found.codes, found.solutions, shape))
        else:
            varying["solution"] = [columns.symbols(found.solutions, shape.cells, symbol_table(shape), found.codes)]
            made = csv_columns(self.view.columns, sample, varying)
        return Text(write_lines(boards, made))

    def _name(self, names: Names, found: BoardCodes) -> bytes:
        named = zip(names.take(len(found.codes)), found.codes, strict=True)
        text = "".join(f"{named_line(name, VERDICTS[code].value)}\n" for name, code in named)
        return text.encode(sys.stdout.encoding or "utf-8", "backslashreplace")

    def _render(self, names: Names, boards: Sequence[Board], found: BoardCodes) -> bytes:
        lines, size = [], found.shape.cells
        for at, (name, board) in enumerate(zip(names.take(len(boards)), boards, strict=True)):
            solution = bytes(found.solutions[at * size : (at + 1) * size])
            answer = make_answer(board, found.codes[at], solution, self.time_limit)
            lines.append(f"{self.view.render(name, answer, self.form)}\n")
        return "".join(lines).encode(errors="backslashreplace")


@lru_cache
def sample_facts(shape: Shape) -> dict[str, object]:
    """Return the facts of a line of JSON, for boards of a shape."""
    return {"source": "", **make_answer(Board.empty(shape), 0).to_dict()}
