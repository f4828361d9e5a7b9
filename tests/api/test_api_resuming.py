"""Iterators over solutions that continue where others with the same checkpoint have ended."""

import random
import sys
from itertools import islice
from pathlib import Path

import pytest
from support.boards import board, board_file, random_board
from support.processes import run

import enumerator as en
from enumerator.board import Shape
from enumerator.questions.checks import EngineName

pytestmark = pytest.mark.usefixtures("no_thread_is_left")


@pytest.mark.parametrize("limit", [None, 700])
@pytest.mark.parametrize(("shape", "engine"), [(Shape(3, 3), "auto"), (Shape(3, 3), "search"), (Shape(2, 5), "auto")])
def test_iterators_with_a_checkpoint_yield_the_list_together(
    shape: Shape, engine: EngineName, limit: int | None, tmp_path: Path
) -> None:
    rng = random.Random(f"resuming {shape} {engine} {limit}")
    one = random_board(shape, rng, 2_000)
    while en.count(one) < 800:
        one = random_board(shape, rng, 2_000)
    every = [*en.solutions(one, engine=engine, limit=limit)]
    path, together = tmp_path / "ledger", list[en.Board]()
    while True:
        found = en.solutions(one, engine=engine, limit=limit, checkpoint=path, cores=rng.choice([1, 2]))
        some = list(islice(found, rng.choice([0, 1, 2, 63, 64, 65, 300])))
        wanted = some or list(islice(found, 1))
        found.close()  # type: ignore[attr-defined]
        together += wanted
        if not wanted:
            break
    assert together == every
    assert list(en.solutions(one, engine=engine, limit=limit, checkpoint=path)) == []


def test_an_iterator_that_fails_in_its_middle_is_resumed(tmp_path: Path) -> None:
    one, path, seen = board("1b"), tmp_path / "ledger", list[en.Board]()

    def take(solution: en.Board) -> en.Board:
        if len(seen) == 10:
            raise ZeroDivisionError
        return solution

    with pytest.raises(ZeroDivisionError):
        seen.extend(map(take, en.solutions(one, checkpoint=path)))
    assert len(seen) == 10
    assert en.status(path).state == "stopped"
    seen.append(en.nth(one, 10))  # it was yielded, so it is not yielded again
    seen += en.solutions(one, checkpoint=path)
    assert seen == list(en.solutions(one))
    assert en.status(path).state == "finished"


KILLED = """
import os, sys
import enumerator as en
path = sys.argv[2]
for number, solution in enumerate(en.solutions(en.read(sys.argv[1]), checkpoint=path)):
    print(solution)
    if number == 20:
        os.kill(os.getpid(), 9)
"""


def test_an_iterator_that_is_killed_repeats_solutions_but_misses_none(tmp_path: Path) -> None:
    path = tmp_path / "ledger"
    line = [sys.executable, "-uc", KILLED, board_file("1b"), str(path)]
    done = run(line)
    assert (done.returncode, done.stderr) == (-9, "")
    seen, every = done.stdout.split(), [str(solution) for solution in en.solutions(board("1b"))]
    rest = [str(solution) for solution in en.solutions(board("1b"), checkpoint=path)]
    assert seen == every[:21]
    assert rest == every[-len(rest) :]
    assert len(every) - 21 <= len(rest)


def test_a_checkpoint_of_another_question_is_refused(tmp_path: Path) -> None:
    one, path = board("1b"), tmp_path / "ledger"
    next(en.solutions(one, checkpoint=path))
    for ask in (
        lambda: next(en.solutions(board("1a"), checkpoint=path)),
        lambda: next(en.solutions(one, limit=3, checkpoint=path)),
        lambda: en.count(one, checkpoint=path),
        lambda: en.write_solutions(one, tmp_path / "list", checkpoint=path),
    ):
        with pytest.raises(en.LedgerError, match="is the ledger of"):
            ask()
    other = tmp_path / "other"
    en.count(one, checkpoint=other)
    with pytest.raises(en.LedgerError, match="another question"):
        next(en.solutions(one, checkpoint=other))


def test_an_iterator_out_of_time_is_resumed(tmp_path: Path) -> None:
    one, path, seen = board("2e"), tmp_path / "ledger", list[en.Board]()
    with pytest.raises(en.OutOfTimeError):
        seen.extend(en.solutions(one, limit=50_000, checkpoint=path, time_limit=0.003))
    seen += en.solutions(one, limit=50_000, checkpoint=path)
    assert seen == list(en.solutions(one, limit=50_000))
