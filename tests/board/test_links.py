"""Links to puzzles: each site's forms, what is refused and how, and links that are written."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.boards import NINE, PUZZLE, ROWS, SHAPES, with_clues

from enumerator.board import Board, Shape
from enumerator.board.files import open_boards
from enumerator.board.links import WRITABLE, LinkError, board_of, write_link
from enumerator.board.links.lzstring import compress
from enumerator.board.links.payload import shapes_of
from enumerator.board.reading import BoardError, parse

BOARD = Board.parse(PUZZLE)
ZEROS = PUZZLE.replace(".", "0")
WIKI = "https://www.sudokuwiki.org/sudoku.htm?bd="
ISS = "https://sigh.github.io/Interactive-Sudoku-Solver/?q="


def cells_of(board: Board = BOARD, **more: object) -> list[list[dict[str, Any]]]:
    """Return the grid of a board in the JSON of f-puzzles; `more` fields for each empty cell."""
    cells = [{"value": digit, "given": True} if digit else dict(more) for digit in board.cells]
    return [cells[start : start + board.shape.size] for start in range(0, board.shape.cells, board.shape.size)]


def fpuzzles(grid: object = None, **fields: object) -> str:
    return "https://www.f-puzzles.com/?load=" + compress(json.dumps({"size": 9, "grid": grid or cells_of(), **fields}))


def boxes(shape: Shape) -> list[list[list[int]]]:
    """Return the boxes of a shape as lists of rows and columns."""
    regions: list[list[list[int]]] = [[] for _ in range(shape.size)]
    for cell in range(shape.cells):
        row, column, box = shape.place(cell)
        regions[box].append([row, column])
    return regions


def deep(depth: int) -> list[object]:
    """Return a list in a list in a list …"""
    found: list[object] = []
    for _ in range(depth):
        found = [found]
    return found


def own_json(board: Board, **fields: object) -> dict[str, object]:
    """Return a board in the JSON of SudokuPad."""
    grid = [[{"value": cell["value"]} if cell else {} for cell in row] for row in cells_of(board)]
    return {"cellSize": 64, "cells": grid, "regions": boxes(board.shape), **fields}


def sudokupad(prefix: str = "scl", /, **fields: object) -> str:
    return f"https://sudokupad.app/{prefix}" + quote(compress(json.dumps(own_json(BOARD, **fields))), safe="")


def numbers_in_base_36(board: Board) -> str:
    return "".join(f"0{digit}" for digit in board.cells)


NESTED = '{"cs":64,"ce":' + "[" * 100_000

LINKS = [
    fpuzzles(),
    fpuzzles(title="Mine", author="me", ruleset="Normal Sudoku rules apply.", killercage=[], antiknight=False),
    fpuzzles(cells_of(value=3)),  # entered by a solver: not given
    fpuzzles(cells_of(value=3, given=False, centerPencilMarks=[1, 2], cornerPencilMarks=[7])),
    fpuzzles(cells_of(givenPencilMarks=[], c="#ffa0a0", highlight=0)),
    fpuzzles([[{**cell, "value": str(cell.get("value", ""))} for cell in row] for row in cells_of()]),
    fpuzzles(cage=[{"value": "title: Mine"}]),
    fpuzzles().replace("https://www.", ""),
    fpuzzles().replace("https://www.", "http://"),
    fpuzzles()
    .replace("+", "%2B")
    .replace("/", "%2F")
    .replace("=", "%3D")
    .replace("load%3D", "load=")
    .replace("%2F", "/", 3),
    fpuzzles() + "&x=1#there",
    f"<{fpuzzles()}>",
    f"[My puzzle]({fpuzzles()})",
    f"My puzzle: {fpuzzles()} by me",
    f"2026-11-18 12:30 Anextraordinarilylongtitle {fpuzzles()}",
    f'"{fpuzzles()}",4.5,name',
    f"{fpuzzles()}.",
    fpuzzles().replace("https://www.f-puzzles.com/?load=", "https://sudokupad.app/fpuz"),
    fpuzzles().replace("https://www.f-puzzles.com/?load=", "https://sudokupad.app/fpuzzles") + "?setting-nogrid=1",
    fpuzzles().replace(
        "https://www.f-puzzles.com/?load=", "https://app.crackingthecryptic.com/sudoku/?puzzleid=fpuzzles"
    ),
    sudokupad(),
    sudokupad("ctc"),
    sudokupad(metadata={"title": "Mine", "antiknight": False}, cages=[{"value": "author: me"}], lines=[]),
    sudokupad().replace("sudokupad.app/", "sudokupad.app/sudoku/"),
    f"https://sudokupad.app/{ZEROS}",
    f"https://sudokupad.app/sudoku/{PUZZLE}",
    f"https://app.crackingthecryptic.com/sudoku/?puzzleid={PUZZLE}",
    WIKI + PUZZLE,
    WIKI + ZEROS,
    f"sudokuwiki.org/sudoku.htm?bd={ZEROS}",
    WIKI + "S9B" + numbers_in_base_36(BOARD),
    WIKI + "s9b" + numbers_in_base_36(BOARD),
    f"https://www.sudokuwiki.org/sudoku.asp?x=1&amp;bd={ZEROS}",
    f"https://sudokuexchange.com/play/?s={ZEROS}",
    f"https://sudokuexchange.com/play?s={PUZZLE}&d=4",
    ISS + PUZZLE,
    ISS + ZEROS,
    ISS
    + "."
    + "".join(
        f"~R{row + 1}C{column + 1}_{ROWS[row][column]}"
        for row in range(9)
        for column in range(9)
        if ROWS[row][column] != "."
    ),
    ISS
    + ".Shape~9x9.Priority~1~R1C1"
    + "".join(f".~R{cell // 9 + 1}C{cell % 9 + 1}_{digit}" for cell, digit in enumerate(BOARD.cells) if digit),
]


@pytest.mark.parametrize("link", LINKS)
def test_a_link_is_read_for_its_given_digits(link: str) -> None:
    assert Board.parse(link) == Board.parse(link, NINE) == BOARD


def test_the_short_forms_of_sudokupad_are_read() -> None:
    symbols = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwx"
    runs, cells = "", list(BOARD.cells)
    while cells:
        digit, blanks = cells.pop(0), 0
        while cells and not cells[0] and blanks < 5:
            blanks += 1
            cells.pop(0)
        runs += symbols[digit + 10 * blanks]
    for name in (f"classic{runs}", f"scf{runs}", f"puzzle/{compress(json.dumps({'p': runs, 'n': 'Mine', 'm': ''}))}"):
        assert Board.parse(f"https://sudokupad.app/{name}") == BOARD
    for letter, rule in (("x", "a diagonal"), ("w", "extra regions")):
        with pytest.raises(BoardError, match=f"the link has {rule}: only plain Sudoku is counted"):
            Board.parse(f"https://sudokupad.app/scf{runs}{letter}")
    older = "classicB6B91D7C2E15F4D9C3K6D4B3D25D4F8F87B4C5B7C3B"  # of the tests of SudokuPad/sudokutools
    assert str(Board.parse(f"https://sudokupad.app/{older}")).startswith(".6.91...7..2....15")


def test_the_form_without_quotes_of_sudokupad_is_read() -> None:
    rows = ",".join("[" + ",".join(f"{{v:{digit}}}" if digit != "." else "" for digit in row) + "]" for row in ROWS)
    regions = json.dumps(boxes(NINE), separators=(",", ":"))
    remarks = "t:'It\\'s mine: \"t\"',ca:[{v:'rules: none, {} [f]'}],u:[],metadata:{x:t,y:f}"
    text = f"{{cs:50,ce:[{rows}],re:{regions},{remarks}}}"
    link = "https://sudokupad.app/scl" + compress(text)
    assert Board.parse(link) == BOARD
    with pytest.raises(BoardError, match="the link has lines: only plain Sudoku is counted"):
        Board.parse("https://sudokupad.app/scl" + compress(text.replace("u:[]", "l:[{wp:[[1,1]],c:#0,c2:FFAA00}]")))


def test_what_a_solver_has_left_in_sudokuwiki_is_not_read() -> None:
    """A published position of X-Wing. Its start is published beside it."""
    position = (
        "S9B4s010g091803064a4c281c1i2t082q7r7v81094g520l1o1m054b074i0g024i018i04038i4nbqba048y02b70gc3430604"
        "0c07b6020eb707bk01447wbeba0f0558bgc22q032qb7bfbf4ebi05067u010g02bi"
    )
    assert Board.parse(WIKI + position).clues.replace(".", "0").startswith("0109036000000800009")


def test_given_pencil_marks_are_restrictions() -> None:
    grid = cells_of(givenPencilMarks=[1, 2, 9])
    grid[0][3] = {"givenPencilMarks": [4]}
    found = Board.parse(fpuzzles(grid))
    assert found.allowed
    assert found.cells[3] == 4
    assert {mask for mask, digit in zip(found.allowed, found.cells, strict=True) if not digit} == {0b100000011}
    assert Board.parse(f"{ISS}.~R1C1_1_2~R1C1_2_3~R9C9_4_5.Shape~9x9").allowed == (2, *[511] * 79, 0b11000)
    marks = "12......." + "123456789" * 80
    assert Board.parse(ISS + marks) == Board.from_allowed(NINE, [3, *[511] * 80])


def test_boards_of_other_sizes_are_read() -> None:
    rng = random.Random(1)
    for shape in (Shape(2, 2), Shape(2, 3), Shape(3, 4), Shape(4, 4)):
        board = with_clues(shape, shape.cells // 3, rng)
        assert Board.parse(WIKI + str(board)) == board
        assert Board.parse(fpuzzles(cells_of(board), size=shape.size)) == board
        letters = "".join(
            f"~R{cell // shape.size + 1:x}C{cell % shape.size + 1:x}_{digit}"
            for cell, digit in enumerate(board.cells)
            if digit
        )
        if shape.size < 16:  # R10 is Rg there, not R10
            assert Board.parse(f"{ISS}.Shape~{shape.size}x{shape.size}.{letters}") == board
        empty = "." if shape.size > 9 else "0"
        first = "A" if shape.size > 9 else "1"
        line = "".join(chr(ord(first) + digit - 1) if digit else empty for digit in board.cells)
        assert Board.parse(ISS + line) == board
    assert Board.parse(f"{ISS}.Shape~16x16.~RgCg_16").cells[-1] == 16
    six = Board.parse("12...." + "." * 30, Shape(3, 2))
    assert Board.parse(WIKI + str(six), Shape(3, 2)) == six
    with pytest.raises(BoardError, match="the link has a 6×6 board with boxes of 2x3, not of 3x2"):
        Board.parse(fpuzzles(cells_of(Board.parse(str(six)))), Shape(3, 2))


@pytest.mark.parametrize("site", WRITABLE)
def test_a_link_that_is_written_is_read_as_the_same_board(site: str) -> None:
    rng = random.Random(site)
    largest = 16 if site != "sudokuwiki" else 9
    for shape in (each for each in SHAPES if each.size <= largest and (site != "sudokuwiki" or each == NINE)):
        for clues in (0, shape.cells // 3):
            board = with_clues(shape, clues, rng)
            assert Board.parse(board.link(site)) == board
            if site != "sudokuwiki":
                masks = [rng.randrange(1 << shape.size) for _ in range(shape.cells)]
                restricted = Board.from_cells(shape, bytes(shape.cells), tuple(masks))
                assert Board.parse(restricted.link(site)) == restricted


@pytest.mark.parametrize(
    ("shape", "site", "message"),
    [
        (Shape(4, 5), "fpuzzles", "a 20×20 board is too large for f-puzzles and SudokuPad: they have at most 16×16"),
        (Shape(5, 5), "sudokupad", "too large"),
        (Shape(2, 3), "sudokuwiki", "a 6×6 board with boxes of 2x3 is not on SudokuWiki: it has 9×9 only"),
        (NINE, "nowhere", "'nowhere' is not a site: use one of fpuzzles, sudokupad, sudokuwiki"),
    ],
)
def test_a_link_that_a_site_would_not_read_is_refused(shape: Shape, site: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Board.empty(shape).link(site)


def test_a_link_to_sudokuwiki_holds_no_pencil_marks() -> None:
    with pytest.raises(LinkError, match="a link to SudokuWiki cannot hold pencil marks"):
        write_link(Board.from_allowed(NINE, [3, *[511] * 80]), "sudokuwiki")


irregular = cells_of()
irregular[0][0], irregular[3][3] = {"region": 4}, {"region": 0}

ON_A_SERVER = "names a puzzle on a server; nothing is fetched: paste the long link"


@pytest.mark.parametrize(
    ("link", "message"),
    [
        (
            fpuzzles(killercage=[{"cells": ["R1C1"], "value": "5"}], thermometer=[1]),
            "the link has killer cages: only plain Sudoku is counted",
        ),
        (fpuzzles(thermometer=[1], killercage=[1]), "the link has thermometers: only plain Sudoku is counted"),
        (fpuzzles(**{"diagonal+": True}), "a diagonal"),
        (fpuzzles(antiknight=True), "the anti-knight rule"),
        (fpuzzles(disjointgroups=True), "disjoint groups"),
        (fpuzzles(negative=["xv"]), "negative constraints"),
        (fpuzzles(cage=[{"cells": ["R1C1"], "value": "title: no"}]), "drawn cages"),
        (fpuzzles(cosmic=[1]), "the link has the rule 'cosmic': only plain Sudoku is counted"),
        (fpuzzles(**{"x" * 99 + "\n": 1}), f"the rule '{'x' * 40}…'"),
        (fpuzzles(irregular), "irregular regions"),
        (fpuzzles(cells_of(region=None)), "cells without a region"),
        (fpuzzles([[{}] * 7] * 7), "the link has a 7×7 board, which has no boxes of 2×2 to 8×8 cells"),
        (fpuzzles([[{}] * 8] * 9), "the grid in the link is not a square"),
        (fpuzzles([[1] * 9] * 9), "a cell in the link is not an object"),
        (fpuzzles("none"), "the link has no grid"),
        (fpuzzles(cells_of(value=10, given=True)), r"r1c3 of the link holds 10, which is no digit of a 9×9 board"),
        (fpuzzles(cells_of(value="x", given=True)), "holds x, which is no digit"),
        (fpuzzles(cells_of(value=True, given=True)), "holds True, which is no digit"),
        (fpuzzles(cells_of(value=[1], given=True)), "r1c3 of the link holds a list, which is no digit"),
        (fpuzzles(cells_of(value=deep(900), given=True)), "holds a list, which is no digit"),
        (fpuzzles(cage=[{"value": deep(900)}]), "drawn cages"),
        (fpuzzles(cells_of(value="9" * 5000, given=True)), "which is no digit"),
        (fpuzzles(cells_of(givenPencilMarks="12")), "the pencil marks in the link are not a list"),
        (fpuzzles()[:-30], "the puzzle in the link cannot be unpacked: it is truncated"),
        (fpuzzles()[:60] + "!" + fpuzzles()[60:], "'!' is no character of it"),
        ("https://f-puzzles.com/?load=" + compress("nothing"), "it is not JSON"),
        ("https://f-puzzles.com/?load=" + compress("[" * 100_000), "it is not JSON"),
        ("https://f-puzzles.com/?load=" + compress('{"grid":' + "9" * 5000 + "}"), "it is not JSON"),
        ("https://f-puzzles.com/?load=" + compress("[]"), "the link has no puzzle of f-puzzles"),
        ("https://f-puzzles.com/?load=", "truncated"),
        ("https://f-puzzles.com/?id=y2k3", ON_A_SERVER),
        ("https://sudokupad.app/abc123", ON_A_SERVER),
        ("https://sudokupad.app/wsj7iunsg6?setting-x=1", ON_A_SERVER),
        ("https://sudokupad.app/user/the-puzzle", ON_A_SERVER),
        ("https://app.crackingthecryptic.com/sudoku/ddGfd499G7", ON_A_SERVER),
        ("https://sudokupad.app/fpuzzlesyhkyz63b", ON_A_SERVER),
        ("https://tinyurl.com/y2k3", ON_A_SERVER),
        ("https://sudokupad.app/!!", "the link has no puzzle"),
        (sudokupad(lines=[{"wayPoints": [[1, 1]]}]), "the link has lines: only plain Sudoku is counted"),
        (sudokupad(cages=[{"cells": [[0, 0]], "value": 5}]), "the link has cages"),
        (sudokupad("scl", **{"global": ["antiknight"]}), "the anti-knight rule"),
        (sudokupad(metadata={"norowcol": True}), "rows and columns that may repeat digits"),
        (sudokupad(regions=[]), "the link has no boxes"),
        (sudokupad(regions=[[[0, 0], [0, 1]]]), "irregular regions"),
        (sudokupad(regions=[[[0, 0], [0, 0]]]), "irregular regions"),
        (sudokupad(regions=[[[0, 99]]]), "cells outside of the grid"),
        (sudokupad(regions=[1]), "a region in the link is not a list of cells"),
        ("https://sudokupad.app/scl" + compress(NESTED), "it is not JSON"),
        (WIKI + "53..7", "the board in the link, '53..7', is in a form that is not known"),
        (WIKI + "J9B" + "000" * 81, "the link has jigsaw regions: only plain Sudoku is counted"),
        (WIKI + "L9B" + "0000" * 81, "killer cages"),
        (WIKI + "S9C" + "00" * 81, "is in a form that is not known"),
        (WIKI + "S9B00", "the board in the link has 2 characters where 162 are needed"),
        (WIKI + "S7B" + "00" * 49, "a 7×7 board, which has no boxes"),
        ("https://sudokuexchange.com/play/?s=12", "'12' in the link is not a board"),
        (ISS + ".Cage~10~R1C1~R1C2.~R1C1_5", "the link has killer cages: only plain Sudoku is counted"),
        (ISS + ".~R1C1_5.Strange~R1C1", "the rule 'Strange'"),
        (ISS + ".Shape~9x8", "a grid that is not a square"),
        (ISS + ".Shape~9x9~0-8", "other digits"),
        (ISS + ".Shape~nine", "'nine' in the link is not the size of a board"),
        (ISS + ".~R1C1_10", "'R1C1_10' in the link is not a given of a 9×9 board"),
        (ISS + ".Shape~4x4.~R5C1_1", "is not a given of a 4×4 board"),
        (ISS + ".~R1C1_", "is not a given"),
        (ISS + "words", "'words' in the link is not a board"),
        ("https://example.com/play?s=" + ZEROS, "a link to example.com without a puzzle that can be read"),
        (
            f"https://www.sudokuwiki.org/killersudoku.htm?bd={ZEROS}",
            "the link is to the page 'killersudoku.htm' of SudokuWiki: only plain Sudoku is counted",
        ),
        ("https://www.sudokuwiki.org/X_Wing_Strategy", "a link to sudokuwiki.org without a puzzle that can be read"),
    ],
)
def test_a_link_that_is_refused_says_why(link: str, message: str) -> None:
    with pytest.raises(BoardError) as caught:
        Board.parse(link)
    assert str(caught.value).startswith("<text>:1: ")
    assert message in str(caught.value)
    assert str(caught.value).isprintable()


@pytest.mark.slow
def test_a_link_that_expands_too_far_is_refused() -> None:
    with pytest.raises(BoardError, match="it holds more than 2,000,000 characters"):
        Board.parse("https://f-puzzles.com/?load=" + compress(" " * 2_000_001))


def test_boxes_of_another_shape_are_no_irregular_regions() -> None:
    for shape in shapes_of(12):
        board = with_clues(shape, 30, random.Random(1))
        regions = [
            [{**cell, "region": shape.place(12 * row + column)[2]} for column, cell in enumerate(cells)]
            for row, cells in enumerate(cells_of(board))
        ]
        assert Board.parse(fpuzzles(regions)) == board
        assert Board.parse("https://sudokupad.app/scl" + compress(json.dumps(own_json(board)))) == board


@pytest.mark.parametrize("text", [PUZZLE, f'"{PUZZLE}";', " ".join(PUZZLE.replace(".", "0"))])
def test_a_link_behind_a_board_is_a_remark(text: str) -> None:
    assert board_of(f"{text} {WIKI}{'.' * 81}") is None
    assert board_of(f"{text},https://sudokupad.app/abc") is None


def test_links_are_read_wherever_boards_are(tmp_path: Path) -> None:
    path = tmp_path / "mixed.txt"
    bad = fpuzzles(killercage=[1])
    path.write_text(
        "\n".join([f"# {bad}", PUZZLE, fpuzzles(), "", *ROWS, bad, f"{PUZZLE} {bad}", *ROWS[:5], WIKI + PUZZLE])
    )
    entries = list(open_boards(str(path)))
    assert [entry.line for entry in entries] == [2, 3, 5, 14, 15, 16, 21]
    found = [entry.content for entry in entries]
    assert [each for each in found if isinstance(each, Board)] == [BOARD] * 5
    assert str(found[3]) == f"{path}:14: the link has killer cages: only plain Sudoku is counted"
    assert "5 rows where a 9×9 board has 9" in str(found[5])


@pytest.mark.slow
@settings(max_examples=25)
@given(st.text() | st.text("0123456789.~_RCSB&=?/x").map(lambda text: f"{ISS}{text}"))
def test_any_line_is_a_board_or_an_error(text: str) -> None:
    for host in ("", WIKI, "https://sudokupad.app/", "https://sudokupad.app/scl", "https://f-puzzles.com/?load="):
        for entry in parse([host + text], "x"):
            assert isinstance(entry.content, Board | BoardError)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 20) | st.text(max_size=3) | st.floats(allow_nan=True),
    lambda inner: (
        st.lists(inner, max_size=9)
        | st.dictionaries(
            st.sampled_from(
                [
                    "grid",
                    "cells",
                    "ce",
                    "regions",
                    "re",
                    "value",
                    "v",
                    "given",
                    "givenPencilMarks",
                    "region",
                    "p",
                    "cages",
                    "metadata",
                ]
            ),
            inner,
        )
    ),
    max_leaves=40,
)


@pytest.mark.slow
@settings(max_examples=20, deadline=None)
@given(JSON | st.fixed_dictionaries({"grid": st.lists(st.lists(JSON, min_size=4, max_size=4), min_size=4, max_size=4)}))
def test_any_json_is_a_board_or_is_refused(value: object) -> None:
    for prefix in ("fpuz", "scl", ""):
        message = "fine"
        try:
            assert isinstance(
                board_of(f"https://sudokupad.app/{prefix}" + compress(json.dumps(value) + " " * 60)), Board
            )
        except LinkError as error:
            message = str(error)
        assert message.isprintable()
