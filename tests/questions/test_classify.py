"""Verdicts (one solution, more, or none) against counts and published puzzles, and on many boards in order."""

from __future__ import annotations

import random
import threading
from array import array
from collections.abc import Iterator
from itertools import count, islice
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from support.boards import NINE, ROOT, breaks_no_rule, full_board, random_board, shuffle, with_holes
from support.boards import board as read_ours
from support.counts import general
from support.lateness import Stopwatch
from support.pigeons import pigeon_board
from support.verdicts import classify_slowly
from support.walks import classified

import enumerator
from bench.common import reference
from enumerator.board import Board, Shape
from enumerator.engines.board_blocks import BoardBlock, HardBoard
from enumerator.engines.interfaces import Page
from enumerator.engines.search import kernel
from enumerator.questions import classify as classifying
from enumerator.questions import solutions
from enumerator.questions.chunks import NO_NAMES, Chunk
from enumerator.questions.classify import Classifier, classify, classify_all, codes_of
from enumerator.questions.verdict import VERDICTS, Decision, Verdict, decide_slowly
from enumerator.run.maps.ordered import TASKS_AHEAD
from enumerator.run.pacing import DEFAULT_BATCH_PACING, BatchPacing
from enumerator.run.plan import Plan
from enumerator.run.progress import Stopped

pytestmark = pytest.mark.usefixtures("no_thread_is_left")

SMALL = [Shape(2, 2), Shape(2, 3), Shape(3, 2), Shape(2, 4), NINE]
LARGE = [Shape(4, 2), Shape(2, 5), Shape(3, 4), Shape(4, 4), Shape(8, 8)]
ENOUGH = 10_000_000
CHUNK = DEFAULT_BATCH_PACING.chunk
IMPATIENT = Plan(batch_pacing=BatchPacing(classify_nodes=0))
"""The kernel leaves every board that it cannot classify at once to `classify_slowly`."""


def plan_for(cores: int, pacing: BatchPacing = DEFAULT_BATCH_PACING) -> Plan:
    """Return a plan for exactly `cores` cores, whatever the machine has."""
    return Plan(cores, usable=lambda: cores, batch_pacing=pacing)


def mixed_boards(shape: Shape, number: int, rng: random.Random) -> list[Board]:
    """Return boards with one solution, with some, and, by a wrong digit or two equal ones, with none or few."""
    boards: list[Board] = []
    while len(boards) < number:
        board = random_board(shape, rng, rng.choice([1, 1, 2, 3, 20]))
        kind = rng.randrange(4)
        empty = [cell for cell, clue in enumerate(board.cells) if not clue]
        if kind == 1 and empty:
            board = board.with_cell(rng.choice(empty), rng.randint(1, shape.size))
        if kind == 2:
            board = board.with_cell(0, 1).with_cell(shape.size - 1, 1)
        boards.append(board)
    return boards


def visited(board: Board) -> list[bytes]:
    """Return at most two solutions, found by the walk in plain Python."""
    return [solution.cells for solution in islice(reference.walk(board), 2)]


def joined(boards: list[Board]) -> bytes:
    return b"".join(board.cells for board in boards)


def classify_block(shape: Shape, boards: list[Board], with_solutions: bool, plan: Plan) -> tuple[bytes, bytes]:
    """Return the codes of all boards, and their solutions, concatenated."""
    block = BoardBlock(shape, memoryview(joined(boards)))
    found = list(codes_of(Classifier(plan._replace(cores=1), with_solutions), iter([Chunk(NO_NAMES, block)])))
    room = shape.cells if with_solutions else 0
    solutions = b"".join(bytes(some.solutions)[: len(some.codes) * room] for some in found)
    return b"".join(bytes(some.codes.tolist()) for some in found), solutions


def count_generally(board: Board, limit: int = 2) -> int:
    return general(board).run(limit=limit)


# ------------------------------------------------------------------------------------------- against counts


