"""The options of the command, and which of them can be combined."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NoReturn

from enumerator.command import console, dispatch
from enumerator.command.arguments import (
    box_shape,
    fraction,
    ledger_path,
    natural_number,
    number_of_cores,
    output_path,
    picture_path,
    positive_integer,
    search_space_size,
    seconds,
)
from enumerator.command.console import UNUSABLE, complain
from enumerator.command.views import View
from enumerator.questions.plans import AUTO, engine_names
from enumerator.text.phrases import printable

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

EXAMPLES = """\
examples:
  enumerate boards/1c.txt                  how many solutions has this board?
  enumerate boards/1e.txt --cores 16       the same, on no more than 16 cores
  enumerate boards/1[abc].txt --quiet      several boards, just the counts
  enumerate boards/1c.txt --candidates     which clue would make it unique?
  enumerate boards/2[abc].txt --classify   is each of these boards unique?
  enumerate boards/1c.txt --list --output all.zst    every solution, compressed
  enumerate boards/empty.txt --nth 1e21    one solution out of 6.67e21, by its number
  enumerate boards/empty.txt --sample 10 --seed 1    ten of them at random
  enumerate boards/empty.txt --engine search --time-limit 3    as far as one gets, and an estimate
  enumerate boards/2e.txt --engine search --checkpoint run.db    whatever ends it, the same command resumes it
  enumerate --status run.db                how far is it?
  enumerate 12343412........               a board as an argument; links are read, too
  echo 12343412........ | enumerate        a board from a pipe
  enumerate boards/1c.txt --link sudokupad    a link to the board
  enumerate boards/6x6-many.txt --shape 3x2    boxes 3 high and 2 wide instead of 2 by 3

formats:
  Boards are read as people write them: one per line, grids, drawings, tables, lists of lists, pencil marks, links;
  with titles, numbers and comments around them; from plain and compressed files (.gz .zst .xz .bz2).
  An empty cell is . 0 _ * ? or ·, and also - X or a blank where nothing else can be meant. Digits beyond 9 are letters
  (A = 10; A = 1 without digits) or numbers. Where a text can be read in two ways, a message says which one was taken.

exit status: 0 answered (no solution is an answer), 2 unusable input or options, 130 interrupted, 1 anything else
"""

WORDS = """\
words:
  unique         exactly one solution
  clues          the digits that are given: 20 of 81 cells; "25 % filled" is the filling factor
  empty cells    the cells without a clue
  search space   the numbers of candidates of all empty cells, multiplied; a candidate is a digit that no clue of its
                 row, column or box excludes
  nodes          the boards that the search has looked at

