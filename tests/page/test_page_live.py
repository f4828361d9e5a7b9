"""Answers on the page: verdicts and conflicts, counts, progress, a busy server, late answers, speed."""

from __future__ import annotations

from statistics import median

import pytest
from support.boards import EMPTY, PUZZLE, SOLVED
from support.browsing import MakeTab, Tab, needs_browser, our_board
from support.lateness import Stopwatch

from bench.common.browser import serving
from enumerator import canonical, classify, count

pytestmark = [needs_browser, pytest.mark.slow]

EMPTY_SOLUTIONS = "6670903752021072936960"
"""The number of 9×9 grids: Felgenhauer and Jarvis, 2005."""

HARD = "#4x4/" + "." * 256
"""A board whose count lasts."""


@pytest.mark.slow
def test_counts_are_those_of_the_library(tab: Tab) -> None:
    for name in ("1c", "2b", "4x4-many", "6x6-unique", "16x16-many", "25x25-many"):
        board = our_board(name)
        tab.open(board)
        assert tab.count(str(board)) == str(count(board)), name


def test_the_empty_board_has_all_grids(tab: Tab) -> None:
    tab.open()
    assert tab.count(EMPTY) == EMPTY_SOLUTIONS
    assert tab.text("#count").split() == ["6,670,903,752,021,072,936,960", "solutions"]
    assert tab.text("#verdict") == "Not unique"


def test_verdicts_follow_each_key(tab: Tab) -> None:
    tab.open(f"#3x3/{PUZZLE}")
    assert tab.verdict(PUZZLE) == "unique"
    assert tab.text("#verdict") == "Unique"
    assert tab.count(PUZZLE) == "1"
    tab.select(0)
    tab.press("Backspace")
    without = "." + PUZZLE[1:]
    assert tab.verdict(without) == classify(without)
    tab.press("3")
    assert tab.verdict("3" + PUZZLE[1:]) == "none"
    assert tab.text("#count") == ""


def test_conflicts_are_named_and_marked_by_more_than_colour(tab: Tab) -> None:
    text = "5" + "." * 7 + "5" + "." * 72
    tab.open(f"#3x3/{text}")
    assert tab.verdict(text) == "none"
    assert "Row 1 holds 5 twice, at r1c1 and r1c9." in tab.text("#verdict")
    styles = tab.evaluate(
        """() => [...document.querySelectorAll('#grid td')].map((cell) => ({
            invalid: cell.getAttribute('aria-invalid'),
            corner: getComputedStyle(cell).backgroundImage !== 'none',
            line: cell.firstChild ? getComputedStyle(cell.firstChild).textDecorationLine : '',
            label: cell.getAttribute('aria-label'),
        }))"""
    )
    marked = {"invalid": "true", "corner": True, "line": "underline"}
    assert [cell for cell, style in enumerate(styles) if marked.items() <= style.items()] == [0, 8]
    assert not any(style["corner"] for style in styles[1:8])
    assert styles[8]["label"] == "r1c9: 5, a clue, in conflict"


SHARES = {
    0: "0 %",
    5e-324: "less than 0.001 %",
    1e-300: "less than 0.001 %",
    9.99e-6: "less than 0.001 %",
    1.01e-5: "0.001 %",
    0.00999: "0.99 %",
    0.0199: "1.9 %",
    0.2499: "24.9 %",
    0.9989: "99.8 %",
    0.99999: "99.9 %",
    1 - 2**-53: "99.9 %",
    1: "99.9 %",
}
"""Shares that are done, and how the page shows them: rounded down, and never 100 % before the answer."""


def test_the_share_that_is_done_is_rounded_down_and_never_whole(tab: Tab) -> None:
    tab.open("#2x2/................")
    shown = tab.evaluate(
        """async (shares) => {
            const { makeProgress } = await import('/progress.js');
            const progress = makeProgress({ label: 'Test', onCancel: () => {} });
            return shares.map((share) => {
                progress.update({ share, solutions: '0', stage: '' });
                const bar = progress.element.querySelector('progress');
                return [progress.element.querySelector('.progress-text').textContent, bar.value];
            });
        }""",
        list(SHARES),
    )
    assert [text for text, _ in shown] == list(SHARES.values())
    bars = [bar for _, bar in shown]
    assert all(bar <= share for bar, share in zip(bars, SHARES, strict=True))
    assert max(bars) < 1
    assert bars == sorted(bars)


def test_a_count_shows_progress_and_can_be_cancelled_and_begun_again(tab: Tab) -> None:
    tab.open(HARD)
    tab.wait("#progress .progress:not([hidden])")
    tab.wait_until("() => /solutions so far/.test(document.querySelector('#progress').textContent)")
    tab.page.click("#progress button")
    tab.wait("#count[data-state='cancelled']")
    assert tab.text("#count").startswith("Cancelled: at least ")
    assert tab.evaluate("() => document.querySelector('#progress .progress').hidden")
    tab.page.click("#count button")
    tab.wait("#count[data-state='counting']")


@pytest.mark.slow
def test_a_count_that_ends_early_says_at_least_and_about(tab: Tab) -> None:
    def hurry(route: object, request: object) -> None:
        body = request.post_data_json | {"seconds": 1}  # type: ignore[attr-defined]
        route.continue_(post_data=body)  # type: ignore[attr-defined]

    tab.page.route("**/api/count", hurry)
    tab.open(HARD)
    tab.wait("#count[data-state='cut off']")
    words = tab.text("#count")
    assert words.startswith("At least ")
    assert "Estimated total: about " in words
    assert "× 10^" in words


