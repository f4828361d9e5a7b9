"""f-puzzles: a puzzle as JSON, compressed with LZ-string.

    size, grid             rows of cells
    value, given           of a cell: a digit; it is a clue if `given` is true
    givenPencilMarks       of a cell: the digits that the setter allows there; none: every digit
    region                 of a cell: the number of its region, where it is not the usual box
    killercage, …          lists of rules; diagonal+, … are true or false

Digits and pencil marks that a solver has entered are neither clues nor restrictions. The names of
the fields are those of the public decoders of SudokuPad (github.com/SudokuPad/sudokutools) and of
Rangsk's solver (github.com/dclamage/SudokuSolver).
"""

from __future__ import annotations

from enumerator.board.board import Board
from enumerator.board.links.payload import (
    LinkError,
    RuleError,
    read_digit,
    read_rows,
    shape_of_regions,
    shown,
    usual_shape,
)
from enumerator.board.shape import Shape

LARGEST_SIZE = 16
"""The number of digits of the largest board that f-puzzles has."""

RULES = {
    "antiking": "the anti-king rule",
    "antiknight": "the anti-knight rule",
    "arrow": "arrows",
    "betweenline": "between lines",
    "cage": "drawn cages",
    "circle": "drawn circles",
    "clone": "clones",
    "diagonal+": "a diagonal",
    "diagonal-": "a diagonal",
    "difference": "difference dots",
    "disjointgroups": "disjoint groups",
    "entropicline": "entropic lines",
    "even": "even cells",
    "extraregion": "extra regions",
    "killercage": "killer cages",
    "line": "drawn lines",
    "littlekillersum": "little killer sums",
    "lockout": "lockout lines",
    "maximum": "maximum cells",
    "minimum": "minimum cells",
    "negative": "negative constraints",
    "nonconsecutive": "the non-consecutive rule",
    "odd": "odd cells",
    "palindrome": "palindromes",
    "quadruple": "quadruples",
    "ratio": "ratio dots",
    "rectangle": "drawn rectangles",
    "regionsumline": "region sum lines",
    "renban": "renban lines",
    "sandwichsum": "sandwich sums",
    "skyscraper": "skyscrapers",
    "text": "drawn text",
    "thermometer": "thermometers",
    "whispers": "whispers",
    "xsum": "X-sums",
    "xv": "XV clues",
}
"""The names of rules, and of drawings that may stand for one. Others are shown as they are."""

HARMLESS = frozenset(
    [
        *("author", "disabledlogic", "foglight", "fogofwar", "grid", "highlightConflicts", "id", "metadata"),
        *("msgcorrect", "ruleset", "size", "solution", "successMessage", "title", "truecandidatesoptions"),
    ]
)
"""The fields that do not change which solutions there are."""


def decode(puzzle: object) -> Board:
    """Return the board of a puzzle in the JSON of f-puzzles. Raise LinkError if there is none."""
    if not isinstance(puzzle, dict):
        raise LinkError("the link has no puzzle of f-puzzles")
    for name, value in puzzle.items():
        if value and name not in HARMLESS and not (name == "cage" and is_remarks(value)):
            raise RuleError(RULES.get(name) or f"the rule '{shown(name)}'")
    cells = read_rows(puzzle.get("grid"), "grid")
    size = round(len(cells) ** 0.5)
    shape = _shape(cells, size)
    digits = bytes(
        read_digit(cell.get("value"), shape, place) if cell.get("given") else 0 for place, cell in enumerate(cells)
    )
    return Board.from_cells(shape, digits, tuple(_mask(cell, shape, place) for place, cell in enumerate(cells)))


def is_remarks(cages: object) -> bool:
    """Return True if cages are remarks such as "title: …", which have no cells."""
    return isinstance(cages, list) and all(
        isinstance(cage, dict) and not cage.get("cells") and isinstance(text := cage.get("value"), str) and ":" in text
        for cage in cages
    )


def _shape(cells: list[dict[str, object]], size: int) -> Shape:
    if not any("region" in cell for cell in cells):
        return usual_shape(size)
    usual = Shape.of_size(size)
    regions = []
    for place, cell in enumerate(cells):
        region = cell.get("region", usual.place(place)[2] if usual else -1)
        if isinstance(region, str) and region.isdecimal() and len(region) < 4:
            region = int(region)
        if type(region) is not int:
            raise RuleError("cells without a region")
        regions.append(region)
    return shape_of_regions(regions, size)


def _mask(cell: dict[str, object], shape: Shape, place: int) -> int:
    """Return the digits that a cell allows, as a mask."""
    marks = cell.get("givenPencilMarks")
    if not marks:
        return (1 << shape.size) - 1
    if not isinstance(marks, list):
        raise LinkError("the pencil marks in the link are not a list")
    digits = {read_digit(mark, shape, place) for mark in marks} - {0}
    return sum(1 << (digit - 1) for digit in digits)


def encode(board: Board) -> str:
    """Return a board as JSON of f-puzzles. Raise LinkError if it is too large."""
    import json

    shape = board.shape
    if shape.size > LARGEST_SIZE:
        raise LinkError(f"{shape.title} is too large for f-puzzles and SudokuPad: they have at most 16×16")
    is_usual = shape == Shape.of_size(shape.size)
    cells: list[dict[str, object]] = []
    for place, digit in enumerate(board.cells):
        cell: dict[str, object] = {"value": digit, "given": True} if digit else {}
        if not digit and board.allowed and (mask := board.allowed[place]) != (1 << shape.size) - 1:
            cell["givenPencilMarks"] = [digit for digit in range(1, shape.size + 1) if mask >> (digit - 1) & 1]
            if not mask:  # no marks would mean every digit, so a clue contradicts its mark
                cell = {"value": 1, "given": True, "givenPencilMarks": [2]}
        if not is_usual:
            cell["region"] = shape.place(place)[2]
        cells.append(cell)
    rows = [cells[start : start + shape.size] for start in range(0, shape.cells, shape.size)]
    return json.dumps({"size": shape.size, "grid": rows}, separators=(",", ":"))
