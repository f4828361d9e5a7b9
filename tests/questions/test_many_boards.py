"""Many boards in Python: counts, verdicts and solutions in order, of lines, rows and boards."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import count, islice
from signal import SIGINT, raise_signal
from threading import Event
from typing import Any

import pytest
from support.boards import NINE, breaks_no_rule, full_board, random_board, with_holes
from support.cases import slow_after
from support.counts import general
from support.marks import restricted_board

import enumerator as en
from enumerator.board import Board, Shape
from enumerator.engines.board_blocks import BoardBlock, HardBoard
from enumerator.questions import counter, gathering, many
from enumerator.questions.classify import Classifier, classify_all, size_of_codes, solve_all
from enumerator.questions.counter import Counter, count_all
from enumerator.questions.gathering import gather
from enumerator.run.maps import ordered
from enumerator.run.maps.ordered import TASKS_AHEAD
from enumerator.run.pacing import DEFAULT_BATCH_PACING, BatchPacing
from enumerator.run.plan import Plan

pytestmark = pytest.mark.usefixtures("no_thread_is_left")

SHAPES = [Shape(2, 2), Shape(2, 3), NINE, Shape(3, 4), Shape(4, 4)]
ALL: list[Callable[..., Iterator[Any]]] = [en.count_all, en.classify_all, en.solve_all]


def plan_for(cores: int, **tunables: Any) -> Plan:
    """Return a plan for exactly `cores` cores, whatever the machine has."""
    return Plan(cores, usable=lambda: cores, batch_pacing=BatchPacing(**tunables))


def mixture(number: int = 60) -> list[Board]:
    rng = random.Random("many boards")
    boards = [random_board(rng.choice(SHAPES), rng, rng.choice([1, 3, 40])) for _ in range(number)]
    boards[7] = boards[7].with_cell(0, 0) if boards[7].cells[0] else boards[7]
    boards[20:20] = [restricted_board(NINE, rng, 20)[1] for _ in range(4)]
    boards[30:30] = [Board.from_cells(NINE, bytes([1, 1, *[0] * 79]))]
    return boards


@pytest.mark.parametrize("cores", [1, 2])
@pytest.mark.parametrize("nodes", [0, 30, 20_000])
def test_answers_are_those_of_each_board_in_order(cores: int, nodes: int) -> None:
    boards = mixture()
    plan = plan_for(cores, first_chunk=5, chunk=7, count_nodes=nodes, classify_nodes=nodes)
    expected = [en.count(board) for board in boards]
    assert list(count_all(boards, plan)) == expected
    assert list(count_all(boards, plan._replace(engine="search"))) == expected
    assert list(count_all(boards, plan._replace(limit=2))) == [min(2, number) for number in expected]
    assert list(classify_all(iter(boards), plan)) == [en.classify(board) for board in boards]
    solved = list(solve_all(boards, plan))
    assert [solution is not None for solution in solved] == [number == 1 for number in expected]
    for board, solution in zip(boards, solved, strict=True):
        assert solution is None or breaks_no_rule(solution, board)


@pytest.mark.parametrize("ask", ALL)
def test_boards_are_lines_or_boards_or_both(ask: Callable[..., Iterator[Any]]) -> None:
    boards = [board for board in mixture() if board.shape == NINE]
    lines = [str(board) for board in boards]
    expected = list(ask(boards))
    assert list(ask(lines)) == expected
    assert list(ask(f"{line}\n" for line in lines)) == expected
    assert list(ask([line.replace(".", "0") for line in lines])) == expected
    assert list(ask([one for pair in zip(lines, boards, strict=True) for one in pair])) == [
        answer for answer in expected for _ in range(2)
    ]
    assert list(ask(["#title\n" + str(Board.empty(Shape(2, 2))), lines[0]]))[1] == expected[0]
    assert list(ask([])) == []


def test_a_shape_is_for_all_boards() -> None:
    rng = random.Random("shapes")
    boards = [random_board(Shape(3, 2), rng, 20) for _ in range(30)]
    expected = [general(board).run() for board in boards]
    assert list(en.count_all(map(str, boards), shape=Shape(3, 2))) == expected
    assert list(en.count_all(map(str, boards))) != expected


@pytest.mark.parametrize("ask", ALL)
@pytest.mark.parametrize(
    ("wrong", "kind", "message"),
    [
        ("1" * 80, ValueError, r"boards\[90\]"),
        ("1" * 80 + "!", ValueError, r"boards\[90\]"),
        (None, TypeError, r"boards\[90\]"),
        (7, TypeError, r"boards\[90\]"),
    ],
)
def test_an_item_that_is_no_board_is_named_behind_the_answers_before_it(
    ask: Callable[..., Iterator[Any]], wrong: object, kind: type[Exception], message: str
) -> None:
    line = str(with_holes(full_board(NINE, random.Random("wrong")), 30, random.Random("wrong")))
    answers: list[object] = []
    with pytest.raises(kind, match=message):
        answers.extend(ask([*[line] * 90, wrong, *[line] * 10], cores=2))
    assert len(answers) == 90


@pytest.mark.parametrize("ask", ALL)
@pytest.mark.parametrize("one", ["." * 81, b"." * 81, Board.empty(NINE)], ids=["text", "bytes", "board"])
def test_one_board_is_not_many(ask: Callable[..., Iterator[Any]], one: Any) -> None:
    with pytest.raises(TypeError, match=r"is one board$"):
        ask(one)


@pytest.mark.parametrize("ask", ALL)
@pytest.mark.parametrize("wrong", [None, 7, 1.5, list])
def test_what_cannot_be_iterated_over_is_refused_at_once(ask: Callable[..., Iterator[Any]], wrong: Any) -> None:
    with pytest.raises(TypeError, match=r"^boards must be an iterable of boards, not "):
        ask(wrong)


@pytest.mark.parametrize("ask", ALL)
@pytest.mark.parametrize("cores", [1, 2])
def test_an_error_of_the_source_is_raised_behind_the_answers_before_it(
    ask: Callable[..., Iterator[Any]], cores: int
) -> None:
    def boards() -> Iterator[str]:
        yield from ["1234............"] * 70
        raise OSError("the disk is gone")

    answers: list[object] = []
    with pytest.raises(OSError, match="the disk is gone"):
        answers.extend(ask(boards(), cores=cores))
    assert len(answers) == 70


@pytest.mark.parametrize("ask", ALL)
@pytest.mark.parametrize("progress", [None, lambda _: None], ids=["silent", "reporting"])
def test_an_interrupted_batch_says_what_was_interrupted(ask: Callable[..., Iterator[Any]], progress: Any) -> None:
    def boards() -> Iterator[str]:
        yield "1234............"
        raise_signal(SIGINT)

    with pytest.raises(en.Interrupted, match="the boards are not all answered") as caught:
        list(ask(boards(), progress=progress))
    assert caught.value.seconds > 0


def test_a_slow_source_gets_its_answers_before_a_block_is_full(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = count()
    monkeypatch.setattr(gathering, "perf_counter", lambda: float(next(clock)))
    monkeypatch.setattr(gathering, "SLOW_SECONDS", 3.5)  # a block may look at the clock three times
    blocks = gathering.gather(["1234............"] * 10, None, BatchPacing())
    assert [block.boards for block in blocks] == [4, 4, 2]


@pytest.mark.parametrize("ask", [count_all, solve_all])
@pytest.mark.parametrize("cores", [1, 2])
def test_no_more_boards_are_read_than_are_worked_on(
    ask: Callable[..., Iterator[Any]], cores: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ordered, "HELD_TASKS", held := 4)  # blocks that are done while another one takes longer
    read = 0

    def boards() -> Iterator[str]:
        nonlocal read
        for read in count(1):  # noqa: B007
            yield "1234............"

    answers = ask(boards(), plan_for(cores))
    next(answers)
    assert cores > 1 or read <= DEFAULT_BATCH_PACING.first_chunk
    list(islice(answers, 1000))
    assert read <= DEFAULT_BATCH_PACING.chunk * (TASKS_AHEAD * cores + held + 1)
    answers.close()  # type: ignore[attr-defined]


def test_a_long_count_is_continued_on_all_cores() -> None:
    """One core gives a board up at once, and the answers stay in order."""
    rng = random.Random("long")
    boards = [random_board(NINE, rng, 20) for _ in range(8)]
    boards[3] = boards[5] = random_board(NINE, rng, 100_000)
    expected = [general(board).run() for board in boards]
    assert max(expected) > 1000
    plan = plan_for(2, first_chunk=1, count_nodes=10, give_up_seconds=0.0, process_seconds=10.0)
    assert list(count_all(boards, plan._replace(engine="search"))) == expected


@pytest.mark.parametrize("cores", slow_after(1, [2, 1]))
def test_a_counter_that_is_stopped_ends_soon(cores: int) -> None:
    counted, stop = Counter(plan_for(cores)), Event()
    stop.set()
    hard = HardBoard(Board.empty(Shape(4, 4)))
    with pytest.raises(en.Stopped):
        counted.ask_hard(hard, stop)
    with pytest.raises(en.Stopped):
        counted.ask(BoardBlock(NINE, memoryview(bytes(81))), stop)


def test_a_slow_caller_does_not_make_boards_hard(monkeypatch: pytest.MonkeyPatch) -> None:
    """Processes start where boards take long, not where the caller works between two answers."""
    processes = []

    def count_in_processes(*arguments: Any) -> list[int]:
        processes.append(arguments)
        return []

    monkeypatch.setattr(many.AnswerRun, "_in_processes", count_in_processes)
    now = 0.0
    monkeypatch.setattr(counter, "perf_counter", lambda: now)
    for number in count_all(["12343412........"] * 20, plan_for(2, first_chunk=4, process_seconds=0.1)):
        assert number == 4
        now += 1.0  # only the caller takes time
    assert now == 20.0
    assert not processes


@pytest.mark.parametrize("shape", [Shape(2, 2), NINE, Shape(8, 8)], ids=str)
@pytest.mark.parametrize("as_array", [False, True])
def test_blocks_of_large_boards_have_fewer_of_them(shape: Shape, as_array: bool) -> None:
    pacing = BatchPacing(first_chunk=1, chunk=16, chunk_cells=4 * 81)
    items: Any = [Board.empty(shape)] * 50
    if as_array:
        items = pytest.importorskip("numpy").zeros((50, shape.size, shape.size), int)
    sizes = [block.boards for block in gather(items, shape, pacing)]
    assert sum(sizes) == 50
    assert max(sizes) == {4: 16, 9: 4, 64: 1}[shape.size]


def test_solutions_that_are_held_are_measured_with_the_verdicts() -> None:
    block = BoardBlock(NINE, memoryview(full_board(NINE, random.Random(1)).cells * 5))
    sizes = [size_of_codes(Classifier(plan_for(1), wants).ask(block, Event())[0]) for wants in (False, True)]
    assert sizes == [5 * 8, 5 * (8 + 81)]
