"""Target: links to puzzles, made up, packed and written."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress

from bench.check.targets.inputs import PUZZLE, SHAPES, Input
from enumerator.board import Board
from enumerator.board.links import WRITABLE, LinkError, board_of, explain
from enumerator.board.links.lzstring import compress
from enumerator.board.reading import BoardError, parse
from enumerator.board.shape import Shape

PLACES = (
    "",
    "https://www.f-puzzles.com/?load=",
    "https://sudokupad.app/",
    "https://sudokupad.app/scl",
    "https://sudokupad.app/classic",
    "https://app.crackingthecryptic.com/sudoku/?puzzleid=",
    "https://www.sudokuwiki.org/sudoku.htm?bd=",
    "https://sudokuexchange.com/play/?s=",
    "https://sigh.github.io/Interactive-Sudoku-Solver/?q=",
)
"""The beginnings of links; the rest is made up."""

PACKED_PLACES = ("https://www.f-puzzles.com/?load=", "https://sudokupad.app/scl", "https://sudokupad.app/")
"""The beginnings of links whose rest is compressed."""

WORDS = (
    *(
        '{"size":4,"grid":[[',
        '"value":',
        '"given":true',
        '"givenPencilMarks":[',
        '"region":',
        '"regions":[[',
        '"cells":[[',
    ),
    *("{ce:[[", "re:[[[0,0],", "v:'", "'p':'", "fpuz", "fpuzzles", "scl", "ctc", "scf", "classic", "S9B", "S4B", "%2B"),
    *(".~R1C1_5", ".Shape~4x4", "_1_2", "&amp;", "?puzzleid=", "&load=", "https://", "www.", "1234341221434321"),
)


def check(data: bytes) -> None:
    """Any line is a board or an error. A link that is written is read as the same board."""
    given = Input(data)
    kind, chosen = given.number() % 3, given.number()
    if kind == 0:
        check_line(PLACES[chosen % len(PLACES)] + given.data.decode(errors="replace"), None)
    elif kind == 1:
        place = PACKED_PLACES[chosen % len(PACKED_PLACES)]
        check_line(place + compress(given.data.decode(errors="replace") + " " * 60), SHAPES[chosen % len(SHAPES)])
    else:
        check_round_trip(SHAPES[chosen % len(SHAPES)], WRITABLE[given.number() % len(WRITABLE)], given)


def check_line(line: str, shape: Shape | None) -> None:
    for own in {None, shape}:
        for entry in parse(line.splitlines(keepends=True), "x", own):
            if isinstance(entry.content, BoardError):
                assert str(entry.content).isprintable(), "an error that is not a line"
                assert len(str(entry.content)) < 1000, "an error that is too long"
            elif own is not None:
                assert entry.content.shape == own
    with suppress(LinkError):
        board_of(line)
    assert explain(line).isprintable(), "an explanation that is not a line"


def check_round_trip(shape: Shape, site: str, given: Input) -> None:
    cells = bytes(digit % (shape.size + 1) for digit in given.take(shape.cells)).ljust(shape.cells, b"\0")
    masks = [byte % (1 << shape.size) for byte in given.take(shape.cells)]
    allowed = [*masks, *[(1 << shape.size) - 1] * (shape.cells - len(masks))]
    board = Board.from_cells(shape, cells, tuple(allowed) if masks else None)
    try:
        link = board.link(site)
    except LinkError:
        assert shape.size > 16 or site == "sudokuwiki"
        return
    assert board_of(link) == Board.parse(link) == board, "not read as it was written"


def seeds() -> Iterator[bytes]:
    grid = [[{"value": int(digit), "given": True} if digit != "." else {} for digit in PUZZLE[:4]]] * 4
    regions = [
        [[row, column] for row in (top, top + 1) for column in (left, left + 1)] for top in (0, 2) for left in (0, 2)
    ]
    texts = [
        json.dumps({"size": 4, "grid": grid, "title": "x"}),
        json.dumps({"size": 4, "grid": grid, "killercage": [{"cells": ["R1C1"]}]}),
        json.dumps({"grid": [[{"givenPencilMarks": [1, 2], "region": 0}] * 4] * 4}),
        json.dumps({"cells": [[{"value": 1}, {}, {}, {}]] * 4, "regions": regions, "cages": [{"value": "a: b"}]}),
        "{ce:[[{v:1},,,],[,,,],[,,,],[,,,]],re:" + json.dumps(regions) + ",t:'x',ca:[{v:'a: b'}],f:t,c:#0}",
        json.dumps({"p": "1Z2", "n": ""}),
        "[" * 300,
    ]
    for number, text in enumerate(texts):
        for place in range(len(PACKED_PLACES)):
            yield bytes([1, place + len(PACKED_PLACES) * number]) + text.encode()
    iss = ".~R1C1_5~R1C2_1_2.Shape~9x9"
    for number, text in enumerate(("plain", "", PUZZLE, PUZZLE, "B6B91D7C2E15F4D9C3K6D4B3D25D4F8F87B4C5B7C3B", PUZZLE)):
        yield bytes([0, number]) + text.encode()
    for number, text in (
        (6, PUZZLE),
        (6, "S4B" + "0" * 16),
        (6, "J9B00"),
        (7, PUZZLE),
        (8, iss),
        (8, PUZZLE),
        (8, ".Cage~1"),
    ):
        yield bytes([0, number]) + text.encode()
    yield b"\0\0" + Board.parse(PUZZLE).link("fpuzzles").encode()
    for shape in (Shape(2, 2), Shape(2, 3), Shape(3, 2), Shape(3, 3), Shape(4, 4), Shape(5, 5)):
        for site in range(3):
            yield bytes([2, SHAPES.index(shape), site, 1, 2, 0, 3]) + bytes(shape.cells) + b"\7\3" * (site == 1)
