"""The number of solutions with each digit in each cell: by both engines, by the list, and by what must hold."""

from __future__ import annotations

import json
import random
from array import array
from collections import Counter
from itertools import pairwise, product
from pathlib import Path

import pytest
from support.boards import ALL_9X9, COMMON_SHAPES, NINE, full_board, random_board, transpose, with_clues
from support.boards import board as read_ours
from support.counts import assert_count, general
from support.processes import Run

import enumerator
from enumerator.board import Board, Shape
from enumerator.engines import contraction, search
from enumerator.engines.contraction.box_counts import Candidates, alike_digits, rearrangement
from enumerator.engines.contraction.network import Network
from enumerator.engines.contraction.order import Order
from enumerator.engines.contraction.summation import plans
from enumerator.engines.walks.boards import tally
from enumerator.questions.ask import within
from enumerator.questions.candidates import MOST_CLUES, CandidatesAnswer, candidates
from enumerator.run.endings import OutOfTimeError
from enumerator.run.plan import Plan

pytestmark = pytest.mark.usefixtures("no_thread_is_left")


def counted(
    board: Board, cores: int, engine: str = "auto", seconds: float | None = None
) -> tuple[list[list[int]], str]:
    """Return the candidates of a board, and the engine that has counted them."""
    found = candidates(board, Plan(cores, engine=engine, usable=lambda: cores), watch=within(seconds))
    assert (found.board, found.cores) == (board, cores)
    return found.counts, found.engine


def summed(board: Board, cores: int) -> list[list[int]]:
    return counted(board, cores, "contraction")[0]


def walked(board: Board, cores: int) -> list[list[int]]:
    return counted(board, cores, "search")[0]


def tallied(board: Board) -> list[list[int]]:
    """Return the candidates of a board, counted from its solutions by the walk for boards of all shapes."""
    cells = board.shape.cells
    counts = [[0] * board.shape.size for _ in board.cells]
    walk = general(board)
    room = bytearray(1000 * cells)
    while not walk.finished:
        for first in range(0, walk.run(out=room) * cells, cells):
            for cell, digit in enumerate(room[first : first + cells]):
                counts[cell][digit - 1] += 1
    return counts


# -------------------------------------------------------------------------------------------- against the list


@pytest.mark.parametrize("shape", COMMON_SHAPES, ids=str)
@pytest.mark.parametrize("number", range(6))
def test_both_engines_count_what_the_list_has(shape: Shape, number: int) -> None:
    board = random_board(shape, random.Random(f"candidates {shape} {number}"), [1, 5, 30, 200, 500, 2000][number])
    expected = tallied(board)
    assert summed(board, 1) == summed(board, 2) == expected
    assert walked(board, 1) == walked(board, 2) == expected
    assert enumerator.candidates(board).counts == expected


@pytest.mark.parametrize("shape", COMMON_SHAPES, ids=str)
@pytest.mark.parametrize("number", range(4))
def test_boards_without_clues_in_some_bands_and_stacks_and_without_some_digits(shape: Shape, number: int) -> None:
    """Sums that are worked out once for several boxes, or for several digits, must hold for each of them."""
    rng = random.Random(f"alike {shape} {number}")
    solution = full_board(shape, rng)
    band, stack = rng.randrange(shape.width), rng.randrange(shape.height)
    absent = rng.sample(range(1, shape.size + 1), 2)
    board = Board.empty(shape)
    for cell in range(shape.cells):
        row, column = divmod(cell, shape.size)
        if row // shape.height != band and column // shape.width != stack and solution.cells[cell] not in absent:
            board = board.with_cell(cell, solution.cells[cell])
    counts, total = summed(board, 1), contraction.count(board)
    assert all(sum(row) == total for row in counts)
    for cell, digit in zip(rng.sample(range(shape.cells), 6), [*absent, *rng.choices(range(1, 5), k=4)], strict=True):
        clue = board.cells[cell]
        expected = contraction.count(board.with_cell(cell, digit)) if clue in (0, digit) else 0
        assert counts[cell][digit - 1] == expected, (cell, digit)
    if total < 5000:
        assert counts == tallied(board)


@pytest.mark.parametrize("number", range(3))
def test_both_engines_agree_on_9x9_boards_with_many_solutions(number: int) -> None:
    rng = random.Random(f"many {number}")
    board = random_board(NINE, rng, 200_000)
    assert summed(board, 1) == walked(board, 1)


# ------------------------------------------------------------------------------------------------ by symmetries