@pytest.mark.slow
def test_two_tabs_count_and_a_third_is_told_so_and_still_judges(make_tab: MakeTab) -> None:
    first, second, third = (make_tab() for _ in range(3))
    for tab in (first, second):
        tab.open(HARD)
        tab.wait("#progress .progress:not([hidden])")
    third.open(HARD)
    third.wait("#count[data-state='refused']")
    assert third.verdict("." * 256) == "multiple"
    third.select(0)
    third.press("1", "ArrowRight", "1")
    assert third.verdict("11" + "." * 254) == "none"
    third.press("Control+z")
    third.wait("#count[data-state='refused']")
    first.page.close()
    third.wait_until(
        """() => {
            const again = document.querySelector('#count button');
            if (again) again.click();
            return document.querySelector('#count').dataset.state === 'counting'
        }"""
    )


def test_quick_edits_show_only_the_last_boards_answer(tab: Tab) -> None:
    text = str(our_board("1c"))
    tab.open(f"#3x3/{text}")
    tab.count(text)
    tab.select(0)
    keys = [key for _ in range(10) for key in ("1", "Backspace")]
    tab.press(*keys[:-1], "2")
    last = "2" + text[1:]
    assert tab.count(last) == str(count(last))
    assert tab.text("#verdict") == "Not unique"


@pytest.mark.slow
def test_a_late_answer_of_an_older_board_is_dropped(make_tab: MakeTab) -> None:
    """The answers to the first questions arrive after those to the last ones, and were not aborted."""
    tab = make_tab(locale="en")  # a context of its own, for its script
    tab.page.add_init_script(
        """{
            const real = window.fetch;
            window.held = [];
            window.fetch = async (address, options) => {
                const body = JSON.parse(options.body);
                const answer = await real(address, {...options, signal: undefined});
                if (body.board.startsWith('99')) await new Promise((release) => window.held.push(release));
                return answer;
            };
        }"""
    )
    tab.open(f"#3x3/{SOLVED}")
    assert tab.count(SOLVED) == "1"
    tab.select(0)
    tab.press("9", "ArrowRight", "9")
    tab.wait_until("() => window.held.length === 2")  # of the verdict and the canonical form
    tab.press("Control+z", "Control+z")
    assert tab.count(SOLVED) == "1"
    tab.evaluate("() => window.held.forEach((release) => release())")
    tab.press("Backspace")
    tab.verdict(SOLVED[0] + "." + SOLVED[2:])
    tab.press(SOLVED[1])
    assert tab.verdict(SOLVED) == "unique", "the held answer has been read by now"
    assert tab.text("#verdict") == "Unique"
    assert tab.page.get_attribute("#verdict", "data-board") == SOLVED
    tab.wait_until("t => document.querySelector('#form code').textContent === t", str(canonical(SOLVED).form))


def test_a_server_that_is_gone_is_named(tab: Tab) -> None:
    tab.open(f"#3x3/{PUZZLE}")
    tab.verdict(PUZZLE)
    tab.page.route("**/api/*", lambda route: route.abort())
    tab.select(2)
    tab.press("4")
    tab.wait("#verdict[data-state='error']")
    assert "enumerate --serve" in tab.text("#verdict")
    tab.page.unroute_all()
    tab.page.click("#verdict button")
    assert tab.verdict(PUZZLE[:2] + "4" + PUZZLE[3:]) == "unique", "it is back"


def test_numbers_and_messages_in_words(tab: Tab) -> None:
    tab.open(f"#3x3/{PUZZLE}")
    words = tab.evaluate(
        """async () => {
            const { percent, roughly, sentence, shadeOf, shareOf } = await import('/numbers.js');
            const shares = [['0', '9'], ['1', '6670903752021072936960'], ['1', '3'], ['99999', '100000'], ['9', '9']];
            return [
                shares.map(([part, whole]) => percent(shareOf(part, whole))),
                shares.map(([part, whole]) => shadeOf(part, whole)),
                [2, 6.999, 37.69].map((mean) => roughly({ log10: { mean } })),
                ['r1c1 has no allowed digit', 'busy', ''].map(sentence),
            ];
        }"""
    )
    assert words == [
        ["0 %", "less than 0.01 %", "33 %", "99.9 %", "100 %"],
        [0, 1, 4, 10, 10],
        ["100", "1.0 × 10^7", "4.9 × 10^37"],
        ["r1c1 has no allowed digit.", "Busy.", ""],
    ]


@pytest.mark.slow
def test_the_first_verdict_comes_within_three_seconds_of_the_command(make_tab: MakeTab) -> None:
    tab = make_tab()
    with Stopwatch() as watch, serving() as address:
        tab.address = address
        tab.requests.clear()
        tab.open(f"#3x3/{PUZZLE}")
        assert tab.verdict(PUZZLE) == "unique"
        assert watch.so_far() < 3
        tab.page.close()
    tab.requests.clear()


def test_edits_are_answered_within_a_tenth_of_a_second(tab: Tab) -> None:
    tab.open(f"#3x3/{PUZZLE}")
    tab.verdict(PUZZLE)
    tab.evaluate(
        """() => {
            window.times = [];
            let pressed = 0;
            document.addEventListener('keydown', () => { pressed = performance.now() }, true);
            new MutationObserver(() => {
                const { state } = document.querySelector('#verdict').dataset;
                if (!pressed || ['pending', 'deciding'].includes(state)) return;
                window.times.push(performance.now() - pressed);
                pressed = 0;
            }).observe(document.querySelector('#verdict'), { attributes: true });
        }"""
    )
    tab.select(2)
    with Stopwatch(free=0) as watch:
        for edit in range(1, 13):
            tab.press("4" if edit % 2 else "Backspace")
            tab.wait_until("edit => window.times.length === edit", edit)
    assert median(tab.evaluate("() => window.times")) < 100 * watch.slowness
