"""Counts on a cluster whose workers come and go, whose scheduler is lost, or whose version is another."""

from __future__ import annotations

import os
import signal
from concurrent.futures import BrokenExecutor
from contextlib import closing
from pathlib import Path
from time import sleep

import pytest
from support.boards import NINE, ROOT, board
from support.clusters import COUNTS, WAITING, Farm, eagerly_on, ending, finished_tasks, planned
from support.lateness import Stopwatch
from support.odd_workers import die, doubled, doubled_slowly
from support.processes import COMMAND, run, session, wait_for
from support.runs import last
from support.traces import ended, named

from enumerator import __version__
from enumerator.board import Board
from enumerator.engines import Tally
from enumerator.run.counting import tallies
from enumerator.run.endings import WorkerLostError
from enumerator.run.ledger import read_ledger
from enumerator.run.pacing import Pacing
from enumerator.run.trace import Tracer

pytest.importorskip("distributed", reason="distributed is not installed: no cluster")

from enumerator.run.workers.cluster import Cluster
from enumerator.run.workers.remote import ClusterLostError, VersionError

pytestmark = pytest.mark.usefixtures("only_threads_of_dask_are_left")

OTHER_VERSION = "0.0.1"


# --------------------------------------------------------------------------------- workers that come and go


@pytest.mark.slow
def test_a_worker_that_joins_late_gets_work_and_stays_when_the_count_is_left(farm: Farm, seen: set[int]) -> None:
    with Cluster(farm.address) as cluster, closing(tallies(Board.empty(NINE), eagerly_on(cluster))) as counting:
        assert wait_for(lambda: next(counting).complete or seen)
        late = farm.worker()
        assert wait_for(lambda: next(counting).complete or late in seen)
        assert wait_for(lambda: next(counting).cores == len(farm.workers))
    assert late in farm.workers


@pytest.mark.slow
def test_a_killed_worker_is_in_the_trace(farm: Farm) -> None:
    tracer = Tracer()
    with Cluster(farm.has(2).address) as cluster:
        plan = eagerly_on(cluster)._replace(observer=tracer)
        with closing(tallies(Board.empty(NINE), plan)) as counting:
            at_work = (pid for _ in counting for pid in farm.workers if pid in {each.process for each in tracer.spans})
            killed = next(at_work)
            farm.kill(killed)
            tally = next(tally for tally in counting if tracer.departed > 0)
    events = ended(tracer, tally)
    (left,) = named(events, "a worker left the cluster")
    assert left["args"]["address"].startswith("tcp://127.0.0.1:")
    tracks = {event["pid"] for event in events if event["args"].get("name", "").startswith(f"worker {killed} on ")}
    assert not [each for each in named(events, "no more tasks") if each["pid"] in tracks]
    assert len(tracks) == 1


@pytest.mark.slow
def test_workers_killed_again_and_again_cost_time_and_nothing_else(farm: Farm) -> None:
    kills, tally = 0, Tally()
    with Cluster(farm.has(2).address) as cluster:
        for tally in tallies(board("1d"), eagerly_on(cluster)):
            if kills < 3 and tally.share > 0.02 + 0.1 * kills:
                farm.kill(farm.workers[0])
                if len(farm.workers) < 2:
                    farm.worker()
                kills += 1
    assert kills == 3
    assert (tally.solutions, tally.complete) == (COUNTS["1d"], True)


@pytest.mark.slow
def test_a_batch_does_not_mind_a_worker_that_is_killed(farm: Farm) -> None:
    with Cluster(farm.has(2).address) as cluster:
        results = []
        for result in cluster.mapping(2).map(doubled_slowly, ([number] for number in range(200))):
            results += result
            if len(results) == 100:
                farm.kill(farm.workers[0])
    assert results == [2 * number for number in range(200)]


@pytest.mark.slow
def test_with_all_workers_gone_it_waits_and_says_so_until_there_is_one(farm: Farm, seen: set[int]) -> None:
    said: list[str] = []
    late, tally = 0, Tally()
    with Cluster(farm.address, said.append) as cluster:
        for tally in tallies(board("1d"), eagerly_on(cluster, on_message=said.append)):
            if not late and tally.share > 0.05:
                farm.kill(*farm.workers)
                late = farm.worker() if said else 0  # earlier, it might join before the others are missed
    assert (tally.solutions, tally.complete) == (COUNTS["1d"], True)
    assert said == [WAITING]
    assert late in seen


@pytest.mark.slow
def test_work_that_ends_its_workers_ends_the_run_and_is_named(
    spare: Farm, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deaths = tmp_path / "deaths"
    with spare.has(1).keeping(1), Cluster(spare.address) as cluster:
        real = cluster.submit
        monkeypatch.setattr(cluster, "submit", lambda *_: real(die, str(deaths)))
        with pytest.raises(WorkerLostError, match="has ended its worker 3 times; it was a part of the tree") as caught:
            last(Board.empty(NINE), eagerly_on(cluster))
        culprit = Board.parse(str(caught.value).rpartition(" ")[2])
        assert 0 < culprit.empty_cells < 81
        assert 3 <= len(deaths.read_text()) <= 5
        with pytest.raises(BrokenExecutor, match="given up a task"):
            list(cluster.mapping(2).map(doubled, [[1]]))


# -------------------------------------------------------------------------------------------- other versions


@pytest.fixture
def stranger(tmp_path: Path) -> Path:
    """Return a folder with another version of this package, for the path of a worker."""
    folder = tmp_path / "other"
    (folder / "enumerator").mkdir(parents=True)
    (folder / "enumerator" / "__init__.py").write_text(f"__version__ = '{OTHER_VERSION}'\n")
    about = folder / f"enumerator-{OTHER_VERSION}.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: enumerator\nVersion: {OTHER_VERSION}\n")
    return folder


