"""The whole study by one command: measure, correlate, simulate, draw, and one page to open.

FOLDER gets the tables, the figures as SVG and report.html. By default it is a new folder
study-HOST-DATE in the repository, which git ignores. The study is a list of the other commands,
each with a time of its own; after that time no further round of measurements begins. Ctrl-C ends
the study, and the same command resumes it: at most one measurement is lost.

--quick takes at most 3 minutes on two cores: our boards of up to a few seconds, in one to three
rounds. Otherwise the study takes at most 30 minutes, with the published boards where they are there.
--publish copies the finished study to results/, which is the only way in which a command that measures
changes files that git tracks.
"""

from __future__ import annotations

import argparse
import json
import shutil
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from fcntl import LOCK_EX, LOCK_NB, flock
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

from bench import RESULTS, ROOT
from bench.common.boards import our_boards, published_boards
from bench.common.commands import INTERRUPTED, refuse
from bench.common.options import NINE, add_boards, chosen_boards, read_boards
from bench.study import speedup
from bench.study.options import TWELVE, cores_list, refuse_published
from bench.study.session import left_text
from bench.tables.machine import IDENTITY, machine_facts
from bench.tables.rows import Run
from bench.tables.table import DataError, read, replace_file
from enumerator.board import Board

STATE = "study.json"
"""The file that says what a study is of, and which of its stages are finished."""

SIMULATED_CORES = 64
"""Cores of the simulated machine that is correlated: those of the published study."""


class Stage(NamedTuple):
    """A command of the study."""

    module: str
    arguments: list[str]
    seconds: float
    """About the time that it takes; commands that measure get it as --seconds."""
    boards: list[Path] | None = None
    """The boards that it measures; None: it measures none."""

    @property
    def name(self) -> str:
        """Its words on the command line, without the boards."""
        return " ".join([self.module, *self.arguments])


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", nargs="?", type=Path, metavar="FOLDER", help="default: study-HOST-DATE")
    parser.add_argument("--quick", action="store_true", help="in at most 3 minutes on two cores, instead of 30")
    parser.add_argument(
        "--cores", type=cores_list, metavar="N,N", help="default: 1,2,4,8, …, up to what the machine has"
    )
    add_boards(parser, TWELVE)
    parser.add_argument("--publish", action="store_true", help="copy the finished study to results/")


def run(options: argparse.Namespace) -> int:
    if find_spec("matplotlib") is None:
        refuse("figures need matplotlib: pip install '.[bench]'")
    stages = (quick_stages if options.quick else full_stages)(options)
    return run_study([stage for stage in stages if stage.boards != []], options.folder, options.publish)


def run_study(stages: list[Stage], folder: Path | None = None, to_publish: bool = False) -> int:
    """Run the stages that are not finished yet, in a folder; by default, in one of their own."""
    identity = study_identity(stages)
    folder = folder or default_folder(identity)
    finished = resume(folder, identity)
    total = sum(stage.seconds for stage in stages if stage.name not in finished)
    print(f"study: {shown(folder)}, {len(stages)} stages, {left_text(total).removesuffix(' left') or 'all done'}")
    began = monotonic()
    with locked(folder):
        for number, stage in enumerate(stages, 1):
            if stage.name in finished:
                continue
            later = sum(each.seconds for each in stages[number:])
            left = left_text(stage.seconds + later)
            print(f"[{number}/{len(stages)}] python -m bench {stage.name}: {left}", flush=True)
            if status := run_stage(stage, folder, later):
                message = "interrupted" if status == INTERRUPTED else "stopped"
                print(f"study: {message}; the same command resumes it in {shown(folder)}", file=sys.stderr)
                return status
            finished.append(stage.name)
            save_state(folder, identity, finished)
    print()
    print(*speedup.summary_lines(read(folder / "speedup-search.csv", Run)[1]), sep="\n")
    print(f"\nstudy: finished in {monotonic() - began:.0f} s; open {shown(folder / 'report.html')}")
    if to_publish:
        publish(folder)
    return 0


