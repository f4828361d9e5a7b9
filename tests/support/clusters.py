"""Helpers for tests of clusters: a scheduler and workers as processes, plans, and known counts."""

from __future__ import annotations

import os
import re
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from support.boards import ROOT
from support.processes import Command, session, started, wait_for
from support.runs import EAGER

from enumerator.run.ledger import LedgerError, read_ledger
from enumerator.run.plan import Plan

if TYPE_CHECKING:
    from enumerator.run.workers.cluster import Cluster

COUNTS = {"1c": 134_037, "1d": 1_035_153, "1e": 2_663_219, "2d": 1_255_242, "2e": 7_305_949}
"""The counts of both kernels, see boards/README.md."""
QUIET = {"DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "False", "DASK_DISTRIBUTED__ADMIN__TICK__INTERVAL": "200ms"}
"""Settings of Dask without what takes processor time while nothing is asked."""
WAITING = "the cluster has no workers: waiting for some"


class Farm:
    """A scheduler and workers, as processes on this machine. All their files are in one folder."""

    def __init__(self, folder: Path, **environment: str) -> None:
        folder.mkdir(parents=True)
        self.folder = folder
        self.processes: dict[int, Command] = {}
        self._logs: dict[int, Path] = {}
        bare = folder / "bare"  # a scheduler need not know of us
        (bare / "enumerator").mkdir(parents=True)
        (bare / "enumerator" / "__init__.py").write_text("raise ImportError('not here')\n")
        more = ["--host", "127.0.0.1", "--port", "0", "--no-dashboard"]
        self.scheduler = self._launch("scheduler", *more, PYTHONPATH=str(bare), **environment)

    @property
    def address(self) -> str:
        """The address of the scheduler, once it has one."""
        found = re.search(r"Scheduler at: +(\S+)\n", self.log(self.scheduler))
        return found[1] if found else ""

    def _launch(self, kind: str, *arguments: str, **environment: str) -> int:
        path = self.folder / f"{kind}-{len(self.processes)}.log"
        with open(path, "wb") as log:
            process = Command(
                [sys.executable, "-m", f"distributed.cli.dask_{kind}", *arguments],
                stdout=log,
                stderr=log,
                env={**os.environ, **QUIET, "DASK_TEMPORARY_DIRECTORY": str(self.folder), **environment},
                cwd=self.folder,
            )
        self.processes[process.pid], self._logs[process.pid] = process, path
        return process.pid

    def worker(self, *more: str, path: Path = ROOT / "tests") -> int:
        """Start a worker, and return its process. It comes up a moment later."""
        usual = ["--no-dashboard", "--no-nanny", "--nthreads", "1"]
        return self._launch("worker", self.address, *usual, *more, PYTHONPATH=str(path))

    def has(self, number: int) -> Farm:
        """Start workers until there are `number`, and wait until all are registered."""
        assert wait_for(lambda: self.address), self.log(self.scheduler)
        for _ in range(number - len(self.workers)):
            self.worker()
        for pid in self.workers:
            assert wait_for(lambda pid=pid: "Registered to" in self.log(pid)), self.log(pid)  # type: ignore[misc]
        return self

    @contextmanager
    def keeping(self, number: int) -> Iterator[None]:
        """Start a worker for each one that ends, during a block."""
        is_over = threading.Event()

        def keep() -> None:
            while not is_over.wait(0.05):
                self.has(number)

        keeper = threading.Thread(target=keep, name="keeper of workers")
        keeper.start()
        try:
            yield
        finally:
            is_over.set()
            keeper.join()

    @property
    def is_up(self) -> bool:
        return self.processes[self.scheduler].poll() is None

    @property
    def workers(self) -> list[int]:
        return [pid for pid, process in self.processes.items() if pid != self.scheduler and process.poll() is None]

    def log(self, pid: int) -> str:
        """Return the output of a process."""
        return self._logs[pid].read_text()

    def kill(self, *pids: int) -> None:
        for pid in pids:
            if self.processes[pid].poll() is None:
                self.processes[pid].end()
                self.processes[pid].wait()

    def close(self) -> None:
        """Kill all processes, and check that none is left."""
        alive = [pid for pid, process in self.processes.items() if process.poll() is None]
        self.kill(*alive)
        assert wait_for(lambda: not any(map(session, alive)))

    @property
    def options(self) -> list[str]:
        return ["--backend", "dask", "--scheduler", self.address]


def planned(cluster: Cluster, engine: str = "search", **more: Any) -> Plan:
    return Plan(engine=engine, cluster=cluster, usable=cluster.cores, **more)


eagerly_on = partial(planned, pacing=EAGER)


def is_dasks(thread: threading.Thread) -> bool:
    """Tell if a thread is one of those that Dask keeps in each process."""
    return thread.name.startswith(("Dask-", "Profile", "IO loop", "asyncio_"))


@contextmanager
def ending(folder: Path, *arguments: str) -> Iterator[Command]:
    """Run the command with its temporary files in `folder`. Check at the end that no process is left."""
    with started(*arguments, env={**os.environ, "TMPDIR": str(folder)}) as process:
        yield process
        assert process.poll() is not None
        assert wait_for(lambda: not session(process.pid))


def finished_tasks(ledger: Path) -> int:
    """Return the number of finished tasks in a ledger, which must be whole."""
    try:
        contents, _ = read_ledger(str(ledger), lambda _: False)
    except LedgerError:
        assert not ledger.exists() or not ledger.stat().st_size or Path(f"{ledger}-journal").exists()
        return 0
    return contents.totals.finished