@pytest.mark.slow
def test_a_worker_with_another_version_is_named_and_gets_no_work(farm: Farm, stranger: Path, seen: set[int]) -> None:
    """The unfit worker gets no work even when the last fit one dies: the count waits for another."""
    known = farm.workers
    unfit = farm.worker("--nthreads", "4", path=stranger)
    farm.has(len(known) + 1)
    said: list[str] = []
    try:
        with Cluster(farm.address, said.append) as cluster:
            assert cluster.cores() == len(known)
            tally = last(board("1c"), eagerly_on(cluster, on_message=said.append))
            assert (tally.solutions, tally.complete) == (COUNTS["1c"], True)
            assert seen == set(known)
            late = 0
            for tally in tallies(board("1d"), eagerly_on(cluster, on_message=said.append)):
                if not late and tally.share > 0.05:
                    farm.kill(*known)
                    late = farm.worker() if WAITING in said else 0
            assert (tally.solutions, tally.complete) == (COUNTS["1d"], True)
            assert seen == {*known, late}
        reason, *more = said
        assert reason.endswith(f": enumerator {OTHER_VERSION} there, {__version__} here; it gets no work")
        assert more == [WAITING]
        assert "Compute Failed" not in farm.log(unfit)
    finally:
        farm.kill(unfit)


@pytest.mark.slow
def test_workers_that_all_have_another_version_are_the_end(spare: Farm, stranger: Path) -> None:
    spare.worker(path=stranger)
    spare.has(1)
    with pytest.raises(VersionError, match=f": enumerator {OTHER_VERSION} there, {__version__} here$"):
        Cluster(spare.address)


# --------------------------------------------------------------------------------------- ends, of both sides


@pytest.mark.slow
def test_a_scheduler_that_goes_while_nobody_works_is_missed(spare: Farm) -> None:
    said: list[str] = []
    with Cluster(spare.address, said.append) as cluster:
        counting = tallies(Board.empty(NINE), planned(cluster, on_message=said.append))
        assert wait_for(lambda: next(counting) and said == [WAITING])
        spare.kill(spare.scheduler)
        with pytest.raises(ClusterLostError, match="is gone"):
            for _ in counting:
                pass


@pytest.mark.slow
def test_a_scheduler_that_goes_takes_the_count_with_it_and_the_ledger_is_whole(spare: Farm, tmp_path: Path) -> None:
    farm, ledger = spare.has(2), tmp_path / "run.db"
    count = [str(ROOT / "boards" / "2e.txt"), "--engine", "search", "--quiet", "--checkpoint", str(ledger)]
    with ending(tmp_path, *count, *farm.options) as process:
        assert wait_for(lambda: finished_tasks(ledger) > 20)
        farm.kill(farm.scheduler)
        stdout, stderr = process.communicate()
        assert process.returncode == 1
        assert stderr == f"enumerate: the scheduler at {farm.address} is gone; this count is not complete\n"
        before = finished_tasks(ledger)
        assert before > 20
        contents, running = read_ledger(str(ledger), lambda _: False)
        assert (running, stdout) == (False, f"{contents.totals.solutions}+\n")
        assert 0 < contents.totals.solutions < COUNTS["2e"]
        assert wait_for(lambda: not session(process.pid))  # what cleans up behind Python ends a moment later
    done = run([COMMAND, *count])
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{COUNTS['2e']}\n", "")
    assert finished_tasks(ledger) > before


@pytest.mark.slow
def test_a_scheduler_that_says_nothing_is_lost(farm: Farm) -> None:
    with Cluster(farm.address, pacing=Pacing(silent_seconds=1.0)) as cluster:
        counting = tallies(Board.empty(NINE), eagerly_on(cluster))
        next(counting)
        os.kill(farm.scheduler, signal.SIGSTOP)
        try:
            with pytest.raises(ClusterLostError, match="has not answered for 1 s"):
                wait_for(lambda: next(counting).complete)
        finally:
            os.kill(farm.scheduler, signal.SIGCONT)
        with pytest.raises(ClusterLostError):
            cluster.submit(doubled, [1])


@pytest.mark.slow
def test_ctrl_c_ends_the_command_and_not_the_cluster(farm: Farm, tmp_path: Path) -> None:
    before, ledger = farm.workers, tmp_path / "run.db"
    count = [str(ROOT / "boards" / "empty.txt"), "--engine", "search", "--quiet", "--checkpoint", str(ledger)]
    with ending(tmp_path, *count, *farm.options) as process:
        assert wait_for(lambda: finished_tasks(ledger) > 3)
        with Stopwatch() as watch:
            os.kill(process.pid, signal.SIGINT)
            stdout, stderr = process.communicate()
        assert watch.seconds < 3
        assert (process.returncode, stderr) == (130, "enumerate: interrupted: this count is not complete\n")
        assert stdout.endswith("+\n")
        assert wait_for(lambda: not session(process.pid))  # what cleans up behind Python ends a moment later
    assert finished_tasks(ledger) > 3
    assert list(tmp_path.iterdir()) == [ledger]
    with Cluster(farm.address) as cluster:
        assert cluster.submit(doubled, [1, 2]).result(20) == [2, 4]
        assert cluster.cores() == len(before)
    assert farm.workers == before


@pytest.mark.slow
def test_a_closed_cluster_takes_no_more_work(farm: Farm) -> None:
    cluster = Cluster(farm.address)
    waiting = cluster.submit(sleep, 2.0)
    cluster.close()
    cluster.close()
    with pytest.raises(ClusterLostError, match="the cluster was closed"):
        waiting.result(5)
    with pytest.raises(ClusterLostError, match="the cluster was closed"):
        cluster.submit(doubled, [1])
