"""What the compiled kernels answer, as one JSON object: to be compared between instruction sets.

    python tests/support/kernels.py

Every value depends on the order in which a kernel works, not only on what it finds.
"""

from __future__ import annotations

import gzip
import json
from array import array
from hashlib import sha256
from itertools import islice
from math import inf
from pathlib import Path

import enumerator
from enumerator import engines
from enumerator.board import Board, Shape
from enumerator.board.files import read
from enumerator.engines import contraction, search
from enumerator.engines.contraction.problem import Problem
from enumerator.engines.search import kernel

ROOT = Path(__file__).parents[2]
WALKED = ("1a", "1b", "1c", "2a", "2b", "4x4-many", "6x6-many", "16x16-many")
SUMMED = ("1b", "1d", "2e", "6x6-many")
CANDIDATES = ("1c", "6x6-many")
LISTED = ("1b", "1d")
NINE = Shape(3, 3)


def walk_facts(board: Board) -> list[object]:
    """Return the nodes, the list, the parts after some nodes and a random path of a walk."""
    walk = search.start(board)
    room = bytearray(board.shape.cells * 200_000)
    found = walk.run(out=room)
    begun = search.start(board)
    begun.run(50)
    path = bytearray(board.cells)
    ways, nodes = array("d", [0]), array("d", [0])
    search.start(board).descend(path, 20, 1, ways, nodes)
    return [found, walk.nodes, digest(room), digest(b"".join(begun.rest())), begun.share, digest(path), *ways, *nodes]


def block_facts(name: str, limit: int) -> list[object]:
    """Return the counts, nodes and solutions of a list of puzzles in one call."""
    text = gzip.decompress((ROOT / "bench" / "puzzles" / f"{name}.txt.gz").read_bytes()).decode()
    puzzles = [Board.parse(line).cells for line in text.splitlines() if not line.startswith("#")][:1000]
    counts, nodes = (array("Q", [0] * len(puzzles)) for _ in range(2))
    unique = bytearray(81 * len(puzzles))
    done, *_ = kernel.count_boards(b"".join(puzzles), 3, 3, 10**7, limit, counts, nodes, unique=unique)
    return [done, digest(counts.tobytes()), digest(nodes.tobytes()), digest(unique)]


def marked(board: Board) -> Board:
    """Return a board with some pencil marks: every third cell lacks a digit, not that of its clue."""
    masks = []
    for cell, clue in enumerate(board.cells):
        without = 1 << cell % 9 if cell % 3 == 0 and clue != cell % 9 + 1 else 0
        masks.append(0b111111111 & ~without)
    return Board.from_cells(board.shape, board.cells, masks)


def puzzle_facts(grid: bytes) -> list[object]:
    """Return the puzzles that are made of a solved grid, and the weights of some."""
    reduction, tries = engines.reduction(NINE), 20
    reduced, weighed = bytearray(grid * tries), bytearray(grid * tries)
    reduction.reduce(reduced, array("Q", range(tries)), [[cell] for cell in range(81)], 0, 10**7)
    weights = reduction.weigh(weighed, array("Q", range(tries)), 49, 2, -inf)
    return [digest(reduced), digest(weighed), digest(weights.tobytes())]


def sum_facts(board: Board) -> list[object]:
    problem = Problem.of_board(board.cells, board.shape.height, board.shape.width)
    assert problem.plan
    return [problem.run(0, problem.items, 1e18)[:2], contraction.count(board)]


def candidate_facts(board: Board) -> list[object]:
    """Return the solutions with each digit in each cell, by the contraction."""
    return [digest(repr(enumerator.candidates(board, engine="contraction", cores=1).counts).encode())]


def list_facts(board: Board) -> list[object]:
    """Return the first solutions by the contraction, and some by their numbers."""
    first = b"".join(each.cells for each in islice(enumerator.solutions(board, engine="contraction", cores=1), 5_000))
    chosen = [str(enumerator.nth(board, number, engine="contraction", cores=1)) for number in (1, 777, 7_000)]
    return [digest(first), *chosen]


def wrong_counts() -> list[str]:
    """Return the boards of tests/golden whose published counts the contraction does not find: none."""
    found = []
    for name in ("empty", "puzzles", "bands"):
        for line in (ROOT / "tests" / "golden" / f"{name}.tsv").read_text().splitlines():
            if not line.startswith("#"):
                fields = line.split("\t")
                shape = Shape.parse(fields.pop(0)) if name == "empty" else NINE
                if contraction.count(Board.parse(fields[0], shape)) != int(fields[1]):
                    found.append(line)
    return found


def digest(data: bytes | bytearray) -> str:
    return sha256(data).hexdigest()


def facts() -> dict[str, object]:
    boards = {path.stem: read(path) for path in (ROOT / "boards").glob("*.txt")}
    found: dict[str, object] = {f"walk {name}": walk_facts(boards[name]) for name in WALKED}
    found["walk marked"] = walk_facts(marked(boards["1c"]))
    found |= {f"sum {name}": sum_facts(boards[name]) for name in SUMMED}
    found |= {f"candidates {name}": candidate_facts(boards[name]) for name in CANDIDATES}
    found |= {f"list {name}": list_facts(boards[name]) for name in LISTED}
    found["wrong counts"] = wrong_counts()
    for name in ("minimal", "multiple"):
        found |= {f"{name} up to {limit}": block_facts(name, limit) for limit in (1, 2, 50)}
    (solution,) = enumerator.solutions(boards["1a"])
    found["puzzles"] = puzzle_facts(solution.cells)
    return {**found, "instructions": kernel.INSTRUCTIONS}


if __name__ == "__main__":
    print(json.dumps(facts()))