def run_stage(stage: Stage, folder: Path, later: float) -> int:
    """Run a command in this process; return its exit status.

    One that measures nothing, and has nothing to show, is left out: it has said why. A full disk ends
    it with what was measured before.
    """
    module = import_module(f"bench.study.{stage.module}")
    parser = argparse.ArgumentParser(prog=f"python -m bench {stage.module}")
    module.configure(parser)
    arguments = [*stage.arguments, "--results", str(folder)]
    if stage.boards is not None:
        arguments += ["--boards", *map(str, stage.boards)]
    options = parser.parse_args(arguments)
    options.silent = True
    if hasattr(options, "seconds"):
        options.seconds, options.later_seconds = stage.seconds, later
    try:
        status: int = module.run(options)
    except KeyboardInterrupt:
        return INTERRUPTED
    except DataError as error:
        print(f"bench: {error}", file=sys.stderr)
        return 1
    except SystemExit:
        if stage.boards is not None:
            raise
        return 0
    return status


# --------------------------------------------------------------------------------------------------- stages


def quick_stages(options: argparse.Namespace) -> Iterator[Stage]:
    """Yield the commands of --quick."""
    (cores, all_cores), boards = cores_texts(options.cores), chosen(options.boards, our_boards("[12][a-e]"))
    yield Stage("speedup", ["--engine", "search", "--iterations", "3", *cores, "--limit", "20"], 30.0, boards)
    yield Stage("speedup", ["--iterations", "2", *cores, "--limit", "20"], 16.0, boards)
    yield Stage("tasks", ["--limit", "20"], 40.0, boards)
    some = chosen(options.boards, our_boards("1e"))[:1]
    parts = ["--parts", "1", "16", "256", "4096"]
    yield Stage("cutoff", ["--iterations", "1", *parts, *all_cores, "--limit", "20"], 11.0, some)
    clues = ["--clues", "40", "32", "28", "26", "24", "22", "20", "18", "10", "0"]
    yield Stage("timeline", ["--simulated", str(SIMULATED_CORES), *all_cores, "--limit", "20"], 6.0, some)
    yield Stage("tree", [], 4.0, chosen(options.boards, our_boards("1c"))[:1])
    yield Stage("scaling", ["--grids", "2", "--limit", "1", *clues], 14.0)
    compared = nine_by_nine(chosen(options.boards, our_boards("[12][ac]")))
    yield Stage("peers", ["--iterations", "1", "--limit", "1"], 35.0, compared)
    few = chosen(options.boards, our_boards("large/25x25-a-[46]"))
    yield Stage("regret", ["--rearrangements", "2", "--limit", "2", *cores], 8.0, few)
    yield Stage("lesson", ["--rounds", "1", "--names", "1c", "2c", "1d", "2d", *all_cores], 6.0)
    yield from computed_stages(4.0)


def full_stages(options: argparse.Namespace) -> Iterator[Stage]:
    """Yield the commands of the whole study."""
    cores, all_cores = cores_texts(options.cores)
    boards = chosen(options.boards, {**our_boards(TWELVE), **published_boards(TWELVE)})
    yield Stage("speedup", ["--engine", "search", "--iterations", "10", *cores, "--limit", "120"], 480.0, boards)
    yield Stage("speedup", ["--iterations", "5", *cores, "--limit", "120"], 120.0, boards)
    yield Stage("tasks", [], 150.0, boards)
    some = chosen(options.boards, {**our_boards("[12]e"), **published_boards("[12]e")})
    yield Stage("cutoff", ["--iterations", "3", *all_cores], 180.0, some)
    traced = chosen(options.boards, {**our_boards("2f"), **published_boards("2f")})[:2]
    yield Stage("timeline", ["--simulated", str(SIMULATED_CORES), *all_cores], 110.0, traced)
    shown_trees = chosen(options.boards, {**our_boards("1c"), **published_boards("1c")})[:2]
    yield Stage("tree", [], 8.0, shown_trees)
    yield Stage("scaling", ["--grids", "5", "--limit", "5"], 120.0)
    compared = chosen(options.boards, {**our_boards(TWELVE), **published_boards("[12][ace]")})
    yield Stage("peers", ["--iterations", "2", "--limit", "5"], 330.0, nine_by_nine(compared))
    raced = chosen(options.boards, {**our_boards("16x16-many"), **our_boards("large/*x*-[a-b]-*")})
    yield Stage("regret", ["--rearrangements", "10", "--limit", "20", *cores], 90.0, raced)
    yield Stage("lesson", all_cores, 40.0)
    yield from computed_stages(100.0)


