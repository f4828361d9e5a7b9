"""Target: boards with clues, pencil marks and empty masks, in every form that a face writes, read again.

Reading gives the same board, a refusal, or a remark that names the other reading; never another board in
silence. A new form is a line in FORMS. `python -m bench fuzz forms --boards N` checks random boards.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import NamedTuple

from bench.check.targets.inputs import SHAPES, Input
from bench.common.boards import as_numbers
from enumerator.board import Board, Shape
from enumerator.board.links import WRITABLE, LinkError
from enumerator.board.reading import parse
from enumerator.board.writing import as_drawing
from enumerator.command.terminal import CandidatesDrawing
from enumerator.questions.candidates import CandidatesAnswer
from enumerator.questions.fields import board_facts
from enumerator.questions.read import ReadAnswer, read_first


class Form(NamedTuple):
    """A form of boards. `write` returns None for a board that has no such form."""

    write: Callable[[Board], str | None]
    kept: Callable[[Board], Board]
    """What the form keeps of a board."""
    names_shape: bool = False
    """True if a text of the form names or draws the boxes of its board."""
    largest: int = 64
    """Larger boards take long."""


def whole(board: Board) -> Board:
    return board


def clues(board: Board) -> Board:
    """Return a board without its pencil marks, which drawings and numbers do not have."""
    return Board.from_valid(board.shape, board.cells)


def candidates(board: Board) -> Board:
    """Return the board that a drawing of candidates shows: without solutions, its clues and empty masks."""
    if board.allowed is None or 0 not in board.allowed:
        return board
    masks = [1 << (digit - 1) if digit else 0 for digit in board.cells]
    return Board.from_allowed(board.shape, masks)


def answer_for(board: Board) -> CandidatesAnswer:
    """Return an answer in which each digit that a cell allows is in some solution."""
    size, every = board.shape.size, (1 << board.shape.size) - 1
    counts = []
    for mask in candidates(board).allowed or [1 << (digit - 1) if digit else every for digit in board.cells]:
        row = [mask >> bit & 1 for bit in range(size)]
        if mask and not (board.allowed and 0 in board.allowed):
            row[row.index(1)] += size - sum(row)
        counts.append(row)
    if board.allowed and 0 in board.allowed:
        counts = [[0] * size] * board.shape.cells
    return CandidatesAnswer(board, counts, "search", 1, 0.0)


def drawn_candidates(shades: str | None, ascii: bool, width: int, board: Board) -> str:  # noqa: A002
    return CandidatesDrawing(answer_for(board), shades, ascii, width).draw().plain


def link(site: str, board: Board) -> str | None:
    try:
        return board.link(site)
    except LinkError:
        return None


def json_line(board: Board) -> str:
    return json.dumps({"source": "x", **board_facts(board)})


def json_of_read(board: Board) -> str:
    return json.dumps(ReadAnswer(board).to_dict())


def csv_line(board: Board) -> str:
    return f"source,board,cell,digit,count,solutions,error\nx,{board},r1c1,1,2,3,\n"


FORMS = {
    "str": Form(str, whole),
    "clues": Form(lambda board: board.clues, clues),
    "repr": Form(repr, whole, names_shape=True),
    "grid": Form(as_drawing, clues, names_shape=True),
    "grid in ASCII": Form(partial(as_drawing, ascii=True), clues, names_shape=True),
    "numbers": Form(as_numbers, clues),
    "rows": Form(lambda board: str(board.rows()), clues),
    "JSON": Form(json_line, whole, names_shape=True),
    "JSON of the page": Form(json_of_read, whole, names_shape=True, largest=25),
    "CSV": Form(csv_line, whole),
    "address": Form(lambda board: f"http://127.0.0.1:8000/#{board.shape}/{board}", whole, names_shape=True),
    "fragment": Form(lambda board: f"#{board.shape}/{board}", whole, names_shape=True),
    **{site: Form(partial(link, site), whole, names_shape=True, largest=25) for site in WRITABLE},
    "candidates": Form(partial(drawn_candidates, "truecolor", False, 2), candidates, True, 16),
    "candidates, letters": Form(partial(drawn_candidates, None, False, 3), candidates, True, 16),
    "candidates, narrow, ASCII": Form(partial(drawn_candidates, None, True, 2), candidates, True, 16),
    "table of candidates": Form(lambda board: answer_for(board).table(), candidates, largest=16),
}
"""Every form that a face writes, with what it keeps."""


def check_form(name: str, board: Board) -> str:
    """Write a board and read it again: return "same", "remark" or "refused"; raise AssertionError otherwise."""
    form = FORMS[name]
    if board.shape.size > form.largest or (text := form.write(board)) is None:
        return "not written"
    kept = form.kept(board)
    outcome = _outcome(text, kept, board.shape)
    if form.names_shape or Shape.of_size(board.shape.size) == board.shape:
        outcome = _outcome(text, kept, None)
    if name in ("address", "fragment"):
        answer = read_first(str(board), board.shape)  # what the page asks, see address.js
        assert (answer.board, answer.remarks) == (board, ()), f"{name}: the page reads another board"
    elif name == "repr":
        assert eval(text, {"Board": Board}) == board, "repr evaluates to another board"
    return outcome


def _outcome(text: str, kept: Board, shape: Shape | None) -> str:
    entries = list(parse(text.splitlines(keepends=True), "x", shape))
    if not entries:
        return "refused"
    found = [entry.content for entry in entries if isinstance(entry.content, Board)]
    if found == [kept] and len(entries) == 1:
        return "same"
    if len(found) < len(entries):
        return "refused"
    remarks = " ".join(remark for entry in entries for remark in entry.remarks)
    assert f"--shape {kept.shape} reads" in remarks or (len(found) > 1 and "--shape" in remarks), (
        f"another board in silence, as {shape}: {kept!r} as {text!r} is read as {entries!r:.2000}"
    )
    return "remark"


def random_board(shape: Shape, rng: random.Random) -> Board:
    """Return a board of some clues, or of pencil marks of which some are empty."""
    size, cells, kind = shape.size, shape.cells, rng.randrange(8)
    share = rng.choice([0.0, 0.02, 0.3, 0.7, 1.0])
    if kind < 3:
        return Board.from_valid(shape, bytes(rng.randint(1, size) if rng.random() < share else 0 for _ in range(cells)))
    if kind == 3:  # clues that look like pencil marks
        part = rng.choice([divisor for divisor in range(2, size + 1) if size % divisor == 0])
        return Board.from_valid(shape, bytes(cell % part + 1 if rng.random() < share else 0 for cell in range(cells)))
    every = (1 << size) - 1
    masks = [every if rng.random() < share else rng.randint(1, every) for _ in range(cells)]
    if kind > 5:
        empty = rng.choice([0.02, 0.4, 0.9])
        masks = [0 if rng.random() < empty else mask for mask in masks]
    if kind % 2:
        masks = [mask if rng.random() < 0.8 else 1 << rng.randrange(size) for mask in masks]
    return Board.from_allowed(shape, masks)


def check(data: bytes) -> None:
    """A board goes through one form."""
    given = Input(data)
    shape, name = SHAPES[given.number() % len(SHAPES)], list(FORMS)[given.number() % len(FORMS)]
    check_form(name, random_board(shape, random.Random(given.data)))


def seeds() -> Iterator[bytes]:
    for number, shape in enumerate(SHAPES):
        if shape.size <= 16:  # larger ones take longer, and find nothing new
            yield from (bytes([number, form, number + form]) for form in range(number % 2, len(FORMS), 2))


@cache
def _weights() -> list[float]:
    """Return how often each shape occurs: most boards are small, so that many boards take minutes.

    Of a million boards, 740,000 are 4×4, 16,000 are 9×9, and 9,000 are 16×16.
    """
    return [1.0 if shape.size <= 4 else 16.0 * shape.size**-3.0 for shape in SHAPES]


def check_many(boards: int, seed: int = 0, with_all_shapes: bool = True) -> dict[str, int]:
    """Check random boards; return the outcomes.

    `with_all_shapes`, the first boards are one of each shape, in every form. The others are in one form each,
    by turns.
    """
    rng, outcomes = random.Random(seed), dict[str, int]()
    names = list(FORMS)
    for number in range(boards):
        is_first = with_all_shapes and number < len(SHAPES)
        board = random_board(SHAPES[number] if is_first else rng.choices(SHAPES, _weights())[0], rng)
        for name in names if is_first else [names[number % len(names)]]:
            outcome = check_form(name, board)
            outcomes[outcome] = outcomes.get(outcome, 0) + 1
    return outcomes


def summary(boards: int, outcomes: dict[str, int]) -> str:
    """Return the result of `check_many` as a sentence."""
    words = {"same": "the same board", "remark": "another one with a remark"}
    names = ("same", "remark", "refused", "not written")
    counts = ", ".join(f"{outcomes.get(name, 0):,} {words.get(name, name)}" for name in names)
    return f"forms: {boards:,} boards, {len(FORMS)} forms: {counts}, 0 silent differences"