"""
"""The words of an answer, for --help."""

SPECIAL_OPTIONS = (
    "limit",
    "time_limit",
    "seed",
    "share",
    "grids",
    "output",
    "cutoff",
    "checkpoint",
    "verify",
    "svg",
    "html",
)
"""The options that only some questions accept. A view names those that its question accepts."""


COMPLETIONS = {"bash": "enumerate.bash", "zsh": "_enumerate", "fish": "enumerate.fish"}
"""The files of completions for each shell, by which it finds those of a command. `bench shell` makes them."""


class HelpFormatter(argparse.RawDescriptionHelpFormatter):
    """Help as wide as the terminal. argparse would import shutil for every command: 1.5 ms."""

    def __init__(self, prog: str, **options: Any) -> None:
        columns = 80
        with suppress(AttributeError, ValueError, OSError):
            columns = int(os.environ.get("COLUMNS", 0)) or os.get_terminal_size(sys.__stdout__.fileno()).columns  # type: ignore[union-attr]
        super().__init__(prog, width=(columns or 80) - 2, **options)


class Parser(argparse.ArgumentParser):
    """A parser that reports an error on one line."""

    def error(self, message: str) -> NoReturn:
        complain(f"{printable(message)} (see {self.prog} --help)")
        raise SystemExit(UNUSABLE)

    def print_help(self, file: SupportsWrite[str] | None = None) -> None:
        """Print the help. Raise OutputError on failure, which argparse would ignore."""
        if file is None:
            console.write(self.format_help())
        else:
            file.write(self.format_help())


def make_parser() -> Parser:
    """Return the parser of all options, including those of every question."""
    parser = Parser(
        prog="enumerate",
        description="Counts, lists and samples the solutions of Sudoku boards, exactly.",
        epilog=WORDS + EXAMPLES,
        formatter_class=HelpFormatter,
    )
    parser.add_argument(
        "boards", nargs="*", metavar="BOARD", help="a file of boards, a board or a link; - or a pipe is standard input"
    )
    _add_questions(parser)
    work = parser.add_argument_group("how to answer them")
    _add_work_options(work)
    for view in dispatch.views().values():
        for flag, arguments in view.own_options.items():
            work.add_argument(flag, **arguments)
    _add_print_options(parser.add_argument_group("what to print"))
    return parser


def _add_questions(parser: Parser) -> None:
    """Add the options of the questions, group by group. A command has at most one of them."""
    groups = {key: parser.add_argument_group(title) for key, title in dispatch.GROUPS.items()}
    one = groups["solutions"].add_mutually_exclusive_group()
    for key, group in groups.items():
        for name, view in dispatch.views().items():
            if view.group == key and name not in (dispatch.DEFAULT, "distinct"):
                asking = group.add_argument(f"--{name}", **view.arguments)
                one._group_actions.append(asking)  # noqa: SLF001 - an exclusive group adds to one group of the help only
    groups["sameness"].add_argument("--distinct", **dispatch.views()["distinct"].arguments)  # it also goes with --list


def _add_work_options(work: argparse._ArgumentGroup) -> None:
    work.add_argument("-c", "--cores", type=number_of_cores, metavar="N", help="use at most N cores (default: all)")
    work.add_argument(
        "--engine",
        choices=engine_names(),
        default=AUTO,
        help="search visits every solution; contraction counts without, for boxes up to 3x3; learning visits them, "
        "too, and learns from dead ends, for large boards; auto takes the one that should be faster (default)",
    )
    work.add_argument("--limit", type=positive_integer, metavar="N", help="stop once there are more than N solutions")
    work.add_argument(
        "--time-limit",
        type=seconds,
        metavar="S",
        help="stop after S seconds per board, or 2m or 1h30m, and print what is known",
    )
    work.add_argument(
        "--checkpoint",
        type=ledger_path,
        metavar="FILE",
        help="record finished work in a ledger; the same command resumes from it",
    )
    work.add_argument("--verify", action="store_true", help="count a second time by another method, and compare")
    work.add_argument(
        "--share",
        type=fraction,
        metavar="P",
        help="the share of the tasks to --audit, such as 5%% or 0.05 (default: 5%%)",
    )
    work.add_argument(
        "--seed",
        type=natural_number,
        metavar="X",
        help="the seed of random choices: the same seed gives the same --sample, --audit, --estimate or puzzles",
    )
    work.add_argument(
        "-s",
        "--shape",
        type=box_shape,
        metavar="HxW",
        help="height x width of a box, in cells (default: as square as possible)",
    )
    work.add_argument(
        "--backend",
        choices=("loky", "threads", "dask"),
        default="loky",
        help="where tasks run: loky is processes (default), dask is a Dask cluster",
    )
    work.add_argument(
        "--scheduler",
        metavar="ADDR",
        help="address of a Dask scheduler, such as tcp://10.0.0.1:8786 (default: start one)",
    )
    work.add_argument(
        "--cutoff",
        type=search_space_size,
        metavar="SIZE",
        help="the search space, such as 1e28, up to which a subtree is one task; auto then takes the search",
    )


def _add_print_options(show: argparse._ArgumentGroup) -> None:
    form = show.add_mutually_exclusive_group()
    form.add_argument(
        "--json",
        action="store_true",
        help="one JSON object per board or solution; long integers are exact, and strings",
    )
    form.add_argument("--csv", action="store_true", help="a table of the facts of --json, with a header")
    form.add_argument(
        "-q",
        "--quiet",
        action="store_true",
        help="print the exact number of solutions alone: 5+ is at least 5; invalid is a board that cannot be read, "
        "unsupported one that --engine does not take",
    )
    form.add_argument("--grids", action="store_true", help="draw solutions as grids, also in a pipe or a file")
    show.add_argument("--ascii", action="store_true", help="draw with + - | . only, for old terminals")
    show.add_argument(
        "-o",
        "--output",
        type=output_path,
        metavar="FILE",
        help="write solutions to a file, compressed if its name ends in .gz, .zst, .xz or .bz2",
    )
    show.add_argument(
        "--svg",
        type=picture_path,
        metavar="FILE",
        help="also draw one board and its solution, --candidates, --clues, clues that --complete it, or --unavoidable "
        "sets",
    )
    show.add_argument("--html", type=picture_path, metavar="FILE", help="the same as a page")
    show.add_argument("--no-progress", action="store_true", help="show no progress bar")
    show.add_argument(
        "--completion", choices=COMPLETIONS, metavar="SHELL", help="print completions for bash, zsh or fish, and exit"
    )
    show.add_argument("--version", action="store_true", help="print the version and build settings, and exit")


def parse_options(parser: Parser, argv: list[str]) -> argparse.Namespace:
    """Parse the arguments. Those after -- are boards.

    argparse loses them if boards and options are mixed, so they are added here.
    """
    end = argv.index("--") if "--" in argv else len(argv)
    options = parser.parse_intermixed_args(argv[:end])
    options.boards += argv[end + 1 :]
    return options


def choose_question(options: argparse.Namespace) -> str:
    """Return the name of the question that the options ask for. --distinct comes last: --list takes it, too."""
    others = sorted((name for name in dispatch.views() if name != dispatch.DEFAULT), key="distinct".__eq__)
    return next((name for name in others if _is_given(options, name)), dispatch.DEFAULT)


def missing_subject(question: str) -> str:
    """Return the message for a command that names no board, or no ledger."""
    if (subject := dispatch.views()[question].subject) == "board":
        return "no board given"
    return f"no {subject} given: --{question} needs the name of its file"


def find_conflict(options: argparse.Namespace, question: str) -> str:
    """Return a message about options that cannot be combined, or not with the question; else ""."""
    return next(_conflicts(options, question, dispatch.views()[question]), "")


def _conflicts(options: argparse.Namespace, question: str, view: View[Any]) -> Iterator[str]:
    views = dispatch.views()
    own = [flag.removeprefix("--").replace("-", "_") for each in views.values() for flag in each.own_options]
    for option in (*SPECIAL_OPTIONS, *own):
        if _is_given(options, option) and not view.takes(option):
            if question == dispatch.DEFAULT:
                partners = [f"--{name}" for name, each in views.items() if each.takes(option)]
                yield f"{_flag(option)} goes with {' or '.join(partners)}"
            yield f"{_flag(option)} does not go with --{question}"
    if options.distinct and question not in ("distinct", "list"):
        yield f"--distinct does not go with --{question}"
    yield from view.conflicts(options)
    if any(getattr(options, name, None) is not None for name in ("svg", "html", "trace")):
        from enumerator.command.saved_files import find_mistakes

        yield from find_mistakes(options)
    if options.quiet and not view.takes("quiet"):
        yield f"--quiet does not go with --{question}"
    if options.csv and not view.columns:
        yield f"--csv does not go with --{question}: it is a table of facts"
    if options.backend == "dask" and not view.takes("backend"):
        yield f"--backend dask does not go with --{question}: it is for counts"
    if options.scheduler is not None and options.backend != "dask":
        yield "--scheduler goes with --backend dask"
    if options.engine != AUTO and not view.takes("engine"):
        yield f"--engine does not go with --{question}"


def _is_given(options: argparse.Namespace, option: str) -> bool:
    value = getattr(options, option)
    return value is not None and value is not False


def _flag(option: str) -> str:
    return f"--{option.replace('_', '-')}"
