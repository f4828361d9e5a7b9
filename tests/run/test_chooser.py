"""Both engines behind one count: which is chosen when, and the contraction on many cores."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
from itertools import pairwise
from pathlib import Path
from typing import get_args

import pytest
from support.boards import NINE, transpose, with_clues
from support.boards import board as read_ours
from support.cases import slow_after
from support.counts import assert_count
from support.lateness import Stopwatch
from support.ledgers import LONG_SUM
from support.odd_workers import complain, die, die_once, poisoned
from support.processes import Run, assert_mistake, seconds_of_work, started, wait_for
from support.runs import EAGER, last, total_share

import enumerator
from enumerator import engines
from enumerator.board import Board, Shape
from enumerator.board.files import read
from enumerator.engines import Tally, contraction, search
from enumerator.engines.contraction.ranges import Ranges
from enumerator.engines.walks import PROBE_NODES
from enumerator.engines.walks.tree import split
from enumerator.questions.checks import EngineName
from enumerator.run.balance import exact_parts
from enumerator.run.chooser import EngineChooser
from enumerator.run.counting import tallies
from enumerator.run.endings import WorkerLostError
from enumerator.run.local import LocalCount
from enumerator.run.pacing import Pacing
from enumerator.run.plan import Plan
from enumerator.run.workers import executors

pytestmark = pytest.mark.usefixtures("census")

WALKABLE = 133_333
"""Nodes that are walked in the time in which the contraction gets ready."""


def tally_of_walk(nodes: int, share: float, solutions: int = 0) -> Tally:
    """Return the tally of a walk."""
    return Tally(solutions, nodes, share=share, effort=nodes)


def some(clues: int, seed: int = 1) -> Board:
    return with_clues(NINE, clues, random.Random(f"engines {seed}"))


# ----------------------------------------------------------------------------------------------- the choice


def test_a_short_walk_is_walked_to_its_end() -> None:
    for name in ("1a", "1b", "2a", "2b", "4x4-many", "6x6-many"):
        board = read_ours(name)
        tally = last(board, Plan())
        assert (tally.engine, tally.solutions) == ("search", search.count(board))


@pytest.mark.slow
def test_what_cannot_be_walked_is_summed() -> None:
    for board in (Board.empty(NINE), some(3), some(10), some(15)):
        tally = last(board, Plan())
        assert tally.engine == "contraction"
        assert tally.nodes <= WALKABLE
        assert_count(transpose(board), tally.solutions, lambda twin: last(twin, Plan(cores=1)).solutions)


@pytest.mark.slow
def test_an_engine_can_be_chosen() -> None:
    board = read_ours("1c")
    answers = {engine: last(board, Plan(engine=engine)) for engine in engines.names()}
    assert {tally.solutions for tally in answers.values()} == {134037}  # by both kernels, see boards/README.md
    assert [answers[engine].engine for engine in ("search", "contraction")] == ["search", "contraction"]
    assert list(get_args(EngineName)) == engines.names()
    assert {enumerator.count(board, engine=engine) for engine in get_args(EngineName)} == {134037}
    with pytest.raises(ValueError, match="'dancing' is not an engine"):
        enumerator.count(board, engine="dancing")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="4x4 boxes are too large"):
        enumerator.count(Board.empty(Shape(4, 4)), engine="contraction")


def test_large_boards_are_walked() -> None:
    board = read_ours("16x16-many")
    assert last(board, Plan()).engine == "search"
    assert not EngineChooser(board, Plan()).better(tally_of_walk(nodes=10**18, share=1e-9))


def test_a_walk_that_takes_longer_than_expected_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """The shares of a tree can mislead: a walk that seems to be nearly done, again and again."""
    board = some(14)
    hopeful = EngineChooser(board, Plan())
    assert not hopeful.better(tally_of_walk(nodes=PROBE_NODES - 1, share=1e-9))
    assert not hopeful.better(tally_of_walk(nodes=PROBE_NODES, share=0.9))
    assert not hopeful.better(tally_of_walk(nodes=WALKABLE - 1, share=0.9))
    assert hopeful.better(tally_of_walk(nodes=WALKABLE, share=0.9))
    patient = EngineChooser(Board.parse(LONG_SUM), Plan())  # the sum takes seconds, and the walk seems to take less
    assert not patient.better(tally_of_walk(nodes=WALKABLE, share=0.3))
    assert not patient.better(tally_of_walk(nodes=10 * WALKABLE, share=0.3))
    assert patient.better(tally_of_walk(nodes=1000 * WALKABLE, share=0.3))
    limited = EngineChooser(board, Plan(limit=1000))
    assert not limited.better(tally_of_walk(solutions=500, nodes=PROBE_NODES, share=1e-9))
    assert EngineChooser(board, Plan(limit=10**9)).better(tally_of_walk(solutions=500, nodes=PROBE_NODES, share=1e-9))

    better = EngineChooser.better
    monkeypatch.setattr(
        EngineChooser,
        "better",
        lambda self, tally: better(self, tally_of_walk(10**12, 0.5)) if tally.tasks > 8 else None,
    )
    tally = last(board, Plan(cores=2, pool=None, pacing=Pacing(alone_seconds=0.0)))
    assert (tally.engine, tally.complete) == ("contraction", True)
    assert_count(board, tally.solutions, contraction.count)
    assert tally.nodes > 0


def test_what_the_walk_has_found_is_not_forgotten() -> None:
    """The count never falls while the sum has found less than the walk."""
    alone = LocalCount(Board.parse(LONG_SUM), Plan())
    most = 0
    while not (alone.tally.engine == "contraction" and alone.tally.solutions > 10**6):
        tally = alone.step()
        assert tally.solutions >= most
        most = tally.solutions
        assert not tally.complete
    assert not alone.finished


@pytest.mark.parametrize("engine", ["auto", "contraction"])
def test_limits(engine: str) -> None:
    board = some(14)
    count = contraction.count(board)
    for limit, complete in ((count - 1, False), (count, True), (count + 1, True), (10**30, True)):
        for cores in (1, 2):
            tally = last(board, Plan(cores=cores, limit=limit, engine=engine))
            assert tally.solutions == min(limit, count)
            assert tally.complete == complete
    few = last(board, Plan(limit=2))
    assert (few.solutions, few.complete, few.engine) == (2, False, "search")


@pytest.mark.parametrize("board", [Board.empty(NINE).with_cell(0, 7).with_cell(8, 7), some(81)], ids=["none", "full"])
def test_boards_with_nothing_to_sum(board: Board) -> None:
    for cores in (1, 2):
        tally = last(board, Plan(cores=cores, engine="contraction"))
        assert (tally.solutions, tally.complete) == (search.count(board), True)


# --------------------------------------------------------------------------------------------- on many cores


@pytest.mark.parametrize("pool", slow_after(1, [None, executors.start_processes]), ids=["threads", "loky"])
@pytest.mark.parametrize("workers", slow_after(1, [2, 1, 8]))
def test_any_number_of_workers_sums_the_same(workers: int, pool: executors.ProcessFactory | None) -> None:
    board = some(11)
    tally = last(board, Plan(cores=workers, pool=pool, usable=lambda: workers, engine="contraction", pacing=EAGER))
    assert (tally.solutions, tally.complete, tally.share) == (contraction.count(board), True, 1.0)
    assert (tally.cores, tally.tasks > workers) == (workers, workers > 1)


def test_small_shapes_on_many_cores() -> None:
    for board in (Board.empty(Shape(2, 2)), Board.empty(Shape(2, 3)), Board.empty(Shape(3, 2)), Board.empty(NINE)):
        tally = last(board, Plan(cores=3, pool=None, usable=lambda: 3, engine="contraction", pacing=EAGER))
        assert_count(board, tally.solutions, contraction.count)


def test_tallies_of_a_sum_grow_and_are_never_too_large() -> None:
    board = some(11)
    seen = list(tallies(board, Plan(cores=2, pool=None, engine="contraction", pacing=EAGER)))
    assert all(before.solutions <= after.solutions for before, after in pairwise(seen))
    assert all(0 <= tally.share <= 1 for tally in seen)
    assert [tally.complete for tally in seen] == [False] * (len(seen) - 1) + [True]


@pytest.mark.slow
def test_ranges_of_a_worker_that_dies_are_summed_again(tmp_path: Path) -> None:
    (tmp_path / "once").touch()
    said: list[str] = []
    board = some(9)
    pool = poisoned(die_once, tmp_path / "once")
    tally = last(
        board, Plan(cores=2, pool=pool, on_message=said.append, usable=lambda: 2, engine="contraction", pacing=EAGER)
    )
    assert_count(board, tally.solutions, contraction.count)
    assert [message.partition(";")[0] for message in said] == ["a worker has died (SIGKILL)"]


@pytest.mark.slow
def test_ranges_that_kill_three_workers_are_named(tmp_path: Path) -> None:
    pool = poisoned(die, tmp_path / "deaths")
    with pytest.raises(WorkerLostError, match=r"it was a part of the sum: items \d+ to \d+$"):
        last(Board.parse(LONG_SUM), Plan(cores=2, pool=pool, usable=lambda: 2, engine="contraction", pacing=EAGER))


@pytest.mark.slow
def test_an_exception_in_a_sum_arrives_whole(tmp_path: Path) -> None:
    pool = poisoned(complain, tmp_path)
    with pytest.raises(ArithmeticError, match="one and one is three"):
        last(Board.parse(LONG_SUM), Plan(cores=2, pool=pool, usable=lambda: 2, engine="contraction", pacing=EAGER))


@pytest.mark.slow
def test_a_sum_that_was_left_is_gone_on_with() -> None:
    board = some(10)
    alone = LocalCount(board, Plan(engine="contraction"))
    for _ in range(3):
        alone.step()
    begun = alone.leave()
    assert not begun.tally.complete
    assert alone.tally.share == float(1 - total_share(begun.parts))
    tally = last(board, Plan(cores=2, pool=None, engine="contraction"), begun)
    assert_count(board, tally.solutions, contraction.count)


def test_ranges_are_divided_until_each_is_an_item() -> None:
    board = some(12)
    job = Ranges(board)
    alone = LocalCount(board, Plan(engine="contraction"))
    alone.step()
    parts = exact_parts(job, alone.leave())
    pieces = list(split(parts, job.divide))
    assert {piece.size for piece in pieces} == {1}
    assert len(pieces) == sum(part.size for part in parts)
    assert sum(piece.share for piece in pieces) == sum(part.share for part in parts)


# ------------------------------------------------------------------------------------------------ the command


def test_the_command_says_which_engine(ask: Run, tmp_path: Path) -> None:
    (tmp_path / "board.txt").write_text(str(some(12)))
    plain = ask("board.txt")
    assert "engine          contraction, " in plain.stdout
    assert " nodes" not in plain.stdout
    facts = json.loads(ask("board.txt", "--json", "--engine", "contraction", "--cores", "1").stdout)
    assert (facts["engine"], facts["complete"], facts["cores"]) == ("contraction", True, 1)
    assert_count(some(12), int(facts["solutions"]), contraction.count)


def test_an_engine_that_does_not_take_the_only_board_is_a_mistake(ask: Run) -> None:
    for question in ([], ["--estimate"], ["--candidates"], ["--list", "--output", "list.txt"]):
        forms = [[], ["--json"]] if "--list" in question else [[], ["--json"], ["--quiet"]]
        for form in forms:
            done = ask("." * 256, "--engine", "contraction", *question, *form)
            assert_mistake(done, "4x4 boxes are too large for the contraction: use the search")


@pytest.mark.slow
def test_boards_too_large_for_the_contraction_are_refused_by_name(command: Run, tmp_path: Path) -> None:
    (tmp_path / "large board.txt").write_text("." * 256)
    (tmp_path / "small.txt").write_text("12" + "." * 14)
    for more in ([], ["--estimate"]):
        done = command("large board.txt", "small.txt", "--engine", "contraction", "--quiet", *more)
        assert done.returncode == 2
        assert done.stdout == "unsupported\n24\n"
        message = "large board.txt:1: 4x4 boxes are too large for the contraction: use the search (--engine search)"
        assert done.stderr == f"enumerate: {message}\n"
    lines = "\n".join(["." * 64] * 40)
    done = command("-", "--shape", "2x4", "--engine", "contraction", "--quiet", stdin=lines)
    assert (done.returncode, done.stdout) == (2, "unsupported\n" * 40)
    assert done.stderr.count("2x4 boxes are too large") == 40
    assert command("small.txt", "--engine", "dancing").returncode == 2


@pytest.mark.slow
def test_a_batch_may_be_summed(command: Run) -> None:
    boards = [some(23 + number % 6, number) for number in range(12)]
    lines = "\n".join(map(str, boards))
    answers = {engine: command("-", "--quiet", "--engine", engine, stdin=lines).stdout for engine in engines.names()}
    assert len(set(answers.values())) == 1
    assert [int(line) for line in answers["auto"].split()] == [contraction.count(board) for board in boards]


@pytest.mark.slow
def test_an_estimate_of_a_board_that_can_be_summed_is_its_count(command: Run) -> None:
    done = command("-", "--estimate", stdin=str(some(16)))
    assert f"solutions       {contraction.count(some(16))} (counted)" in done.stdout
    assert " by contraction\n" in done.stdout
    facts = json.loads(command("-", "--estimate", "--json", stdin=LONG_SUM).stdout)
    assert (facts["engine"], facts["exact"]) == ("contraction", False)
    assert 0.2 < facts["estimated_seconds"]["low"] < facts["estimated_seconds"]["high"]


@pytest.mark.slow
@pytest.mark.parametrize("cores", ["1", "2"])
def test_an_interrupted_sum_says_how_far_it_got(cores: str) -> None:
    with started("-", "--cores", cores, "--quiet", stdin=subprocess.PIPE) as process:
        assert process.stdin
        process.stdin.write(LONG_SUM)
        process.stdin.close()
        process.stdin = None
        assert wait_for(lambda: seconds_of_work(process.pid) > 0.7)
        with Stopwatch() as watch:
            os.killpg(process.pid, signal.SIGINT)
            output, errors = process.communicate()
        assert watch.seconds < 2
    assert process.returncode == 130
    assert output.endswith("+\n")
    assert 10**6 < int(output.removesuffix("+\n")) < 85216340156640
    assert errors == "enumerate: interrupted: this count is not complete\n"


@pytest.mark.parametrize("name", ["1c", "1d", "1e", "1f", "2c", "2d", "2e", "2f"])
def test_a_walk_is_not_shared_out_before_an_engine_is_chosen(shared: Path, name: str) -> None:
    """A sum of 20 ms takes longer if others walk already.

    On a busy machine a walk may seem to take long before the engine is chosen: one of five counts is enough.
    """
    one, plan = read(shared / "boards" / f"{name}.txt"), Plan(cores=2, pool=None, pacing=Pacing(alone_seconds=10.0))
    tallies = (last(one, plan) for _ in range(5))
    assert any((tally.tasks, tally.complete) == (0, True) for tally in tallies)
