"""Counts on a Dask cluster are the same as those on one machine; its scheduler and workers are real processes."""

from __future__ import annotations

import json
import os
import pickle
import random
import signal
import sys
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest
from support.boards import NINE, PUZZLE, ROOT, board, board_file, random_board
from support.cases import slow_after
from support.clusters import COUNTS, Farm, eagerly_on, ending, finished_tasks, planned
from support.odd_workers import complain, doubled, doubled_slowly
from support.processes import Run, assert_mistake, run, run_python, session, wait_for
from support.runs import EAGER, last
from support.traces import ended, named

from enumerator.board import Board
from enumerator.engines import contraction, search
from enumerator.run.trace import Tracer

pytest.importorskip("distributed", reason="distributed is not installed: no cluster")

from enumerator.run.workers import remote
from enumerator.run.workers.cluster import Cluster
from enumerator.run.workers.executors import usable_cores
from enumerator.run.workers.remote import VersionError

pytestmark = pytest.mark.usefixtures("only_threads_of_dask_are_left")


LEARNED = "large/16x16-b-4"
"""A board with 3,069 solutions and as many dead ends: see the page of its folder."""


# ------------------------------------------------------------------------------------------- the same counts


def test_other_sources_of_the_same_version_are_refused() -> None:
    assert pickle.loads(pickle.dumps(remote.Call(max, 3, 4))) == 4
    with pytest.raises(VersionError, match=r"enumerator 0\.\S+, sources \w{8} there, 0\.1\.0, sources 0000 here"):
        remote.perform("0.1.0, sources 0000", max, (3, 4))


@pytest.mark.parametrize(
    ("engine", "name"),
    slow_after(0, [("search", "1c"), ("contraction", "1d"), ("auto", "2d"), ("learning", LEARNED)]),
)
def test_a_cluster_counts_the_same(farm: Farm, seen: set[int], engine: str, name: str) -> None:
    pacing = EAGER._replace(slice_seconds=1e-5, shortest=1e-4)
    tracer = Tracer()
    with Cluster(farm.has(2).address) as cluster:
        tally = last(board(name), planned(cluster, engine, pacing=pacing)._replace(observer=tracer))
    workers = {event["pid"] for event in named(ended(tracer, tally), "task")}
    assert len(workers) == len({worker.process for worker in tracer.spans} - {os.getpid()})
    assert (tally.solutions, tally.complete, tally.cores) == (COUNTS.get(name, 3_069), True, 2)
    assert tally.tasks > 2
    assert tally.engine == engine or engine == "auto"
    assert seen <= set(farm.workers)
    assert len(workers) == len(seen) == 2 or engine == "contraction"  # a sum may be over before both have a task


@pytest.mark.slow
def test_a_cluster_gets_the_pencil_marks(farm: Farm, seen: set[int]) -> None:
    plain = board("1d")
    cell, digits = plain.cells.index(0), (1, 2, 4, 5, 7, 8)
    marked = Board.from_cells(NINE, plain.cells, [0b011011011 if each == cell else 511 for each in range(81)])
    expected = sum(contraction.count(plain.with_cell(cell, digit)) for digit in digits)
    pacing = EAGER._replace(slice_seconds=1e-5, shortest=1e-4)
    with Cluster(farm.has(2).address) as cluster:
        tally = last(marked, planned(cluster, "search", pacing=pacing))
    assert (tally.solutions, tally.complete, tally.engine) == (expected, True, "search")
    assert seen <= set(farm.workers)


@pytest.mark.slow
def test_a_limit_is_kept_and_one_that_is_just_met_is_none(farm: Farm) -> None:
    with Cluster(farm.address) as cluster:
        tally = last(Board.empty(NINE), eagerly_on(cluster, limit=100_000))
        assert (tally.solutions, tally.complete) == (100_000, False)
        for limit in (COUNTS["1c"] - 1, COUNTS["1c"], COUNTS["1c"] + 1):
            tally = last(board("1c"), eagerly_on(cluster, limit=limit))
            assert (tally.solutions, tally.complete) == (min(limit, COUNTS["1c"]), limit >= COUNTS["1c"])


IN_A_BATCH = """
import sys
from enumerator.command.main import main
from enumerator.run.workers.cluster import Cluster
from enumerator.run.pacing import BatchPacing

real, sent = Cluster.submit, []
Cluster.submit = lambda *arguments: sent.append(arguments) or real(*arguments)
pacing = BatchPacing(first_boards=1, probe_boards=1, worth_seconds=-1.0, chunk_seconds=0.0001)
status = main(batch_pacing=pacing)
print(f"{len(sent)} sent", file=sys.stderr)
sys.exit(status)
"""


@pytest.mark.slow
def test_a_batch_has_the_same_answers_in_the_same_order(farm: Farm, tmp_path: Path) -> None:
    rng = random.Random("a batch on a cluster")
    boards = [random_board(NINE, rng, 50) for _ in range(300)]
    (tmp_path / "boards.sdm").write_text("".join(f"{one}\n" for one in [*boards[:200], "1" * 80, *boards[200:]]))
    arguments = [str(tmp_path / "boards.sdm"), "--json", *farm.has(2).options]
    done = run_python(IN_A_BATCH, *arguments, cwd=tmp_path)
    complaint, sent = done.stderr.splitlines()
    assert (done.returncode, "boards.sdm:201" in complaint) == (2, True)
    assert int(sent.split()[0]) > 5
    lines = done.stdout.splitlines()
    assert "invalid" in lines.pop(200)
    answers = [int(json.loads(line)["solutions"]) for line in lines]
    assert answers == [search.count(one) for one in boards]


