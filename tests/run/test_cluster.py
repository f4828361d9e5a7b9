"""Counts on a Dask cluster: the same ones, whatever becomes of its workers. All of them are real, and processes."""

from __future__ import annotations

import json
import os
import pickle
import random
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor
from contextlib import closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from time import monotonic, sleep

import pytest
from helpers import COMMAND, PUZZLE, ROOT, assert_mistake, random_board, started, wait_for
from odd_workers import complain, die, doubled, doubled_slowly

from enumerator import __version__
from enumerator.board import Board, Shape
from enumerator.board.formats import read
from enumerator.engines import Tally, contraction, search
from enumerator.run import driver
from enumerator.run.plan import Plan, WorkerLostError
from enumerator.run.counting import tallies
from enumerator.run.ledger.contents import LedgerError
from enumerator.run.ledger.contents import read_ledger

pytest.importorskip("distributed", reason="distributed is not installed: no cluster")

from enumerator.run import cluster as clusters
from enumerator.run.cluster import Cluster, ClusterLostError, VersionError

pytestmark = pytest.mark.timeout(60)

NINE = Shape(3, 3)
COUNTS = {"1c": 134_037, "1d": 1_035_153, "1e": 2_663_219, "2d": 1_255_242, "2e": 7_305_949}
"""By both kernels, see boards/README.md."""
OTHER_VERSION = "0.0.1"


def board(name: str) -> Board:
    return read(ROOT / "boards" / f"{name}.txt")


class Farm:
    """A scheduler and workers, as processes on this machine. All they write is in a folder."""

    def __init__(self, folder: Path, **environment: str) -> None:
        folder.mkdir(parents=True)
        self.folder = folder
        self.processes: dict[int, subprocess.Popen[bytes]] = {}
        self._logs: dict[int, Path] = {}
        bare = folder / "bare"  # a scheduler need not know of us
        (bare / "enumerator").mkdir(parents=True)
        (bare / "enumerator" / "__init__.py").write_text("raise ImportError('not here')\n")
        more = ["--host", "127.0.0.1", "--port", "0", "--no-dashboard"]
        self.scheduler = self._launch("scheduler", *more, PYTHONPATH=str(bare), **environment)

    @property
    def address(self) -> str:
        """That of the scheduler, when it has one."""
        found = re.search(r"Scheduler at: +(\S+)\n", self.log(self.scheduler))
        return found[1] if found else ""

    def _launch(self, kind: str, *arguments: str, **environment: str) -> int:
        path = self.folder / f"{kind}-{len(self.processes)}.log"
        with open(path, "wb") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", f"distributed.cli.dask_{kind}", *arguments],
                stdout=log,
                stderr=log,
                env={**os.environ, "DASK_TEMPORARY_DIRECTORY": str(self.folder), **environment},
                cwd=self.folder,
                start_new_session=True,
            )
        self.processes[process.pid], self._logs[process.pid] = process, path
        return process.pid

    def worker(self, *more: str, path: Path = ROOT / "tests") -> int:
        """Start one; it will be there soon."""
        usual = ["--no-dashboard", "--no-nanny", "--nthreads", "1"]
        return self._launch("worker", self.address, *usual, *more, PYTHONPATH=str(path))

    def has(self, number: int) -> Farm:
        """Wait until so many workers are there; those that are missing are started."""
        assert wait_for(lambda: self.address), self.log(self.scheduler)
        for _ in range(number - len(self.workers)):
            self.worker()
        for pid in self.workers:
            assert wait_for(lambda pid=pid: "Registered to" in self.log(pid)), self.log(pid)  # type: ignore[misc]
        return self

    @property
    def is_up(self) -> bool:
        return self.processes[self.scheduler].poll() is None

    @property
    def workers(self) -> list[int]:
        return [pid for pid, process in self.processes.items() if pid != self.scheduler and process.poll() is None]

    def log(self, pid: int) -> str:
        """What a process has said."""
        return self._logs[pid].read_text()

    def kill(self, *pids: int) -> None:
        for pid in pids:
            if self.processes[pid].poll() is None:
                os.killpg(pid, signal.SIGKILL)
                self.processes[pid].wait()

    def close(self) -> None:
        """Leave no process."""
        alive = [pid for pid, process in self.processes.items() if process.poll() is None]
        self.kill(*alive)
        assert wait_for(lambda: not any(map(session, alive)), 5)

    @property
    def options(self) -> list[str]:
        return ["--backend", "dask", "--scheduler", self.address]


