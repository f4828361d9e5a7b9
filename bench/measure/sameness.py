"""Checks of canonical forms and different solutions in numbers: what `canonical --full` does besides measuring.

    images        1,000 random symmetric images each of 200 boards of ten kinds have the form of their board
    pairs         boards that differ by another invariant have different forms: a million pairs
    reference     the forms of all 4×4 boards with up to 4 clues, and of 2,000 6×6 boards, by trying all symmetries
    samples       of a million uniformly random solved 9×9 boards, as many have automorphisms as in gsf's table
    different     200 boards with clues and symmetries: by Burnside's lemma, and by the forms of all solutions
    lines         `--distinct` of a million lines: seconds, and the most memory of the process

Each check prints a line, and returns True if nothing is wrong.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import combinations, islice, permutations, product
from operator import itemgetter
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time

from bench.common.memory import peak_of_command
from bench.common.puzzles import our_lists, published_lists, read_list
from enumerator import Board, Shape, count, different_answer
from enumerator.board.canonical import find_form, forms_of, order_of, search
from enumerator.board.shape import units
from enumerator.questions.solution_classes import first_of_forms, list_solutions
from enumerator.questions.solved_grids import make_grids
from enumerator.run.plan import Plan

NINE, SIX, FOUR, SIXTEEN = Shape(3, 3), Shape(2, 3), Shape(2, 2), Shape(4, 4)

ONE_CORE = Plan(cores=1)

BOARDS_A_KIND, IMAGES, PAIRS, SMALL_BOARDS, SAMPLES, SYMMETRIC_BOARDS, LINES = 20, 1_000, 1e6, 2_000, 10**6, 200, 10**6
"""The sizes of the checks in full."""

MOST_SOLUTIONS = 2_000
"""The most solutions of a board whose different solutions are listed."""

AUTOMORPHISMS = {1: 5_472_170_387, 2: 548_449, 3: 7_336, 4: 2_826, 6: 1_257, 8: 29, 9: 42, 12: 92, 18: 85, 27: 2}
AUTOMORPHISMS |= {36: 15, 54: 11, 72: 2, 108: 3, 162: 1, 648: 1}
"""Classes of solved 9×9 boards by their number of automorphisms (gsf, Sudoku players' forum)."""


def check_all(share: float) -> bool:
    """Make all checks, with a share of their numbers; return True if nothing is wrong."""
    results = [
        check_images(scaled(IMAGES, share)),
        check_pairs(scaled(int((2 * PAIRS) ** 0.5) + 1, share**0.5)),
        check_all_of_four(4 if share >= 0.05 else 2),
        check_some_of_six(scaled(SMALL_BOARDS, share)),
        check_different(scaled(SYMMETRIC_BOARDS, share)),
        check_samples(scaled(SAMPLES, share)),
    ]
    check_lines(scaled(LINES, share))
    return all(results)


def scaled(number: int, share: float) -> int:
    """Return a share of a number, at least 1."""
    return max(1, round(number * share))


def show(check: str, text: str, started: float) -> None:
    """Print the line of a check."""
    print(f"{check:<11}{text}; {perf_counter() - started:.1f} s", flush=True)


# ------------------------------------------------------------------------------------------------- images


def boards_of_kinds(number: int, rng: random.Random) -> dict[str, list[Board]]:
    """Return boards of ten kinds."""
    grids = [Board.from_valid(NINE, cells) for cells in solved(NINE, number, rng)]
    large = [Board.from_valid(SIXTEEN, cells) for cells in solved(SIXTEEN, number, rng)]
    lists = {path.name.partition(".")[0]: path for path in (published_lists() or our_lists()).values()}
    puzzles = {
        name: rng.sample(read_list(lists.get(name, our_lists()["minimal"])), number) for name in ("17clue", "hardest")
    }
    half = {cell: 80 - cell for cell in range(81)}
    patterns = [{cell for cell in range(41) if rng.random() < 0.3} for _ in grids]
    return {
        "solved": grids,
        "17 clues": puzzles["17clue"],
        "hardest": puzzles["hardest"],
        "multiple": [with_share(one, 0.25, rng) for one in grids],
        "none": [contradict(with_share(one, 0.4, rng)) for one in grids],
        "near-empty": [with_share(one, 0.04, rng) for one in grids],
        "one digit": [keep(one, {cell for cell in range(81) if one.cells[cell] == 1}) for one in grids],
        "symmetric patterns": [
            keep(one, some | {half[cell] for cell in some}) for one, some in zip(grids, patterns, strict=True)
        ],
        "16×16": [with_share(one, 0.4, rng) for one in large],
        "pencil marks": [mark(with_share(one, 0.2, rng), one, rng) for one in grids],
    }


def solved(shape: Shape, number: int, rng: random.Random) -> list[bytes]:
    """Return the cells of random solved boards."""
    cells = make_grids(shape, ONE_CORE).draw(rng, number)
    return [bytes(cells[first : first + shape.cells]) for first in range(0, len(cells), shape.cells)]


def keep(board: Board, cells: set[int]) -> Board:
    """Return a board with the clues of some cells."""
    return Board.from_cells(board.shape, bytes(digit if at in cells else 0 for at, digit in enumerate(board.cells)))


def with_share(board: Board, share: float, rng: random.Random) -> Board:
    """Return a board with a share of the clues."""
    return keep(board, {cell for cell in range(board.shape.cells) if rng.random() < share})


def contradict(board: Board) -> Board:
    """Return a board whose first clue stands twice in its row."""
    first = next(cell for cell, digit in enumerate(board.cells) if digit)
    other = first - 1 if first % board.shape.size else first + 1
    return board.with_cell(other, board.cells[first])


def mark(board: Board, solution: Board, rng: random.Random) -> Board:
    """Return a board with pencil marks in half of its empty cells, which allow a solution."""
    full = (1 << board.shape.size) - 1
    masks = [
        full if rng.random() < 0.5 else 1 << digit - 1 | rng.getrandbits(board.shape.size) for digit in solution.cells
    ]
    return Board.from_cells(board.shape, board.cells, masks)


def check_images(images: int) -> bool:
    """Compare the forms of symmetric images."""
    rng, wrong, slowest, started = random.Random(31), 0, 0.0, perf_counter()
    kinds = boards_of_kinds(BOARDS_A_KIND, rng)
    for kind, boards in kinds.items():
        began, seconds = perf_counter(), 0.0
        for board in boards:
            form = find_form(board).form
            shuffled = [board.shuffled(rng.randrange(10**9)) for _ in range(images)]
            before = process_time()
            wrong += sum(forms_of(one.shape, one.cells, one.allowed)[0] != form for one in shuffled)
            seconds += process_time() - before
            slowest = max(slowest, (process_time() - before) / images)
        rate = len(boards) * images / max(seconds, 1e-9)
        print(f"  {kind:<20}{rate:>10,.0f} forms a second{perf_counter() - began:>8.1f} s", flush=True)
    boards_tried = sum(map(len, kinds.values()))
    text = f"{images} each of {boards_tried} boards of {len(kinds)} kinds: {wrong} with another form"
    show("images", f"{text}; the slowest board takes {1000 * slowest:.1f} ms in the mean", started)
    return not wrong


# -------------------------------------------------------------------------------------------------- pairs


def invariant(board: Board) -> tuple[object, ...]:
    """Return what no symmetry changes: the clues of each digit, and of lines and boxes with what they cross."""
    held = [sum(board.cells[cell] > 0 for cell in cells) for _, cells in units(board.shape)]
    size = board.shape.size
    bands = [
        sorted(tuple(sorted(lines[first : first + size // 3])) for first in range(0, size, size // 3))
        for lines in (held[:size], held[size : 2 * size])
    ]
    digits = sorted(Counter(digit for digit in board.cells if digit).values())
    return tuple(digits), tuple(sorted(map(tuple, bands))), tuple(sorted(held[2 * size :]))


def check_pairs(number: int) -> bool:
    """Compare the forms of boards of which no two have the same invariant."""
    rng, started = random.Random(32), perf_counter()
    boards: dict[object, Board] = {}
    grids = [Board.from_valid(NINE, cells) for cells in solved(NINE, 100, rng)]
    while len(boards) < number:
        board = with_share(rng.choice(grids), 0.3, rng)
        boards.setdefault(invariant(board), board)
    forms = set(forms_of(NINE, b"".join(board.cells for board in boards.values())))
    pairs = number * (number - 1) // 2
    show("pairs", f"{pairs:,} pairs of {number:,} boards: {number - len(forms)} forms found twice", started)
    return len(forms) == number


# ---------------------------------------------------------------------------------------------- reference


def arrangements(shape: Shape) -> list[tuple[int, ...]]:
    """Return, for each symmetry without relabelling, the cell that comes to each cell: by the definition."""

    def orders(together: int, groups: int) -> list[list[int]]:
        return [
            [group * together + line for group, lines in zip(order, some, strict=True) for line in lines]
            for order in permutations(range(groups))
            for some in product(list(permutations(range(together))), repeat=groups)
        ]

    size = shape.size
    rows, columns = orders(shape.height, shape.width), orders(shape.width, shape.height)
    plain = [tuple(row * size + column for row in one for column in other) for one in rows for other in columns]
    turned = [tuple(cell % size * size + cell // size for cell in one) for one in plain]
    return plain + (turned if shape.height == shape.width else [])


def check_all_of_four(most: int) -> bool:
    """Compare the forms of all 4×4 boards with few clues with the least of all images of each."""
    started, changes = perf_counter(), [itemgetter(*cells) for cells in arrangements(FOUR)]
    tables = [bytes((0, *order)).ljust(256) for order in permutations(range(1, 5))]
    known: dict[bytes, bytes] = {}
    for clues in range(most + 1):
        for cells in combinations(range(16), clues):
            for digits in product(range(1, 5), repeat=clues):
                board = bytearray(16)
                for cell, digit in zip(cells, digits, strict=True):
                    board[cell] = digit
                if bytes(board) not in known:
                    arranged = {bytes(change(board)) for change in changes}
                    images = {image.translate(table) for image in arranged for table in tables}
                    known.update(dict.fromkeys(images, min(images)))
    forms = forms_of(FOUR, b"".join(known))
    wrong = sum(form.cells != least for form, least in zip(forms, known.values(), strict=True))
    classes = len(set(known.values()))
    text = f"all {len(known):,} 4×4 boards with up to {most} clues, {classes} classes: {wrong} with another form"
    show("reference", text, started)
    return not wrong


def check_some_of_six(number: int) -> bool:
    """Compare the forms of 6×6 boards with the least of all images, whose digits are named as they come."""
    rng, wrong, started = random.Random(33), 0, perf_counter()
    changes = [itemgetter(*cells) for cells in arrangements(SIX)]
    names = bytes(range(1, SIX.size + 1))

    def least(cells: bytes) -> bytes:
        images = (bytes(change(cells)) for change in changes)
        return min(image.translate(table_of(image)) for image in images)

    def table_of(image: bytes) -> bytes:
        digits = bytes(dict.fromkeys(image.replace(b"\0", b"")))
        return bytes.maketrans(digits, names[: len(digits)])

    for cells in solved(SIX, number, rng):
        share = rng.random()
        board = bytes(digit if rng.random() < share else 0 for digit in cells)
        wrong += forms_of(SIX, board)[0].cells != least(board)
    show("reference", f"{number:,} 6×6 boards: {wrong} with another form", started)
    return not wrong


# ---------------------------------------------------------------------------------------------- different


def symmetric_boards(rng: random.Random) -> Iterator[Board]:
    """Yield boards with clues, with symmetries of their own, and with few solutions."""
    while True:
        shape = rng.choice((FOUR, SIX, Shape(3, 2)))
        (cells,) = solved(shape, 1, rng)
        board = with_share(Board.from_valid(shape, cells), rng.random() / 2, rng)
        if rng.random() < 0.7:
            kept = rng.sample(range(1, shape.size + 1), rng.randint(1, shape.size - 2))
            board = keep(Board.from_valid(shape, cells), {at for at, digit in enumerate(cells) if digit in kept})
        if any(board.cells) and find_form(board).automorphisms > 1 and 1 < count(board) <= MOST_SOLUTIONS:
            yield board


def check_different(number: int) -> bool:
    """Compare Burnside's lemma with the forms of all solutions."""
    rng, wrong, solutions, started = random.Random(34), 0, 0, perf_counter()
    for board in islice(symmetric_boards(rng), number):
        answer = different_answer(board, cores=1)
        solutions += answer.solutions
        wrong += answer.different != sum(1 for _ in first_of_forms(board, list_solutions(board, ONE_CORE)))
    show("different", f"{number} boards with clues and symmetries, {solutions:,} solutions: {wrong} wrong", started)
    return not wrong


# ------------------------------------------------------------------------------------------ samples, lines


def check_samples(number: int) -> bool:
    """Compare how many random boards have automorphisms with gsf's table; five standard deviations are allowed."""
    rng, found, started = random.Random(35), Counter[int](), perf_counter()
    for first in range(0, number, 10_000):
        boards = (Board.from_valid(NINE, cells) for cells in solved(NINE, min(10_000, number - first), rng))
        found.update(order_of(NINE, search(board)) for board in boards)
    total = sum(classes / size for size, classes in AUTOMORPHISMS.items())
    likely = True
    words = []
    for size, classes in AUTOMORPHISMS.items():
        expected = number * classes / size / total
        likely &= abs(found[size] - expected) < 5 * max(1.0, expected) ** 0.5
        if expected >= 0.05 or found[size]:
            words.append(f"{size}: {found[size]:,} (expected {expected:,.2f})")
    show("samples", f"{number:,} solved boards by automorphisms: {', '.join(words)}", started)
    return likely and set(found) <= set(AUTOMORPHISMS)


def check_lines(number: int) -> None:
    """Print the time and the most memory of `--distinct` of many lines."""
    rng = random.Random(36)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "lines.txt"
        with path.open("wb") as file:
            for first in range(0, number, 10_000):
                digits = bytes.maketrans(bytes(range(10)), b".123456789")
                file.writelines(
                    cells.translate(digits) + b"\n" for cells in solved(NINE, min(10_000, number - first), rng)
                )
        started = perf_counter()
        peak = peak_of_command(str(path), "--distinct", "--cores", "1")
        show("lines", f"--distinct of {number:,} solved boards on one core: {peak:.0f} MB at most", started)
