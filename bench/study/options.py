"""Options that the study's commands share, the boards they choose, and known counts."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

from bench import RESULTS, ROOT, SHARED
from enumerator.board import Board
from enumerator.board.files import read


def add_common(parser: argparse.ArgumentParser, table: str) -> None:
    """Add the options of commands that measure boards; `table` is the default file."""
    default = SHARED / "boards" if (SHARED / "boards").exists() else ROOT / "boards"
    parser.add_argument("--folder", type=Path, default=default, metavar="FOLDER", help="where the boards are")
    parser.add_argument(
        "--boards", default="^[12][a-f]$", metavar="REGEX", help="by their names (default: %(default)s)"
    )
    parser.add_argument("--exclude", default="^$", metavar="REGEX", help="boards to leave out")
    add_output(parser, table)


def add_output(parser: argparse.ArgumentParser, table: str, measures: bool = True) -> None:
    """Add --output and, for a command that measures, --fresh."""
    parser.add_argument("--output", type=Path, metavar="FILE", help=f"the table (default: results/{table})")
    if measures:
        parser.add_argument("--fresh", action="store_true", help="replace an existing table instead of resuming it")


def add_results(parser: argparse.ArgumentParser) -> None:
    """Add --results, for a command that reads tables."""
    parser.add_argument("--results", type=Path, default=RESULTS, metavar="FOLDER", help="where the data are")


def output_path(options: argparse.Namespace, table: str) -> Path:
    return options.output or RESULTS / table


def chosen_boards(options: argparse.Namespace) -> dict[str, Path]:
    """Return the paths of the chosen boards by name; end the command if there are none."""
    try:
        wanted, unwanted = re.compile(options.boards), re.compile(options.exclude)
    except re.error as error:
        raise SystemExit(f"bench: not a regular expression: {error}") from None
    paths = {path.stem: path for path in sorted(options.folder.glob("*.txt"))}
    found = {name: path for name, path in paths.items() if wanted.search(name) and not unwanted.search(name)}
    if not found:
        raise SystemExit(f"bench: no board in {options.folder} has a name like that")
    return found


def read_boards(paths: dict[str, Path]) -> dict[str, Board]:
    return {name: read(path) for name, path in paths.items()}


def cores_list(text: str) -> list[int]:
    """Parse numbers of cores, separated by commas, for argparse; return them in order."""
    try:
        numbers = sorted({int(part) for part in text.split(",")})
    except ValueError:
        numbers = []
    if not numbers or numbers[0] < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a list of numbers like 1,2,4")
    return numbers


class KnownCounts:
    """The number of solutions of each board: published, or found first.

    A different count ends the command.
    """

    def __init__(self, folder: Path) -> None:
        self.counts = published_counts(folder)

    def check(self, board: str, solutions: int) -> int:
        if self.counts.setdefault(board, solutions) != solutions:
            raise SystemExit(f"bench: {board} has {self.counts[board]} solutions, and now {solutions} were counted")
        return solutions


def published_counts(folder: Path) -> dict[str, int]:
    """Return the numbers of solutions in table.tsv; without that file, an empty dictionary."""
    table = folder / "table.tsv"
    lines = table.read_text().splitlines() if table.exists() else []
    rows = [line.split("\t") for line in lines if not line.startswith("#")]
    return {name: int(solutions) for name, _, solutions, _ in rows}
