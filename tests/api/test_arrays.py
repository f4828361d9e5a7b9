"""Arrays: the same solutions, samples and counts as the boards of the other functions, in the same order."""

from __future__ import annotations

import random
import threading
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from support.boards import COMMON_SHAPES, CONTRADICTION, EMPTY, NINE, PUZZLE, SOLVED, UNSOLVABLE, random_board
from support.boards import board as ours
from support.cases import slow_after
from support.marks import restricted_board
from support.processes import run_python
from support.solution_lists import ENGINES, as_array

import enumerator as en
from enumerator.api import filling
from enumerator.board import Board, Shape
from enumerator.questions.checks import EngineName

if TYPE_CHECKING:
    import numpy as np
else:
    np = pytest.importorskip("numpy")

pytestmark = pytest.mark.usefixtures("no_thread_is_left")

LARGE_SHAPES = [Shape(2, 5), Shape(3, 4), Shape(4, 4), Shape(5, 5)]
"""Shapes that only the search supports."""


def assert_solutions(array: Any, boards: list[Board], shape: Shape) -> None:
    assert array.dtype == np.uint8
    assert array.flags.c_contiguous
    assert array.flags.writeable
    assert array.shape == (len(boards), shape.size, shape.size)
    assert (array == as_array(boards, shape)).all()


# ---------------------------------------------------------------------------------------------- solutions


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("shape", COMMON_SHAPES, ids=str)
def test_an_array_has_the_solutions_in_the_order_of_the_list(shape: Shape, engine: EngineName) -> None:
    for most in (1, 60, 3000):
        board = random_board(shape, random.Random(f"array {shape} {most}"), most)
        expected = list(en.solutions(board, engine=engine))
        assert expected
        for cores in (1, 2, 3):
            assert_solutions(en.solutions_array(board, cores=cores, engine=engine), expected, shape)


@pytest.mark.parametrize("shape", LARGE_SHAPES, ids=str)
def test_an_array_of_a_large_board_has_the_solutions_of_its_list(shape: Shape) -> None:
    board = random_board(shape, random.Random(f"large {shape}"), 500)
    for cores in (1, 2):
        assert_solutions(en.solutions_array(board, cores=cores), list(en.solutions(board)), shape)


@pytest.mark.parametrize("shape", [*COMMON_SHAPES, Shape(4, 4)], ids=str)
def test_an_array_of_a_restricted_board_has_the_solutions_of_its_list(shape: Shape) -> None:
    _, board = restricted_board(shape, random.Random(f"restricted {shape}"))
    expected = list(en.solutions(board))
    assert expected
    assert_solutions(en.solutions_array(board, cores=1), expected, shape)
    assert_solutions(np.concatenate(list(en.solutions_arrays(board, 7))), expected, shape)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_limit_keeps_the_first_solutions(engine: EngineName) -> None:
    board = random_board(NINE, random.Random("limit"), 3000)
    expected = list(en.solutions(board, engine=engine))
    for limit in (0, 1, 63, 64, 65, 500, len(expected) - 1, len(expected), len(expected) + 1, 10**9, 10**30):
        for cores in (1, 2):
            found = en.solutions_array(board, limit, engine=engine, cores=cores)
            assert_solutions(found, expected[:limit], NINE)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("text", [CONTRADICTION, UNSOLVABLE])
def test_a_board_without_a_solution_has_an_empty_array(text: str, engine: EngineName) -> None:
    assert en.solutions_array(text, engine=engine).shape == (0, 9, 9)
    assert list(en.solutions_arrays(text, engine=engine)) == []
    with pytest.raises(IndexError):
        en.sample_array(text, 1, engine=engine)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("cores", [1, 2])
def test_blocks_together_are_the_whole(engine: EngineName, cores: int) -> None:
    board = random_board(NINE, random.Random("blocks"), 3000)
    whole = en.solutions_array(board, engine=engine)
    for size in (1, 64, 1000, len(whole), len(whole) + 1):
        blocks = list(en.solutions_arrays(board, size, engine=engine, cores=cores))
        assert [len(block) for block in blocks[:-1]] == [size] * (len(blocks) - 1)
        assert 0 < len(blocks[-1]) <= size
        assert (np.concatenate(blocks) == whole).all()


def test_blocks_do_not_share_memory() -> None:
    first, second = islice(en.solutions_arrays(EMPTY, 100), 2)
    assert not np.shares_memory(first, second)
    before = second.copy()
    first[:] = 0
    assert (second == before).all()


@pytest.mark.parametrize(("board", "engine"), [(EMPTY, "contraction"), (EMPTY, "search"), ("." * 256, "search")])
def test_an_iterator_of_blocks_can_be_closed_early(board: str, engine: EngineName) -> None:
    before = set(threading.enumerate())
    blocks = en.solutions_arrays(board, 10, cores=2, engine=engine)
    assert next(blocks).shape[0] == 10
    blocks.close()
    assert set(threading.enumerate()) <= before


