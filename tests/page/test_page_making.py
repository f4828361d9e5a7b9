"""The view "New puzzle": puzzles as they are asked for, put on the board, printed; what cannot be had."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from support.barriers import barriers
from support.browsing import MakeTab, Tab, needs_browser
from support.plain_solver import is_minimal, is_unique

from enumerator import generate
from enumerator.board import Board

if TYPE_CHECKING:
    from playwright.sync_api import PdfMargins, Route

pytestmark = [needs_browser, pytest.mark.slow]

MARGIN: PdfMargins = {"top": "10mm", "right": "10mm", "bottom": "10mm", "left": "10mm"}

START = "1234341221434..."
"""The board on the page at first."""

SMALL = "() => [...document.querySelectorAll('.small-board')].map((b) => [...b.querySelectorAll('span')]"
SMALL += ".map((cell) => cell.textContent || '.').join(''))"
"""The texts of the small boards that are shown."""

ON_PAPER = """() => [...document.querySelectorAll('body *')].filter((part) => {
    const text = [...part.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
    return text && part.checkVisibility() && !part.closest('.sheet');
}).length"""
"""The number of texts that are shown outside the page of puzzles."""


def describe(tab: Tab, *, clues: int | None = None, **choices: str) -> None:
    """Open the view, and fill in the form."""
    tab.view("new")
    usual = {"size": "3x3", "symmetry": "180", "level": "", "seed": ""}
    for name, value in {**usual, **choices}.items():
        (tab.page.fill if name == "seed" else tab.page.select_option)(f"#new-{name}", value)
    if clues:
        tab.page.select_option("#new-kind", "number")
        tab.page.fill("#new-clues", str(clues))


def press(tab: Tab, button: str, state: str = "made") -> None:
    tab.page.click(f"#panel-new button:text('{button}')")
    tab.wait(f"#panel-new > div[data-state='{state}']")


def test_a_puzzle_is_made_as_it_is_asked_for_and_put_on_the_board(tab: Tab) -> None:
    tab.open(f"#2x2/{START}")
    describe(tab, clues=26, level="singles", seed="1")
    press(tab, "Make a puzzle")
    (text,) = tab.evaluate(SMALL)
    assert tab.text("#panel-new .status") == "A puzzle of 26 clues, easy. Seed 1."
    assert 81 - text.count(".") == 26
    assert [symbol == "." for symbol in text] == [symbol == "." for symbol in reversed(text)]
    assert is_unique(Board(text).cells, 3, 3)
    tab.page.click("#put")
    assert tab.board == text
    assert tab.verdict(text) == "unique"
    tab.message("The puzzle is on the board.")
    tab.page.click("#undo")
    assert tab.board == START


def test_a_puzzle_has_as_few_clues_as_can_be_unless_asked_otherwise(tab: Tab) -> None:
    tab.open(f"#2x2/{START}")
    describe(tab, size="2x3", symmetry="none", seed="9")
    assert not tab.page.is_visible("#new-clues")
    press(tab, "Make a puzzle")
    (text,) = tab.evaluate(SMALL)
    assert text == str(next(generate(1, shape="2x3", seed=9)))
    assert is_minimal(Board(text).cells, 2, 3)


def test_only_large_sizes_ask_for_a_number_of_clues(tab: Tab) -> None:
    tab.open(f"#2x2/{START}")
    few = "#new-kind option[value='few']"
    describe(tab, size="5x5")
    assert tab.page.is_disabled(few)
    assert tab.page.input_value("#new-clues") == "312"
    press(tab, "Make a puzzle")
    (text,) = tab.evaluate(SMALL)
    assert 625 - text.count(".") == 312
    tab.page.focus("#new-clues")
    tab.press("Control+a")
    tab.paste("626")
    assert tab.page.input_value("#new-clues") == "626", "it is no board"
    press(tab, "Make a puzzle", "refused")
    assert tab.text("#panel-new .status") == "A puzzle of 625 cells cannot have 626 clues."
    tab.page.select_option("#new-size", "4x4")
    assert tab.page.is_enabled(few)
    assert tab.page.input_value("#new-kind") == "few"


def test_four_puzzles_are_printed_on_one_page_and_nothing_else(tab: Tab) -> None:
    tab.open(f"#2x2/{START}")
    describe(tab, size="2x3", seed="4")
    press(tab, "Print four…")
    texts = tab.evaluate(SMALL)
    expected = [str(puzzle) for puzzle in generate(4, shape="2x3", symmetry="180", seed=4)]
    assert texts == expected
    sizes = (
        "() => new Set([...document.querySelectorAll('.sheet span')].map((c) => c.offsetHeight - c.offsetWidth)).size"
    )
    assert tab.evaluate(sizes) == 1, "all cells are squares of one size"
    printed = (
        "() => new Promise((done) => { const { print } = window;"
        " window.print = () => { window.print = print; done(true); }; document.querySelector('#print').click(); })"
    )
    assert tab.evaluate(printed)
    assert tab.evaluate(ON_PAPER), "the page is there on the screen"
    tab.page.emulate_media(media="print", color_scheme="dark")
    assert tab.evaluate(ON_PAPER) == 0
    colours = "({ color, borderTopColor }) => [color, borderTopColor]"
    style = "() => getComputedStyle(document.querySelector('.small-cells'))"
    assert tab.evaluate(f"() => ({colours})(({style})())") == ["rgb(0, 0, 0)"] * 2
    tab.page.emulate_media(media="null", color_scheme="light")
    for paper, is_landscape in (("A4", False), ("Letter", True)):
        pdf = tab.page.pdf(format=paper, landscape=is_landscape, margin=MARGIN)
        assert len(re.findall(rb"/Type\s*/Page\b", pdf)) == 1, paper
    tab.page.click("#close-sheet")
    tab.page.locator("#sheet").wait_for(state="detached")


def test_what_is_not_made_in_time_is_said(tab: Tab) -> None:
    def hurry(route: Route) -> None:
        """Ask with a time limit of a fifth of a second."""
        asked: Any = route.request.post_data_json
        assert asked["seconds"] == 20
        route.continue_(post_data={**asked, "seconds": 0.2})

    tab.page.route("**/api/generate", hurry)
    tab.open(f"#2x2/{START}")
    describe(tab, clues=17, symmetry="none")
    press(tab, "Make a puzzle", "refused")
    status = tab.text("#panel-new .status")
    assert re.fullmatch(r"No such puzzle was made after 0\.2\d* s\. More clues, .* may help\.", status)


def test_four_puzzles_of_which_some_are_made_in_time(tab: Tab) -> None:
    puzzle = {"board": "1" + "." * 15, "clues": 1, "level": None}
    line = {"kind": "answer", "answer": {"box": [2, 2], "puzzles": [puzzle], "complete": False, "seed": "1"}}
    tab.page.route("**/api/generate", lambda route: route.fulfill(json=line))
    tab.open(f"#2x2/{START}")
    describe(tab)
    press(tab, "Print four…")
    assert tab.text("#sheet-title") == "1 of four puzzles were made in 20 s."
    tab.page.click("#close-sheet")


def test_what_cannot_be_had_is_refused(tab: Tab) -> None:
    tab.open(f"#2x2/{START}")
    describe(tab, clues=26, symmetry="90")
    press(tab, "Make a puzzle", "refused")
    assert tab.text("#panel-new .status") == "No pattern with the symmetry 90 has 26 clues."


def test_the_making_is_cancelled_by_a_button_and_by_another_view(tab: Tab) -> None:
    tab.page.route("**/api/generate", lambda _: None)  # no answer
    tab.open(f"#2x2/{START}")
    describe(tab)
    press(tab, "Make a puzzle", "making")
    with tab.page.expect_event("requestfailed"):
        tab.page.click("#panel-new .progress button")
    assert tab.text("#panel-new .status") == "Cancelled."
    press(tab, "Make a puzzle", "making")
    with tab.page.expect_event("requestfailed"):
        tab.view("board")
    assert tab.state("#panel-new > div") == "stopped"


def is_within(tab: Tab, selector: str) -> bool:
    """Return True if nothing is wider than the window, with a margin of 8 pixels."""
    right = "(all) => Math.max(...[...document.querySelectorAll(all)].map((e) => e.getBoundingClientRect().right))"
    width = tab.evaluate("() => innerWidth")
    return bool(tab.evaluate(right, selector) <= width - 8 and tab.evaluate("() => document.body.scrollWidth") <= width)


def test_axe_finds_nothing_in_the_view(tab: Tab) -> None:
    tab.open(f"#2x2/{START}")
    describe(tab, size="2x2", clues=6)
    press(tab, "Make a puzzle")
    assert barriers(tab) == []


def test_axe_finds_nothing_on_a_narrow_page_of_puzzles(make_tab: MakeTab) -> None:
    tab = make_tab(viewport={"width": 320, "height": 640})
    tab.open(f"#2x2/{START}")
    describe(tab, size="2x2", clues=6)
    press(tab, "Make a puzzle")
    assert is_within(tab, "main *")
    press(tab, "Print four…")
    assert is_within(tab, "#sheet *")
    assert barriers(tab) == []
    tab.page.click("#close-sheet")
