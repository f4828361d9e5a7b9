"""The view in which a board is solved step by step: stepping, playing, marks, guesses, keys, what readers hear."""

from __future__ import annotations

import json
from collections.abc import Callable
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlsplit

import pytest
from support.barriers import barriers
from support.boards import CONTRADICTION, PUZZLE, SOLVED
from support.browsing import Tab, needs_browser, our_board

from enumerator.board import Board
from enumerator.questions.steps import Step, StepsAnswer, record_steps

pytestmark = [needs_browser, pytest.mark.slow]

MakeTab = Callable[..., Tab]

State = tuple[list[int], list[set[int]]]
"""The digits and the candidates of all cells."""

HARD = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
"""A 9×9 board that needs guesses: it was published as the hardest by Arto Inkala in 2012."""


def watch(tab: Tab, text: str | Board) -> StepsAnswer:
    """Open a board in the view, and return its record."""
    asked = text if isinstance(text, Board) else Board(text)
    tab.open(asked)
    tab.view("watch", "known")
    return record_steps(asked)


def watch_with_still_clock(tab: Tab, text: str) -> StepsAnswer:
    """Open a board in the view; then the clock of the page moves only where a test moves it."""
    tab.page.clock.install(time=0)
    record = watch(tab, text)
    tab.page.clock.pause_at(3600)
    return record


def position(tab: Tab) -> int:
    return int(tab.page.get_attribute("#panel-watch > div", "data-position") or "")


def go(tab: Tab, number: int) -> None:
    """Move the slider to a position."""
    script = "n => { const s = document.querySelector('#position'); s.value = n; s.dispatchEvent(new Event('input')) }"
    tab.evaluate(script, number)
    assert position(tab) == number


def number_of(record: StepsAnswer, *, rule: str | None = None, kind: str | None = None) -> int:
    """Return the number of the first step by a rule or of a kind."""
    return next(
        number for number, step in enumerate(record, 1) if rule in (None, step.rule) and kind in (None, step.kind)
    )


def marked(tab: Tab, name: str) -> set[int]:
    """Return the cells with a class."""
    return {
        int(cell)
        for cell in tab.evaluate("n => [...document.querySelectorAll(`#grid td.${n}`)].map(c => c.dataset.cell)", name)
    }


def struck(tab: Tab) -> set[tuple[int, int]]:
    """Return the candidates that are struck out, as cells and digits."""
    script = """() => [...document.querySelectorAll('#grid .mark.removed')]
        .filter((mark) => getComputedStyle(mark).textDecorationLine === 'line-through')
        .map((mark) => [Number(mark.closest('td').dataset.cell), Number(mark.dataset.digit)])"""
    return set(map(tuple, tab.evaluate(script)))


def marks(tab: Tab) -> list[set[int]]:
    """Return the candidates that each cell shows and that are not struck out."""
    script = """() => [...document.querySelectorAll('#grid td')].map((cell) =>
        [...cell.querySelectorAll('.mark:not(.removed)')].map((mark) => Number(mark.dataset.digit)))"""
    return list(map(set, tab.evaluate(script)))


def sentence(tab: Tab) -> str:
    tab.wait("#panel-watch .reason")
    return tab.text("#panel-watch .reason")


# ------------------------------------------------------------------------------------------- stepping


@pytest.mark.slow
def test_every_step_shows_its_placements_and_its_candidates(tab: Tab) -> None:
    record = watch(tab, HARD)
    cells = [*record.board.cells]
    candidates = [{bit + 1 for bit in range(9) if mask >> bit & 1} for mask in record.candidates]
    before, expected, back = list[State](), list[State](), 0
    steps = record.steps[:120]
    assert sum(step.kind == "dead end" for step in steps) > 3
    for step in steps:
        if back:
            cells, candidates = before[back - 1]
        before.append((cells, candidates))
        cells, candidates = cells[:], [set(digits) for digits in candidates]
        if step.kind == "place":
            cells[step.cells[0]] = step.digits[0]
            candidates[step.cells[0]] = set()
        for cell in step.removed if step.kind == "place" else step.cells if step.kind == "remove" else ():
            candidates[cell] -= {*step.digits}
        back = step.back_to or 0
        expected.append((cells, candidates))
    shown = tab.evaluate(
        """(last) => Array.from({ length: last }, (_, index) => {
            const slider = document.querySelector('#position');
            slider.value = index + 1;
            slider.dispatchEvent(new Event('input'));
            const cells = [...document.querySelectorAll('#grid td')];
            return [
                cells.map((cell) => Number(cell.querySelector('.digit')?.textContent ?? 0)),
                cells.map((cell) =>
                    [...cell.querySelectorAll('.mark:not(.removed)')].map((mark) => Number(mark.dataset.digit))),
            ];
        })""",
        len(steps),
    )
    for step, (digits, marks_shown), state in zip(steps, shown, expected, strict=True):
        assert (digits, list(map(set, marks_shown))) == state, step.text


