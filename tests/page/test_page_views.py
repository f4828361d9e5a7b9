"""The views of the page: tabs, the solution of a unique board, superfluous clues, candidates, solutions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from support.boards import EMPTY, PUZZLE, SOLVED
from support.browsing import Tab, needs_browser, our_board
from support.plain_solver import is_minimal

from enumerator import candidates, classify, clues, complete, count, nth
from enumerator.board import Board

if TYPE_CHECKING:
    from playwright.sync_api import Route

pytestmark = [needs_browser, pytest.mark.slow]


def numbers_of_the_cell(tab: Tab) -> dict[str, str]:
    """Return the numbers of solutions by digit that the view shows of the selected cell."""
    rows = tab.evaluate(
        """() => [...document.querySelectorAll('#cell tbody tr')].map(
            (row) => [row.cells[0].textContent, row.querySelector('.number').dataset.value])"""
    )
    return dict(rows)


def is_solution(text: str, board: str) -> bool:
    return (
        classify(text) == "unique" and "." not in text and all(b in (".", s) for b, s in zip(board, text, strict=True))
    )


@pytest.mark.slow
def test_tabs_follow_the_keys_of_the_pattern(tab: Tab) -> None:
    tab.open(f"#3x3/{PUZZLE}")
    tab.page.focus("#tab-board")
    tab.press("ArrowRight")
    assert tab.page.get_attribute("#tab-candidates", "aria-selected") == "true"
    assert tab.page.is_visible("#panel-candidates")
    assert not tab.page.is_visible("#panel-board")
    tab.press("Home")
    assert tab.page.get_attribute("#tab-board", "aria-selected") == "true"
    tab.press("ArrowLeft", "ArrowRight")
    assert tab.page.is_visible("#panel-board")


def test_a_key_shows_and_hides_the_solution_of_a_unique_board(tab: Tab) -> None:
    tab.open(f"#3x3/{PUZZLE}")
    tab.wait("#solution")
    tab.select(0)
    tab.press("s")
    assert tab.shown == SOLVED
    assert tab.board == PUZZLE, "only the clues are clues"
    weights = tab.evaluate(
        "() => ['clue', 'found'].map(k => Number(getComputedStyle(document.querySelector(`.${k} .digit`)).fontWeight))"
    )
    assert weights[0] >= weights[1] + 300, "told apart by more than colour"
    tab.press("s")
    assert tab.shown == PUZZLE
    tab.page.click("#solution")
    assert tab.shown == SOLVED


def test_a_superfluous_clue_is_named_and_removed_by_a_button(tab: Tab) -> None:
    text = SOLVED[:-1] + "."
    tab.open(f"#3x3/{text}")
    tab.wait("#panel-board [data-state='known']")
    assert "superfluous" in (tab.page.get_attribute("#grid td[data-cell='0']", "class") or "")
    tab.page.click("#panel-board .chips button:has-text('r1c1 = 5')")
    assert tab.verdict("." + text[1:]) == "unique"


@pytest.mark.slow
def test_the_look_for_superfluous_clues_can_be_cancelled_and_begun_again(tab: Tab) -> None:
    tab.page.route("**/api/superfluous", lambda _: None)  # no answer
    tab.open(f"#3x3/{PUZZLE}")
    tab.page.click("#panel-board .progress button")
    tab.wait("#panel-board [data-state='refused']")
    tab.page.unroute_all()
    tab.page.click("#panel-board button:text('Look for')")
    tab.wait("#panel-board [data-state='known']")
    assert not tab.page.is_visible("#panel-board .progress")


def test_a_minimal_board_has_no_superfluous_clue(tab: Tab) -> None:
    text = str(our_board("4x4-unique"))
    for cell, symbol in enumerate(text):
        if symbol != "." and classify(without := text[:cell] + "." + text[cell + 1 :]) == "unique":
            text = without
    tab.open(f"#2x2/{text}")
    tab.wait("#panel-board [data-state='known']")
    assert "No clue is superfluous." in tab.text("#panel-board")


def test_clues_are_shaded_and_show_the_solutions_without_them(tab: Tab) -> None:
    asked = Board(PUZZLE)
    known = clues(asked)
    tab.open(asked)
    tab.view("clues", "known")
    assert tab.text("#panel-clues p").lower() == f"{known.headline}."
    numbers = tab.evaluate("() => [...document.querySelectorAll('#panel-clues td .number')].map(n => n.dataset.value)")
    assert numbers == [str(clue.solutions) for clue in known]
    names = tab.evaluate("() => [...document.querySelectorAll('#grid td.clue')].map(c => c.className)")
    assert ["superfluous" in name for name in names] == [clue.superfluous for clue in known]
    assert ["shade-" in name for name in names] == [not clue.superfluous for clue in known]
    tab.page.click("#panel-clues tbody button >> nth=0")
    assert tab.verdict(str(asked.with_cell(known.clues[0].cell, 0))) in ("unique", "multiple")


def test_the_fewest_clues_to_add_make_the_board_unique(tab: Tab) -> None:
    asked = our_board("1b")
    known = complete(asked)
    tab.open(asked)
    tab.view("clues")
    tab.page.click("#add")
    tab.wait("#added")
    assert known.headline in tab.text("#added").lower()
    tab.page.click("#panel-clues .chips button >> nth=0")
    for cell, digit in known.sets[0]:
        asked = asked.with_cell(cell, digit)
    assert tab.verdict(str(asked)) == "unique"


def test_a_cancelled_look_for_clues_to_add_leaves_what_is_known(tab: Tab) -> None:
    asked = our_board("1b")
    tab.page.route("**/api/complete", lambda _: None)  # no answer
    tab.open(asked)
    tab.view("clues", "known")
    headline, numbers = tab.text("#panel-clues p"), tab.text("#panel-clues table")
    tab.page.click("#add")
    tab.page.click("#panel-clues .progress:not([hidden]) button")
    assert tab.text("#panel-clues .offer p") == "Cancelled."
    assert (tab.text("#panel-clues p"), tab.text("#panel-clues table")) == (headline, numbers)
    assert tab.state("#panel-clues > div") == "known"
    assert not tab.page.locator("#panel-clues button:text('Count without')").count()
    tab.page.unroute_all()
    tab.page.click("#add")
    tab.wait("#added")


@pytest.mark.slow
def test_a_cancelled_count_without_each_clue_is_offered_again(tab: Tab) -> None:
    tab.page.route("**/api/clues", lambda _: None)  # no answer
    tab.open(f"#3x3/{PUZZLE}")
    tab.view("clues", "counting")
    tab.page.click("#panel-clues .progress:not([hidden]) button")
    tab.wait("#panel-clues > div[data-state='stopped']")
    tab.page.unroute_all()
    tab.page.click("#panel-clues button:text('Count without')")
    tab.wait("#panel-clues > div[data-state='known']")


def test_a_board_is_made_minimal_and_undo_brings_it_back(tab: Tab) -> None:
    tab.open(f"#3x3/{PUZZLE}")
    tab.view("clues", "known")
    tab.page.click("#minimal")
    tab.message("none can go")
    board = tab.board
    assert is_minimal(Board(board).cells, 3, 3)
    assert all(symbol in (".", clue) for symbol, clue in zip(board, PUZZLE, strict=True))
    gone = PUZZLE.count(".") - board.count(".")
    assert tab.text("#message").startswith(f"{-gone} superfluous clues are gone: the puzzle has {30 + gone} clues,")
    tab.wait_until("() => document.querySelector('#panel-clues p').textContent.startsWith('Minimal: unique')")
    assert not tab.page.locator("#minimal").count(), "nothing is left to do"
    tab.page.click("#undo")
    assert tab.board == PUZZLE


def test_a_board_without_one_solution_is_not_made_minimal(tab: Tab) -> None:
    tab.open(our_board("1b"))
    tab.view("clues", "known")
    assert not tab.page.locator("#minimal").count()
    assert tab.text("#panel-clues .offer >> nth=1") == "Only a board with one solution can be made minimal."
    tab.open("#2x2/11..............")
    assert tab.verdict("11..............") == "none"
    assert not tab.page.locator("#minimal").count()


def test_pencil_marks_are_not_made_minimal(tab: Tab) -> None:
    board = Board.from_allowed("2x2", [0b0001, 0b0110, 0b1100, 0b1100] + [0b1111] * 12)
    line = {"kind": "answer", "answer": {"verdict": "unknown", "reason": "not asked", "conflicts": []}}
    tab.page.route("**/api/classify", lambda route: route.fulfill(json=line))
    tab.open(board)
    tab.view("clues")
    tab.page.click("#minimal")
    tab.wait_until("() => document.querySelector('#panel-clues').textContent.includes('pencil marks.')")
    assert tab.page.is_visible("#minimal"), "it is offered again"


def test_unavoidable_sets_are_shown_one_at_a_time(tab: Tab) -> None:
    """The 4×4 grid with 14 minimal sets, the smallest of 4 cells: enumerator/questions/unavoidable.py."""
    text = "1234341221434..."
    tab.open(f"#2x2/{text}")
    tab.view("clues", "known")
    tab.page.click("#unavoidable")
    tab.wait("#set")
    assert "14 sets of up to 16 cells." in tab.text("#panel-clues")
    shown = "() => [...document.querySelectorAll('#grid td.because')].map((cell) => Number(cell.dataset.cell))"
    seen = set()
    for number in range(1, 15):
        cells = tab.evaluate(shown)
        present = sum(text[cell] != "." for cell in cells)
        assert tab.text("#set").startswith(f"Set {number} of 14: {len(cells)} cells, ")
        assert tab.text("#set").endswith("is its only clue." if present == 1 else f", {present} are clues.")
        seen.add(tuple(cells))
        if number < 14:
            tab.page.click("[aria-label='Next set']")
    assert tab.page.is_disabled("[aria-label='Next set']")
    assert sorted(map(len, seen)) == [4] * 8 + [8] * 2 + [12] * 4
    tab.page.click("[aria-label='Previous set']")
    assert tab.text("#set").startswith("Set 13 of 14")
    label = tab.page.locator("#grid td.because").first.get_attribute("aria-label") or ""
    assert label.endswith(", in the set")


def test_candidates_are_those_of_the_command_on_focus(tab: Tab) -> None:
    board = our_board("2b")
    known = candidates(board)
    tab.open(board)
    tab.view("candidates", "known")
    for cell in (1, 2, 80):
        tab.select(cell)
        counts = known[cell]
        assert numbers_of_the_cell(tab) == {str(digit): str(n) for digit, n in enumerate(counts, 1) if n}
    tab.select(1)
    assert numbers_of_the_cell(tab) == {"3": "33", "8": "142", "9": "9"}
    label = tab.page.get_attribute("#grid td[data-cell='1']", "aria-label")
    assert label == "r1c2: 3 in 33, 8 in 142, 9 in 9 of 184 solutions"
    marks = "() => [...document.querySelectorAll(\"#grid td[data-cell='1'] .mark\")].map(m => m.textContent)"
    assert tab.evaluate(marks) == ["3", "8", "9"]


def test_candidates_that_are_known_are_not_asked_for_again(tab: Tab) -> None:
    tab.open(our_board("2b"))
    tab.view("candidates", "known")
    tab.view("board")
    tab.select(1)
    tab.view("candidates", "known")
    assert numbers_of_the_cell(tab) == {"3": "33", "8": "142", "9": "9"}
    assert tab.page.locator("#grid .mark.pick").count()
    assert sum(url.endswith("/api/candidates") for url in tab.requests) == 1


def test_clicking_a_digit_that_makes_it_unique_gives_unique(tab: Tab) -> None:
    board = our_board("2b")
    tab.open(board)
    tab.view("candidates", "known")
    picks = tab.page.locator("#grid .mark.pick")
    assert picks.count() == sum(clue.solutions == 1 for clue in candidates(board).clues)
    picks.first.click()
    edited = tab.board
    assert tab.verdict(edited) == "unique"
    tab.press("Control+z")
    tab.wait("#panel-candidates > div[data-state='known']")
    tab.page.click("#panel-candidates .chips button")
    assert tab.verdict(tab.board) == "unique"


def test_the_closest_clues_are_offered_where_none_makes_it_unique(tab: Tab) -> None:
    board = our_board("1c")
    tab.open(board)
    tab.view("candidates", "known")
    best = candidates(board).clues[0]
    name = f"{best.place(9)} = {best.digit} leaves {best.solutions:,}"
    assert tab.page.locator("#panel-candidates .chips button").first.inner_text() == name
    tab.page.locator("#panel-candidates .chips button").first.click()
    assert tab.count(tab.board) == str(best.solutions)


@pytest.mark.slow
def test_candidates_of_larger_boards(tab: Tab) -> None:
    sixteen = our_board("16x16-many")
    tab.open(sixteen)
    tab.view("candidates", "known")
    tab.select(0)
    expected = {sixteen.shape.symbols[d]: str(n) for d, n in enumerate(candidates(sixteen)[0]) if n}
    assert numbers_of_the_cell(tab) == expected
    assert tab.page.locator("#grid .mark").count() > 256, "digits up to 16×16"
    large = our_board("25x25-many")
    tab.open(large)
    tab.page.reload()
    tab.view("candidates", "known")
    assert tab.page.locator("#grid .mark").count() == 0
    undecided = sum(max(counts) < 40 for counts in candidates(large))
    assert tab.page.locator("#grid td[class*='shade-']").count() == undecided, "one shade a cell beyond"


def test_candidates_follow_an_edit(tab: Tab) -> None:
    board = our_board("2b")
    tab.open(board)
    tab.view("candidates", "known")
    tab.select(1)
    tab.press("3")
    edited = board.with_cell(1, 3)
    tab.wait_until("t => { const d = document.querySelector('#panel-candidates > div').dataset;"
                   " return d.board === t && d.state === 'known' }", str(edited))  # fmt: skip
    tab.select(2)
    assert numbers_of_the_cell(tab) == {str(d): str(n) for d, n in enumerate(candidates(edited)[2], 1) if n}


def test_solutions_by_number_and_at_random(tab: Tab) -> None:
    board = our_board("2b")
    text, total = str(board), count(board)
    tab.open(board)
    tab.view("solutions", "shown")
    tab.wait_until("() => document.querySelector('#panel-solutions').textContent.includes('of 184')")

    def click(name: str, n: int) -> None:
        tab.page.click(f"[aria-label='{name} solution']")
        tab.wait("#panel-solutions > div[data-state='shown']")
        assert tab.page.input_value("#nth") == f"{n:,}"
        assert tab.shown == str(nth(board, n - 1))

    assert tab.shown == str(nth(board, 0))
    click("Next", 2)
    click("Last", total)
    assert tab.page.is_disabled("[aria-label='Next solution']")
    click("Previous", total - 1)
    click("First", 1)
    tab.page.fill("#nth", "100")
    tab.page.press("#nth", "Enter")
    tab.wait_until("text => [...document.querySelectorAll('#grid td')].map(c => c.textContent).join('') === text",
                   str(nth(board, 99)))  # fmt: skip
    tab.page.click("#random")
    tab.wait("#panel-solutions > div[data-state='shown']")
    assert is_solution(tab.shown, text)
    tab.page.click("#copy-solution")
    tab.message("copied")
    assert tab.clipboard() == tab.shown
    tab.page.fill("#nth", "185")
    tab.page.press("#nth", "Enter")
    tab.wait("#panel-solutions > div[data-state='refused']")
    assert "184" in tab.text("#panel-solutions .status")


@pytest.mark.slow
def test_a_number_that_is_typed_stays_when_the_count_ends(tab: Tab) -> None:
    held: list[Route] = []
    tab.page.route("**/api/count", lambda route: held.append(route))
    tab.open(our_board("2b"))
    tab.view("solutions", "shown")
    tab.page.fill("#nth", "100")
    held[0].continue_()
    tab.wait_until("() => document.querySelector('#panel-solutions').textContent.includes('of 184')")
    assert tab.page.input_value("#nth") == "100"
    tab.page.focus("[aria-label='Last solution']")
    tab.press("Enter", "Enter")
    tab.wait_until("() => document.querySelector('#nth').value === '184'")
    tab.wait("#panel-solutions > div[data-state='shown']")
    label = tab.evaluate("() => document.activeElement.getAttribute('aria-label')")
    assert label == "Last solution", "a button that is off keeps the focus"


@pytest.mark.slow
def test_the_last_of_huge_numbers_of_solutions(tab: Tab) -> None:
    tab.open()
    assert tab.count(EMPTY)
    tab.view("solutions", "shown")
    tab.page.click("[aria-label='Last solution']")
    tab.wait("#panel-solutions > div[data-state='shown']")
    assert tab.page.input_value("#nth") == "6,670,903,752,021,072,936,960"
    assert tab.shown == str(nth(EMPTY, 6670903752021072936959))
    tab.page.click("[aria-label='Previous solution']")
    tab.wait("#panel-solutions > div[data-state='shown']")
    assert tab.shown == str(nth(Board(EMPTY), 6670903752021072936958)), "exact beyond 2^53"


def test_views_of_a_board_without_a_solution_say_so(tab: Tab) -> None:
    tab.open("#2x2/11..............")
    assert tab.verdict("11..............") == "none"
    tab.view("candidates", "none")
    tab.view("solutions", "none")
    assert tab.page.is_disabled("#random")