@pytest.mark.slow
def test_items_are_mapped_in_order_though_some_take_longer(farm: Farm) -> None:
    with Cluster(farm.address) as cluster:
        mapping = cluster.mapping(2)
        assert mapping.up
        assert list(mapping.map(doubled_slowly, ([number] for number in range(200)))) == [
            [2 * number] for number in range(200)
        ]
        assert list(mapping.map(doubled, [])) == []
        with closing(mapping.map(doubled, ([number] for number in range(10**9)))) as endless:
            assert next(endless) == [0]


@pytest.mark.slow
def test_work_that_is_given_up_takes_no_other_with_it(farm: Farm) -> None:
    with Cluster(farm.address) as cluster:
        given_up, kept = [], []
        for number in range(200):
            given_up.append(cluster.submit(doubled, [number]))
            kept.append(cluster.submit(doubled, [number]))
            if number >= 4:
                given_up[number - 4].cancel()  # about when its result is fetched, with others
        assert [one.result(20) for one in kept] == [[2 * number] for number in range(200)]


def test_an_exception_in_a_worker_arrives(farm: Farm) -> None:
    with Cluster(farm.address) as cluster, pytest.raises(ArithmeticError, match="one and one is three, says a worker"):
        cluster.submit(complain, "a worker").result(20)


# ------------------------------------------------------------------------------------------------- no cluster


@pytest.mark.parametrize(
    "address", ["", "127.0.0.1", "tcp://127.0.0.1", "tcp://:8786", "http://127.0.0.1:8786", "tcp://a b:1", "tcp://a:b"]
)
def test_what_is_no_address_is_not_waited_for(address: str) -> None:
    with pytest.raises(ValueError, match="is not the address of a scheduler, such as tcp://"):
        Cluster(address)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--scheduler", "tcp://127.0.0.1:1"], "--scheduler goes with --backend dask"),
        (["--scheduler", "tcp://127.0.0.1:1", "--backend", "threads"], "--scheduler goes with --backend dask"),
        (["--backend", "dask", "--list"], "--backend dask does not go with --list: it is for counts"),
        (["--backend", "dask", "--classify"], "--backend dask does not go with --classify"),
        (["--backend", "dask", "--estimate"], "--backend dask does not go with --estimate"),
        (["--backend", "dask", "--scheduler", "nowhere"], "--scheduler: 'nowhere' is not the address of a scheduler"),
    ],
)
def test_options_that_do_not_go_together(ask: Run, arguments: list[str], message: str) -> None:
    assert_mistake(ask(board_file("1a"), *arguments), message)


HURRIED = """
import sys
from enumerator.command.main import main
from enumerator.run.pacing import Pacing

sys.exit(main(pacing=Pacing(connect_seconds=0.5)))
"""
WITHOUT_DASK = """
import sys
from enumerator.command.main import main

sys.modules["distributed"] = None
sys.exit(main())
"""


@pytest.mark.slow
def test_the_command_ends_where_there_is_no_scheduler_and_says_what_is_missing_where_there_is_no_dask() -> None:
    asked = partial(run, stdin=PUZZLE, cwd="/")
    arguments = ["-", "--quiet", "--backend", "dask", "--scheduler", "tcp://127.0.0.1:1"]
    done = asked([sys.executable, "-c", HURRIED, *arguments])
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "enumerate: no answer from tcp://127.0.0.1:1\n"
    assert_mistake(asked([sys.executable, "-c", WITHOUT_DASK, *arguments]), "pip install distributed")
    done = asked([sys.executable, "-c", WITHOUT_DASK, "-", "--quiet"])
    assert (done.returncode, done.stdout, done.stderr) == (0, "1\n", "")


# ------------------------------------------------------------------------------------------- on this machine


@pytest.mark.slow
def test_without_an_address_there_is_a_cluster_here_and_nothing_of_it_afterwards(tmp_path: Path) -> None:
    arguments = [str(ROOT / "boards" / "2d.txt"), "--engine", "search", "--json", "--backend", "dask", "--cores", "2"]
    with ending(tmp_path, *arguments) as process:
        stdout, stderr = process.communicate()
        assert wait_for(lambda: not session(process.pid))  # what cleans up behind Python ends a moment later
    assert (process.returncode, stderr) == (0, "")
    report = json.loads(stdout)
    assert (int(report["solutions"]), report["complete"]) == (COUNTS["2d"], True)
    assert report["cores"] == min(2, usable_cores())
    assert report["tasks"] > 0
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_a_cluster_here_ends_with_the_command_however_that_ends(tmp_path: Path, number: int) -> None:
    ledger = tmp_path / "run.db"
    arguments = [str(ROOT / "boards" / "empty.txt"), "--engine", "search", "--quiet", "--checkpoint", str(ledger)]
    with ending(tmp_path, *arguments, "--backend", "dask", "--cores", "1") as process:
        assert wait_for(lambda: finished_tasks(ledger) > 1)
        os.kill(process.pid, number)
        _, stderr = process.communicate()
        if number == signal.SIGINT:
            assert (process.returncode, stderr) == (130, "enumerate: interrupted: this count is not complete\n")
            assert list(tmp_path.iterdir()) == [ledger]