@pytest.fixture(scope="module")
def shared_farm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Farm]:
    with closing(Farm(tmp_path_factory.mktemp("farm") / "it")) as farm:
        yield farm


@pytest.fixture
def farm(shared_farm: Farm) -> Farm:
    """A scheduler with at least one worker, that all tests have, and leave to the others."""
    return shared_farm.has(1)


@pytest.fixture(scope="module")
def spare_farms() -> Iterator[list[Farm]]:
    farms: list[Farm] = []
    yield farms
    for farm in farms:
        farm.close()


@pytest.fixture
def spare(spare_farms: list[Farm], tmp_path: Path) -> Farm:
    """A scheduler without workers, that a test may destroy. It allows for no death over a task, to be soon done."""
    if not spare_farms or not spare_farms[-1].is_up:
        spare_farms.append(Farm(tmp_path / "spare", DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES="0"))
    spare_farms[-1].kill(*spare_farms[-1].workers)
    return spare_farms[-1].has(0)


@pytest.fixture(autouse=True)
def nothing_is_left() -> Iterator[None]:
    """After each test, this process must have no thread more, but for those that Dask has once."""
    before = set(threading.enumerate())
    yield
    assert wait_for(lambda: all(map(is_dasks, set(threading.enumerate()) - before)), 2), threading.enumerate()


def is_dasks(thread: threading.Thread) -> bool:
    """Some that Dask has once for each process stay."""
    return thread.name.startswith(("Dask-", "Profile", "IO loop", "asyncio_"))


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> set[int]:
    """The processes that have done a task."""
    pids: set[int] = set()
    monkeypatch.setattr(driver.Away, "greet", lambda _crew, pid: pids.add(pid))
    return pids


def planned(cluster: Cluster, engine: str = "search", limit: int | None = None) -> Plan:
    return Plan(limit=limit, engine=engine, cluster=cluster, usable=cluster.cores, tell=cluster._tell)


def last(one: Board, plan: Plan) -> Tally:
    *_, tally = tallies(one, plan)
    return tally


