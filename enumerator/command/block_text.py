"""The answers for blocks of boards in print: counts, and lists of solutions."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil, log10
from threading import Event
from typing import TYPE_CHECKING, Any

from enumerator import engines
from enumerator.board import Board
from enumerator.command.csv_lines import csv_columns, csv_source_columns
from enumerator.command.json_lines import (
    board_column,
    json_columns,
    solution_columns,
    source_columns,
    symbol_table,
)
from enumerator.command.views import DRAWINGS, Text
from enumerator.engines import MOST, Tally
from enumerator.engines.blocks import Begun, BoardBlock, BoardCounts, BoardFacts, Cells, HardBoard
from enumerator.questions.chunks import Names
from enumerator.questions.count import CountAnswer, with_solution, worker_plan
from enumerator.questions.count import make_answer as make_count
from enumerator.questions.counter import Counter
from enumerator.questions.many import BlockQuestion, count_quickly
from enumerator.questions.solutions import pages, solution_list
from enumerator.text import columns
from enumerator.text.columns import Column, write_lines

if TYPE_CHECKING:
    from enumerator.command.request import Request
    from enumerator.command.views import View


class FactCounter(Counter):
    """A counter that also returns the facts and the solutions of a block."""

    def ask(self, block: BoardBlock, stop: Event) -> tuple[Any, int, Begun | None]:
        out = BoardCounts(block.boards)
        out.facts = BoardFacts(block.boards, block.shape)
        out.unique = bytearray(len(block.cells))
        return (out, *self.count_block(block, out, stop))

    def ask_hard(self, hard: HardBoard, stop: Event) -> Any:
        return self.try_hard(hard, stop)


class NumberCounter(FactCounter):
    """A counter that returns the numbers of solutions of a block."""

    def ask(self, block: BoardBlock, stop: Event) -> tuple[Any, int, Begun | None]:
        out = BoardCounts(block.boards)
        return (out, *self.count_block(block, out, stop))


class CountText:
    """The number of solutions of each board, as a line of JSON or CSV, or as a bare number."""

    def __init__(self, view: View[CountAnswer], request: Request) -> None:
        self.view, self.form, self.limit = view, request.form, request.plan.limit
        self.plan = worker_plan(request.plan)
        counter = NumberCounter if self.form == "number" else FactCounter
        self.counter = counter(request.plan, request.options.time_limit)

    def render(self, names: Names, block: BoardBlock, out: BoardCounts | CountAnswer) -> Text:
        """Return the answers for a block in print."""
        if isinstance(out, CountAnswer):
            (name,) = names.take(1)
            return Text(self._render(name, out).encode(errors="backslashreplace"))
        boards = block.boards
        if self.form == "number":
            number = [columns.number(out.counts)] if self.plan.limit is None else [self._choose(out, "{}", "{}+")]
            return Text(write_lines(boards, [*number, columns.text(b"\n")]))
        if names.listed or block.allowed or 0 in out.counts[:boards]:  # conflicts are named for 0 solutions
            lines = (self._render(name, self._answer(block, out, at)) for at, name in enumerate(names.take(boards)))
            return Text("".join(lines).encode(errors="backslashreplace"))
        return Text(write_lines(boards, self._columns(names, block, out, out.facts, out.unique or bytearray())))

    def _choose(self, out: BoardCounts, exact: str, beyond: str) -> Column:
        """Return a column of texts for counts up to the limit, and for those beyond it."""
        limit = self.plan.limit or 0
        texts = [exact.format(number) for number in range(limit + 1)]
        return columns.choice(out.counts, [text.encode() for text in [*texts, beyond.format(limit)]])

    def _columns(
        self, names: Names, block: BoardBlock, out: BoardCounts, facts: BoardFacts | None, unique: Cells
    ) -> list[Column]:
        if facts is None:
            raise RuntimeError("there are no facts")
        import json

        shape, limit = block.shape, self.plan.limit
        # one answer for each number of solutions that has a verdict of its own
        samples = [self._make(block.board(0), number) for number in range(3 if limit is None else limit + 2)]
        fillings = [round(1 - empty / shape.cells, 6) for empty in range(shape.cells + 1)]
        digits = ceil(shape.cells * log10(shape.size)) + 1
        varying = {
            "source": source_columns(names) if self.form == "json" else csv_source_columns(names),
            "board": [board_column(block.cells, shape)],
            "empty_cells": [columns.number(facts.empty_cells)],
            "filling_factor": [columns.choice(facts.empty_cells, [repr(share).encode() for share in fillings])],
            "search_space": [columns.product(facts.candidates, shape.size, digits)],
            "nodes": [columns.number(facts.nodes)],
            "seconds": [columns.seconds(facts.nanoseconds)],
            "verdict": [columns.choice(out.counts, [sample.verdict.encode() for sample in samples])],
            "solutions": [columns.number(out.counts) if limit is None else self._choose(out, "{}", "{}")],
        }
        if limit is not None:  # without one, all counts are complete
            ends = [(json.dumps(sample.complete).encode(), sample.ended.encode()) for sample in samples]
            varying["complete"] = [columns.choice(out.counts, [complete for complete, _ in ends])]
            varying["ended"] = [columns.choice(out.counts, [ended for _, ended in ends])]
        sample = {"source": "", **samples[0].to_dict()}
        if self.form == "json":
            return json_columns(sample, varying, solution_columns(out.counts, unique, shape))
        varying["solution"] = [columns.symbols(unique, shape.cells, symbol_table(shape), out.counts)]
        return csv_columns(self.view.columns, sample, varying)

    def _answer(self, block: BoardBlock, out: BoardCounts, number: int) -> CountAnswer:
        """Return the answer for a board of a block."""
        facts = out.facts
        answer = self._make(block.board(number), out.counts[number])
        if facts:
            answer = answer._replace(nodes=facts.nodes[number], seconds=facts.nanoseconds[number] / 1e9)
        return answer

    def _make(self, board: Board, found: int) -> CountAnswer:
        """Return the answer for a board with `found` solutions, or more than the limit."""
        sought = MOST if self.plan.sought is None else self.plan.sought
        tally = Tally(min(found, sought), complete=found < sought)
        if not tally.complete:
            tally = tally._replace(solutions=tally.solutions - 1)
        return make_count(board, tally, 0.0, self.plan)

    def _render(self, name: str, answer: CountAnswer) -> str:
        shown = answer if self.form == "number" else with_solution(answer, self.plan)
        return f"{self.view.render(name, shown, self.form)}\n"


class ListText(BlockQuestion[Text]):
    """Every solution of each board, one per line, in the order of the board's list."""

    def __init__(self, request: Request) -> None:
        self.plan = request.plan
        self.reports_none = request.form in DRAWINGS
        """True if a board without solutions gets a line on the terminal."""

    def ask(self, block: BoardBlock, stop: Event) -> tuple[Text, int, Begun | None]:
        shape, limit = block.shape, self.plan.limit
        engine = engines.first_counting_boards(shape, block.allowed is not None)
        budget = engine.list_nodes(shape, self.plan.pacing.sizes)
        if not budget:
            return Text(b""), 0, Begun()
        sought = MOST if limit is None else limit + 1
        out = BoardCounts(block.boards)
        out.listed = listed = bytearray((block.boards + min(sought, budget)) * shape.cells)
        boards, begun = count_quickly(block, out, budget, sought, stop)
        counts = out.counts[:boards].tolist()
        for number in self._with_message():
            if number in counts[:boards]:
                boards, begun = counts.index(number), Begun()
        solutions = sum(counts[:boards])
        made = [columns.symbols(listed, shape.cells, symbol_table(shape)), columns.text(b"\n")]
        return Text(write_lines(solutions, made), solutions), boards, begun

    def _with_message(self) -> Iterator[int]:
        """Yield the numbers of solutions that a message reports: more than the limit, or none."""
        if self.plan.limit is not None:
            yield self.plan.limit + 1
        if self.reports_none:
            yield 0

    def ask_hard(self, hard: HardBoard, stop: Event) -> Text | None:
        board = hard.board
        found = solution_list(board, self.plan)
        if self.plan.limit is not None or not found.is_short:
            return None
        text = bytearray().join(page.text for page in pages(found, board.shape, cores=1))
        if not text and self.reports_none:
            return None
        return Text(text, len(text) // (board.shape.cells + 1))
