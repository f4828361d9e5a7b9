"""The engine that learns, from outside: its answers are those of the search, in any way of asking."""

from __future__ import annotations

import pickle
import random
from array import array
from pathlib import Path

import pytest
from support.boards import NINE, board, breaks_no_rule, random_board
from support.cases import slow_after
from support.marks import restricted_board
from support.processes import run_python
from support.runs import EAGER, RESTLESS, last

import enumerator as en
from enumerator import engines
from enumerator.board import Board, Shape
from enumerator.engines import learning, search
from enumerator.engines.walks.boards import tally
from enumerator.questions.classify import classify
from enumerator.run.plan import Plan
from enumerator.run.race import Race

pytestmark = pytest.mark.usefixtures("census")

SOME_SHAPES = [Shape(2, 2), Shape(2, 3), Shape(3, 2), Shape(2, 4), NINE, Shape(2, 5), Shape(3, 4), Shape(4, 4)]
LARGE = "16x16-many"


def some(shape: Shape, most: int = 300) -> Board:
    return random_board(shape, random.Random(f"learning {shape}"), most)


@pytest.mark.parametrize("shape", SOME_SHAPES, ids=str)
def test_counts_are_those_of_the_search(shape: Shape) -> None:
    one = some(shape)
    assert en.count(one, engine="learning") == search.count(one)
    _, marked = restricted_board(shape, random.Random(f"marked {shape}"))
    assert en.count(marked, engine="learning") == search.count(marked)


@pytest.mark.parametrize("shape", SOME_SHAPES, ids=str)
@pytest.mark.parametrize("limit", [1, 2, 7, 100, 1_000])
def test_limits_are_kept(shape: Shape, limit: int) -> None:
    one = some(shape)
    total = search.count(one)
    for cores in (1, 2):
        found = last(one, Plan(cores=cores, pool=None, limit=limit, engine="learning"))
        assert (found.solutions, found.complete) == (min(limit, total), total <= limit)


@pytest.mark.parametrize("shape", SOME_SHAPES, ids=str)
def test_a_verdict_keeps_different_solutions(shape: Shape) -> None:
    one = some(shape)
    counting = learning.ENGINE.begin(one, 2)
    while not (counting.step().complete or counting.solutions == 2):
        pass
    kept = [counting.kept[at : at + shape.cells] for at in range(0, len(counting.kept), shape.cells)]
    assert len(set(kept)) == len(kept) == counting.solutions == min(2, search.count(one))
    assert all(breaks_no_rule(Board.from_cells(shape, cells), one) for cells in kept)


@pytest.mark.parametrize("cores", slow_after(1, [2, 1]))
@pytest.mark.parametrize("pacing", [EAGER, RESTLESS], ids=["eager", "restless"])
def test_any_cores_and_any_tasks_count_the_same(cores: int, pacing: object) -> None:
    one = board(LARGE)
    found = last(one, Plan(cores=cores, pool=None, usable=lambda: 2, engine="learning", pacing=pacing))  # type: ignore[arg-type]
    assert (found.solutions, found.complete, found.engine) == (search.count(one), True, "learning")
    assert (found.nodes, found.effort > 0) == (0, True)


@pytest.mark.parametrize("shape", SOME_SHAPES, ids=str)
def test_lists_have_every_solution_once(shape: Shape) -> None:
    one = some(shape)
    listed = [solution.cells for solution in en.solutions(one, engine="learning", cores=1)]
    assert len(set(listed)) == len(listed)
    assert set(listed) == {solution.cells for solution in en.solutions(one, engine="search")}
    assert [solution.cells for solution in en.solutions(one, engine="learning", cores=2)] == listed
    assert en.nth(one, len(listed) - 1, engine="learning").cells == listed[-1]


def test_candidates_are_tallied() -> None:
    one = some(Shape(4, 4))
    counts = array("Q", bytes(8 * 16**3))
    tally(b"".join(solution.cells for solution in en.solutions(one, engine="search")), 256, 16, counts)
    found = en.candidates(one, engine="learning").counts
    assert [number for row in found for number in row] == counts.tolist()


def test_its_tasks_can_be_sent() -> None:
    one = some(Shape(4, 4))
    work = pickle.loads(pickle.dumps(learning.ENGINE.job(one).work))
    assert work([one.cells], 10**9, 10**9, 60.0).solutions == search.count(one)


def test_small_boards_do_not_load_its_kernel() -> None:
    program = f"import enumerator, sys; enumerator.count({'.' * 81!r}); print(*sys.modules)"
    done = run_python(program, status=0)
    assert "enumerator.engines.contraction.sum" in done.stdout.split()
    assert "enumerator.engines.learning.kernel" not in done.stdout.split()


def test_it_races_on_large_boards_and_with_pencil_marks() -> None:
    assert engines.racer(board(LARGE)) is learning.ENGINE
    assert engines.racer(Board.empty(Shape(2, 5))) is learning.ENGINE
    for shape in (Shape(2, 2), Shape(2, 4), NINE):
        assert engines.racer(Board.empty(shape)) is None
        assert engines.racer(Board.from_allowed(shape, [1] + [3] * (shape.cells - 1))) is learning.ENGINE
    assert learning.ENGINE.probe_tree(board(LARGE)) is not None
    assert learning.ENGINE.probe_tree(Board.empty(Shape(3, 3))) is None


@pytest.mark.parametrize("name", ["16x16-unique", LARGE, "25x25-unique", "25x25-many"])
@pytest.mark.parametrize("engine", ["auto", "learning"])
def test_our_large_boards_are_counted(name: str, engine: str) -> None:
    one = board(name)
    expected = search.count(one, 100_000)
    found = last(one, Plan(cores=1, limit=99_999, engine=engine))
    assert found.solutions == min(expected, 99_999)


def known_counts(shared: Path, most: int) -> list[tuple[str, Board, int]]:
    """Return the large boards with at most `most` solutions, a published number of them."""
    rows = [line.split("\t") for line in (shared / "large" / "many.tsv").read_text().splitlines() if line[0] != "#"]
    return [
        (name, Board.parse(cells), int(solutions))
        for cells, solutions, name in rows
        if solutions != "?" and int(solutions) <= most
    ]


@pytest.mark.slow
def test_known_counts_of_large_boards(shared: Path) -> None:
    if not (shared / "large").is_dir():
        pytest.skip("no shared/large beside the repository")
    for name, one, solutions in known_counts(shared, 10_000):
        if one.shape.size < 25:
            assert (name, en.count(one, engine="learning")) == (name, solutions)
            assert (name, en.count(one)) == (name, solutions)


@pytest.mark.parametrize("number", slow_after(2, range(55)))
def test_published_puzzles_of_16x16_are_unique(shared: Path, number: int) -> None:
    path = shared / "large" / "16x16.txt"
    if not path.is_file():
        pytest.skip("no shared/large beside the repository")
    one = Board.parse(path.read_text().split()[number])
    answer = classify(one, Plan(engine="learning"))
    assert (answer.verdict, answer.solution is not None) == ("unique", True)


def test_a_race_with_it_is_part_of_a_count() -> None:
    from enumerator.run.chooser import EngineChooser

    one = board(LARGE)
    begun = search.ENGINE.begin(one)
    begun.step()
    assert isinstance(EngineChooser(one, Plan()).race(begun, engines.Tally(effort=10**9)), Race)