def computed_stages(seconds: float) -> Iterator[Stage]:
    """Yield the commands that measure nothing; the simulation takes `seconds`."""
    yield Stage("simulate", [], seconds)
    yield Stage("groups", [], seconds / 4)
    yield Stage("correlation", ["--simulated", str(SIMULATED_CORES)], 1.0)
    yield Stage("report", [], 8.0)


def cores_texts(cores: list[int] | None) -> tuple[list[str], list[str]]:
    """Return the options for all numbers of cores that are measured, and for the largest alone."""
    numbers = speedup.measurable_cores(cores)
    return ["--cores", ",".join(map(str, numbers))], ["--cores", str(max(numbers))]


def chosen(wanted: list[str] | None, default: dict[str, Path]) -> list[Path]:
    """Return the files of the boards that the user has named, or the default ones."""
    return list((default if wanted is None else chosen_boards(wanted)).values())


def nine_by_nine(files: list[Path]) -> list[Path]:
    """Return the files of 9×9 boards: other programs count no others."""
    return [file for file, board in zip(files, boards_of(files).values(), strict=True) if board.shape == NINE]


def boards_of(files: list[Path]) -> dict[str, Board]:
    """Return the boards of some files by name."""
    return read_boards(chosen_boards(list(map(str, files))) if files else {})


# -------------------------------------------------------------------------------------------------- folders


def study_identity(stages: list[Stage]) -> dict[str, object]:
    """Return what must be the same for a study to be resumed: its commands, boards, machine, version.

    Refuse files that are no boards.
    """
    files = sorted({path for stage in stages for path in stage.boards or ()})
    boards = {name: str(board) for name, board in boards_of(files).items()}
    facts = machine_facts()
    return {
        "stages": [stage.name for stage in stages],
        "boards": boards,
        **{name: facts[name] for name in IDENTITY},
    }


def default_folder(identity: dict[str, object]) -> Path:
    """Return the folder of the unfinished study of that identity, or a new one."""
    stem = f"study-{socket.gethostname().partition('.')[0]}"
    for known in sorted(ROOT.glob(f"{stem}-*")):
        state = load_state(known)
        if state and state["identity"] == identity and len(state["finished"]) < len(state["identity"]["stages"]):
            return known
    today = ROOT / f"{stem}-{datetime.now(UTC):%Y-%m-%d}"
    names = (today, *(today.with_name(f"{today.name}-{number}") for number in range(2, 1000)))
    return next(name for name in names if not name.exists())


def resume(folder: Path, identity: dict[str, object]) -> list[str]:
    """Return the finished stages of a folder, which is made if it is not there. Refuse one of another study."""
    refuse_published(folder)
    state = load_state(folder)
    if state is None:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            refuse(f"{shown(folder)} is there and is no study: name another folder")
        save_state(folder, identity, [])
        return []
    if state["identity"] != identity:
        named = [name for name in identity if state["identity"].get(name) != identity[name]]
        refuse(f"{shown(folder)} is another study, with other {', '.join(named)}: name another folder")
    finished: list[str] = state["finished"]
    return finished


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Keep a second study out of a folder. The lock ends with this process, however that ends."""
    with open(folder / "study.lock", "w") as file:
        try:
            flock(file, LOCK_EX | LOCK_NB)
        except BlockingIOError:
            refuse(f"another study is at work in {shown(folder)}")
        yield


def load_state(folder: Path) -> dict[str, Any] | None:
    """Return the state of a study; None if there is none in a folder."""
    try:
        state: dict[str, Any] = json.loads((folder / STATE).read_text())
    except (OSError, ValueError):
        return None
    return state


def save_state(folder: Path, identity: dict[str, object], finished: list[str]) -> None:
    replace_file(folder / STATE, json.dumps({"identity": identity, "finished": finished}, indent=1) + "\n")


def publish(folder: Path) -> None:
    """Copy a finished study to results/, and remove figures of an earlier one that this one does not have."""
    files = [path for path in sorted(folder.iterdir()) if path.suffix in (".csv", ".gz", ".svg", ".html")]
    for old in RESULTS.glob("*-published.svg"):
        old.unlink()
    for path in files:
        try:
            shutil.copyfile(path, RESULTS / path.name)
        except OSError as error:
            raise DataError(f"{RESULTS / path.name}: {error.strerror or error}") from None
    print(f"study: {len(files)} files published in {shown(RESULTS)}")


def shown(path: Path) -> str:
    """Return a path as the user would type it."""
    return str(path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path)