def test_buttons_step_to_the_end_and_back_to_the_start(tab: Tab) -> None:
    record = watch(tab, PUZZLE)
    assert position(tab) == 0
    assert tab.shown == PUZZLE
    tab.page.click("button[aria-label='Step forward']")
    assert position(tab) == 1
    assert sentence(tab) == record.steps[0].text
    tab.page.click("button[aria-label='Step forward']")
    tab.page.click("button[aria-label='Step back']")
    assert sentence(tab) == record.steps[0].text
    tab.page.click("button[aria-label='To the end']")
    assert tab.shown == SOLVED
    assert tab.text("#panel-watch .place") == "Solved"
    tab.page.click("button[aria-label='To the start']")
    assert tab.shown == PUZZLE
    tab.page.focus("button[aria-label='Step back']")
    tab.press("Enter")
    assert position(tab) == 0, "there is nothing before the start"


def test_the_slider_is_moved_by_keys(tab: Tab) -> None:
    record = watch(tab, PUZZLE)
    tab.page.focus("#position")
    tab.press("ArrowRight", "ArrowRight", "ArrowLeft")
    assert position(tab) == 1
    tab.press("End")
    assert position(tab) == len(record)
    tab.press("Home")
    assert position(tab) == 0
    assert tab.page.get_attribute("#position", "aria-valuetext") == f"Step 0 of {len(record) - 1}"


@pytest.mark.slow
def test_each_step_names_its_rule_and_marks_cell_reasons_and_what_goes(tab: Tab) -> None:
    record = watch(tab, HARD)
    for rule in ("naked single", "hidden single", "locked candidates", "hidden pair"):
        number = number_of(record, rule=rule)
        step = record.steps[number - 1]
        go(tab, number)
        assert tab.text("#panel-watch .rule") == rule.capitalize()
        assert sentence(tab) == step.text
        assert marked(tab, "target") == ({*step.cells} if step.kind == "place" else set())
        assert marked(tab, "because") == {*step.because}
        assert {cell for cell, _ in struck(tab)} == {*(step.removed if step.kind == "place" else step.cells)}
        assert {digit for _, digit in struck(tab)} <= {*step.digits}
        assert marked(tab, "losing") == {cell for cell, _ in struck(tab)}


def test_marks_differ_by_form_and_are_told_to_readers(tab: Tab) -> None:
    record = watch(tab, HARD)
    step: Step = record.steps[number_of(record, rule="hidden single") - 1]
    go(tab, number_of(record, rule="hidden single"))
    script = "n => getComputedStyle(document.querySelector(`#grid td.${n}`), '::before').borderTopStyle"
    assert [tab.evaluate(script, name) for name in ("target", "because", "losing")] == ["solid", "dotted", "dashed"]
    label = "c => document.querySelector(`#grid td[data-cell='${c}']`).getAttribute('aria-label')"
    assert tab.evaluate(label, step.cells[0]).endswith("the cell of the step")
    assert tab.evaluate(label, step.because[0]).endswith("a clue, a reason")
    assert f"without {step.digits[0]}" in tab.evaluate(label, step.removed[0])