def test_memory_that_was_not_needed_is_given_back() -> None:
    array = en.solutions_array(PUZZLE, 100_000)
    assert array.flags.owndata
    assert array.nbytes == 81


def peak_growth(program: str) -> int:
    """Return the bytes by which the last statement of a program raises its peak memory."""
    if not Path("/proc/self/status").exists():
        pytest.skip("no /proc, which tells the peak memory of a process apart from that of its parent")
    *before, last = program.splitlines()
    peak = "1024 * int(re.search(r'VmHWM:\\s+(\\d+)', Path('/proc/self/status').read_text())[1])"
    lines = ["import re", "from pathlib import Path", "import enumerator as en", *before, f"before = {peak}", last]
    done = run_python("\n".join([*lines, f"print({peak} - before)"]), status=0)
    return int(done.stdout)


@pytest.mark.parametrize(("engine", "number"), slow_after(0, [("contraction", 1_500_000), ("search", 500_000)]))
def test_an_array_takes_little_more_memory_than_its_solutions(engine: EngineName, number: int) -> None:
    arguments = f"engine={engine!r}, cores=2"
    grown = peak_growth(
        f"en.solutions_array('.' * 81, 100_000, {arguments})\n"
        f"array = en.solutions_array('.' * 81, {number}, {arguments})"
    )
    assert 81 * (number - 100_000) < grown < 81 * number + 50_000_000


def test_memory_does_not_grow_with_the_number_of_blocks() -> None:
    grown = peak_growth(
        "blocks = en.solutions_arrays('.' * 81, 10_000, cores=2)\n"
        "for _ in range(20): next(blocks)\n"
        "for _ in range(100): next(blocks)"
    )
    assert grown < 20_000_000  # the solutions take 81 MB


# ---------------------------------------------------------------------------------------- not enough memory


def test_too_many_solutions_are_counted_and_refused() -> None:
    for limit in (None, 10**20):
        with pytest.raises(MemoryError, match=r"solutions take .* and do not fit into .* of memory: pass limit="):
            en.solutions_array(EMPTY, limit)
    with pytest.raises(MemoryError, match=r"6,670,903,752,021,072,936,960 solutions take 540 ZB "):
        en.solutions_array(EMPTY)
    with pytest.raises(MemoryError, match="pass a smaller n"):
        en.sample_array(EMPTY, 10**15)
    with pytest.raises(MemoryError, match=r"puzzles take 16 TB .* pass a smaller n"):
        en.generate_array(10**12, shape="2x2")
    with pytest.raises(MemoryError, match="pass size="):
        en.solutions_arrays(EMPTY, 10**15)


