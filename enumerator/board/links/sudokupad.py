"""SudokuPad: the forms of its puzzles other than that of f-puzzles.

    scl…, ctc…     JSON of its own, compressed with LZ-string; short names and quotes may be left out
    classic…       digits, each with the number of empty cells after it
    scf…           the same, followed by letters for rules
    53..7…         one symbol for each cell

Each `value` of a cell is a clue; what a solver has entered is not in a link. The forms are those of
github.com/SudokuPad/sudokutools.
"""

from __future__ import annotations

import re

from enumerator.board.board import Board
from enumerator.board.links import fpuzzles
from enumerator.board.links.payload import (
    LinkError,
    RemoteError,
    RuleError,
    load_json,
    plain_board,
    read_digit,
    read_rows,
    shape_of_regions,
    shown,
    unpack,
)
from enumerator.board.shape import LARGEST

SHORT_NAMES = {
    "a": "arrows",
    "ca": "cages",
    "ce": "cells",
    "cs": "cellSize",
    "l": "lines",
    "o": "overlays",
    "re": "regions",
    "t": "title",
    "u": "underlays",
    "v": "value",
    "vd": "videos",
}
"""The short names of those fields that are read here."""

RULES = {
    "antiking": "the anti-king rule",
    "antiknight": "the anti-knight rule",
    "arrows": "arrows",
    "cages": "cages",
    "lines": "lines",
    "nonconsecutive": "the non-consecutive rule",
    "norowcol": "rows and columns that may repeat digits",
    "overlays": "symbols drawn on the grid",
    "underlays": "symbols drawn below the grid",
}
"""The names of rules, and of drawings that may stand for one. Others are shown as they are."""

HARMLESS = frozenset(
    [
        *("author", "cellSize", "cells", "duration", "foglight", "global", "id", "metadata", "regions"),
        *("rules", "settings", "solution", "title", "videos"),
    ]
)
"""The fields that do not change which solutions there are, and those that are read here."""

GLOBAL_RULES = ("antiking", "antiknight", "nonconsecutive", "norowcol")
"""The rules that are named in `global` or in `metadata`."""

_RUNS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwx"
"""The symbols of a digit d and n empty cells after it: symbol 10n + d."""

_BLANKS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz()[]-.~:@!$&'*,;=_"
"""The symbols of n empty cells, in the older form."""

_TOKEN = re.compile(r"""\s+|("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|([][{},:])|([^][{},:\s"']+)|.""", re.DOTALL)
_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?")
_REMOTE_ID = re.compile(r"[\w-]{1,40}(/[\w.-]{1,80})*")


def decode(name: str) -> Board:
    """Return the board of a puzzle's name, the last part of a link. Raise LinkError if it has none."""
    if match := re.match("fpuz(?:zles)?(?=N4|.{40})", name):
        return fpuzzles.decode(load_json(unpack(name[match.end() :])))
    if match := re.match("(?:scl|ctc)(?=.{40})", name):
        return read_puzzle(load_zipped(unpack(name[match.end() :])))
    if match := re.match("(?:classic|scf)(?=.{15})", name):
        return _classic(name[match.end() :])
    if board := plain_board(name):
        return board
    if len(name) > 60 and not re.search("[^A-Za-z0-9+/=]", name):
        return _nameless(unpack(name))
    raise RemoteError if _REMOTE_ID.fullmatch(name) else LinkError("the link has no puzzle")


def _nameless(text: str) -> Board:
    """Return the board of a payload without a prefix, as in links to sudokupad.svencodes.com/puzzle."""
    puzzle = load_zipped(text)
    if isinstance(puzzle, dict) and isinstance(puzzle.get("p"), str):
        return _classic(str(puzzle["p"]))
    return fpuzzles.decode(puzzle) if isinstance(puzzle, dict) and "grid" in puzzle else read_puzzle(puzzle)


