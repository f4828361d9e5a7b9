"""The looks of the page: accessibility by axe, contrast, the heat map, narrow windows, motion."""

from __future__ import annotations

import re
from typing import Any, Literal

import pytest
from support.barriers import barriers, pale, violations
from support.boards import EMPTY
from support.browsing import MakeTab, Tab, fragment, needs_browser, our_board
from support.cases import slow_after
from support.pictures import luminance

from enumerator.board import Board
from enumerator.board.pictures import candidates_svg

pytestmark = [needs_browser, pytest.mark.slow]

NARROW = {"viewport": {"width": 320, "height": 640}}
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
CONFLICT = "#2x2/11.............."


def visit_views(tab: Tab, board: Board) -> Any:
    """Show each view of a board in turn."""
    tab.open(board)
    tab.count(str(board))
    yield "board"
    for name, state in (("candidates", "known"), ("solutions", "shown"), ("watch", "known")):
        tab.view(name, state)
        tab.select(board.shape.size // 2)
        yield name


@pytest.mark.parametrize("options", slow_after(0, [{}, NARROW]), ids=["wide", "narrow"])
def test_axe_finds_nothing_in_any_view_light_or_dark(make_tab: MakeTab, options: dict[str, Any]) -> None:
    tab = make_tab(**options)
    for view in visit_views(tab, our_board("6x6-many")):
        assert barriers(tab) == [], view


@pytest.mark.slow
def test_axe_finds_nothing_in_the_marks_of_a_large_board(tab: Tab) -> None:
    for view in visit_views(tab, our_board("16x16-many")):
        if view in ("candidates", "watch"):  # those with marks in the cells
            assert violations(tab) + pale(tab) == [], view


@pytest.mark.slow
def test_every_text_has_contrast_on_other_boards(tab: Tab) -> None:
    for name in ("2b", "25x25-many"):
        for view in visit_views(tab, our_board(name)):
            for scheme in SCHEMES:
                tab.page.emulate_media(color_scheme=scheme)
                assert pale(tab) == [], (name, view, scheme)


@pytest.mark.slow
def test_axe_finds_nothing_in_a_conflict_a_solution_or_the_dialog(tab: Tab) -> None:
    tab.open(CONFLICT)
    tab.verdict("11..............")
    tab.select(1)
    assert barriers(tab) == []
    tab.evaluate("hash => { location.hash = hash }", fragment(our_board("6x6-unique")))
    tab.wait("#panel-board [data-state='known']")
    tab.page.click("#solution")
    tab.select(20)
    assert barriers(tab) == []
    tab.page.click("#open-paste")
    assert barriers(tab) == []


def test_axe_finds_nothing_in_an_unavoidable_set(tab: Tab) -> None:
    tab.open(our_board("4x4-unique"))
    tab.view("clues", "known")
    tab.page.click("#unavoidable")
    tab.wait("#set")
    assert barriers(tab) == []


def test_axe_finds_faults_on_a_page_that_has_some(tab: Tab) -> None:
    tab.page.set_content("<html><body><img src='data:,'><button></button><p style='color:#bbb'>pale</p></body></html>")
    found = {line.partition(":")[0] for line in violations(tab)}
    assert {"image-alt", "button-name", "color-contrast", "html-has-lang"} <= found
    assert pale(tab) == ["pale in P"]


def test_shades_of_the_heat_map_differ_and_follow_the_share(tab: Tab) -> None:
    swatches = "() => [...document.querySelectorAll('.scale .swatch')].map((s) => getComputedStyle(s).backgroundColor)"
    shade = (
        "d => getComputedStyle(document.querySelector(`#grid td[data-cell='1'] [data-digit='${d}']`)).backgroundColor"
    )
    tab.open(our_board("2b"))
    tab.view("candidates", "known")
    for scheme in SCHEMES:
        tab.page.emulate_media(color_scheme=scheme)
        colours = tab.evaluate(swatches)
        assert len(set(colours)) == 10
        levels = [sum(map(int, colour[4:-1].split(","))) for colour in colours]
        assert levels == sorted(levels, reverse=True), "dark is frequent, in light and in dark"
        shares = [tab.evaluate(shade, digit) for digit in (9, 3, 8)]
        assert shares == [colours[0], colours[1], colours[7]], "5, 18 and 77 %"
    tab.page.emulate_media(forced_colors="active")
    assert len(set(tab.evaluate(swatches))) == 10, "in high contrast, too"
    tab.page.emulate_media(forced_colors="none")


def rgb(colour: str) -> tuple[int, ...]:
    """Return the parts of a colour: `rgb(1, 2, 3)` of a browser, `#010203` of a picture."""
    return tuple(bytes.fromhex(colour[1:])) if colour[0] == "#" else tuple(map(int, colour[4:-1].split(",")))


@pytest.mark.slow
def test_shades_are_the_same_in_terminal_picture_and_page(tab: Tab) -> None:
    from rich.style import Style

    from enumerator import candidates
    from enumerator.command.terminal import shade

    board = our_board("2b")
    counts = candidates(board).counts
    total = sum(counts[0])
    shaded = {
        (cell, digit): count
        for cell, row in enumerate(counts)
        for digit, count in enumerate(row, 1)
        if 0 < count < total and not board.cells[cell]
    }
    in_terminal = {}
    for place, count in shaded.items():
        ground = Style.parse(shade(count, total, "truecolor")).bgcolor
        assert ground
        in_terminal[place] = tuple(ground.get_truecolor())
    drawn = re.findall(r'<rect [^>]*fill="(#\w+)"><title>r(\d)c(\d) = (\d):', candidates_svg(board, counts, ""))
    in_picture = {(9 * int(r) + int(c) - 10, int(digit)): rgb(fill) for fill, r, c, digit in drawn}
    assert in_picture == in_terminal
    tab.open(board)
    tab.view("candidates", "known")
    for scheme in SCHEMES:
        tab.page.emulate_media(color_scheme=scheme)
        marks = tab.evaluate(
            "() => [...document.querySelectorAll('#grid .mark')].map(m => [Number(m.closest('td').dataset.cell),"
            " Number(m.dataset.digit), getComputedStyle(m).backgroundColor])"
        )
        assert {(cell, digit): rgb(colour) for cell, digit, colour in marks} == in_terminal, scheme
    by_count = [sum(in_terminal[place]) for place in sorted(shaded, key=lambda place: shaded[place])]
    assert by_count == sorted(by_count, reverse=True), "dark is frequent"
    assert len(set(by_count)) >= 5


@pytest.mark.parametrize("shades", ["standard", "256", "truecolor"])
def test_dark_is_frequent_on_every_terminal(shades: str) -> None:
    from rich.color import ColorSystem
    from rich.style import Style

    from enumerator.command.terminal import shade

    systems = {"standard": ColorSystem.STANDARD, "256": ColorSystem.EIGHT_BIT, "truecolor": ColorSystem.TRUECOLOR}
    lights = []
    for tenth in range(1, 11):
        ground = Style.parse(shade(tenth, 10, shades)).bgcolor
        assert ground
        lights.append(luminance(tuple(ground.downgrade(systems[shades]).get_truecolor())))
    assert lights == sorted(lights, reverse=True)
    assert len(set(lights)) >= 4


@pytest.mark.slow
def test_nothing_is_cut_off_or_broken_from_320_pixels_up(make_tab: MakeTab) -> None:
    tab = make_tab(**NARROW)
    tab.open()
    tab.count(EMPTY)
    widest = (
        "() => Math.max(...[...document.querySelectorAll('main *')].map((part) => part.getBoundingClientRect().right))"
    )
    for width, height in ((320, 640), (360, 640), (500, 640), (683, 384), (768, 640), (1024, 640)):
        tab.page.set_viewport_size({"width": width, "height": height})
        assert tab.evaluate("() => document.documentElement.scrollWidth") <= width
        assert tab.evaluate(widest) <= width - 8, "within the margins"
        keys, board = (
            tab.evaluate("id => { const b = document.getElementById(id).getBoundingClientRect();"
                         " return (b.left + b.right) / 2 }", part) for part in ("keypad", "grid")
        )  # fmt: skip
        assert abs(keys - board) < 2, "below the board"
    tab.page.set_viewport_size({"width": 320, "height": 640})
    broken = tab.evaluate(
        """() => [...document.querySelector('#count .number').childNodes].filter((node) => {
            const range = document.createRange();
            range.selectNode(node);
            return node.nodeType === Node.TEXT_NODE && range.getClientRects().length > 1;
        }).length"""
    )
    assert broken == 0, "a number is broken after a separator only"
    for name in ("4x4-many", "16x16-many", "25x25-many"):
        tab.evaluate("hash => { location.hash = hash }", fragment(our_board(name)))
        tab.count(str(our_board(name)))
        assert tab.evaluate("() => document.documentElement.scrollWidth") <= 320, name
        smallest = (
            "() => Math.min(...[...document.querySelectorAll('#grid td')].map((c) => c.getBoundingClientRect().width))"
        )
        assert tab.evaluate(smallest) >= 24, "cells can be touched"


@pytest.mark.slow
def test_nothing_moves_where_reduced_motion_is_asked_for(make_tab: MakeTab) -> None:
    tab = make_tab(reduced_motion="reduce")
    tab.open(our_board("2b"))
    tab.view("candidates", "known")
    assert tab.evaluate("() => document.getAnimations().length") == 0
    tab.evaluate("() => { document.querySelector('#progress .progress').hidden = false }")
    style = "() => getComputedStyle(document.querySelector('#progress progress')).appearance"
    assert tab.evaluate(style) == "none", "a bar without a share stands still"


def test_the_page_needs_no_inline_style_or_script(tab: Tab) -> None:
    refused: list[str] = []
    tab.page.on("console", lambda message: refused.append(message.text) if message.type == "error" else None)
    tab.open(our_board("2b"))
    tab.view("candidates", "known")
    tab.view("solutions", "shown")
    assert refused == []
