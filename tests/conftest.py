"""Fixtures that several test modules use."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path

import pytest
from hypothesis import settings
from support.surroundings import arrange, end_as_by_interrupt, is_owner, run_folder

HINDRANCE = arrange()  # before the modules below look at it

# ruff: noqa: E402
from support.boards import NINE, ROOT, board

sys.path.append(str(ROOT))  # for `bench`, behind what is installed

from support.clusters import Farm, is_dasks
from support.in_process import run_main
from support.ledgers import ledger_of, plan, said_of
from support.leftovers import Watch, kept, note_process
from support.processes import COMMAND, Run, children, run, wait_for

from enumerator.engines import DIVIDED, search
from enumerator.engines.contraction.problem import Problem
from enumerator.engines.search import kernel
from enumerator.engines.shares import exact_shares
from enumerator.engines.walks.worker import walk_parts
from enumerator.run.ledger import facts, ledger
from enumerator.run.pacing import DEFAULT_PACING, Pacing
from enumerator.run.workers.executors import shut_down_pools, usable_cores
from enumerator.run.workers.pools import ClusterPool

settings.register_profile("always the same", derandomize=True, database=None)
settings.load_profile("always the same")

pytest_plugins = ["support.browsing"]


WATCH = pytest.StashKey[Watch]()
"""What was there before the run."""

LEFT = pytest.StashKey[list[str]]()
"""What the run has left behind, a line for each."""


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> None:
    """Distribute the tests over all cores where pytest-xdist is there and nothing else was asked for."""
    if config.pluginmanager.hasplugin("xdist") and not hasattr(config, "workerinput"):
        if config.option.numprocesses is None and not config.option.tx:
            config.option.numprocesses = "auto"
        if config.option.numprocesses and config.option.dist == "no":
            config.option.dist = "worksteal"


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Let the collector of garbage rest meanwhile, and later pass over what is there then: thousands of tests."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the longest tests first: at the end, the other workers would wait for them."""
    items.sort(key=lambda item: item.get_closest_marker("long") is None)


def pytest_sessionstart(session: pytest.Session) -> None:
    """Start the keeper of this run."""
    note_process(os.getpid())
    if is_owner():
        end_as_by_interrupt()
        stack = ExitStack()
        session.config.stash[WATCH] = stack.enter_context(kept(run_folder()))
        session.config.add_cleanup(stack.close)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Look for what the run has left behind; that is a failure."""
    shut_down_pools()
    if watch := session.config.stash.get(WATCH, None):
        session.config.stash[LEFT] = left = watch.look()
        if left and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print what the surroundings did not allow, and what the run has left behind."""
    if HINDRANCE:
        terminalreporter.line(f"Tests may fail here: {HINDRANCE}.", yellow=True)
    if left := terminalreporter.config.stash.get(LEFT, []):
        terminalreporter.section("left behind by the tests, and ended or removed now", red=True)
        for line in left:
            terminalreporter.line(line)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int | None:
    """Return one worker more than there are cores: tests also wait, for processes, clocks and the browser."""
    return None if "PYTEST_XDIST_AUTO_NUM_WORKERS" in os.environ else usable_cores() + 1


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of published boards, oracles and puzzles beside the repository."""
    folder = ROOT.parent / "shared"
    if not folder.is_dir():
        pytest.skip("no shared/ beside the repository")
    return folder


@pytest.fixture
def command(tmp_path: Path) -> Run:
    """Run `enumerate` as a process in a folder of its own."""
    return lambda *arguments, stdin="": run([COMMAND, *arguments], stdin=stdin, cwd=tmp_path)


@pytest.fixture
def census() -> Iterator[None]:
    """Assert that a test leaves no child process behind."""
    before = set(children(os.getpid()))
    yield
    shut_down_pools()
    assert wait_for(lambda: set(children(os.getpid())) <= before), children(os.getpid())


@pytest.fixture
def no_thread_is_left() -> Iterator[None]:
    """Assert that a test leaves no thread behind."""
    before = set(threading.enumerate())
    yield
    assert wait_for(lambda: set(threading.enumerate()) <= before), threading.enumerate()


@pytest.fixture
def ask(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run `enumerate` in a folder of its own and in this process, where a test can patch it.

    A test module may set another pacing for its commands, as its constant `PACING`.
    """
    usual: Pacing = getattr(request.module, "PACING", DEFAULT_PACING)
    monkeypatch.chdir(tmp_path)
    return partial(run_main, pacing=usual)