def test_guesses_are_listed_and_dead_ends_are_marked(tab: Tab) -> None:
    record = watch(tab, HARD)
    number = number_of(record, kind="dead end")
    dead_end = record.steps[number - 1]
    go(tab, number)
    assert tab.text("#panel-watch .rule") == "Dead end"
    assert sentence(tab).endswith(f"back to step {dead_end.back_to}.")
    assert marked(tab, "dead") == {*dead_end.cells}
    assert f"depth {dead_end.depth} of at most {record.deepest}" in tab.text("#panel-watch .guesses")
    assert tab.page.locator("#panel-watch .guesses li").count() == dead_end.depth
    assert tab.page.locator("#grid td.guess").count() == dead_end.depth
    tab.page.click("#panel-watch .guesses li:last-child button")
    assert position(tab) == dead_end.back_to
    assert tab.text("#panel-watch .rule") == f"Guess {dead_end.depth}"
    go(tab, number + 1)
    assert tab.text("#panel-watch .rule") == "Elimination"
    assert tab.page.locator("#panel-watch .guesses li").count() == dead_end.depth - 1


# -------------------------------------------------------------------------------------------- playing


@pytest.mark.slow
def test_playing_goes_step_by_step_to_the_end_and_is_silent(tab: Tab) -> None:
    record = watch_with_still_clock(tab, PUZZLE)
    live = "() => document.querySelector('#panel-watch .step').getAttribute('aria-live')"
    assert tab.evaluate(live) == "polite"
    tab.page.select_option("#speed", "150")
    tab.page.click("#panel-watch .play")
    assert tab.text("#panel-watch .play") == "Pause"
    assert tab.evaluate(live) == "off"
    tab.page.clock.run_for(310)
    assert position(tab) == 2
    tab.page.click("#panel-watch .play")
    tab.page.clock.run_for(1000)
    assert (position(tab), tab.evaluate(live), sentence(tab)) == (2, "polite", record.steps[1].text)
    tab.page.focus("#position")
    tab.press(" ")
    tab.page.clock.run_for(310)
    assert position(tab) == 4, "Space plays"
    tab.press(" ")
    tab.press(" ")
    tab.press("ArrowRight")
    tab.page.clock.run_for(1000)
    assert position(tab) == 5, "a step by hand ends playing"
    tab.press(" ")
    tab.page.clock.run_for(150 * len(record))
    assert (position(tab), tab.text("#panel-watch .play")) == (len(record), "Play")
    assert tab.shown == SOLVED
    tab.press(" ")
    tab.page.clock.run_for(160)
    assert position(tab) == 1, "playing again begins at the start"


@pytest.mark.slow
def test_another_view_ends_playing(tab: Tab) -> None:
    watch_with_still_clock(tab, PUZZLE)
    tab.page.click("#panel-watch .play")
    tab.view("board")
    tab.page.clock.run_for(5000)
    assert tab.shown == PUZZLE


@pytest.mark.slow
def test_reduced_motion_has_steps_but_does_not_play(make_tab: MakeTab) -> None:
    tab = make_tab(reduced_motion="reduce")
    watch(tab, PUZZLE)
    assert not tab.page.is_visible("#panel-watch .play")
    assert not tab.page.is_visible("#speed")
    tab.page.focus("#position")
    tab.press(" ")
    assert tab.page.get_attribute("#panel-watch > div", "data-playing") is None
    tab.press("ArrowRight")
    assert position(tab) == 1


# --------------------------------------------------------------------------------------------- boards


@pytest.mark.slow
def test_a_change_of_the_board_is_solved_anew(tab: Tab) -> None:
    watch(tab, PUZZLE)
    go(tab, 10)
    tab.select(0)
    tab.press("Backspace")
    without = "." + PUZZLE[1:]
    tab.wait(f"#panel-watch > div[data-state='known'][data-board='{without}']")
    assert (position(tab), tab.shown) == (0, without)


def test_a_board_without_a_solution_ends_with_the_reason(tab: Tab) -> None:
    watch(tab, CONTRADICTION)
    tab.page.click("button[aria-label='To the end']")
    assert tab.text("#panel-watch .rule") == "No solution"
    assert sentence(tab) == "Row 1 holds 5 twice, at r1c1 and r1c5."
    assert marked(tab, "dead") == {0, 4}


