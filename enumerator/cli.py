"""The command `enumerate`: options in, reports out, an exit status. What it finds is worked out elsewhere."""

from __future__ import annotations

import argparse
import os
import re
import signal
import sys
from time import perf_counter
from typing import NoReturn, TextIO

import enumerator
from enumerator.board import Board
from enumerator.formats import BoardError, open_boards
from enumerator.report import Report, as_json, as_text
from enumerator.shape import Shape
from enumerator.wording import printable

ANSWERED, FAILED, UNUSABLE, INTERRUPTED = 0, 1, 2, 130

EXAMPLES = """\
examples:
  enumerate boards/1c.txt                  how many solutions has this board?
  enumerate boards/1[abc].txt --quiet      several boards, just the counts
  enumerate puzzles.sdm --limit 2 --json   a file of puzzles, one a line: is each unique?
  echo 53..7....6..195... … | enumerate -  a board from a pipe
  enumerate six.txt --shape 3x2            boxes 3 high and 2 wide instead of 2 by 3

A file holds boards as grids or one a line. Empty cells are . 0 _ * or ?, digits beyond 9 are letters (A = 10) or
numbers separated by spaces or commas; rulers, blank lines and lines that begin with # are skipped.

exit status: 0 answered (no solution is an answer), 2 unusable input or options, 130 interrupted, 1 anything else
"""


class Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        complain(f"{printable(message)} (see {self.prog} --help)")
        raise SystemExit(UNUSABLE)


def whole_number(text: str) -> int:
    """A positive integer, as 1000, 1_000 or 1e3, exactly."""
    match = re.fullmatch(r"(\d[\d_]{0,999})(?:[eE]\+?(\d{1,3}))?", text, re.ASCII)
    number = int(match[1].replace("_", "")) * 10 ** int(match[2] or 0) if match else 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of at least 1")
    return number


def shape(text: str) -> Shape:
    try:
        return Shape.parse(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def arguments() -> Parser:
    parser = Parser(
        prog="enumerate",
        description="Counts every solution of Sudoku boards, exactly.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("boards", nargs="*", metavar="BOARD", help="a file of one or more boards; - is standard input")
    work = parser.add_argument_group("how to count")
    work.add_argument("--cores", type=whole_number, metavar="N", help="workers (this version counts on one core)")
    work.add_argument("--engine", choices=("auto", "search"), default="auto", help="default: auto")
    work.add_argument("--limit", type=whole_number, metavar="N", help="stop after N solutions, and say so")
    work.add_argument("--shape", type=shape, metavar="HxW", help="box height x width (default: nearest to a square)")
    show = parser.add_argument_group("what to print")
    one = show.add_mutually_exclusive_group()
    one.add_argument("--json", action="store_true", help="one JSON object a board; big integers are strings")
    one.add_argument("--quiet", action="store_true", help="the number of solutions alone; 5+ is at least 5")
    show.add_argument("--version", action="store_true", help="what this is, how its kernel was compiled, and end")
    return parser


def main(argv: list[str] | None = None) -> int:
    """Run the command; returns its exit status."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # asks for the same as Ctrl-C
    if sys.stdout is None:
        complain("standard output is closed")
        return FAILED
    sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    try:
        status = run(argv)
        sys.stdout.flush()
    except KeyboardInterrupt:
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_IGN)
        status = INTERRUPTED
        abandon(sys.stdout)
    except BrokenPipeError:  # the reader has what it wanted
        status = FAILED
        abandon(sys.stdout)
    except OSError as error:
        status = FAILED
        complain(f"standard output: {error.strerror}")
        abandon(sys.stdout)
    except ImportError as error:  # above all, the kernel
        status = FAILED
        complain(str(error))
    return status


def run(argv: list[str] | None) -> int:
    """Read the options and do what they say."""
    parser = arguments()
    try:
        options = parser.parse_intermixed_args(argv)
        if not (options.boards or options.version):
            parser.error("no board given")
    except SystemExit as end:
        return int(end.code or ANSWERED)
    return describe() if options.version else answer(options)


def answer(options: argparse.Namespace) -> int:
    """Answer for every board; one that cannot be read does not keep the others from it."""
    status = ANSWERED
    for name in options.boards:
        for entry in open_boards(name, options.shape):
            if isinstance(entry.content, BoardError):
                complain(str(entry.content))
                status = UNUSABLE
            else:
                report, interrupted = count(entry.name, entry.content, options)
                show(report, options)
                if interrupted:
                    complain("interrupted: this count is not complete")
                    return INTERRUPTED
    return status


def count(source: str, board: Board, options: argparse.Namespace) -> tuple[Report, bool]:
    """Count, and say whether it was cut short by Ctrl-C."""
    from enumerator.search import Tally, tallies

    tally, interrupted = Tally(), False
    started = perf_counter()
    try:
        for so_far in tallies(board, options.limit):
            tally = so_far
    except KeyboardInterrupt:
        interrupted = True
    report = Report(
        source=source,
        board=board,
        solutions=tally.solutions,
        complete=tally.complete,
        nodes=tally.nodes,
        seconds=perf_counter() - started,
        engine="search",
        cores=1,
        requested_cores=options.cores or 1,
    )
    return report, interrupted


def show(report: Report, options: argparse.Namespace) -> None:
    """Print a report: drawn on a terminal, plain elsewhere."""
    if options.json:
        print(as_json(report), flush=True)
    elif options.quiet:
        print(f"{report.solutions}{'' if report.complete else '+'}", flush=True)
    elif sys.stdout.isatty():
        from enumerator.terminal import draw_report

        draw_report(report)
    else:
        print(as_text(report), flush=True)


def describe() -> int:
    """Print the version, and how the kernel was compiled."""
    import platform

    from enumerator.search import kernel

    print(f"enumerator {enumerator.__version__}")
    checks = "on" if kernel.CHECKED else "off"
    print(f"kernel: compiled by {kernel.COMPILER} from Cython {kernel.CYTHON}, checks {checks}, flags {kernel.FLAGS}")
    print(f"Python {platform.python_version()} on {platform.machine()}")
    return ANSWERED


def complain(message: str) -> None:
    """Say on standard error what is wrong."""
    if sys.stderr is not None:
        try:
            print(f"enumerate: {message}", file=sys.stderr, flush=True)
        except OSError:  # nobody to tell; the exit status still does
            abandon(sys.stderr)


def abandon(stream: TextIO) -> None:
    """Give up what a stream has not taken, so that the interpreter does not try again at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
