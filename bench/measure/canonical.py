"""Canonical forms and essentially different solutions: speed, images, shares and published numbers.

    forms a second     of solved 9×9 boards and of lists of puzzles, in the library, on one core and on several
    distinct           lines, seconds and memory of a list of random 9×9 puzzles: a class takes the 16 bytes of a
                       digest, and its share of the free places of a table
    images             random symmetric images of boards of several kinds and shapes: their forms must be equal
    automorphisms      of random solved 9×9 boards: how many have more than one, and how many should (gsf's table)
    different          essentially different solutions of empty boards, against published numbers; 8×8 from its
                       published number of solutions, 40 s. With --empty 3x3 also 9×9: a minute of processor time

With --full only these, of the sizes that bench/measure/sameness.py names: images of boards of ten kinds, pairs that
differ by another invariant, a reference by brute force, samples, different solutions, a million lines.

The exit status is 1 if a number is not as it must be.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Callable
from math import factorial
from time import perf_counter, process_time

from bench.common.memory import peak_of_command
from bench.common.options import add_lists, add_number, chosen_lists
from bench.measure.sameness import AUTOMORPHISMS, check_all
from enumerator import Board, Shape, canonical_all, different_answer, sample
from enumerator.board.canonical import find_form, forms_of
from enumerator.board.symmetry import SymmetryGroup
from enumerator.questions.different import is_identity
from enumerator.questions.fixed.arrangements import classes
from enumerator.questions.fixed.relabellings import DigitKinds
from enumerator.questions.fixed.work import FixedCounter

KNOWN = {"2x2": 2, "2x3": 49, "2x4": 1_673_187, "3x3": 5_472_730_538}
"""Essentially different solved boards: OEIS A109741, A291188; Russell and Jarvis 2006."""

SOLUTIONS_OF_8X8 = 29_136_487_207_403_520

SHAPES = ("2x2", "2x3", "3x2", "3x3", "3x4", "4x4", "5x5")


def configure(parser: argparse.ArgumentParser) -> None:
    add_lists(parser, "all of them")
    add_number(parser, "--grids", 50_000, "solved 9×9 boards")
    add_number(parser, "--classes", 1_000_000, "boards whose distinct ones are listed")
    add_number(parser, "--images", 50, "symmetric images of each board")
    add_number(parser, "--rounds", 3, "runs of each")
    add_number(parser, "--cores", 2, "cores of the second rate")
    parser.add_argument(
        "--empty",
        nargs="+",
        choices=KNOWN,
        default=["2x2", "2x3", "2x4"],
        metavar="SHAPE",
        help=f"empty boards whose different solutions are counted: {', '.join(KNOWN)} (default: without 3x3)",
    )
    parser.add_argument(
        "--full",
        nargs="?",
        type=float,
        const=1.0,
        metavar="SHARE",
        help="only the checks in numbers, five minutes of a core; a share of their numbers, as 0.05, for a shorter run",
    )


def run(options: argparse.Namespace) -> int:
    if options.full is not None:
        return 0 if check_all(options.full) else 1
    grids = ["".join(map(str, board)) for board in solved_boards(options.grids)]
    measure_forms({"solved": [Board(grid) for grid in grids], **chosen_lists(options.boards)}, options)
    measure_classes(grids, options.classes)
    results = [check_images(options.images), check_shares(grids), check_different(options)]
    return 0 if all(results) else 1


def solved_boards(number: int) -> list[list[int]]:
    """Return the cells of random solved 9×9 boards."""
    return [[digit for row in board for digit in row] for board in sample("." * 81, number, seed=1)]


def measure_forms(lists: dict[str, list[Board]], options: argparse.Namespace) -> None:
    """Print the forms a second of each list."""
    print(f"{'forms a second':<24}{'boards':>9}{'1 core':>12}{f'{options.cores} cores':>12}{'ratio':>8}{'classes':>10}")
    for name, boards in lists.items():
        alone = together = float("inf")
        for _ in range(options.rounds):
            alone = min(alone, seconds_of(lambda: list(canonical_all(boards, cores=1))))  # noqa: B023
            together = min(together, seconds_of(lambda: list(canonical_all(boards, cores=options.cores))))  # noqa: B023
        rates = f"{len(boards) / alone:>12,.0f}{len(boards) / together:>12,.0f}{alone / together:>8.2f}"
        print(f"{name:<24}{len(boards):>9,}{rates}{len(set(canonical_all(boards))):>10,}", flush=True)


def seconds_of(work: Callable[[], object]) -> float:
    started = perf_counter()
    work()
    return perf_counter() - started


def measure_classes(grids: list[str], number: int) -> None:
    """Print lines, seconds and memory of `enumerate --distinct`, for a tenth of some puzzles and for all.

    The puzzles are solved boards without 45 of their digits, so nearly all are classes of their own.
    """
    rng, peaks = random.Random(1), []
    print(f"\n{'distinct':<24}{'lines':>9}{'seconds':>12}{'peak, MB':>12}")
    for lines in (max(1, number // 10), number):
        kept = (set(rng.sample(range(81), 36)) for _ in range(lines))
        puzzles = ("".join(d if i in some else "." for i, d in enumerate(rng.choice(grids))) for some in kept)
        text, started = "\n".join(puzzles), perf_counter()
        peaks.append(peak_of_command("-", "--distinct", "--cores", "1", text=text))
        print(f"{'':<24}{lines:>9,}{perf_counter() - started:>12.1f}{peaks[-1]:>12.1f}", flush=True)
    print(f"{(peaks[1] - peaks[0]) * 2**20 / (number - number // 10):.1f} bytes a class more")


def some_boards(shape: str, rng: random.Random) -> list[Board]:
    """Return boards of a shape: solved, with few and many clues, of one digit, contradictory, with pencil marks."""
    own = Shape(*map(int, shape.split("x")))
    solved = Board.from_valid(own, pattern(own)).shuffled(rng.randrange(10**9))
    emptied = [bytes(0 if rng.random() < share else digit for digit in solved.cells) for share in (0.4, 0.7, 0.95)]
    boards = [solved, *(Board.from_cells(own, cells) for cells in emptied)]
    boards.append(Board.from_cells(own, bytes(digit if digit == 1 else 0 for digit in solved.cells)))
    boards.append(Board.from_cells(own, bytes(rng.randint(0, 2) for _ in solved.cells)))
    full = (1 << own.size) - 1
    marks = [full if rng.random() < 0.5 else 1 << digit - 1 | rng.getrandbits(own.size) for digit in solved.cells]
    boards.append(Board.from_cells(own, boards[2].cells, marks))
    return boards


def pattern(shape: Shape) -> bytes:
    """Return the cells of a solved board, made of shifted rows."""
    height, width, size = shape.height, shape.width, shape.size
    return bytes(
        (width * (row % height) + row // height + column) % size + 1 for row in range(size) for column in range(size)
    )


def check_images(images: int) -> bool:
    """Compare the forms of symmetric images; return True if all are equal."""
    rng, wrong, boards, started = random.Random(1), 0, 0, perf_counter()
    slowest = 0.0
    for shape in SHAPES:
        for board in some_boards(shape, rng):
            form = find_form(board).form
            boards += 1
            for _ in range(images):
                image, before = board.shuffled(rng.randrange(10**9)), process_time()
                wrong += forms_of(image.shape, image.cells, image.allowed)[0] != form
                slowest = max(slowest, process_time() - before)
    print(f"\n{images} images each of {boards} boards: {wrong} with another form; slowest {slowest:.3f} s", end="")
    print(f"; {perf_counter() - started:.1f} s")
    return not wrong


def check_shares(grids: list[str]) -> bool:
    """Print the numbers of automorphisms of random boards beside the expected ones; return True if they are likely."""
    found = Counter(find_form(Board(grid)).automorphisms for grid in grids)
    total = sum(number / size for size, number in AUTOMORPHISMS.items())
    expected = len(grids) * (1 - AUTOMORPHISMS[1] / total)
    symmetric = len(grids) - found[1]
    print(f"{len(grids):,} random boards: {symmetric} with automorphisms, expected {expected:.2f}; {dict(found)}")
    return set(found) <= set(AUTOMORPHISMS) and abs(symmetric - expected) < 5 * max(1, expected) ** 0.5


def check_different(options: argparse.Namespace) -> bool:
    """Count essentially different solutions of empty boards; return True if all are as published."""
    print(f"\n{'different':<12}{'found':>16}{'published':>16}{'nodes':>16}{'seconds':>10}")
    agrees = True
    for shape in options.empty:
        started = perf_counter()
        found, nodes = count_8x8(options.cores) if shape == "2x4" else count(shape, options.cores)
        agrees &= found == KNOWN[shape]
        print(f"{shape:<12}{found:>16,}{KNOWN[shape]:>16,}{nodes:>16,}{perf_counter() - started:>10.2f}", flush=True)
    return agrees


def count(shape: str, cores: int) -> tuple[int, int]:
    """Return the essentially different solutions of an empty board, and the nodes."""
    size = Shape(*map(int, shape.split("x"))).cells
    answer = different_answer("." * size, shape=shape, cores=cores)
    return answer.different, answer.nodes


def count_8x8(cores: int) -> tuple[int, int]:
    """Return the same for 8×8, whose number of solutions is as published: to count them would take years."""
    shape = Shape(2, 4)
    board, order = Board.empty(shape), SymmetryGroup(shape).arrangements
    others = [one for one in classes(shape, (), order, lambda: None) if not is_identity(one)]
    counter = FixedCounter(board, DigitKinds(board), others)
    mean, rest = divmod(SOLUTIONS_OF_8X8 // factorial(8) + counter.run(cores, lambda: None), order)
    return (-1 if rest else mean), counter.nodes