@pytest.mark.parametrize("shape", SMALL, ids=str)
def test_the_kernel_says_what_the_reference_says_and_writes_its_solution(shape: Shape) -> None:
    boards = mixed_boards(shape, 40, random.Random(f"verdicts {shape}"))
    room = bytearray(len(boards) * shape.cells)
    found = classified(joined(boards), shape, ENOUGH, room)
    expected = [visited(board) for board in boards]
    assert list(found) == list(map(len, expected))
    assert set(found) == {0, 1, 2}
    for number, found_ones in enumerate(expected):
        written = bytes(room[number * shape.cells : (number + 1) * shape.cells])
        assert written == (found_ones[0] if len(found_ones) == 1 else bytes(shape.cells))
    assert classified(joined(boards), shape, ENOUGH) == found


@pytest.mark.parametrize("shape", LARGE, ids=str)
def test_verdicts_on_larger_boards(shape: Shape) -> None:
    rng = random.Random(f"larger {shape}")
    full = full_board(shape, rng)
    wrong = full.with_cell(0, full.cells[1])
    some = with_holes(full, shape.cells // 6, rng)
    boards = [full, wrong, some, *(mixed_boards(shape, 8, rng) if shape.cells < 200 else [])]
    room = bytearray(len(boards) * shape.cells)
    found = classified(joined(boards), shape, ENOUGH, room)
    assert list(found) == [count_generally(board) for board in boards]
    assert list(found[:2]) == [1, 0]
    for number, (verdict, board) in enumerate(zip(found, boards, strict=True)):
        if verdict == 1:
            solution = Board.from_cells(shape, bytes(room[number * shape.cells : (number + 1) * shape.cells]))
            assert breaks_no_rule(solution, board)


@pytest.mark.parametrize("number", range(20))
def test_verdicts_survive_rearrangement(number: int) -> None:
    rng = random.Random(f"rearranged {number}")
    (board,) = mixed_boards(rng.choice([*SMALL, Shape(4, 2), Shape(3, 4)]), 1, rng)
    assert enumerator.classify(shuffle(board, rng)) is enumerator.classify(board) is VERDICTS[count_generally(board)]


@pytest.mark.parametrize("shape", [Shape(2, 3), NINE, Shape(4, 4)], ids=str)
def test_a_verdict_takes_as_many_nodes_as_it_takes_and_is_never_wrong(shape: Shape) -> None:
    rng = random.Random(f"budget {shape}")
    for most in (1, 20):
        board = random_board(shape, rng, most)
        right = count_generally(board)
        found = [classified(board.cells, shape, nodes) for nodes in (0, *(2**power for power in range(16)))]
        doubts = found.count(b"")
        assert found == [b""] * doubts + [bytes([right])] * (len(found) - doubts)
        assert 0 < doubts < len(found)


def test_the_kernel_ends_before_a_board_that_takes_longer() -> None:
    board = read_ours("2a")
    room = bytearray(3 * 81)
    full = full_board(NINE, random.Random("full"))
    assert classified(joined([full, board, full]), NINE, 3, room) == b"\1"
    assert room == full.cells + bytes(2 * 81)


def test_what_the_kernel_refuses() -> None:
    def count(boards: bytes, height: int, width: int, nodes: int = 1, room: bytearray | None = None) -> object:
        return kernel.count_boards(boards, height, width, nodes, 2, array("Q", [0] * 2), unique=room)

    assert count(b"", 3, 3) == (0, None, 0)
    with pytest.raises(ValueError, match="82 cells"):
        count(bytes(82), 3, 3)
    with pytest.raises(ValueError, match="cell 81 holds 10"):
        count(bytes([*[0] * 81, 10, *[0] * 80]), 3, 3)
    with pytest.raises(ValueError, match="no shape"):
        count(bytes(81), 9, 1)
    with pytest.raises(ValueError, match="81 bytes for the solutions of boards of 162"):
        count(bytes(162), 3, 3, room=bytearray(81))
    with pytest.raises(ValueError, match="2 numbers for 3 boards"):
        count(bytes(243), 3, 3)
    with pytest.raises(ValueError, match="less than nothing"):
        count(bytes(81), 3, 3, -1)


@pytest.mark.parametrize(
    "text", ["11.. .... .... ....", "1... 1... .... ....", "1... .1.. .... ....", "12.. ..3. ...4 ...."]
)
def test_contradictions_leave_none(text: str) -> None:
    assert enumerator.classify(Board.parse(text)) is Verdict.NONE


def test_empty_and_full_boards() -> None:
    for shape in (*SMALL, *LARGE[:-1], Shape(5, 5)):
        full = full_board(shape, random.Random(f"full {shape}"))
        assert enumerator.classify(Board.empty(shape)) is Verdict.MULTIPLE
        assert enumerator.classify(full) is Verdict.UNIQUE
    assert [str(verdict) for verdict in VERDICTS] == ["none", "unique", "multiple", "unknown", "unknown"]


# --------------------------------------------------------------------------------------------- many in order


@pytest.mark.parametrize("cores", [1, 2])
def test_verdicts_come_in_the_order_of_the_boards(cores: int) -> None:
    small_chunks = plan_for(cores, BatchPacing(first_chunk=7, chunk=7))
    rng = random.Random("order")
    boards = [board for shape in SMALL[:-1] for board in mixed_boards(shape, 30, rng)] + mixed_boards(NINE, 30, rng)
    rng.shuffle(boards)
    boards += mixed_boards(NINE, 30, rng)
    expected = [VERDICTS[count_generally(board)] for board in boards]
    assert list(classify_all(boards, small_chunks)) == expected
    assert list(classify_all(iter(boards), small_chunks)) == expected
    assert list(enumerator.classify_all(boards, cores=cores)) == expected
    assert list(enumerator.classify_all(iter(boards))) == expected
    assert [enumerator.classify(board) for board in boards] == expected


@pytest.mark.parametrize("boards", [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK])
def test_every_board_has_a_verdict(boards: int) -> None:
    rng = random.Random("every")
    some = mixed_boards(Shape(2, 2), 50, rng)
    many = [some[number % 50] for number in range(boards)]
    expected = [VERDICTS[count_generally(board)] for board in some]
    assert list(enumerator.classify_all(many)) == [expected[number % 50] for number in range(boards)]


@pytest.mark.parametrize("cores", [1, 2])
def test_no_more_boards_are_read_than_are_worked_on(cores: int) -> None:
    read = 0

    def boards() -> Iterator[Board]:
        nonlocal read
        for read in count(1):  # noqa: B007
            yield Board.empty(Shape(2, 2))

    found = classify_all(boards(), plan_for(cores))
    assert next(found) is Verdict.MULTIPLE
    assert read <= CHUNK * (TASKS_AHEAD * cores + 1)
    del found


# -------------------------------------------------------------------------------------- boards that take longer


@pytest.mark.parametrize("shape", [*SMALL, Shape(3, 4)], ids=str)
def test_boards_that_take_longer_have_the_same_verdict_and_solution(
    shape: Shape, monkeypatch: pytest.MonkeyPatch
) -> None:
    boards = mixed_boards(shape, 30, random.Random(f"patiently {shape}"))
    quick = classify_block(shape, boards, True, Plan())
    taken = []

    def spy(board: Board, *rest: Any, **more: Any) -> Decision:
        taken.append(board)
        return decide_slowly(board, *rest, **more)

    monkeypatch.setattr(classifying, "decide_slowly", spy)
    assert classify_block(shape, boards, True, IMPATIENT) == quick
    assert len(taken) > len(boards) // 3
    assert classify_block(shape, boards, False, IMPATIENT) == (quick[0], b"")
    expected = [count_generally(board) for board in boards]
    assert list(quick[0]) == expected
    assert [VERDICTS.index(classify(board, IMPATIENT).verdict) for board in boards] == expected
    assert [VERDICTS.index(verdict) for verdict in classify_all(boards, IMPATIENT)] == expected


def test_a_hard_board_is_left_to_the_contraction() -> None:
    """The contraction counts from the first slice on, and the verdict is the same."""
    by_contraction = IMPATIENT._replace(engine="contraction")
    for shape in (Shape(2, 3), NINE):
        boards = mixed_boards(shape, 12, random.Random(f"hard {shape}"))
        counts, solutions = classify_block(shape, boards, True, by_contraction)
        assert list(counts) == [count_generally(board) for board in boards]
        for number, board in enumerate(boards):
            if counts[number] == 1:
                cells = solutions[number * shape.cells : (number + 1) * shape.cells]
                assert breaks_no_rule(Board.from_cells(shape, cells), board)


def test_work_that_nobody_wants_any_more_is_stopped() -> None:
    stop = Event()
    timer = threading.Timer(0.05, stop.set)
    timer.start()
    with pytest.raises(Stopped):
        Classifier(IMPATIENT).ask_hard(HardBoard(pigeon_board()), stop)
    timer.join()
    with pytest.raises(Stopped):
        classify_slowly(pigeon_board(), False, Plan(), stop)


def test_the_solution_of_a_hard_board_is_not_looked_for_after_a_stop(monkeypatch: pytest.MonkeyPatch) -> None:
    """A list in which the solution never comes is left soon after the stop. A sum keeps no solution."""
    stop = Event()

    def endless_pages(*_: object, **__: object) -> Iterator[Page]:
        for number in range(10_000):
            if number == 3:
                stop.set()
            assert number < 10
            yield Page(bytearray(), [], 0.0)

    monkeypatch.setattr(solutions, "pages", endless_pages)
    full = full_board(NINE, random.Random("stopped"))
    with pytest.raises(Stopped):
        classify_slowly(full.with_cell(0, 0), True, Plan(engine="contraction"), stop)


# ---------------------------------------------------------------------------------------- from elsewhere


@pytest.mark.parametrize(
    ("name", "verdict"),
    [
        ("17clue", Verdict.UNIQUE),
        ("hardest", Verdict.UNIQUE),
        ("magictour", Verdict.UNIQUE),
        ("multiple", Verdict.MULTIPLE),
    ],
)
def test_published_puzzles(shared: Path, name: str, verdict: Verdict) -> None:
    texts = (shared / "puzzles" / f"{name}.txt").read_text().split()[:500]
    boards = [Board.parse(text, NINE) for text in texts]
    assert len(boards) == 500
    assert set(enumerator.classify_all(boards)) == {verdict}
    if verdict is Verdict.UNIQUE:
        counts, solutions = classify_block(NINE, boards, True, Plan())
        assert counts == bytes([1]) * 500
        for number, board in enumerate(boards):
            assert breaks_no_rule(Board.from_cells(NINE, solutions[81 * number : 81 * number + 81]), board)


def test_the_boards_of_this_repository() -> None:
    for path in sorted((ROOT / "boards").glob("*.txt")):
        expected = Verdict.UNIQUE if path.stem in ("1a", "2a") or path.stem.endswith("unique") else Verdict.MULTIPLE
        assert enumerator.classify(Board.parse(path.read_text())) is expected, path.stem


def test_verdicts_can_be_left_while_a_hard_board_is_at_work() -> None:
    full = full_board(pigeon_board().shape, random.Random("left"))
    before = set(threading.enumerate())
    single_boards = plan_for(2, BatchPacing(first_chunk=1, classify_nodes=1))
    found = classify_all([full, pigeon_board(), full], single_boards)
    assert next(found) is Verdict.UNIQUE
    assert set(threading.enumerate()) > before
    with Stopwatch() as watch:
        del found
    assert watch.seconds < 2
    assert set(threading.enumerate()) == before