def test_a_board_with_several_solutions_says_so(tab: Tab) -> None:
    asked = our_board("1c")
    watch(tab, asked)
    tab.verdict(str(asked))
    assert tab.text("#panel-watch .facts").endswith("This is one of several solutions.")


@pytest.mark.slow
@pytest.mark.parametrize(("name", "has_marks"), [("16x16-unique", True), ("25x25-many", False)])
def test_large_boards_show_candidates_up_to_16(tab: Tab, name: str, has_marks: bool) -> None:
    record = watch(tab, our_board(name))
    go(tab, 20)
    assert (tab.page.locator("#grid .mark").count() > 0) == has_marks
    tab.page.click("button[aria-label='To the end']")
    assert tab.shown == str(record.solution)


def test_pencil_marks_are_where_a_board_begins(tab: Tab) -> None:
    text = "12 3 4 1\n34 1 2 34\n1 2 3 4\n1234 1234 1234 1234"
    asked = Board(text)
    record = watch(tab, asked)
    assert marks(tab)[0] == {bit + 1 for bit in range(4) if record.candidates[0] >> bit & 1}


@pytest.mark.slow
def test_a_record_that_is_cut_off_says_so(tab: Tab) -> None:
    record = watch(tab, our_board("25x25-unique").transposed())
    assert tab.text("#panel-watch .facts") == f"{record.headline.capitalize()}."
    tab.page.click("button[aria-label='To the end']")
    assert position(tab) == 5_000


def test_a_board_beyond_25_is_refused_in_words(tab: Tab) -> None:
    tab.open(Board.empty("6x6"))
    tab.view("watch", "refused")
    assert tab.text("#panel-watch .facts") == "Boards up to 25×25 are solved step by step."


@pytest.mark.slow
def test_a_wide_board_is_moved_to_the_column_of_the_step(make_tab: MakeTab) -> None:
    tab = make_tab(viewport={"width": 360, "height": 700})
    record = watch(tab, our_board("16x16-unique"))
    rightmost = max(range(1, 60), key=lambda number: record.steps[number - 1].cells[0] % 16)
    go(tab, rightmost)
    cell = record.steps[rightmost - 1].cells[0]
    inside = """c => {
        const [cell, frame] = [document.querySelector(`#grid td[data-cell='${c}']`), document.querySelector('.frame')];
        return cell.getBoundingClientRect().right <= frame.getBoundingClientRect().right + 1;
    }"""
    assert tab.evaluate(inside, cell)


@pytest.mark.slow
def test_the_view_is_accessible(make_tab: MakeTab) -> None:
    tab = make_tab(viewport={"width": 320, "height": 900})
    record = watch(tab, HARD)
    for number in (number_of(record, rule="hidden single"), number_of(record, kind="dead end")):
        go(tab, number)
        assert barriers(tab) == []
    assert tab.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


# --------------------------------------------------------------------------------------------- server


def ask(address: str, **body: object) -> dict[str, Any]:
    """Ask /api/steps, and return the last line."""
    parts = urlsplit(address)
    connection = HTTPConnection(parts.hostname or "", parts.port, timeout=60)
    try:
        connection.request("POST", "/api/steps", json.dumps(body), {"Content-Type": "application/json"})
        lines = connection.getresponse().read().splitlines()
        return dict(json.loads(lines[-1]))
    finally:
        connection.close()


def test_the_server_answers_with_the_record(page_address: str) -> None:
    line = ask(page_address, board=HARD)
    expected = json.loads(json.dumps(record_steps(Board(HARD)).to_dict()))
    assert line["kind"] == "answer"
    assert {**line["answer"], "seconds": 0} == {**expected, "seconds": 0}


def test_the_server_refuses_what_it_does_not_solve_step_by_step(page_address: str) -> None:
    line = ask(page_address, board="." * 36**2, shape="6x6")
    assert (line["kind"], line["code"]) == ("error", "request")
    assert line["message"] == "boards up to 25×25 are solved step by step"
    assert ask(page_address, board=HARD, seconds=0)["code"] == "request"
    assert ask(page_address, board="no board")["code"] == "board"
