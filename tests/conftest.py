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
from helpers import COMMAND, ROOT, children, wait_for

from enumerator.command.main import main
from enumerator.run import executors
from enumerator.run.pacing import BatchPacing, Pacing

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
    executors.shut_down_pools()
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

    def run(
        *arguments: str, pacing: Pacing | None = None, batch_pacing: BatchPacing | None = None
    ) -> subprocess.CompletedProcess[str]:
        capsys.readouterr()
        try:
            status = main([*arguments], pacing, batch_pacing)
        finally:
            for number, handler in heard.items():
                signal.signal(number, handler)
        said = capsys.readouterr()
        return subprocess.CompletedProcess(arguments, status, said.out, said.err)

    return run
