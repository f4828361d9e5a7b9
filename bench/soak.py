"""Runs that are killed again and again, gone on with, and compared.

An episode is one question with a ledger: a count by one of the engines, or a list to a file. Its command is started,
and after a moment something happens to it; then it is started again, until it has its answer. What can happen:

    parent      kill -9 of the command
    group       kill -9 of the command and its workers at once, as when the machine goes down
    worker      kill -9 of one of its workers, here or in the cluster, which gets another one: the command must not mind
    end         SIGTERM
    full        no room on the disk of the ledger (a small tmpfs, where one can be mounted: that takes root)
    scheduler   kill -9 of the cluster's scheduler, which is started again with its workers

After each of these the ledger must be whole, and every task that was finished before must be there, unchanged: it was
not run again. At the end, the count must be the one that another engine or another way has found, the tasks of the
ledger must add up to it, and a list must be, byte for byte, the one that was written without any of this.

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

from bench import ROOT, enumerate_command
from bench.cluster import Cluster
from enumerator import Board, __version__, count
from enumerator.board.files import read
from enumerator.questions.verify import again
from enumerator.run import Plan
from enumerator.run.ledger.contents import Row
from enumerator.run.ledger.contents import read as read_ledger

FEW_CLUES = {  # the first is the hardest board known to the contraction; the others have their clues in other places
    "7 clues": ".5..................6.7............2............1...........8...................3",
    "8 clues": "1.......2...3..............4.......5.........6..............7..........8.........",
    "9 clues": ".2...............7......4....3.......8...........1.....6.........5..........9....",
}
RECORD = ROOT / "results" / "soak.csv"
COLUMNS = ["episode", "board", "question", "engine", "backend", "runs", "strikes", "kills", "tasks", "solutions"]
COLUMNS += ["exact", "seconds"]

EXPECTED = {
    "parent": [-signal.SIGKILL],
    "group": [-signal.SIGKILL],
    "worker": [],
    "end": [130, -signal.SIGTERM],  # the latter, before there is anybody to hear it
    "full": [1],
    "scheduler": [1],
}
"""The status with which a command may end, if not with an answer."""

PATIENCE = 300.0
"""Seconds after which a command hangs."""
ROOM = 8_000_000
"""Bytes of the small disk."""


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
    """What it takes without interruption."""

    def arguments(self, folder: Path) -> list[str]:
        more = ["--list", "--output", str(folder / "solutions.txt")] if self.question == "list" else ["--quiet"]
        return [str(folder / "board.txt"), "--engine", self.engine, *more]


@dataclass
class Episode:
    """One question, asked until it is answered."""

    subject: Subject
    folder: Path
    ledger: Path
    backend: list[str] = field(default_factory=list)
    strikes: Counter[str] = field(default_factory=Counter)
    runs: int = 0
    finished: dict[int, Row] = field(default_factory=dict)
    """The tasks that were known to be finished."""

    def start(self) -> subprocess.Popen[str]:
        self.runs += 1
        command = [enumerate_command(), *self.subject.arguments(self.folder), "--checkpoint", str(self.ledger)]
        return subprocess.Popen(
            [*command, *self.backend],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            cwd=self.folder,
        )

    def inspect(self) -> None:
        """Look through the ledger: it must be whole, and what was finished must still be."""
        if not self.ledger.exists() or not self.ledger.stat().st_size:
            assert not self.finished, "the ledger is gone"
            return
        book, _ = read_ledger(str(self.ledger), lambda row: not row.is_open)
        now = {row.id: row for row in book.rows}
        for number, row in self.finished.items():
            assert now.get(number) == row, f"task {number} was {row}, and is {now.get(number)}"
        self.finished = now

    @property
    def total(self) -> int:
        return sum(row.solutions or 0 for row in self.finished.values())


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--seconds", type=float, default=60.0, help="how long (default: %(default)s)")
    parser.add_argument("--kills", type=int, default=0, help="go on until so many kill -9, if that takes longer")
    parser.add_argument("--seed", type=int, default=1, help="of all that is random (default: %(default)s)")
    parser.add_argument("--dask", action="store_true", help="on a Dask cluster of two workers, too")
    parser.add_argument("--only", default="", help="subjects with this in their names")
    parser.add_argument("--record", type=Path, default=RECORD, help="where to write (default: results/soak.csv)")


def run(options: argparse.Namespace) -> int:
    rng = random.Random(options.seed)
    with ExitStack() as held, open(options.record, "w", newline="") as file:
        folder = Path(held.enter_context(tempfile.TemporaryDirectory(prefix="soak-")))
        small = held.enter_context(small_disk(folder / "small"))
        cluster = held.enter_context(Cluster()) if options.dask else None
        subjects = [subject for subject in all_subjects() if options.only in subject.name]
        for subject in subjects:
            answer(subject, folder)
            print(f"{subject.name:<28}{subject.solutions:>28,} solutions{subject.seconds:>8.2f} s", flush=True)
        started_at, cpu = strftime("%Y-%m-%d %H:%M"), os.cpu_count()
        file.write(f"# enumerator {__version__}, Python {sys.version.split()[0]}, {cpu} cores, {started_at}\n")
        file.write(f"# python -m bench soak {' '.join(sys.argv[2:])}\n")
        record = csv.writer(file)
        record.writerow(COLUMNS)
        strikes: Counter[str] = Counter()
        number, wrong, started = 0, 0, monotonic()
        while monotonic() - started < options.seconds or kills(strikes) < options.kills:
            subject = subjects[number % len(subjects)]
            use = cluster if cluster and subject.question == "count" and rng.random() < 0.4 else None
            number += 1
            begun = perf_counter()
            episode = played(subject, folder / f"{number}", small, use, rng)
            strikes += episode.strikes
            exact = episode.total == subject.solutions
            wrong += not exact
            backend = episode.backend[1] if episode.backend else "loky"
            happened = " ".join(f"{kind}:{times}" for kind, times in sorted(episode.strikes.items()))
            row = [number, subject.name, subject.question, subject.engine, backend, episode.runs, happened]
            row += [kills(episode.strikes), len(episode.finished), episode.total, exact]
            record.writerow([*row, f"{perf_counter() - begun:.1f}"])
            file.flush()
            print(*row, f"{perf_counter() - begun:.1f} s", flush=True)
    summary = ", ".join(f"{kind} {times}" for kind, times in sorted(strikes.items()))
    print(f"{number} episodes, {kills(strikes)} kill -9 ({summary}): {wrong} wrong")
    return 1 if wrong else 0


def kills(strikes: Counter[str]) -> int:
    """How many of them were kill -9 of something."""
    return sum(times for kind, times in strikes.items() if kind in ("parent", "group", "worker", "scheduler"))


def all_subjects() -> list[Subject]:
    ours = {name: read(ROOT / "boards" / f"{name}.txt") for name in ("1e", "1f", "2e", "16x16-many")}
    few = {name: Board.parse(text) for name, text in FEW_CLUES.items()}
    return [
        *(Subject(f"{name} search", board, "search") for name, board in ours.items()),
        *(Subject(f"{name} contraction", board, "contraction") for name, board in few.items()),
        Subject("2e list", ours["2e"], "contraction", "list"),
        Subject("1e list", ours["1e"], "search", "list"),
    ]


def answer(subject: Subject, folder: Path) -> None:
    """Find out what the answer is, in another way, and how long the command takes."""
    (folder / "board.txt").write_text(f"{subject.board}\n")
    started = perf_counter()
    subprocess.run(
        [enumerate_command(), *subject.arguments(folder)], check=True, stdout=subprocess.DEVNULL, timeout=PATIENCE
    )
    subject.seconds = perf_counter() - started
    if subject.question == "list":
        subject.digest = hashed(folder / "solutions.txt")
        os.unlink(folder / "solutions.txt")
    if subject.engine == "search":
        subject.solutions = again(subject.board, "search", 0, Plan()).solutions
    else:
        solutions = count(subject.board, engine="contraction")
        subject.solutions = again(subject.board, "contraction", solutions, Plan()).solutions


def hashed(path: Path) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def played(subject: Subject, folder: Path, small: Path | None, cluster: Cluster | None, rng: random.Random) -> Episode:
    """Ask a question until it is answered, with things happening."""
    folder.mkdir()
    (folder / "board.txt").write_text(f"{subject.board}\n")
    on_small = small if small and rng.random() < 0.3 else None
    episode = Episode(subject, folder, (on_small or folder) / "run.db")
    if cluster:
        episode.backend = ["--backend", "dask", "--scheduler", cluster.address]
    kinds = [*3 * ["parent", "group", "worker"], "end"]
    kinds += ["full"] * 3 if on_small else []
    kinds += ["scheduler"] if cluster else []
    while True:
        process = episode.start()
        kind = rng.choice(kinds)
        try:
            with suppress(subprocess.TimeoutExpired):
                process.wait(rng.uniform(0.0, 0.4 + subject.seconds / 5) + (1.0 if cluster else 0.0))
            if process.poll() is None:
                kind = strike(kind, process, episode, on_small, cluster, rng)
            output, errors = process.communicate(timeout=PATIENCE)
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            if on_small:
                (on_small / "ballast").unlink(missing_ok=True)
        assert "Traceback" not in errors, errors
        episode.inspect()
        if process.returncode == 0:
            break
        assert process.returncode in EXPECTED[kind], f"{kind}: status {process.returncode}: {errors}"
    if subject.question == "list":
        assert hashed(folder / "solutions.txt") == subject.digest, "not the same list"
    else:
        assert int(output) == subject.solutions, f"{output} solutions instead of {subject.solutions}"
    episode.ledger.unlink()
    left = [path.name for path in folder.iterdir()]
    assert set(left) <= {"board.txt", "solutions.txt"}, left
    shutil.rmtree(folder)
    return episode


def strike(
    kind: str,
    process: subprocess.Popen[str],
    episode: Episode,
    small: Path | None,
    cluster: Cluster | None,
    rng: random.Random,
) -> str:
    """Let something happen. Returns what it was."""
    if kind == "parent":
        process.kill()
    elif kind == "group":
        os.killpg(process.pid, signal.SIGKILL)
    elif kind == "end":
        process.terminate()
    elif kind == "full" and small:
        with suppress(OSError), open(small / "ballast", "wb") as file:
            while True:
                file.write(bytes(100_000))
                file.flush()
    elif kind == "scheduler" and cluster:
        cluster.restart()
    elif cluster:
        cluster.kill_worker(rng)
    elif below := workers(process.pid):
        with suppress(ProcessLookupError):
            os.kill(rng.choice(below), signal.SIGKILL)
    else:
        kind = "parent"  # it has no workers yet
        process.kill()
    episode.strikes[kind] += 1
    return kind


def workers(pid: int) -> list[int]:
    """The worker processes of a command."""
    found = []
    with suppress(OSError):
        for child in map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split()):
            with suppress(OSError):
                if b"popen_loky" in Path(f"/proc/{child}/cmdline").read_bytes():
                    found.append(child)
    return found


@contextmanager
def small_disk(folder: Path) -> Iterator[Path | None]:
    """A disk with little room, where one can be mounted."""
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={ROOM}", "tmpfs", str(folder)]
    if os.geteuid() or not shutil.which("mount") or subprocess.run(command, check=False).returncode:
        yield None
        return
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=False)