@contextmanager
def ending(folder: Path, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """The command, whose temporary files are in a folder. At the end nothing of its session must be left."""
    with started(*arguments, env={**os.environ, "TMPDIR": str(folder)}) as process:
        yield process
        assert process.poll() is not None
        assert wait_for(lambda: not session(process.pid), 10)


def session(leader: int) -> list[int]:
    """The processes of a session."""
    found = []
    for entry in Path("/proc").iterdir():
        with suppress(OSError):
            if entry.name.isdigit():
                state, _, _, of = (entry / "stat").read_text().rpartition(")")[2].split()[:4]
                if int(of) == leader and state != "Z":
                    found.append(int(entry.name))
    return found


def finished(ledger: Path) -> int:
    """How many tasks a ledger has; it must be whole."""
    try:
        book, _ = read_ledger(str(ledger), lambda _: False)
    except LedgerError:
        assert not ledger.exists() or not ledger.stat().st_size or Path(f"{ledger}-journal").exists()
        return 0
    return book.totals.finished


# ------------------------------------------------------------------------------------------- the same counts


def test_other_sources_of_the_same_version_are_refused() -> None:
    assert pickle.loads(pickle.dumps(clusters.Call(max, 3, 4))) == 4
    with pytest.raises(VersionError, match=r"enumerator 0\.\S+, sources \w{8} there, 0\.1\.0, sources 0000 here"):
        clusters.perform("0.1.0, sources 0000", max, (3, 4))


@pytest.mark.usefixtures("eager")
@pytest.mark.parametrize(("engine", "name"), [("search", "1d"), ("contraction", "1d"), ("auto", "2d")])
def test_a_cluster_counts_the_same(
    farm: Farm, seen: set[int], engine: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(contraction, "SLICE_SECONDS", 1e-5)
    monkeypatch.setattr(driver, "SHORTEST", 1e-4)
    with Cluster(farm.has(2).address) as cluster:
        tally = last(board(name), planned(cluster, engine))
    assert (tally.solutions, tally.complete, tally.cores) == (COUNTS[name], True, 2)
    assert tally.tasks > 2
    assert seen == set(farm.workers)


@pytest.mark.usefixtures("eager")
def test_a_limit_is_kept_and_one_that_is_just_met_is_none(farm: Farm) -> None:
    with Cluster(farm.address) as cluster:
        tally = last(Board.empty(NINE), planned(cluster, limit=100_000))
        assert (tally.solutions, tally.complete) == (100_000, False)
        for limit in (COUNTS["1c"] - 1, COUNTS["1c"], COUNTS["1c"] + 1):
            tally = last(board("1c"), planned(cluster, limit=limit))
            assert (tally.solutions, tally.complete) == (min(limit, COUNTS["1c"]), limit >= COUNTS["1c"])


IN_A_BATCH = """
import sys
from enumerator.command.main import main
from enumerator.run import cluster
from enumerator.run.pacing import BatchPacing

real, sent = cluster.Cluster.submit, []
cluster.Cluster.submit = lambda *arguments: sent.append(arguments) or real(*arguments)
status = main(
    batch_pacing=BatchPacing(worth_seconds=-1.0, first_boards=1, probe_boards=1, chunk_seconds=0.0001)
)
print(f"{len(sent)} sent", file=sys.stderr)
sys.exit(status)
"""


@pytest.mark.parametrize("form", ["--quiet", "--json"])
def test_a_batch_has_the_same_answers_in_the_same_order(farm: Farm, tmp_path: Path, form: str) -> None:
    rng = random.Random("a batch on a cluster")
    boards = [random_board(NINE, rng, 50) for _ in range(300)]
    (tmp_path / "boards.sdm").write_text("".join(f"{one}\n" for one in [*boards[:200], "nonsense", *boards[200:]]))
    arguments = [str(tmp_path / "boards.sdm"), form, *farm.has(2).options]
    done = subprocess.run(
        [sys.executable, "-c", IN_A_BATCH, *arguments],
        capture_output=True,
        text=True,
        timeout=40,
        check=False,
        cwd=tmp_path,
    )
    complaint, sent = done.stderr.splitlines()
    assert (done.returncode, "boards.sdm:201" in complaint) == (2, True)
    assert int(sent.split()[0]) > 5
    answers = [int(json.loads(line)["solutions"] if form == "--json" else line) for line in done.stdout.splitlines()]
    assert answers == [search.count(one) for one in boards]


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


# --------------------------------------------------------------------------------- workers that come and go


@pytest.mark.usefixtures("eager")
def test_a_worker_that_joins_late_gets_work_and_stays_when_the_count_is_left(farm: Farm, seen: set[int]) -> None:
    with Cluster(farm.address) as cluster, closing(tallies(Board.empty(NINE), planned(cluster))) as counting:
        assert wait_for(lambda: next(counting).complete or seen)
        late = farm.worker()
        assert wait_for(lambda: next(counting).complete or late in seen)
        assert wait_for(lambda: next(counting).cores == len(farm.workers))
    assert late in farm.workers


@pytest.mark.usefixtures("eager")
def test_workers_killed_again_and_again_cost_time_and_nothing_else(farm: Farm) -> None:
    kills, tally = 0, Tally()
    with Cluster(farm.has(2).address) as cluster:
        for tally in tallies(board("1e"), planned(cluster)):
            if kills < 3 and tally.share > 0.02 + 0.1 * kills:
                farm.kill(farm.workers[0])
                if len(farm.workers) < 2:
                    farm.worker()
                kills += 1
    assert kills == 3
    assert (tally.solutions, tally.complete) == (COUNTS["1e"], True)


def test_a_batch_does_not_mind_a_worker_that_is_killed(farm: Farm) -> None:
    with Cluster(farm.has(2).address) as cluster:
        results = []
        for result in cluster.mapping(2).map(doubled_slowly, ([number] for number in range(200))):
            results += result
            if len(results) == 100:
                farm.kill(farm.workers[0])
    assert results == [2 * number for number in range(200)]


@pytest.mark.usefixtures("eager")
def test_with_all_workers_gone_it_waits_and_says_so_until_there_is_one(farm: Farm, seen: set[int]) -> None:
    said: list[str] = []
    late, tally = 0, Tally()
    with Cluster(farm.address, said.append) as cluster:
        for tally in tallies(board("1d"), planned(cluster)):
            if not late and tally.share > 0.05:
                farm.kill(*farm.workers)
                late = farm.worker()
    assert (tally.solutions, tally.complete) == (COUNTS["1d"], True)
    assert said == ["the cluster has no workers: waiting for some"]
    assert late in seen


@pytest.mark.usefixtures("eager")
def test_work_that_ends_its_workers_ends_the_run_and_is_named(
    spare: Farm, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spare.worker("--nanny")  # which starts it again
    spare.has(1)
    deaths = tmp_path / "deaths"
    with Cluster(spare.address) as cluster:
        real = cluster.submit
        monkeypatch.setattr(cluster, "submit", lambda *_: real(die, str(deaths)))
        with pytest.raises(WorkerLostError, match="has ended its worker 3 times; it was a part of the tree") as caught:
            last(Board.empty(NINE), planned(cluster))
        culprit = Board.parse(str(caught.value).rpartition(" ")[2])
        assert 0 < culprit.empty_cells < 81
        assert 3 <= len(deaths.read_text()) <= 5
        with pytest.raises(BrokenExecutor, match="given up a task"):
            list(cluster.mapping(2).map(doubled, [[1]]))


# --------------------------------------------------------------------------------------- ends, of both sides


def test_a_scheduler_that_goes_while_nobody_works_is_missed(spare: Farm) -> None:
    said: list[str] = []
    with Cluster(spare.address, said.append) as cluster:
        counting = tallies(Board.empty(NINE), planned(cluster))
        assert wait_for(lambda: next(counting) and said == ["the cluster has no workers: waiting for some"])
        spare.kill(spare.scheduler)
        with pytest.raises(ClusterLostError, match="is gone"):
            for _ in counting:
                pass


def test_a_scheduler_that_goes_takes_the_count_with_it_and_the_ledger_is_whole(spare: Farm, tmp_path: Path) -> None:
    farm, ledger = spare.has(2), tmp_path / "run.db"
    count = [str(ROOT / "boards" / "2e.txt"), "--engine", "search", "--quiet", "--checkpoint", str(ledger)]
    with ending(tmp_path, *count, *farm.options) as process:
        assert wait_for(lambda: finished(ledger) > 20)
        farm.kill(farm.scheduler)
        stdout, stderr = process.communicate(timeout=20)
        assert process.returncode == 1
        assert stderr == f"enumerate: the scheduler at {farm.address} is gone; this count is not complete\n"
        before = finished(ledger)
        assert before > 20
        book, running = read_ledger(str(ledger), lambda _: False)
        assert (running, stdout) == (False, f"{book.totals.solutions}+\n")
        assert 0 < book.totals.solutions < COUNTS["2e"]
        assert wait_for(lambda: not session(process.pid), 2)  # what cleans up behind Python ends a moment later
    done = subprocess.run([COMMAND, *count], capture_output=True, text=True, timeout=40, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{COUNTS['2e']}\n", "")
    assert finished(ledger) > before


@pytest.mark.usefixtures("eager")
def test_a_scheduler_that_says_nothing_is_lost(farm: Farm, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clusters, "SILENT_SECONDS", 1.0)
    with Cluster(farm.address) as cluster:
        counting = tallies(Board.empty(NINE), planned(cluster))
        next(counting)
        os.kill(farm.scheduler, signal.SIGSTOP)
        try:
            with pytest.raises(ClusterLostError, match="has not answered for 1 s"):
                wait_for(lambda: next(counting).complete)
        finally:
            os.kill(farm.scheduler, signal.SIGCONT)
        with pytest.raises(ClusterLostError):
            cluster.submit(doubled, [1])


def test_ctrl_c_ends_the_command_and_not_the_cluster(farm: Farm, tmp_path: Path) -> None:
    before, ledger = farm.workers, tmp_path / "run.db"
    count = [str(ROOT / "boards" / "empty.txt"), "--engine", "search", "--quiet", "--checkpoint", str(ledger)]
    with ending(tmp_path, *count, *farm.options) as process:
        assert wait_for(lambda: finished(ledger) > 3)
        interrupted = monotonic()
        os.kill(process.pid, signal.SIGINT)
        stdout, stderr = process.communicate(timeout=20)
        assert monotonic() - interrupted < 3
        assert (process.returncode, stderr) == (130, "enumerate: interrupted: this count is not complete\n")
        assert stdout.endswith("+\n")
        assert wait_for(lambda: not session(process.pid), 2)  # what cleans up behind Python ends a moment later
    assert finished(ledger) > 3
    assert list(tmp_path.iterdir()) == [ledger]
    with Cluster(farm.address) as cluster:
        assert cluster.submit(doubled, [1, 2]).result(20) == [2, 4]
        assert cluster.cores() == len(before)
    assert farm.workers == before


def test_a_closed_cluster_takes_no_more_work(farm: Farm) -> None:
    cluster = Cluster(farm.address)
    waiting = cluster.submit(sleep, 2.0)
    cluster.close()
    cluster.close()
    with pytest.raises(ClusterLostError, match="the cluster was closed"):
        waiting.result(5)
    with pytest.raises(ClusterLostError, match="the cluster was closed"):
        cluster.submit(doubled, [1])


# -------------------------------------------------------------------------------------------- other versions


@pytest.fixture
def stranger(tmp_path: Path) -> Path:
    """Where a worker would find another version of this package."""
    folder = tmp_path / "other"
    (folder / "enumerator").mkdir(parents=True)
    (folder / "enumerator" / "__init__.py").write_text(f"__version__ = '{OTHER_VERSION}'\n")
    about = folder / f"enumerator-{OTHER_VERSION}.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: enumerator\nVersion: {OTHER_VERSION}\n")
    return folder


@pytest.mark.usefixtures("eager")
def test_a_worker_with_another_version_is_named_and_gets_no_work(farm: Farm, stranger: Path, seen: set[int]) -> None:
    """And a fit one that dies leaves it none: the count waits for another."""
    known = farm.workers
    unfit = farm.worker("--nthreads", "4", path=stranger)
    farm.has(len(known) + 1)
    said: list[str] = []
    try:
        with Cluster(farm.address, said.append) as cluster:
            assert cluster.cores() == len(known)
            tally = last(board("1c"), planned(cluster))
            assert (tally.solutions, tally.complete) == (COUNTS["1c"], True)
            assert seen == set(known)
            late = 0
            for tally in tallies(board("1d"), planned(cluster)):
                if not late and tally.share > 0.05:
                    farm.kill(*known)
                    late = farm.worker()
            assert (tally.solutions, tally.complete) == (COUNTS["1d"], True)
            assert seen == {*known, late}
        reason, *more = said
        assert reason.endswith(f": enumerator {OTHER_VERSION} there, {__version__} here; it gets no work")
        assert more == ["the cluster has no workers: waiting for some"]
        assert "Compute Failed" not in farm.log(unfit)
    finally:
        farm.kill(unfit)


def test_workers_that_all_have_another_version_are_the_end(spare: Farm, stranger: Path) -> None:
    spare.worker(path=stranger)
    spare.has(1)
    with pytest.raises(VersionError, match=f": enumerator {OTHER_VERSION} there, {__version__} here$"):
        Cluster(spare.address)


# ------------------------------------------------------------------------------------------------- no cluster


@pytest.mark.parametrize(
    "address", ["", "127.0.0.1", "tcp://127.0.0.1", "tcp://:8786", "http://127.0.0.1:8786", "tcp://a b:1", "tcp://a:b"]
)
def test_what_is_no_address_is_not_waited_for(address: str) -> None:
    with pytest.raises(ValueError, match="is no address of a scheduler: one looks like tcp://"):
        Cluster(address)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--scheduler", "tcp://127.0.0.1:1"], "--scheduler goes with --backend dask"),
        (["--scheduler", "tcp://127.0.0.1:1", "--backend", "threads"], "--scheduler goes with --backend dask"),
        (["--backend", "dask", "--list"], "--backend dask does not go with --list: it is for counts"),
        (["--backend", "dask", "--classify"], "--backend dask does not go with --classify"),
        (["--backend", "dask", "--estimate"], "--backend dask does not go with --estimate"),
        (["--backend", "dask", "--scheduler", "nowhere"], "--scheduler: 'nowhere' is no address of a scheduler"),
    ],
)
def test_options_that_do_not_go_together(
    command: Callable[..., subprocess.CompletedProcess[str]], arguments: list[str], message: str
) -> None:
    assert_mistake(command("-", *arguments, stdin=PUZZLE), message)


HURRIED = """
import sys
from enumerator.command.main import main
from enumerator.run import cluster

cluster.CONNECT_SECONDS = 0.5
sys.exit(main())
"""
WITHOUT_DASK = """
import sys
from enumerator.command.main import main

sys.modules["distributed"] = None
sys.exit(main())
"""


def test_the_command_ends_where_there_is_no_scheduler_and_says_what_is_missing_where_there_is_no_dask() -> None:
    run = partial(subprocess.run, input=PUZZLE, capture_output=True, text=True, timeout=40, check=False, cwd="/")
    arguments = ["-", "--quiet", "--backend", "dask", "--scheduler", "tcp://127.0.0.1:1"]
    done = run([sys.executable, "-c", HURRIED, *arguments])
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "enumerate: nobody answers at tcp://127.0.0.1:1\n"
    assert_mistake(run([sys.executable, "-c", WITHOUT_DASK, *arguments]), "pip install distributed")
    done = run([sys.executable, "-c", WITHOUT_DASK, "-", "--quiet"])
    assert (done.returncode, done.stdout, done.stderr) == (0, "1\n", "")


# ------------------------------------------------------------------------------------------- on this machine


def test_without_an_address_there_is_a_cluster_here_and_nothing_of_it_afterwards(tmp_path: Path) -> None:
    arguments = [str(ROOT / "boards" / "2d.txt"), "--engine", "search", "--json", "--backend", "dask", "--cores", "2"]
    with ending(tmp_path, *arguments) as process:
        stdout, stderr = process.communicate(timeout=50)
        assert wait_for(lambda: not session(process.pid), 2)  # what cleans up behind Python ends a moment later
    assert (process.returncode, stderr) == (0, "")
    report = json.loads(stdout)
    assert (int(report["solutions"]), report["complete"], report["cores"]) == (COUNTS["2d"], True, 2)
    assert report["tasks"] > 0
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_a_cluster_here_ends_with_the_command_however_that_ends(tmp_path: Path, number: int) -> None:
    ledger = tmp_path / "run.db"
    arguments = [str(ROOT / "boards" / "empty.txt"), "--engine", "search", "--quiet", "--checkpoint", str(ledger)]
    with ending(tmp_path, *arguments, "--backend", "dask", "--cores", "1") as process:
        assert wait_for(lambda: finished(ledger) > 1)
        os.kill(process.pid, number)
        _, stderr = process.communicate(timeout=20)
        if number == signal.SIGINT:
            assert (process.returncode, stderr) == (130, "enumerate: interrupted: this count is not complete\n")
            assert list(tmp_path.iterdir()) == [ledger]