@pytest.mark.parametrize("shape", [Shape(2, 2), Shape(2, 3), Shape(3, 2)], ids=str)
@pytest.mark.parametrize("number", range(8))
def test_boards_with_digits_lines_and_groups_alike(shape: Shape, number: int) -> None:
    """Few clues leave symmetries of all kinds; the walk for boards of all shapes knows none."""
    rng = random.Random(f"symmetric {shape} {number}")
    full = full_board(shape, rng)
    digits = rng.sample(range(1, shape.size + 1), 2 + number % 3 * (shape.size > 4))
    board = Board.from_cells(shape, bytes(digit if digit in digits else 0 for digit in full.cells))
    if number % 2:
        board = Board.from_cells(
            shape, bytes(digit if at % shape.size > 1 else 0 for at, digit in enumerate(board.cells))
        )
    if contraction.count(board) < 300_000:
        assert summed(board, 1) == tallied(board)


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        "....4............................................................2...............",
        "........7.........5.......3...1...........................................7......",
        "12.......3......................................................................4",
        "12.......34......5...............................................................",
        "1..2.....2..1...................................5................................",
        "1.........1.......................2.........2...................3.........3......",
    ],
)
def test_few_clues_leave_what_the_board_with_one_more_has(text: str) -> None:
    """Digits that a count may swap, although they are clues, have different candidates."""
    board, rng = Board.parse(text), random.Random(text)
    counts = summed(board, 1)
    total = contraction.count(board)
    assert all(sum(row) == total for row in counts)
    clues = [digit for digit in board.cells if digit]
    for _ in range(4):
        cell, digit = rng.choice([at for at, clue in enumerate(board.cells) if not clue]), rng.choice([*clues, 8, 9])
        assert counts[cell][digit - 1] == contraction.count(board.with_cell(cell, digit)), (cell, digit)


def test_digits_are_alike_if_rows_and_columns_undo_their_swap() -> None:
    alike = {
        "12......." + "." * 72: [{1, 2}, {3, 4, 5, 6, 7, 8, 9}],
        "1.........2......" + "." * 64: [{1, 2}, {3, 4, 5, 6, 7, 8, 9}],
        "1..2....." + "." * 72: [{1}, {2}, {3, 4, 5, 6, 7, 8, 9}],
        "12.......3......." + "." * 64: [{1}, {2}, {3}, {4, 5, 6, 7, 8, 9}],
        "12..........12..." + "." * 64: [{1, 2}, {3, 4, 5, 6, 7, 8, 9}],
    }
    for text, classes in alike.items():
        board = Board.parse(text)
        network = Network(board.cells, 3, 3)
        assert [{digit + 1 for digit in digits} for digits in alike_digits(network)] == classes
        image = rearrangement(network, (0, 1), range(3))
        assert (image is not None) == ({1, 2} in classes)
        clues = {cell * 9 + digit - 1 for cell, digit in enumerate(board.cells) if digit}
        assert image is None or {image[clue] for clue in clues} == clues


# ---------------------------------------------------------------------------------------------- what must hold


@pytest.mark.parametrize("shape", COMMON_SHAPES, ids=str)
@pytest.mark.parametrize("clues", [0, 1, 16])
def test_every_solution_has_one_digit_in_every_cell_and_every_digit_once_in_every_unit(
    shape: Shape, clues: int
) -> None:
    board = with_clues(shape, clues, random.Random(f"units {shape} {clues}"))
    counts, size, total = summed(board, 2), shape.size, contraction.count(board)
    assert all(sum(row) == total for row in counts)
    for unit, digit in product(range(size), range(size)):
        places = [shape.place(cell) for cell in range(shape.cells)]
        for kind in range(3):
            cells = [cell for cell, place in enumerate(places) if place[kind] == unit]
            assert sum(counts[cell][digit] for cell in cells) == total
    for cell, clue in enumerate(board.cells):
        if clue:
            assert counts[cell] == [total * (digit == clue) for digit in range(1, size + 1)]


@pytest.mark.parametrize("clues", [17, 18, 21, 24])
def test_a_candidate_counts_as_much_as_the_board_that_has_it_as_a_clue(clues: int) -> None:
    rng = random.Random(f"clue {clues}")
    board = with_clues(NINE, clues, rng)
    counts = enumerator.candidates(board, engine="contraction")
    empty = [cell for cell, clue in enumerate(board.cells) if not clue]
    for cell in rng.sample(empty, 5):
        digit = rng.randint(1, 9)
        assert_count(board.with_cell(cell, digit), counts[cell][digit - 1], contraction.count)


