"""Runs that are killed again and again, resumed, and compared.

An episode is one question with a ledger: a count by one of the engines, or a list to a file. Its
command is started, and after a moment it is struck; then it is started again, until it has its
answer. Strikes:

    parent      kill -9 of the command
    group       kill -9 of the command and its workers at once, as when the machine goes down
    worker      kill -9 of a worker, here or in the cluster, which gets another; the command goes on
    end         SIGTERM
    full        the disk of the ledger is full: a small tmpfs, where root can mount one
    scheduler   kill -9 of the cluster's scheduler, which is started again with its workers

After each strike the ledger must be intact, and every task that was finished before must be in it,
unchanged: it was not run again. At the end, the count must be the one that another engine or
another way has found, the tasks of the ledger must add up to it, and a list must equal, byte for
byte, the one of an undisturbed run.

An episode is recorded when it ends, in a CSV file.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic, perf_counter, strftime

from bench import RESULTS, ROOT
from bench.common.boards import FEW_CLUES
from bench.common.cluster import LocalCluster
from bench.common.commands import enumerate_command
from enumerator import Board, __version__, count
from enumerator.board.files import read
from enumerator.questions.verify import verify
from enumerator.run.ledger.contents import LedgerRow, read_ledger
from enumerator.run.plan import Plan

COLUMNS = ["episode", "board", "question", "engine", "backend", "runs", "strikes", "kills", "tasks", "solutions"]
COLUMNS += ["exact", "seconds"]

EXPECTED = {
    "parent": [-signal.SIGKILL],
    "group": [-signal.SIGKILL],
    "worker": [],
    "end": [130, -signal.SIGTERM],  # the latter before the command has installed its handler
    "full": [1],
    "scheduler": [1],
}
"""The statuses with which a struck command may end, besides 0."""

KILLS = ("parent", "group", "worker", "scheduler")
"""The strikes that are a kill -9."""

TIMEOUT_SECONDS = 300.0
"""A command that takes longer is taken to hang."""

DISK_BYTES = 8_000_000
"""The size of the small disk."""


@dataclass
class Subject:
    """A question with its answer."""

    name: str
    board: Board
    engine: str
    question: str = "count"
    solutions: int = 0
    digest: str = ""
    seconds: float = 0.0
    """The time of an undisturbed run."""

    def arguments(self, folder: Path) -> list[str]:
        more = ["--list", "--output", str(folder / "solutions.txt")] if self.question == "list" else ["--quiet"]
        return [str(folder / "board.txt"), "--engine", self.engine, *more]


@dataclass
class Episode:
    """One question, asked until it is answered."""

    subject: Subject
    folder: Path
    small_disk: Path | None
    """The folder of the ledger, if that is a small disk."""
    cluster: LocalCluster | None
    strikes: Counter[str] = field(default_factory=Counter)
    runs: int = 0
    finished: dict[int, LedgerRow] = field(default_factory=dict)
    """The tasks that were finished when the ledger was last read."""

    @property
    def ledger(self) -> Path:
        return (self.small_disk or self.folder) / "run.db"

    @property
    def total(self) -> int:
        return sum(row.solutions or 0 for row in self.finished.values())

    def play(self, rng: random.Random) -> None:
        """Start and strike the command until it has its answer; assert that it is right."""
        self.folder.mkdir()
        (self.folder / "board.txt").write_text(f"{self.subject.board}\n")
        status = None
        while status != 0:
            status, output = self._run_once(rng)
        if self.subject.question == "list":
            assert file_digest(self.folder / "solutions.txt") == self.subject.digest, "not the same list"
        else:
            assert int(output) == self.subject.solutions, f"{output} solutions instead of {self.subject.solutions}"
        self.ledger.unlink()
        left = [path.name for path in self.folder.iterdir()]
        assert set(left) <= {"board.txt", "solutions.txt"}, left
        shutil.rmtree(self.folder)

    def _run_once(self, rng: random.Random) -> tuple[int, str]:
        """Start the command and strike it after a random time; return its status and output."""
        process, kind = self._start(), rng.choice(self._kinds())
        try:
            with suppress(subprocess.TimeoutExpired):
                process.wait(rng.uniform(0.0, 0.4 + self.subject.seconds / 5) + (1.0 if self.cluster else 0.0))
            if process.poll() is None:
                kind = self._strike(kind, process, rng)
            output, errors = process.communicate(timeout=TIMEOUT_SECONDS)
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            if self.small_disk:
                (self.small_disk / "ballast").unlink(missing_ok=True)
        assert "Traceback" not in errors, errors
        self._check_ledger()
        status = process.returncode
        assert status in (0, *EXPECTED[kind]), f"{kind}: status {status}: {errors}"
        return status, output

    def _kinds(self) -> list[str]:
        """Return the strikes to choose from, each as often as its weight."""
        kinds = [*3 * ["parent", "group", "worker"], "end"]
        kinds += ["full"] * 3 if self.small_disk else []
        kinds += ["scheduler"] if self.cluster else []
        return kinds

    def _start(self) -> subprocess.Popen[str]:
        self.runs += 1
        command = [enumerate_command(), *self.subject.arguments(self.folder), "--checkpoint", str(self.ledger)]
        if self.cluster:
            command += ["--backend", "dask", "--scheduler", self.cluster.address]
        return subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            cwd=self.folder,
        )

    def _strike(self, kind: str, process: subprocess.Popen[str], rng: random.Random) -> str:
        """Strike the command; return the kind of strike.

        A command without workers is killed instead of one of them.
        """
        if kind == "parent":
            process.kill()
        elif kind == "group":
            os.killpg(process.pid, signal.SIGKILL)
        elif kind == "end":
            process.terminate()
        elif kind == "full" and self.small_disk:
            fill_disk(self.small_disk)
        elif kind == "scheduler" and self.cluster:
            self.cluster.restart()
        elif self.cluster:
            self.cluster.replace_worker(rng)
        elif workers := worker_processes(process.pid):
            with suppress(ProcessLookupError):
                os.kill(rng.choice(workers), signal.SIGKILL)
        else:
            kind = "parent"
            process.kill()
        self.strikes[kind] += 1
        return kind

    def _check_ledger(self) -> None:
        """Raise AssertionError unless the ledger is intact and finished tasks are unchanged."""
        if not self.ledger.exists() or not self.ledger.stat().st_size:
            assert not self.finished, "the ledger is gone"
            return
        contents, _ = read_ledger(str(self.ledger), lambda row: not row.is_open)
        now = {row.id: row for row in contents.rows}
        for number, row in self.finished.items():
            assert now.get(number) == row, f"task {number} was {row}, and is {now.get(number)}"
        self.finished = now


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--seconds", type=float, default=60.0, help="default: %(default)s")
    parser.add_argument("--kills", type=int, default=0, help="go on until this many kill -9, if that takes longer")
    parser.add_argument("--seed", type=int, default=1, help="of all that is random (default: %(default)s)")
    parser.add_argument("--dask", action="store_true", help="also on a Dask cluster of two workers")
    parser.add_argument("--only", default="", help="subjects with this in their names")
    parser.add_argument("--record", type=Path, default=RESULTS / "soak.csv", help="default: results/soak.csv")


def run(options: argparse.Namespace) -> int:
    rng = random.Random(options.seed)
    strikes: Counter[str] = Counter()
    number, wrong = 0, 0
    with ExitStack() as cleanup, open(options.record, "w", newline="") as file:
        folder = Path(cleanup.enter_context(tempfile.TemporaryDirectory(prefix="soak-")))
        small = cleanup.enter_context(small_disk(folder / "small"))
        cluster = cleanup.enter_context(LocalCluster()) if options.dask else None
        subjects = [subject for subject in all_subjects() if options.only in subject.name]
        for subject in subjects:
            find_answer(subject, folder)
            print(f"{subject.name:<28}{subject.solutions:>28,} solutions{subject.seconds:>8.2f} s", flush=True)
        file.write(record_head())
        record = csv.writer(file)
        record.writerow(COLUMNS)
        started = monotonic()
        while monotonic() - started < options.seconds or kills(strikes) < options.kills:
            subject = subjects[number % len(subjects)]
            use = cluster if cluster and subject.question == "count" and rng.random() < 0.4 else None
            number += 1
            begun = perf_counter()
            on_small = small if small and rng.random() < 0.3 else None
            episode = Episode(subject, folder / f"{number}", on_small, use)
            episode.play(rng)
            strikes += episode.strikes
            wrong += episode.total != subject.solutions
            row, seconds = record_row(number, episode), f"{perf_counter() - begun:.1f}"
            record.writerow([*row, seconds])
            file.flush()
            print(*row, f"{seconds} s", flush=True)
    summary = ", ".join(f"{kind} {times}" for kind, times in sorted(strikes.items()))
    print(f"{number} episodes, {kills(strikes)} kill -9 ({summary}): {wrong} wrong")
    return 1 if wrong else 0


def record_head() -> str:
    machine = f"Python {sys.version.split()[0]}, {os.cpu_count()} cores, {strftime('%Y-%m-%d %H:%M')}"
    return f"# enumerator {__version__}, {machine}\n# python -m bench soak {' '.join(sys.argv[2:])}\n"


def record_row(number: int, episode: Episode) -> list[object]:
    """Return the columns of an episode, but for its seconds."""
    subject, backend = episode.subject, "dask" if episode.cluster else "loky"
    strikes = " ".join(f"{kind}:{times}" for kind, times in sorted(episode.strikes.items()))
    row = [number, subject.name, subject.question, subject.engine, backend, episode.runs, strikes]
    exact = episode.total == subject.solutions
    return [*row, kills(episode.strikes), len(episode.finished), episode.total, exact]


def kills(strikes: Counter[str]) -> int:
    """Return how many of these strikes were a kill -9."""
    return sum(times for kind, times in strikes.items() if kind in KILLS)


def all_subjects() -> list[Subject]:
    ours = {name: read(ROOT / "boards" / f"{name}.txt") for name in ("1e", "1f", "2e", "16x16-many")}
    few = {name: Board.parse(text) for name, text in FEW_CLUES.items()}
    return [
        *(Subject(f"{name} search", board, "search") for name, board in ours.items()),
        *(Subject(f"{name} contraction", board, "contraction") for name, board in few.items()),
        Subject("2e list", ours["2e"], "contraction", "list"),
        Subject("1e list", ours["1e"], "search", "list"),
    ]


def find_answer(subject: Subject, folder: Path) -> None:
    """Find the answer in another way, and the time of an undisturbed command."""
    (folder / "board.txt").write_text(f"{subject.board}\n")
    command = [enumerate_command(), *subject.arguments(folder)]
    started = perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, timeout=TIMEOUT_SECONDS)
    subject.seconds = perf_counter() - started
    if subject.question == "list":
        subject.digest = file_digest(folder / "solutions.txt")
        os.unlink(folder / "solutions.txt")
    if subject.engine == "search":
        subject.solutions = verify(subject.board, "search", 0, Plan()).solutions
    else:
        solutions = count(subject.board, engine="contraction")
        subject.solutions = verify(subject.board, "contraction", solutions, Plan()).solutions


def file_digest(path: Path) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def worker_processes(pid: int) -> list[int]:
    """Return the worker processes of a command."""
    found = []
    with suppress(OSError):
        for child in map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split()):
            with suppress(OSError):
                if b"popen_loky" in Path(f"/proc/{child}/cmdline").read_bytes():
                    found.append(child)
    return found


@contextmanager
def small_disk(folder: Path) -> Iterator[Path | None]:
    """Mount a small disk on a folder; None where that is not possible."""
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={DISK_BYTES}", "tmpfs", str(folder)]
    if os.geteuid() or not shutil.which("mount") or subprocess.run(command, check=False).returncode:
        yield None
        return
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=False)


def fill_disk(folder: Path) -> None:
    """Write a file `ballast` until the disk is full."""
    with suppress(OSError), open(folder / "ballast", "wb") as file:
        while True:
            file.write(bytes(100_000))
            file.flush()