def test_a_walk_ends_when_memory_is_full(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(filling, "available_memory", lambda: 1_000_000)
    message = r"more than [\d,]+ solutions do not fit into 1 MB of memory: pass limit=, or use solutions_arrays\(\)"
    for board in (EMPTY, "." * 256):
        with pytest.raises(MemoryError, match=message):
            en.solutions_array(board, engine="search", cores=2)
    assert len(en.solutions_array(EMPTY, 10_000)) == 10_000


def test_a_system_that_does_not_tell_its_memory_is_trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(filling, "available_memory", lambda: None)
    for engine in ENGINES:
        assert en.solutions_array(PUZZLE, engine=engine).shape == (1, 9, 9)


def test_sizes_are_told_to_three_figures() -> None:
    sizes = {
        0: "0 bytes",
        999: "999 bytes",
        1000: "1 kB",
        592_000_000: "592 MB",
        10**15: "1 PB",
        10**20: "100 EB",
        10**29: "100,000 YB",
    }
    assert {number: filling.describe_bytes(number) for number in sizes} == sizes


# ------------------------------------------------------------------------------------------------ samples


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("shape", COMMON_SHAPES, ids=str)
def test_a_sample_is_the_one_of_boards_with_the_same_seed(shape: Shape, engine: EngineName) -> None:
    board = random_board(shape, random.Random(f"sample {shape}"), 2000)
    for number, seed in ((0, 1), (1, 2), (65, 3), (400, 4)):
        expected = en.sample(board, number, seed, engine=engine)
        for cores in (1, 2, 3):
            assert_solutions(en.sample_array(board, number, seed, engine=engine, cores=cores), expected, shape)


@pytest.mark.slow
def test_a_sample_of_the_empty_board_is_the_one_of_boards() -> None:
    assert_solutions(en.sample_array(EMPTY, 300, 7, cores=2), en.sample(Board.empty(NINE), 300, 7), NINE)


def test_a_sample_of_a_large_or_restricted_board_is_the_one_of_boards() -> None:
    large = random_board(Shape(4, 4), random.Random("large sample"), 300)
    _, restricted = restricted_board(NINE, random.Random("restricted sample"))
    for board in (large, restricted):
        assert_solutions(en.sample_array(board, 100, 5), en.sample(board, 100, 5), board.shape)


def test_samples_without_a_seed_differ() -> None:
    assert (en.sample_array(EMPTY, 10) != en.sample_array(EMPTY, 10)).any()


# --------------------------------------------------------------------------------------------- candidates


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("shape", COMMON_SHAPES, ids=str)
def test_candidates_are_counted_as_in_the_array_of_solutions(shape: Shape, engine: EngineName) -> None:
    board = random_board(shape, random.Random(f"candidates {shape}"), 2000)
    found, solutions = en.candidates_array(board, engine=engine), en.solutions_array(board)
    assert found.dtype == np.uint64
    assert found.shape == (shape.size,) * 3
    for digit in range(shape.size):
        assert (found[:, :, digit] == (solutions == digit + 1).sum(axis=0)).all()
    assert found.reshape(shape.cells, shape.size).tolist() == en.candidates(board).counts


def test_numbers_of_candidates_beyond_64_bits_are_exact() -> None:
    found = en.candidates_array(EMPTY)
    assert found.dtype == object
    assert set(found.flat) == {741_211_528_002_341_437_440}
    assert type(found[0, 0, 0]) is int


def test_candidates_of_a_board_without_a_solution_are_zeros() -> None:
    assert not en.candidates_array(CONTRADICTION).any()


# ------------------------------------------------------------------------------- keywords of every question


def test_progress_is_reported() -> None:
    board, seen = ours("1c"), list[en.Progress]()
    number = en.count(board)
    assert len(en.solutions_array(board, cores=1, progress=seen.append)) == number
    assert seen[-1].solutions == seen[-1].total == number
    assert seen[-1].share == 1
    shares = [progress.share or 0.0 for progress in seen if progress.solutions is not None]
    assert shares == sorted(shares)
    en.sample_array(board, 200, progress=seen.append)
    assert (seen[-1].solutions, seen[-1].stage) == (200, "samples")
    en.solve_array([PUZZLE] * 3, progress=seen.append)
    assert seen[-1].boards == 3


@pytest.mark.parametrize("cores", [1, 2])
def test_a_watch_can_stop_an_array(cores: int) -> None:
    def stop(_: en.Progress) -> None:
        raise en.Stopped

    with pytest.raises(en.Stopped):
        en.solutions_array(EMPTY, 10**7, cores=cores, progress=stop)
    with pytest.raises(en.Stopped):
        next(en.solutions_arrays("." * 256, 10**6, cores=cores, progress=stop))
    with pytest.raises(en.Stopped):
        en.sample_array(EMPTY, 10**6, cores=cores, progress=stop)
    with pytest.raises(en.Stopped):
        en.solve_array([PUZZLE] * 1000, cores=cores, progress=stop)


def test_an_array_that_takes_too_long_ends_in_time() -> None:
    with pytest.raises(en.OutOfTimeError):
        en.solutions_array("." * 256, 10**8, time_limit=0.05)
    with pytest.raises(en.OutOfTimeError):
        en.sample_array(EMPTY, 10**7, time_limit=0.05)
    with pytest.raises(en.OutOfTimeError):
        for _ in en.solutions_arrays(EMPTY, time_limit=0.05):
            pass
    with pytest.raises(en.OutOfTimeError):
        en.candidates_array("." * 256, time_limit=0.05)


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: en.solutions_array(PUZZLE, -1), ValueError),
        (lambda: en.solutions_array(PUZZLE, 1.5), TypeError),  # type: ignore[arg-type]
        (lambda: en.solutions_arrays(PUZZLE, 0), ValueError),
        (lambda: en.sample_array(PUZZLE, -1), ValueError),
        (lambda: en.solutions_array(PUZZLE, cores=0), ValueError),
        (lambda: en.solutions_arrays(PUZZLE, engine="magic"), ValueError),  # type: ignore[arg-type]
        (lambda: en.sample_array(PUZZLE, 1, time_limit=0), ValueError),
        (lambda: en.candidates_array(PUZZLE, engine="magic"), ValueError),  # type: ignore[arg-type]
        (lambda: en.solve_array([PUZZLE], cores=0), ValueError),
        (lambda: en.solve_array([PUZZLE], time_limit=-1), ValueError),
    ],
)
def test_arguments_are_checked_before_any_work(call: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        call()


def test_without_numpy_a_sentence_says_what_to_install() -> None:
    program = "import sys; sys.modules['numpy'] = None; import enumerator as en\n"
    for call in (
        f"solutions_array({SOLVED!r})",
        f"solutions_arrays({SOLVED!r})",
        f"sample_array({SOLVED!r}, 1)",
        f"candidates_array({SOLVED!r})",
        "solve_array([])",
    ):
        program += f"try: en.{call}\nexcept ImportError as error: print(error)\n"
    done = run_python(program, status=0)
    assert done.stdout.splitlines() == ["arrays need numpy: install it with pip install 'enumerator[numpy]'"] * 5