@pytest.mark.parametrize("number", range(8))
def test_candidates_move_with_the_board(number: int) -> None:
    rng = random.Random(f"moved {number}")
    shape = COMMON_SHAPES[number % 4]
    height, width, size = shape.height, shape.width, shape.size
    board = with_clues(shape, rng.randrange(4, 10) + 14 * (shape == NINE), rng)
    counts = summed(board, 1)
    digits = rng.sample(range(size), size)
    rows = [
        band * height + row for band in rng.sample(range(width), width) for row in rng.sample(range(height), height)
    ]
    columns = [
        stack * width + column
        for stack in rng.sample(range(height), height)
        for column in rng.sample(range(width), width)
    ]
    moved, expected = [], []
    for row, column in product(rows, columns):
        clue, before = board.cells[row * size + column], counts[row * size + column]
        moved.append(digits[clue - 1] + 1 if clue else 0)
        expected.append([before[digits.index(digit)] for digit in range(size)])
    assert summed(Board.from_cells(shape, bytes(moved)), 1) == expected
    turned = [counts[row * size + column] for column in range(size) for row in range(size)]
    assert summed(transpose(board), 1) == turned


def test_all_digits_are_alike_in_all_cells_of_an_empty_board() -> None:
    known = {Shape(2, 2): 288, Shape(2, 3): 28_200_960, Shape(3, 2): 28_200_960, NINE: ALL_9X9}
    for shape, total in known.items():
        assert summed(Board.empty(shape), 1) == [[total // shape.size] * shape.size] * shape.cells


def test_one_clue_leaves_the_others_alike() -> None:
    """The counts of a cell depend on the row, band, column and stack that it shares with the clue."""
    counts = summed(Board.empty(NINE).with_cell(40, 5), 1)
    kinds: dict[tuple[bool, ...], set[tuple[int, ...]]] = {}
    for cell, found in enumerate(counts):
        row, column = divmod(cell, 9)
        kind = (row == 4, row // 3 == 1, column == 4, column // 3 == 1)
        kinds.setdefault(kind, set()).add(tuple(found))
        assert len({found[digit] for digit in range(9) if digit != 4}) == 1
        assert sum(found) == ALL_9X9 // 9
    assert all(len(alike) == 1 for alike in kinds.values())
    assert len(kinds) == 9
    assert kinds[False, True, False, True] == {(*[ALL_9X9 // 72] * 4, 0, *[ALL_9X9 // 72] * 4)}


@pytest.mark.parametrize("shape", COMMON_SHAPES, ids=str)
def test_a_full_board_has_one_candidate_in_each_cell(shape: Shape) -> None:
    full = full_board(shape, random.Random(f"full {shape}"))
    expected = [[int(digit == clue) for digit in range(1, shape.size + 1)] for clue in full.cells]
    assert summed(full, 1) == walked(full, 1) == expected


@pytest.mark.parametrize("shape", COMMON_SHAPES, ids=str)
def test_where_there_is_no_solution_nothing_counts(shape: Shape) -> None:
    rng = random.Random(f"none {shape}")
    boards = [Board.empty(shape).with_cell(0, 1).with_cell(1, 1)]
    while len(boards) < 4:
        board = random_board(shape, rng, 20)
        wrong = board.with_cell(board.cells.index(0), rng.randint(1, shape.size))
        if not (any(wrong.conflicts()) or search.count(wrong)):
            boards.append(wrong)
    for board in boards:
        for counts in (summed(board, 1), summed(board, 2), walked(board, 1), walked(board, 2)):
            assert counts == [[0] * shape.size] * shape.cells


def test_larger_boards_are_walked() -> None:
    unique = read_ours("16x16-unique")
    (solution,) = enumerator.solutions(unique)
    expected = [[int(digit == one) for digit in range(1, 17)] for one in solution.cells]
    assert counted(unique, 1) == counted(unique, 2) == (expected, "search")
    some = random_board(Shape(2, 4), random.Random("2x4"), 1000)
    assert enumerator.candidates(some).counts == tallied(some)


def test_both_engines_can_run_out_of_time() -> None:
    for board, engine in ((Board.empty(Shape(4, 4)), "search"), (with_clues(NINE, 8, random.Random(1)), "contraction")):
        for cores in (1, 2):
            with pytest.raises(OutOfTimeError):
                counted(board, cores, engine, seconds=0)


# ------------------------------------------------------------------------------------------------- in parts


def test_no_arrangement_of_a_stack_has_more_solutions_than_a_word_holds() -> None:
    """The sums of order.py fit on the empty board. Clues only take solutions away."""
    order = Order(Board.empty(NINE))
    weights = order.network.stacks[order.plan.stacks[0]].weights
    total = 0
    for leader in set(order.leaders):
        solutions = sum(order.sums(leader * order.groups, (leader + 1) * order.groups))
        assert solutions % weights[leader] == 0
        assert solutions // weights[leader] < 7.2e16 < 2**57
        total += solutions * order.leaders.count(leader)
    assert total == ALL_9X9


def test_a_band_in_pieces_is_the_same() -> None:
    rng = random.Random("pieces")
    found = Candidates(with_clues(NINE, 19, rng))
    assert found.bands == [0, 1, 2]
    for band in found.bands:
        box = found.boxes(band)
        whole = box.run(0, box.values)
        cuts = sorted({0, box.values, *(rng.randrange(box.values) for _ in range(4))})
        parts = [box.run(first, last) for first, last in pairwise(cuts)]
        assert [sum(counts) for counts in zip(*parts, strict=True)] == whole
        assert not any(box.run(box.values, box.values))
        for first, last in ((-1, 1), (2, 1), (0, box.values + 1)):
            with pytest.raises(ValueError, match="no values"):
                box.run(first, last)


@pytest.mark.slow
def test_all_boxes_of_a_band_come_from_any_plan() -> None:
    """Every order of the stacks, and both directions, with clues that leave several orders of columns."""
    board = with_clues(NINE, 18, random.Random("plans"))
    found = Candidates(board)
    expected = None
    for plan in plans(found.network, {"absent"}):
        if plan.bands[0] == 0:
            found.use(plan)
            counts = found.cells({band: (box := found.boxes(band)).run(0, box.values) for band in found.bands})
            expected = expected or counts
            assert counts == expected
    for cell in (0, 40, 80):
        assert counts[cell][3] == (
            contraction.count(board.with_cell(cell, 4)) if not board.cells[cell] else counts[cell][3]
        )


def test_bands_without_a_clue_are_not_worked_out() -> None:
    assert Candidates(Board.empty(NINE)).bands == [0]
    assert Candidates(Board.empty(NINE).with_cell(40, 1)).bands == [1]
    assert Candidates(Board.empty(NINE).with_cell(0, 1).with_cell(40, 2).with_cell(80, 3)).bands == [0, 1, 2]


@pytest.mark.parametrize("clues", [0, 1, 2, 3, 6])
def test_lines_have_no_more_arrangements_than_the_bounds_of_sums_say(clues: int) -> None:
    """Clues in one column allow a third of the orders, in pairs that are alike; in two columns a sixth."""
    for number in range(5):
        network = Network(with_clues(NINE, clues, random.Random(f"bounds {clues} {number}")).cells, 3, 3)
        for line in network.bands + network.stacks:
            assert line.required is not None
            columns = sum(any(box[column] for box in line.required) for column in range(3))
            alike = (6, 2, 1, 1)[columns]
            assert all(weight % alike == 0 for weight in line.weights)
            assert sum(line.weights) // alike <= 94_080 // 6
            for box in range(3):
                of_partition = Counter[int]()
                for partition, weight in zip(line.values[box::3], line.weights, strict=True):
                    of_partition[partition] += weight // alike
                assert max(of_partition.values()) <= 336 // 6


def test_a_tally_adds_what_it_is_given() -> None:
    counts = array("Q", [10] * 64)
    solutions = [full_board(Shape(2, 2), random.Random(number)).cells for number in range(5)]
    tally(b"".join(solutions), 16, 4, counts)
    for cell, digit in product(range(16), range(4)):
        assert counts[4 * cell + digit] == 10 + sum(solution[cell] == digit + 1 for solution in solutions)
    with pytest.raises(ValueError, match="63 counts, not 64"):
        tally(solutions[0], 16, 4, counts[1:])


# ---------------------------------------------------------------------------------------------- what they say


def shares(board: Board) -> CandidatesAnswer:
    return CandidatesAnswer(board, enumerator.candidates(board).counts, "search", 1, 0.25)


@pytest.mark.parametrize("number", range(6))
def test_suggested_clues_leave_what_they_say(number: int) -> None:
    shape = COMMON_SHAPES[number % 4]
    board = random_board(shape, random.Random(f"suggested {number}"), 60)
    found = shares(board)
    assert found.solutions > 1
    assert_count(board, found.solutions, search.count)
    assert found.clues == sorted(found.clues)
    for clue in found.clues[:20]:
        assert board.cells[clue.cell] == 0
        assert 0 < clue.solutions < found.solutions
        assert_count(board.with_cell(clue.cell, clue.digit), clue.solutions, search.count)
    every = {(clue.cell, clue.digit) for clue in found.clues}
    for cell, digit in product(range(shape.cells), range(1, shape.size + 1)):
        left = found.counts[cell][digit - 1]
        assert ((cell, digit) in every) == (0 < left < found.solutions)


def clue_of(words: str, size: int) -> tuple[int, int]:
    """Return the cell and the digit of `r1c2 = 3`."""
    place, _, digit = words.partition(" = ")
    row, _, column = place.removeprefix("r").partition("c")
    return (int(row) - 1) * size + int(column) - 1, int(digit)


@pytest.mark.parametrize("number", range(4))
def test_advice_names_clues_that_make_a_board_unique(number: int) -> None:
    board = random_board(COMMON_SHAPES[number], random.Random(f"advice {number}"), 12)
    found = shares(board)
    unique = [clue for clue in found.clues if clue.solutions == 1]
    assert unique
    (advice,) = found.advise()
    named, _, more = advice.removeprefix("unique with ").partition(" and ")
    for words in named.split(", "):
        assert_count(board.with_cell(*clue_of(words, board.shape.size)), 1, search.count)
    assert len(named.split(", ")) == min(MOST_CLUES, len(unique))
    rest = len(unique) - MOST_CLUES
    assert more == (f"{rest} other{'s' * (rest > 1)}" if rest > 0 else "")


def test_advice_where_no_single_clue_is_enough() -> None:
    board = Board.empty(Shape(2, 2)).with_cell(0, 1)
    found = shares(board)
    first, *closest = found.advise("<{}>")
    assert first == "no single clue makes it unique"
    assert len(closest) == MOST_CLUES
    for words in closest:
        clue, _, left = words.partition(" leaves ")
        assert left == f"<{search.count(board.with_cell(*clue_of(clue, 4)))}>"


def test_advice_where_none_is_needed() -> None:
    full = full_board(NINE, random.Random("none needed"))
    assert shares(full).advise() == ["unique as it is"]
    assert shares(full.with_cell(0, 0)).advise() == ["unique as it is"]
    assert shares(full.with_cell(0, full.cells[1])).advise() == ["no solution"]
    assert shares(full).clues == shares(full.with_cell(0, full.cells[1])).clues == []


@pytest.mark.parametrize("most", [0, 1, 12, 250])
@pytest.mark.parametrize("shape", COMMON_SHAPES, ids=str)
def test_json_and_tables_say_what_was_counted(ask: Run, tmp_path: Path, shape: Shape, most: int) -> None:
    board = random_board(shape, random.Random(f"json {shape}"), most or 30)
    if not most:
        board = board.with_cell(1, 1).with_cell(0, 1)
    found = shares(board)
    written = json.loads(json.dumps(found.to_dict()))
    assert int(written["solutions"]) == found.solutions
    assert [[int(count) for count in row] for row in written["candidates"]] == found.counts
    assert (written["engine"], written["cores"], written["seconds"]) == ("search", 1, 0.25)
    closest = written["closest_clues"]
    for clue in closest:
        cell, digit = clue_of(f"{clue['cell']} = {clue['digit']}", shape.size)
        assert int(clue["solutions"]) == found.counts[cell][digit - 1]
    unique = [clue for clue in found.clues if clue.solutions == 1]
    assert len(closest) == (len(unique) or min(MOST_CLUES, len(found.clues)))
    (tmp_path / "a\nboard").write_text(str(board))
    question = ("a\nboard", "--shape", str(shape), "--candidates")
    as_json, as_text, as_table = (ask(*question, *form).stdout for form in (["--json"], [], ["--quiet"]))
    for name in ("solutions", "candidates", "closest_clues"):
        assert json.loads(as_json)[name] == written[name]
    heading, *rows = as_table.splitlines()
    assert heading.split() == list(shape.symbols)
    assert [[int(count) for count in row.split()[1:]] for row in rows] == found.counts
    assert [row.split()[0] for row in rows] == [f"r{r + 1}c{c + 1}" for r, c in product(range(shape.size), repeat=2)]
    assert as_text.endswith(as_table)
    assert "a\nboard" not in as_text
