"""The board on the page: keys, mouse, keypad, paste, sizes, undo, the address."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from support.boards import EMPTY, PUZZLE
from support.browsing import MakeTab, Tab, fragment, needs_browser, our_board

from enumerator import classify
from enumerator.board import Board, Shape
from enumerator.board.writing import as_drawing

if TYPE_CHECKING:
    from playwright.sync_api import Route

pytestmark = [needs_browser, pytest.mark.slow]

SMALL = "." * 16
"""An empty 4×4 board: its 288 solutions are counted at once, so that tests of keys cost little."""


def with_digits(text: str, *places: tuple[int, str]) -> str:
    """Return the text of a board with symbols in cells."""
    symbols = list(text)
    for cell, symbol in places:
        symbols[cell] = symbol
    return "".join(symbols)


def selected(tab: Tab) -> int:
    return int(tab.evaluate("() => document.activeElement.dataset.cell"))


def test_keys_type_move_and_erase(tab: Tab) -> None:
    tab.open(f"#2x2/{SMALL}")
    tab.select(0)
    tab.press("4", "ArrowRight", "ArrowDown", "3", "ArrowLeft", "2")
    assert tab.board == with_digits(SMALL, (0, "4"), (5, "3"), (4, "2"))
    tab.press("Backspace", "ArrowUp", "Delete")
    assert tab.board == with_digits(SMALL, (5, "3"))
    tab.press("5", "x", "F2", "Shift")
    assert tab.board == with_digits(SMALL, (5, "3")), "other keys change nothing"


def test_keys_of_movement_stay_on_the_board(tab: Tab) -> None:
    tab.open(f"#3x3/{PUZZLE}")
    tab.select(0)
    for keys, cell in (
        ("ArrowUp ArrowLeft", 0),
        ("End", 8),
        ("Control+End", 80),
        ("Control+End Home", 72),
        ("Control+End Control+Home", 0),
        ("PageDown ArrowRight", 28),
        ("ArrowDown End PageUp", 8),
    ):
        tab.press("Control+Home", *keys.split())
        assert selected(tab) == cell, keys


def test_digits_reach_the_grid_without_a_click(tab: Tab) -> None:
    tab.open(f"#3x3/{PUZZLE}")
    tab.press("ArrowRight", "ArrowRight", "4")
    assert tab.board == with_digits(PUZZLE, (2, "4"))
    tab.evaluate("() => document.activeElement.blur()")
    tab.press("1")
    assert tab.board == with_digits(PUZZLE, (2, "1"))


def test_one_cell_is_in_the_order_of_tab(tab: Tab) -> None:
    tab.open(f"#3x3/{PUZZLE}")
    tab.select(40)
    assert tab.evaluate("() => [...document.querySelectorAll('#grid td')].filter(c => c.tabIndex === 0).length") == 1
    tab.press("Tab")
    assert tab.evaluate("() => document.activeElement.closest('#keypad') !== null"), "Tab leaves the grid"
    tab.press("Shift+Tab")
    assert selected(tab) == 40


def test_undo_and_redo_by_keys_and_by_buttons(tab: Tab) -> None:
    tab.load(f"#2x2/{SMALL}")
    tab.select(0)
    tab.press("1", "2", "ArrowRight", "3")
    last = with_digits(SMALL, (0, "2"), (1, "3"))
    tab.press("Control+z", "Control+z")
    assert tab.board == with_digits(SMALL, (0, "1"))
    tab.press("Control+y", "Control+Shift+Z")
    assert tab.board == last
    for _ in range(3):
        tab.page.click("#undo")
    assert tab.board == SMALL
    assert tab.page.is_disabled("#undo")
    tab.page.click("#redo")
    assert tab.board == with_digits(SMALL, (0, "1"))


def test_the_keypad_types_into_the_selected_cell(make_tab: MakeTab) -> None:
    tab = make_tab(has_touch=True, viewport={"width": 320, "height": 640})
    tab.open(f"#2x2/{SMALL}")
    tab.page.tap("#grid td[data-cell='4']")
    tab.page.tap("#keypad button:text-is('3')")
    assert tab.board == with_digits(SMALL, (4, "3"))
    tab.page.tap("#keypad .erase")
    assert tab.board == SMALL
    boxes = tab.evaluate(
        "() => [...document.querySelectorAll('#keypad button')].map(b => b.getBoundingClientRect().toJSON())"
    )
    assert all(box["width"] >= 44 and box["height"] >= 44 for box in boxes)


def test_letters_and_numbers_of_two_figures_beyond_nine(tab: Tab) -> None:
    tab.page.clock.install()
    empty = "." * 254 + "11"  # without a solution: nothing is counted
    tab.open(f"#4x4/{empty}")
    tab.select(0)
    tab.press("1", "2", "ArrowRight", "g", "ArrowRight", "1", "0", "ArrowRight", "2", "3")
    expected = with_digits(empty, (0, "C"), (1, "G"), (2, "A"), (3, "3"))
    assert tab.board == expected, "2 and 3 are no number of a 16×16 board"
    tab.press("ArrowRight", "1", "Enter", "2")
    assert tab.board == with_digits(expected, (4, "2")), "Enter ends a number"
    tab.press("ArrowRight", "1")
    tab.page.clock.run_for(1500)
    tab.press("3")
    assert tab.board == with_digits(expected, (4, "2"), (5, "3")), "a pause ends a number"
    tab.press("Control+Home", "Control+z", "Control+z", "Control+z", "Control+z")
    tab.press("1", "1", "Control+z")
    assert tab.board[0] == "C", "a number is one step to undo"


def test_a_second_figure_belongs_to_the_board_of_the_first(tab: Tab) -> None:
    tab.page.clock.install()
    empty = "." * 254 + "11"
    tab.open(f"#4x4/{empty}")
    tab.select(0)
    tab.press("1")
    tab.page.click("#undo")
    tab.select(0)
    tab.press("2")
    assert tab.board == with_digits(empty, (0, "2")), "not 12"
    tab.press("Control+z")
    assert tab.board == empty


def test_anything_that_is_read_can_be_pasted(tab: Tab) -> None:
    board = Board(PUZZLE)
    tab.open(f"#3x3/{PUZZLE}")
    for text in (
        PUZZLE,
        as_drawing(board),
        str(board.rows),
        f"Puzzle 7, rated 3.2\n\n{as_drawing(board, ascii=True)}\n",
        board.link("sudokuwiki"),
    ):
        tab.page.select_option("#size", "2x2")
        tab.paste(text)
        assert tab.verdict(PUZZLE) == "unique", text
        assert tab.board == PUZZLE


def test_a_text_without_a_board_is_refused_in_words(tab: Tab) -> None:
    tab.open(f"#3x3/{PUZZLE}")
    tab.select(0)
    tab.paste("<b>no board</b>")
    tab.wait("#message.error:not(:empty)")
    assert tab.evaluate("() => document.querySelector('#message b')") is None, "text never becomes HTML"
    assert tab.board == PUZZLE


def test_the_dialog_reads_text_too(tab: Tab) -> None:
    tab.open(f"#2x2/{SMALL}")
    tab.page.click("#open-paste")
    tab.page.fill("#paste-text", PUZZLE)
    tab.page.click("#paste-read")
    assert tab.verdict(PUZZLE) == "unique"
    tab.page.click("#open-paste")
    tab.page.fill("#paste-text", EMPTY)
    tab.page.click("#paste-cancel")
    assert tab.board == PUZZLE


def test_a_text_that_cannot_be_read_stays_in_the_dialog(tab: Tab) -> None:
    tab.open(f"#2x2/{SMALL}")
    tab.page.click("#open-paste")
    wrong = PUZZLE[:40] + "x" + PUZZLE[41:70]
    tab.page.fill("#paste-text", wrong)
    tab.page.click("#paste-read")
    tab.wait("#paste-error:not(:empty)")
    assert tab.page.is_visible("#paste-error")
    assert tab.page.input_value("#paste-text") == wrong
    tab.press("Escape")
    assert tab.board == SMALL
    tab.page.click("#open-paste")
    assert tab.page.input_value("#paste-text") == wrong, "and after Escape, too"
    tab.page.keyboard.insert_text(PUZZLE)
    tab.page.click("#paste-read")
    assert tab.verdict(PUZZLE) == "unique", "a text that is typed takes its place"
    assert selected(tab) == 0, "the grid has the focus"
    tab.page.click("#open-paste")
    assert tab.page.input_value("#paste-text") == ""
    assert tab.text("#paste-error") == ""
    tab.press("Escape")


def test_a_text_that_is_pasted_on_the_board_and_cannot_be_read_is_kept(tab: Tab) -> None:
    tab.open(f"#2x2/{SMALL}")
    tab.select(0)
    tab.paste("<b>no board</b>")
    tab.message("Paste…")
    tab.page.click("#open-paste")
    assert tab.page.input_value("#paste-text") == "<b>no board</b>"
    assert tab.text("#paste-error") in tab.text("#message")
    tab.press("Escape")
    tab.paste(PUZZLE)
    assert tab.verdict(PUZZLE) == "unique"
    tab.page.click("#open-paste")
    assert tab.page.input_value("#paste-text") == "", "nothing is kept once a board was read"


def test_a_text_is_not_read_after_cancel(tab: Tab) -> None:
    held: list[Route] = []
    tab.open(f"#2x2/{SMALL}")
    tab.page.route("**/api/read", lambda route: held.append(route))
    tab.page.click("#open-paste")
    tab.page.fill("#paste-text", PUZZLE)
    with tab.page.expect_request("**/api/read"):
        tab.page.click("#paste-read")
    tab.page.click("#paste-cancel")
    with tab.page.expect_response("**/api/read"):
        held[0].continue_()
    tab.select(0)
    tab.press("1")
    assert tab.board == with_digits(SMALL, (0, "1"))


def test_the_board_behind_a_dialog_does_not_change(tab: Tab) -> None:
    tab.open(f"#3x3/{PUZZLE}")
    tab.select(2)
    tab.press("4")
    tab.page.click("#open-paste")
    tab.page.focus("#paste-cancel")
    tab.press("Control+z")
    tab.evaluate("() => document.activeElement.blur()")
    tab.press("1")
    assert tab.board == with_digits(PUZZLE, (2, "4"))
    tab.press("Escape")
    assert tab.evaluate("() => document.querySelector('dialog[open]')") is None
    tab.press("Control+z")
    assert tab.board == PUZZLE


def test_pencil_marks_are_shown_sent_and_kept(tab: Tab) -> None:
    tab.open(f"#2x2/{SMALL}")
    tab.select(0)
    text = "12 3 4 1\n34 1 2 34\n1 2 3 4\n1234 1234 1234 1234"
    tab.paste(text)
    assert tab.verdict(str(Board(text))) == classify(text)
    marks = "() => [...document.querySelectorAll('#grid td:first-child .mark')].map(mark => mark.textContent)"
    assert tab.evaluate(marks) == ["1", "2", "3", "4"]
    tab.page.reload()
    tab.wait("html[data-ready]")
    assert tab.evaluate(marks) == ["1", "2", "3", "4"], "the address has them"


def test_sizes_by_choice(tab: Tab) -> None:
    tab.open(f"#3x3/{PUZZLE}")
    for shape in ("2x2", "2x3", "3x2", "2x4", "3x4", "4x4", "7x3", "5x5", "3x3"):
        tab.page.select_option("#size", shape)
        cells = Shape.parse(shape).cells
        assert tab.page.locator("#grid td").count() == cells
        assert tab.verdict("." * cells) == "multiple"
    assert tab.board == EMPTY
    tab.select(80)
    tab.press("Control+z", *["Control+z"] * 8)
    assert tab.board == PUZZLE
    assert tab.evaluate("() => document.activeElement.tagName") == "TD", "the focus stays in the grid"


def test_another_shape_of_the_same_size_keeps_the_clues(tab: Tab) -> None:
    board = our_board("6x6-many")
    tab.open(board)
    tab.page.select_option("#size", "3x2")
    assert tab.board == str(board)
    assert tab.verdict(str(board))


def test_the_largest_board_can_be_pasted(tab: Tab) -> None:
    rows = [" ".join(str((8 * (row % 8) + row // 8 + column) % 64 + 1) for column in range(64)) for row in range(64)]
    rows[0] = rows[0].replace("64", "0")
    tab.open(f"#2x2/{SMALL}")
    tab.select(0)
    tab.paste("\n".join(rows))
    tab.wait_until("() => document.querySelectorAll('#grid td').length === 4096")
    tab.wait("#verdict[data-state='unique']")
    assert tab.board.count(".") == 1


def test_a_board_is_in_the_address_and_the_back_button_works(tab: Tab) -> None:
    tab.open(f"#2x2/{SMALL}")
    tab.select(0)
    tab.paste(PUZZLE)
    assert tab.verdict(PUZZLE) == "unique"
    tab.page.wait_for_url(f"**/#3x3/{PUZZLE}")
    tab.press("Control+End", "Backspace")
    edited = PUZZLE[:-1] + "."
    tab.page.wait_for_url(f"**/#3x3/{edited}")
    tab.page.select_option("#size", "2x3")
    tab.page.wait_for_url(f"**/#2x3/{'.' * 36}")
    tab.page.go_back()
    assert tab.verdict(edited)
    assert tab.board == edited
    tab.page.go_back()
    assert tab.verdict(SMALL) == "multiple"
    tab.page.go_forward()
    assert tab.verdict(edited)
    tab.press("Control+z", "Control+z")
    assert tab.board == edited, "boards of the address can be undone, too"


def test_a_shared_address_shows_its_board(tab: Tab) -> None:
    board = our_board("16x16-unique")
    tab.open(fragment(board))
    assert tab.verdict(str(board)) == "unique"
    tab.evaluate("board => { location.hash = board }", PUZZLE)
    assert tab.verdict(PUZZLE) == "unique", "a board without its shape is read, too"
    tab.evaluate("() => { location.hash = '3x3/%<i>12' }")
    tab.wait("#message.error:not(:empty)")
    assert tab.board == PUZZLE


def test_an_address_that_cannot_be_read_is_told_at_the_start(tab: Tab) -> None:
    tab.load("#3x3/%<i>12")
    assert tab.text("#message.error").startswith("The board in the address cannot be read: ")
    assert tab.board == EMPTY
