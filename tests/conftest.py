"""What several tests are given."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from enumerator.command.main import main
from helpers import COMMAND, ROOT, children, wait_for
from ledgers import NINE, board, ledger_of, plan, said_of

from enumerator.engines import DIVIDED
from enumerator.engines.search.tree import Tree
from enumerator.engines.search.worker import walk_parts
from enumerator.run.executors import shut_down_pools
from enumerator.run.ledger import ledger
from enumerator.run.pacing import DEFAULT_PACING, Pacing

sys.path.append(str(ROOT))  # for `bench`, behind what is installed

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="session")
def shared() -> Path:
    """The published boards, oracles and puzzles, beside the repository."""
    folder = ROOT.parent / "shared"
    if not folder.is_dir():
        pytest.skip("no shared/ beside the repository")
    return folder


@pytest.fixture
def command(tmp_path: Path) -> Run:
    """Runs `enumerate` in a folder of its own."""

    def run(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [COMMAND, *arguments], input=stdin, capture_output=True, text=True, timeout=60, cwd=tmp_path, check=False
        )

    return run


@pytest.fixture
def census() -> Iterator[None]:
    """After the test, this process must have no child but those it had before."""
    before = set(children(os.getpid()))
    yield
    shut_down_pools()
    assert wait_for(lambda: set(children(os.getpid())) <= before, 5), children(os.getpid())


@pytest.fixture
def no_thread_is_left() -> Iterator[None]:
    """After the test, this process must have no thread but those it had before."""
    before = set(threading.enumerate())
    yield
    assert wait_for(lambda: set(threading.enumerate()) <= before, 2), threading.enumerate()


@pytest.fixture
def ask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs `enumerate` in a folder of its own and in this process, where it can be tampered with."""
    heard = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str, pacing: Pacing = DEFAULT_PACING) -> subprocess.CompletedProcess[str]:
        capsys.readouterr()
        try:
            status = main([*arguments], pacing=pacing)
        finally:
            for number, handler in heard.items():
                signal.signal(number, handler)
        said = capsys.readouterr()
        return subprocess.CompletedProcess(arguments, status, said.out, said.err)

    return run


@pytest.fixture(scope="module")
def half_a_count(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A ledger of a walk, as it was left: always the same bytes."""
    one, path = board("1b"), tmp_path_factory.mktemp("half") / "ledger"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ledger, "perf_counter", lambda: 0.0)
        patch.setattr(ledger, "strftime", lambda _: "once upon a time")
        with ledger_of(one, plan(), path) as written:
            tree = Tree(NINE)
            stock = [written.begin(tree, one.cells)]
            for turn in range(60):
                part = stock.pop(0)
                (done,) = walk_parts(3, 3, [part.load], 100).parts
                left = [tree.part(load, part.share * share) for load, share in done.rest]
                if turn in (2, 5, 8):
                    done, left = DIVIDED, tree.branch(part)
                stock += written.settle(part, done._replace(seconds=0.25), left)
            written.commit()
    assert said_of(path).totals.open == len(stock) > 10
    return path.read_bytes()