def read_puzzle(puzzle: object) -> Board:
    """Return the board of a puzzle in SudokuPad's own JSON."""
    if not isinstance(puzzle, dict):
        raise LinkError("the link has no puzzle of SudokuPad")
    fields: dict[str, object] = {SHORT_NAMES.get(str(name), str(name)): value for name, value in puzzle.items()}
    for name, value in fields.items():
        if value and name not in HARMLESS and not (name == "cages" and _are_remarks(value)):
            raise RuleError(RULES.get(name) or f"the rule '{shown(name)}'")
    for named in (fields.get("global"), fields.get("metadata")):
        for rule in GLOBAL_RULES:
            if isinstance(named, list | dict) and rule in named and (isinstance(named, list) or named[rule]):
                raise RuleError(RULES[rule])
    cells = read_rows(fields.get("cells"), "cells")
    size = round(len(cells) ** 0.5)
    shape = shape_of_regions(_regions(fields.get("regions"), size), size)
    values = (cell.get("value", cell.get("v")) for cell in cells)
    return Board.from_cells(shape, bytes(read_digit(value, shape, place) for place, value in enumerate(values)))


def _are_remarks(cages: object) -> bool:
    if not isinstance(cages, list) or not all(isinstance(cage, dict) for cage in cages):
        return False
    return fpuzzles.is_remarks([{SHORT_NAMES.get(name, name): cage[name] for name in cage} for cage in cages])


def _regions(regions: object, size: int) -> list[int]:
    """Return the number of the region of each cell. A list of regions lists rows and columns."""
    if not isinstance(regions, list) or not regions:
        raise RuleError("no boxes")
    found = [-1] * size**2
    for number, region in enumerate(regions):
        for place in region if isinstance(region, list) else [None]:
            if not (isinstance(place, list) and len(place) == 2 and all(type(index) is int for index in place)):
                raise LinkError("a region in the link is not a list of cells")
            row, column = place
            if not (0 <= row < size and 0 <= column < size):
                raise RuleError("cells outside of the grid")
            if found[row * size + column] != -1:
                raise RuleError("irregular regions")
            found[row * size + column] = number
    return found


def _classic(packed: str) -> Board:
    """Return the board of digits with the numbers of empty cells after them."""
    longest = LARGEST**4
    runs = [_RUNS.find(symbol) for symbol in packed[:longest]]
    cells = "".join(str(run % 10) + "0" * (run // 10) for run in runs if run >= 0)
    if -1 not in runs and (board := plain_board(cells)):
        return board
    if len(cells) > 81 and (board := plain_board(cells[:81])) and packed[-1] in "wx":
        raise RuleError("a diagonal" if packed[-1] == "x" else "extra regions")
    older = "".join("." * _BLANKS.find(symbol) if symbol in _BLANKS else symbol for symbol in packed[:longest])
    if board := plain_board(older[: longest + 1]):
        return board
    raise LinkError("the puzzle in the link cannot be unpacked: its length fits no board")


def load_zipped(text: str) -> object:
    """Return the value of a text in JSON, or in the shorter form that SudokuPad writes.

    There, names are not quoted, quotes are single, `t` and `f` are true and false, and an empty
    object is left out.
    """
    try:
        return load_json(text)
    except LinkError:
        return load_json(_to_json(text))


def _to_json(text: str) -> str:
    import json

    parts: list[str] = []
    before = ""
    """The sign before the place that is read; "value" after a value."""
    unquoted = ""
    """The word before the place that is read, if there is one. Before a colon it is a name."""
    for string, sign, word in (match.groups() for match in _TOKEN.finditer(text)):
        if sign:
            if (sign == "," and before in ("[", ",", ":")) or (sign == "]" and before == ","):
                parts.append("{}")
            elif sign == ":" and unquoted:
                parts[-1] = json.dumps(unquoted)
            parts.append(sign)
            before, unquoted = "value" if sign in "]}" else sign, ""
        elif string or word:
            parts.append(json.dumps(string[1:-1].replace("\\'", "'")) if string else _to_json_word(word))
            before, unquoted = "value", word or ""
    return "".join(parts)


def _to_json_word(word: str) -> str:
    import json

    if _NUMBER.fullmatch(word) or word in ("true", "false", "null"):
        return word
    return {"t": "true", "f": "false"}.get(word) or json.dumps(word)
