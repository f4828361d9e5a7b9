"""Copies of the board: what the page copies is read back as the same board."""

from __future__ import annotations

import warnings
from contextlib import suppress

import pytest
from support.boards import PUZZLE
from support.browsing import Tab, fragment, needs_browser, our_board
from support.cases import slow_after

from enumerator import canonical
from enumerator.board import Board
from enumerator.board.links import WRITABLE, LinkError
from enumerator.board.pictures import board_svg
from enumerator.board.reading import BoardError

pytestmark = [needs_browser, pytest.mark.slow]

MARKED_4 = "12 3 4 1\n34 1 2 34\n1 2 3 4\n1234 1234 1234 1234"


def marked(board: Board) -> Board:
    """Return a board with pencil marks: each empty cell on the diagonal allows two digits."""
    size = board.shape.size
    masks = [1 << digit - 1 if digit else (1 << size) - 1 for digit in board.cells]
    for cell in range(0, board.shape.cells, size + 1):
        masks[cell] = masks[cell] & 0b11 or masks[cell]
    rows = (masks[first : first + size] for first in range(0, board.shape.cells, size))
    symbols = board.shape.symbols
    grid = "\n".join(
        " ".join("".join(s for d, s in enumerate(symbols) if mask >> d & 1) for mask in row) for row in rows
    )
    return Board(grid, board.shape)


BOARDS = {
    "marks": marked(Board(PUZZLE)),
    "puzzle": Board(PUZZLE),
    "one digit": Board("." * 80 + "9"),
    "4x4 with marks": Board(MARKED_4),
    "3x2": Board(str(our_board("6x6-many")), "3x2"),
    "16x16": our_board("16x16-unique"),
}


def copy(tab: Tab, form: str) -> tuple[str, str]:
    """Copy the board in a form; return the text in the clipboard and the message."""
    tab.evaluate("async () => { document.querySelector('#message').textContent = '';"
                 " await navigator.clipboard.writeText('nothing') }")  # fmt: skip
    tab.page.click(f"#copy-{form}")
    tab.wait("#message:not(:empty)")
    return tab.clipboard(), tab.text("#message")


def why_no_link(board: Board, site: str) -> str:
    """Return why a site has no such board; "" if it has."""
    try:
        board.link(site)
    except LinkError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("name", slow_after(1, BOARDS))
def test_what_is_copied_is_read_as_the_same_board(tab: Tab, name: str) -> None:
    board = BOARDS[name]
    tab.page.route("**/api/count", lambda _: None)  # nothing is counted
    tab.open(board)
    text, _ = copy(tab, "text")
    assert Board(text, board.shape) == board
    if board.shape.height == board.shape.width:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of pencil marks that can also be a larger board
            assert Board(text) == board, "the text says the shape"
    for site in WRITABLE:
        link, message = copy(tab, site)
        if refusal := why_no_link(board, site):
            assert (link, message.lower()) == ("nothing", f"{refusal}.".lower())
        else:
            assert link == board.link(site)
            assert Board(link) == board
    address, _ = copy(tab, "link")
    assert address == tab.address + fragment(board)
    for other in (address, f"\n {address} \n", text if board.shape.height == board.shape.width else address):
        tab.page.select_option("#size", "2x4")
        tab.select(0)
        tab.paste(other)
        tab.page.wait_for_url(address)
        tab.verdict(str(board))


def test_a_picture_is_copied_as_the_library_draws_it(tab: Tab) -> None:
    board = BOARDS["puzzle"]
    tab.open(board)
    picture, message = copy(tab, "svg")
    assert "SVG" in message
    assert picture == board_svg(board)
    assert picture.count('class="given"') == 30
    with suppress(BoardError):  # or refused, but never another board
        assert Board(picture) == board


@pytest.mark.parametrize("name", slow_after(1, BOARDS))
def test_the_line_below_the_board_is_its_canonical_form_and_can_be_copied(tab: Tab, name: str) -> None:
    board = BOARDS[name]
    known = canonical(board)
    tab.page.route("**/api/count", lambda _: None)  # nothing is counted
    tab.open(board)
    tab.wait_until("t => { const d = document.querySelector('#form').dataset;"
                   " return d.board === t && d.state === 'known' }", str(board))  # fmt: skip
    assert tab.page.get_attribute("#form .number", "data-value") == str(known.automorphisms)
    assert tab.text("#form code") == str(known.form)
    assert copy(tab, "form") == (str(known.form), "The canonical form is copied.")


def test_the_line_below_the_board_follows_each_key(tab: Tab) -> None:
    tab.open("#2x2/................")
    tab.wait_until("() => document.querySelector('#form').innerText.startsWith('Canonical form, 3,072 automorphisms')")
    tab.select(15)
    tab.press("4")
    tab.wait_until("() => document.querySelector('#form code').textContent.endsWith('.1')")


def test_a_form_that_is_not_found_in_time_is_not_copied(tab: Tab) -> None:
    line = '{"kind": "stopped", "answer": null, "message": "the canonical form is not found after 5 s"}'
    tab.page.route("**/api/canonical", lambda route: route.fulfill(body=line))
    tab.open(f"#3x3/{PUZZLE}")
    tab.wait("#form[data-state='unknown']")
    assert tab.text("#form") == "The canonical form is not found after 5 s."
    assert copy(tab, "form") == ("nothing", "The canonical form is not found after 5 s.")


def test_links_to_other_sites_are_named_beside_the_page(tab: Tab) -> None:
    tab.open(f"#3x3/{PUZZLE}")
    buttons = tab.page.get_by_role("group", name="Copy a link to the board").get_by_role("button")
    assert buttons.all_inner_texts() == ["this page", "SudokuPad", "f-puzzles", "SudokuWiki"]
    assert copy(tab, "sudokupad")[1] == "A link to the board on SudokuPad is copied."
    assert copy(tab, "link")[1] == "A link to the board on this page is copied."
