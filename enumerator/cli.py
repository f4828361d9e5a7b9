"""The command `enumerate`: options in, reports out, an exit status. What it finds is worked out elsewhere."""

from __future__ import annotations

import argparse
import os
import re
import signal
import sys
from collections.abc import Iterator
from functools import partial
from itertools import chain
from time import perf_counter
from typing import TYPE_CHECKING, NoReturn, TextIO

import enumerator
from enumerator.answers import RENDERINGS, Complaint, Question, Unfinished, answer_all, ask, reported
from enumerator.formats import open_boards
from enumerator.report import Report
from enumerator.shape import Shape
from enumerator.wording import printable

if TYPE_CHECKING:
    from enumerator.search import Tally

ANSWERED, FAILED, UNUSABLE, INTERRUPTED = 0, 1, 2, 130

BATCH_BOARDS, BATCH_SECONDS = 16, 0.3
"""After so many boards and so many seconds, the boards that follow are spread over the cores."""

BAR_AFTER, BAR_EVERY = 0.5, 0.1
"""Seconds before a bar is shown, and between its changes."""

EXAMPLES = """\
examples:
  enumerate boards/1c.txt                  how many solutions has this board?
  enumerate boards/1f.txt --cores 16       the same, on no more than 16 cores
  enumerate boards/1f.txt --estimate       how many, about, and how long will it take?
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


def size(text: str) -> int:
    """The size of a search space, which may be huge, exactly."""
    from enumerator.board import exact

    match = re.fullmatch(r"(\d[\d_]{0,999})(?:[eE]\+?(\d{1,4}))?", text, re.ASCII)
    number: int = exact(int(match[1].replace("_", ""))) * 10 ** int(match[2] or 0) if match else exact(0)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a size of at least 1")
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
    work.add_argument("--cores", type=whole_number, metavar="N", help="use no more cores than this (default: all)")
    work.add_argument("--engine", choices=("auto", "search"), default="auto", help="default: auto")
    work.add_argument("--backend", choices=("loky", "threads"), default="loky", help="where tasks run (default: loky)")
    work.add_argument(
        "--cutoff", type=size, metavar="SIZE", help="search space at or below which a subtree is one task, as 1e28"
    )
    work.add_argument("--limit", type=whole_number, metavar="N", help="stop after N solutions, and say so")
    work.add_argument("--shape", type=shape, metavar="HxW", help="box height x width (default: nearest to a square)")
    work.add_argument(
        "--estimate", action="store_true", help="do not count: say about how many, and how long it would take"
    )
    show = parser.add_argument_group("what to print")
    one = show.add_mutually_exclusive_group()
    one.add_argument("--json", action="store_true", help="one JSON object a board; big integers are strings")
    one.add_argument("--quiet", action="store_true", help="the number of solutions alone; 5+ is at least 5")
    show.add_argument("--no-progress", action="store_true", help="no bar on the terminal while counting")
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
    status, started = ANSWERED, perf_counter()
    questions = chain.from_iterable(map(ask, open_boards(name, options.shape)) for name in options.boards)
    rendering = "json" if options.json else "number" if options.quiet else "drawing" if sys.stdout.isatty() else "text"
    may_batch = rendering in RENDERINGS and options.backend == "loky" and options.cores != 1 and not options.estimate
    for boards, question in enumerate(questions, 1):
        status = max(status, answer_one(question, rendering, options))
        if status in (FAILED, INTERRUPTED):
            return status
        seconds = perf_counter() - started
        if may_batch and boards >= BATCH_BOARDS and BATCH_SECONDS < seconds < BATCH_SECONDS * boards:
            from enumerator.parallel.executors import usable_cores

            usable = usable_cores()
            if (cores := min(options.cores or usable, usable)) > 1:
                return max(status, answer_batch(questions, rendering, options, cores))
            may_batch = False
    return status


def answer_batch(questions: Iterator[Question], rendering: str, options: argparse.Namespace, cores: int) -> int:
    """Answer for many boards at once, in order. One that takes long gets all cores when its turn comes."""
    from enumerator.parallel import WorkerLostError
    from enumerator.parallel.batches import in_order

    status = ANSWERED
    work = partial(answer_all, rendering=rendering, limit=options.limit, requested=options.cores)
    try:
        for answers in in_order(work, questions, cores, name=lambda question: question.source, tell=complain):
            for one in answers:
                if isinstance(one, str):
                    sys.stdout.write(one + "\n")
                elif isinstance(one, Complaint):
                    status = UNUSABLE
                    sys.stdout.flush()
                    complain(one.message)
                else:
                    status = max(status, answer_one(one.question, rendering, options, one))
                    if status in (FAILED, INTERRUPTED):
                        return status
            sys.stdout.flush()
    except KeyboardInterrupt:
        sys.stdout.flush()
        complain("interrupted: not all boards are answered")
        return INTERRUPTED
    except WorkerLostError as error:
        sys.stdout.flush()
        complain(str(error))
        return FAILED
    return status


def answer_one(question: Question, rendering: str, options: argparse.Namespace, begun: Unfinished | None = None) -> int:
    """Answer for a board, on all cores if it takes them."""
    from enumerator.parallel import WorkerLostError
    from enumerator.search import Tally

    if question.error:
        complain(question.error)
        return UNUSABLE
    if options.estimate:
        return estimate(question, options)
    tally, before = (begun.tally, begun.seconds) if begun else (Tally(), 0.0)
    status, message, started = ANSWERED, "", perf_counter() - before
    try:
        for so_far in watched(counted(question, options, begun), started, options):
            tally = so_far
    except KeyboardInterrupt:
        status, message = INTERRUPTED, "interrupted: this count is not complete"
    except WorkerLostError as error:
        status, message = FAILED, f"{error}; this count is not complete"
    show(reported(question, tally, perf_counter() - started, options.cores), rendering)
    if message:
        complain(message)
    return status


def counted(question: Question, options: argparse.Namespace, begun: Unfinished | None) -> Iterator[Tally]:
    """The tallies of a count, from its beginning or from where it is."""
    from enumerator.parallel import Plan, resumed, tallies
    from enumerator.parallel.executors import BACKENDS

    board = question.board
    plan = Plan(options.cores, options.limit, options.cutoff, BACKENDS[options.backend], tell=complain)
    return resumed(board.shape, plan, *begun[1:]) if begun else tallies(board, plan)


def watched(tallies: Iterator[Tally], started: float, options: argparse.Namespace) -> Iterator[Tally]:
    """Pass tallies on; on a terminal, show how far they are once they take longer."""
    if options.quiet or options.no_progress or sys.stderr is None or not sys.stderr.isatty():
        yield from tallies
        return
    bar, due = None, started + BAR_AFTER
    try:
        for tally in tallies:
            if (now := perf_counter()) > due and not tally.complete:
                if bar is None:
                    from enumerator.terminal import Bar

                    bar = Bar()
                bar.show(tally.share, tally.solutions, now - started)
                due = perf_counter() + BAR_EVERY
            yield tally
    finally:
        if bar:
            bar.close()


def estimate(question: Question, options: argparse.Namespace) -> int:
    """Say about how many solutions there are, and how long a count would take."""
    from enumerator.parallel.estimate import estimates
    from enumerator.parallel.executors import usable_cores
    from enumerator.report import estimate_as_json, estimate_as_text

    best, status = None, ANSWERED
    usable = 1 if options.cores == 1 else usable_cores()
    try:
        for better in estimates(question.board):
            best = better
    except KeyboardInterrupt:
        status = INTERRUPTED
    if best:
        cores = min(options.cores or usable, usable)
        render = estimate_as_json if options.json else estimate_as_text
        print(render(question.source, question.board, best, cores), flush=True)
    return status


def show(report: Report, rendering: str) -> None:
    """Print a report: drawn on a terminal, plain elsewhere."""
    if rendering in RENDERINGS:
        print(RENDERINGS[rendering](report), flush=True)
    else:
        from enumerator.terminal import draw_report

        draw_report(report)


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