@pytest.fixture
def ask_bench(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run `python -m bench` in the repository's folder and in this process, which has loaded most of it."""
    monkeypatch.chdir(ROOT)

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        from bench.__main__ import main

        monkeypatch.setattr(sys, "argv", ["python -m bench", *arguments])
        capsys.readouterr()
        try:
            status = main()
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else 1
        said = capsys.readouterr()
        return subprocess.CompletedProcess(arguments, status, said.out, said.err)

    return run


@pytest.fixture(scope="module")
def half_a_count(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The ledger of an unfinished walk: always the same bytes."""
    one, path = board("1b"), tmp_path_factory.mktemp("half") / "ledger"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ledger, "perf_counter", lambda: 0.0)
        patch.setattr(facts, "strftime", lambda _: "once upon a time")
        with ledger_of(one, plan(), path) as written:
            tree = search.ENGINE.tree(NINE)
            stock = [written.begin(tree, one.cells)]
            for turn in range(60):
                part = stock.pop(0)
                (done,) = walk_parts(kernel.start, 3, 3, [part.load], 100).parts
                left = [tree.part(load, share) for load, share in exact_shares(part.share, done.rest)]
                if turn in (2, 5, 8):
                    done, left = DIVIDED, tree.branch(part)
                stock += written.close_part(part, done._replace(seconds=0.25), left)
            written.commit()
    assert said_of(path).totals.open == len(stock) > 10
    return path.read_bytes()


@pytest.fixture
def wrong_sum(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the contraction find one solution too many."""
    real = Problem.run

    def run(self: Problem, first: int, last: int, products: float) -> tuple[int, int, float]:
        solutions, item, spent = real(self, first, last, products)
        return solutions + (first == 0), item, spent

    monkeypatch.setattr(Problem, "run", run)


@pytest.fixture(scope="module")
def shared_farm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Farm]:
    with closing(Farm(tmp_path_factory.mktemp("farm") / "it")) as farm:
        yield farm


@pytest.fixture
def farm(shared_farm: Farm) -> Farm:
    """Return a scheduler with at least one worker, which tests share."""
    return shared_farm.has(1)


@pytest.fixture(scope="module")
def spare_farms() -> Iterator[list[Farm]]:
    farms: list[Farm] = []
    yield farms
    for farm in farms:
        farm.close()


@pytest.fixture
def spare(spare_farms: list[Farm], tmp_path: Path) -> Farm:
    """Return a scheduler without workers, which a test may destroy. It gives up a task after one death."""
    if not spare_farms or not spare_farms[-1].is_up:
        spare_farms.append(Farm(tmp_path / "spare", DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES="0"))
    spare_farms[-1].kill(*spare_farms[-1].workers)
    return spare_farms[-1].has(0)


@pytest.fixture
def only_threads_of_dask_are_left() -> Iterator[None]:
    """Check after each test that this process has no new threads, except those that Dask keeps."""
    before = set(threading.enumerate())
    yield
    assert wait_for(lambda: all(map(is_dasks, set(threading.enumerate()) - before))), threading.enumerate()


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> set[int]:
    """Return the set of processes that have done a task; it grows."""
    pids: set[int] = set()
    monkeypatch.setattr(ClusterPool, "welcome", lambda _pool, pid: pids.add(pid))
    return pids
