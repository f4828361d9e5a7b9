"""Links that hold a board as plain text: SudokuWiki, Sudoku Exchange and ISS.

    SudokuWiki        bd=   a symbol for each cell; or S9B and a number in base 36 for each cell
    Sudoku Exchange   s=    a symbol for each cell
    ISS               q=    a symbol for each cell; S³ pencil marks; or .~R1C1_5~R1C2_1_2

ISS is the interactive Sudoku solver of sigh.github.io. The numbers of SudokuWiki are described by
github.com/BlueAnt1/puzzle-coding: 1 … S is a clue, S + 1 … 2S a digit that a solver has entered,
and a larger number the candidates that the solver has left. Only clues are read.
"""

from __future__ import annotations

import re

from enumerator.board.board import Board
from enumerator.board.links.payload import LinkError, RuleError, plain_board, shown, usual_shape
from enumerator.board.shape import Shape

WIKI_PUZZLES = {
    "D": "KenDoku cages",
    "J": "jigsaw regions",
    "K": "KenKen cages",
    "L": "killer cages",
    "M": "killer cages",
    "T": "Str8ts compartments",
    "W": "Windoku regions",
    "X": "diagonals",
}
"""The kinds of puzzles of SudokuWiki other than Sudoku, by the first letter of their text."""

ISS_RULES = {
    "AntiConsecutive": "the non-consecutive rule",
    "AntiKing": "the anti-king rule",
    "AntiKnight": "the anti-knight rule",
    "Arrow": "arrows",
    "Between": "between lines",
    "Cage": "killer cages",
    "Diagonal": "a diagonal",
    "DisjointSets": "disjoint groups",
    "Jigsaw": "jigsaw regions",
    "LittleKiller": "little killer sums",
    "NoBoxes": "no boxes",
    "Palindrome": "palindromes",
    "Quad": "quadruples",
    "Renban": "renban lines",
    "Sandwich": "sandwich sums",
    "Skyscraper": "skyscrapers",
    "Thermo": "thermometers",
    "Whisper": "whispers",
    "Windoku": "Windoku regions",
    "XSum": "X-sums",
}
"""The names of rules of ISS. Others are shown as they are."""

ISS_GIVENS = ("", "Given", "Givens", "FixedValues")
"""The words before givens; the latter two are those of older links."""

_WIKI_TEXT = re.compile(r"([A-Z])([0-9A-Z])([A-Z])([0-9A-Z]*)")
_ISS_GIVEN = re.compile(r"R([1-9a-g])C([1-9a-g])((?:_[0-9]{1,2})+)", re.IGNORECASE)


def decode_wiki(text: str, shape: Shape | None) -> Board:
    """Return the board of a link to SudokuWiki."""
    if board := plain_board(text, shape):
        return board
    match = _WIKI_TEXT.fullmatch(text.upper())
    if match and match[1] in WIKI_PUZZLES:
        raise RuleError(WIKI_PUZZLES[match[1]])
    if not match or match[1] != "S" or match[3] != "B":
        raise LinkError(f"the board in the link, '{shown(text)}', is in a form that is not known")
    own = usual_shape(int(match[2], 36))
    width = _base_36_digits(2**own.size - 1 + 2 * own.size)
    if len(match[4]) != width * own.cells:
        raise LinkError(f"the board in the link has {len(match[4])} characters where {width * own.cells} are needed")
    numbers = (int(match[4][start : start + width], 36) for start in range(0, len(match[4]), width))
    return Board.from_cells(own, bytes(number if number <= own.size else 0 for number in numbers))


def _base_36_digits(number: int) -> int:
    digits = 1
    while 36**digits <= number:
        digits += 1
    return digits


def decode_exchange(text: str, shape: Shape | None) -> Board:
    """Return the board of a link to Sudoku Exchange."""
    if board := plain_board(text, shape):
        return board
    raise LinkError(f"'{shown(text)}' in the link is not a board")


def decode_iss(text: str) -> Board:
    """Return the board of a link to ISS."""
    text = re.sub(r"[\s+]+", "", text)  # a plus is an escaped blank
    if board := _iss_line(text) or _iss_marks(text):
        return board
    if not text.startswith("."):
        raise LinkError(f"'{shown(text)}' in the link is not a board")
    shape, givens = usual_shape(9), []
    for item in text[1:].split("."):
        kind, *words = item.split("~")
        if kind == "Shape":
            shape = _iss_shape("~".join(words))
        elif kind in ISS_GIVENS:
            givens += words
        elif kind != "Priority":  # an order of search, and no rule
            raise RuleError(ISS_RULES.get(kind) or f"the rule '{shown(kind)}'")
    masks = [(1 << shape.size) - 1] * shape.cells
    for given in givens:
        place, mask = _iss_given(given, shape)
        masks[place] &= mask
    return Board.from_allowed(shape, masks)


def _iss_line(text: str) -> Board | None:
    """Return the board of a line with a symbol for each cell; None if the text is not one.

    Beyond 9×9, digits are letters from A on. Any one other sign is an empty cell.
    """
    shape = Shape.of_cells(len(text))
    if shape is None:
        return None
    first = ord("1") if shape.size <= 9 else ord("A")
    digits = [ord(symbol) - first + 1 for symbol in text]
    others = {symbol for symbol, digit in zip(text, digits, strict=True) if not 0 < digit <= shape.size}
    if len(others) > 1:
        return None
    return Board.from_cells(shape, bytes(digit if 0 < digit <= shape.size else 0 for digit in digits))


def _iss_marks(text: str) -> Board | None:
    """Return the board of S symbols for each cell, each a digit that the cell allows or a dot."""
    size = round(len(text) ** (1 / 3))
    shape = Shape.of_size(size) if size**3 == len(text) and size <= 9 else None
    if shape is None or re.search("[^1-9.]", text) or any(int(digit) > size for digit in set(text) - {"."}):
        return None
    cells = (text[start : start + size] for start in range(0, len(text), size))
    return Board.from_allowed(shape, (sum(1 << (int(digit) - 1) for digit in set(cell) - {"."}) for cell in cells))


def _iss_shape(text: str) -> Shape:
    match = re.fullmatch(r"([0-9]{1,2})x([0-9]{1,2})(.*)", text)
    if not match:
        raise LinkError(f"'{shown(text)}' in the link is not the size of a board")
    if match[1] != match[2]:
        raise RuleError("a grid that is not a square")
    if match[3] not in ("", f"~{match[1]}", f"~1-{match[1]}"):
        raise RuleError("other digits")
    return usual_shape(int(match[1]))


def _iss_given(text: str, shape: Shape) -> tuple[int, int]:
    """Return the cell of a given, and the digits that it allows as a mask."""
    match = _ISS_GIVEN.fullmatch(text)
    row, column = (int(match[1], 17) - 1, int(match[2], 17) - 1) if match else (-1, -1)
    digits = {int(digit) for digit in match[3][1:].split("_")} if match else set()
    if max(row, column) >= shape.size or not digits or not all(0 < digit <= shape.size for digit in digits):
        raise LinkError(f"'{shown(text)}' in the link is not a given of {shape.title}")
    return row * shape.size + column, sum(1 << (digit - 1) for digit in digits)
