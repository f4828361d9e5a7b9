"""Verdicts in print: unique, multiple or none, for all boards of some files, in order, as fast as they can be read."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from itertools import count, islice, repeat
from threading import Event
from typing import NamedTuple

from enumerator.board import Board, Shape
from enumerator.board.files import STANDARD_INPUT, Block, open_blocks
from enumerator.board.reading import BoardError, Entry
from enumerator.command.console import ANSWERED, INTERRUPTED, UNUSABLE, complain
from enumerator.command.request import Request
from enumerator.questions.classify import CHUNK, VERDICTS, Interrupted, classified
from enumerator.run.ordered import in_turn
from enumerator.run.readahead import Ahead

ENTRIES = 64
"""Boards that are not one a line are classified so many at a time."""

READ_AHEAD = 64
"""Chunks that are read before they are asked for, where nobody knows when the next one comes."""

ALONE_BYTES = 100_000
"""Files shorter than this, all together, are not worth a thread."""


class Answer(NamedTuple):
    """What is to be printed, and what is wrong."""

    text: str
    complaints: list[str]


def classify(names: list[str], shape: Shape | None, request: Request, length: int) -> int:
    """Print a verdict for each board of some files, that are about so long."""
    status, stop = ANSWERED, Event()
    is_open = STANDARD_INPUT in names or not length
    cores = 1 if length < ALONE_BYTES and not is_open else request.plan.effective_cores()
    chunks: Iterable[Block | list[Entry]] = split(names, shape)
    ahead = Ahead(chunks, READ_AHEAD) if is_open and cores > 1 else None

    def work(chunk: Block | list[Entry]) -> tuple[Answer, list[Block | list[Entry]]]:
        return judge(chunk, request.rendering == "json", stop), []

    try:
        for answer in in_turn(work, chunks if ahead is None else ahead, cores, stop):
            sys.stdout.write(answer.text)
            if answer.complaints:
                sys.stdout.flush()
                status = UNUSABLE
                for complaint in answer.complaints:
                    complain(complaint)
            if is_open:
                sys.stdout.flush()
        sys.stdout.flush()
    except KeyboardInterrupt:
        status = INTERRUPTED
        sys.stdout.flush()
        complain("interrupted: not all boards are classified")
    finally:
        stop.set()
        if ahead is not None:
            ahead.close()
    return status


def split(names: list[str], shape: Shape | None) -> Iterator[Block | list[Entry]]:
    """The boards of files, in chunks."""
    for name in names:
        parts = open_blocks(name, shape)
        for part in parts:
            if isinstance(part, Block):
                size = CHUNK * part.shape.cells
                for number, first in enumerate(range(0, len(part.cells), size)):
                    yield part._replace(line=part.line + number * CHUNK, cells=part.cells[first : first + size])
            else:  # from here on it is one by one
                most = 1 if name == STANDARD_INPUT else ENTRIES
                yield [part, *(entry for entry in islice(parts, most - 1) if isinstance(entry, Entry))]


def judge(chunk: Block | list[Entry], in_full: bool, stop: Event) -> Answer:
    """The verdicts on some boards; in full, as JSON, with the solution where there is one."""
    if isinstance(chunk, list):
        answers = [judge_entry(entry, in_full, stop) for entry in chunk]
        return Answer("".join(one.text for one in answers), [wrong for one in answers for wrong in one.complaints])
    names = (f"{chunk.source}:{line}" for line in count(chunk.line))
    return Answer("".join(verdicts(names, chunk.shape, chunk.cells, in_full, stop)), [])


def judge_entry(entry: Entry, in_full: bool, stop: Event) -> Answer:
    """The verdict on one board, or what is wrong with it."""
    board = entry.content
    if isinstance(board, BoardError):
        return Answer("", [str(board)])
    return Answer("".join(verdicts([entry.name], board.shape, board.cells, in_full, stop)), [])


def verdicts(names: Iterable[str], shape: Shape, cells: bytes, in_full: bool, stop: Event) -> Iterable[str]:
    """A line for each board; none, if there is no use in them any more."""
    try:
        counts, solutions = classified(cells, shape, in_full, stop)
    except Interrupted:
        return []
    if not in_full:
        return map(LINES.__getitem__, counts)
    solved = (solutions[first : first + shape.cells] for first in range(0, len(solutions), shape.cells))
    return map(as_json, names, repeat(shape), counts, solved)


LINES = [f"{verdict}\n" for verdict in VERDICTS]


def as_json(source: str, shape: Shape, solutions: int, solution: bytes) -> str:
    """A verdict in full: with the solution, if there is one and no other."""
    verdict = {"source": source, "shape": str(shape), "verdict": str(VERDICTS[solutions])}
    if solutions == 1:
        verdict["solution"] = str(Board(shape, solution))
    return json.dumps(verdict) + "\n"
