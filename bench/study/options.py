"""Options that the study's commands share, the boards they choose, and known counts."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench import RESULTS, ROOT
from bench.common.commands import refuse
from bench.tables.table import DataError, Row, read
from bench.tables.text import csv_table

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

MEASURED = ROOT / "measured"
"""The folder of tables of single commands. Git ignores it."""

ROWS = Path("-")
"""The value of --csv if it names no file: rows are printed."""

TWELVE = "[12][a-f]"
"""The names of the boards that are measured by default."""


def add_results(parser: argparse.ArgumentParser, *, has_csv_file: bool = False) -> None:
    """Add the folder of tables, and the options of printed tables. With a CSV file, --csv may name one."""
    parser.add_argument(
        "--results", type=Path, default=MEASURED, metavar="FOLDER", help="where the tables are (default: measured)"
    )
    printed = parser.add_mutually_exclusive_group()
    printed.add_argument("--wide", action="store_true", help="print all columns")
    if has_csv_file:
        text = "write a row a board to FILE; without FILE, print the rows of the table"
        printed.add_argument("--csv", type=Path, nargs="?", const=ROWS, metavar="FILE", help=text)
    else:
        printed.add_argument("--csv", action="store_const", const=ROWS, help="print the rows as CSV")
    parser.set_defaults(silent=False)  # a study prints no tables: they are on its page


def add_measuring(parser: argparse.ArgumentParser, *, has_csv_file: bool = False) -> None:
    """Add the options of commands that fill a table."""
    add_results(parser, has_csv_file=has_csv_file)
    parser.add_argument("--fresh", action="store_true", help="replace an existing table instead of resuming it")
    parser.add_argument(
        "--seconds", type=positive, metavar="S", help="begin no further round after S seconds (default: all rounds)"
    )
    parser.set_defaults(later_seconds=0.0)  # of what comes after this command, in a study


def positive(text: str) -> float:
    """Parse a number above 0, for argparse."""
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number above 0")
    return number


def cores_list(text: str) -> list[int]:
    """Parse numbers of cores, separated by commas, for argparse; return them in order."""
    try:
        numbers = sorted({int(part) for part in text.split(",")})
    except ValueError:
        numbers = []
    if not numbers or numbers[0] < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a list of numbers like 1,2,4")
    return numbers


def is_published(folder: Path) -> bool:
    """Tell if a folder is results/, whose files git tracks: commands read them, and do not write there."""
    return folder.resolve() == RESULTS.resolve()


def refuse_published(folder: Path) -> None:
    """Refuse to write to results/."""
    if is_published(folder):
        refuse("results/ is tracked by git: measure elsewhere; `study --publish` copies a study there")


def load_table(path: Path, kind: type[Row], makers: str) -> tuple[dict[str, str], list[Row]]:
    """Return the facts and the rows of a table; refuse if it is missing, unusable or empty.

    `makers` are the commands that make it.
    """
    try:
        facts, rows = read(path, kind)
    except DataError as error:
        refuse(f"{error}; made by {makers}; `--results {RESULTS.name}` shows the published study")
    return (facts, rows) if rows else refuse(f"{path} has no rows: there is nothing to show")


def print_table(
    options: argparse.Namespace, lines: Iterable[str], rows: Sequence[DataclassInstance], origin: str = ""
) -> None:
    """Print a table: its rows as CSV, or the lines of its summary.

    `origin` says whose data it shows, if they are not from this run.
    """
    if options.silent:
        return
    if options.csv == ROWS:
        lines = csv_table(list(rows))
    elif origin:
        print(origin)
    print(*lines, sep="\n")


class KnownCounts:
    """The number of solutions of each board: known from elsewhere, or found first.

    A different count ends the command.
    """

    def __init__(self, paths: dict[str, Path]) -> None:
        self.counts = stated_counts(paths)

    def check(self, board: str, solutions: int) -> int:
        if self.counts.setdefault(board, solutions) != solutions:
            raise SystemExit(f"bench: {board} has {self.counts[board]} solutions, and now {solutions} were counted")
        return solutions


def stated_counts(paths: dict[str, Path]) -> dict[str, int]:
    """Return the counts that stand beside boards: in table.tsv, or in the README of our boards."""
    found: dict[str, int] = {}
    for folder in {path.resolve().parent for path in paths.values()}:
        for stem, solutions in counts_beside(folder).items():
            found.update({name: solutions for name, path in paths.items() if path.resolve() == folder / f"{stem}.txt"})
    return found


def counts_beside(folder: Path) -> dict[str, int]:
    """Return the counts that a folder of boards states, by the stems of its files."""
    if (table := folder / "table.tsv").exists():
        rows: list[Any] = [line.split("\t") for line in table.read_text().splitlines() if not line.startswith("#")]
        return {name: int(solutions) for name, _, solutions, _ in rows}
    if folder in (ROOT / "boards", ROOT / "boards" / "large"):
        text = (folder / "README.md").read_text()
        found = re.findall(r"^\| \[(\S+)\]\(.*?\) \| \S+ \| \d+ \| [\d.]+ \| ([\d,]+) \|", text, re.MULTILINE)
        return {name: int(solutions.replace(",", "")) for name, solutions in found}
    return {}
